//! Servers and configurations built after reports about other clients: a fault of a server is named, and configurations
//! that other clients read work here too.

use std::{fs, path::PathBuf};

use sonde_findings::Severity;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, one_text},
    client::{http, operation, stdio},
    http_server::HttpServer,
};

fn case(file: &str) -> PathBuf {
    let cases = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases");
    cases.join(file)
}

/// Creates the transport to the program of a case, which needs only Node.
fn program(name: &str) -> TransportDraft {
    let path = case(&format!("{name}.mjs"));
    stdio("node", &[&path.display().to_string()])
}

/// Starts the program of a case that listens at an address, with a further argument.
async fn served_as(name: &str, path: &'static str, kind: &str) -> HttpServer {
    let program = case(&format!("{name}.mjs")).display().to_string();
    let server = HttpServer::program("node", &[&program, "{port}", kind], path).await;
    server.unwrap()
}

async fn served(name: &str, path: &'static str) -> HttpServer {
    served_as(name, path, "").await
}

/// Adds a server as a user does who changes no setting.
async fn add(app: &App, mut transport: TransportDraft) -> ServerId {
    if let Transport::Http { kind, .. } = &mut transport {
        *kind = HttpKind::Automatic;
    }
    app.add_as(ProtocolMode::Automatic, "Reported", transport)
        .await
}

async fn failure(app: &App, server: &ServerId) -> Failure {
    let session = app.fails(server).await;
    let failure = session.failure.unwrap();
    println!("{failure:#?}");
    failure
}

async fn run(app: &App, server: &ServerId, tool: &str) -> OperationView {
    app.run_tool(server, tool, "{}").await
}

/// Returns the rules of some severity that the server broke, with the number of cases.
async fn broken(app: &App, server: &ServerId, severity: Severity) -> Vec<(String, u64)> {
    let filter = IssueFilter::default();
    let issues = app.issues(server.clone(), filter).await.unwrap();
    let rules = issues.rules.into_iter();
    rules
        .filter(|one| one.severity == severity)
        .map(|one| (one.rule, one.count))
        .collect()
}

/// Connects to the server of a case, and waits until it is ready.
async fn ready(name: &str) -> (App, ServerId) {
    let app = App::start().await;
    let server = add(&app, program(name)).await;
    app.ready(&server).await;
    (app, server)
}

#[tokio::test]
async fn a_response_that_is_not_json_ends_its_run_with_the_reason() {
    let (app, server) = ready("nan-in-one-result").await;
    match run(&app, &server, "ratio").await.outcome {
        Some(OperationOutcome::BadShape { problem }) => {
            assert!(problem.contains("NaN"), "{problem}")
        }
        other => panic!("{other:?}"),
    }
    let fine = run(&app, &server, "fine").await;
    assert_eq!(one_text(&fine), "fine");
}

