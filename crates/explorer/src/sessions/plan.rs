//! What a connect goes by.

use sonde_mcp::{ClientCapabilities, Implementation, LogLevel, StreamOptions, Timeouts};
use tokio_util::sync::CancellationToken;

use super::attempts::Attempts;
use crate::servers::{ServerId, Transport};

/// What a connect needs to know.
pub(super) struct ConnectPlan {
    pub(super) server: ServerId,
    pub(super) generation: u32,
    pub(super) transport: Transport,
    pub(super) timeouts: Timeouts,
    /// How broken streams are picked up again.
    pub(super) streams: StreamOptions,
    /// The log level that was chosen for the server.
    pub(super) log_level: Option<LogLevel>,
    /// Who Sonde says that it is.
    pub(super) client: Implementation,
    /// What it declares that it can do.
    pub(super) capabilities: ClientCapabilities,
    /// A rule answers when it asks for them.
    pub(super) hand_on_roots: bool,
    /// What is tried.
    pub(super) attempts: Attempts,
    /// Ends it at any point.
    pub(super) cancel: CancellationToken,
    /// Says that it ended.
    pub(super) done: CancellationToken,
}
