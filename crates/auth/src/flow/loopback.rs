//! Target of the browser's redirect: a listener only on this computer, for one response (RFC 8252, section 7.3).

use std::{convert::Infallible, net::Ipv4Addr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinSet,
};
use url::Url;

use crate::{Problem, Spec};

const PATH: &str = "/callback";
/// Limit of simultaneous connections: browsers open spare ones, and other programs may open many.
const MAX_CONNECTIONS: usize = 128;
/// Limit for sending the last page.
const LAST_PAGE_TIMEOUT: Duration = Duration::from_millis(500);
/// Longest silence of a connection. Silent connections must not lock out the browser.
const HEADER_TIMEOUT: Duration = Duration::from_secs(2);

/// A bound port. Requests get no response before [`LoopbackListener::wait_for_redirect`].
#[derive(Debug)]
pub(crate) struct LoopbackListener {
    listener: TcpListener,
    port: u16,
}

impl LoopbackListener {
    /// Binds a port of 127.0.0.1; 0 means a free one.
    pub(crate) async fn bind(port: u16) -> Result<Self, Problem> {
        let failed = |error: std::io::Error| {
            Problem::new(
                "port_in_use",
                match port {
                    0 => "Sonde cannot listen for the redirect from the browser.".to_owned(),
                    port => format!("Port {port} is in use by another program."),
                },
            )
            .because(error.to_string())
            .advise("Close that program, or edit the server and choose another port.")
            .see(Spec::Redirect)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, port })
    }

    /// Returns the redirect address of this listener.
    pub(crate) fn redirect_uri(&self) -> String {
        redirect_uri(self.port)
    }

    /// Waits for the browser. Only an address that `expected` accepts ends the wait; any other request gets an error
    /// page.
    pub(crate) async fn wait_for_redirect(
        self,
        expected: impl Fn(&Url) -> bool + Send + Sync + 'static,
    ) -> Option<Url> {
        let base = Url::parse(&self.redirect_uri()).ok()?;
        let handler = Arc::new(RedirectHandler {
            base,
            expected: Box::new(expected),
        });
        let (sender, mut redirects) = mpsc::channel(1);
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                redirect = redirects.recv() => {
                    // The page is still being sent to the browser; spare connections are not waited for.
                    let _ = tokio::time::timeout(LAST_PAGE_TIMEOUT, async {
                        while connections.join_next().await.is_some() {}
                    })
                    .await;
                    return redirect;
                }
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if connections.len() < MAX_CONNECTIONS => {
                    if let Ok((stream, _)) = accepted {
                        let (handler, sender) = (Arc::clone(&handler), sender.clone());
                        connections.spawn(serve(stream, handler, sender));
                    }
                }
            }
        }
    }
}

/// Returns the redirect address for a port.
pub(crate) fn redirect_uri(port: u16) -> String {
    format!("http://127.0.0.1:{port}{PATH}")
}

/// Returns the port of a redirect address.
pub(crate) fn port_of(redirect_uri: &str) -> Option<u16> {
    let url = Url::parse(redirect_uri).ok()?;
    let ours = url.host_str() == Some("127.0.0.1") && url.path() == PATH;
    url.port().filter(|_| ours)
}

struct RedirectHandler {
    base: Url,
    expected: Box<dyn Fn(&Url) -> bool + Send + Sync>,
}

async fn serve(stream: TcpStream, handler: Arc<RedirectHandler>, sender: mpsc::Sender<Url>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let (status, page, redirect) = handler.receive(&request);
        let sender = sender.clone();
        async move {
            if let Some(redirect) = redirect {
                // A full channel already has a redirect; only the first counts.
                let _ = sender.try_send(redirect);
            }
            Ok::<_, Infallible>(respond(status, page))
        }
    });
    let served = http1::Builder::new()
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = served.await {
        tracing::debug!(%error, "a browser's connection broke");
    }
}

