//! Exports a server to the configuration formats of other clients. Secrets are left out: the client's own placeholders
//! replace them, if it has any.

mod secrets;
mod addresses;
mod formats;

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value, json};
use sonde_suite::{
    edit::{escaped, map_texts},
    servers::revision,
};
use ts_rs::TS;
use url::form_urlencoded;

use self::formats::{slug, toml_of, yaml};
use super::{
    OtherFields, ServerId,
    clients::{CLIENTS, Client, ClientFacts},
    config::{
        AuthConfig, ConfigValue, HttpKind, NamedValue, NetworkConfig, ProtocolMode, ServerConfig,
        Transport,
    },
};
use crate::{Error, Explorer};

/// A server in the configuration of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ExportedServer {
    /// Names the client, in snake_case.
    pub client: &'static str,
    /// The client's name.
    pub name: &'static str,
    /// Text for the client's file; `None` if the client cannot have this server.
    pub text: Option<String>,
    /// Reason why the client cannot have this server, one plain sentence.
    pub problem: Option<&'static str>,
    /// File extension: `json`, `toml` or `yaml`.
    #[serde(skip)]
    pub extension: &'static str,
    /// Steps left to the user, and losses of the export, as plain sentences.
    pub notes: Vec<String>,
}

impl Explorer {
    /// A server in the configuration of every client, without secrets.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn export_server(&self, server: ServerId) -> Result<Vec<ExportedServer>, Error> {
        let entry = self.core.server(&server)?;
        let (config, other) = (&entry.config, entry.other_fields.as_ref());
        let export = |facts| export(config, other, facts);
        Ok(CLIENTS.iter().map(export).collect())
    }
}

fn export(
    config: &ServerConfig,
    other: Option<&OtherFields>,
    facts: &ClientFacts,
) -> ExportedServer {
    let mut writer = Writer::new(facts.client);
    let (text, problem) = match writer.server(config) {
        Ok(server) => (Some(writer.file(facts, &config.name, server, other)), None),
        Err(problem) => (None, Some(problem)),
    };
    if text.is_some()
        && let Some(note) = writer.left_out(facts.name)
    {
        writer.notes.insert(0, note);
    }
    ExportedServer {
        client: facts.id,
        name: facts.name,
        text,
        problem,
        extension: match facts.client {
            Client::Codex => "toml",
            Client::Goose => "yaml",
            _ => "json",
        },
        notes: writer.notes,
    }
}

/// Returns the link that offers a server to the window, without secrets.
///
/// # Errors
/// For the demo server, one plain sentence.
pub fn link_of(config: &ServerConfig) -> Result<String, &'static str> {
    // Sonde asks for values that VS Code asks for.
    let server = Writer::new(Client::VsCode).server(config)?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("name", &config.name)
        .append_pair("config", &server.to_string())
        .finish();
    Ok(format!("sonde://add?{query}"))
}

/// Returns a server as an importable suite has it, without secrets, and plain sentences about remaining steps and
/// losses.
pub(crate) fn portable(config: &ServerConfig) -> (Value, Vec<String>) {
    let mut writer = Writer::new(Client::Sonde);
    let mut server = match &config.transport {
        Transport::Demo { http } => json!({ "demo": if *http { "http" } else { "stdio" } }),
        // All other types have a separate form.
        _ => {
            let server = writer.server(config).unwrap_or_default();
            let only_secrets = |text: String| text.replace("$${secrets.", "${secrets.");
            map_texts(escaped(server), &only_secrets)
        }
    };
    if config.protocol != ProtocolMode::default() {
        server["revision"] = revision(&config.protocol).into();
    }
    if let Some(seconds) = config.idle_seconds {
        server["timeout"] = format!("{seconds}s").into();
    }
    if config.hard_seconds.is_some() || config.stream_attempts.is_some() {
        let note = "The longest duration of a request and the attempts to reopen a stream are not part of it.";
        writer.notes.push(note.to_owned());
    }
    if let Some(note) = writer.left_out("Sonde") {
        writer.notes.insert(0, note);
    }
    (server, writer.notes)
}

