//! Errors for the window, worded once.

use crate::{
    ipc::{ErrorCode, IpcError, OperationNumber},
    log::LogMiss,
};

fn error(code: ErrorCode, message: impl Into<String>) -> IpcError {
    IpcError {
        code,
        message: message.into(),
        detail: None,
    }
}

pub(crate) fn not_found(message: &str) -> IpcError {
    error(ErrorCode::NotFound, message)
}

pub(crate) fn no_server(server: &str) -> IpcError {
    IpcError {
        detail: Some(server.to_owned()),
        ..not_found("This server is no longer in the list.")
    }
}

pub(crate) fn no_operation(operation: OperationNumber) -> IpcError {
    IpcError {
        detail: Some(operation.to_string()),
        ..not_found("This run is no longer in the history.")
    }
}

pub(crate) fn invalid(message: impl Into<String>) -> IpcError {
    error(ErrorCode::InvalidInput, message)
}

pub(crate) fn not_connected() -> IpcError {
    error(
        ErrorCode::NotConnected,
        "This server is not connected. Connect first.",
    )
}

pub(crate) fn already_connected() -> IpcError {
    error(
        ErrorCode::AlreadyConnected,
        "This server is already connected, connecting or closing.",
    )
}

pub(crate) fn storage(message: impl Into<String>, detail: impl ToString) -> IpcError {
    IpcError {
        detail: Some(detail.to_string()),
        ..error(ErrorCode::Storage, message)
    }
}

pub(crate) fn internal(detail: impl ToString) -> IpcError {
    let detail = detail.to_string();
    tracing::error!(detail, "something that should not happen");
    IpcError {
        detail: Some(detail),
        ..error(
            ErrorCode::Internal,
            "Something went wrong inside Sonde. See the app log for details.",
        )
    }
}

pub(crate) fn log_miss(miss: LogMiss) -> IpcError {
    match miss {
        LogMiss::Dropped => error(
            ErrorCode::EntryDropped,
            "This entry was dropped because of the log's size limit.",
        ),
        LogMiss::Unknown => not_found("There is no such entry in the wire log."),
    }
}
