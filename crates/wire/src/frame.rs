//! Commands and events between a session and its transport.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{WireError, queue::Weigh};

/// A frame's place in its log; counts from 1 without gaps, over all reconnects of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Seq(pub u64);

/// Ties a response to its request. The session chooses the number, which is unique within one [`crate::Wire`].
///
/// On HTTP an exchange is one request and its response stream. On stdio every sent message is an exchange of its own,
/// and received messages belong to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeId(pub u64);

/// Kinds of JSON-RPC messages, by their members.
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

/// Facts about a message that the log shows beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// The kind of message.
    pub kind: Option<MessageKind>,
    /// The method; for a response, the method of its request.
    pub method: Option<Arc<str>>,
    /// The JSON-RPC id as JSON text.
    pub id: Option<Arc<str>>,
    /// The user's operation that the message belongs to.
    pub operation: Option<u64>,
    /// For a note that a rule answers a request of the server: the log entry of that request.
    pub answers: Option<Seq>,
    /// The cause of a message that Sonde sent.
    pub cause: Option<Cause>,
    /// Severity of a log message, from 0 (debug) to 7 (emergency).
    pub level: Option<u8>,
    /// Logger of a log message: the part of the server that wrote it.
    pub logger: Option<Arc<str>>,
    /// The message could belong to several operations in flight and names none of them.
    pub ambiguous: bool,
    /// A remark about an app of the server.
    pub app: bool,
}

/// The HTTP verb of an exchange. Transports without verbs accept [`Verb::Post`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Sends a message and reads its response.
    Post,
    /// Opens a stream that the server writes to.
    Get,
    /// Ends a session.
    Delete,
}

impl Verb {
    /// Returns the method of HTTP.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verb::Post => "POST",
            Verb::Get => "GET",
            Verb::Delete => "DELETE",
        }
    }
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

/// Causes of the messages that Sonde sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "LogCause")]
pub enum Cause {
    /// The user asked for exactly this message. Rows and files of the log leave this cause out.
    #[ts(skip)]
    User,
    /// Opening or closing a session.
    Lifecycle,
    /// The server announced a change, so its list is read again.
    ListChanged,
    /// The protocol demands a reply to the server's request.
    Answer,
    /// A deadline passed.
    Deadline,
    /// Detecting the protocol version that the server speaks.
    Probe,
    /// Keeping a stream open for the messages that the server sends unasked.
    Listen,
    /// Resuming a broken stream.
    Resume,
    /// Sending a request again with the input that the server's response asked for.
    Retry,
    /// Following a task: its status, its result, its input requests.
    Task,
    /// Asking again for a task that was working when an earlier connection ended.
    ResumedTask,
    /// Suggesting values for the user's input.
    Completion,
    /// Loading an icon that the user sees.
    Icon,
    /// A disturbance of the connection that the user asked for.
    Fault,
}

/// One message (or HTTP request without a body) for the transport to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Number of this exchange in every later event about it.
    pub exchange: ExchangeId,
    /// HTTP verb; other transports accept [`Verb::Post`] only.
    pub verb: Verb,
    /// One JSON-RPC message without line breaks. `None` for `Get` and `Delete`.
    pub text: Option<Arc<String>>,
    /// Protocol headers, added to the transport's own. Transports without headers ignore them.
    pub headers: Vec<Header>,
    /// Facts that the log shows beside the frame.
    pub label: Label,
}

/// Commands of a session to its transport.
#[derive(Debug)]
pub enum Command {
    /// Record, then send.
    Send(Outgoing),
    /// Stop reading the response of this exchange. HTTP closes the response stream; other
    /// transports ignore it.
    Abandon(ExchangeId),
    /// End the connection abruptly: kill the child process, drop the socket. The loss is reported like any other. HTTP,
    /// which has no connection of its own, drops every running exchange as broken.
    Kill,
    /// Begin an orderly shutdown. The last [`Incoming`] is [`Incoming::Closed`].
    Close,
}

