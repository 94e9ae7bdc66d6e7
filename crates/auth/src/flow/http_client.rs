//! Requests of signing in: bounded, checked before they are sent, and reported to the trace.

use std::{
    collections::{HashMap, HashSet},
    error::Error as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{Method, StatusCode};
use reqwest::{Client, Request, Response, redirect, retry};
use sonde_findings::{Finding, rules};
use sonde_wire::{
    Header,
    http::{Network, tls_failure},
};
use url::{Url, form_urlencoded};

use super::address_policy::{
    Lookup, OutOfReach, Reach, Resolver, Source, display_url, insecure_address, is_local,
    system_lookup,
};
use crate::{
    Problem,
    problem::ProblemKind,
    trace::{HttpExchange, Step},
};

/// Limit for one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// Limit of a response in bytes.
const MAX_BODY: usize = 1 << 20;
/// Limit of redirects, within one origin.
const MAX_REDIRECTS: u32 = 5;

/// Members of JSON and fields of forms that are secrets.
const SECRET_FIELDS: [&str; 10] = [
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "code_verifier",
    "assertion",
    "client_assertion",
    "subject_token",
    "actor_token",
];
/// Fields that are secrets in requests. In a response these names can mean anything.
const SENT_SECRET_FIELDS: [&str; 3] = ["code", "token", "password"];

/// Members that identify an OAuth response.
const KNOWN_MEMBERS: [&str; 3] = ["access_token", "client_id", "error"];

/// Limit of secrets in a response: each costs a search in every frame, and only a limited number is remembered.
const MAX_SECRETS: usize = 16;
/// Replaces the body of a response with more secrets.
const TOO_MANY_SECRETS: &str = "(Not shown: this response has more than 16 secrets.)";

/// Replaces the body of a response that cannot be searched for secrets.
const HIDDEN_BODY: &str = "(Not shown: this is not a standard response and may contain a token.)";

/// Sends requests.
pub(crate) struct HttpClient {
    server: Url,
    network: Network,
    lookup: Lookup,
    clients: Mutex<HashMap<Route, Client>>,
}

/// Properties shared by all requests of one client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Route {
    /// The requests go to the MCP server itself.
    to_server: bool,
    /// The requests stay on this computer, which no system proxy reaches.
    is_local: bool,
    /// The proxy's host.
    proxy: Option<String>,
    reach: Reach,
}

/// A response with its whole body.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Vec<u8>,
    /// Limits where addresses in the response may lead.
    pub(crate) source: Source,
}

impl HttpResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl HttpClient {
    /// Creates a client with the connection settings of the server's requests.
    pub(crate) fn new(server: &Url, network: &Network) -> Self {
        Self {
            server: server.clone(),
            network: network.clone(),
            lookup: system_lookup(),
            clients: Mutex::default(),
        }
    }

    /// Returns the route to an address; `source` is where it was found.
    fn route(&self, url: &Url, source: Source) -> Result<Route, Problem> {
        let reach = source.reach(url)?;
        let proxy = self.network.proxy_host(url);
        // The proxy looks up the name, so nobody knows where it leads.
        if reach == Reach::Private && proxy.is_some() && url.domain().is_some() {
            return Err(insecure_address(url));
        }
        Ok(Route {
            to_server: url.origin() == self.server.origin(),
            is_local: is_local(url),
            proxy,
            reach,
        })
    }

