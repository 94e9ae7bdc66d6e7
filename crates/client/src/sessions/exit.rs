//! Ends of processes and transports, in words.

use serde::{Deserialize, Serialize};
use sonde_wire::{Closed, ExitStatus};
use ts_rs::TS;

use crate::clock;

/// End of a process or transport.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TransportEnd {
    /// Exit code, if it returned one.
    pub exit_code: Option<i32>,
    /// Signal name, if one ended it, for example `SIGKILL`.
    pub signal: Option<String>,
    /// Sonde stopped it.
    pub stopped: bool,
    /// The process did not exit when its standard input was closed: Sonde asked it to terminate, or killed it.
    pub terminated: bool,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// "with exit code 3", "by the signal SIGKILL".
pub(super) fn words(exit: ExitStatus) -> String {
    match exit {
        ExitStatus::Code(code) => format!("with exit code {code}"),
        ExitStatus::Signal(signal) => format!("by the signal {}", signal_name(signal)),
        ExitStatus::Unknown => "with an unknown exit status".to_owned(),
    }
}

/// Describes the end of a transport.
pub(super) fn transport_end(closed: &Closed) -> TransportEnd {
    let exit = match closed {
        Closed::Requested { exit } => *exit,
        Closed::ProcessExited { exit } => Some(*exit),
        Closed::Disconnected { .. } | Closed::Failed(_) => None,
    };
    TransportEnd {
        exit_code: match exit {
            Some(ExitStatus::Code(code)) => Some(code),
            _ => None,
        },
        signal: match exit {
            Some(ExitStatus::Signal(signal)) => Some(signal_name(signal)),
            _ => None,
        },
        stopped: matches!(closed, Closed::Requested { .. }),
        terminated: false,
        at: clock::millis(),
    }
}

/// The names of the signals that end processes, where Linux and macOS agree on the number.
pub(super) fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        7 if cfg!(target_os = "linux") => "SIGBUS",
        10 if cfg!(target_os = "macos") => "SIGBUS",
        other => return format!("number {other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_says_whether_it_was_asked_for() {
        let exit = ExitStatus::Code(0);
        let asked = transport_end(&Closed::Requested { exit: Some(exit) });
        assert_eq!((asked.exit_code, asked.stopped), (Some(0), true));
        let own = transport_end(&Closed::ProcessExited { exit });
        assert_eq!((own.exit_code, own.stopped), (Some(0), false));
        let gone = transport_end(&Closed::Disconnected { reason: None });
        assert_eq!((gone.exit_code, gone.stopped), (None, false));
    }
}
