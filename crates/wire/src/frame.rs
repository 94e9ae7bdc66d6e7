//! What travels between a session and its transport.

use std::sync::Arc;

use crate::{WireError, queue::Weigh};

/// A frame's place in its log; counts from 1 without gaps, over all reconnects of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u64);

/// Ties an answer to what was sent. Chosen by the session, unique within one [`crate::Wire`].
///
/// On HTTP an exchange is one request and its response stream; on stdio every message has an
/// exchange of its own and incoming messages carry none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeId(pub u64);

/// What a JSON-RPC message is, by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// Has `method` and `id`.
    Request,
    /// Has `method` and no `id`.
    Notification,
    /// Has `result`.
    Response,
    /// Has `error`.
    Error,
    /// A JSON array of messages.
    Batch,
    /// None of these.
    Invalid,
}

/// What a log row says of a message beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// What kind of message it is.
    pub kind: Option<MessageKind>,
    /// The method; for an answer, the method of the request it answers.
    pub method: Option<Arc<str>>,
    /// The JSON-RPC id as JSON text.
    pub id: Option<Arc<str>>,
    /// The operation of the user that it belongs to.
    pub operation: Option<u64>,
    /// The log entry of the request that this answers.
    pub answers: Option<Seq>,
    /// Why it was sent, when Sonde sent it.
    pub cause: Option<Cause>,
    /// Of a log message: how severe it is, from 0 (debug) to 7 (emergency).
    pub level: Option<u8>,
    /// Of a log message: who inside the server speaks.
    pub logger: Option<Arc<str>>,
    /// Several operations were in flight, and nothing says which of them it belongs to.
    pub ambiguous: bool,
    /// It is a remark about an app of the server.
    pub app: bool,
}

/// The HTTP verb of an exchange. Transports without verbs accept [`Verb::Post`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Sends a message and reads its answer.
    Post,
    /// Opens a stream that the server writes to.
    Get,
    /// Ends a session.
    Delete,
}

/// One header, as written. Names compare case-insensitively, values exactly.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// The header's name.
    pub name: String,
    /// The header's value. May be a secret: never shown by `Debug`.
    pub value: String,
}

impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: …", self.name)
    }
}

/// Why Sonde sent a message that the user did not ask for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The user asked for exactly this.
    User,
    /// Opening or closing a session.
    Lifecycle,
    /// The server announced a change, so its list is read again.
    ListChanged,
    /// The server asked, and the protocol obliges an answer.
    Answer,
    /// A deadline passed.
    Deadline,
    /// Finding out what the server speaks.
    Probe,
    /// Keeping a stream open for what the server sends on its own.
    Listen,
    /// Picking up a stream that broke.
    Resume,
    /// The server's answer obliges to send the request again, with what it asked for.
    Retry,
    /// A task is followed: its status, its result, what it asks for.
    Task,
    /// A task that worked when an earlier connection ended is asked for again.
    ResumedTask,
    /// Values are suggested for what the user is typing.
    Completion,
    /// The user looks at something that has an icon.
    Icon,
    /// The user disturbs the connection on purpose.
    Fault,
}

/// One message (or HTTP request without a body) for the transport to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Names this exchange in every later event about it.
    pub exchange: ExchangeId,
    /// How an HTTP transport sends it.
    pub verb: Verb,
    /// One JSON-RPC message without line breaks. `None` for `Get` and `Delete`.
    pub text: Option<Arc<String>>,
    /// Protocol headers, on top of the transport's own. Ignored where there are none.
    pub headers: Vec<Header>,
    /// What the log shows beside the frame.
    pub label: Label,
}

/// What a session asks of its transport.
#[derive(Debug)]
pub enum Command {
    /// Record, then send.
    Send(Outgoing),
    /// Stop reading the answer of this exchange. HTTP closes the response stream; other
    /// transports ignore it.
    Abandon(ExchangeId),
    /// End the connection at once and without courtesy: kill the child process, drop the socket.
    /// What follows is reported as any other loss. HTTP, which has no connection of its own,
    /// drops every running exchange as broken.
    Kill,
    /// Begin an orderly shutdown. The last [`Incoming`] is [`Incoming::Closed`].
    Close,
}

