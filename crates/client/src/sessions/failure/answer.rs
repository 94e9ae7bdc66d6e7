//! Failures where the server responded, but not like an MCP server.

use serde_json::value::RawValue;
use sonde_mcp::{Era, EraChoice, Revision};
use url::Url;

use super::{Failure, FailureContext, failure};
use crate::{
    config::{AuthConfig, ConfigValue, HttpKind, Transport},
    sessions::{attempts::TransportKind, connect_tap::Responses},
    text::{cut, sentence},
};

/// Longest part of an unexpected response that is shown, in characters.
const SHOWN: usize = 2_000;

/// Explains an HTTP response that is not an MCP response.
pub(super) fn http(
    status: u16,
    content_type: Option<&str>,
    snippet: &str,
    context: &FailureContext<'_>,
) -> Failure {
    let html = content_type.is_some_and(|kind| kind.contains("html"))
        || snippet.trim_start().starts_with("<!")
        || snippet
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("<html");
    let automatic = matches!(
        context.transport,
        Transport::Http {
            kind: HttpKind::Automatic,
            ..
        }
    );
    let web_socket = context.carrier == TransportKind::WebSocket;
    let found = match status {
        404 | 405 | 410 if context.announced().is_some() => {
            let announced = context.announced().unwrap_or_default();
            wrong_announcement(status, &announced, context.url())
        }
        401 | 403 if credentials(context.transport).is_some() => {
            let what = credentials(context.transport).unwrap_or_default();
            rejected_credentials(status, &what)
        }
        401 | 403 => failure(
            if status == 401 {
                "unauthorized"
            } else {
                "forbidden"
            },
            format!("The server requires authentication (HTTP {status})."),
            if status == 401 {
                "It needs a key or a sign-in, and nothing that it accepts was sent."
            } else {
                "Access is denied for this account or key."
            },
        )
        .advise(
            "If you have a key or a token, edit the server and enter it under Authentication, or \
             as the header that the server requires, marked as secret.",
        ),
        404 | 410 => failure(
            "no_endpoint",
            format!("There is no MCP server at this URL (HTTP {status})."),
            "The host responds, but there is nothing at this path.",
        )
        .advise("Check the path: for many servers it ends in /mcp."),
        405 => failure(
            "method_not_allowed",
            "This URL does not accept messages (HTTP 405).",
            if web_socket {
                "A WebSocket is opened with GET, which the server rejects here."
            } else {
                "Streamable HTTP sends every message with POST, which the server rejects here."
            },
        )
        .advise(if web_socket {
            "If the server uses Streamable HTTP, its URL starts with http:// or https://."
        } else if automatic {
            "Check the URL: for many servers the path ends in /mcp."
        } else {
            "If the path ends in /sse, the server uses the older HTTP+SSE transport: set the \
             transport to that or to automatic."
        }),
        406 | 415 => failure(
            "not_acceptable",
            format!("The server does not accept the message format (HTTP {status})."),
            "It requires `Accept` or `Content-Type` headers other than those of MCP.",
        )
        .advise("Check that none of your own headers override them."),
        408 | 429 | 503 => failure(
            "server_busy",
            format!("The server is busy (HTTP {status})."),
            "It asks clients to wait.",
        )
        .advise("Wait a moment, then reconnect."),
        500..=599 => failure(
            "server_error",
            format!("The server failed (HTTP {status})."),
            "Something went wrong in the server or in a proxy in front of it.",
        )
        .advise("Check the server's own log, then reconnect."),
        _ if html => failure(
            "html_answer",
            "The URL returns a web page, not MCP.",
            "It belongs to a website, a login page or a proxy.",
        )
        .advise("Check the path: for many servers it ends in /mcp.")
        .advise("If this is a login page, the server needs a header with a key."),
        300..=399 => failure(
            "redirected",
            format!("The server redirects (HTTP {status})."),
            if web_socket {
                "Redirects of a WebSocket are not followed."
            } else {
                "Redirects are followed only within the same origin and only a few times."
            },
        )
        .advise("Check the response in the wire log and correct the URL."),
        400..=499 => failure(
            "request_refused",
            format!("The server rejects the request (HTTP {status})."),
            "It is not an MCP server, or it requires something else.",
        )
        .advise("Check the response in the wire log."),
        _ => failure(
            "no_mcp_answer",
            format!("The server returned HTTP {status} without an MCP message."),
            "It is probably not an MCP server.",
        )
        .advise("Check the URL and its path."),
    };
    // Whatever the status, an HTML page suggests that this is a website.
    let found = if html && found.code == "no_endpoint" {
        found.advise("It returns a web page: this may be an ordinary website.")
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

/// Names the credentials of a transport, for a sentence.
fn credentials(transport: &Transport) -> Option<String> {
    let Transport::Http { headers, auth, .. } = transport else {
        return None;
    };
    if matches!(auth, AuthConfig::Token { .. }) {
        return Some("token".to_owned());
    }
    let header = headers.iter().find(|header| {
        header.value == ConfigValue::SECRET || header.name.eq_ignore_ascii_case("authorization")
    });
    header.map(|header| format!("header `{}`", header.name))
}

fn rejected_credentials(status: u16, what: &str) -> Failure {
    match status {
        401 => failure(
            "unauthorized",
            format!("The server rejects the {what} (HTTP 401)."),
            "It was sent and is not accepted: it may be mistyped, expired or meant for another \
             server.",
        )
        .advise("Edit the server and enter a new value."),
        _ => failure(
            "forbidden",
            format!("The server denies access (HTTP {status})."),
            format!("The {what} was sent, and it is not allowed to do this."),
        )
        .advise("Check with the server's operator what this account or key may do."),
    }
}

/// The URL that an HTTP+SSE server announced for messages does not exist.
fn wrong_announcement(status: u16, announced: &str, url: &str) -> Failure {
    let failure = failure(
        "wrong_endpoint",
        format!("The server announced a URL for messages that does not work (HTTP {status})."),
        format!(
            "Its event stream works and announced `{}`, which returned HTTP {status}.",
            cut(announced, 500)
        ),
    );
    let prefix = with_prefix(announced, url).map(|other| {
        format!(
            "If a proxy adds a prefix to the path, the server has to announce it too: probably `{}`.",
            cut(&other, 500)
        )
    });
    let failure = failure.advise_if_any(prefix.as_deref());
    failure.advise("The server's operator has to correct the URL in the `endpoint` event.")
}

/// The announced URL below the folder of the stream's URL.
fn with_prefix(announced: &str, url: &str) -> Option<String> {
    let (announced, stream) = (Url::parse(announced).ok()?, Url::parse(url).ok()?);
    let (folder, _) = stream.path().rsplit_once('/')?;
    let inside = announced.path().starts_with(&format!("{folder}/"));
    (!folder.is_empty() && !inside && announced.origin() == stream.origin()).then(|| {
        let mut other = announced.clone();
        other.set_path(&format!("{folder}{}", announced.path()));
        other.to_string()
    })
}

/// The handshake was answered with an error.
pub(super) fn rejected(
    code: i64,
    message: &str,
    data: Option<&RawValue>,
    context: &FailureContext<'_>,
) -> Failure {
    let cause = format!("Message: {} (code {code})", cut(message, 500));
    let supported = supported(data, context).or_else(|| named_in(message, tried(context)));
    let failure = match (supported, code) {
        // The supported versions say more than the error code (Versioning, -32022).
        (Some(supported), _) => failure(
            "unknown_revision",
            format!("The server supports only {}.", supported.join(", ")),
            cause,
        )
        .advise(
            if !context.chosen && supported.iter().any(|name| Revision::parse(name).is_some()) {
                "Edit the server and choose one of these protocol versions instead of automatic."
            } else if !context.chosen {
                "Sonde supports none of these: update Sonde or the server."
            } else {
                "This server is set to another protocol version: set it to automatic."
            },
        ),
        (None, -32601) if stateless(context.era) => failure(
            "handshake_rejected",
            "The server does not support stateless requests.",
            cause,
        )
        .advise("It probably needs the handshake: set the protocol mode to automatic."),
        (None, -32601) => failure(
            "handshake_rejected",
            "The server does not support the MCP handshake.",
            cause,
        )
        .advise(
            "It uses JSON-RPC, but it is either not an MCP server or a newer one without a \
             handshake.",
        )
        .advise_if_any(automatic(context)),
        (None, _) => failure(
            "handshake_rejected",
            "The server rejects the handshake.",
            cause,
        )
        .advise("Its error message should say why. The wire log has the whole exchange.")
        .advise_if_any(automatic(context)),
    };
    match data {
        Some(data) => failure.detail(cut(data.get(), SHOWN)),
        None => failure,
    }
}

fn stateless(era: EraChoice) -> bool {
    match era {
        EraChoice::Stateless => true,
        EraChoice::Fixed { revision } => revision.era() == Era::Stateless,
        EraChoice::Automatic | EraChoice::Handshake => false,
    }
}

/// Returns the protocol versions that an error names as supported; `None` if the refused version is among them.
fn supported(data: Option<&RawValue>, context: &FailureContext<'_>) -> Option<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Data {
        supported: Vec<String>,
    }
    let data: Data = serde_json::from_str(data?.get()).ok()?;
    let tried = tried(context);
    if data.supported.iter().any(|name| name == tried.as_str()) {
        return None;
    }
    let names: Vec<_> = data
        .supported
        .iter()
        .take(10)
        .map(|name| cut(name, 40))
        .collect();
    (!names.is_empty()).then_some(names)
}

/// The revision that the server was offered last.
fn tried(context: &FailureContext<'_>) -> Revision {
    match (context.offer, context.era) {
        (Some(offer), _) | (None, EraChoice::Fixed { revision: offer }) => offer,
        (None, EraChoice::Stateless) => Revision::NEWEST_STATELESS,
        (None, EraChoice::Handshake | EraChoice::Automatic) => Revision::NEWEST_HANDSHAKE,
    }
}

/// Returns the other versions that the message of an error mentions.
fn named_in(message: &str, tried: Revision) -> Option<Vec<String>> {
    if !message.to_ascii_lowercase().contains("version") {
        return None;
    }
    let names: Vec<_> = Revision::ALL
        .into_iter()
        .filter(|revision| *revision != tried && message.contains(revision.as_str()))
        .map(|revision| revision.as_str().to_owned())
        .collect();
    (!names.is_empty()).then_some(names)
}

/// Suggests automatic detection if the user chose the protocol, which may be the reason.
fn automatic(context: &FailureContext<'_>) -> Option<&'static str> {
    let advice =
        "This server is set to one protocol mode: choose automatic to let Sonde detect it.";
    context.chosen.then_some(advice)
}

pub(super) fn unknown_revision(answered: &str) -> Failure {
    if let Some(known) = Revision::parse(answered) {
        return failure(
            "unknown_revision",
            format!(
                "The server answered with the protocol version {}, which is not the one that was asked for.",
                known.as_str()
            ),
            "Client and server must agree on a protocol version.",
        )
        .advise("Set this server to that version, or let Sonde detect it.");
    }
    failure(
        "unknown_revision",
        format!(
            "The server uses a protocol version that Sonde does not know: `{}`.",
            cut(answered, 100)
        ),
        "Client and server must agree on a protocol version.",
    )
    .advise("Update Sonde if this is a new version; otherwise the server's response is wrong.")
}

pub(super) fn bad_shape(problem: &str) -> Failure {
    failure(
        "bad_shape",
        "The server's response to the handshake does not follow the protocol.",
        sentence(problem),
    )
    .advise("The server needs a fix. The wire log shows its full response.")
}

/// Explains a response that did not arrive in time.
pub(super) fn timed_out(context: &FailureContext<'_>) -> Failure {
    let seconds = context.handshake_seconds;
    let (_, non_json) = context.tap.tails();
    let asked = match stateless(context.era) {
        true => "server/discover",
        false => "initialize",
    };
    if let Some(failure) = unanswered(asked, seconds, &context.tap.responses()) {
        return failure;
    }
    if !context.is_process() {
        return failure(
            "handshake_timeout",
            format!("The server did not respond within {seconds} seconds."),
            "It accepted the connection but sent no MCP response.",
        )
        .advise("Check that the URL belongs to an MCP server and not to another service.");
    }
    if context.tap.writes_over_lines() && !context.tap.has_answered() {
        return over_several_lines("and no whole message");
    }
    if !non_json.is_empty() && !context.tap.has_answered() {
        return failure(
            "no_mcp_output",
            "The process wrote non-JSON output to stdout.",
            format!("Output: {}", non_json.last().map_or("", String::as_str)),
        )
        .advise("It is probably not an MCP server, or it needs an argument to run as one.")
        .advise("An MCP server must write its own logs to stderr.");
    }
    failure(
        "handshake_timeout",
        format!("The process is running but did not respond within {seconds} seconds."),
        "It may be waiting for something, or may not be an MCP server over stdio.",
    )
    .advise("A first start may need a long download: wait a moment and reconnect.")
    .advise("Check that its arguments make it serve MCP over stdio.")
}

/// The server responded, but not to the request that opens the session.
fn unanswered(asked: &str, seconds: u64, responses: &Responses) -> Option<Failure> {
    let title = format!("The request `{asked}` got no response within {seconds} seconds.");
    if let Some(stray) = &responses.stray {
        return Some(
            failure(
                "handshake_timeout",
                title,
                format!("The server responded. {stray}"),
            )
            .advise("The server has to send the `id` of each request back unchanged."),
        );
    }
    let others: Vec<_> = responses
        .methods
        .iter()
        .filter(|method| &***method != asked)
        .map(|method| format!("`{}`", cut(method, 100)))
        .collect();
    (!others.is_empty()).then(|| {
        let cause = format!(
            "The server responded to {}, but not to this.",
            others.join(", ")
        );
        failure("handshake_timeout", title, cause)
            .advise("The server has to respond to every request, also to one that it rejects.")
    })
}

/// Explains that the process writes its messages over several lines; `and` adds another fact.
pub(super) fn over_several_lines(and: &str) -> Failure {
    failure(
        "json_over_lines",
        format!("The process wrote JSON over several lines {and}."),
        "Over stdio each message is one line: a line break ends it.",
    )
    .advise("Let the server write its JSON without indentation and line breaks.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_responded_is_not_said_to_be_silent() {
        let none = Responses::default();
        assert_eq!(unanswered("initialize", 30, &none), None);
        let other = Responses {
            methods: vec!["server/discover".into()],
            ..none.clone()
        };
        let failure = unanswered("initialize", 30, &other).unwrap();
        assert_eq!(
            (failure.title.as_str(), failure.cause.as_str()),
            (
                "The request `initialize` got no response within 30 seconds.",
                "The server responded to `server/discover`, but not to this."
            )
        );
        let stray = Responses {
            stray: Some("The response belongs to no recent request: its id is 0.".to_owned()),
            ..other
        };
        let failure = unanswered("initialize", 30, &stray).unwrap();
        assert!(failure.cause.ends_with("its id is 0."));
    }

    #[test]
    fn versions_in_the_words_of_an_error_can_be_chosen() {
        let message =
            "Unsupported protocol version 2025-11-25 (supported versions: 2025-06-18, 2024-11-05)";
        let mut names = named_in(message, Revision::NEWEST_HANDSHAKE).unwrap();
        names.sort();
        assert_eq!(names, ["2024-11-05", "2025-06-18"]);
        for message in ["Unsupported version", "2025-06-18", "version 2025-11-25"] {
            assert_eq!(
                named_in(message, Revision::NEWEST_HANDSHAKE),
                None,
                "{message}"
            );
        }
    }

    #[test]
    fn an_announced_url_is_named_with_the_prefix_of_the_stream() {
        let failure = wrong_announcement(404, "http://a/messages/?s=1", "http://a/mcp/sse");
        assert!(failure.cause.contains("`http://a/messages/?s=1`"));
        assert!(failure.advice[0].contains("`http://a/mcp/messages/?s=1`"));
        for (announced, url) in [
            ("http://a/mcp/messages", "http://a/mcp/sse"),
            ("http://a/messages", "http://a/sse"),
            ("http://b/messages", "http://a/mcp/sse"),
        ] {
            assert_eq!(with_prefix(announced, url), None, "{announced}");
        }
    }

    #[test]
    fn a_rejected_token_is_not_a_missing_one() {
        let failure = rejected_credentials(401, "token");
        assert_eq!(failure.title, "The server rejects the token (HTTP 401).");
        let failure = rejected_credentials(403, "header `X-Key`");
        assert_eq!(failure.code, "forbidden");
    }
}