struct Writer {
    client: Client,
    /// Names of the values left out that the client asks for or takes from its environment.
    asked: BTreeSet<String>,
    /// Names of the values left out that the user has to put in by hand.
    by_hand: BTreeSet<String>,
    /// Names of values that were omitted from URLs, as the URL names them.
    of_urls: BTreeSet<String>,
    notes: Vec<String>,
}

impl Writer {
    fn new(client: Client) -> Self {
        Self {
            client,
            asked: BTreeSet::new(),
            by_hand: BTreeSet::new(),
            of_urls: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    fn server(&mut self, config: &ServerConfig) -> Result<Value, &'static str> {
        match &secrets::set_apart(&config.transport) {
            Transport::Demo { .. } => Err("The demo server is part of Sonde."),
            Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => Ok(self.command(command, args, env, cwd.as_deref())),
            Transport::Http {
                url,
                headers,
                kind,
                network,
                auth,
            } => {
                if self.client == Client::ClaudeDesktop {
                    return Err(
                        "The file of Claude Desktop has commands only. Add the URL as a connector in \
                         its settings.",
                    );
                }
                if *network != NetworkConfig::default() {
                    self.notes.push(
                        "The network settings (proxy, certificates, timeouts) are not part of it."
                            .to_owned(),
                    );
                }
                if url.starts_with("ws") && self.client != Client::Sonde {
                    self.notes
                        .push("Hardly any client connects over WebSocket.".to_owned());
                }
                let mut headers = headers.clone();
                match auth {
                    AuthConfig::Token { .. } => headers.push(NamedValue {
                        name: "Authorization".to_owned(),
                        value: ConfigValue::Plain("Bearer ${input:MCP_TOKEN}".to_owned()),
                    }),
                    AuthConfig::SignIn { options } if options.client_id.is_some() => {
                        self.notes
                            .push("The client for signing in is not part of it.".to_owned());
                    }
                    _ => {}
                }
                let mut server = self.remote(url, &headers, *kind == HttpKind::Sse);
                if self.client == Client::Sonde && *kind == HttpKind::Streamable {
                    server["kind"] = "streamable".into();
                }
                Ok(server)
            }
        }
    }

    /// Builds the whole content of the client's file.
    fn file(
        &mut self,
        facts: &ClientFacts,
        name: &str,
        server: Value,
        other: Option<&OtherFields>,
    ) -> String {
        let mut servers = Map::new();
        let container = facts.container;
        let name = match self.client {
            Client::Codex | Client::Goose => slug(name),
            _ => name.to_owned(),
        };
        let mut server = server;
        match self.client {
            Client::Goose => {
                server["name"] = name.as_str().into();
                server["enabled"] = true.into();
            }
            Client::OpenCode => server["enabled"] = true.into(),
            _ => {}
        }
        if let Some(other) = other.filter(|other| other.container == container)
            && let Value::Object(members) = &mut server
        {
            for (name, value) in &other.fields {
                members
                    .entry(name.as_str())
                    .or_insert_with(|| value.clone());
            }
        }
        servers.insert(name, server);
        let mut file = json!({ container: servers });
        if self.client == Client::VsCode && !self.asked.is_empty() {
            let input = |name: &String| json!({ "type": "promptString", "id": name, "description": name, "password": true });
            file["inputs"] = self.asked.iter().map(input).collect();
        }
        match self.client {
            Client::Codex => toml_of(&file)
                .and_then(|file| toml::to_string_pretty(&file).ok())
                .unwrap_or_default(),
            Client::Goose => {
                let mut text = String::new();
                yaml(&file, 0, &mut text);
                text
            }
            _ => format!("{file:#}\n"),
        }
    }
}

#[cfg(test)]
mod tests;
