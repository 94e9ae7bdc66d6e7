//! Failures of an open transport.

use sonde_wire::{Closed, ExitStatus, RedirectReason, WireError};

use super::{super::exit, Failure, FailureContext, advice, answer, failure};
use crate::{
    config::is_loopback,
    text::{cut, megabytes, sentence},
};

/// Explains the end of a working session's transport; `None` if the user ended it.
pub(super) fn while_ready(closed: &Closed, context: &FailureContext<'_>) -> Option<Failure> {
    Some(match closed {
        Closed::Requested { .. } => return None,
        Closed::ProcessExited { exit } => {
            let (stderr, _) = context.tap.tails();
            let killed = "It was killed. If not by you, the system may have run out of memory.";
            failure(
                "process_exited",
                format!("The server's process ended {}.", exit::words(*exit)),
                last_words(&stderr),
            )
            .advise_if_any(advice::last_words(&stderr))
            .advise_if_any((*exit == ExitStatus::Signal(9)).then_some(killed))
            .advise("If it ends again, check the server's own log.")
        }
        Closed::Disconnected { reason } => failure(
            "disconnected",
            "The server closed the connection.",
            sentence(reason.as_deref().unwrap_or("it gave no reason")),
        )
        .advise("If it closes again, check the server's own log."),
        Closed::Failed(error) => wire(error, context),
    })
}

/// Explains that the process closed its standard output but kept running, and was ended.
pub(super) fn output_closed(context: &FailureContext<'_>) -> Failure {
    let (stderr, _) = context.tap.tails();
    failure(
        "stdout_closed",
        "The server closed its stdout and kept running.",
        format!(
            "No response can arrive without it, so Sonde ended the process. {}",
            last_words(&stderr)
        )
        .trim_end(),
    )
    .advise("A server must keep its stdout open while it runs: check what closes it.")
}

/// Explains the end of the transport before the handshake was answered; `None` if the user ended it.
pub(super) fn before_answer(closed: &Closed, context: &FailureContext<'_>) -> Option<Failure> {
    let Closed::ProcessExited { exit } = closed else {
        return while_ready(closed, context);
    };
    let (stderr, non_json) = context.tap.tails();
    let how = exit::words(*exit);
    let failure = if context.tap.writes_over_lines() {
        answer::over_several_lines(&format!("and ended {how}"))
    } else if stderr.is_empty() && !non_json.is_empty() {
        failure(
            "no_mcp_output",
            format!("The process wrote non-JSON output to stdout and ended {how}."),
            format!("Output: {}", non_json.last().map_or("", String::as_str)),
        )
        .advise("It is probably not an MCP server, or it needs an argument to run as one.")
    } else {
        failure(
            "process_exited",
            format!("The process ended {how} before it responded."),
            match (stderr.is_empty(), exit) {
                (true, ExitStatus::Code(0)) => {
                    "It wrote nothing to stderr. A server must keep running while its stdin is \
                     open."
                        .to_owned()
                }
                (true, _) => "It wrote nothing to stderr.".to_owned(),
                (false, _) => last_words(&stderr),
            },
        )
    };
    let said: Vec<_> = stderr.iter().chain(&non_json).cloned().collect();
    let of_code = match exit {
        ExitStatus::Code(127) => {
            Some("Exit code 127 means that a shell did not find a command: check the names.")
        }
        ExitStatus::Code(126) => {
            Some("Exit code 126 means that a shell found a file that it is not allowed to run.")
        }
        _ => None,
    };
    Some(
        failure
            .advise_if_any(advice::last_words(&said))
            .advise_if_any(of_code)
            .advise("Run the same command in a terminal to see its full output."),
    )
}

fn last_words(stderr: &[String]) -> String {
    let not_blank = || stderr.iter().rev().filter(|line| !line.trim().is_empty());
    let telling = not_blank().find(|line| says_something(line));
    match telling.or_else(|| not_blank().next()) {
        Some(line) => format!("Last output: {}", line.trim()),
        None => String::new(),
    }
}

