//! Server requests that wait for the user's reply.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_findings::FindingView;
use sonde_mcp::{ServerRequest, ServerRequestId};
use tokio_util::sync::{CancellationToken, DropGuard};
use ts_rs::TS;

use crate::{
    Error,
    canonical::digest,
    clock,
    config::ServerId,
    log::WireLog,
    operations::{AnswerKind, AnsweredRequest, AnsweringRule, AskedPage, OperationNumber},
    text::{cut, cut_bytes},
};

/// Limit of open requests per server.
const OPEN: usize = 100;
/// The longest `params` that travel to the window, in bytes.
const PARAMS: usize = 256 * 1024;
/// The longest schema of a form, in bytes.
const SCHEMA: usize = 1024 * 1024;
/// Limit of a form's message, in characters.
const MESSAGE: usize = 4_000;
/// The longest name of a method, in characters.
const METHOD: usize = 256;

/// The method of forms.
pub(super) const ELICIT: &str = "elicitation/create";

/// The user's reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnswerInput {
    /// The filled form, as JSON text.
    Accept {
        /// The values.
        content: String,
    },
    /// The user declined.
    Decline,
    /// Neither yes nor no: the user dismissed it.
    Cancel,
    /// Any result, as JSON text, for a server request that is not a form.
    Raw {
        /// The result.
        result: String,
    },
    /// A refusal as a JSON-RPC error (handshake era only).
    Error {
        /// JSON-RPC error code.
        code: i64,
        /// Message of the error.
        message: String,
    },
}

impl AnswerInput {
    /// Creates a refusal.
    #[must_use]
    pub fn error(code: i64, message: &str) -> Self {
        let message = message.to_owned();
        Self::Error { code, message }
    }
}

/// An open request of a server: something that it asks of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OpenServerRequest {
    /// Names it over all servers.
    #[serde(rename = "request")]
    pub number: u64,
    /// The server that asks.
    pub server: ServerId,
    /// Operation during which it arrived.
    pub operation: Option<OperationNumber>,
    /// Operations that were running when it arrived, if it cannot be assigned to one of them.
    pub candidates: Vec<OperationNumber>,
    /// The method, for example `elicitation/create`.
    pub method: String,
    /// For an elicitation, the server's message; otherwise one plain sentence.
    pub message: String,
    /// For a form: the schema of the answer as JSON text.
    pub schema: Option<String>,
    /// Digest of that schema, whatever the order of its keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub schema_digest: Option<String>,
    /// `params` as JSON text as received, at most 256 KiB.
    pub params: String,
    /// The server asked for it as a task, and asks for the answer later.
    pub as_task: bool,
    /// The server must not ask this, since the ability was not declared.
    pub undeclared: bool,
    /// Deviations from the specification.
    pub findings: Vec<FindingView>,
    /// Note on the request by the rule for its kind, as a sentence.
    pub rule: Option<String>,
    /// The log entry that carried it.
    pub seq: u64,
    /// Time it was opened, on the clock of [`clock::micros`].
    #[serde(skip)]
    pub(super) since: u64,
    #[serde(skip)]
    pub(super) generation: u32,
    #[serde(skip)]
    pub(super) id: ServerRequestId,
    /// A reply that is on its way to the session, with the rule that made it. The session may learn first that the
    /// server wants no reply.
    #[serde(skip)]
    reply_given: Option<(AnswerKind, Option<AnsweringRule>)>,
}

impl OpenServerRequest {
    /// The operations with which its answer is kept.
    pub(super) fn operations(&self) -> impl Iterator<Item = OperationNumber> {
        self.operation
            .into_iter()
            .chain(self.candidates.iter().copied())
    }

    /// True if a reply was given.
    pub(super) fn has_reply(&self) -> bool {
        self.reply_given.is_some()
    }

    /// Returns what to keep once the reply was sent: its record, and the page that the user agreed to open.
    pub(super) fn answered(&self, log: &WireLog) -> Option<(AnsweredRequest, Option<AskedPage>)> {
        let (answer, rule) = self.reply_given.clone()?;
        let page = (answer == AnswerKind::Accept)
            .then(|| AskedPage::of(&self.params, false, log))
            .flatten();
        let answered = AnsweredRequest {
            request: self.number,
            method: self.method.clone(),
            message: self.message.clone(),
            answer,
            rule,
            seq: self.seq,
        };
        Some((answered, page))
    }
}

/// All open server requests by their number.
#[derive(Debug, Default)]
pub struct ServerRequests {
    open: BTreeMap<u64, OpenServerRequest>,
    /// Guards that cancel a waiting automatic answer when its request is closed.
    closing: BTreeMap<u64, DropGuard>,
}

