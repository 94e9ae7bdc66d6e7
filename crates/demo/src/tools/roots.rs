//! A question for the client's folders, in the middle of a call.
// Roots are deprecated from 2026-07-28 on, but still work.
#![expect(deprecated)]

use rmcp::model::{InputRequest, ListRootsRequest, ListRootsResult};

use super::DemoTool;
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "list_folders",
        "List your folders",
        "**Asks which folders** it may work in while it runs (roots). It only reads their names back.",
        [],
        |call| Box::pin(list_folders(call)),
    )]
}

async fn list_folders(call: &Call) -> Answer {
    let request = InputRequest::ListRoots(ListRootsRequest::default());
    let reply: Option<ListRootsResult> = call.ask(request).await?;
    let Some(reply) = reply else {
        return Ok(text("You name no folders here."));
    };
    if reply.roots.is_empty() {
        return Ok(text("You named no folder."));
    }
    let lines = reply.roots.iter().map(|root| match &root.name {
        Some(name) => format!("- {name}: `{}`", root.uri),
        None => format!("- `{}`", root.uri),
    });
    Ok(text(lines.collect::<Vec<_>>().join("\n")))
}
