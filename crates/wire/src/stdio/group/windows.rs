use std::{io, sync::Arc, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

use crate::{ExitStatus, stdio::Watchdog};

/// A job object. The system ends its members when its last handle closes, however this process
/// ends: no watchdog is needed.
#[derive(Debug)]
pub(crate) struct Group {
    child: Box<dyn ChildWrapper>,
    id: u32,
}

impl Group {
    pub(crate) fn spawn(command: Command, _: Option<Arc<Watchdog>>) -> io::Result<Self> {
        let child = CommandWrap::from(command)
            // Prevents a console window from flashing up.
            .wrap(CreationFlags(CREATE_NO_WINDOW))
            .wrap(KillOnDrop)
            .wrap(JobObject)
            .spawn()?;
        let id = child
            .id()
            .ok_or_else(|| io::Error::other("the child process has no id"))?;
        Ok(Self { child, id })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.id
    }

    /// Returns the child's streams. Every caller pipes all three and takes them only once, so they exist.
    pub(crate) fn streams(&mut self) -> (ChildStdin, ChildStdout, ChildStderr) {
        (
            self.child.stdin().take().expect("stdin is piped"),
            self.child.stdout().take().expect("stdout is piped"),
            self.child.stderr().take().expect("stderr is piped"),
        )
    }

    /// Waits for the exit of the leader. May be called again, and dropped at any time.
    pub(crate) async fn wait(&mut self) -> ExitStatus {
        match self.child.inner_mut().wait().await {
            Ok(status) => status.code().map_or(ExitStatus::Unknown, ExitStatus::Code),
            Err(_) => ExitStatus::Unknown,
        }
    }

    /// Returns false: a program without a window cannot be asked to exit.
    pub(crate) fn terminate(&self) -> bool {
        false
    }

    /// Ends every member.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.start_kill();
    }

    /// Returns true: members cannot be counted cheaply, and ending an empty job does no harm.
    pub(crate) fn has_members(&self) -> bool {
        true
    }

    pub(crate) async fn emptied(&self, _: Duration) -> bool {
        true
    }

    pub(crate) fn forget(&mut self) {}
}
