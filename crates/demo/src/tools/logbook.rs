//! Embedded resources, and a change that subscribers are notified of.

use rmcp::model::{CallToolResult, ContentBlock};

use super::DemoTool;
use super::fields::string;
use crate::call::{Answer, Call, refusal, text};
use crate::resources;

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "read_logbook",
            "Read the logbook",
            "What the keeper has written down. Returns an **embedded resource**.",
            [],
            |call| Box::pin(read_logbook(call)),
        ),
        DemoTool::reading(
            "write_logbook",
            "Write in the logbook",
            "Adds one line to the logbook. *Read the logbook* shows it. Whoever is subscribed to it gets \
             **`notifications/resources/updated`**.",
            [string("entry", "What happened")
                .described("One line, as it will stand in the logbook.")
                .with("minLength", 1.into())
                .with("maxLength", 400.into())
                .required()],
            |call| Box::pin(write_logbook(call)),
        )
        .changing(false, false),
    ]
}

async fn read_logbook(call: &Call) -> Answer {
    let page = ContentBlock::resource(resources::LOGBOOK_PAGE.contents(call.state()));
    Ok(CallToolResult::success(vec![page]))
}

async fn write_logbook(call: &Call) -> Answer {
    let entry: String = call.argument("entry")?;
    if entry.is_empty() || entry.chars().count() > 400 {
        return Err(refusal("An entry has between 1 and 400 characters."));
    }
    let count = call.state().write_down(entry);
    Ok(text(format!(
        "Written down. The logbook has {count} entries now."
    )))
}
