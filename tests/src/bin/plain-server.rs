//! The smallest MCP server that responds to calls: one thread, no JSON library, so that a measurement through it
//! measures the client. Not lenient: it understands only the messages of the benchmarks.

use std::io::{BufRead as _, BufReader, Write as _};

fn main() -> std::io::Result<()> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Some(id) = id(&line) {
            let result = if line.contains("\"method\":\"tools/call\"") {
                r#"{"content":[{"type":"text","text":"echo"}]}"#
            } else if line.contains("\"method\":\"initialize\"") {
                r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"plain","version":"1"}}"#
            } else if line.contains("\"method\":\"tools/list\"") {
                r#"{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}"#
            } else if line.contains("\"method\":\"ping\"") {
                "{}"
            } else {
                ""
            };
            if result.is_empty() {
                writeln!(
                    output,
                    r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"unknown"}}}}"#
                )?;
            } else {
                writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)?;
            }
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// Returns the value of the first `"id":`, a number or a plain string.
fn id(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"id\":")?;
    let end = rest.find([',', '}'])?;
    Some(rest[..end].trim())
}
