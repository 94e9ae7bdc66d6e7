//! Classification of errors of the HTTP libraries.

use std::{error::Error, io};

use reqwest::Url;

use crate::WireError;

/// Returns the host of a URL with its port.
pub(super) fn address(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Classifies the failure of a request to this URL through this proxy.
pub(super) fn classify(error: &reqwest::Error, url: &Url, proxy: Option<&str>) -> WireError {
    let address = address(url);
    if let Some(reason) = tls_failure(error)
        // With an http URL only the proxy uses TLS.
        && (proxy.is_none() || url.scheme() == "https")
    {
        let address = match proxy {
            Some(proxy) => format!("{address} through the proxy {proxy}"),
            None => address,
        };
        return WireError::Tls { address, reason };
    }
    if error.is_connect()
        && let Some(proxy) = proxy
    {
        return WireError::Proxy {
            address: proxy.to_owned(),
            reason: innermost(error),
        };
    }
    if error.is_connect() {
        if error.is_timeout() {
            return WireError::ConnectTimeout { address };
        }
        if error.is_dns() {
            let host = url.host_str().unwrap_or_default().to_owned();
            return WireError::UnknownHost { host };
        }
        let kind = find(error, &|cause| {
            cause.downcast_ref::<io::Error>().map(io::Error::kind)
        });
        match kind {
            Some(io::ErrorKind::ConnectionRefused) => return WireError::Refused { address },
            Some(io::ErrorKind::TimedOut) => return WireError::ConnectTimeout { address },
            _ => {}
        }
    }
    WireError::Broken {
        reason: innermost(error),
    }
}

/// Returns the reason why TLS failed, if it did: for example a certificate that is not trusted.
#[must_use]
pub fn tls_failure(error: &reqwest::Error) -> Option<String> {
    find(error, &|cause| {
        cause.downcast_ref::<rustls::Error>().map(tls_reason)
    })
}

fn tls_reason(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => {
            format!("the server does not respond with TLS; is it an http:// URL? ({error})")
        }
        other => other.to_string(),
    }
}

/// Searches the causes of an error, including those inside an [`io::Error`].
fn find<T>(
    error: &(dyn Error + 'static),
    pick: &impl Fn(&(dyn Error + 'static)) -> Option<T>,
) -> Option<T> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = pick(error) {
            return Some(found);
        }
        cause = match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

/// Returns the message of the innermost cause, which says what happened; outer causes only say where. It has no
/// address, which might hold a secret.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut reasons = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        reasons.push(error.to_string());
        cause = error.source();
    }
    reasons.dedup();
    match reasons.pop() {
        Some(last) => match reasons.pop() {
            Some(before) if !before.contains(&last) => format!("{before}: {last}"),
            Some(before) => before,
            None => last,
        },
        None => "the request failed".to_owned(),
    }
}
