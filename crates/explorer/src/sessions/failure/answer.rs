//! The server answered, and not as an MCP server does.

use serde_json::value::RawValue;
use sonde_mcp::{Era, EraChoice, Revision};

use super::{Failure, FailureContext, Words as _, failure};
use crate::calls::{cut, sentence};

/// How much of a wrong answer is shown, in characters.
const SHOWN: usize = 2_000;

/// An HTTP answer that is no MCP answer.
pub(super) fn http(status: u16, content_type: Option<&str>, snippet: &str) -> Failure {
    let html = content_type.is_some_and(|kind| kind.contains("html"))
        || snippet.trim_start().starts_with("<!")
        || snippet
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("<html");
    let found = match status {
        401 | 403 => failure(
            if status == 401 {
                "unauthorized"
            } else {
                "forbidden"
            },
            format!("The server wants to know who you are (HTTP {status})."),
            if status == 401 {
                "It needs a key or a login, and none that it accepts was sent."
            } else {
                "It knows you and does not let you in, or the key was wrong."
            },
        )
        .advise(
            "If you have a key or a token, edit the server and enter it under Signing in, or as the \
             header that the server asks for, marked as secret.",
        ),
        404 | 410 => failure(
            "no_endpoint",
            format!("There is no MCP server at this address (HTTP {status})."),
            "The computer answers, but it has nothing under this path.",
        )
        .advise("Check the path: many servers use /mcp at its end."),
        405 => failure(
            "method_not_allowed",
            "This address does not take messages (HTTP 405).",
            "Streamable HTTP sends every message by POST, which the server refuses here.",
        )
        .advise(
            "If the path ends in /sse, the server speaks the older HTTP+SSE transport: set the \
             server to that, or to automatic.",
        ),
        406 | 415 => failure(
            "not_acceptable",
            format!("The server does not accept the kind of message (HTTP {status})."),
            "It wants other `Accept` or `Content-Type` headers than MCP uses.",
        )
        .advise("Check that no header of your own overrides them."),
        408 | 429 | 503 => failure(
            "server_busy",
            format!("The server is busy (HTTP {status})."),
            "It asks to be left alone for a while.",
        )
        .advise("Wait a little, then connect again."),
        500..=599 => failure(
            "server_error",
            format!("The server failed (HTTP {status})."),
            "Something went wrong inside it, or sidecar the proxy in front of it.",
        )
        .advise("Look at the server's own log, then connect again."),
        _ if html => failure(
            "html_answer",
            "The address answers with a web page, not with MCP.",
            "It belongs to a website, a login page or a proxy.",
        )
        .advise("Check the path: many servers use /mcp at its end.")
        .advise("If a login page is in between, the server needs a header with a key."),
        300..=399 => failure(
            "redirected",
            format!("The server sends elsewhere (HTTP {status})."),
            "Redirects are end within one server only, and a few times at most.",
        )
        .advise("Look at the answer in the wire view and correct the address."),
        400..=499 => failure(
            "request_refused",
            format!("The server refuses the request (HTTP {status})."),
            "It is no MCP server, or of a kind that wants something more.",
        )
        .advise("Look at the answer in the wire view."),
        _ => failure(
            "no_mcp_answer",
            format!("The server answered HTTP {status} without an MCP message."),
            "It is probably not an MCP server.",
        )
        .advise("Check the address and its path."),
    };
    // Whatever the status, a page in a browser's format says where one has landed.
    let found = if html && found.code == "no_endpoint" {
        found.advise("It answers with a web page: this may be an ordinary website.")
    } else {
        found
    };
    let mut detail = String::new();
    if let Some(kind) = content_type {
        detail.push_str(&format!("Content-Type: {kind}\n"));
    }
    detail.push_str(&cut(snippet.trim(), SHOWN));
    if detail.is_empty() {
        detail.push_str("The body is empty.");
    }
    found.detail(detail)
}

