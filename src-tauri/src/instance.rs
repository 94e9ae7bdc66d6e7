//! One instance for each data folder: two would overwrite each other's files.
//!
//! A lock decides which instance is the first, since the system releases it however a process ends. A second instance
//! asks the first, over a socket in the folder (a named pipe on Windows), to show its window, passes it the link that
//! it was started with, and ends.

use std::{io, path::Path, time::Duration};

use sonde_explorer::DATA_LOCK;
use sonde_files::FileLock;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep, timeout},
};

/// Time limit for the first instance to reply.
const ANSWER: Duration = Duration::from_secs(5);
/// Longest wait for a first instance that does not reply, since it is ending: more than its end takes.
const ENDING: Duration = Duration::from_secs(15);
/// Pause before the next attempt to reach a first instance that does not reply.
const AGAIN: Duration = Duration::from_millis(50);
/// Request to show the window, and its reply.
const SHOW: &[u8; 4] = b"show";
/// Request of a second instance with a link: four bytes with the link's length (little-endian) follow, then the link.
const LINK: &[u8; 4] = b"link";
/// The longest link, in bytes.
const LONGEST_LINK: usize = 64 * 1024;

/// Role of this process.
pub(crate) enum Instance {
    /// The first instance. Keep the value while the app runs.
    First(First),
    /// The second instance; the first has been asked to show its window.
    Second,
}

/// The first instance: holds the folder's lock and listens to later instances.
pub(crate) struct First {
    /// The lock, for the explorer, which releases it when all is saved. `None` if the file system has no locks.
    pub(crate) lock: Option<FileLock>,
    listener: Option<socket::Listener>,
}

