//! Work that goes on after the response to its call.

use std::time::Duration;

use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, ElicitRequest, ElicitRequestParams,
    ElicitationSchema, EnumSchema, InputRequest, Tool,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};
use serde::Deserialize;
use serde_json::json;

use super::{fields, looks, tool};
use crate::call::{Call, Refusal, failure, text};

/// Lifetime of a task, in milliseconds.
const KEPT: u64 = 10 * 60 * 1000;
/// Suggested polling interval of clients, in milliseconds.
const INTERVAL: u64 = 1_000;
/// Result of the divers.
const SURVEYED: &str = "The reef has three teeth; the middle one dries at low water.";
/// Name of the only question of a task.
const CARGO: &str = "cargo";

pub(super) fn definitions() -> Vec<Tool> {
    let survey = tool(
        "survey_reef",
        "Survey the reef",
        "Divers look at the reef. With MCP 2025-11-25 it **has to be run as a task**; other versions leave that to the \
         server or know no tasks.",
        fields(json!({
            "seconds": {
                "type": "integer",
                "title": "How long, in seconds",
                "minimum": 1,
                "maximum": 300,
                "default": 3
            }
        })),
        looks(),
    );
    let salvage = tool(
        "salvage_wreck",
        "Salvage the wreck",
        "Takes a while, so you get a **task** first and the answer later: you see how it goes, and may be asked \
         in between. Clients that know no tasks wait for the answer.",
        fields(json!({
            "seconds": {
                "type": "integer",
                "title": "How long, in seconds",
                "minimum": 1,
                "maximum": 300,
                "default": 10
            },
            "ask": { "type": "boolean", "title": "Ask me in between", "default": true }
        })),
        looks(),
    );
    vec![salvage, survey]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Salvage {
    seconds: u32,
    ask: bool,
}

impl Default for Salvage {
    fn default() -> Self {
        Self {
            seconds: 10,
            ask: true,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Survey {
    seconds: u32,
}

impl Default for Survey {
    fn default() -> Self {
        Self { seconds: 3 }
    }
}

pub(super) async fn salvage(call: &Call) -> CallToolResponse {
    match call.arguments() {
        Ok(Salvage { seconds, ask }) => work(call, Work::Salvage { ask }, seconds).await,
        Err(Refusal(sentence)) => failure(sentence).into(),
    }
}

pub(super) async fn survey(call: &Call) -> CallToolResponse {
    match call.arguments() {
        Ok(Survey { seconds }) => work(call, Work::Survey, seconds).await,
        Err(Refusal(sentence)) => failure(sentence).into(),
    }
}

/// Kinds of work that take a while.
#[derive(Clone, Copy)]
enum Work {
    Salvage { ask: bool },
    Survey,
}

/// Runs as a task if the client accepts tasks, otherwise while the call lasts.
async fn work(call: &Call, work: Work, seconds: u32) -> CallToolResponse {
    if !(1..=300).contains(&seconds) {
        return failure("That takes between 1 and 300 seconds.").into();
    }
    if call.takes_tasks() {
        let begin = match work {
            Work::Salvage { .. } => "The tug is on its way",
            Work::Survey => "The divers are on their way",
        };
        let options = TaskOptions::new()
            .with_ttl_ms(KEPT)
            .with_poll_interval_ms(INTERVAL)
            .with_status_message(begin);
        let asks = matches!(work, Work::Salvage { ask: true }) && call.shows_forms();
        let task = call.station().tasks().spawn(options, move |task| {
            Box::pin(async move {
                match work {
                    Work::Salvage { .. } => pull(task, seconds, asks).await,
                    Work::Survey => dive(task, seconds).await,
                }
            })
        });
        return CallToolResponse::Task(CreateTaskResult::new(task));
    }
    for second in 0..seconds {
        call.progress(f64::from(second), Some(f64::from(seconds)), None)
            .await;
        if call.pause(Duration::from_secs(1)).await.is_err() {
            return failure("The boat came back early.").into();
        }
    }
    match work {
        Work::Salvage { .. } => text(done(None)).into(),
        Work::Survey => text(SURVEYED).into(),
    }
}

/// Work of the divers.
async fn dive(task: TaskContext, seconds: u32) -> Result<CallToolResult, TaskExit> {
    for second in 0..seconds {
        task.set_status_message(format!("Diving, {} s to go", seconds - second));
        second_of(&task).await?;
    }
    Ok(text(SURVEYED))
}

/// One second of work.
async fn second_of(task: &TaskContext) -> Result<(), TaskExit> {
    tokio::select! {
        () = task.cancelled() => Err(TaskExit::Cancelled),
        () = tokio::time::sleep(Duration::from_secs(1)) => Ok(()),
    }
}

/// Work of the tug, for a task or a call.
async fn pull(task: TaskContext, seconds: u32, asks: bool) -> Result<CallToolResult, TaskExit> {
    let mut cargo = None;
    for second in 0..seconds {
        if asks && second == seconds / 2 {
            task.set_status_message("The hold is open, and the crew has a question");
            let answer = task.request_input(CARGO, question()).await?;
            cargo = answer["content"]["cargo"].as_str().map(str::to_owned);
        }
        task.set_status_message(format!("Pulling, {} s to go", seconds - second));
        second_of(&task).await?;
    }
    Ok(text(done(cargo.as_deref())))
}

fn question() -> InputRequest {
    let choices = ["Keep it", "Give it to the museum"]
        .map(str::to_owned)
        .to_vec();
    let form = ElicitationSchema::builder()
        .required_enum_schema(
            CARGO,
            EnumSchema::builder(choices).title("The cargo").build(),
        )
        .build_unchecked();
    InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "The hold is full of brass bells. What shall become of them?".to_owned(),
            requested_schema: form,
        },
    ))
}

fn done(cargo: Option<&str>) -> String {
    let bells = match cargo {
        Some("Keep it") => " The bells are yours.",
        Some(_) => " The bells go to the museum.",
        None => "",
    };
    format!("The wreck lies in the harbour.{bells}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_says_what_became_of_the_cargo() {
        assert!(done(Some("Keep it")).ends_with("yours."));
        assert!(done(Some("Give it to the museum")).ends_with("museum."));
        assert!(done(None).ends_with("harbour."));
        let Ok(asked) = serde_json::to_value(question()) else {
            panic!("it is JSON");
        };
        assert_eq!(asked["method"], "elicitation/create");
        assert!(asked["params"]["requestedSchema"].is_object());
    }
}
