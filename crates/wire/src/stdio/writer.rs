//! The task that writes a child's standard input.

use std::{collections::VecDeque, io, sync::Arc, time::Duration};

use tokio::{io::AsyncWriteExt as _, process::ChildStdin, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    Body, Command, Direction, Entry, EntryKind, ExchangeId, Incoming, Outgoing, QUEUE, StreamEnd,
    Tap, Verb, WireError,
    queue::{Receiver, Sender},
};

/// Approximate bytes of waiting messages that go into one write.
const BATCH_BYTES: usize = 64 * 1024;

pub(super) struct Writer {
    pub(super) stdin: ChildStdin,
    pub(super) commands: Receiver<Command>,
    pub(super) incoming: Sender<Incoming>,
    pub(super) tap: Arc<dyn Tap>,
    /// Set by this task when the session asked for the end.
    pub(super) closing: CancellationToken,
    /// Set by this task when the session wants the process to be killed.
    pub(super) kill: CancellationToken,
    /// Set for this task when nothing may be written any more.
    pub(super) stop: CancellationToken,
    /// Limit of the wait for the exit of a process that no longer reads.
    pub(super) exit: Duration,
}

/// Messages waiting to be written.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    exchanges: Vec<ExchangeId>,
}

impl Writer {
    /// Records and writes messages until the session asks for the end or `stop` is set. Standard
    /// input closes when this returns.
    pub(super) async fn run(mut self) {
        let mut queue = VecDeque::with_capacity(QUEUE);
        let mut batch = Batch::default();
        let mut broken: Option<String> = None;
        loop {
            if queue.is_empty() {
                tokio::select! {
                    biased;
                    () = self.stop.cancelled() => return,
                    command = self.commands.recv() => {
                        queue.push_back(command.unwrap_or(Command::Close));
                    }
                }
            }
            // Everything that is waiting goes out in as few writes as possible.
            while queue.len() < QUEUE
                && let Ok(command) = self.commands.try_recv()
            {
                queue.push_back(command);
            }
            let mut close = false;
            while !close
                && batch.bytes.len() < BATCH_BYTES
                && let Some(command) = queue.pop_front()
            {
                match command {
                    Command::Send(outgoing) => {
                        let exchange = outgoing.exchange;
                        let refused = match &broken {
                            Some(reason) => Err(unwritten(reason)),
                            None => self.record(outgoing),
                        };
                        match refused {
                            Ok(text) => {
                                batch.bytes.extend_from_slice(text.as_bytes());
                                batch.bytes.push(b'\n');
                                batch.exchanges.push(exchange);
                            }
                            Err(error) => self.fail(exchange, error).await,
                        }
                    }
                    Command::Abandon(_) => {}
                    Command::Kill => self.kill.cancel(),
                    Command::Close => close = true,
                }
            }
            if close {
                self.closing.cancel();
            }
            if !batch.bytes.is_empty()
                && let Err(error) = self.write(&batch.bytes, &mut queue).await
            {
                if self.ends(&mut queue).await {
                    return;
                }
                let reason = broken.insert(error.to_string());
                for exchange in batch.exchanges.drain(..) {
                    self.fail(exchange, unwritten(reason)).await;
                }
            }
            batch.exchanges.clear();
            batch.bytes.clear();
            batch.bytes.shrink_to(2 * BATCH_BYTES);
            if close || self.stop.is_cancelled() {
                return;
            }
        }
    }

    /// Writes all `bytes`. Commands that arrive meanwhile are added to `queue`, so that a request to close is seen even
    /// if the child reads nothing.
    async fn write(&mut self, bytes: &[u8], queue: &mut VecDeque<Command>) -> io::Result<()> {
        let Self {
            stdin,
            commands,
            closing,
            kill,
            stop,
            ..
        } = self;
        let mut write = std::pin::pin!(async {
            stdin.write_all(bytes).await?;
            stdin.flush().await
        });
        loop {
            let listen = queue.len() < QUEUE && !closing.is_cancelled();
            tokio::select! {
                biased;
                done = &mut write => return done,
                () = stop.cancelled() => {
                    return Err(io::Error::other("the process is being ended"));
                }
                command = commands.recv(), if listen => {
                    queue.push_back(on_command(command, closing, kill));
                }
            }
        }
    }

    /// Waits for the exit of a process that no longer reads; false if it does not exit. Its streams close before its
    /// exit is known, and the exit says more than a message that could not be written.
    async fn ends(&mut self, queue: &mut VecDeque<Command>) -> bool {
        let mut late = std::pin::pin!(sleep(self.exit));
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return true,
                () = self.closing.cancelled() => return true,
                () = &mut late => return false,
                command = self.commands.recv(), if queue.len() < QUEUE => {
                    queue.push_back(on_command(command, &self.closing, &self.kill));
                }
            }
        }
    }

    /// Checks and records a message. It is recorded before it is written.
    fn record(&self, outgoing: Outgoing) -> Result<Arc<String>, WireError> {
        let (Verb::Post, Some(text)) = (outgoing.verb, outgoing.text) else {
            return Err(WireError::Unsupported {
                reason: "a process takes messages only",
            });
        };
        // One message per line, no embedded newlines (protocol: stdio).
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            return Err(WireError::Unsupported {
                reason: "a message to a process must be a single line",
            });
        }
        let body = Body::Text(Arc::clone(&text));
        self.tap.record(Entry {
            exchange: Some(outgoing.exchange),
            label: outgoing.label,
            ..Entry::new(Direction::Out, EntryKind::Message, body)
        });
        Ok(text)
    }

    async fn fail(&self, exchange: ExchangeId, error: WireError) {
        let end = StreamEnd::Failed(error);
        tokio::select! {
            _ = self.incoming.send(Incoming::End { exchange, end }) => {}
            () = self.stop.cancelled() => {}
        }
    }
}

/// Handles a command that arrives while a message is written or an exit awaited. Commands that end the process take
/// effect at once.
fn on_command(
    command: Option<Command>,
    closing: &CancellationToken,
    kill: &CancellationToken,
) -> Command {
    let command = command.unwrap_or(Command::Close);
    match command {
        Command::Close => closing.cancel(),
        Command::Kill => kill.cancel(),
        Command::Send(_) | Command::Abandon(_) => {}
    }
    command
}

fn unwritten(reason: &str) -> WireError {
    WireError::Broken {
        reason: format!("the process does not read its stdin: {reason}"),
    }
}
