//! Servers with tools, and what they ask for meanwhile.

use std::path::PathBuf;

use sonde_mcp::{
    CloseReason, Era, EraChoice, Event, OperationEvent, OperationId, OperationRequest, Outcome,
    Reply, TaskParams, TaskStatus, TaskSupport,
};
use sonde_tests::http_server::python_program;
use sonde_wire::stdio::StdioSpec;

use crate::Session;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn peer(path: &str, arguments: &[&str]) -> StdioSpec {
    let program = root().join(path);
    assert!(program.exists(), "{} is not installed", program.display());
    let mut spec = StdioSpec::new(program.to_string_lossy());
    spec.args = arguments.iter().map(|text| (*text).to_owned()).collect();
    spec
}

/// Finds out the era, calls a tool, sends another request and one for a tool that does not exist, pings, hangs up.
async fn explore(
    spec: StdioSpec,
    choice: EraChoice,
    era: Era,
    tool: &str,
    arguments: &str,
) -> String {
    let mut session = Session::open(spec, choice).await;
    let (negotiated, listing) = session.ready_with_tools().await;
    assert_eq!(negotiated.era, era, "{negotiated:?}");
    for tool in listing.items.iter() {
        assert_eq!(tool.findings, [], "{}", tool.name);
    }
    session.call(1, tool, arguments).await;
    let text = session.result(1).await;
    let list = OperationRequest::other("tools/list", Some("{}".to_owned()));
    session.start(2, list).await;
    let Outcome::Result { raw, .. } = session.story(2).await.1 else {
        panic!("the list is no result");
    };
    assert!(raw.get().contains(tool));
    session.call_nothing(3).await;
    session.handle.ping().await.expect("the session runs");
    session.pong().await;
    session.handle.close();
    assert!(matches!(session.closed().await, CloseReason::Requested));
    text
}

fn everything() -> StdioSpec {
    peer("peers/node_modules/.bin/mcp-server-everything", &["stdio"])
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn the_reference_server() {
    // It is found as well where stateless servers are asked for first.
    for choice in [EraChoice::Handshake, EraChoice::Automatic] {
        let arguments = r#"{"message":"9007199254740993 é"}"#;
        let text = explore(everything(), choice, Era::Handshake, "echo", arguments).await;
        assert!(text.contains("9007199254740993 é"), "{text}");
    }

    let mut session = Session::open(everything(), EraChoice::Handshake).await;
    session.ready_with_tools().await;
    let long = "trigger-long-running-operation";
    session.call(1, long, r#"{"duration":1,"steps":4}"#).await;
    session
        .call(2, long, r#"{"duration":600,"steps":600}"#)
        .await;
    let (story, outcome) = session.story(1).await;
    let progress = story
        .iter()
        .filter(|event| matches!(event, OperationEvent::Progress(_)));
    assert_eq!(progress.count(), 4, "{story:?}");
    assert!(matches!(
        outcome,
        Outcome::Result {
            is_error: false,
            ..
        }
    ));
    let cancelled = session.handle.cancel(OperationId(2), None);
    cancelled.await.expect("the session runs");
    let outcome = session.story(2).await.1;
    assert!(matches!(outcome, Outcome::Cancelled), "{outcome:?}");
    session.handle.ping().await.expect("the session runs");
    session.pong().await;
}

/// Uses the tool that must run as a task: it works, asks, works again and ends.
#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_task_of_the_reference_server() {
    let mut session = Session::open(everything(), EraChoice::Handshake).await;
    let (negotiated, listing) = session.ready_with_tools().await;
    assert!(negotiated.tool_tasks);
    let name = "simulate-research-query";
    let tool = listing.items.iter().find(|tool| tool.name == name);
    let support = tool.and_then(|tool| tool.tool()).map(|it| it.task_support);
    assert_eq!(support, Some(TaskSupport::Required));
    let arguments = r#"{"topic":"python","ambiguous":true}"#;
    let request = OperationRequest {
        task: Some(TaskParams::default()),
        ..OperationRequest::tool(name, Some(arguments.to_owned()))
    };
    session.start(1, request).await;
    let mut seen = Vec::new();
    let outcome = loop {
        match session.event().await {
            Event::Operation(_, OperationEvent::Task { task, .. })
                if seen.last() != Some(&task.status) =>
            {
                seen.push(task.status);
            }
            Event::ServerRequest(asked) => {
                assert_eq!(asked.operation, Some(OperationId(1)));
                let answer = r#"{"action":"accept","content":{"interpretation":"snake"}}"#;
                let reply = Reply::Result(answer.to_owned());
                let sent = session.handle.answer(asked.id, reply).await;
                sent.expect("the session runs");
            }
            Event::Operation(_, OperationEvent::Finished(outcome)) => break outcome,
            _ => {}
        }
    };
    let Outcome::Result { raw, is_error, .. } = outcome else {
        panic!("unexpected end {outcome:?}");
    };
    assert!(raw.get().contains("snake") && !is_error, "{}", raw.get());
    assert_eq!(seen[..2], [TaskStatus::Working, TaskStatus::InputRequired]);
    session.handle.close();
}

/// Uses the tools that request a form and a model as tasks, poll them, and fetch the result.
#[tokio::test]
#[ignore = "needs the installed peers"]
async fn requests_as_tasks_of_the_reference_server() {
    let mut session = Session::open(everything(), EraChoice::Handshake).await;
    session.ready_with_tools().await;
    for (id, tool, arguments, answer, said) in [
        (
            1,
            "trigger-elicitation-request-async",
            "{}",
            r#"{"action":"accept","content":{"name":"Grace"}}"#,
            "- Name: Grace",
        ),
        (
            2,
            "trigger-sampling-request-async",
            r#"{"prompt":"How high is the tide?"}"#,
            r#"{"role":"assistant","content":{"type":"text","text":"Three metres."},"model":"m"}"#,
            "Three metres.",
        ),
    ] {
        session.call(id, tool, arguments).await;
        let asked = loop {
            if let Event::ServerRequest(asked) = session.event().await {
                break asked;
            }
        };
        assert!(asked.as_task && asked.findings.is_empty(), "{asked:?}");
        assert_eq!(asked.operation, Some(OperationId(id)));
        let reply = Reply::Result(answer.to_owned());
        let sent = session.handle.answer(asked.id, reply).await;
        sent.expect("the session runs");
        let text = session.result(id).await;
        assert!(
            text.contains("[COMPLETED]") && text.contains(said),
            "{text}"
        );
        assert!(text.contains("related-task"), "{text}");
    }
    session.handle.close();
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn the_file_server() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("note.txt"), "gull rock").expect("a file can be written");
    let path = folder.path().to_string_lossy();
    let spec = peer("peers/node_modules/.bin/mcp-server-filesystem", &[&path]);
    let arguments = serde_json::json!({ "path": folder.path().join("note.txt") }).to_string();
    let text = explore(
        spec,
        EraChoice::Handshake,
        Era::Handshake,
        "read_text_file",
        &arguments,
    )
    .await;
    assert!(text.contains("gull rock"), "{text}");
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_python_server() {
    let arguments = r#"{"source_timezone":"UTC","time":"16:30","target_timezone":"Asia/Tokyo"}"#;
    for (choice, era) in [
        (EraChoice::Handshake, Era::Handshake),
        (EraChoice::Automatic, Era::Stateless),
    ] {
        let program = python_program("mcp-server-time");
        let spec = peer(&program, &["--local-timezone", "UTC"]);
        let text = explore(spec, choice, era, "convert_time", arguments).await;
        assert!(text.contains("Asia/Tokyo"), "{text}");
    }
}
