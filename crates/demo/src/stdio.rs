//! MCP over standard input and output.

use std::future::Future;
use std::sync::Arc;

use rmcp::service::{RoleServer, RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::{StdioWriter, stdio_pipes};
use tokio::io::DuplexStream;
use tokio_util::sync::CancellationToken;

use crate::handshake_tasks::{self, Translated};
use crate::server::DemoServer;
use crate::state::State;

/// Limit of a line, in bytes. The transport drops longer lines.
const MAX_LINE: usize = 256 * 1024 * 1024;
/// Bytes that are read ahead of the responses.
const AHEAD: usize = 64 * 1024;

/// Serves one client until it closes standard input, or until the state closes.
pub(crate) async fn serve(state: Arc<State>) -> std::io::Result<()> {
    let closing = state.closing().clone();
    let (stdin, write) = stdio_pipes();
    let (to, read) = tokio::io::duplex(AHEAD);
    tokio::spawn(handshake_tasks::pass(stdin, to));
    let transport = AsyncRwTransport::new_server(read, write).with_max_line_length(MAX_LINE);
    let pipe = Pipe {
        inner: Translated::new(transport, state.clone()),
        closing: closing.clone(),
    };
    match rmcp::service::serve_server_with_ct(DemoServer::new(state), pipe, closing).await {
        Ok(running) => running
            .waiting()
            .await
            .map(drop)
            .map_err(std::io::Error::other),
        // A client that left before the handshake did nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(error) => Err(std::io::Error::other(error)),
    }
}

/// The pipe to the client. It stops running calls as soon as the client has closed its end (2025-11-25
/// basic/transports, stdio: closing stdin is how a client asks the server to end). Without this, rmcp would wait some
/// seconds for their responses.
struct Pipe {
    inner: Translated<AsyncRwTransport<RoleServer, DuplexStream, StdioWriter>>,
    closing: CancellationToken,
}

impl Transport<RoleServer> for Pipe {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await;
        if message.is_none() {
            self.closing.cancel();
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