    fn client(&self, url: &Url, route: Route) -> Result<Client, Problem> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&route) {
            return Ok(client.clone());
        }
        let bad = |reason: String| {
            Problem::new(
                "network_settings",
                "The server's network settings cannot be used.",
            )
            .because(reason)
            .advise("Edit the server and check its network settings.")
        };
        let mut network = self.network.clone();
        if !route.to_server {
            // The user shows the certificate only to the MCP server.
            network.identity = None;
            network.accept_any_certificate = false;
        }
        let mut builder = network
            .client(url)
            .map_err(|error| bad(error.to_string()))?;
        if route.proxy.is_none() {
            builder = builder.no_proxy();
        }
        let client = builder
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .dns_resolver(Arc::new(Resolver {
                lookup: Arc::clone(&self.lookup),
                reach: route.reach,
                proxy: route.proxy.clone(),
            }))
            .connect_timeout(Duration::from_secs(10))
            .timeout(REQUEST_TIMEOUT)
            .build()
            .map_err(|error| bad(error.without_url().to_string()))?;
        clients.insert(route, client.clone());
        Ok(client)
    }

    /// Sends a GET for metadata; `source` is where the address was found. Follows redirects within the origin.
    pub(crate) async fn get(
        &self,
        step: &Step,
        url: &Url,
        source: Source,
    ) -> Result<HttpResponse, Problem> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = http::Request::builder()
                .method(Method::GET)
                .uri(url.as_str())
                .header("accept", "application/json")
                .body(Vec::new())
                .map_err(|error| unusable_address(&url, &error.to_string()))?;
            let answer = self.send(step, request, source).await?;
            let next = answer
                .status
                .is_redirection()
                .then(|| answer.header("location"))
                .flatten()
                .and_then(|location| url.join(location).ok())
                .filter(|next| next.origin() == url.origin());
            match next {
                Some(next) => {
                    let moved = Finding::new(&rules::REDIRECTED_METADATA);
                    step.add_finding(moved.with("url", display_url(&url)));
                    url = next;
                }
                None => return Ok(answer),
            }
        }
        Err(Problem::new(
            "redirects",
            format!("`{}` redirects too many times.", display_url(&url)),
        ))
    }

    /// Sends a request and reads its response; `source` is where the address was found.
    pub(crate) async fn send(
        &self,
        step: &Step,
        request: http::Request<Vec<u8>>,
        source: Source,
    ) -> Result<HttpResponse, Problem> {
        let mut request = Request::try_from(request).map_err(|error| {
            Problem::new("unusable_address", "A sign-in URL cannot be used.")
                .because(error.without_url().to_string())
        })?;
        let route = self.route(request.url(), source)?;
        let proxied = route.proxy.is_some();
        let client = self.client(request.url(), route)?;
        request.headers_mut().insert(
            http::header::USER_AGENT,
            http::HeaderValue::from_static(concat!("Sonde/", env!("CARGO_PKG_VERSION"))),
        );
        let mut exchange = begin(step, &request);
        let posted = request.method() == Method::POST;
        let url = request.url().clone();
        let response = match client.execute(request).await {
            Ok(response) => self.read(response, &url, proxied).await,
            Err(error) => Err(self.request_failed(&url, &error)),
        };
        match &response {
            Ok(response) => {
                let found = secrets_of(&response.body, false);
                let too_many = found.values.len() > MAX_SECRETS;
                if !too_many {
                    found.values.iter().for_each(|text| step.add_secret(text));
                }
                exchange.status = Some(response.status.as_u16());
                exchange.response_headers = headers(&response.headers);
                // An error page explains the error; a successful response of unknown form may hold a damaged token.
                let unknown = posted && response.status.is_success() && !found.is_known;
                exchange.response_body = Some(match (too_many, unknown) {
                    (true, _) => TOO_MANY_SECRETS.to_owned(),
                    (false, true) => HIDDEN_BODY.to_owned(),
                    (false, false) => String::from_utf8_lossy(&response.body).into_owned(),
                });
            }
            Err(problem) => exchange.error = Some(problem.title.clone()),
        }
        step.exchange(exchange);
        response
    }

    async fn read(
        &self,
        mut response: Response,
        url: &Url,
        proxied: bool,
    ) -> Result<HttpResponse, Problem> {
        let status = response.status();
        let headers = response.headers().clone();
        let peer = response.remote_addr().filter(|_| !proxied);
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > MAX_BODY => {
                    return Err(Problem::new(
                        "answer_too_large",
                        format!(
                            "The response of `{}` is larger than 1 MiB.",
                            display_url(url)
                        ),
                    ));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => return Err(self.request_failed(url, &error)),
            }
        }
        Ok(HttpResponse {
            status,
            headers,
            body,
            source: Source::answer(url, peer.map(|peer| peer.ip())),
        })
    }

    fn request_failed(&self, url: &Url, error: &reqwest::Error) -> Problem {
        let mut source = error.source();
        let mut innermost = String::new();
        while let Some(inner) = source {
            if let Some(refused) = inner.downcast_ref::<OutOfReach>() {
                return refused.problem(url);
            }
            innermost = inner.to_string();
            source = inner.source();
        }
        if error.is_timeout() && !error.is_connect() {
            return Problem::new(
                "no_answer",
                format!("`{}` does not respond.", display_url(url)),
            )
            .kind(ProblemKind::Transient)
            .because(format!(
                "Sonde waited {} seconds.",
                REQUEST_TIMEOUT.as_secs()
            ))
            .advise("Try again. If the problem persists, contact its operator.");
        }
        if let Some(reason) = tls_failure(error) {
            let problem = Problem::new(
                "not_trusted",
                format!(
                    "The connection to `{}` cannot be trusted.",
                    display_url(url)
                ),
            )
            .because(format!("TLS failed: {reason}."))
            .advise(
                "If your company issued its certificate, enter the CA file in the server's \
                     network settings.",
            )
            .advise("Otherwise its operator has to install a certificate for this name.");
            let elsewhere = url.origin() != self.server.origin();
            return match self.network.accept_any_certificate && elsewhere {
                true => problem.advise(
                    "“Accept any certificate” is for the MCP server alone: an authorization server \
                     gets secrets and always needs a certificate that is trusted.",
                ),
                false => problem,
            };
        }
        let cause = match error.is_timeout() {
            true => "Connecting took too long.".to_owned(),
            false => innermost,
        };
        Problem::new(
            "unreachable",
            format!("`{}` cannot be reached.", display_url(url)),
        )
        .kind(ProblemKind::Transient)
        .because(cause)
        .advise("Check that this server is running and reachable, then try again.")
    }
}

