//! The real server as a child process, spoken to in raw text.
#![allow(dead_code, reason = "each test file uses the half it needs")]

#[path = "../../../../tests/src/limit.rs"]
mod limit;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use serde_json::{Value, json};

/// The levels of log messages, the lowest first.
pub(crate) const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// A running `sonde-demo`. Its standard output arrives line by line.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the test is about the process itself"
        )]
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_sonde-demo"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self {
            child,
            stdin,
            stdout,
            stderr,
        }
    }

    /// A server that has shaken hands in 2025-11-25.
    pub(crate) fn ready(arguments: &[&str]) -> Self {
        let mut server = Self::start(arguments);
        server.send(&initialize("2025-11-25").to_string());
        let answer = server.receive();
        assert_eq!(
            answer["result"]["protocolVersion"], "2025-11-25",
            "{answer}"
        );
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    /// A server in the middle of a call that takes an hour.
    pub(crate) fn busy() -> Self {
        let mut server = Self::ready(&[]);
        server.send(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"polish_lens","arguments":{"seconds":3600},"_meta":{"progressToken":1}}}"#,
        );
        assert_eq!(server.receive()["method"], "notifications/progress");
        server
    }

    pub(crate) fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// The next line, as it came.
    pub(crate) fn line(&self) -> String {
        self.stdout
            .recv_timeout(limit::limit())
            .expect("a line on standard output")
    }

    pub(crate) fn receive(&self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request and returns its answer with the notifications that came before it.
    pub(crate) fn ask(&mut self, id: u64, method: &str, params: &Value) -> (Value, Vec<Value>) {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request.to_string());
        self.answer(id)
    }

    /// Waits for the answer to `id`; what comes before it is returned as well.
    pub(crate) fn answer(&self, id: u64) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.receive();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return (message, before);
            }
            before.push(message);
        }
    }

    /// All items of a list, page by page, with what arrives in between left out.
    pub(crate) fn all(&mut self, method: &str, member: &str) -> Vec<Value> {
        let mut all = Vec::new();
        let mut params = json!({});
        loop {
            let page = self.ask(97, method, &params).0["result"].clone();
            all.extend(page[member].as_array().unwrap().iter().cloned());
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return all,
            }
        }
    }

    /// The result of a tool call without a progress token.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let (answer, _) = self.ask(
            99,
            "tools/call",
            &json!({ "name": tool, "arguments": arguments }),
        );
        assert!(answer.get("result").is_some(), "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn tool_names(&mut self) -> Vec<String> {
        let (answer, _) = self.ask(98, "tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    #[cfg(unix)]
    pub(crate) fn terminate(&self) {
        #[expect(clippy::disallowed_methods, reason = "no safe call sends a signal")]
        let sent = std::process::Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Waits for the end: the exit status and what is left on both outputs.
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>, Vec<String>) {
        // Both outputs end when the process does; a process that stays alive runs into the limit.
        let stdout = rest(&self.stdout);
        let stderr = rest(&self.stderr);
        (self.child.wait().unwrap(), stdout, stderr)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "raw", "version": "0" }
        }
    })
}

fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn rest(receiver: &Receiver<String>) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        match receiver.recv_timeout(limit::limit()) {
            Ok(line) => lines.push(line),
            Err(RecvTimeoutError::Disconnected) => return lines,
            Err(RecvTimeoutError::Timeout) => panic!("the server does not end; so far: {lines:?}"),
        }
    }
}

/// One HTTP request on a connection of its own, written and read as text.
pub(crate) struct Exchange {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    body: BufReader<std::net::TcpStream>,
    left: usize,
    chunked: bool,
}

impl Exchange {
    pub(crate) fn start(
        address: &str,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Self {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(limit::limit())).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut body = BufReader::new(stream);
        let status = line(&mut body).split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let header = line(&mut body);
            let Some((name, value)) = header.split_once(':') else {
                break;
            };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let mut exchange = Self {
            status,
            headers,
            body,
            left: 0,
            chunked: false,
        };
        exchange.chunked = exchange.header("transfer-encoding") == Some("chunked");
        exchange.left = exchange
            .header("content-length")
            .map_or(0, |left| left.parse().unwrap());
        exchange
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(its, _)| its == name)
            .map(|(_, value)| value.as_str())
    }

    /// The next server-sent event that carries a message, `None` at the end of the stream.
    pub(crate) fn event(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                b'\n' => {
                    let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
                    if let Some(data) = text.strip_prefix("data:").map(str::trim)
                        && !data.is_empty()
                    {
                        return Some(serde_json::from_str(data).unwrap());
                    }
                }
                byte => line.push(byte),
            }
        }
    }

    fn byte(&mut self) -> Option<u8> {
        if self.left == 0 {
            if !self.chunked {
                return None;
            }
            let mut size = line(&mut self.body);
            if size.is_empty() {
                size = line(&mut self.body);
            }
            self.left = usize::from_str_radix(&size, 16).unwrap_or(0);
            if self.left == 0 {
                self.chunked = false;
                return None;
            }
        }
        self.left -= 1;
        let mut byte = [0];
        self.body.read_exact(&mut byte).unwrap();
        Some(byte[0])
    }
}

fn line(stream: &mut BufReader<std::net::TcpStream>) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}
