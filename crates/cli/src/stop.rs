//! Reasons to stop from outside: Ctrl+C and the time limit.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::exit::{Exit, Failed, Result};

/// Ends work that takes too long, or that the user interrupts.
#[derive(Clone)]
pub(crate) struct Stop {
    interrupted: CancellationToken,
    deadline: Option<(Instant, Duration)>,
}

impl Stop {
    /// Listens for Ctrl+C from now on. A second Ctrl+C ends the program at once; its watchdog then ends the servers.
    pub(crate) fn listen() -> Self {
        let interrupted = CancellationToken::new();
        let token = interrupted.clone();
        tokio::spawn(async move {
            while interruption().await.is_ok() {
                if token.is_cancelled() {
                    std::process::exit(i32::from(Exit::Interrupted.code()));
                }
                token.cancel();
            }
        });
        Self {
            interrupted,
            deadline: None,
        }
    }

    /// Adds a time limit from now on, unless there is one already.
    pub(crate) fn within(&self, limit: Option<Duration>) -> Self {
        let begin = || limit.map(|limit| (Instant::now() + limit, limit));
        Self {
            interrupted: self.interrupted.clone(),
            deadline: self.deadline.or_else(begin),
        }
    }

    /// Cancelled by Ctrl+C.
    pub(crate) fn interrupted(&self) -> &CancellationToken {
        &self.interrupted
    }

    /// Waits for `work`, unless it is stopped.
    pub(crate) async fn guard<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        let deadline = async {
            match self.deadline {
                Some((at, limit)) => {
                    tokio::time::sleep_until(at).await;
                    limit
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.interrupted.cancelled() => Err(Failed::new(Exit::Interrupted, "Interrupted.")),
            done = work => Ok(done),
            limit = deadline => Err(Failed::new(
                Exit::TimedOut,
                format!("The time limit of {} passed.", crate::units::show_duration(limit)),
            )),
        }
    }
}

#[cfg(unix)]
async fn interruption() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn interruption() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_begins_once() {
        let stop = Stop {
            interrupted: CancellationToken::new(),
            deadline: None,
        };
        let first = stop.within(Some(Duration::from_secs(60)));
        let second = first.within(Some(Duration::from_secs(90)));
        assert!(first.deadline.is_some());
        assert_eq!(second.deadline, first.deadline);
    }
}