/// What a transport tells its session, in the order in which it happened.
#[derive(Debug)]
pub enum Incoming {
    /// One text message arrived (already recorded under `seq`).
    Message {
        /// The exchange whose stream carried it, where the transport has such streams.
        exchange: Option<ExchangeId>,
        /// The id of the server-sent event that carried it, if it had one.
        event_id: Option<Arc<str>>,
        /// The message as received; invalid UTF-8 was replaced and is a [`crate::Finding`].
        text: Arc<String>,
        /// Its place in the log.
        seq: Seq,
    },
    /// The head of an HTTP response arrived.
    Head {
        /// The exchange it answers.
        exchange: ExchangeId,
        /// HTTP status code.
        status: u16,
        /// All response headers in order.
        headers: Vec<Header>,
        /// Its place in the log.
        seq: Seq,
    },
    /// A line, JSON body or event above [`crate::Limits::message`] arrived and was cut: there is no
    /// text to interpret, but whoever waits for it can be told.
    Oversized {
        /// The exchange whose stream carried it, where the transport has such streams.
        exchange: Option<ExchangeId>,
        /// The JSON-RPC id as JSON text, where it stands in what was kept of the message.
        id: Option<String>,
        /// How the message begins; at most [`crate::Limits::kept`] bytes.
        head: String,
        /// The whole size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
        /// Its place in the log.
        seq: Seq,
    },
    /// An HTTP response has a body that is no message: a web page, plain text. Its [`Incoming::Head`]
    /// came before, its [`Incoming::End`] follows.
    NonMessage {
        /// The exchange it belongs to.
        exchange: ExchangeId,
        /// The declared media type, if any.
        content_type: Option<String>,
        /// How the body begins, for a sentence to the user; at most 512 characters.
        snippet: String,
        /// Its place in the log.
        seq: Seq,
    },
    /// A server-sent event that carries no message: a bare id or retry time, an event without data
    /// or with a name of its own. What it says counts for resuming its stream.
    Event {
        /// The exchange whose stream carried it.
        exchange: ExchangeId,
        /// Its name, if it had one.
        name: Option<String>,
        /// Its data; often empty.
        data: String,
        /// The id it set, if it set one. An empty id takes the stream's last id back.
        event_id: Option<Arc<str>>,
        /// How long to wait before the stream is opened again, in milliseconds.
        retry: Option<u64>,
        /// Its place in the log.
        seq: Seq,
    },
    /// The server refused a request, and it waits for permission to be sent once more; or it does
    /// so no longer. While it waits, no answer can come.
    Parked {
        /// The exchange that waits.
        exchange: ExchangeId,
        /// It begins or ends to wait.
        parked: bool,
    },
    /// A message could not be sent, or its answer stream is over. Nothing more comes for this
    /// exchange. Transports without streams report it for failed sends only.
    End {
        /// The exchange that is over.
        exchange: ExchangeId,
        /// How it ended.
        end: StreamEnd,
    },
    /// The process closed its standard output and lives on: no message can come any more. It is
    /// being ended; [`Incoming::Closed`] follows when it has.
    OutputClosed,
    /// The transport is gone. Always the last item.
    Closed(Closed),
}

/// How an exchange ended.
#[derive(Debug)]
pub enum StreamEnd {
    /// The response body was read to its regular end.
    Complete,
    /// [`Command::Abandon`] was obeyed.
    Abandoned,
    /// The request or its answer was cut by an error.
    Failed(WireError),
}

/// The end of a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// The system did not say.
    Unknown,
}

/// Why a transport is gone.
#[derive(Debug)]
pub enum Closed {
    /// [`Command::Close`] was obeyed (or every command sender was dropped).
    Requested {
        /// Exit of the child process, where there was one.
        exit: Option<ExitStatus>,
    },
    /// The child process ended by itself, or its stdout closed and it was then ended.
    ProcessExited {
        /// How.
        exit: ExitStatus,
    },
    /// The other end is gone without a process to blame.
    Disconnected,
    /// The transport failed.
    Failed(WireError),
}

fn headers_weight(headers: &[Header]) -> usize {
    let texts = headers.iter();
    texts
        .map(|header| size_of::<Header>() + header.name.len() + header.value.len())
        .sum()
}

impl Weigh for Command {
    fn weight(&self) -> usize {
        let sent = match self {
            Command::Send(outgoing) => {
                outgoing.text.as_ref().map_or(0, |text| text.len())
                    + headers_weight(&outgoing.headers)
            }
            Command::Abandon(_) | Command::Kill | Command::Close => 0,
        };
        size_of::<Self>() + sent
    }
}

impl Weigh for Incoming {
    fn weight(&self) -> usize {
        let id = |id: &Option<Arc<str>>| id.as_ref().map_or(0, |id| id.len());
        let held = match self {
            Incoming::Message { event_id, text, .. } => id(event_id) + text.len(),
            Incoming::Head { headers, .. } => headers_weight(headers),
            Incoming::Oversized {
                id, head: begin, ..
            } => id.as_ref().map_or(0, String::len) + begin.len(),
            Incoming::NonMessage { snippet, .. } => snippet.len(),
            Incoming::Event {
                name,
                data,
                event_id,
                ..
            } => name.as_ref().map_or(0, String::len) + data.len() + id(event_id),
            Incoming::Parked { .. }
            | Incoming::End { .. }
            | Incoming::OutputClosed
            | Incoming::Closed(_) => 0,
        };
        size_of::<Self>() + held
    }
}
