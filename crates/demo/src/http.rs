//! MCP over Streamable HTTP, on the loopback address only.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::server::Lighthouse;
use crate::station::Station;

/// The one path that is served.
const PATH: &str = "/mcp";

/// The largest request body, in bytes; more is answered with 413.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// Announces the address on standard output, then serves until standard input or the station
/// closes.
pub(crate) async fn serve(station: Arc<Station>, port: u16, sessions: bool) -> std::io::Result<()> {
    let closing = station.closing().clone();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    // Origin and Host are checked against DNS rebinding (2025-11-25 basic/transports, Security
    // Warning): rmcp accepts loopback hosts only, and this refuses the pages of all other addresses.
    let own = ["127.0.0.1", "localhost"].map(|host| format!("http://{host}:{}", address.port()));
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(closing.clone())
        .with_legacy_session_mode(sessions)
        .with_max_request_body_bytes(MAX_BODY)
        .with_allowed_origins(own)
        .enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(Lighthouse::new(station.clone())),
        Arc::new(session_manager()),
        config,
    );
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening http://{address}{PATH}")?;
    stdout.flush()?;
    close_with_stdin(closing.clone());

    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                // Small events must leave at once.
                let _ = stream.set_nodelay(true);
                let service = service.clone();
                let closing = closing.clone();
                connections.spawn(async move {
                    let answer = service_fn(move |request| answer(service.clone(), request));
                    let connection = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), answer);
                    let mut connection = std::pin::pin!(connection);
                    tokio::select! {
                        _ = connection.as_mut() => return,
                        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
                    }
                    // An error here is a client that went away.
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

/// Sessions that outlive a quiet working day, and that do not slow a storm down.
fn session_manager() -> LocalSessionManager {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(Duration::from_secs(24 * 60 * 60));
    manager.session_config.channel_capacity = 256;
    manager
}

type Body = http_body_util::combinators::BoxBody<hyper::body::Bytes, Infallible>;

async fn answer(
    service: StreamableHttpService<Lighthouse, LocalSessionManager>,
    request: Request<hyper::body::Incoming>,
) -> Result<Response<Body>, Infallible> {
    if request.uri().path() == PATH {
        return Ok(service.handle(request).await);
    }
    let mut response = Response::new(Full::from("This lighthouse answers at /mcp.\n").boxed());
    *response.status_mut() = StatusCode::NOT_FOUND;
    Ok(response)
}

/// Closes the station when standard input ends, so that no server outlives the app that started
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
