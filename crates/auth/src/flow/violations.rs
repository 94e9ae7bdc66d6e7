//! Violations of the specification by a server and its authorization server: in the challenge, in their
//! metadata and in the authorization response.

use sonde_findings::{Finding, rules};
use url::Url;

use super::{
    address_policy::{is_local, is_nearby, is_unspecified},
    challenge::ChallengeInfo,
    metadata::{ResourceMetadata, ServerMetadata},
    scope::OFFLINE,
};
use crate::trace::Step;

/// Judges the challenge of a rejection by `server`. `step_up`: the token lacks scopes.
pub(crate) fn judge_challenge(step: &Step, challenge: &ChallengeInfo, server: &Url, step_up: bool) {
    let metadata = challenge.resource_metadata.as_deref();
    if step_up {
        for (member, value) in [
            ("scope", challenge.scope.as_deref()),
            ("resource_metadata", metadata),
        ] {
            if value.is_none() {
                let incomplete = Finding::new(&rules::INCOMPLETE_SCOPE_CHALLENGE);
                step.add_finding(incomplete.with("member", member));
            }
        }
    } else if challenge.scope.is_none() {
        step.add_finding(Finding::new(&rules::CHALLENGE_WITHOUT_SCOPE));
    }
    let problem = metadata.and_then(|text| match http_url(text) {
        None => Some("is not an HTTP URL"),
        // A server without HTTPS may serve its metadata the same way, and under another name of its network.
        Some(url) if url.origin() == server.origin() => None,
        Some(url) if url.scheme() == server.scheme() && is_nearby(&url) && is_nearby(server) => {
            None
        }
        Some(url) => is_insecure(&url, server).then_some("does not use HTTPS"),
    });
    if let Some(problem) = problem {
        step.add_finding(Finding::new(&rules::BAD_RESOURCE_METADATA_URL).with("problem", problem));
    }
    let mut scopes = (challenge.scope.as_deref().unwrap_or_default()).split_ascii_whitespace();
    if scopes.any(|scope| scope == OFFLINE) {
        let offline = Finding::new(&rules::OFFLINE_ACCESS_SCOPE);
        step.add_finding(offline.with("place", "the challenge"));
    }
}

/// Judges the metadata of the protected resource `server`.
pub(super) fn judge_resource(step: &Step, metadata: &ResourceMetadata, server: &Url) {
    let servers = metadata.authorization_servers.as_deref();
    // A guessed address may have any JSON.
    if metadata.resource.is_some() && servers.is_none_or(<[_]>::is_empty) {
        step.add_finding(Finding::new(&rules::NO_AUTHORIZATION_SERVERS));
    }
    for issuer in servers.unwrap_or_default() {
        let problem = match http_url(issuer) {
            None => "is not an HTTP URL",
            Some(url) if is_insecure(&url, server) => "does not use HTTPS",
            Some(url) if url.query().is_some() || url.fragment().is_some() => {
                "has a query or a fragment"
            }
            Some(_) => continue,
        };
        let finding = Finding::new(&rules::BAD_ISSUER).with("issuer", issuer);
        step.add_finding(finding.with("problem", problem));
    }
    let scopes = metadata.scopes_supported.as_deref().unwrap_or_default();
    let is_wildcard =
        |scope: &&String| *scope == "*" || scope.ends_with(":*") || scope.ends_with(".*");
    if let Some(scope) = scopes.iter().find(is_wildcard) {
        step.add_finding(Finding::new(&rules::WILDCARD_SCOPES).with("scope", scope));
    }
    if scopes.iter().any(|scope| scope == OFFLINE) {
        let place = "`scopes_supported` of the protected resource";
        step.add_finding(Finding::new(&rules::OFFLINE_ACCESS_SCOPE).with("place", place));
    }
}

/// Judges the metadata of an authorization server that was found for `issuer`.
pub(super) fn judge_server(step: &Step, metadata: &ServerMetadata, issuer: &Url) {
    if metadata.registration_endpoint.is_some() && !metadata.client_id_metadata_document_supported {
        step.add_finding(Finding::new(&rules::ONLY_DYNAMIC_REGISTRATION));
    }
    // A server that issues no codes has none to protect.
    if metadata.offers_codes() && !metadata.advertises_pkce() {
        let problem = match metadata.code_challenge_methods_supported {
            None => "is missing",
            Some(_) => "has no `S256`",
        };
        step.add_finding(Finding::new(&rules::PKCE_NOT_ADVERTISED).with("problem", problem));
    }
    for (member, endpoint) in [
        ("authorization_endpoint", &metadata.authorization_endpoint),
        ("token_endpoint", &metadata.token_endpoint),
        ("registration_endpoint", &metadata.registration_endpoint),
        ("revocation_endpoint", &metadata.revocation_endpoint),
    ] {
        let url = endpoint.as_deref().and_then(|text| Url::parse(text).ok());
        if url.is_some_and(|url| is_insecure(&url, issuer)) {
            let finding = Finding::new(&rules::INSECURE_ENDPOINT).in_member(member);
            step.add_finding(finding.with("member", member));
        }
    }
}

/// Parses a URL that should have HTTPS. Rejects `localhost:8000/x`, which is a URL with a scheme of its own.
fn http_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// True if a URL named by a document at `base` lacks HTTPS. Within one computer nobody can listen in.
fn is_insecure(url: &Url, base: &Url) -> bool {
    // A server that listens on all addresses of the computer may name the unspecified address.
    let is_here = |url: &Url| is_local(url) || is_unspecified(url);
    url.scheme() != "https" && !(is_here(url) && is_here(base))
}

