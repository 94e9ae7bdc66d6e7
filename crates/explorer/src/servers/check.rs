//! What a draft must be before it goes into the list.

use std::collections::HashSet;

use crate::ipc::SecretInput;
use crate::ipc::{ErrorCode, IpcError, ServerDraft, TransportDraft, ValueView};

/// Headers that the HTTP framing itself decides.
const FRAMING: [&str; 4] = [
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
];

fn refuse<T>(field: &str, message: impl Into<String>) -> Result<T, IpcError> {
    Err(IpcError {
        code: ErrorCode::InvalidInput,
        message: message.into(),
        detail: Some(field.to_owned()),
    })
}

/// The draft with the white space around its name and address removed.
///
/// # Errors
/// `InvalidInput` with one plain sentence; `detail` names the field (`name`, `command`, `args`,
/// `env`, `cwd`, `url`, `headers`, `idle_seconds`, `hard_seconds`).
pub(super) fn check(mut draft: ServerDraft) -> Result<ServerDraft, IpcError> {
    draft.name = draft.name.trim().to_owned();
    if draft.name.is_empty() {
        return refuse("name", "Give the server a name.");
    }
    match &mut draft.transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            *command = command.trim().to_owned();
            if command.is_empty() {
                return refuse(
                    "command",
                    "Enter the program to start, for example npx or uvx.",
                );
            }
            if command.contains('\0') || args.iter().any(|arg| arg.contains('\0')) {
                return refuse("args", "A command cannot contain a NUL character.");
            }
            if cwd.as_deref().is_some_and(|cwd| cwd.trim().is_empty()) {
                *cwd = None;
            }
            if cwd.as_deref().is_some_and(|cwd| cwd.contains('\0')) {
                return refuse("cwd", "A folder cannot contain a NUL character.");
            }
            let mut seen = HashSet::new();
            for var in env {
                if var.name.is_empty() {
                    return refuse("env", "Each environment variable needs a name.");
                }
                if var.name.contains(['=', '\0']) {
                    return refuse(
                        "env",
                        format!("The variable name `{}` cannot contain = or NUL.", var.name),
                    );
                }
                // Windows ignores the case of variable names.
                let key = if cfg!(windows) {
                    var.name.to_uppercase()
                } else {
                    var.name.clone()
                };
                if !seen.insert(key) {
                    return refuse("env", format!("The variable `{}` is set twice.", var.name));
                }
                if exposed(&var.value).is_some_and(|value| value.contains('\0')) {
                    return refuse(
                        "env",
                        format!(
                            "The value of `{}` cannot contain a NUL character.",
                            var.name
                        ),
                    );
                }
            }
        }
        TransportDraft::Http { url, headers, .. } => {
            *url = url.trim().to_owned();
            check_url(url)?;
            let mut seen = HashSet::new();
            for header in headers {
                header.name = header.name.trim().to_owned();
                let name = &header.name;
                if name.is_empty() {
                    return refuse("headers", "Each header needs a name.");
                }
                if !name.bytes().all(is_token) {
                    return refuse(
                        "headers",
                        format!(
                            "`{name}` is no header name: letters, digits and !#$%&'*+-.^_`|~ are \
                             allowed."
                        ),
                    );
                }
                let lower = name.to_ascii_lowercase();
                if FRAMING.contains(&lower.as_str()) {
                    return refuse(
                        "headers",
                        format!("The header `{name}` is set by HTTP itself and cannot be changed."),
                    );
                }
                if !seen.insert(lower) {
                    return refuse("headers", format!("The header `{name}` is set twice."));
                }
                let bad = exposed(&header.value).is_some_and(|value| {
                    value
                        .bytes()
                        .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
                });
                if bad {
                    return refuse(
                        "headers",
                        format!(
                            "The value of `{name}` contains a line break or control character."
                        ),
                    );
                }
            }
        }
        TransportDraft::Demo { .. } => {}
    }
    if draft.idle_seconds == Some(0) {
        return refuse(
            "idle_seconds",
            "A call must be allowed at least one second.",
        );
    }
    if draft.hard_seconds == Some(0) {
        return refuse(
            "hard_seconds",
            "A call must be allowed at least one second.",
        );
    }
    Ok(draft)
}

