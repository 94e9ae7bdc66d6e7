//! How a process ended, in words.

use sonde_wire::{Closed, ExitStatus};

use crate::{clock, ipc::CloseView};

/// "with exit code 3", "by the signal SIGKILL".
pub(super) fn words(exit: ExitStatus) -> String {
    match exit {
        ExitStatus::Code(code) => format!("with exit code {code}"),
        ExitStatus::Signal(signal) => format!("by the signal {}", signal_name(signal)),
        ExitStatus::Unknown => "with an unknown exit status".to_owned(),
    }
}

/// How a transport ended, for the window.
pub(super) fn close_view(closed: &Closed) -> CloseView {
    let exit = match closed {
        Closed::Requested { exit } => *exit,
        Closed::ProcessExited { exit } => Some(*exit),
        Closed::Disconnected | Closed::Failed(_) => None,
    };
    CloseView {
        exit_code: match exit {
            Some(ExitStatus::Code(code)) => Some(code),
            _ => None,
        },
        signal: match exit {
            Some(ExitStatus::Signal(signal)) => Some(signal_name(signal)),
            _ => None,
        },
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
