//! One server of the list, in memory and in the file.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::ipc::{
    EnvVar, HeaderEntry, SecretInput, ServerDraft, ServerId, ServerView, TransportDraft, ValueView,
};

/// One server of the list. Secrets are named in `config` and kept elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct ServerEntry {
    pub(crate) id: ServerId,
    /// Every secret in it is [`SecretInput::Keep`].
    pub(crate) config: ServerDraft,
    /// Fingerprint of the command that the user has confirmed.
    pub(crate) confirmed: Option<String>,
    /// The entry as it stands in the file. What a newer version of the app wrote there and this one
    /// does not know survives a change.
    stored: Map<String, Value>,
}

impl ServerEntry {
    /// A new server with an id of its own.
    pub(crate) fn new(config: ServerDraft) -> Self {
        Self {
            id: uuid::Uuid::new_v4().to_string(),
            config,
            confirmed: None,
            stored: Map::new(),
        }
    }

    /// The command may run: it needs no confirmation, or has the one it needs.
    pub(crate) fn is_confirmed(&self) -> bool {
        match fingerprint(&self.config.transport) {
            None => true,
            Some(fingerprint) => self.confirmed.as_deref() == Some(&fingerprint),
        }
    }

    pub(crate) fn view(&self, unsaved_secrets: Vec<String>) -> ServerView {
        ServerView {
            id: self.id.clone(),
            config: self.config.clone(),
            address: address(&self.config.transport),
            confirmed: self.is_confirmed(),
            unsaved_secrets,
        }
    }

    /// Reads an entry of the file.
    pub(super) fn read(stored: Map<String, Value>) -> Result<Self, String> {
        let text = |value: Option<&Value>, what: &str| {
            value
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| format!("`{what}` is missing or no text"))
        };
        let seconds = |what: &str| match stored.get(what) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|seconds| u32::try_from(seconds).ok())
                .map(Some)
                .ok_or_else(|| format!("`{what}` is no number of seconds")),
        };
        let id = text(stored.get("id"), "id")?;
        let name = text(stored.get("name"), "name")?;
        let transport = stored
            .get("transport")
            .and_then(Value::as_object)
            .ok_or("`transport` is missing or no object")?;
        let transport = match transport.get("type").and_then(Value::as_str) {
            Some("stdio") => TransportDraft::Stdio {
                command: text(transport.get("command"), "command")?,
                args: items(transport.get("args"), "args", |arg| {
                    arg.as_str().map(str::to_owned)
                })?,
                env: items(transport.get("env"), "env", |var| {
                    named(var).map(|(name, value)| EnvVar { name, value })
                })?,
                cwd: transport
                    .get("cwd")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            },
            Some("http") => TransportDraft::Http {
                url: text(transport.get("url"), "url")?,
                headers: items(transport.get("headers"), "headers", |header| {
                    named(header).map(|(name, value)| HeaderEntry { name, value })
                })?,
                kind: read_part(transport.get("kind"), "kind")?,
                network: read_part(transport.get("network"), "network")?,
                auth: read_part(transport.get("auth"), "auth")?,
            },
            Some("demo") => TransportDraft::Demo {
                http: transport
                    .get("http")
                    .and_then(Value::as_bool)
                    .unwrap_or(false),
            },
            other => return Err(format!("`transport.type` is {other:?}")),
        };
        let config = ServerDraft {
            name,
            transport,
            idle_seconds: seconds("idle_seconds")?,
            hard_seconds: seconds("hard_seconds")?,
            era: read_part(stored.get("era"), "era")?,
            stream_attempts: seconds("stream_attempts")?,
        };
        let confirmed = stored
            .get("confirmed")
            .and_then(Value::as_str)
            .map(str::to_owned);
        Ok(Self {
            id,
            config,
            confirmed,
            stored,
        })
    }

    /// The entry as it goes into the file.
    pub(super) fn write(&self) -> Value {
        let mut stored = self.stored.clone();
        let fields = match &self.config.transport {
            TransportDraft::Stdio {
                command,
                args,
                env,
                cwd,
            } => json!({
                "type": "stdio", "command": command, "args": args, "cwd": cwd,
                "env": env.iter().map(|var| value_json(&var.name, &var.value)).collect::<Vec<_>>(),
            }),
            TransportDraft::Http {
                url,
                headers,
                kind,
                network,
                auth,
            } => json!({
                "type": "http", "url": url, "kind": kind, "network": network, "auth": auth,
                "headers":
                    headers.iter().map(|one| value_json(&one.name, &one.value)).collect::<Vec<_>>(),
            }),
            TransportDraft::Demo { http } => json!({ "type": "demo", "http": http }),
        };
        let mut transport = match stored.remove("transport") {
            // Unknown fields of another kind of transport mean nothing here.
            Some(Value::Object(old)) if old.get("type") == fields.get("type") => old,
            _ => Map::new(),
        };
        if let Value::Object(fields) = fields {
            transport.extend(fields);
        }
        stored.insert("id".to_owned(), json!(self.id));
        stored.insert("name".to_owned(), json!(self.config.name));
        stored.insert("transport".to_owned(), Value::Object(transport));
        stored.insert("idle_seconds".to_owned(), json!(self.config.idle_seconds));
        stored.insert("hard_seconds".to_owned(), json!(self.config.hard_seconds));
        stored.insert("era".to_owned(), json!(self.config.era));
        stored.insert(
            "stream_attempts".to_owned(),
            json!(self.config.stream_attempts),
        );
        stored.insert("confirmed".to_owned(), json!(self.confirmed));
        Value::Object(stored)
    }
}

