//! The way to an address, from the form to the transport.

use std::{path::PathBuf, time::Duration};

use percent_encoding::percent_decode_str;
use sonde_auth::Secret;
use sonde_wire::http::{ClientIdentity, HttpSpec, Network, Proxy};
use url::Url;

use super::{NetworkConfig, ProxyConfig, working_folder};
use crate::log::SecretText;

/// Puts the settings of a server, and the password of its proxy, into its transport. Paths may begin
/// with `~`.
pub fn apply(config: &NetworkConfig, password: Option<&Secret>, spec: &mut HttpSpec) {
    spec.network = network(config, password);
    if let Some(seconds) = config.connect_seconds {
        spec.connect_timeout = Duration::from_secs(u64::from(seconds));
    }
    spec.idle_timeout = config
        .idle_seconds
        .map(|seconds| Duration::from_secs(u64::from(seconds)));
}

/// The way to an address by the settings of a server, with the password of its proxy.
pub fn network(config: &NetworkConfig, password: Option<&Secret>) -> Network {
    Network {
        proxy: match &config.proxy {
            ProxyConfig::System => Proxy::System,
            ProxyConfig::Direct => Proxy::Direct,
            ProxyConfig::At { url, user, .. } => {
                Proxy::At(with_login(url, user.as_deref(), password))
            }
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
    }
}

fn file(path: &str) -> PathBuf {
    working_folder(Some(path)).unwrap_or_else(|| PathBuf::from(path))
}

/// Adds user name and password to the address of a proxy.
fn with_login(address: &str, user: Option<&str>, password: Option<&Secret>) -> String {
    let Ok(mut url) = Url::parse(address) else {
        return address.to_owned();
    };
    // Both fail for addresses that cannot have a login; opening the transport reports that.
    let _ = url.set_username(user.unwrap_or_default());
    let _ = url.set_password(password.map(Secret::expose));
    url.into()
}

/// User name and password for a proxy, as given in its address.
#[expect(missing_docs, reason = "the names are the documentation")]
pub struct Login {
    pub user: Option<String>,
    pub password: Option<Secret>,
}

/// Takes user name and password out of a proxy's address; `None` where neither is in it.
pub fn take_login(address: &mut String) -> Option<Login> {
    let mut url = Url::parse(address).ok()?;
    let login = Login {
        user: Some(decoded(url.username())).filter(|user| !user.is_empty()),
        password: url.password().map(decoded).map(Secret::new),
    };
    if login.user.is_none() && login.password.is_none() {
        return None;
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    *address = url.into();
    Some(login)
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Returns the texts that reveal a proxy's password: as typed, with the user name, in the Base64 of the header, and
/// encoded as in an address.
pub fn secrets(config: &NetworkConfig, password: &Secret) -> Vec<SecretText> {
    use base64::Engine as _;
    let ProxyConfig::At { url, user, .. } = &config.proxy else {
        return Vec::new();
    };
    let meant = password.expose();
    let login = format!("{}:{meant}", user.as_deref().unwrap_or_default());
    let basic = base64::engine::general_purpose::STANDARD.encode(&login);
    let address = Url::parse(&with_login(url, None, Some(password))).ok();
    let written = address.and_then(|url| url.password().map(str::to_owned));
    [meant.to_owned(), login, basic]
        .into_iter()
        .chain(written)
        .map(SecretText::from)
        .collect()
}

/// The address is on this computer.
pub fn is_loopback(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| match url.host() {
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
        config::{CertificateFiles, InKeyring},
        log::{LogLimits, Secrets, WireLog},
    };

    #[test]
    fn settings_reach_the_transport() {
        let mut spec = HttpSpec::new("https://a/");
        let usual = spec.connect_timeout;
        apply(&NetworkConfig::default(), None, &mut spec);
        assert_eq!((spec.connect_timeout, spec.idle_timeout), (usual, None));
        assert!(matches!(spec.network.proxy, Proxy::System));

        let config = NetworkConfig {
            proxy: ProxyConfig::At {
                url: "http://p:1/".to_owned(),
                user: Some("m@e".to_owned()),
                password: Some(InKeyring::Keep),
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
        apply(&config, Some(&Secret::new("p:w")), &mut spec);
        assert!(matches!(&spec.network.proxy, Proxy::At(url) if url == "http://m%40e:p%3Aw@p:1/"));
        assert_eq!(spec.connect_timeout, Duration::from_secs(3));
        assert_eq!(spec.idle_timeout, Some(Duration::from_secs(4)));
        assert!(spec.network.accept_any_certificate);
        let home = std::env::home_dir().unwrap();
        assert_eq!(spec.network.ca_file, Some(home.join("ca.pem")));
        assert_eq!(spec.network.identity.unwrap().key, PathBuf::from("/k.pem"));
    }

    #[test]
    fn who_asks_a_proxy_is_taken_out_of_its_address() {
        for (address, rest, user, password) in [
            (
                "http://me:s%40c%2Br+1@p:8/",
                "http://p:8/",
                Some("me"),
                Some("s@c+r+1"),
            ),
            ("socks5://:pw@p:8", "socks5://p:8", None, Some("pw")),
            ("http://m%20e@p", "http://p/", Some("m e"), None),
        ] {
            let mut taken = address.to_owned();
            let login = take_login(&mut taken).unwrap();
            assert_eq!((taken.as_str(), login.user.as_deref()), (rest, user));
            assert!(login.password == password.map(Secret::new), "{address}");
            assert!(take_login(&mut taken).is_none());
            assert_eq!(taken, rest);
        }
    }

    #[test]
    fn the_password_of_a_proxy_is_hidden_in_every_form() {
        let at = |url: &str, user: Option<&str>| NetworkConfig {
            proxy: ProxyConfig::At {
                url: url.to_owned(),
                user: user.map(str::to_owned),
                password: user.map(|_| InKeyring::Keep),
            },
            ..NetworkConfig::default()
        };
        let config = at("http://proxy:8080/", Some("me"));
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.set_secrets(Secrets {
            values: secrets(&config, &Secret::new("s@cret+1")),
            headers: Vec::new(),
        });
        // "me:s@cret+1" as Basic credentials.
        for text in ["s@cret+1", "s%40cret+1", "bWU6c0BjcmV0KzE="] {
            assert!(log.redact(text).starts_with('‹'), "{text}");
        }
        let typed = at("http://me:s%40cret+1@proxy:8080/", None);
        assert!(!format!("{typed:?}").contains("cret"));
    }
}
