//! One instance for each data folder: two would overwrite each other's files.
//!
//! A lock decides who is the first, since the system gives it up however a process ends. Whoever
//! comes second asks the first, over a socket in the folder (a named pipe on Windows), to show its
//! window, and ends.

use std::{io, path::Path, time::Duration};

use sonde_explorer::DATA_LOCK;
use sonde_files::FileLock;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};

/// How long the first instance may take to answer.
const ANSWER: Duration = Duration::from_secs(5);
/// What is asked, and answered.
const SHOW: &[u8; 4] = b"show";

/// Who this process is.
pub(crate) enum Instance {
    /// The first. Keep it while the app runs.
    First(First),
    /// The second; the first has been asked to show its window.
    Second,
}

/// Has the folder, and hears of those who come later.
pub(crate) struct First {
    /// For the explorer, which gives it up when all is saved. `None` where the file system has no
    /// locks.
    pub(crate) lock: Option<FileLock>,
    listener: Option<socket::Listener>,
}

/// Finds out who this process is for this data folder. Call it inside a tokio runtime.
///
/// # Errors
/// When another instance has the folder and does not answer.
pub(crate) async fn claim(data_folder: &Path) -> io::Result<Instance> {
    let lock = match FileLock::try_take(&data_folder.join(DATA_LOCK)) {
        Ok(Some(lock)) => Some(lock),
        Ok(None) => {
            let ask = async {
                let mut first = socket::connect(data_folder).await?;
                first.write_all(SHOW).await?;
                let mut answer = [0; SHOW.len()];
                first.read_exact(&mut answer).await
            };
            return match timeout(ANSWER, ask).await {
                Ok(Ok(_)) => Ok(Instance::Second),
                Ok(Err(error)) => Err(error),
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            };
        }
        // A file system without locks is no reason not to start.
        Err(error) => {
            tracing::warn!(%error, "the data folder could not be locked");
            None
        }
    };
    let listener = socket::listen(data_folder);
    if let Err(error) = &listener {
        tracing::warn!(%error, "a second instance could not ask for this one's window");
    }
    Ok(Instance::First(First {
        lock,
        listener: listener.ok(),
    }))
}

impl First {
    /// Calls `show` whenever a second instance asks for the window. Ends with the app.
    pub(crate) async fn listen(mut self, show: impl Fn()) {
        while let Some(listener) = &mut self.listener {
            let Ok(mut second) = listener.accept().await else {
                break;
            };
            let mut asked = [0; SHOW.len()];
            // Whoever connects and says nothing must not keep others from being heard.
            let heard = timeout(ANSWER, second.read_exact(&mut asked)).await;
            if matches!(heard, Ok(Ok(_))) && &asked == SHOW {
                show();
                let _ = second.write_all(SHOW).await;
            }
        }
    }
}

#[cfg(unix)]
mod socket {
    use std::{io, os::unix::fs::PermissionsExt as _, path::Path};

    use tokio::net::{UnixListener, UnixStream};

    const NAME: &str = "instance.sock";

    pub(super) struct Listener(UnixListener);

    impl Listener {
        pub(super) async fn accept(&mut self) -> io::Result<UnixStream> {
            self.0.accept().await.map(|(stream, _)| stream)
        }
    }

    /// Only for the holder of the lock: what is there is left over from an instance that was killed.
    pub(super) fn listen(data_folder: &Path) -> io::Result<Listener> {
        let path = data_folder.join(NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Listener(listener))
    }

    pub(super) async fn connect(data_folder: &Path) -> io::Result<UnixStream> {
        UnixStream::connect(data_folder.join(NAME)).await
    }
}

#[cfg(windows)]
mod socket {
    use std::{
        hash::{DefaultHasher, Hash as _, Hasher as _},
        io,
        path::Path,
    };

    use tokio::net::windows::named_pipe::{
        ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions,
    };

    pub(super) struct Listener {
        name: String,
        next: NamedPipeServer,
    }

    impl Listener {
        pub(super) async fn accept(&mut self) -> io::Result<NamedPipeServer> {
            self.next.connect().await?;
            let next = ServerOptions::new().create(&self.name)?;
            Ok(std::mem::replace(&mut self.next, next))
        }
    }

    pub(super) fn listen(data_folder: &Path) -> io::Result<Listener> {
        let name = name(data_folder);
        let next = ServerOptions::new()
            .first_pipe_instance(true)
            .reject_remote_clients(true)
            .create(&name)?;
        Ok(Listener { name, next })
    }

    pub(super) async fn connect(data_folder: &Path) -> io::Result<NamedPipeClient> {
        ClientOptions::new().open(name(data_folder))
    }

    /// Pipes live in one place for all users: the folder's path makes the name.
    fn name(data_folder: &Path) -> String {
        let folder = data_folder.canonicalize();
        let mut hasher = DefaultHasher::new();
        folder.as_deref().unwrap_or(data_folder).hash(&mut hasher);
        format!(r"\\.\pipe\sonde-{:016x}", hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn the_second_shows_the_first_and_the_next_after_it_is_first_again() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let Instance::First(first) = claim(folder.path()).await.unwrap() else {
            panic!("nobody else is there");
        };
        let (shown, mut showing) = mpsc::channel(4);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let socket = std::fs::metadata(folder.path().join("instance.sock")).unwrap();
            assert_eq!(socket.permissions().mode() & 0o777, 0o600);
        }
        let listening = tokio::spawn(first.listen(move || shown.try_send(()).unwrap()));
        // One that connects and says nothing is in nobody's way for long; one that leaves, neither.
        drop(socket::connect(folder.path()).await.unwrap());
        for _ in 0..2 {
            assert!(matches!(
                claim(folder.path()).await.unwrap(),
                Instance::Second
            ));
            showing.recv().await.unwrap();
        }
        assert!(matches!(
            claim(other.path()).await.unwrap(),
            Instance::First(_)
        ));
        listening.abort();
        let _ = listening.await;
        // As after a kill, the socket is still there.
        assert!(matches!(
            claim(folder.path()).await.unwrap(),
            Instance::First(_)
        ));
    }
}