/// Judges the issuer that an authorization response names. `advertised`: the metadata declares that responses name it;
/// `None` without metadata.
pub(super) fn judge_response_issuer(
    step: &Step,
    named: Option<&str>,
    issuer: &str,
    advertised: Option<bool>,
) {
    // Without metadata there is no published issuer that this one could differ from.
    let Some(advertised) = advertised else { return };
    let problem = match named {
        None if advertised => "is missing, though the metadata advertises it".to_owned(),
        Some(named) if named != issuer => format!("is `{named}`, not `{issuer}`"),
        Some(_) if !advertised => {
            return step.add_finding(Finding::new(&rules::UNADVERTISED_RESPONSE_ISSUER));
        }
        _ => return,
    };
    step.add_finding(Finding::new(&rules::BAD_RESPONSE_ISSUER).with("problem", problem));
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::{
        Problem, Spec,
        trace::{HttpExchange, StepState, Trace},
    };

    #[derive(Default)]
    struct Found(Mutex<Vec<String>>);

    impl Trace for Found {
        fn add_secret(&self, _: &str) {}
        fn begin(&self, _: &'static str, _: &str, _: Option<Spec>) -> u64 {
            0
        }
        fn exchange(&self, _: u64, _: HttpExchange) {}
        fn add_finding(&self, _: u64, finding: Finding) {
            self.0.lock().unwrap().push(finding.message());
        }
        fn end(&self, _: u64, _: StepState, _: &str) {}
    }

    /// Collects the findings of a judgement.
    fn findings_of(judge: impl FnOnce(&Step)) -> Vec<String> {
        let found = Arc::new(Found::default());
        let trace: Arc<dyn Trace> = found.clone();
        let step = Step::begin(&trace, "test", "Test", None);
        judge(&step);
        let _ = step.settle(Ok::<_, Problem>(()), |()| String::new());
        std::mem::take(&mut *found.0.lock().unwrap())
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    const PUBLIC: &str = "https://mcp.example/mcp";
    const LOCAL: &str = "http://localhost:8000/mcp";
    const PLAIN: &str = "does not use HTTPS";
    const NO_URL: &str = "is not an HTTP URL";

    #[test]
    fn where_a_challenge_may_point_to() {
        for (server, metadata, expected) in [
            (PUBLIC, "https://mcp.example/.well-known/x", ""),
            (PUBLIC, "https://other.example/x", ""),
            (PUBLIC, "http://mcp.example/x", PLAIN),
            (PUBLIC, "http://localhost:8000/x", PLAIN),
            (PUBLIC, "nowhere", NO_URL),
            (PUBLIC, "ftp://mcp.example/x", NO_URL),
            (LOCAL, "http://localhost:8000/x", ""),
            (LOCAL, "http://127.0.0.1:9000/x", ""),
            (LOCAL, "localhost:8000/x", NO_URL),
            (LOCAL, "http://mcp.example/x", PLAIN),
            ("http://10.0.0.1/mcp", "http://10.0.0.1/x", ""),
            ("http://10.0.0.1/mcp", "http://nas.local:8000/x", ""),
            ("https://nas.local/mcp", "http://nas.local:8000/x", PLAIN),
            (LOCAL, "http://0.0.0.0:8000/x", ""),
        ] {
            let challenge = ChallengeInfo {
                resource_metadata: Some(metadata.to_owned()),
                scope: Some("read".to_owned()),
                ..ChallengeInfo::default()
            };
            let all = findings_of(|step| judge_challenge(step, &challenge, &url(server), false));
            let expected = match expected {
                "" => vec![],
                problem => vec![format!("`resource_metadata` in the challenge {problem}.")],
            };
            assert_eq!(all, expected, "{server} {metadata}");
        }
    }

    #[test]
    fn which_issuers_a_resource_may_name() {
        let more = "has a query or a fragment";
        for (server, issuer, expected) in [
            (PUBLIC, "https://auth.example/tenant", None),
            (PUBLIC, "auth.example:8443", Some(NO_URL)),
            (PUBLIC, "http://auth.example", Some(PLAIN)),
            (PUBLIC, "http://localhost:9000", Some(PLAIN)),
            (PUBLIC, "https://auth.example/?a", Some(more)),
            (PUBLIC, "https://auth.example/#a", Some(more)),
            (LOCAL, "http://127.0.0.1:9000", None),
            (LOCAL, "http://0.0.0.0:9000", None),
            (LOCAL, "http://nas.local:9000", Some(PLAIN)),
        ] {
            let metadata = ResourceMetadata {
                resource: Some(server.to_owned()),
                authorization_servers: Some(vec![issuer.to_owned()]),
                ..ResourceMetadata::default()
            };
            let all = findings_of(|step| judge_resource(step, &metadata, &url(server)));
            let expected: Vec<_> = (expected.iter())
                .map(|problem| {
                    format!(
                        "`authorization_servers` in the protected resource metadata names `{issuer}`, which {problem}."
                    )
                })
                .collect();
            assert_eq!(all, expected, "{server} {issuer}");
        }
    }

    #[test]
    fn endpoints_have_https_except_on_one_computer() {
        for (issuer, endpoint, is_sound) in [
            ("https://auth.example", "https://auth.example/token", true),
            ("https://auth.example", "http://auth.example/token", false),
            ("https://auth.example", "http://localhost/token", false),
            ("http://localhost:9000", "http://localhost:9000/token", true),
        ] {
            let metadata = ServerMetadata {
                token_endpoint: Some(endpoint.to_owned()),
                client_id_metadata_document_supported: true,
                ..ServerMetadata::default()
            };
            let all = findings_of(|step| judge_server(step, &metadata, &url(issuer)));
            assert_eq!(all.is_empty(), is_sound, "{issuer} {endpoint} {all:?}");
        }
    }
}
