//! Input of a connect.

use sonde_mcp::{LogLevel, StreamOptions, Timeouts};
use tokio_util::sync::CancellationToken;

use super::attempts::Attempts;
use crate::config::{Declaration, Transport};

/// Everything a connect needs to know.
pub(super) struct ConnectPlan {
    pub(super) generation: u32,
    pub(super) transport: Transport,
    pub(super) timeouts: Timeouts,
    /// Options for resuming broken streams.
    pub(super) streams: StreamOptions,
    /// The log level that was chosen for the server.
    pub(super) log_level: Option<LogLevel>,
    /// Client name, version and capabilities to declare, by the settings at the start of the connect.
    pub(super) declaration: Declaration,
    /// The attempts to make.
    pub(super) attempts: Attempts,
    /// Ends it at any point.
    pub(super) cancel: CancellationToken,
    /// Says that it ended.
    pub(super) done: CancellationToken,
}
