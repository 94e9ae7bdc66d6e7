//! The content security policy of an app's page.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The valid origins that an app declares (`_meta.ui.csp`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AppDomains {
    /// `connectDomains`: origins that it sends requests to.
    pub connect: Vec<String>,
    /// `resourceDomains`: origins of its scripts, styles, pictures, fonts and sound.
    pub resource: Vec<String>,
    /// `frameDomains`: origins of its frames. Sonde allows no frames.
    pub frame: Vec<String>,
    /// `baseUriDomains`: bases of its relative addresses. Sonde allows no base.
    pub base_uri: Vec<String>,
}

impl AppDomains {
    /// The policy of the page, for its header. Nothing is allowed that was not declared, and less than the default of
    /// the specification (Host Behavior): no `'self'`, since there is nothing else at the page's origin, no frames, no
    /// base, no forms. `sandbox` takes the page its origin and all else that a frame could take back.
    pub(super) fn policy(&self) -> String {
        let sources = |own: Option<&str>, declared: &[String]| {
            let declared = declared.iter().map(String::as_str);
            match own.into_iter().chain(declared).collect::<Vec<_>>() {
                all if all.is_empty() => "'none'".to_owned(),
                all => all.join(" "),
            }
        };
        let code = sources(Some("'unsafe-inline'"), &self.resource);
        let media = sources(Some("data:"), &self.resource);
        format!(
            "default-src 'none'; script-src {code}; style-src {code}; img-src {media}; media-src {media}; \
             font-src {}; connect-src {}; frame-src 'none'; child-src 'none'; worker-src 'none'; \
             manifest-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; \
             sandbox allow-scripts",
            sources(None, &self.resource),
            sources(None, &self.connect),
        )
    }

    /// The hosts that the policy lets the page reach, each with its port if it has one.
    pub(super) fn hosts(&self) -> Vec<String> {
        let origins = self.connect.iter().chain(&self.resource);
        let hosts = origins.filter_map(|origin| origin.split_once("://"));
        hosts.map(|(_, host)| host.to_owned()).collect()
    }
}

/// Converts a declared origin to a source of the policy; `None` for anything that is not exactly an origin, so that no
/// text of a server can end a directive or allow more than the hosts of one domain. A trailing `/` is ignored.
pub(super) fn source(declared: &str) -> Option<String> {
    let declared = declared.strip_suffix('/').unwrap_or(declared);
    let (scheme, rest) = declared.split_once("://")?;
    if !["https", "http", "wss", "ws"].contains(&scheme) {
        return None;
    }
    let (host, port) = match rest.rsplit_once(':') {
        // An IPv6 address has its colons in brackets.
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (rest, None),
    };
    if let Some(port) = port {
        port.parse::<u16>().ok()?;
        if !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
    }
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let fine = match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let name = match host.strip_prefix("*.") {
                // `*.com` would be nearly every host.
                Some(name) if !name.contains('.') => return None,
                Some(name) => name,
                None => host,
            };
            let of_name = |one: u8| one.is_ascii_alphanumeric() || one == b'-' || one == b'_';
            name.len() <= 253
                && name
                    .split('.')
                    .all(|label| !label.is_empty() && label.bytes().all(of_name))
        }
    };
    fine.then(|| declared.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_become_sources() {
        for (declared, expected) in [
            ("https://api.example.com", Some("https://api.example.com")),
            ("https://api.example.com/", Some("https://api.example.com")),
            ("https://*.example.com", Some("https://*.example.com")),
            (
                "wss://live.example.com:8443",
                Some("wss://live.example.com:8443"),
            ),
            ("http://127.0.0.1:3000", Some("http://127.0.0.1:3000")),
            ("http://[::1]:3000", Some("http://[::1]:3000")),
            ("http://[::1]", Some("http://[::1]")),
            ("*", None),
            ("https:", None),
            ("https://*", None),
            ("https://*.com", None),
            ("https://*.com:443", None),
            ("https://", None),
            ("https://a.*.example", None),
            ("https://a.example/path", None),
            ("https://a.example; script-src *", None),
            ("https://a.example https://b.example", None),
            ("https://a.example,https://b.example", None),
            ("https://user@a.example", None),
            ("https://a.example:99999", None),
            ("https://a.example:+80", None),
            ("https://a.example:", None),
            ("data:", None),
            ("blob:", None),
            ("ipc://localhost", None),
            ("tauri://localhost", None),
            ("'unsafe-eval'", None),
            ("example.com", None),
            ("https://é.example", None),
            ("https://a.example\r\nX: y", None),
        ] {
            assert_eq!(source(declared).as_deref(), expected, "{declared}");
        }
    }

    #[test]
    fn the_page_reaches_the_hosts_of_its_sources() {
        let list = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect();
        let domains = AppDomains {
            connect: list(&["wss://live.example:8443", "http://[::1]:3000"]),
            resource: list(&["https://*.cdn.example"]),
            frame: list(&["https://frame.example"]),
            ..AppDomains::default()
        };
        assert_eq!(
            domains.hosts(),
            ["live.example:8443", "[::1]:3000", "*.cdn.example"]
        );
    }

    #[test]
    fn nothing_is_allowed_that_was_not_declared() {
        let nothing = AppDomains::default().policy();
        assert_eq!(
            nothing,
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
             media-src data:; font-src 'none'; connect-src 'none'; frame-src 'none'; child-src 'none'; \
             worker-src 'none'; manifest-src 'none'; object-src 'none'; base-uri 'none'; \
             form-action 'none'; sandbox allow-scripts"
        );
        let of = |connect: &str, resource: &str| AppDomains {
            connect: vec![connect.to_owned()],
            resource: vec![resource.to_owned()],
            frame: vec!["https://frames.example".to_owned()],
            base_uri: vec!["https://base.example".to_owned()],
        };
        let some = of("https://api.example", "https://cdn.example").policy();
        assert!(some.contains("connect-src https://api.example;"), "{some}");
        assert!(some.contains("font-src https://cdn.example;"), "{some}");
        assert!(
            some.contains("img-src data: https://cdn.example;"),
            "{some}"
        );
        assert!(
            some.contains("script-src 'unsafe-inline' https://cdn.example;"),
            "{some}"
        );
        assert!(!some.contains("frames.example") && !some.contains("base.example"));
    }
}
