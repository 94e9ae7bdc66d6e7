//! What a connect goes by.

use sonde_mcp::{LogLevel, StreamOptions, Timeouts};
use tokio_util::sync::CancellationToken;

use super::attempts::Attempts;
use crate::servers::{Declaration, ServerId, Transport};

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
    /// What is declared of Sonde, as the settings were when the connect began.
    pub(super) declaration: Declaration,
    /// What is tried.
    pub(super) attempts: Attempts,
    /// Ends it at any point.
    pub(super) cancel: CancellationToken,
    /// Says that it ended.
    pub(super) done: CancellationToken,
}
