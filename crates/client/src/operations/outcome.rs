//! Outcomes of operations.

use serde::{Deserialize, Serialize};
use sonde_findings::{FindingView, Severity, rules};
use sonde_lint::ResultSize;
use sonde_validation::ArgumentProblem;
use ts_rs::TS;

use crate::icons::{ShownIcon, ShownIcons};

/// Kinds of content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum ContentKind {
    Text,
    Image,
    Audio,
    ResourceLink,
    EmbeddedText,
    EmbeddedBlob,
    /// A type that this version of the app does not know, or a damaged one.
    #[default]
    Unknown,
}

/// One content block of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ContentBlock {
    /// Kind of the content.
    pub kind: ContentKind,
    /// MIME type as the server says.
    pub mime_type: Option<String>,
    /// Size in bytes: of the text, or of the decoded data.
    pub bytes: u64,
    /// The whole text where it has at most 64 KiB; longer texts are read as a document.
    pub text: Option<String>,
    /// Length of the text as hosts count it; 0 in a run of an earlier start.
    #[serde(skip)]
    pub size: ResultSize,
    /// The URI of a link or an embedded resource; at most 8,192 characters, `…` ends a cut one.
    pub uri: Option<String>,
    /// Name, title and description of a link, joined for display.
    pub title: Option<String>,
    /// Further statements of the server about the content, if there are any.
    pub details: Option<Box<ContentDetails>>,
    /// Findings about this block.
    pub findings: Vec<FindingView>,
}

/// Statements of a server about a piece of content, beside the content itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ContentDetails {
    /// `annotations.audience`: the first ten, at most 256 characters of each.
    pub audience: Vec<String>,
    /// `annotations.priority`.
    pub priority: Option<f64>,
    /// `annotations.lastModified`, at most 256 characters of it.
    pub last_modified: Option<String>,
    /// `size` of a link, in bytes.
    pub size: Option<u64>,
    /// `icons` of a link: the first four.
    pub icons: ShownIcons,
    /// `_meta` as JSON text as received; at most 4 KiB, `…` ends a cut one.
    pub meta: Option<String>,
    /// `_meta` of the embedded resource, in the same form.
    pub resource_meta: Option<String>,
}

impl ContentDetails {
    /// Bytes of its texts.
    pub(super) fn weight(&self) -> usize {
        let icons = self.icons.first.iter().map(ShownIcon::weight);
        let texts = [&self.last_modified, &self.meta, &self.resource_meta];
        let texts = texts.into_iter().flatten().chain(&self.audience);
        icons.sum::<usize>() + texts.map(String::len).sum::<usize>()
    }
}

/// `structuredContent` of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct StructuredContent {
    /// Size as JSON text in bytes.
    pub bytes: u64,
    /// The whole JSON text where it has at most 256 KiB; longer ones are read as a document.
    pub json: Option<String>,
    /// Violations of the output schema.
    pub problems: Vec<ArgumentProblem>,
    /// Reason why it could not be checked against the output schema, as one plain sentence.
    pub unchecked: Option<String>,
}

/// Result of getting a prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct PromptResult {
    /// Purpose of the prompt, Markdown by convention; at most 64 KiB.
    pub description: Option<String>,
    /// Its messages, in order.
    pub messages: Vec<PromptMessage>,
}

/// One message of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct PromptMessage {
    /// Speaker: `user`, `assistant`, or the server's own value. Empty if the server gave none.
    pub role: String,
    /// Number of content blocks of this message. The result lists the blocks of all messages in order.
    pub blocks: u32,
    /// Findings about the message, except those about its content.
    pub findings: Vec<FindingView>,
}

/// Reasons why an operation ended without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LostCode {
    /// The process ended, or the connection broke.
    ConnectionLost,
    /// Sonde was closed, or ended otherwise.
    AppClosed,
    /// The HTTP request failed, for example with a redirect to another origin.
    ExchangeFailed,
    /// The response stream ended without a response to this request.
    NoResponse,
    /// An HTTP response without an MCP message.
    HttpStatus,
    /// The response was larger than the limit.
    TooLarge,
    /// The server no longer knows the session (HTTP 404, or 400 in words that say so).
    SessionExpired,
    /// The response stream broke and could not be resumed.
    StreamLost,
    /// The server asked for input more often than the limit allows.
    TooManyRounds,
    /// The protocol forbids calling this tool, so nothing was sent.
    Forbidden,
    /// It was never sent, for another reason.
    NotSent,
}

