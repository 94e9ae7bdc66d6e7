//! The signals that ask the app to end.

/// Waits until the system or a terminal asks the app to end: `SIGTERM`, `SIGINT`, `SIGHUP`.
///
/// # Errors
/// If the system lets none of them be handled.
#[cfg(unix)]
pub(crate) async fn end_requested() -> std::io::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
        _ = hang_up.recv() => "SIGHUP",
    })
}

/// Waits for Ctrl+C in a console. The end of a Windows session reaches the window itself.
///
/// # Errors
/// If the system does not let it be handled.
#[cfg(windows)]
pub(crate) async fn end_requested() -> std::io::Result<&'static str> {
    tokio::signal::ctrl_c().await.map(|()| "Ctrl+C")
}
