//! A program that is started before the connect: a server over HTTP.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sonde_wire::{
    Annotation, Body, Command, Entry, EntryKind, Incoming, Seq, Tap, Wire,
    queue::Sender,
    stdio::{self, StdioSpec},
};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::servers::Program;

/// Pause between two attempts to connect to the address.
const LOOK: Duration = Duration::from_millis(20);
/// Most lines of standard error that are kept.
const LINES: usize = 1_000;
/// Longest wait for the end of the program.
const END: Duration = Duration::from_secs(10);

/// A running program.
pub(super) struct Sidecar {
    commands: Sender<Command>,
    ended: CancellationToken,
    lines: Arc<Lines>,
}

/// Standard error of a program since it was last taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StderrLines {
    pub(super) lines: Vec<String>,
    /// Lines were dropped after these.
    pub(super) is_cut: bool,
}

/// Collects the standard error of the program.
#[derive(Default)]
struct Lines(Mutex<StderrLines>);

impl Lines {
    fn add(&self, text: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.lines.len() < LINES {
            true => kept.lines.push(text.trim_end().to_owned()),
            false => kept.is_cut = true,
        }
    }
}

impl Tap for Lines {
    fn record(&self, entry: Entry) -> Seq {
        if let (EntryKind::Stderr, Body::Text(text)) = (&entry.kind, &entry.body) {
            self.add(text);
        }
        Seq(0)
    }

    fn annotate(&self, _: Seq, _: Annotation) {}
}

impl Sidecar {
    /// Starts a program and waits until an address takes connections.
    pub(super) async fn start(
        program: &Program,
        url: &str,
        ready: Duration,
    ) -> Result<Self, String> {
        let spec = StdioSpec {
            args: program.args.clone(),
            env: program.env.clone(),
            cwd: program.cwd.clone().map(Into::into),
            ..StdioSpec::new(&program.command)
        };
        let lines = Arc::new(Lines::default());
        let Wire {
            commands,
            mut incoming,
            ..
        } = stdio::spawn(spec, lines.clone())
            .await
            .map(|(wire, _)| wire)
            .map_err(|error| format!("`{}` could not be started: {error}.", program.command))?;
        let ended = CancellationToken::new();
        let end = ended.clone().drop_guard();
        tokio::spawn(async move {
            let _end = end;
            while let Some(item) = incoming.recv().await {
                if matches!(item, Incoming::Closed(_)) {
                    break;
                }
            }
        });
        let sidecar = Self {
            commands,
            ended,
            lines,
        };
        let address = Url::parse(url).ok().and_then(|url| {
            let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
            Some((host, url.port_or_known_default()?))
        });
        let address = address.ok_or_else(|| format!("`{url}` is no address."))?;
        let takes_connections = async {
            while TcpStream::connect((address.0.as_str(), address.1))
                .await
                .is_err()
            {
                tokio::time::sleep(LOOK).await;
            }
        };
        let problem = tokio::select! {
            () = takes_connections => return Ok(sidecar),
            () = tokio::time::sleep(ready) => format!("it took no connection at {url} within {ready:?}"),
            () = sidecar.ended.cancelled() => "it ended before it took a connection".to_owned(),
        };
        let stderr = sidecar.stderr();
        let tail = stderr
            .lines
            .iter()
            .rev()
            .take(5)
            .rev()
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        sidecar.end().await;
        let command = &program.command;
        Err(match tail.is_empty() {
            true => format!("`{command}` was started, and {problem}."),
            false => format!("`{command}` was started, and {problem}. It wrote:\n{tail}"),
        })
    }

    /// Takes the lines of standard error so far.
    pub(super) fn stderr(&self) -> StderrLines {
        std::mem::take(&mut self.lines.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends the program and waits for that.
    pub(super) async fn end(self) {
        let _ = self.commands.send(Command::Close).await;
        let _ = tokio::time::timeout(END, self.ended.cancelled()).await;
    }
}

/// Returns a free port of this computer.
pub(super) fn free_port() -> io::Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_dropped_are_known() {
        let lines = Lines::default();
        let take = || std::mem::take(&mut *lines.0.lock().unwrap());
        for number in 0..=LINES {
            lines.add(&format!("{number}\n"));
        }
        let kept = take();
        assert_eq!(kept.lines.last(), Some(&(LINES - 1).to_string()));
        assert!(kept.is_cut);
        lines.add("next\n");
        assert!(!take().is_cut);
    }
}
