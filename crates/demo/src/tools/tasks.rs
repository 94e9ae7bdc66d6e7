//! Tasks: work that continues after the response to its call.

use std::time::Duration;

use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, ElicitationSchema, EnumSchema,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};

use super::DemoTool;
use super::elicitation::form_request;
use super::fields::{boolean, integer};
use crate::call::{Answer, Call, Stop, text};

/// Lifetime of a task, in milliseconds.
const LIFETIME: u64 = 10 * 60 * 1000;
/// Suggested polling interval, in milliseconds.
const POLL_INTERVAL: u64 = 1_000;
const SURVEYED: &str = "The reef has three teeth; the middle one dries at low water.";
/// Name of the only question of a task.
const CARGO: &str = "cargo";

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "salvage_wreck",
            "Salvage the wreck",
            "Takes a while, so you get a **task** first and the answer later: you see how it goes, and may be asked \
             in between. Clients that know no tasks wait for the answer.",
            [
                integer("seconds", "How long, in seconds", 1..=300, 10),
                boolean("ask", "Ask me in between", true),
            ],
            |call| Box::pin(salvage_wreck(call)),
        ),
        DemoTool::reading(
            "survey_reef",
            "Survey the reef",
            "Divers look at the reef. With MCP 2025-11-25 it **has to be run as a task**; other versions leave that to the \
             server or know no tasks.",
            [integer("seconds", "How long, in seconds", 1..=300, 3)],
            |call| Box::pin(survey_reef(call)),
        ),
    ]
}

async fn salvage_wreck(call: &Call) -> Answer {
    let seconds = call.argument("seconds")?;
    if call.accepts_tasks() {
        let asks = call.argument("ask")? && call.shows_forms();
        return Err(start(call, "The tug is on its way", move |task| {
            salvage(task, seconds, asks)
        }));
    }
    wait(call, seconds).await?;
    Ok(text(salvaged(None)))
}

async fn survey_reef(call: &Call) -> Answer {
    let seconds = call.argument("seconds")?;
    if call.accepts_tasks() {
        return Err(start(call, "The divers are on their way", move |task| {
            survey(task, seconds)
        }));
    }
    wait(call, seconds).await?;
    Ok(text(SURVEYED))
}

/// Starts a task, which is the response to the call.
fn start<F>(call: &Call, status: &str, work: impl FnOnce(TaskContext) -> F) -> Stop
where
    F: Future<Output = Result<CallToolResult, TaskExit>> + Send + 'static,
{
    let options = TaskOptions::new()
        .with_ttl_ms(LIFETIME)
        .with_poll_interval_ms(POLL_INTERVAL)
        .with_status_message(status);
    let tasks = call.state().tasks();
    let task = tasks.spawn(options, |task| Box::pin(work(task)));
    Stop::Response(Box::new(CallToolResponse::Task(CreateTaskResult::new(
        task,
    ))))
}

/// Waits while the call lasts.
async fn wait(call: &Call, seconds: u32) -> Result<(), Stop> {
    for second in 0..seconds {
        call.progress(second, Some(seconds), None).await;
        call.pause(Duration::from_secs(1)).await?;
    }
    Ok(())
}

async fn survey(task: TaskContext, seconds: u32) -> Result<CallToolResult, TaskExit> {
    for second in 0..seconds {
        task.set_status_message(format!("Diving, {} s to go", seconds - second));
        work_for_a_second(&task).await?;
    }
    Ok(text(SURVEYED))
}

async fn salvage(task: TaskContext, seconds: u32, asks: bool) -> Result<CallToolResult, TaskExit> {
    let mut cargo = None;
    for second in 0..seconds {
        if asks && second == seconds / 2 {
            task.set_status_message("The hold is open, and the crew has a question");
            let message = "The hold is full of brass bells. What shall become of them?";
            let question = form_request(message, cargo_form());
            let reply = task.request_input(CARGO, question).await?;
            cargo = reply["content"][CARGO].as_str().map(str::to_owned);
        }
        task.set_status_message(format!("Pulling, {} s to go", seconds - second));
        work_for_a_second(&task).await?;
    }
    Ok(text(salvaged(cargo.as_deref())))
}

async fn work_for_a_second(task: &TaskContext) -> Result<(), TaskExit> {
    tokio::select! {
        () = task.cancelled() => Err(TaskExit::Cancelled),
        () = tokio::time::sleep(Duration::from_secs(1)) => Ok(()),
    }
}

fn cargo_form() -> ElicitationSchema {
    let choices = ["Keep it", "Give it to the museum"].map(str::to_owned);
    let choice = EnumSchema::builder(choices.to_vec()).title("The cargo");
    ElicitationSchema::builder()
        .required_enum_schema(CARGO, choice.build())
        .build_unchecked()
}

fn salvaged(cargo: Option<&str>) -> String {
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
    fn the_result_says_what_happens_to_the_cargo() {
        assert!(salvaged(Some("Keep it")).ends_with("yours."));
        assert!(salvaged(Some("Give it to the museum")).ends_with("museum."));
        assert!(salvaged(None).ends_with("harbour."));
    }
}
