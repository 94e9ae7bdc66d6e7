//! A request to open a page, in the middle of a call.

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest,
};

use super::DemoTool;
use crate::call::{Answer, Call, text};

/// A public page.
const PAGE: &str = "https://modelcontextprotocol.io/";

/// Number of the next elicitation, whose id has to be unique.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "visit_office",
        "Visit the harbour office",
        "**Asks you to open a page** while it runs (elicitation in URL mode). It opens only when you agree.",
        [],
        |call| Box::pin(visit_office(call)),
    )]
}

async fn visit_office(call: &Call) -> Answer {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let question = ElicitRequest::new(ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: "The harbour office wants you to read a page. It is the one about the protocol."
            .to_owned(),
        url: PAGE.to_owned(),
        elicitation_id: format!("gull-rock-{number}"),
    });
    let reply: Option<ElicitResult> = call.ask(InputRequest::Elicitation(question)).await?;
    Ok(text(match reply.map(|reply| reply.action) {
        Some(ElicitationAction::Accept) => "The office noted that you agreed to open the page.",
        Some(ElicitationAction::Decline) => "You would rather not. The office stays closed.",
        Some(_) => "You changed your mind. The office is still there tomorrow.",
        None => "You open no pages, so the office sends you none.",
    }))
}
