//! MCP over Streamable HTTP, on the loopback address only.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::CONTENT_LENGTH;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::handshake_tasks;
use crate::server::DemoServer;
use crate::sessions::Sessions;
use crate::state::State;

/// The only path that is served.
const PATH: &str = "/mcp";

/// Limit of a request body in bytes; a larger one gets a 413.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// Announces the address on standard output, then serves until standard input or the state
/// closes.
pub(crate) async fn serve(state: Arc<State>, port: u16, sessions: bool) -> std::io::Result<()> {
    let closing = state.closing().clone();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    // Origin and Host are checked against DNS rebinding (2025-11-25 basic/transports, Security Warning): rmcp accepts
    // only loopback hosts, and this check refuses pages of all other addresses.
    let own = ["127.0.0.1", "localhost"].map(|host| format!("http://{host}:{}", address.port()));
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(closing.clone())
        .with_legacy_session_mode(sessions)
        .with_max_request_body_bytes(MAX_BODY)
        .with_allowed_origins(own)
        .enforce_origin_validation();
    let manager = Arc::new(Sessions::new(state.clone()));
    let service =
        StreamableHttpService::new(move || Ok(DemoServer::new(state.clone())), manager, config);
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening http://{address}{PATH}")?;
    stdout.flush()?;
    close_with_stdin(closing.clone());

    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                // Small events must be sent at once.
                let _ = stream.set_nodelay(true);
                let service = service.clone();
                let closing = closing.clone();
                connections.spawn(async move {
                    let answer = service_fn(move |request| answer(service.clone(), request, sessions));
                    let connection = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), answer);
                    let mut connection = std::pin::pin!(connection);
                    tokio::select! {
                        _ = connection.as_mut() => return,
                        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
                    }
                    // An error means that the client is gone.
                    let _ = connection.await;
                });
            }
            Some(_) = connections.join_next() => {}
            () = closing.cancelled() => break,
        }
    }
    drop(listener);
    let drained = async { while connections.join_next().await.is_some() {} };
    // A client that keeps a stream open must not keep the process alive.
    let _ = tokio::time::timeout(crate::GRACE / 2, drained).await;
    Ok(())
}

type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// Responds to a request. With sessions, the client's messages are translated for the SDK.
async fn answer(
    service: StreamableHttpService<DemoServer, Sessions>,
    request: Request<hyper::body::Incoming>,
    sessions: bool,
) -> Result<Response<Body>, Infallible> {
    if request.uri().path() != PATH {
        return Ok(refusal(
            StatusCode::NOT_FOUND,
            "This lighthouse answers at /mcp.\n",
        ));
    }
    if !sessions || request.method() != Method::POST {
        return Ok(service.handle(request).await);
    }
    let (mut head, body) = request.into_parts();
    let body = match Limited::new(body, MAX_BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            return Ok(refusal(
                StatusCode::PAYLOAD_TOO_LARGE,
                "This is too much.\n",
            ));
        }
        Err(_) => {
            return Ok(refusal(
                StatusCode::BAD_REQUEST,
                "This could not be read.\n",
            ));
        }
    };
    let body = match handshake_tasks::rewrite(&body) {
        Some(rewritten) => {
            head.headers.insert(CONTENT_LENGTH, rewritten.len().into());
            Bytes::from(rewritten)
        }
        None => body,
    };
    let request = Request::from_parts(head, Full::new(body));
    Ok(service.handle(request).await)
}

fn refusal(status: StatusCode, words: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::from(words).boxed());
    *response.status_mut() = status;
    response
}

/// Closes the state when standard input ends, so that no server outlives the app that started
/// it. A plain thread, because a pending read must not hold up the end of the process.
fn close_with_stdin(closing: CancellationToken) {
    std::thread::spawn(move || {
        let mut bin = [0_u8; 256];
        let mut stdin = std::io::stdin().lock();
        loop {
            match stdin.read(&mut bin) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        closing.cancel();
    });
}