/// Reports the secrets of a request and returns the request for the trace.
fn begin(step: &Step, request: &Request) -> HttpExchange {
    let body = request
        .body()
        .and_then(reqwest::Body::as_bytes)
        .filter(|body| !body.is_empty());
    if let Some(body) = body {
        let found = secrets_of(body, true);
        found.values.iter().for_each(|text| step.add_secret(text));
    }
    HttpExchange {
        method: request.method().to_string(),
        url: request.url().to_string(),
        request_headers: headers(request.headers()),
        request_body: body.map(|body| String::from_utf8_lossy(body).into_owned()),
        ..HttpExchange::default()
    }
}

fn headers(map: &http::HeaderMap) -> Vec<Header> {
    map.iter()
        .map(|(name, value)| Header {
            name: name.as_str().to_owned(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
        .collect()
}

/// Secrets in a body.
#[derive(Default)]
struct FoundSecrets {
    values: HashSet<String>,
    /// The body has a known form, so all its secrets were found.
    is_known: bool,
}

/// Finds secrets in JSON or a form.
fn secrets_of(body: &[u8], sent: bool) -> FoundSecrets {
    fn walk(value: &serde_json::Value, found: &mut HashSet<String>) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        serde_json::Value::String(text)
                            if SECRET_FIELDS.contains(&name.as_str()) =>
                        {
                            found.insert(text.clone());
                        }
                        value => walk(value, found),
                    }
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
            _ => {}
        }
    }
    let mut found = FoundSecrets::default();
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(body) {
        walk(&value, &mut found.values);
        found.is_known = KNOWN_MEMBERS.iter().any(|name| value.get(name).is_some());
        return found;
    }
    found.is_known = body.is_empty();
    for (name, value) in form_urlencoded::parse(body) {
        let name = name.as_ref();
        if SECRET_FIELDS.contains(&name) || (sent && SENT_SECRET_FIELDS.contains(&name)) {
            found.values.insert(value.into_owned());
            found.is_known = true;
        }
    }
    found
}

