//! An argument that a request also carries in an HTTP header.

use super::DemoTool;
use super::fields::string;
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "telegraph_harbour",
        "Telegraph a harbour",
        "Over HTTP without a handshake the harbour **is in a header of the request too** (`Mcp-Param-Harbour`), so that a \
         proxy knows where it goes without reading the message.",
        [string("harbour", "Harbour")
            .with("default", "Port Elwin".into())
            .with("x-mcp-header", "Harbour".into())],
        |call| Box::pin(telegraph_harbour(call)),
    )]
}

async fn telegraph_harbour(call: &Call) -> Answer {
    let harbour: String = call.argument("harbour")?;
    Ok(text(format!("{harbour} heard you, and all is well there.")))
}
