//! Starts the program and servers for it.

#![expect(
    clippy::disallowed_methods,
    reason = "a program is tried from outside, with the clock on the wall"
)]

#[path = "../../../../tests/src/limit.rs"]
mod limit;

use std::{
    io::{BufRead as _, BufReader, Read as _, Seek as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// The demo server's program, which is built with the tests.
pub(crate) fn demo() -> PathBuf {
    let name = format!("sonde-demo{}", std::env::consts::EXE_SUFFIX);
    let program = Path::new(env!("CARGO_BIN_EXE_sonde")).with_file_name(name);
    assert!(
        program.exists(),
        "build it first: cargo build -p sonde-demo"
    );
    program
}

/// The demo server over HTTP.
pub(crate) struct Demo {
    pub(crate) url: String,
    child: Child,
    /// It ends when this closes.
    _stdin: Option<ChildStdin>,
}

impl Demo {
    pub(crate) fn http() -> Self {
        let mut child = Command::new(demo())
            .arg("--http")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening ").unwrap().to_owned();
        let stdin = child.stdin.take();
        Self {
            url,
            child,
            _stdin: stdin,
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The URL of a server that refuses everybody.
pub(crate) fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut buffer = [0; 8_192];
            let read = stream.read(&mut buffer).unwrap_or_default();
            let is_mcp = buffer[..read].starts_with(b"POST /mcp");
            let head = match is_mcp {
                true => "401 Unauthorized\r\nWWW-Authenticate: Bearer",
                false => "404 Not Found",
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
        }
    });
    url
}

/// The URL of a server with these tools, or with this result of `tools/list`, each call of which has this response
/// (`result` or `error`). Without tools it has a prompt.
pub(crate) fn scripted(tools: Value, response: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let answer = respond(&mut stream, &tools, &response);
            let (status, body) = match answer {
                Some(Some(body)) => ("200 OK", body.to_string()),
                Some(None) => ("202 Accepted", String::new()),
                None => ("405 Method Not Allowed", String::new()),
            };
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{body}"
            );
        }
    });
    url
}

/// The response to a message; nothing to one that is no request, and `None` to what is no message.
fn respond(stream: &mut TcpStream, tools: &Value, response: &Value) -> Option<Option<Value>> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    if !first.starts_with("POST") {
        return None;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked: Value = serde_json::from_slice(&body).ok()?;
    let Some(id) = asked.get("id") else {
        return Some(None);
    };
    let mut answer = match asked["method"].as_str()? {
        "initialize" => json!({ "result": {
            "protocolVersion": "2025-11-25",
            "capabilities": match tools {
                Value::Null => json!({ "prompts": {} }),
                _ => json!({ "tools": {} }),
            },
            "serverInfo": { "name": "scripted", "title": "", "version": "1" },
        } }),
        "ping" => json!({ "result": {} }),
        "prompts/list" => {
            json!({ "result": { "prompts": [{ "name": "a", "description": "Asks for a berth." }] } })
        }
        "tools/list" => json!({ "result": match tools {
            Value::Object(_) => tools.clone(),
            list => json!({ "tools": list }),
        } }),
        "tools/call" => response.clone(),
        _ => json!({ "error": { "code": -32601, "message": "Method not found" } }),
    };
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = id.clone();
    Some(Some(answer))
}

/// The program with its words.
pub(crate) struct Sonde {
    command: Command,
    _data: Option<tempfile::TempDir>,
}

/// Runs the program with these words.
pub(crate) fn sonde(words: &str) -> Done {
    Sonde::new().words(words).run()
}

/// Words of the demo server's tool `say_hello`.
pub(crate) fn greeting(name: &str) -> String {
    format!("Good evening, {name}. Mind the stairs: there are 142 of them.\n")
}