fn unusable_address(url: &Url, reason: &str) -> Problem {
    Problem::new(
        "unusable_address",
        format!("`{}` is not a usable URL.", display_url(url)),
    )
    .because(reason)
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        net::{IpAddr, SocketAddr},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use sonde_wire::http::Proxy;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;
    use crate::{Spec, StepState, Trace};

    struct NoTrace;

    impl Trace for NoTrace {
        fn add_secret(&self, _: &str) {}
        fn begin(&self, _: &'static str, _: &str, _: Option<Spec>) -> u64 {
            0
        }
        fn exchange(&self, _: u64, _: HttpExchange) {}
        fn add_finding(&self, _: u64, _: sonde_findings::Finding) {}
        fn end(&self, _: u64, _: StepState, _: &str) {}
    }

    fn step() -> Step {
        let trace: Arc<dyn Trace> = Arc::new(NoTrace);
        Step::begin(&trace, "test", "Test", None)
    }

    /// Starts a listener inside the private network that counts its connections.
    async fn inside() -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]).await;
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
                let _ = stream.write_all(answer).await;
            }
        });
        (address, connections)
    }

    /// Creates a name service that returns these addresses in order, over and over.
    fn name_service(answers: &'static [&'static str]) -> (Lookup, Arc<AtomicUsize>) {
        let asked = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&asked);
        let lookup: Lookup = Arc::new(move |_| {
            let number = count.fetch_add(1, Ordering::SeqCst);
            let ip: IpAddr = answers[number % answers.len()].parse().unwrap();
            Box::pin(std::future::ready(io::Result::Ok(vec![SocketAddr::new(
                ip, 0,
            )])))
        });
        (lookup, asked)
    }

    fn client(server: &Url, lookup: Lookup, proxy: Proxy) -> HttpClient {
        let network = Network {
            proxy,
            ..Network::default()
        };
        HttpClient {
            lookup,
            ..HttpClient::new(server, &network)
        }
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// The attacker's name is outside while the server is connected to and inside afterwards, or the other way round.
    /// The address that the server was connected to decides.
    #[tokio::test]
    async fn a_name_service_does_not_open_the_private_network() {
        let (address, connections) = inside().await;
        let server = url("https://mcp.attacker.example/mcp");
        let reached = Source::answer(&server, Some("203.0.113.9".parse().unwrap()));
        let (lookup, asked) = name_service(&["127.0.0.1"]);
        let client = client(&server, lookup, Proxy::Direct);
        let named = url(&format!(
            "https://mcp.attacker.example:{}/x",
            address.port()
        ));
        let problem = client.get(&step(), &named, reached).await.unwrap_err();
        assert_eq!(problem.code, "private_address");
        assert_eq!(
            problem.title,
            "The server's metadata points to `mcp.attacker.example`, an address on a private network."
        );
        let literal = url(&format!("https://{address}/x"));
        let problem = client.get(&step(), &literal, reached).await.unwrap_err();
        assert_eq!(problem.code, "private_address");
        assert_eq!(
            asked.load(Ordering::SeqCst),
            1,
            "asked for the request alone"
        );
        assert_eq!(connections.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn what_was_looked_up_is_what_is_connected_to() {
        let (address, connections) = inside().await;
        let server = url("http://intranet.example/mcp");
        let source = Source::answer(&server, Some("10.0.0.5".parse().unwrap()));
        // The first lookup finds an address inside, the second one outside.
        let (lookup, _) = name_service(&["127.0.0.1", "203.0.113.7"]);
        let client = client(&server, lookup, Proxy::Direct);
        let token = url(&format!("http://auth.example:{}/token", address.port()));
        let answer = client.get(&step(), &token, source).await.unwrap();
        assert_eq!(
            answer.source,
            Source::answer(&token, Some("127.0.0.1".parse().unwrap()))
        );
        assert_eq!(connections.load(Ordering::SeqCst), 1);
        let other = url("http://other.example/token");
        let problem = client.get(&step(), &other, source).await.unwrap_err();
        assert_eq!(problem.code, "insecure_address");
        assert_eq!(
            problem.title,
            "`http://other.example/token` does not use https."
        );
    }

    #[tokio::test]
    async fn nothing_goes_through_a_proxy_in_the_clear() {
        let (proxy, connections) = inside().await;
        let server = url("http://10.0.0.5/mcp");
        let source = Source::answer(&server, None);
        let (lookup, asked) = name_service(&["10.0.0.6"]);
        let proxy = Proxy::At(format!("http://{proxy}"));
        let client = client(&server, lookup, proxy);
        let named = url("http://auth.example/token");
        let problem = client.get(&step(), &named, source).await.unwrap_err();
        assert_eq!(problem.code, "insecure_address");
        assert_eq!(asked.load(Ordering::SeqCst), 0);
        assert_eq!(connections.load(Ordering::SeqCst), 0);
        // A private address is refused without any lookup.
        let literal = url("http://10.0.0.6/token");
        assert!(client.get(&step(), &literal, source).await.is_ok());
        assert_eq!(connections.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn what_is_for_the_server_is_for_its_origin_alone() {
        let server = url("https://mcp.example/mcp");
        let client = HttpClient::new(&server, &Network::default());
        let source = Source::user(&server);
        for (address, to_server) in [
            ("https://mcp.example/.well-known/x", true),
            ("https://mcp.example:8443/token", false),
            ("https://auth.mcp.example/token", false),
        ] {
            let route = client.route(&url(address), source).unwrap();
            assert_eq!(route.to_server, to_server, "{address}");
        }
    }
}
