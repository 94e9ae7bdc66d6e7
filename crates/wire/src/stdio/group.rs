//! A child process together with all processes that it starts.
//!
//! On Unix that is a process group, on Windows a job object, so that wrappers such as `npx` and
//! `uvx` do not leave their real server behind.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::path::Path;

use tokio::process::Command;

#[cfg(unix)]
pub(super) use unix::Group;
#[cfg(windows)]
pub(super) use windows::Group;

/// Creates the command of a child process; no other code does.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the home of child processes: everyone else goes through wire::stdio"
)]
pub(super) fn command(program: &Path) -> Command {
    Command::new(program)
}