/// A value as far as it is here.
fn exposed(value: &ValueView) -> Option<&str> {
    match value {
        ValueView::Plain { value } => Some(value),
        ValueView::Secret {
            input: SecretInput::Set { value },
        } => Some(value),
        ValueView::Secret {
            input: SecretInput::Keep,
        } => None,
    }
}

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn check_url(text: &str) -> Result<(), IpcError> {
    if text.is_empty() {
        return refuse(
            "url",
            "Enter the server's address, for example https://example.com/mcp.",
        );
    }
    let parsed = match url::Url::parse(text) {
        Ok(parsed) => parsed,
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            return refuse(
                "url",
                format!("The address needs http:// or https:// in front: `{text}`."),
            );
        }
        Err(error) => return refuse("url", format!("`{text}` is no address: {error}.")),
    };
    match parsed.scheme() {
        "http" | "https" => {}
        "ws" | "wss" => {
            return refuse(
                "url",
                "MCP servers are reached by http:// or https://; WebSocket addresses are not part \
                 of the protocol.",
            );
        }
        // `localhost:3000/mcp` parses as the scheme `localhost`.
        scheme if text[scheme.len()..].starts_with(":") && !text.contains("://") => {
            return refuse(
                "url",
                format!("The address needs http:// or https:// in front: `{text}`."),
            );
        }
        scheme => {
            return refuse(
                "url",
                format!("An address begins with http:// or https://, not with {scheme}://."),
            );
        }
    }
    if parsed.password().is_some() {
        return refuse(
            "url",
            "Addresses are saved in plain text: put the password into an `Authorization` header \
             marked as secret.",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipc::{EnvVar, EraDraft, HeaderEntry, HttpKind, NetworkDraft};

    fn http(url: &str, headers: &[(&str, &str)]) -> ServerDraft {
        draft(TransportDraft::Http {
            url: url.to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| HeaderEntry {
                    name: (*name).to_owned(),
                    value: ValueView::Plain {
                        value: (*value).to_owned(),
                    },
                })
                .collect(),
            kind: HttpKind::Automatic,
            network: NetworkDraft::default(),
        })
    }

    fn stdio(command: &str, env: &[(&str, &str)]) -> ServerDraft {
        draft(TransportDraft::Stdio {
            command: command.to_owned(),
            args: vec!["a".to_owned()],
            env: env
                .iter()
                .map(|(name, value)| EnvVar {
                    name: (*name).to_owned(),
                    value: ValueView::Secret {
                        input: SecretInput::Set {
                            value: (*value).to_owned(),
                        },
                    },
                })
                .collect(),
            cwd: Some("  ".to_owned()),
        })
    }

    fn draft(transport: TransportDraft) -> ServerDraft {
        ServerDraft {
            name: " Name ".to_owned(),
            transport,
            idle_seconds: None,
            hard_seconds: None,
            era: EraDraft::default(),
            stream_attempts: None,
        }
    }

    #[test]
    fn good_drafts_pass_and_are_trimmed() {
        let checked = check(stdio(" npx ", &[("A", ""), ("a", "x\ny")])).unwrap();
        assert_eq!(checked.name, "Name");
        assert!(
            matches!(checked.transport, TransportDraft::Stdio { command, cwd: None, .. } if command == "npx")
        );
        for url in [
            "http://localhost:3000/mcp",
            "https://user@example.com/x?y=1",
            "http://[::1]/",
        ] {
            check(http(
                url,
                &[("X-Key", "ü \t z"), ("Authorization", "Bearer x")],
            ))
            .unwrap();
        }
    }

    #[test]
    fn bad_drafts_say_where_and_what() {
        let mut nameless = http("http://a/", &[]);
        nameless.name = " ".to_owned();
        let mut hurried = http("http://a/", &[]);
        hurried.hard_seconds = Some(0);
        for (draft, field, words) in [
            (nameless, "name", "a name"),
            (hurried, "hard_seconds", "one second"),
            (stdio("", &[]), "command", "program"),
            (stdio("a\0b", &[]), "args", "NUL"),
            (stdio("x", &[("", "")]), "env", "needs a name"),
            (stdio("x", &[("A=B", "")]), "env", "`A=B`"),
            (stdio("x", &[("A", "1"), ("A", "2")]), "env", "twice"),
            (stdio("x", &[("A", "hush\0")]), "env", "NUL"),
            (http("", &[]), "url", "https://example.com"),
            (http("localhost:3000/mcp", &[]), "url", "http://"),
            (http("example.com/mcp", &[]), "url", "http://"),
            (http("ws://example.com", &[]), "url", "WebSocket"),
            (http("file:///etc/passwd", &[]), "url", "file://"),
            (http("http://", &[]), "url", "no address"),
            (http("http://a:99999/", &[]), "url", "no address"),
            (http("http://u:hush@a/", &[]), "url", "secret"),
            (http("http://a/", &[("", "x")]), "headers", "needs a name"),
            (http("http://a/", &[("X Key", "x")]), "headers", "`X Key`"),
            (
                http("http://a/", &[("X-A", "1"), ("x-a", "2")]),
                "headers",
                "twice",
            ),
            (
                http("http://a/", &[("Content-Length", "1")]),
                "headers",
                "HTTP itself",
            ),
            (
                http("http://a/", &[("X-A", "hush\r\nX-B: 1")]),
                "headers",
                "line break",
            ),
        ] {
            let error = check(draft.clone()).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidInput);
            assert_eq!(error.detail.as_deref(), Some(field), "{draft:?}");
            assert!(
                error.message.contains(words),
                "{draft:?}: {}",
                error.message
            );
            assert!(!error.message.contains("hush"), "{}", error.message);
        }
    }
}
