//! The way to an address, from the form to the transport.

use std::{path::PathBuf, time::Duration};

use sonde_wire::http::{ClientIdentity, HttpSpec, Network, Proxy};

use super::{NetworkConfig, ProxyConfig, working_folder};
use crate::log::SecretText;

/// Puts the settings of a server into its transport. Paths may begin with `~`.
pub(crate) fn apply(config: &NetworkConfig, spec: &mut HttpSpec) {
    spec.network = Network {
        proxy: match &config.proxy {
            ProxyConfig::System => Proxy::System,
            ProxyConfig::Direct => Proxy::Direct,
            ProxyConfig::At { url } => Proxy::At(url.clone()),
        },
        ca_file: config.ca_file.as_deref().map(file),
        identity: config
            .client_certificate
            .as_ref()
            .map(|files| ClientIdentity {
                certificate: file(&files.certificate),
                key: file(&files.key),
            }),
        accept_any_certificate: config.accept_any_certificate,
    };
    if let Some(seconds) = config.connect_seconds {
        spec.connect_timeout = Duration::from_secs(u64::from(seconds));
    }
    spec.idle_timeout = config
        .idle_seconds
        .map(|seconds| Duration::from_secs(u64::from(seconds)));
}

fn file(path: &str) -> PathBuf {
    working_folder(Some(path)).unwrap_or_else(|| PathBuf::from(path))
}

/// What of these settings must not be seen: the password of a proxy, as it is written and as it
/// is meant, and the header that it becomes.
pub(crate) fn secrets(config: &NetworkConfig) -> Vec<SecretText> {
    use base64::Engine as _;
    let ProxyConfig::At { url } = &config.proxy else {
        return Vec::new();
    };
    let Ok(url) = url::Url::parse(url) else {
        return Vec::new();
    };
    let Some(written) = url.password() else {
        return Vec::new();
    };
    let decode = |text: &str| {
        let pairs = format!("x={}", text.replace('+', "%2B").replace('&', "%26"));
        url::form_urlencoded::parse(pairs.as_bytes())
            .next()
            .map_or_else(|| text.to_owned(), |(_, value)| value.into_owned())
    };
    let meant = decode(written);
    let login = format!("{}:{meant}", decode(url.username()));
    let basic = base64::engine::general_purpose::STANDARD.encode(&login);
    [written.to_owned(), meant, login, basic]
        .map(SecretText::from)
        .into()
}

/// The address is on this computer.
pub(crate) fn is_loopback(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        // The parser knows no hosts of schemes that are not special; `ws` and `http` are.
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        log::{LogLimits, Secrets, WireLog},
        servers::config::CertificateFiles,
    };

    #[test]
    fn settings_reach_the_transport() {
        let mut spec = HttpSpec::new("https://a/");
        let usual = spec.connect_timeout;
        apply(&NetworkConfig::default(), &mut spec);
        assert_eq!((spec.connect_timeout, spec.idle_timeout), (usual, None));
        assert!(matches!(spec.network.proxy, Proxy::System));

        let config = NetworkConfig {
            proxy: ProxyConfig::At {
                url: "http://p:1/".to_owned(),
            },
            ca_file: Some("~/ca.pem".to_owned()),
            client_certificate: Some(CertificateFiles {
                certificate: "/c.pem".to_owned(),
                key: "/k.pem".to_owned(),
            }),
            accept_any_certificate: true,
            connect_seconds: Some(3),
            idle_seconds: Some(4),
        };
        apply(&config, &mut spec);
        assert_eq!(spec.connect_timeout, Duration::from_secs(3));
        assert_eq!(spec.idle_timeout, Some(Duration::from_secs(4)));
        assert!(spec.network.accept_any_certificate);
        let home = std::env::home_dir().unwrap();
        assert_eq!(spec.network.ca_file, Some(home.join("ca.pem")));
        assert_eq!(spec.network.identity.unwrap().key, PathBuf::from("/k.pem"));
    }

    #[test]
    fn the_password_of_a_proxy_is_hidden_in_every_form() {
        let config = NetworkConfig {
            proxy: ProxyConfig::At {
                url: "http://me:s%40cret+1@proxy:8080/".to_owned(),
            },
            ..NetworkConfig::default()
        };
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.set_secrets(Secrets {
            values: secrets(&config),
            headers: Vec::new(),
        });
        // "me:s@cret+1" as Basic credentials.
        for text in ["s@cret+1", "s%40cret+1", "bWU6c0BjcmV0KzE="] {
            assert!(log.redact(text).starts_with('‹'), "{text}");
        }
        assert!(!format!("{config:?}").contains("cret"));
        assert!(secrets(&NetworkConfig::default()).is_empty());
    }
}