/// True unless the line is a stack frame, a mark or the signature of a runtime.
fn says_something(line: &str) -> bool {
    let text = line.trim();
    let indented = line.starts_with([' ', '\t']);
    let is_frame = indented && (text.starts_with("at ") || text.starts_with("File \""));
    // A member of the object that Node.js prints below an error.
    let is_member = indented
        && text.split_once(": ").is_some_and(|(name, _)| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_'".contains(&byte))
        });
    let is_runtime = ["Node.js v", "Bun v", "Deno "]
        .iter()
        .any(|begin| text.starts_with(begin) && text.len() < 60);
    let is_remark = [
        "Require stack:",
        "- /",
        "npm notice",
        "npm error A complete log",
        "npm ERR! A complete log",
        "note: run with `RUST_BACKTRACE",
    ]
    .iter()
    .any(|begin| text.starts_with(begin));
    let has_word = text.chars().any(char::is_alphanumeric);
    has_word && !is_frame && !is_member && !is_runtime && !is_remark
}

/// An exchange or a connection failed.
pub(super) fn wire(error: &WireError, context: &FailureContext<'_>) -> Failure {
    match error {
        WireError::Spawn(error) => failure(
            "start_failed",
            "The process could not be started.",
            sentence(&error.to_string()),
        ),
        WireError::BadUrl { url, reason } => failure(
            "bad_url",
            format!("`{url}` is not a usable URL."),
            sentence(reason),
        )
        .advise(
            "A URL looks like https://example.com/mcp, http://localhost:3000/mcp or \
             wss://example.com/mcp.",
        ),
        WireError::UnknownScheme { scheme } => failure(
            "unknown_scheme",
            format!("No transport handles `{scheme}:` URLs."),
            "Sonde connects over http, https, ws and wss, or runs a local command.",
        )
        .advise("Correct the URL, or add the server as a local command."),
        WireError::BadSetting { what, reason } => failure(
            "bad_setting",
            format!("A setting cannot be used: {what}."),
            sentence(reason),
        )
        .advise("Edit the server and correct this in its network settings."),
        WireError::Status {
            status,
            content_type,
            snippet,
        } => answer::http(*status, content_type.as_deref(), snippet, context),
        WireError::NoEndpoint { reason } => failure(
            "no_endpoint",
            "The server's event stream names no usable URL for messages.",
            sentence(reason),
        )
        .advise("This is a bug in the server: the first event must be `endpoint`."),
        WireError::Idle { seconds } => failure(
            "idle",
            format!("Nothing was received for {seconds} seconds."),
            "The limit comes from this server's settings.",
        )
        .advise("Raise or remove the stream idle timeout in this server's network settings."),
        WireError::BadHeader { name, reason } => failure(
            "bad_header",
            format!("The header `{name}` cannot be sent."),
            sentence(reason),
        )
        .advise("Edit the server and correct the header."),
        WireError::UnknownHost { host } => failure(
            "unknown_host",
            format!("The host `{host}` was not found."),
            "DNS has no address for this name.",
        )
        .advise("Check the spelling.")
        .advise(
            "Check that this computer is online and connected to any VPN that the host \
             requires.",
        ),
        WireError::Refused { address } => failure(
            "connection_refused",
            format!("{address} refused the connection."),
            "The host is reachable, but nothing is listening on this port.",
        )
        .advise(if is_loopback(context.url()) {
            "Start the server first: Sonde does not start HTTP servers."
        } else {
            "Check that the server is running."
        })
        .advise("Check the port in the URL."),
        WireError::ConnectTimeout { address } => failure(
            "connect_timeout",
            format!("{address} did not accept a connection in time."),
            "The host is off or unreachable, or a firewall drops the connection.",
        )
        .advise(if context.url().starts_with("https://") {
            "Check the URL and the network. If the server does not use TLS, its URL starts with \
             http:// instead of https://."
        } else {
            "Check the URL and the network, then reconnect."
        }),
        WireError::Proxy { address, reason } => failure(
            "proxy_failed",
            format!("The proxy {address} could not be used."),
            sentence(reason),
        )
        .advise(
            "Check the proxy in this server's network settings: its URL, user name and password. \
             \"System\" uses the proxy of the system or of the environment.",
        )
        .advise_all(certificate_advice(reason)),
        WireError::Tls { address, reason } => {
            let failure = failure(
                "tls_failed",
                format!("No secure connection to {address}."),
                sentence(reason),
            );
            match certificate_advice(reason) {
                [] => failure.advise(
                    "If the server does not use TLS, its URL starts with http:// instead of \
                     https://.",
                ),
                advice => failure.advise_all(advice),
            }
        }
        WireError::Redirect {
            status,
            location,
            reason,
        } => redirected(*status, location, *reason),
        WireError::Broken { reason } => failure(
            "connection_broken",
            "The connection broke before the response was complete.",
            sentence(reason),
        )
        .advise("If it breaks again, check the server's own log.")
        .advise_if_any(tls(context)),
        WireError::TooLarge { limit } => failure(
            "too_large",
            "The server sent a message that is too large.",
            format!("Sonde reads messages of {} at most.", megabytes(*limit)),
        ),
        WireError::Crowded { limit } => failure(
            "too_many_unfinished",
            "The server began too many large messages at once.",
            format!(
                "Its unfinished messages took more than {}. Sonde stopped reading this one.",
                megabytes(*limit)
            ),
        )
        .advise("Send large messages one after another, or smaller ones."),
        WireError::Unsupported { reason } => failure(
            "unsupported",
            "This cannot be sent over this transport.",
            sentence(reason),
        ),
    }
}