/// Determines the role of this process for the data folder. A second instance passes its link to the first, unless the
/// link is too long. Call it inside a tokio runtime.
///
/// # Errors
/// If another instance has the folder and does not reply.
pub(crate) async fn claim(data_folder: &Path, link: Option<&str>) -> io::Result<Instance> {
    let begun = Instant::now();
    let lock = loop {
        match FileLock::try_take(&data_folder.join(DATA_LOCK)) {
            Ok(Some(lock)) => break Some(lock),
            Ok(None) => {}
            // A file system without locks is no reason not to start.
            Err(error) => {
                tracing::warn!(%error, "the data folder could not be locked");
                break None;
            }
        }
        match ask(data_folder, link).await {
            Ok(()) => return Ok(Instance::Second),
            Err(error) if begun.elapsed() >= ENDING => return Err(error),
            // The first instance may be ending or have been killed: then it releases the lock in a moment.
            Err(_) => sleep(AGAIN).await,
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

/// Asks the first instance to show its window, and waits until it does.
async fn ask(data_folder: &Path, link: Option<&str>) -> io::Result<()> {
    let asked = async {
        let mut first = socket::connect(data_folder).await?;
        first.write_all(&request_of(link)).await?;
        let mut answer = [0; SHOW.len()];
        first.read_exact(&mut answer).await?;
        Ok(())
    };
    match timeout(ANSWER, asked).await {
        Ok(asked) => asked,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Returns the request that a second instance writes. Leaves out a link longer than [`LONGEST_LINK`].
fn request_of(link: Option<&str>) -> Vec<u8> {
    let Some(link) = link.filter(|link| link.len() <= LONGEST_LINK) else {
        return SHOW.to_vec();
    };
    let length = u32::try_from(link.len()).unwrap_or_default();
    [LINK.as_slice(), &length.to_le_bytes(), link.as_bytes()].concat()
}

/// Reads the request of a second instance: to show the window, with or without a link.
async fn read_request(second: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<String>> {
    let mut what = [0; SHOW.len()];
    second.read_exact(&mut what).await?;
    match &what {
        SHOW => return Ok(None),
        LINK => {}
        _ => return Err(io::ErrorKind::InvalidData.into()),
    }
    let mut length = [0; 4];
    second.read_exact(&mut length).await?;
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > LONGEST_LINK {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut link = vec![0; length];
    second.read_exact(&mut link).await?;
    match String::from_utf8(link) {
        Ok(link) => Ok(Some(link)),
        Err(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}

impl First {
    /// Calls `show` whenever a second instance asks for the window, with the link that it was started
    /// with. The app aborts it before its shutdown, which closes the socket.
    pub(crate) async fn listen(mut self, show: impl Fn(Option<String>)) {
        while let Some(listener) = &mut self.listener {
            let Ok(mut second) = listener.accept().await else {
                break;
            };
            // A connection that sends nothing must not keep others waiting.
            if let Ok(Ok(link)) = timeout(ANSWER, read_request(&mut second)).await {
                show(link);
                let _ = second.write_all(SHOW).await;
            }
        }
    }
}

#[cfg(unix)]
mod socket {
    use std::{
        fs::File,
        io,
        os::{fd::AsRawFd as _, unix::fs::PermissionsExt as _},
        path::{Path, PathBuf},
    };

    use tokio::net::{UnixListener, UnixStream};

    const NAME: &str = "instance.sock";

    pub(super) struct Listener(UnixListener);

    impl Listener {
        pub(super) async fn accept(&mut self) -> io::Result<UnixStream> {
            self.0.accept().await.map(|(stream, _)| stream)
        }
    }

    /// Listens in the folder. Only for the holder of the lock: an existing socket is left over from an instance that
    /// was killed.
    pub(super) fn listen(data_folder: &Path) -> io::Result<Listener> {
        let path = data_folder.join(NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let (_open, address) = address(data_folder)?;
        let listener = UnixListener::bind(address)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Listener(listener))
    }

    pub(super) async fn connect(data_folder: &Path) -> io::Result<UnixStream> {
        let (_open, address) = address(data_folder)?;
        UnixStream::connect(address).await
    }

    /// Opens the folder, and returns an address of its socket that is valid as long as the folder is open. An address has
    /// room for about 100 bytes, so Linux gets a short path to the open folder.
    fn address(data_folder: &Path) -> io::Result<(File, PathBuf)> {
        let open = File::open(data_folder)?;
        let short = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        let folder = if short.exists() { &short } else { data_folder };
        let address = folder.join(NAME);
        Ok((open, address))
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

    /// Names the pipe after the folder's path, since pipes of all users share one place.
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
        let temporary = tempfile::tempdir().unwrap();
        // Longer than the address of a socket, where the system has a way around that.
        let folder = match cfg!(target_os = "linux") {
            true => temporary.path().join("x".repeat(150)),
            false => temporary.path().join("data"),
        };
        let other = tempfile::tempdir().unwrap();
        let Instance::First(first) = claim(&folder, None).await.unwrap() else {
            panic!("nobody else is there");
        };
        let (shown, mut showing) = mpsc::channel(4);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let socket = std::fs::metadata(folder.join("instance.sock")).unwrap();
            assert_eq!(socket.permissions().mode() & 0o777, 0o600);
        }
        let listening = tokio::spawn(first.listen(move |link| shown.try_send(link).unwrap()));
        // Neither a connection that sends nothing nor one that closes blocks others for long.
        drop(socket::connect(&folder).await.unwrap());
        let link = "sonde://add?name=ü";
        let long = "x".repeat(LONGEST_LINK + 1);
        for (given, handed_over) in [
            (None, None),
            (Some(link), Some(link.to_owned())),
            (Some(long.as_str()), None),
            (Some(&long[1..]), Some(long[1..].to_owned())),
        ] {
            assert!(matches!(
                claim(&folder, given).await.unwrap(),
                Instance::Second
            ));
            assert_eq!(showing.recv().await.unwrap(), handed_over);
        }
        assert!(matches!(
            claim(other.path(), Some(link)).await.unwrap(),
            Instance::First(_)
        ));
        listening.abort();
        let _ = listening.await;
        // The socket still exists, as after a kill.
        assert!(matches!(
            claim(&folder, None).await.unwrap(),
            Instance::First(_)
        ));
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_is_on_its_way_out_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FileLock::try_take(&folder.path().join(DATA_LOCK)).unwrap();
        let mut claiming = std::pin::pin!(claim(folder.path(), None));
        // Nobody replies while the page is asked for its text and the servers are ended, nine seconds at most.
        tokio::select! {
            _ = &mut claiming => panic!("the folder is locked"),
            () = sleep(Duration::from_secs(10)) => {}
        }
        drop(lock);
        assert!(matches!(claiming.await.unwrap(), Instance::First(_)));
    }

    #[tokio::test]
    async fn what_is_no_question_is_not_answered() {
        let long = [LINK.as_slice(), &u32::MAX.to_le_bytes(), b"x"].concat();
        let text = [LINK.as_slice(), &2u32.to_le_bytes(), &[0xff, 0xfe]].concat();
        for bytes in [
            b"quit".as_slice(),
            b"sho".as_slice(),
            long.as_slice(),
            text.as_slice(),
            &long[..6],
            b"".as_slice(),
        ] {
            assert!(read_request(&mut &*bytes).await.is_err(), "{bytes:?}");
        }
    }
}
