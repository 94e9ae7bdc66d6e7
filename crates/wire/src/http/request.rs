//! Making requests: the address, the client and the headers.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::{
    Client, Method, Request, Url,
    header::{
        AUTHORIZATION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
    },
    redirect, retry,
};

use super::{HttpSpec, body};
use crate::{Header, Outgoing, Verb, WireError};

pub(super) const USER_AGENT: &str = concat!("Sonde/", env!("CARGO_PKG_VERSION"));

/// Client and settings shared by all requests of a wire.
pub(super) struct Requests {
    client: Client,
    url: Url,
    headers: Vec<Header>,
    proxy: Option<String>,
}

/// A request ready to be sent, and its URL and headers as the log shows them.
pub(super) struct Prepared {
    pub(super) request: Request,
    pub(super) url: String,
    pub(super) headers: Vec<Header>,
}

impl Requests {
    pub(super) fn new(spec: &HttpSpec) -> Result<Self, WireError> {
        let url = address(&spec.url)?;
        for header in &spec.headers {
            check_header(header)?;
        }
        let mut builder = spec
            .network
            .client(&url)?
            // A redirect may lead a token to another host, so the user decides.
            .redirect(redirect::Policy::none())
            // A call may have effects, so it is never repeated silently.
            .retry(retry::never())
            .referer(false)
            .connect_timeout(spec.connect_timeout);
        if spec.http1_only {
            builder = builder.http1_only();
        }
        let proxy = spec.network.proxy_address(&url);
        // Plain HTTP does not need the system's certificates, which some images lack.
        if url.scheme() == "http" && proxy.is_none() {
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| WireError::BadSetting {
            what: "the network settings".to_owned(),
            reason: super::failure::innermost(&error),
        })?;
        Ok(Self {
            client,
            proxy,
            url,
            headers: spec.headers.clone(),
        })
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Host and port of the proxy through which the requests go.
    pub(super) fn proxy(&self) -> Option<&str> {
        self.proxy.as_deref()
    }

    /// Builds a request from Sonde's own headers, then the protocol's, then the credentials, then the user's; later
    /// ones replace earlier ones of the same name.
    pub(super) fn prepare(
        &self,
        outgoing: &Outgoing,
        credentials: &[Header],
    ) -> Result<Prepared, WireError> {
        let (method, accept) = match outgoing.verb {
            Verb::Post => (Method::POST, Some("application/json, text/event-stream")),
            Verb::Get => (Method::GET, Some("text/event-stream")),
            Verb::Delete => (Method::DELETE, None),
        };
        let own = [
            accept.map(|value| ("Accept", value)),
            outgoing
                .text
                .is_some()
                .then_some(("Content-Type", "application/json")),
            (outgoing.verb != Verb::Delete).then_some(("Accept-Encoding", body::ENCODINGS)),
            Some(("User-Agent", USER_AGENT)),
        ]
        .into_iter()
        .flatten()
        .map(|(name, value)| Header {
            name: name.to_owned(),
            value: value.to_owned(),
        })
        .collect();
        let mut headers: Vec<Header> = own;
        for layer in [outgoing.headers.as_slice(), credentials, &self.headers] {
            headers.retain(|header| {
                !layer
                    .iter()
                    .any(|other| other.name.eq_ignore_ascii_case(&header.name))
            });
            headers.extend(layer.iter().cloned());
        }
        let mut map = HeaderMap::with_capacity(headers.len());
        for header in &headers {
            let (name, value) = check_header(header)?;
            map.append(name, value);
        }

        // User name and password are moved from the address to a header.
        let mut request = self
            .client
            .request(method, self.url.clone())
            .build()
            .map_err(|error| WireError::Broken {
                reason: error.without_url().to_string(),
            })?;
        let address = request.url().to_string();
        if let Some(value) = request.headers_mut().remove(AUTHORIZATION)
            && !map.contains_key(AUTHORIZATION)
        {
            headers.push(Header {
                name: "Authorization".to_owned(),
                value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
            });
            map.insert(AUTHORIZATION, value);
        }
        *request.headers_mut() = map;
        if let Some(text) = &outgoing.text {
            *request.body_mut() = Some(Bytes::from_owner(Shared(Arc::clone(text))).into());
        }
        Ok(Prepared {
            request,
            url: address,
            headers,
        })
    }
}

/// A message's text as the bytes of a body, without copying it.
struct Shared(Arc<String>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

pub(crate) fn address(text: &str) -> Result<Url, WireError> {
    let bad = |reason: &str| WireError::BadUrl {
        url: text.to_owned(),
        reason: reason.to_owned(),
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(bad("it is empty"));
    }
    let url = Url::parse(text).map_err(|error| match error.to_string().as_str() {
        "relative URL without a base" => bad("it does not start with http:// or https://"),
        other => bad(other),
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(bad("it does not start with http:// or https://")),
    }
}

/// Checks and converts a header. Its value is marked as secret, so that no library shows it.
fn check_header(header: &Header) -> Result<(HeaderName, HeaderValue), WireError> {
    let bad = |reason: &str| WireError::BadHeader {
        name: header.name.clone(),
        reason: reason.to_owned(),
    };
    let name = HeaderName::from_bytes(header.name.as_bytes())
        .map_err(|_| bad("its name may only contain letters, digits and some symbols"))?;
    if [CONTENT_LENGTH, TRANSFER_ENCODING].contains(&name) {
        return Err(bad("it is set from the message"));
    }
    let mut value = HeaderValue::from_bytes(header.value.as_bytes())
        .map_err(|_| bad("its value contains a line break or another control character"))?;
    value.set_sensitive(true);
    Ok((name, value))
}

#[cfg(test)]
mod tests {
    use super::{super::network::is_loopback, *};
    use crate::{ExchangeId, Label};

    fn header(name: &str, value: &str) -> Header {
        Header {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn an_address_is_checked_before_anything_is_sent() {
        for (url, reason) in [
            ("", "empty"),
            ("localhost:3000/mcp", "http://"),
            ("example.org/mcp", "http://"),
            ("ftp://example.org", "http://"),
            ("http://", "host"),
            ("http://exa mple.org", "domain"),
            ("http://example.org:99999/", "port"),
        ] {
            match Requests::new(&HttpSpec::new(url)) {
                Err(WireError::BadUrl { reason: said, .. }) => {
                    assert!(said.contains(reason), "{url}: {said}");
                }
                _ => panic!("{url} is accepted"),
            }
        }
        assert!(Requests::new(&HttpSpec::new(" https://example.org/mcp?x=1 ")).is_ok());
    }

    #[test]
    fn a_header_that_cannot_be_sent_is_named() {
        for (name, value) in [
            ("a b", "x"),
            ("", "x"),
            ("ok", "line\r\nInjected: yes"),
            ("content-length", "1"),
        ] {
            let mut spec = HttpSpec::new("http://127.0.0.1/");
            spec.headers = vec![header(name, value)];
            assert!(matches!(
                Requests::new(&spec),
                Err(WireError::BadHeader { name: said, .. }) if said == name
            ));
        }
    }

    #[test]
    fn later_layers_replace_earlier_ones_and_secrets_are_not_shown() {
        let mut spec = HttpSpec::new("http://127.0.0.1/mcp?token=secret-1");
        spec.headers = vec![
            header("accept", "x/y"),
            header("X-Key", "secret-2"),
            header("X-Key", "second"),
        ];
        let shown = format!("{spec:?}");
        assert!(!shown.contains("secret"), "{shown}");
        let prepared = Requests::new(&spec)
            .unwrap()
            .prepare(
                &Outgoing {
                    exchange: ExchangeId(1),
                    verb: Verb::Post,
                    text: Some(Arc::new("{}".to_owned())),
                    headers: vec![header("x-key", "protocol"), header("Mcp-Session-Id", "s")],
                    label: Label::default(),
                },
                &[],
            )
            .unwrap();
        let names = prepared
            .headers
            .iter()
            .map(|header| (header.name.as_str(), header.value.as_str()))
            .collect::<Vec<_>>();
        assert_eq!(
            names,
            [
                ("Content-Type", "application/json"),
                ("Accept-Encoding", body::ENCODINGS),
                ("User-Agent", USER_AGENT),
                ("Mcp-Session-Id", "s"),
                ("accept", "x/y"),
                ("X-Key", "secret-2"),
                ("X-Key", "second"),
            ]
        );
        assert!(!format!("{:?}", prepared.request).contains("secret-2"));
    }

    #[test]
    fn a_password_in_the_address_becomes_a_header() {
        let spec = HttpSpec::new("http://user:secret@127.0.0.1/mcp");
        assert!(!format!("{spec:?}").contains("secret"));
        let get = Outgoing {
            exchange: ExchangeId(1),
            verb: Verb::Get,
            text: None,
            headers: Vec::new(),
            label: Label::default(),
        };
        let prepared = Requests::new(&spec).unwrap().prepare(&get, &[]).unwrap();
        assert_eq!(prepared.url, "http://127.0.0.1/mcp");
        assert!(
            prepared
                .headers
                .contains(&header("Authorization", "Basic dXNlcjpzZWNyZXQ="))
        );

        let own = Outgoing {
            headers: vec![header("authorization", "Bearer token")],
            ..get
        };
        let prepared = Requests::new(&spec).unwrap().prepare(&own, &[]).unwrap();
        let sent = prepared.request.headers().get_all(AUTHORIZATION);
        assert_eq!(sent.iter().collect::<Vec<_>>(), ["Bearer token"]);
    }

    #[test]
    fn loopback_is_known_in_all_its_spellings() {
        for (url, expected) in [
            ("http://localhost:1/", true),
            ("http://a.localhost/", true),
            ("http://127.8.9.1/", true),
            ("http://[::1]:8080/", true),
            ("http://192.168.0.1/", false),
            ("http://localhost.example.org/", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
