//! Metadata of a server's authorization: protected resource metadata (RFC 9728) and authorization
//! server metadata (RFC 8414, OpenID Connect Discovery).

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use url::Url;

use super::address_policy::{display_url, without_secrets};
use crate::limits::{ADDRESS, first_entries};

/// Members with a limit of their length.
const TEXTS: [&str; 6] = [
    "resource",
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
];
/// Members with a limit of their entries.
const LISTS: [&str; 6] = [
    "authorization_servers",
    "scopes_supported",
    "code_challenge_methods_supported",
    "token_endpoint_auth_methods_supported",
    "grant_types_supported",
    "dpop_signing_alg_values_supported",
];

/// The used members of protected resource metadata. Lenient: a member of the wrong type counts as missing, except for
/// decisive members.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct ResourceMetadata {
    /// The resource that tokens are for, exactly as published.
    #[serde(default, deserialize_with = "text")]
    pub(crate) resource: Option<String>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) authorization_servers: Option<Vec<String>>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) scopes_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "flag")]
    pub(crate) dpop_bound_access_tokens_required: bool,
}

/// The used members of authorization server metadata.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct ServerMetadata {
    #[serde(default, deserialize_with = "text")]
    pub(crate) issuer: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) authorization_endpoint: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) token_endpoint: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) registration_endpoint: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) revocation_endpoint: Option<String>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) scopes_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) grant_types_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "texts")]
    pub(crate) dpop_signing_alg_values_supported: Option<Vec<String>>,
    #[serde(default, deserialize_with = "flag")]
    pub(crate) authorization_response_iss_parameter_supported: bool,
    #[serde(default, deserialize_with = "flag")]
    pub(crate) client_id_metadata_document_supported: bool,
}

impl ServerMetadata {
    /// True if authorization codes are offered, also without `grant_types_supported` (RFC 8414, section 2).
    pub(super) fn offers_codes(&self) -> bool {
        let grants = self.grant_types_supported.as_deref();
        self.authorization_endpoint.is_some()
            && grants.is_none_or(|grants| grants.iter().any(|grant| grant == "authorization_code"))
    }

    /// True if PKCE with S256 is advertised (authorization code protection).
    pub(super) fn advertises_pkce(&self) -> bool {
        let methods = self.code_challenge_methods_supported.as_deref();
        methods.is_some_and(|methods| methods.iter().any(|method| method == "S256"))
    }
}

/// Drops the parts of metadata beyond the limits, and returns sentences about them.
pub(crate) fn bound(metadata: &mut Map<String, Value>) -> Vec<String> {
    let mut said = Vec::new();
    for member in TEXTS {
        if let Some(Value::String(text)) = metadata.get(member)
            && text.len() > ADDRESS
        {
            said.push(format!(
                "`{member}` has {} bytes, more than {ADDRESS}, and is not used.",
                text.len()
            ));
            metadata.remove(member);
        }
    }
    for member in LISTS {
        let Some(Value::Array(all)) = metadata.get_mut(member) else {
            continue;
        };
        all.retain(Value::is_string);
        let used = first_entries(all.iter().filter_map(Value::as_str)).count();
        if used < all.len() {
            said.push(format!(
                "`{member}` has {} entries, of which the first {used} are used.",
                all.len()
            ));
            all.truncate(used);
        }
    }
    said
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_str().map(str::to_owned))
}

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_array().map(|items| {
        items
            .iter()
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect()
    }))
}

fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_bool() == Some(true))
}

/// Returns the possible URLs of a protected resource's metadata, in order (RFC 9728, section 3.1): below the
/// well-known path for its own path, then at the root.
pub(crate) fn resource_locations(server: &Url) -> Vec<Url> {
    let mut found = Vec::new();
    for path in [server.path(), "/"] {
        let mut url = without_secrets(server);
        let tail = path.trim_end_matches('/');
        url.set_path(&format!("/.well-known/oauth-protected-resource{tail}"));
        if !found.contains(&url) {
            found.push(url);
        }
    }
    found
}

/// Returns the possible URLs of an issuer's metadata, in order (authorization server metadata discovery). The root is
/// not tried for an issuer with a path, because it belongs to another issuer.
pub(crate) fn server_locations(issuer: &Url) -> Vec<Url> {
    let at = |path: String| {
        let mut url = issuer.clone();
        url.set_path(&path);
        url
    };
    let path = issuer.path().trim_end_matches('/');
    if path.is_empty() {
        return vec![
            at("/.well-known/oauth-authorization-server".to_owned()),
            at("/.well-known/openid-configuration".to_owned()),
        ];
    }
    vec![
        at(format!("/.well-known/oauth-authorization-server{path}")),
        at(format!("/.well-known/openid-configuration{path}")),
        at(format!("{path}/.well-known/openid-configuration")),
    ]
}

/// Relations of the published resource to the server's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceMatch {
    /// The resource is the address.
    Exact,
    /// The resource is the origin or a path above the address.
    Parent,
    /// The resource is elsewhere: tokens for it are not for this server.
    Mismatch,
}

