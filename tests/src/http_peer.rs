//! A scripted HTTP server on 127.0.0.1, over raw TCP: it can break every rule.
//!
//! A test provides a function from request to [`Reply`]; a reply is a list of actions on the connection:
//!
//! ```no_run
//! # async fn example() {
//! use sonde_tests::http_peer::{HttpPeer, Reply};
//!
//! let peer = HttpPeer::start(|request| match request.method.as_str() {
//!     "POST" => Reply::event_stream()
//!         .event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}")
//!         .event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")
//!         .end(),
//!     _ => Reply::status(405).body(""),
//! })
//! .await;
//! let spec = sonde_wire::http::HttpSpec::new(peer.url());
//! # }
//! ```
//!
//! Connections are kept alive between replies of known length. [`HttpPeer::requests`] returns the received requests,
//! [`HttpPeer::open_connections`] the number of connected clients. Dropping the peer ends everything.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    task::{JoinHandle, JoinSet},
};

/// A request as received.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Number over all connections of the peer, from 0.
    pub number: usize,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Names as written, with values, in order.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    pub body: String,
}

impl Request {
    /// Returns the first header of this name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the JSON-RPC id in the body, as JSON text.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        let body: serde_json::Value = serde_json::from_str(&self.body).ok()?;
        body.get("id").map(ToString::to_string)
    }
}

/// Makes a reply wait until the test opens the gate.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// Creates a closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Lets one waiting reply pass, or else the next one.
    pub fn open(&self) {
        self.0.add_permits(1);
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone, Debug)]
enum Act {
    Send(Vec<u8>),
    Sleep(Duration),
    Wait(Gate),
    Hang,
    Drop,
}

/// Actions of the server on the connection after a request.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    acts: Vec<Act>,
    /// The head was already written, or replaced by raw bytes.
    begun: bool,
}

impl Reply {
    /// Creates a reply with a status line. Follow with [`Reply::header`] and [`Reply::body`].
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// Returns the status; 0 where bytes stand instead of the status line.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.status
    }

    /// 200 with a JSON body.
    #[must_use]
    pub fn json(body: impl AsRef<[u8]>) -> Self {
        Self::status(200)
            .header("Content-Type", "application/json")
            .body(body)
    }

    /// Creates a 202 without a body, the response to a notification.
    #[must_use]
    pub fn accepted() -> Self {
        Self::status(202).body("")
    }

    /// Creates a 200 with an event stream that stays open until [`Reply::end`].
    #[must_use]
    pub fn event_stream() -> Self {
        Self::status(200).header("Content-Type", "text/event-stream")
    }

    /// Creates a reply of bytes without a status line.
    #[must_use]
    pub fn raw(bytes: impl AsRef<[u8]>) -> Self {
        Self {
            begun: true,
            ..Self::default()
        }
        .bytes(bytes)
    }

    /// Creates a reply that sends nothing and keeps the connection.
    #[must_use]
    pub fn silence() -> Self {
        Self {
            begun: true,
            ..Self::default()
        }
        .hang()
    }

    /// Adds the length, the type and the body of a JSON response.
    #[must_use]
    pub fn json_body(self, body: impl std::fmt::Display) -> Self {
        self.header("Content-Type", "application/json")
            .body(body.to_string())
    }

    /// Adds a header. Only before the body.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the whole body, with its length.
    #[must_use]
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        self = self.header("Content-Length", &body.len().to_string());
        self.begin();
        self.bytes(body)
    }

    /// Adds one part of a chunked body. The first part ends the head.
    #[must_use]
    pub fn chunk(mut self, bytes: impl AsRef<[u8]>) -> Self {
        if !self.begun {
            self = self.header("Transfer-Encoding", "chunked");
            self.begin();
        }
        let bytes = bytes.as_ref();
        let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
        framed.extend_from_slice(bytes);
        framed.extend_from_slice(b"\r\n");
        self.bytes(framed)
    }

    /// Adds a part of a body whose length or end the headers declare. The first part ends the head.
    #[must_use]
    pub fn chunk_raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        if !self.begun {
            self.begin();
        }
        self.bytes(bytes)
    }

    /// Adds an event with a single line of data.
    #[must_use]
    pub fn event(self, data: &str) -> Self {
        self.chunk(format!("data: {data}\n\n"))
    }

    /// Adds an event with an id.
    #[must_use]
    pub fn event_with_id(self, id: &str, data: &str) -> Self {
        self.chunk(format!("id: {id}\ndata: {data}\n\n"))
    }

    /// Adds the regular end of a chunked body.
    #[must_use]
    pub fn end(self) -> Self {
        self.bytes("0\r\n\r\n")
    }

    /// Adds bytes as they are, outside any framing.
    #[must_use]
    pub fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.acts.push(Act::Send(bytes.as_ref().to_vec()));
        self
    }

    /// Adds bytes as they are, in pieces of this size with a pause after each.
    #[must_use]
    pub fn slow(mut self, bytes: impl AsRef<[u8]>, size: usize, ms: u64) -> Self {
        for piece in bytes.as_ref().chunks(size) {
            self = self.bytes(piece).sleep(ms);
        }
        self
    }

    /// Adds a pause, in milliseconds.
    #[must_use]
    fn sleep(mut self, ms: u64) -> Self {
        self.acts.push(Act::Sleep(Duration::from_millis(ms)));
        self
    }

    /// Adds a wait until the test opens the gate.
    #[must_use]
    pub fn wait(mut self, gate: &Gate) -> Self {
        self.acts.push(Act::Wait(gate.clone()));
        self
    }

    /// Does nothing more until the client closes the connection.
    #[must_use]
    pub fn hang(mut self) -> Self {
        self.acts.push(Act::Hang);
        self
    }

    /// Cuts the connection.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.acts.push(Act::Drop);
        self
    }

    /// Adds a pause before everything else, in milliseconds. Only after the body.
    #[must_use]
    pub fn after(mut self, ms: u64) -> Self {
        if ms > 0 {
            self.acts.insert(0, Act::Sleep(Duration::from_millis(ms)));
        }
        self
    }

    /// Adds a wait for the gate before everything else. Only after the body.
    #[must_use]
    pub fn after_gate(mut self, gate: &Gate) -> Self {
        self.acts.insert(0, Act::Wait(gate.clone()));
        self
    }

    fn begin(&mut self) {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        self.begun = true;
        self.acts.insert(0, Act::Send(head.into_bytes()));
    }
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