impl RedirectHandler {
    fn receive(&self, request: &Request<Incoming>) -> (StatusCode, Page, Option<Url>) {
        let uri = request.uri();
        if uri.path() != PATH {
            return (StatusCode::NOT_FOUND, Page::Nothing, None);
        }
        if request.method() != http::Method::GET {
            return (StatusCode::METHOD_NOT_ALLOWED, Page::Nothing, None);
        }
        let mut url = self.base.clone();
        url.set_query(uri.query());
        if !(self.expected)(&url) {
            return (StatusCode::BAD_REQUEST, Page::Stranger, None);
        }
        let refused = url.query_pairs().any(|(name, _)| name == "error");
        let page = match refused {
            true => Page::Refused,
            false => Page::Received,
        };
        (StatusCode::OK, page, Some(url))
    }
}

#[derive(Clone, Copy)]
enum Page {
    Received,
    Refused,
    Stranger,
    Nothing,
}

/// Creates a page without scripts and without text from outside.
fn respond(status: StatusCode, page: Page) -> Response<Full<Bytes>> {
    let (title, text) = match page {
        Page::Received => (
            "Back to Sonde",
            "Sonde has received the response. You can close this page.",
        ),
        Page::Refused => (
            "The sign-in was denied",
            "Sonde shows the details. You can close this page.",
        ),
        Page::Stranger => (
            "This page is out of date",
            "It does not belong to the sign-in in progress. Start again from Sonde.",
        ),
        Page::Nothing => (
            "Nothing here",
            "Sonde is waiting for a sign-in at a different URL.",
        ),
    };
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" \
         content=\"light dark\"><style>body{{font:16px/1.5 system-ui,sans-serif;max-width:32rem;\
         margin:20vh auto;padding:0 1.5rem}}h1{{font-size:1.4rem}}</style>\
         <main><h1>{title}</h1><p>{text}</p></main></html>"
    );
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response
            .headers_mut()
            .insert(name, header::HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(url: &str) -> (u16, String) {
        let response = reqwest::Client::builder()
            .no_proxy()
            .build()
            .unwrap()
            .get(url)
            .send()
            .await
            .unwrap();
        let status = response.status().as_u16();
        (
            status,
            String::from_utf8(response.bytes().await.unwrap().to_vec()).unwrap(),
        )
    }

    #[tokio::test]
    async fn only_the_awaited_answer_ends_the_waiting() {
        let _ = rustls_provider();
        let loopback = LoopbackListener::bind(0).await.unwrap();
        let uri = loopback.redirect_uri();
        assert_eq!(port_of(&uri), Some(loopback.port));
        let waiting = tokio::spawn(loopback.wait_for_redirect(|url| {
            url.query_pairs()
                .any(|(name, value)| name == "state" && value == "right")
        }));
        let strange = get(&format!("{uri}?state=wrong&code=<script>")).await;
        assert_eq!(strange.0, 400);
        assert!(!strange.1.contains("script"));
        assert_eq!(get(&uri.replace("/callback", "/favicon.ico")).await.0, 404);
        let page = get(&format!("{uri}?state=right&code=secret-code")).await;
        assert_eq!(page.0, 200);
        assert!(page.1.contains("close this page") && !page.1.contains("secret-code"));
        let answer = waiting.await.unwrap().unwrap();
        assert!(answer.as_str().ends_with("?state=right&code=secret-code"));
    }

    fn rustls_provider() -> impl Sized {
        // Building any client installs the provider.
        sonde_wire::http::Network::default().client(&Url::parse("http://localhost").unwrap())
    }

    #[tokio::test]
    async fn a_port_in_use_is_named() {
        let first = LoopbackListener::bind(0).await.unwrap();
        let problem = LoopbackListener::bind(first.port).await.unwrap_err();
        assert_eq!(problem.code, "port_in_use");
        assert!(problem.title.contains(&first.port.to_string()));
        assert_eq!(port_of("http://localhost:1/callback"), None);
    }
}