/// The handshake was answered with an error.
pub(super) fn rejected(
    code: i64,
    message: &str,
    data: Option<&RawValue>,
    context: &FailureContext<'_>,
) -> Failure {
    let cause = format!("It says: {} (code {code})", cut(message, 500));
    let failure = match (supported(data, context), code) {
        // What it speaks says more than how it refuses (Versioning, -32022).
        (Some(supported), _) => failure(
            "unknown_revision",
            format!("The server speaks only {supported}."),
            cause,
        )
        .advise(if !context.chosen {
            "Sonde speaks none of these: update Sonde, or the server."
        } else {
            "This server is set to another protocol version: choose automatic."
        }),
        (None, -32601) if stateless(context.era) => failure(
            "handshake_rejected",
            "The server does not know stateless requests.",
            cause,
        )
        .advise("It probably wants the handshake: choose automatic as its protocol version."),
        (None, -32601) => failure(
            "handshake_rejected",
            "The server does not know the MCP handshake.",
            cause,
        )
        .advise(
            "It speaks JSON-RPC, but is either no MCP server or one of a newer kind without a \
             handshake.",
        )
        .advise_automatic(context),
        (None, _) => failure(
            "handshake_rejected",
            "The server refuses the handshake.",
            cause,
        )
        .advise("What it says should tell why. The wire view has the whole exchange.")
        .advise_automatic(context),
    };
    match data {
        Some(data) => failure.detail(cut(data.get(), SHOWN)),
        None => failure,
    }
}

fn stateless(era: EraChoice) -> bool {
    match era {
        EraChoice::Stateless => true,
        EraChoice::Fixed(revision) => revision.era() == Era::Modern,
        EraChoice::Automatic | EraChoice::Handshake => false,
    }
}

/// The revisions that an error names as those it supports, for a sentence; `None` when the one that
/// was refused is among them.
fn supported(data: Option<&RawValue>, context: &FailureContext<'_>) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Data {
        supported: Vec<String>,
    }
    let data: Data = serde_json::from_str(data?.get()).ok()?;
    let tried = match (context.offer, context.era) {
        (Some(offer), _) | (None, EraChoice::Fixed(offer)) => offer,
        (None, EraChoice::Stateless) => Revision::NEWEST_MODERN,
        (None, EraChoice::Handshake | EraChoice::Automatic) => Revision::NEWEST_LEGACY,
    };
    if data.supported.iter().any(|name| name == tried.as_str()) {
        return None;
    }
    let names: Vec<_> = data
        .supported
        .iter()
        .take(10)
        .map(|name| cut(name, 40))
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

trait Automatic {
    fn advise_automatic(self, context: &FailureContext<'_>) -> Self;
}

impl Automatic for Failure {
    /// A choice of the user's own may be the reason.
    fn advise_automatic(self, context: &FailureContext<'_>) -> Self {
        if context.chosen {
            self.advise(
                "This server is set to one way of the protocol: choose automatic to let Sonde \
                 find out what it speaks.",
            )
        } else {
            self
        }
    }
}

pub(super) fn unknown_revision(answered: &str) -> Failure {
    failure(
        "unknown_revision",
        format!(
            "The server speaks a protocol version that Sonde does not know: `{}`.",
            cut(answered, 100)
        ),
        "Client and server must agree on one version of the protocol.",
    )
    .advise("Update Sonde if this is a new version; otherwise the server's answer is wrong.")
}

pub(super) fn bad_shape(problem: &str) -> Failure {
    failure(
        "bad_shape",
        "The server's answer to the handshake is not what the protocol asks for.",
        sentence(problem),
    )
    .advise("The server needs a fix. The wire view shows its answer in full.")
}

/// No answer in time.
pub(super) fn timed_out(context: &FailureContext<'_>) -> Failure {
    let seconds = context.patience;
    let (_, noise) = context.tap.tails();
    if !context.is_process() {
        return failure(
            "handshake_timeout",
            format!("The server did not answer within {seconds} seconds."),
            "It accepted the connection, and then no MCP answer came.",
        )
        .advise("Check that the address is that of an MCP server and not of another service.");
    }
    if !noise.is_empty() && !context.tap.heard() {
        return failure(
            "no_mcp_output",
            "The program prints something that is no MCP message.",
            format!("It wrote: {}", noise.last().map_or("", String::as_str)),
        )
        .advise("It is probably no MCP server, or it needs an argument that makes it one.")
        .advise("A server must write its own messages for people to standard error.");
    }
    failure(
        "handshake_timeout",
        format!("The program runs, but did not answer within {seconds} seconds."),
        "It may wait for something, or be no MCP server over stdio.",
    )
    .advise("A first start may download a lot: wait a little and connect again.")
    .advise("Check that its arguments make it a server over standard input and output.")
}