/// Compares the resource of metadata with this server (RFC 9728, section 3.3). Lenient, since some servers publish
/// their origin.
pub(crate) fn match_resource(resource: &str, server: &Url) -> ResourceMatch {
    let Ok(named) = Url::parse(resource) else {
        return ResourceMatch::Mismatch;
    };
    let other_query = named.query().is_some() && named.query() != server.query();
    if named.fragment().is_some() || other_query || named.origin() != server.origin() {
        return ResourceMatch::Mismatch;
    }
    let (above, below) = (
        named.path().trim_end_matches('/'),
        server.path().trim_end_matches('/'),
    );
    match below.strip_prefix(above) {
        Some("") => ResourceMatch::Exact,
        Some(rest) if rest.starts_with('/') => ResourceMatch::Parent,
        _ => ResourceMatch::Mismatch,
    }
}

/// Returns the resource of a server that publishes none: its URL without query, fragment and trailing slash
/// (authorization, Canonical Server URI; RFC 8707, section 2).
pub(crate) fn canonical(server: &Url) -> String {
    // The query may hold a key, and other parties see the name.
    let text = display_url(server);
    match server.path() {
        "/" => text.trim_end_matches('/').to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn all(urls: Vec<Url>) -> Vec<String> {
        urls.into_iter().map(String::from).collect()
    }

    #[test]
    fn metadata_is_looked_for_in_order() {
        assert_eq!(
            all(resource_locations(&url("https://u:p@h:8443/a/mcp?x=1#f"))),
            [
                "https://h:8443/.well-known/oauth-protected-resource/a/mcp",
                "https://h:8443/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            all(resource_locations(&url("https://h/"))),
            ["https://h/.well-known/oauth-protected-resource"]
        );
        assert_eq!(
            all(server_locations(&url("https://a"))),
            [
                "https://a/.well-known/oauth-authorization-server",
                "https://a/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            all(server_locations(&url("https://a/t1/"))),
            [
                "https://a/.well-known/oauth-authorization-server/t1",
                "https://a/.well-known/openid-configuration/t1",
                "https://a/t1/.well-known/openid-configuration",
            ]
        );
    }

    #[test]
    fn a_resource_speaks_for_what_is_below_it() {
        let server = url("https://h/a/mcp");
        for (resource, expected) in [
            ("https://h/a/mcp", ResourceMatch::Exact),
            ("https://h/a/mcp/", ResourceMatch::Exact),
            ("https://h", ResourceMatch::Parent),
            ("https://h/", ResourceMatch::Parent),
            ("https://h/a", ResourceMatch::Parent),
            ("https://h/a/mc", ResourceMatch::Mismatch),
            ("https://h/a/mcp/x", ResourceMatch::Mismatch),
            ("https://h:444/a/mcp", ResourceMatch::Mismatch),
            ("http://h/a/mcp", ResourceMatch::Mismatch),
            ("https://evil.example.com/mcp", ResourceMatch::Mismatch),
            ("https://h/a/mcp#x", ResourceMatch::Mismatch),
            ("mcp", ResourceMatch::Mismatch),
        ] {
            assert_eq!(match_resource(resource, &server), expected, "{resource}");
        }
        assert_eq!(canonical(&url("https://H:443/")), "https://h");
        assert_eq!(canonical(&url("https://h/mcp?key=1#x")), "https://h/mcp");
        assert_eq!(
            match_resource("https://h/a/mcp?t=1", &server),
            ResourceMatch::Mismatch
        );
    }

    #[test]
    fn codes_are_offered_unless_the_grants_say_otherwise() {
        let offers = |json: &str| {
            serde_json::from_str::<ServerMetadata>(json)
                .unwrap()
                .offers_codes()
        };
        assert!(offers(r#"{"authorization_endpoint":"https://a/x"}"#));
        assert!(offers(
            r#"{"authorization_endpoint":"https://a/x","grant_types_supported":["authorization_code"]}"#
        ));
        assert!(!offers(
            r#"{"authorization_endpoint":"https://a/x","grant_types_supported":["client_credentials"]}"#
        ));
        assert!(!offers(r#"{"token_endpoint":"https://a/x"}"#));
    }

    #[test]
    fn members_of_the_wrong_type_are_missing() {
        let read: ServerMetadata = serde_json::from_str(
            r#"{"issuer":"https://a","token_endpoint":7,"scopes_supported":"x",
                "code_challenge_methods_supported":["S256",1],
                "client_id_metadata_document_supported":"true"}"#,
        )
        .unwrap();
        assert_eq!(read.issuer.as_deref(), Some("https://a"));
        assert!(read.token_endpoint.is_none() && read.scopes_supported.is_none());
        assert_eq!(
            read.code_challenge_methods_supported.as_deref(),
            Some(&["S256".to_owned()][..])
        );
        assert!(!read.client_id_metadata_document_supported);
    }
}