impl ServerRequests {
    /// The oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &OpenServerRequest> {
        self.open.values()
    }

    /// The open request with this number.
    #[must_use]
    pub fn get(&self, request: u64) -> Option<&OpenServerRequest> {
        self.open.get(&request)
    }

    pub(super) fn get_mut(&mut self, request: u64) -> Option<&mut OpenServerRequest> {
        self.open.get_mut(&request)
    }

    /// Is cancelled when this open request is closed.
    pub(super) fn closing(&mut self, request: u64) -> CancellationToken {
        let closing = CancellationToken::new();
        self.closing.insert(request, closing.clone().drop_guard());
        closing
    }

    /// Opens a server request and returns its number; `None` when too many are open.
    pub(super) fn add(&mut self, request: OpenServerRequest) -> Option<u64> {
        if self.open.len() >= OPEN {
            return None;
        }
        let number = request.number;
        self.open.insert(number, request);
        Some(number)
    }

    /// Sets the reply to a request, with its rule if one made it. False if the request is closed or was answered
    /// before.
    pub(super) fn set_reply(
        &mut self,
        request: u64,
        answer: AnswerKind,
        rule: Option<AnsweringRule>,
    ) -> bool {
        match self.open.get_mut(&request) {
            Some(open) if open.reply_given.is_none() => {
                open.reply_given = Some((answer, rule));
                true
            }
            _ => false,
        }
    }

    /// The answer did not reach the session.
    pub(super) fn clear_reply(&mut self, request: u64) {
        if let Some(open) = self.open.get_mut(&request) {
            open.reply_given = None;
        }
    }

    /// Removes a server request that the session closed, and returns it.
    pub(super) fn close(
        &mut self,
        generation: u32,
        id: ServerRequestId,
    ) -> Option<OpenServerRequest> {
        let number = self
            .open
            .iter()
            .find(|(_, one)| one.id == id && one.generation == generation)
            .map(|(number, _)| *number)?;
        self.closing.remove(&number);
        self.open.remove(&number)
    }

    /// Removes all requests at the end of the session, and returns their numbers.
    pub(crate) fn close_all(&mut self) -> Vec<u64> {
        self.closing.clear();
        std::mem::take(&mut self.open).into_keys().collect()
    }
}

/// The members of `params` that make a form.
#[derive(Deserialize)]
struct Elicitation<'a> {
    mode: Option<String>,
    message: Option<String>,
    #[serde(borrow, rename = "requestedSchema")]
    schema: Option<&'a RawValue>,
}

/// A server request as it is shown; its number comes when it is opened. What a server asks is shown
/// without this server's secrets, which it may have been sent.
pub(super) fn open_request(
    server: ServerId,
    generation: u32,
    request: &ServerRequest,
    log: &WireLog,
) -> OpenServerRequest {
    let method = cut(&log.redact(&request.method), METHOD);
    let mut params = request
        .params
        .as_ref()
        .map_or_else(String::new, |params| params.get().to_owned());
    log.hide(&mut params);
    let asked: Option<Elicitation<'_>> = (request.method == ELICIT)
        .then(|| serde_json::from_str(&params).ok())
        .flatten();
    let (message, schema) = match asked {
        // Elicitation, Form Mode: a missing `mode` means a form.
        Some(asked) if asked.mode.as_deref().is_none_or(|mode| mode == "form") => {
            let words = asked
                .message
                .filter(|words| !words.trim().is_empty())
                .unwrap_or_else(|| "The server asks you to fill in a form.".to_owned());
            let schema = asked
                .schema
                .map(|schema| schema.get().to_owned())
                .filter(|schema| schema.len() <= SCHEMA);
            (cut(&words, MESSAGE), schema)
        }
        Some(asked) if asked.mode.as_deref() == Some("url") => {
            let words = asked.message.filter(|words| !words.trim().is_empty());
            let words = words.unwrap_or_else(|| "The server asks you to open a page.".to_owned());
            (cut(&words, MESSAGE), None)
        }
        _ => (words(&method).to_owned(), None),
    };
    params.truncate(cut_bytes(&params, PARAMS).len());
    OpenServerRequest {
        number: 0,
        server,
        operation: request.operation.map(|operation| operation.0),
        candidates: request.candidates.iter().map(|one| one.0).collect(),
        message,
        method,
        schema_digest: schema.as_deref().map(digest),
        schema,
        params,
        as_task: request.as_task,
        undeclared: !request.declared,
        findings: request
            .findings
            .iter()
            .cloned()
            .map(|mut finding| {
                finding.values_mut().for_each(|value| log.hide(value));
                FindingView::from(&finding)
            })
            .collect(),
        rule: None,
        seq: request.seq.0,
        since: clock::micros(),
        generation,
        id: request.id,
        reply_given: None,
    }
}

