//! The format: every key with its shape and purpose.

use super::shape::{Key, Object, Shape};
use Shape::{
    Any, Count, Duration, DurationRange, Either, Exactly, Flag, List, Map, Number, OneOrMore,
    PathMap, Pointer, Range, Regex, Seconds, Text, Word,
};

/// Defines an [`Object`]: its name in messages, then its keys with their shapes and purposes.
macro_rules! object {
    (@required) => { false };
    (@required required) => { true };
    (@never_empty) => { false };
    (@never_empty empty) => { true };
    (@one_of) => { &[] };
    (@one_of $keys:expr) => { $keys };
    (
        $(#[$doc:meta])*
        $vis:vis $object:ident, $name:literal $(never $never:ident)? $(, one of $one_of:expr)?;
        $($key:literal $($required:ident)?: $shape:expr => $about:literal;)*
    ) => {
        $(#[$doc])*
        $vis static $object: Object = Object {
            name: $name,
            keys: &[$(Key {
                name: $key,
                shape: $shape,
                about: $about,
                required: object!(@required $($required)?),
            }),*],
            one_of: object!(@one_of $($one_of)?),
            never_empty: object!(@never_empty $($never)?),
        };
    };
}

/// Versions of the protocol, and ways to find one.
pub(crate) const REVISIONS: &[&str] = &[
    "auto",
    "legacy",
    "modern",
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];
const RESTART: Shape = Word(&["step", "file", "run"]);
const LEVELS: &[&str] = &[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];
/// The verbs of a step.
pub(crate) const VERBS: &[&str] = &[
    "list",
    "call",
    "read",
    "get",
    "complete",
    "ping",
    "subscribe",
    "raw",
];

object! {
    /// A file of checks.
    pub(crate) SUITE, "a suite";
    "sonde" required: Exactly(1) => "Version of the format: 1.";
    "name": Text => "Name of the suite in reports.";
    "notes": Text => "Notes for people; on the stage they are the speaker's.";
    "server": Either(&[Text, Shape::Object(&SERVER)]) => "The server: a name from `servers` or sonde.servers.yaml, or its transport.";
    "servers": Map(&Shape::Object(&SERVER)) => "Servers by name, for `server` and for steps that name one.";
    "client": Shape::Object(&CLIENT) => "Abilities that Sonde declares to the server.";
    "matrix": Shape::Object(&MATRIX) => "The suite runs once for every combination of these.";
    "vars": Map(&Any) => "Values that steps use as ${vars.NAME}.";
    "secrets": List(&Text) => "Names of secrets that steps use as ${secrets.NAME}: from the keyring or the environment, masked everywhere.";
    "steps" required: List(&Shape::Object(&STEP)) => "The steps, in order.";
}

object! {
    /// A server that is written in place.
    pub(crate) SERVER, "a server", one of &["command", "url", "demo"];
    "command": Text => "Program to start, which speaks on stdin and stdout.";
    "args": List(&Text) => "Arguments; without them the command is split at its spaces.";
    "cwd": Text => "Folder to start it in, relative to this file.";
    "env": Map(&Text) => "Environment variables for it.";
    "url": Text => "Address of a server over HTTP or WebSocket.";
    "headers": Map(&Text) => "HTTP headers for it.";
    "kind": Word(&["auto", "streamable", "sse"]) => "The HTTP transport.";
    "demo": Word(&["stdio", "http"]) => "Sonde's demo server over this transport.";
    "revision": Word(REVISIONS) => "Version of the protocol to speak with it, where the suite has none.";
    "timeout": Seconds => "Longest silence of a request to it, where the suite has none.";
    "restart": RESTART => "When a fresh connection (and process) is made: before each step, for each file, or once a run. The default is file.";
}

object! {
    /// A server of the servers file.
    pub(crate) NAMED_SERVER, "a named server";
    "stdio": Shape::Object(&STDIO) => "The server as a child process.";
    "http": Shape::Object(&HTTP) => "The server over HTTP.";
    "restart": RESTART => "When a fresh connection (and process) is made: before each step, for each file, or once a run. The default is file.";
}

object! {
    STDIO, "a stdio server";
    "command" required: Text => "Program to start.";
    "args": List(&Text) => "Arguments; without them the command is split at its spaces.";
    "cwd": Text => "Folder to start it in, relative to this file.";
    "env": Map(&Text) => "Environment variables for it.";
}

object! {
    HTTP, "an HTTP server";
    "start": Text => "Command that starts the server; ${port} is a free port.";
    "cwd": Text => "Folder to start it in, relative to this file.";
    "env": Map(&Text) => "Environment variables for it.";
    "url" required: Text => "Address of the server.";
    "headers": Map(&Text) => "HTTP headers.";
    "ready": Duration => "Longest wait until the address takes connections.";
    "kind": Word(&["auto", "streamable", "sse"]) => "The HTTP transport.";
}

object! {
    /// The servers file.
    pub(crate) SERVERS, "a servers file";
    "sonde-servers" required: Exactly(1) => "Version of the format: 1.";
    "servers" required: Map(&Shape::Object(&NAMED_SERVER)) => "The servers by name.";
    "environments": Map(&Shape::Object(&ENVIRONMENT)) => "Other values, chosen with --env.";
}

object! {
    ENVIRONMENT, "an environment";
    "servers": Map(&Shape::Object(&NAMED_SERVER)) => "Servers that replace those of the same name.";
    "vars": Map(&Any) => "Values that replace the vars of suites.";
}

object! {
    pub(crate) CLIENT, "the client";
    "revision": Word(REVISIONS) => "Version of the protocol to speak.";
    "capabilities": Shape::Object(&CAPABILITIES) => "Capabilities to declare; without this key, all that a suite can serve.";
    "log-level": Word(LEVELS) => "Least severe log messages to ask for.";
    "timeout": Seconds => "Longest silence of a request; progress starts it anew.";
}

object! {
    CAPABILITIES, "the capabilities";
    "elicitation": Either(&[Flag, List(&Word(&["form", "url"]))]) => "Modes of elicitation.";
    "sampling": Flag => "Requests for a language model.";
    "roots": Either(&[Flag, List(&Text)]) => "Folders that the server may work in.";
    "tasks": Flag => "Tasks.";
}

object! {
    pub(crate) MATRIX, "the matrix";
    "revision": List(&Word(REVISIONS)) => "Versions of the protocol.";
    "transport": List(&Word(&["stdio", "http"])) => "Transports of the server.";
}

object! {
    /// A step.
    pub(crate) STEP, "a step", one of VERBS;
    "name": Text => "Name of the step in reports.";
    "title": Text => "Title on the stage. Steps in a row with one title and target are shown together: the speaker chooses by their names.";
    "notes": Text => "Notes for people; on the stage they are the speaker's.";
    "server": Text => "Server of this step, where it is another than the suite's.";
    "group": Text => "Group of the step; groups are run and switched off together.";
    "skip": Either(&[Flag, Text]) => "Leaves the step out; a text says why.";
    "send-anyway": Flag => "Sends arguments that the tool's own schema refuses.";
    "list": Word(&["tools", "prompts", "resources", "templates"]) => "Lists these, all pages.";
    "call": Text => "Calls the tool of this name.";
    "read": Text => "Reads the resource with this URI.";
    "get": Text => "Gets the prompt of this name.";
    "complete": Shape::Object(&COMPLETE) => "Asks for values that complete what was typed.";
    "ping": Flag => "Pings the server.";
    "subscribe": Text => "Subscribes to updates of the resource with this URI.";
    "raw": Shape::Object(&RAW) => "Sends any request.";
    "vars": Map(&Any) => "Values for this step, used as ${NAME}.";
    "with": Map(&Any) => "The arguments. Digits and order are kept.";
    "with-json": Text => "The arguments as JSON text, sent to the byte.";
    "meta": Map(&Any) => "Members of params._meta.";
    "answers": List(&Shape::Object(&ANSWER)) => "Replies to requests of the server, tried in order. One that is not used fails the step.";
    "cancel": Shape::Object(&CANCEL) => "Cancels the request.";
    "lost": Flag => "Throws the first response away and sends the request once more, as a client does after a lost connection.";
    "expect": Shape::Object(&EXPECT) => "What must hold. Without it: a result that is no error.";
    "capture": Map(&Either(&[Text, Shape::Object(&CAPTURE)])) => "Values for later steps, used as ${NAME}, by path.";
    "retry": Shape::Object(&RETRY) => "Repeats the step until it holds.";
    "verify": List(&Shape::Object(&STEP)) => "Steps that look at the effect afterwards; the step fails with them.";
}

object! {
    COMPLETE, "a completion", one of &["prompt", "resource"];
    "prompt": Text => "Name of the prompt.";
    "resource": Text => "URI template of the resource.";
    "argument" required: Text => "Name of the argument.";
    "value" required: Text => "What was typed so far.";
    "context": Map(&Text) => "Arguments that have values already.";
}

object! {
    RAW, "a raw request";
    "method" required: Text => "The method.";
    "params": Map(&Any) => "The params.";
    "params-json": Text => "The params as JSON text, sent to the byte.";
    "notification": Flag => "Sends a notification, which has no response.";
}

object! {
    ANSWER, "an answer", one of &["elicitation", "sampling", "default"];
    "elicitation": Shape::Object(&ELICITATION) => "An elicitation like this one.";
    "sampling": Shape::Object(&SAMPLING) => "A sampling request like this one.";
    "default": Word(&["decline"]) => "Declines whatever no other answer is for, without failing the step.";
    "reply": Shape::Object(&REPLY) => "The reply.";
}

object! {
    ELICITATION, "an elicitation";
    "mode": Word(&["form", "url"]) => "The mode; without it, any.";
    "message": TEXT_PREDICATE => "The server's words.";
    "url": TEXT_PREDICATE => "The page to open.";
}

object! {
    SAMPLING, "a sampling request";
    "prompt": TEXT_PREDICATE => "The text of all messages.";
    "system": TEXT_PREDICATE => "The system prompt.";
}

object! {
    REPLY, "a reply", one of &["action", "text", "result", "error"];
    "action": Word(&["accept", "decline", "cancel"]) => "Action of an elicitation.";
    "content": Map(&Any) => "Values of an accepted form.";
    "model": Text => "Name of the model that answers.";
    "text": Text => "The model's answer.";
    "result": Map(&Any) => "The whole result.";
    "error": Shape::Object(&REPLY_ERROR) => "A refusal as a JSON-RPC error.";
}

object! {
    REPLY_ERROR, "an error to reply with";
    "code" required: Number => "The code.";
    "message" required: Text => "The words.";
}

object! {
    CANCEL, "a cancellation";
    "after" required: Either(&[Duration, Shape::Object(&CANCEL_AFTER)]) => "The moment: a time after the request was sent, or { progress: N }, a number of progress notifications.";
}

object! {
    CANCEL_AFTER, "a moment";
    "progress" required: Count => "Number of progress notifications.";
}

object! {
    CAPTURE, "a capture";
    "from" required: Text => "JSON Pointer or JSONPath.";
    "in": Word(&["structured", "result", "text"]) => "Where to look: structuredContent (the default of calls), the whole result, or the text as JSON.";
}

object! {
    RETRY, "a retry";
    "times" required: Count => "Most attempts in all.";
    "every": Duration => "Pause between two.";
}

object! {
    /// Expectations of a step.
    pub(crate) EXPECT, "expectations" never empty;
    "error": Flag => "The tool reports a failure (isError).";
    "rpc-error": Either(&[Flag, Shape::Object(&RPC_ERROR)]) => "The server refuses with a JSON-RPC error.";
    "text": TEXT_PREDICATE => "All text of the result, blocks joined by line breaks.";
    "content": Shape::Object(&CONTENT) => "Content blocks of a call.";
    "contents": Shape::Object(&CONTENT) => "Contents of a resource.";
    "messages": Shape::Object(&CONTENT) => "Messages of a prompt.";
    "schema": Word(&["valid", "invalid"]) => "structuredContent against the tool's own outputSchema.";
    "at": PathMap(&PREDICATE_OR_VALUE) => "Values by path: in structuredContent of a call, in the result of anything else.";
    "result": PREDICATE_OR_VALUE => "The whole result.";
    "count": Range => "Number of items of a list.";
    "pages": Range => "Number of pages of a list.";
    "snapshot": Text => "Name of the snapshot that a list is compared with.";
    "ignore": List(&Pointer) => "Paths that snapshots leave out; `*` stands for any key or index, and a path may go on into JSON within a text. An item of a list becomes null, so that the others keep their indexes.";
    "allow": List(&Word(ALLOWED)) => "Changes of a list that do not fail.";
    "replace": Map(&Text) => "Texts that snapshots replace: regular expression to replacement.";
    "duration": Either(&[DurationRange, Shape::Object(&DURATION)]) => "Time from the request to its response.";
    "progress": Shape::Object(&PROGRESS) => "Progress notifications.";
    "logs": List(&Shape::Object(&LOG)) => "Log messages.";
    "stderr": TEXT_PREDICATE => "Lines of standard error.";
    "findings": Either(&[Word(&["none"]), Shape::Object(&FINDINGS)]) => "Violations of the protocol in any message of the step. Heuristic findings do not count.";
    "cancelled": Flag => "The request ends as cancelled.";
    "late-result": Flag => "A response comes within two seconds after the cancellation.";
}

/// Changes of a list that can be allowed: kinds, and classes of kinds.
pub(crate) const ALLOWED: &[&str] = &[
    "added",
    "removed",
    "narrowed",
    "widened",
    "hints",
    "description",
    "words",
    "breaking",
    "additive",
    "routing",
    "cosmetic",
];

object! {
    RPC_ERROR, "an RPC error";
    "code": PREDICATE_OR_VALUE => "The code.";
    "message": TEXT_PREDICATE => "The server's words.";
    "data": PREDICATE_OR_VALUE => "The data.";
}

object! {
    CONTENT, "content" never empty;
    "count": Range => "Number of blocks.";
    "types": List(&Text) => "Type of each block, in order.";
}

object! {
    DURATION, "a duration" never empty;
    "max": Duration => "Longest time.";
    "factor": Range => "At most so many times the duration of the baseline.";
}

object! {
    PROGRESS, "progress" never empty;
    "count": Range => "Number of notifications.";
    "last": PREDICATE_OR_VALUE => "`progress` of the last one.";
    "total": PREDICATE_OR_VALUE => "`total` of the last one.";
    "message": TEXT_PREDICATE => "`message` of the last one.";
    "increasing": Flag => "Each is greater than the one before.";
}

object! {
    LOG, "a log message";
    "level": Word(LEVELS) => "The level.";
    "logger": TEXT_PREDICATE => "The logger.";
    "data": PREDICATE_OR_VALUE => "The data.";
    "count": Range => "Number of such messages; without it at least one.";
}

object! {
    FINDINGS, "findings";
    "except" required: List(&Text) => "Rules that may be broken, by id.";
}

const TEXT_PREDICATE: Shape = Either(&[Text, Shape::Object(&PREDICATE)]);
const PREDICATE_OR_VALUE: Shape = Either(&[Shape::Object(&PREDICATE), Any]);

object! {
    /// Conditions that a value meets.
    pub(crate) PREDICATE, "a condition" never empty;
    "equals": Any => "Equal to this value. Numbers are compared digit by digit.";
    "contains": OneOrMore(&Any) => "A text with these parts, a list with these items, an object with these members.";
    "not-contains": OneOrMore(&Any) => "A text without these parts, a list without these items.";
    "matches": OneOrMore(&Regex) => "A text in which these regular expressions match.";
    "not-matches": OneOrMore(&Regex) => "A text in which these regular expressions do not match.";
    "starts": Text => "A text that begins so.";
    "ends": Text => "A text that ends so.";
    "one-of": List(&Any) => "One of these values.";
    "type": Word(&["object", "array", "string", "number", "integer", "boolean", "null"]) => "Of this JSON type.";
    "count": Range => "So many items, members, characters, or nodes of a JSONPath.";
    "absent": Flag => "Not there at all; null is there.";
    "present": Flag => "There, even if null.";
    "min": Number => "A number that is not smaller.";
    "max": Number => "A number that is not greater.";
    "json": PathMap(&Either(&[Shape::Object(&PREDICATE), Any])) => "A text that is JSON, with these values by path.";
    "schema": Any => "Valid against this JSON Schema.";
    "snapshot": Text => "Equal to the snapshot of this name.";
}