fn redirected(status: u16, location: &str, reason: RedirectReason) -> Failure {
    let leads = format!("It redirects to `{}`.", cut(location, 500));
    let (title, why) = match reason {
        RedirectReason::AnotherOrigin => (
            format!("The server redirects to another origin (HTTP {status})."),
            "Redirects are followed only within the same origin, so that headers with secrets \
             reach only the server that you entered.",
        ),
        RedirectReason::Method => (
            format!("The server redirects to another URL (HTTP {status})."),
            "This status turns a POST into a GET without its message, so Sonde follows only 307 \
             and 308.",
        ),
        RedirectReason::TooMany => (
            format!("The server redirects too often (HTTP {status})."),
            "Each redirect leads to another one.",
        ),
        RedirectReason::BadUrl => (
            format!("The server redirects to an unusable URL (HTTP {status})."),
            "The `Location` header has to name a URL.",
        ),
    };
    let failure = failure("redirected", title, format!("{leads} {why}"));
    match reason {
        RedirectReason::AnotherOrigin => {
            failure.advise("If you trust it, enter that URL in the server's settings.")
        }
        RedirectReason::Method => failure.advise("Enter that URL in the server's settings."),
        RedirectReason::TooMany | RedirectReason::BadUrl => {
            failure.advise("The server's operator has to correct the redirect.")
        }
    }
}

/// Returns how to trust a certificate; nothing if TLS failed for another reason.
fn certificate_advice(reason: &str) -> &'static [&'static str] {
    let lower = reason.to_ascii_lowercase();
    let words = [
        "issuer",
        "selfsigned",
        "self-signed",
        "self signed",
        "certificate",
        "expired",
    ];
    if !words.iter().any(|word| lower.contains(word)) {
        return &[];
    }
    &[
        "The certificate of the server or the proxy is not trusted on this computer. If it was \
         issued by your own authority (a company, a test setup), enter that authority's PEM file \
         as \"CA file\" in this server's network settings.",
        "For a test server only: \"Accept any certificate\" in the same place. Anyone on the \
         network path can then read and change the traffic.",
    ]
}

/// A TLS port that is asked in plain HTTP just hangs up.
fn tls(context: &FailureContext<'_>) -> Option<&'static str> {
    let advice = "If the server uses TLS, its URL starts with https://.";
    context.url().starts_with("http://").then_some(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> String {
        last_words(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_line_that_says_something_is_shown() {
        for (text, line) in [
            (
                "/x/server.js:3\nthrow new Error('no key');\n^\n\nError: no key\n    at Object.<anonymous> (/x/server.js:3:7)\n    at node:internal/main\n\nNode.js v20.11.0\n",
                "Error: no key",
            ),
            (
                "Error: Cannot find module 'x'\nRequire stack:\n- /x/server.js\n    at f (node:internal) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/x' ]\n}\n\nNode.js v22.1.0",
                "Error: Cannot find module 'x'",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'K'\n",
                "KeyError: 'K'",
            ),
            (
                "npm error 404 Not Found\nnpm error A complete log of this run can be found in: x",
                "npm error 404 Not Found",
            ),
            ("Node.js v20.11.0\n\n", "Node.js v20.11.0"),
        ] {
            assert_eq!(last(text), format!("Last output: {line}"));
        }
        assert_eq!(last("\n \n"), "");
    }

    #[test]
    fn a_redirect_names_its_status_and_its_reason() {
        let failure = redirected(301, "http://a/mcp/", RedirectReason::Method);
        assert_eq!(
            failure.title,
            "The server redirects to another URL (HTTP 301)."
        );
        assert!(
            failure
                .cause
                .starts_with("It redirects to `http://a/mcp/`.")
        );
        assert!(!failure.cause.contains("origin"));
        let failure = redirected(307, "http://b/", RedirectReason::AnotherOrigin);
        assert!(failure.title.contains("another origin"));
    }
}
