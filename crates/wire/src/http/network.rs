//! Network settings applied to HTTP clients.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
};

use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use reqwest::{Certificate, ClientBuilder, Identity, Url};

use super::{ClientIdentity, Network, Proxy};
use crate::WireError;

impl Network {
    /// Returns a client builder that reaches `url`, and everything belonging to it, through the same network settings.
    /// The caller sets all other options and builds the client.
    ///
    /// # Errors
    ///
    /// [`WireError::BadSetting`] for certificates and proxies that cannot be used.
    pub fn client(&self, url: &Url) -> Result<ClientBuilder, WireError> {
        // The first provider installed in a process stays: installing it again is not an error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder();
        builder = match &self.proxy {
            // A proxy cannot reach servers on this machine.
            Proxy::System if is_loopback(url) => builder.no_proxy(),
            Proxy::System => builder,
            Proxy::Direct => builder.no_proxy(),
            Proxy::At(address) => builder.proxy(proxy(address)?),
        };
        if let Some(path) = &self.ca_file {
            let certificates = certificates(path)?;
            builder = builder.tls_certs_merge(certificates);
        }
        if let Some(identity) = &self.identity {
            builder = builder.identity(read_identity(identity)?);
        }
        if self.accept_any_certificate {
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        // "localhost" and the names below it mean this machine, whatever a name server says
        // (RFC 6761, section 6.3).
        if let Some(host) = url.host_str()
            && is_localhost(host)
        {
            let here = [
                SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
                SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0),
            ];
            builder = builder.resolve_to_addrs(host, &here);
        }
        Ok(builder)
    }

    /// Returns the host, without brackets, of the proxy through which requests to `url` go; `None` if they go there
    /// directly. Reads the environment and asks the system if the settings require it.
    #[must_use]
    pub fn proxy_host(&self, url: &Url) -> Option<String> {
        let proxy = self.proxy(url)?;
        Some(proxy.uri().host()?.trim_matches(['[', ']']).to_owned())
    }

    /// Returns host and port of the proxy, for errors.
    pub(super) fn proxy_address(&self, url: &Url) -> Option<String> {
        let proxy = self.proxy(url)?;
        let proxy = proxy.uri();
        let port = match (proxy.port_u16(), proxy.scheme_str()) {
            (Some(port), _) => port,
            (None, Some("http")) => 80,
            (None, Some("https")) => 443,
            (None, _) => 1080,
        };
        Some(format!("{}:{port}", proxy.host()?))
    }

    fn proxy(&self, url: &Url) -> Option<Intercept> {
        let proxies = match &self.proxy {
            Proxy::System if is_loopback(url) => return None,
            Proxy::System => Matcher::from_system(),
            Proxy::Direct => return None,
            Proxy::At(address) => {
                let address = Url::parse(address.trim()).ok()?;
                Matcher::builder().all(String::from(address)).build()
            }
        };
        proxies.intercept(&url.as_str().parse().ok()?)
    }
}

/// Returns true if the address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']');
    is_localhost(host) || ip.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn is_localhost(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost")
}

fn proxy(address: &str) -> Result<reqwest::Proxy, WireError> {
    // The message omits the address, which may hold a password.
    let bad = |reason: &str| WireError::BadSetting {
        what: "the proxy".to_owned(),
        reason: reason.to_owned(),
    };
    let url = Url::parse(address.trim())
        .map_err(|_| bad("it is not a valid URL; it looks like http://proxy.example:3128"))?;
    if !matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") || !url.has_host() {
        return Err(bad(
            "its URL must start with http://, https:// or socks5://",
        ));
    }
    reqwest::Proxy::all(url).map_err(|_| bad("its URL cannot be used"))
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, WireError> {
    let what = format!("the CA file `{}`", path.display());
    let bad = |reason: &str| WireError::BadSetting {
        what: what.clone(),
        reason: reason.to_owned(),
    };
    let text = std::fs::read(path).map_err(|error| bad(&error.to_string()))?;
    let certificates = Certificate::from_pem_bundle(&text)
        .map_err(|_| bad("it is not a PEM file with certificates"))?;
    if certificates.is_empty() {
        return Err(bad("there is no certificate in it"));
    }
    Ok(certificates)
}

fn read_identity(files: &ClientIdentity) -> Result<Identity, WireError> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| WireError::BadSetting {
            what: format!("the client certificate's file `{}`", path.display()),
            reason: error.to_string(),
        })
    };
    let mut text = read(&files.certificate)?;
    if files.key != files.certificate {
        text.push(b'\n');
        text.extend(read(&files.key)?);
    }
    Identity::from_pem(&text).map_err(|_| WireError::BadSetting {
        what: format!(
            "the client certificate `{}` with the key `{}`",
            files.certificate.display(),
            files.key.display()
        ),
        reason: "a PEM certificate and its private key are needed".to_owned(),
    })
}