/// Events that a transport reports to its session, in the order in which they happened.
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
        /// Place of the message in the log.
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
        /// Place of the head in the log.
        seq: Seq,
    },
    /// A line, JSON body or event above [`crate::Limits::message`] arrived and was cut. Its text cannot be interpreted,
    /// but the request that waits for it can fail.
    Oversized {
        /// The exchange whose stream carried it, where the transport has such streams.
        exchange: Option<ExchangeId>,
        /// The JSON-RPC id as JSON text, if the kept part of the message has it.
        id: Option<String>,
        /// Beginning of the message; at most [`crate::Limits::kept`] bytes.
        head: String,
        /// The whole size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
        /// Place of the message in the log.
        seq: Seq,
    },
    /// The body of an HTTP response is not a message: a web page, plain text. Its [`Incoming::Head`] came before, its
    /// [`Incoming::End`] follows.
    NonMessage {
        /// The exchange it belongs to.
        exchange: ExchangeId,
        /// The declared media type, if any.
        content_type: Option<String>,
        /// Beginning of the body, for a sentence to the user; at most 512 characters.
        snippet: String,
        /// Place of the body in the log.
        seq: Seq,
    },
    /// A server-sent event without a message: a bare id or retry time, an event without data, or an event with a name
    /// of its own. Its id and retry time count for resuming its stream.
    Event {
        /// The exchange whose stream carried it.
        exchange: ExchangeId,
        /// Name of the event, if it had one.
        name: Option<String>,
        /// Data of the event; often empty.
        data: String,
        /// The id that the event set, if any. An empty id unsets the stream's last id.
        event_id: Option<Arc<str>>,
        /// Pause before the stream is opened again, in milliseconds.
        retry: Option<u64>,
        /// Place of the event in the log.
        seq: Seq,
    },
    /// The server rejected a request, which now waits for permission to be sent again (`parked`), or
    /// that wait is over. No response can come during the wait.
    Parked {
        /// The exchange that waits.
        exchange: ExchangeId,
        /// True if the wait begins, false if it ends.
        parked: bool,
    },
    /// A message could not be sent, or its response stream is over. Nothing more comes for this
    /// exchange. Transports without streams report it for failed sends only.
    End {
        /// The exchange that is over.
        exchange: ExchangeId,
        /// The way it ended.
        end: StreamEnd,
    },
    /// The process closed its standard output but still runs, so no message can come any more. The transport ends the
    /// process; [`Incoming::Closed`] follows.
    OutputClosed,
    /// The transport is gone. Always the last item.
    Closed(Closed),
}

/// Ways in which an exchange ends.
#[derive(Debug)]
pub enum StreamEnd {
    /// The response body was read to its regular end.
    Complete,
    /// [`Command::Abandon`] was obeyed.
    Abandoned,
    /// An error interrupted the request or its response.
    Failed(WireError),
}

/// The end of a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// The process returned this code.
    Code(i32),
    /// This signal ended the process.
    Signal(i32),
    /// The system did not say.
    Unknown,
}

/// Reasons for the end of a transport.
#[derive(Debug)]
pub enum Closed {
    /// [`Command::Close`] was obeyed (or every command sender was dropped).
    Requested {
        /// Exit of the child process, where there was one.
        exit: Option<ExitStatus>,
    },
    /// The child process ended by itself, or its stdout closed and it was then ended.
    ProcessExited {
        /// Exit of the child process.
        exit: ExitStatus,
    },
    /// The other end is gone, and there is no process with an exit status.
    Disconnected {
        /// The reason that it gave, as a clause.
        reason: Option<String>,
    },
    /// The transport failed.
    Failed(WireError),
}

fn headers_weight(headers: &[Header]) -> usize {
    let texts = headers.iter();
    texts
        .map(|header| size_of::<Header>() + header.name.len() + header.value.len())
        .sum()
}

impl Weigh for Outgoing {
    fn weight(&self) -> usize {
        let text = self.text.as_ref().map_or(0, |text| text.len());
        size_of::<Self>() + text + headers_weight(&self.headers)
    }
}

impl Weigh for Command {
    fn weight(&self) -> usize {
        match self {
            Command::Send(outgoing) => outgoing.weight(),
            Command::Abandon(_) | Command::Kill | Command::Close => size_of::<Self>(),
        }
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