fn words(method: &str) -> &'static str {
    match method {
        ELICIT => "The server requests input in a way that Sonde does not know.",
        "sampling/createMessage" => "The server requests a response from a language model.",
        "roots/list" => "The server requests the list of roots (the folders it may work in).",
        _ => "The server sent a request that only you can answer.",
    }
}

/// Classifies a reply for the records of the run.
pub(super) fn answer_kind(method: &str, answer: &AnswerInput) -> AnswerKind {
    #[derive(Deserialize)]
    struct Elicited {
        action: String,
    }
    let action = match answer {
        AnswerInput::Accept { .. } => "accept".to_owned(),
        AnswerInput::Decline => "decline".to_owned(),
        AnswerInput::Cancel => "cancel".to_owned(),
        AnswerInput::Raw { result } if method == ELICIT => serde_json::from_str(result)
            .map_or_else(|_| String::new(), |read: Elicited| read.action),
        AnswerInput::Raw { .. } => String::new(),
        AnswerInput::Error { .. } => return AnswerKind::Error,
    };
    match action.as_str() {
        "accept" => AnswerKind::Accept,
        "decline" => AnswerKind::Decline,
        "cancel" => AnswerKind::Cancel,
        _ => AnswerKind::Result,
    }
}

/// Converts the user's answer to a JSON-RPC reply.
///
/// # Errors
/// `InvalidInput` with one plain sentence.
pub(super) fn reply(method: &str, answer: AnswerInput) -> Result<sonde_mcp::Reply, Error> {
    use sonde_mcp::Reply;
    let fits_any = matches!(answer, AnswerInput::Raw { .. } | AnswerInput::Error { .. });
    if !fits_any && method != ELICIT {
        return Err(Error::invalid(
            "Only a form can be accepted, declined or cancelled. Respond to this request with a \
             result or an error.",
        ));
    }
    Ok(match answer {
        AnswerInput::Accept { content } => {
            check_json(&content, "The form values are not valid JSON.")?;
            if !content.trim_start().starts_with('{') {
                return Err(Error::invalid(
                    "Form values must be a JSON object with one member per field.",
                ));
            }
            Reply::Result(format!(r#"{{"action":"accept","content":{content}}}"#))
        }
        AnswerInput::Decline => Reply::Result(r#"{"action":"decline"}"#.to_owned()),
        AnswerInput::Cancel => Reply::Result(r#"{"action":"cancel"}"#.to_owned()),
        AnswerInput::Raw { result } => {
            check_json(&result, "The result is not valid JSON.")?;
            Reply::Result(result)
        }
        AnswerInput::Error { code, message } => Reply::Error { code, message },
    })
}

fn check_json(text: &str, complaint: &str) -> Result<(), Error> {
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| Error::InvalidInput {
            message: complaint.to_owned(),
            detail: Some(error.to_string()),
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sonde_mcp::{OperationId, Reply};
    use sonde_wire::Seq;

    use super::*;
    use crate::log::{LogLimits, Secrets};

    fn asked(method: &str, params: &str) -> ServerRequest {
        ServerRequest {
            id: ServerRequestId(7),
            operation: Some(OperationId(3)),
            candidates: Vec::new(),
            method: method.to_owned(),
            params: RawValue::from_string(params.to_owned()).ok().map(Arc::from),
            key: None,
            as_task: false,
            declared: true,
            findings: Vec::new(),
            seq: Seq(5),
        }
    }

    fn shown(method: &str, params: &str) -> OpenServerRequest {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.set_secrets(Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        open_request("s".to_owned(), 1, &asked(method, params), &log)
    }

    #[test]
    fn forms_show_the_words_and_the_schema_of_the_server() {
        for mode in ["", r#""mode": "form","#] {
            let params = format!(
                r#"{{{mode} "message": "Name? hush-hush", "requestedSchema": {{ "b":1.0, "a":2 }}}}"#
            );
            let view = shown(ELICIT, &params);
            assert!(view.message.starts_with("Name? ‹"), "{}", view.message);
            assert_eq!(view.schema.as_deref(), Some(r#"{ "b":1.0, "a":2 }"#));
            assert_eq!(
                (view.operation, view.seq, view.undeclared),
                (Some(3), 5, false)
            );
            assert!(!view.params.contains("hush-hush"));
        }
        let view = shown(
            ELICIT,
            r#"{"mode": "url", "url": "https://a/b", "message": "m"}"#,
        );
        assert_eq!((view.message.as_str(), view.schema), ("m", None));
        let view = shown(ELICIT, r#"{"mode": "url", "url": "https://a/b"}"#);
        assert_eq!(view.message, "The server asks you to open a page.");
    }

    #[test]
    fn other_server_requests_have_a_plain_sentence_and_their_params() {
        for (method, params) in [
            ("sampling/createMessage", r#"{"messages": []}"#),
            ("roots/list", "{}"),
            ("x/y", "[1]"),
            (ELICIT, "17"),
            (ELICIT, r#"{"message": 17}"#),
        ] {
            let view = shown(method, params);
            assert!(view.message.ends_with('.'), "{}", view.message);
            assert_eq!((view.params.as_str(), view.schema), (params, None));
        }
        let long = format!("{{\"a\": \"{}\"}}", "ü".repeat(PARAMS));
        assert_eq!(shown("x/y", &long).params.len(), PARAMS - 1);
    }

    #[test]
    fn answers_are_sent_as_written() {
        let accept = |content: &str| {
            reply(
                ELICIT,
                AnswerInput::Accept {
                    content: content.to_owned(),
                },
            )
        };
        assert_eq!(
            accept("{ \"n\": 9007199254740993,\n\"a\": null }").unwrap(),
            Reply::Result(
                "{\"action\":\"accept\",\"content\":{ \"n\": 9007199254740993,\n\"a\": null }}"
                    .to_owned()
            )
        );
        assert_eq!(
            reply(ELICIT, AnswerInput::Decline).unwrap(),
            Reply::Result(r#"{"action":"decline"}"#.to_owned())
        );
        assert_eq!(
            reply(ELICIT, AnswerInput::Cancel).unwrap(),
            Reply::Result(r#"{"action":"cancel"}"#.to_owned())
        );
        for refused in [accept("[]"), accept("{"), accept("")] {
            assert!(matches!(refused.unwrap_err(), Error::InvalidInput { .. }));
        }
        for answer in [AnswerInput::Decline, AnswerInput::Cancel] {
            let error = reply("roots/list", answer).unwrap_err();
            assert!(error.to_string().contains("form"));
        }
        let raw = |result: &str| {
            reply(
                "roots/list",
                AnswerInput::Raw {
                    result: result.to_owned(),
                },
            )
        };
        assert_eq!(
            raw(r#"{"roots":[]}"#).unwrap(),
            Reply::Result(r#"{"roots":[]}"#.to_owned())
        );
        assert!(raw("roots").is_err());
    }

    #[test]
    fn an_answer_is_of_a_kind() {
        let raw = |result: &str| AnswerInput::Raw {
            result: result.to_owned(),
        };
        for (method, answer, kind) in [
            (ELICIT, AnswerInput::Decline, AnswerKind::Decline),
            (ELICIT, raw(r#"{"action":"accept"}"#), AnswerKind::Accept),
            (ELICIT, raw(r#"{"action":"x"}"#), AnswerKind::Result),
            (ELICIT, raw("3"), AnswerKind::Result),
            (
                "roots/list",
                raw(r#"{"action":"accept"}"#),
                AnswerKind::Result,
            ),
        ] {
            assert_eq!(answer_kind(method, &answer), kind, "{answer:?}");
        }
    }

    #[test]
    fn what_waits_to_answer_a_request_ends_with_it() {
        let mut server_requests = ServerRequests::default();
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let mut add = |number, generation| {
            let mut open = open_request("s".to_owned(), generation, &asked(ELICIT, "{}"), &log);
            open.number = number;
            server_requests.add(open).unwrap();
            server_requests.closing(number)
        };
        let (withdrawn, lost) = (add(1, 1), add(2, 2));
        server_requests.close(1, ServerRequestId(7));
        assert!(withdrawn.is_cancelled() && !lost.is_cancelled());
        assert_eq!(server_requests.close_all(), [2]);
        assert!(lost.is_cancelled());
    }

    #[test]
    fn server_requests_are_bounded() {
        let mut server_requests = ServerRequests::default();
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let add = |server_requests: &mut ServerRequests, number| {
            let mut open = open_request("s".to_owned(), 1, &asked("roots/list", "{}"), &log);
            open.number = number;
            server_requests.add(open)
        };
        for number in 1..=OPEN as u64 {
            assert_eq!(add(&mut server_requests, number), Some(number));
        }
        assert_eq!(add(&mut server_requests, 900), None);
        assert_eq!(server_requests.close(2, ServerRequestId(7)), None);
        let closed = server_requests.close(1, ServerRequestId(7));
        assert_eq!(closed.map(|closed| closed.number), Some(1));
        assert_eq!(add(&mut server_requests, 901), Some(901));
    }
}
