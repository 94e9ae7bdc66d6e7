//! Real servers of the stateless era, found out by asking.

use sonde_mcp::{
    CloseReason, Era, EraChoice, OperationId, OperationOptions, OperationRequest, Outcome,
};
use sonde_tests::{http_server::python_program, stdio_peer::binary};
use sonde_wire::stdio::StdioSpec;

use crate::{Session, http_servers::Server, peers::peer};

/// Finds out the era, calls a tool, sends another request, pings, hangs up.
async fn explore(mut session: Session, era: Era, tool: &str, arguments: &str) -> String {
    let (negotiated, listing) = session.ready_with_tools().await;
    assert_eq!(negotiated.era, era, "{negotiated:?}");
    assert!(listing.items.iter().any(|listed| listed.name == tool));
    session.call(1, tool, arguments).await;
    let text = session.result(1).await;
    let list = OperationRequest::other("tools/list", Some("{}".to_owned()));
    let asked = session
        .handle
        .start_operation(OperationId(2), list, OperationOptions::default());
    asked.await.expect("the session runs");
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

const TOOL: &str = "climb_tower";
const ARGUMENTS: &str = r#"{"landings": 2, "pause_ms": 1}"#;

#[tokio::test]
async fn the_demo_server_over_a_pipe() {
    for era in [EraChoice::Automatic, EraChoice::Stateless] {
        let spec = StdioSpec::new(binary("sonde-demo"));
        let session = Session::over_stdio_as(spec, era).await;
        explore(session, Era::Stateless, TOOL, ARGUMENTS).await;
    }
}

#[tokio::test]
async fn the_demo_server_over_http() {
    for options in [&[][..], &["--stateless"]] {
        let server = Server::start(options).await;
        let session = Session::over_http_as(&server.url, EraChoice::Automatic);
        explore(session, Era::Stateless, TOOL, ARGUMENTS).await;
        server.stop().await;
    }
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_python_server() {
    let spec = peer(
        &python_program("mcp-server-time"),
        &["--local-timezone", "UTC"],
    );
    let session = Session::over_stdio_as(spec, EraChoice::Automatic).await;
    let arguments = r#"{"source_timezone":"UTC","time":"16:30","target_timezone":"Asia/Tokyo"}"#;
    let text = explore(session, Era::Stateless, "convert_time", arguments).await;
    assert!(text.contains("Asia/Tokyo"), "{text}");
}

/// A server of the handshake era alone is still found.
#[tokio::test]
#[ignore = "needs the installed peers"]
async fn the_reference_server() {
    let spec = peer("peers/node_modules/.bin/mcp-server-everything", &["stdio"]);
    let session = Session::over_stdio_as(spec, EraChoice::Automatic).await;
    explore(session, Era::Handshake, "echo", r#"{"message":"x"}"#).await;
}