#[tokio::test]
async fn structured_content_alone_is_shown_and_one_fault_counts_once() {
    let (app, server) = ready("only-structured-content").await;
    for tool in ["accounts", "bare"] {
        match run(&app, &server, tool).await.outcome {
            Some(OperationOutcome::Result { structured, .. }) => {
                assert_eq!(structured.unwrap().json.as_deref(), Some(r#"{"total":36}"#));
            }
            other => panic!("{other:?}"),
        }
    }
    let errors = broken(&app, &server, Severity::Error).await;
    assert_eq!(errors, [("bad-content".to_owned(), 1)]);
}

#[tokio::test]
async fn pictures_are_read_whatever_the_case_of_their_type() {
    let (app, server) = ready("pictures-as-servers-send-them").await;
    let outcome = run(&app, &server, "pictures").await.outcome;
    let Some(OperationOutcome::Result { content, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    let rules = |block: &ContentBlock| -> Vec<String> {
        let findings = block.findings.iter();
        findings.map(|one| one.rule.clone()).collect()
    };
    let found: Vec<_> = content.iter().map(rules).collect();
    let base64 = || vec!["bad-base64".to_owned()];
    assert_eq!(found, [vec![], base64(), base64(), vec![], vec![]]);
    assert!(content[1].findings[0].message.contains("`data:` URI"));
}

#[tokio::test]
async fn a_result_in_an_envelope_lacks_its_content() {
    let (app, server) = ready("result-in-an-envelope").await;
    let run = run(&app, &server, "list").await;
    let answer = DocumentSource::Answer {
        operation: run.operation,
    };
    let raw = app.document(answer).await;
    assert!(raw.contains("two workers"), "{raw}");
    let errors = broken(&app, &server, Severity::Error).await;
    assert_eq!(errors, [("bad-content".to_owned(), 1)]);
}

#[tokio::test]
async fn choices_without_a_type_can_be_chosen() {
    let (app, server) = ready("choices-without-a-type").await;
    let call = app.call(&server, "ask", "{}").await;
    let asked = app.asked(call).await;
    let answer = AnswerInput::Accept {
        content: r#"{"priority":"high"}"#.to_owned(),
    };
    app.answer(&asked, answer).await;
    let finished = app.finished(call).await;
    let answer = r#"got {"action":"accept","content":{"priority":"high"}}"#;
    assert_eq!(one_text(&finished), answer);
}

#[tokio::test]
async fn a_refused_prompt_is_not_called_an_unknown_tool() {
    let (app, server) = ready("prompt-without-arguments").await;
    let input = operation("prompts/get", "help");
    match app.run(&server, input).await.outcome {
        Some(OperationOutcome::ProtocolError {
            message, meaning, ..
        }) => {
            assert!(message.ends_with("expected object, received undefined"));
            assert!(
                meaning.contains("prompt") && !meaning.contains("tool"),
                "{meaning}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_web_page_in_place_of_the_stream_is_one_remark() {
    let app = App::start().await;
    for kind in ["html", "json"] {
        let peer = served_as("get-gives-a-web-page", "/mcp", kind).await;
        let server = add(&app, http(peer.url())).await;
        app.ready(&server).await;
        let gets = run(&app, &server, "gets").await;
        assert_eq!(one_text(&gets), "GETs 1", "{kind}");
        let errors = broken(&app, &server, Severity::Error).await;
        assert_eq!(errors, [("bad-listener-response".to_owned(), 1)], "{kind}");
    }
}

#[tokio::test]
async fn heartbeats_do_not_disturb_a_result() {
    let app = App::start().await;
    let peer = served("heartbeats-in-the-stream", "/mcp").await;
    let server = add(&app, http(peer.url())).await;
    app.ready(&server).await;
    assert_eq!(one_text(&run(&app, &server, "slow").await), "made it");
    let rules: Vec<_> = broken(&app, &server, Severity::Error).await;
    let rules: Vec<_> = rules.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(rules, ["invalid-message"]);
}

#[tokio::test]
async fn refusals_of_the_address_name_what_helps() {
    let app = App::start().await;
    let peer = served("moved-permanently", "/mcp").await;
    let server = add(&app, http(peer.url())).await;
    let moved = failure(&app, &server).await;
    assert_eq!(moved.code, "redirected");
    assert!(moved.title.contains("301") && moved.cause.contains(&format!("{}/", peer.url())));

    let peer = served("newer-version-is-refused", "/mcp").await;
    let server = add(&app, http(peer.url())).await;
    let refused = failure(&app, &server).await;
    assert_eq!(refused.code, "unknown_revision");
    assert!(refused.title.contains("2025-06-18") && !format!("{refused:?}").contains("SSE"));

    let peer = served("prefix-lost-behind-a-proxy", "/mcp/sse").await;
    let server = add(&app, http(peer.url())).await;
    let lost = failure(&app, &server).await;
    let words = format!("{lost:?}");
    assert!(
        words.contains("/messages/") && words.contains("/mcp/messages/"),
        "{words}"
    );
    assert!(!words.contains("automatic"), "{words}");
}

#[tokio::test]
async fn what_other_clients_fill_in_is_asked_for() {
    let app = App::start().await;
    let text = fs::read_to_string(case("placeholders-of-claude-code.json")).unwrap();
    let preview = app.preview_import(text).await.unwrap();
    let [jira, remote] = &preview.candidates[..] else {
        panic!("{preview:#?}");
    };
    assert_eq!(
        jira.remarks,
        [
            "Filled in with their defaults: `${PORT:-8080}`.",
            "Before the first connect Sonde asks for `${env:PWD}`, `${env:JIRA_URL}`.",
        ]
    );
    match &remote.config.transport {
        Transport::Http { url, .. } => assert_eq!(url, "https://api.example.com/mcp"),
        other => panic!("{other:?}"),
    }
}