/// The running server.
#[derive(Debug)]
pub struct HttpPeer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    open: watch::Receiver<usize>,
    accepted: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl HttpPeer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    ///
    /// If no port is free.
    pub async fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port on the loopback interface");
        let address = listener.local_addr().expect("a bound port");
        let requests = Arc::default();
        let (counter, open) = watch::channel(0);
        let accepted = Arc::<AtomicUsize>::default();
        let task = tokio::spawn(serve(
            listener,
            Arc::new(handler),
            Arc::clone(&requests),
            counter,
            Arc::clone(&accepted),
        ));
        Self {
            address,
            requests,
            open,
            accepted,
            task,
        }
    }

    /// Returns the address of its MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Returns host and port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns every request so far, in the order of their completion.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the number of connections made so far.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Returns the number of open connections.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        *self.open.borrow()
    }

    /// Waits until exactly that many connections are open.
    pub async fn connections(&self, count: usize) {
        let mut open = self.open.clone();
        let _ = open.wait_for(|open| *open == count).await;
    }
}

impl Drop for HttpPeer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    listener: TcpListener,
    handler: Arc<Handler>,
    requests: Arc<Mutex<Vec<Request>>>,
    counter: watch::Sender<usize>,
    count: Arc<AtomicUsize>,
) {
    // Dropping the set ends every connection.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                count.fetch_add(1, Ordering::Relaxed);
                counter.send_modify(|open| *open += 1);
                connections.spawn(connection(stream, Arc::clone(&handler), Arc::clone(&requests)));
            }
            Some(_) = connections.join_next() => counter.send_modify(|open| *open -= 1),
        }
    }
}

async fn connection(
    mut stream: TcpStream,
    handler: Arc<Handler>,
    requests: Arc<Mutex<Vec<Request>>>,
) {
    let mut buffer = Vec::new();
    while let Some(mut request) = read_request(&mut stream, &mut buffer).await {
        {
            let mut requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
            request.number = requests.len();
            requests.push(request.clone());
        }
        let mut reply = handler(&request);
        if !reply.begun {
            reply.begin();
        }
        for act in reply.acts {
            match act {
                Act::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() || stream.flush().await.is_err() {
                        return;
                    }
                }
                Act::Sleep(duration) => tokio::time::sleep(duration).await,
                Act::Wait(gate) => tokio::select! {
                    permit = gate.0.acquire() => {
                        if let Ok(permit) = permit {
                            permit.forget();
                        }
                    }
                    () = gone(&mut stream) => return,
                },
                Act::Hang => {
                    gone(&mut stream).await;
                    return;
                }
                Act::Drop => return,
            }
        }
    }
}

/// Waits until the client closes the connection.
async fn gone(stream: &mut TcpStream) {
    let mut ignored = [0; 1024];
    while stream.read(&mut ignored).await.is_ok_and(|count| count > 0) {}
}

/// Reads one request; `None` at the end of the connection or if the request is invalid.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Request> {
    let head = loop {
        if let Some(end) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let rest = buffer.split_off(end + 4);
            break String::from_utf8(std::mem::replace(buffer, rest)).ok()?;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let mut request = Request {
        method: first.next()?.to_owned(),
        target: first.next()?.to_owned(),
        ..Request::default()
    };
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        request
            .headers
            .push((name.to_owned(), value.trim().to_owned()));
    }
    let length = match request.header("Content-Length") {
        Some(length) => length.parse().ok()?,
        None => 0,
    };
    while buffer.len() < length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let rest = buffer.split_off(length);
    request.body = String::from_utf8(std::mem::replace(buffer, rest)).ok()?;
    Some(request)
}