/// Output of the program with these words and the demo server on a terminal, which `script` makes.
#[cfg(target_os = "linux")]
pub(crate) fn on_terminal(words: &str) -> String {
    let (sonde, demo) = (env!("CARGO_BIN_EXE_sonde"), demo());
    let command = format!("{sonde} {words} -- {}", demo.display());
    let mut script = Command::new("script");
    let script = script.args(["-qec", &command, "/dev/null"]);
    let done = script.stdin(Stdio::null()).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

/// Results of a run of the program.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sonde {
    /// With a data folder of its own, and nothing to read.
    pub(crate) fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sonde"));
        command
            .env("SONDE_DATA_DIR", data.path())
            .env_remove("DEMO_PROGRAM")
            .env_remove("CI")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            command,
            _data: Some(data),
        }
    }

    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn data(mut self, folder: &Path) -> Self {
        self.command.env("SONDE_DATA_DIR", folder);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Standard input.
    pub(crate) fn input(mut self, text: &str) -> Self {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.rewind().unwrap();
        self.command.stdin(file);
        self
    }

    /// Adds words with spaces between them.
    pub(crate) fn words(mut self, words: &str) -> Self {
        self.command.args(words.split_whitespace());
        self
    }

    /// Adds one word, which may have spaces.
    pub(crate) fn word(mut self, word: &str) -> Self {
        self.command.arg(word);
        self
    }

    /// Adds the command of a server.
    pub(crate) fn command(mut self, program: &Path) -> Self {
        self.command.arg("--").arg(program);
        self
    }

    pub(crate) fn run(self) -> Done {
        self.start().end()
    }

    pub(crate) fn start(mut self) -> Running {
        let began = Instant::now();
        let mut child = self.command.spawn().unwrap();
        let stderr = Arc::new(Mutex::new(String::new()));
        let (said, mut from) = (Arc::clone(&stderr), child.stderr.take().unwrap());
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..read]);
                said.lock().unwrap().push_str(&text);
            }
        });
        Running {
            child,
            began,
            stderr,
            reading,
            _sonde: self,
        }
    }
}

/// The program while it runs.
pub(crate) struct Running {
    child: Child,
    began: Instant,
    stderr: Arc<Mutex<String>>,
    reading: JoinHandle<()>,
    _sonde: Sonde,
}

impl Running {
    /// Waits until standard error has this.
    pub(crate) fn wait_for(&self, words: &str) {
        while !self.stderr.lock().unwrap().contains(words) {
            assert!(self.began.elapsed() < limit::limit(), "no `{words}`");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until standard output has this; the result does not have it again.
    #[cfg(unix)]
    pub(crate) fn wait_for_printed(&mut self, words: &str) {
        let from = self.child.stdout.as_mut().unwrap();
        let (mut printed, mut next) = (Vec::new(), [0]);
        while !printed.ends_with(words.as_bytes()) {
            from.read_exact(&mut next).expect(words);
            printed.extend(next);
        }
    }

    #[cfg(unix)]
    pub(crate) fn interrupt(self) -> Done {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(sent.success());
        self.end()
    }

    fn end(mut self) -> Done {
        let mut stdout = String::new();
        let mut from = self.child.stdout.take().unwrap();
        from.read_to_string(&mut stdout).unwrap();
        let status = self.child.wait().unwrap();
        self.reading.join().unwrap();
        Done {
            code: status.code().unwrap_or(-1),
            stdout,
            stderr: self.stderr.lock().unwrap().clone(),
        }
    }
}

impl Done {
    /// It ended with this code and printed exactly this.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, stdout: &str) {
        assert_eq!(
            (self.code, self.stdout.as_str()),
            (code, stdout),
            "{self:?}"
        );
    }

    /// It ended with this code.
    #[track_caller]
    pub(crate) fn expect_code(&self, code: i32) {
        assert_eq!(self.code, code, "{self:?}");
    }

    /// Reads the JSON that it printed.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self:?}"))
    }

    /// It ended with this code, and printed this among other things.
    #[track_caller]
    pub(crate) fn expect_part(&self, code: i32, printed: &str) {
        self.expect_code(code);
        assert!(self.stdout.contains(printed), "{printed}\n{self:?}");
    }

    /// It ended with this code, and said this on standard error.
    #[track_caller]
    pub(crate) fn expect_error(&self, code: i32, said: &str) {
        self.expect_code(code);
        assert!(self.stderr.contains(said), "{said}\n{self:?}");
    }
}