fn items<T>(
    value: Option<&Value>,
    what: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<T>, String> {
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| read(item).ok_or_else(|| format!("`{what}` holds something unreadable")))
            .collect(),
        Some(_) => Err(format!("`{what}` is no list")),
    }
}

/// A part of an entry that older files do not have.
fn read_part<T: Default + serde::de::DeserializeOwned>(
    value: Option<&Value>,
    what: &str,
) -> Result<T, String> {
    match value {
        None | Some(Value::Null) => Ok(T::default()),
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|error| format!("`{what}` cannot be read: {error}")),
    }
}

fn named(value: &Value) -> Option<(String, ValueView)> {
    let name = value.get("name")?.as_str()?.to_owned();
    let value = if value.get("secret").and_then(Value::as_bool) == Some(true) {
        ValueView::Secret {
            input: SecretInput::Keep,
        }
    } else {
        ValueView::Plain {
            value: value.get("value")?.as_str()?.to_owned(),
        }
    };
    Some((name, value))
}

fn value_json(name: &str, value: &ValueView) -> Value {
    match value {
        ValueView::Plain { value } => json!({ "name": name, "value": value }),
        ValueView::Secret { .. } => json!({ "name": name, "secret": true }),
    }
}

/// One line that says how a server is reached.
pub(crate) fn address(transport: &TransportDraft) -> String {
    match transport {
        TransportDraft::Stdio { command, args, .. } => std::iter::once(command)
            .chain(args)
            .map(|word| {
                if word.is_empty() || word.contains(|c: char| c.is_whitespace() || c == '"') {
                    format!("{word:?}")
                } else {
                    word.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(" "),
        TransportDraft::Http { url, .. } => url.clone(),
        TransportDraft::Demo { http: false } => "Built in, over stdio".to_owned(),
        TransportDraft::Demo { http: true } => "Built in, over HTTP".to_owned(),
    }
}

/// Names exactly this command: program, arguments, environment and folder. The values of secrets
/// are left out, since the fingerprint stands in a file. `None` for what needs no confirmation.
pub(crate) fn fingerprint(transport: &TransportDraft) -> Option<String> {
    let TransportDraft::Stdio {
        command,
        args,
        env,
        cwd,
    } = transport
    else {
        return None;
    };
    let env: Vec<_> = env
        .iter()
        .map(|var| match &var.value {
            ValueView::Plain { value } => json!([var.name, value]),
            ValueView::Secret { .. } => json!([var.name]),
        })
        .collect();
    let text = json!([command, args, env, cwd]).to_string();
    let digest = Sha256::digest(text.as_bytes());
    Some(
        digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stdio(args: &[&str]) -> TransportDraft {
        TransportDraft::Stdio {
            command: "npx".to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: vec![EnvVar {
                name: "TOKEN".to_owned(),
                value: ValueView::Secret {
                    input: SecretInput::Keep,
                },
            }],
            cwd: None,
        }
    }

    #[test]
    fn fields_of_a_newer_version_survive_a_change() {
        let Value::Object(stored) = json!({
            "id": "a", "name": "A", "colour": "red", "idle_seconds": 5,
            "transport": {"type": "stdio", "command": "x", "sandbox": {"net": 9007199254740993u64}},
        }) else {
            unreachable!()
        };
        let mut entry = ServerEntry::read(stored).unwrap();
        assert_eq!(entry.config.idle_seconds, Some(5));
        entry.config.name = "B".to_owned();
        let written = entry.write();
        assert_eq!(written["name"], "B");
        assert_eq!(written["colour"], "red");
        assert_eq!(
            written["transport"]["sandbox"]["net"].to_string(),
            "9007199254740993"
        );
        entry.config.transport = TransportDraft::Demo { http: false };
        assert_eq!(entry.write()["transport"].get("sandbox"), None);
    }

    #[test]
    fn the_fingerprint_follows_every_part_of_the_command() {
        let base = fingerprint(&stdio(&["a b"])).unwrap();
        assert_ne!(base, fingerprint(&stdio(&["a", "b"])).unwrap());
        let TransportDraft::Stdio {
            command,
            args,
            mut env,
            ..
        } = stdio(&["a b"])
        else {
            unreachable!()
        };
        let moved = TransportDraft::Stdio {
            command: command.clone(),
            args: args.clone(),
            env: env.clone(),
            cwd: Some("/".to_owned()),
        };
        assert_ne!(base, fingerprint(&moved).unwrap());
        env[0].value = ValueView::Plain {
            value: String::new(),
        };
        let plain = TransportDraft::Stdio {
            command,
            args,
            env,
            cwd: None,
        };
        assert_ne!(base, fingerprint(&plain).unwrap());
        assert_eq!(fingerprint(&TransportDraft::Demo { http: true }), None);
    }

    #[test]
    fn the_address_quotes_what_has_spaces() {
        assert_eq!(address(&stdio(&["-y", "a b", ""])), r#"npx -y "a b" """#);
    }
}
