//! Responses of 50 MB: a resource and a prompt take no more memory than the result of a tool.

use serde_json::json;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, first_block, granted},
    client::{operation, scripted},
    processes::{peak, restart_peak},
    stdio_peer::{Step, first_results},
};

/// Bytes of the text, which is one line of a response.
const SIZE: u64 = 50_000_000;
/// Limit in MiB of the memory for one response: its line while it grows, the log, the result, and its displayed parts.
const MOST: u64 = 250;

/// Creates a server with small data, up to the request whose response is written by hand.
fn server(method: &str, before: &str, after: &str) -> TransportDraft {
    let capabilities = json!({ "prompts": {}, "resources": {}, "tools": {} });
    let tools = json!([{ "name": "large", "inputSchema": { "type": "object" } }]);
    scripted([
        Step::Serve {
            results: first_results("large", &capabilities, &tools),
            until: Some(method.to_owned()),
        },
        Step::EmitLong {
            before: format!("{{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{before}First.\\n"),
            size: SIZE,
            after: format!("\\nLast.{after}}}\n"),
        },
        Step::AwaitEof,
    ])
}

/// Runs the request, and checks the parts of its response that cross to the window.
async fn is_bounded(method: &str, before: &str, after: &str) {
    let app = App::start().await;
    let server = app.join("Large", server(method, before, after)).await;
    let held = restart_peak().unwrap();
    let input = operation(method, "large");
    let view = app.run(&server, input).await;
    let Some(OperationOutcome::Result { content, .. }) = &view.outcome else {
        panic!("{view:?}");
    };
    // The text is read by row, and never crosses whole.
    let [block] = &content[..] else {
        panic!("{view:?}");
    };
    assert_eq!(
        (block.text.as_deref(), &block.findings[..]),
        (None, &[][..])
    );
    assert!(block.bytes > SIZE, "{}", block.bytes);
    assert!(app.largest_batch() < 64 << 10, "{}", app.largest_batch());
    let source = first_block(view.operation);
    let document = granted(app.open_document(source, DocumentMode::Raw, 80)).await;
    // Lines of 80 characters.
    assert!(document.rows >= SIZE / 80, "{}", document.rows);
    let last = document.rows - 1;
    for (row, says) in [(0, "First."), (last, "Last.")] {
        let rows = app.document_rows(document.document, row, 1);
        let DocumentRow::Text { text, .. } = &rows.await.unwrap()[0] else {
            panic!("it is text");
        };
        assert_eq!(text, says);
    }
    let grown = peak().unwrap() - held;
    println!("{method}: {grown} MiB");
    assert!(grown < MOST, "{method}: {grown} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_of_50_mb_of_a_tool_is_bounded() {
    let before = r#"{"content":[{"type":"text","text":""#;
    is_bounded("tools/call", before, r#""}]}"#).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_of_50_mb_is_bounded_as_a_result_of_a_tool_is() {
    let before = r#"{"contents":[{"uri":"large","mimeType":"text/plain","text":""#;
    is_bounded("resources/read", before, r#""}]}"#).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_of_50_mb_is_bounded_as_a_result_of_a_tool_is() {
    let before = r#"{"messages":[{"role":"user","content":{"type":"text","text":""#;
    is_bounded("prompts/get", before, r#""}}]}"#).await;
}
