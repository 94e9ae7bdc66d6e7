//! The smallest MCP server that responds to calls: no JSON library, so that a measurement through it measures the client.
//! Not lenient: it understands only the messages of the benchmarks.
//!
//! Without an option it speaks over standard input and output, in one thread. With `--json` or `--sse` it listens at an
//! address, which it prints, and responds in this form until standard input ends; each connection has a thread.

#![allow(
    clippy::disallowed_methods,
    reason = "the plainest server there is has no runtime"
)]

use std::{
    env,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

fn main() -> io::Result<()> {
    match env::args().nth(1).as_deref() {
        None => serve_stdio(),
        Some("--json") => serve_http(false),
        Some("--sse") => serve_http(true),
        Some(other) => Err(io::Error::other(format!("no such option: {other}"))),
    }
}

fn serve_stdio() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Some(response) = response(&line) {
            writeln!(output, "{response}")?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

fn serve_http(with_sse: bool) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}/mcp", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that leaves ends its thread.
            thread::spawn(move || converse(&stream, with_sse));
        }
    });
    io::copy(&mut io::stdin().lock(), &mut io::sink()).map(drop)
}

/// Responds to the requests of one connection, until it ends.
fn converse(stream: &TcpStream, with_sse: bool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut input, mut output) = (BufReader::new(stream), stream);
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let is_post = line.starts_with("POST ");
        let mut length = 0;
        while !line.trim_end().is_empty() {
            line.clear();
            input.read_line(&mut line)?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        line.clear();
        let mut body = vec![0; length];
        input.read_exact(&mut body)?;
        let (status, kind, body) = match response(&String::from_utf8_lossy(&body)) {
            _ if !is_post => ("405 Method Not Allowed", "text/plain", String::new()),
            None => ("202 Accepted", "text/plain", String::new()),
            Some(text) if with_sse => ("200 OK", "text/event-stream", format!("data: {text}\n\n")),
            Some(text) => ("200 OK", "application/json", text),
        };
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        output.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Returns the response to a message; `None` if it is no request.
fn response(message: &str) -> Option<String> {
    let id = id(message)?;
    let result = if message.contains("\"method\":\"tools/call\"") {
        r#"{"content":[{"type":"text","text":"echo"}]}"#
    } else if message.contains("\"method\":\"initialize\"") {
        r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"plain","version":"1"}}"#
    } else if message.contains("\"method\":\"tools/list\"") {
        r#"{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}"#
    } else if message.contains("\"method\":\"ping\"") {
        "{}"
    } else {
        return Some(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"unknown"}}}}"#
        ));
    };
    Some(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}

/// Returns the value of the first `"id":`, a number or a plain string.
fn id(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("\"id\":")?;
    let end = rest.find([',', '}'])?;
    Some(rest[..end].trim())
}
