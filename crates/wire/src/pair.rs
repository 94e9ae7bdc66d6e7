//! The two ends of a wire.

use std::sync::Arc;

use crate::{
    Command, Incoming,
    queue::{self, Receiver, Sender},
};

/// Items that each direction of a [`Wire`] holds before its sender waits; [`queue::QUEUE_BYTES`] limits the
/// bytes.
pub const QUEUE: usize = 256;

/// Kinds of transports, as far as a session needs to know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// One connection that carries messages both ways: a process, a WebSocket, HTTP+SSE.
    Pipe,
    /// Every message is an HTTP request with a response stream of its own.
    Http,
}

/// The session's end of a transport. Dropping it closes the transport.
#[derive(Debug)]
pub struct Wire {
    /// The kind of transport.
    pub carrier: Carrier,
    /// Commands of the session.
    pub commands: Sender<Command>,
    /// Events, ending with [`Incoming::Closed`].
    pub incoming: Receiver<Incoming>,
}

/// The transport's end of a [`Wire`]; in tests, the test acts as the server here.
#[derive(Debug)]
pub struct Peer {
    /// Commands of the session.
    pub commands: Receiver<Command>,
    /// Events for the session.
    pub incoming: Sender<Incoming>,
}

impl Wire {
    /// Creates both ends of a wire in memory. Nothing is recorded: the test acts as the transport.
    #[must_use]
    pub fn memory() -> (Wire, Peer) {
        Self::pair(Carrier::Pipe)
    }

    /// Creates both ends of a wire of this kind.
    #[must_use]
    pub fn pair(carrier: Carrier) -> (Wire, Peer) {
        let (commands, commands_out) = queue::channel(QUEUE);
        let (incoming_in, incoming) = queue::channel(QUEUE);
        (
            Wire {
                carrier,
                commands,
                incoming,
            },
            Peer {
                commands: commands_out,
                incoming: incoming_in,
            },
        )
    }
}

impl Peer {
    /// Delivers one text message as a server would. Returns `false` when the session is gone.
    pub async fn deliver(&self, seq: crate::Seq, text: impl Into<String>) -> bool {
        self.incoming
            .send(Incoming::Message {
                exchange: None,
                event_id: None,
                text: Arc::new(text.into()),
                seq,
            })
            .await
            .is_ok()
    }
}