/// Outcomes of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OperationOutcome {
    /// The server answered.
    Result {
        /// The tool itself reports a failure.
        is_error: bool,
        /// Its content blocks.
        content: Vec<ContentBlock>,
        /// Its structured content.
        structured: Option<StructuredContent>,
        /// The messages of a prompt, whose content is `content`.
        prompt: Option<PromptResult>,
        /// `_meta` as JSON text as received; at most 64 KiB, `…` ends a cut one.
        meta: Option<String>,
        /// Size of the result as JSON text in bytes.
        bytes: u64,
        /// Deviations from the shape that the specification defines.
        findings: Vec<FindingView>,
    },
    /// The server refused with a JSON-RPC error.
    ProtocolError {
        /// JSON-RPC error code.
        code: i64,
        /// The server's message.
        message: String,
        /// `data` as JSON text, at most 64 KiB of it.
        data: Option<String>,
        /// Meaning of the code, as one plain sentence.
        meaning: String,
    },
    /// The response does not fit this request.
    BadShape {
        /// Fault of the response, as one plain sentence.
        problem: String,
    },
    /// The notification was sent; it has no response.
    Sent,
    /// A limit passed.
    TimedOut {
        /// True for the limit on the whole duration, false for the idle limit.
        hard: bool,
    },
    /// Cancelled by the user without a response; or the server reports the task as cancelled.
    Cancelled,
    /// The user no longer waits for the task, which goes on.
    StoppedWaiting,
    /// It ended without a response.
    Lost {
        /// Reason, as one plain sentence.
        reason: String,
        /// Reason as a code, for the window to branch on.
        code: LostCode,
    },
}

impl OperationOutcome {
    /// Returns the findings about a result, except violations of the output schema.
    pub fn findings(&self) -> impl Iterator<Item = &FindingView> {
        let parts = match self {
            Self::Result {
                content,
                prompt,
                findings,
                ..
            } => Some((content, prompt, findings)),
            _ => None,
        };
        parts.into_iter().flat_map(|(content, prompt, findings)| {
            let of_blocks = content.iter().flat_map(|block| &block.findings);
            let messages = prompt.iter().flat_map(|prompt| &prompt.messages);
            let of_messages = messages.flat_map(|message| &message.findings);
            findings.iter().chain(of_blocks).chain(of_messages)
        })
    }

    /// Counts the deviations of a result from the specification and from the tool's output schema.
    #[must_use]
    pub fn issues(&self) -> usize {
        let wrong = self.findings();
        let wrong = wrong.filter(|finding| finding.severity != Severity::Info);
        let problems = match self {
            Self::Result {
                structured: Some(structured),
                ..
            } => structured.problems.len(),
            _ => 0,
        };
        wrong.count() + problems
    }

    /// Removes findings that do not apply to this protocol version. If it is unknown, keeps those that apply to all.
    pub(super) fn keep_applicable(&mut self, revision: Option<&str>) {
        let Self::Result {
            content,
            prompt,
            findings,
            ..
        } = self
        else {
            return;
        };
        let applies = |finding: &FindingView| match (rules::find(&finding.rule), revision) {
            (Some(rule), Some(revision)) => rule.applies_in(revision),
            _ => finding.revisions.is_none(),
        };
        let of_blocks = content.iter_mut().map(|block| &mut block.findings);
        let messages = prompt.iter_mut().flat_map(|prompt| &mut prompt.messages);
        let of_messages = messages.map(|message| &mut message.findings);
        for findings in of_blocks.chain(of_messages).chain([findings]) {
            findings.retain(applies);
        }
    }

    /// Approximate size in memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        let all =
            |findings: &[FindingView]| findings.iter().map(FindingView::weight).sum::<usize>();
        match self {
            OperationOutcome::Result {
                content,
                structured,
                prompt,
                meta,
                findings,
                ..
            } => {
                let prompt = prompt.as_ref().map_or(0, |prompt| {
                    let messages = prompt.messages.iter().map(|message| {
                        size_of::<PromptMessage>() + message.role.len() + all(&message.findings)
                    });
                    messages.sum::<usize>() + prompt.description.as_ref().map_or(0, String::len)
                });
                let content = content.iter().map(|block| {
                    let texts = [&block.mime_type, &block.text, &block.uri, &block.title];
                    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
                    let details = block
                        .details
                        .as_ref()
                        .map_or(0, |details| size_of::<ContentDetails>() + details.weight());
                    size_of::<ContentBlock>() + texts + details + all(&block.findings)
                });
                let structured = structured.as_ref().map_or(0, |structured| {
                    let problems = structured.problems.iter().map(ArgumentProblem::weight);
                    let json = structured.json.as_ref().map_or(0, String::len);
                    problems.sum::<usize>() + json
                });
                let meta = meta.as_ref().map_or(0, String::len);
                prompt + content.sum::<usize>() + structured + meta + all(findings)
            }
            OperationOutcome::ProtocolError { message, data, .. } => {
                message.len() + data.as_ref().map_or(0, String::len)
            }
            OperationOutcome::BadShape { problem: text }
            | OperationOutcome::Lost { reason: text, .. } => text.len(),
            OperationOutcome::Sent
            | OperationOutcome::TimedOut { .. }
            | OperationOutcome::Cancelled
            | OperationOutcome::StoppedWaiting => 0,
        }
    }
}
