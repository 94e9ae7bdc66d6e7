//! A server as other clients write it into their configuration. Secrets are left out: what stands for
//! them is what that client replaces itself, where it replaces anything.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    OtherFields, ServerId,
    clients::{CLIENTS, Client, ClientFacts},
    config::{
        AuthConfig, ConfigValue, HttpKind, NamedValue, NetworkConfig, ProtocolMode, ServerConfig,
        Transport,
    },
    import::{DEMO, OF_SONDE},
    inputs::inputs_in,
    secret_slots::{arg_place, secrets_in},
};
use crate::{Error, Explorer};

/// A server in the configuration of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Names the client, in snake_case.
    pub client: &'static str,
    /// The client's name.
    pub name: &'static str,
    /// What belongs into the client's file, or why there is nothing, one plain sentence.
    pub text: Result<String, &'static str>,
    /// The ending of such a file: `json`, `toml` or `yaml`.
    pub extension: &'static str,
    /// What is left to do or could not be kept, as plain sentences.
    pub notes: Vec<String>,
}

impl Explorer {
    /// A server in the configuration of every client, without secrets.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn export_server(&self, server: ServerId) -> Result<Vec<Exported>, Error> {
        let entry = self.core.server(&server)?;
        let (config, other) = (&entry.config, entry.other_fields.as_ref());
        let export = |facts| export(config, other, facts);
        Ok(CLIENTS.iter().map(export).collect())
    }
}

fn export(config: &ServerConfig, other: Option<&OtherFields>, facts: &ClientFacts) -> Exported {
    let mut writer = Writer {
        client: facts.client,
        asked: BTreeSet::new(),
        by_hand: BTreeSet::new(),
        notes: Vec::new(),
    };
    let text = writer
        .server(config)
        .map(|server| writer.file(&config.name, server, other));
    if text.is_ok()
        && let Some(note) = writer.left_out(facts.name)
    {
        writer.notes.insert(0, note);
    }
    Exported {
        client: facts.id,
        name: facts.name,
        text,
        extension: match facts.client {
            Client::Codex => "toml",
            Client::Goose => "yaml",
            _ => "json",
        },
        notes: writer.notes,
    }
}

/// A server as it stands in a presentation for another computer, without secrets: what an import reads. Also
/// what is left to do or could not be kept, as plain sentences.
pub(crate) fn portable(config: &ServerConfig) -> (Value, Vec<String>) {
    let mut writer = Writer {
        client: Client::Sonde,
        asked: BTreeSet::new(),
        by_hand: BTreeSet::new(),
        notes: Vec::new(),
    };
    let mut server = match &config.transport {
        Transport::Demo { http } => {
            let mut server = json!({ "type": DEMO });
            if *http {
                server[OF_SONDE]["http"] = true.into();
            }
            server
        }
        // Every other one has a form of its own.
        _ => writer.server(config).unwrap_or_default(),
    };
    for (name, value) in [
        ("idle_seconds", config.idle_seconds),
        ("hard_seconds", config.hard_seconds),
        ("stream_attempts", config.stream_attempts),
    ] {
        if let Some(value) = value {
            server[OF_SONDE][name] = value.into();
        }
    }
    if config.protocol != ProtocolMode::default() {
        server[OF_SONDE]["protocol"] = json!(config.protocol);
    }
    if let Some(note) = writer.left_out("Sonde") {
        writer.notes.insert(0, note);
    }
    (server, writer.notes)
}

/// What stands before and behind the name of a variable where a client replaces it with the variable's value
/// (VS Code: with what it asks for); `None` where it replaces nothing. `header` is the value of a header.
fn replaced(client: Client, header: bool) -> Option<(&'static str, &'static str)> {
    match client {
        // https://modelcontextprotocol.io/docs/develop/connect-local-servers names nothing.
        Client::ClaudeDesktop => None,
        // https://code.claude.com/docs/en/mcp: command, args, env, url, headers.
        Client::ClaudeCode => Some(("${", "}")),
        // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
        Client::VsCode | Client::Sonde => Some(("${input:", "}")),
        // https://cursor.com/docs/mcp: command, args, env, url, headers.
        Client::Cursor => Some(("${env:", "}")),
        // https://docs.windsurf.com/windsurf/cascade/mcp: command, args, env, serverUrl, url, headers.
        Client::Windsurf => Some(("${env:", "}")),
        // https://github.com/cline/cline/blob/main/src/utils/envExpansion.ts: every text.
        Client::Cline => Some(("${env:", "}")),
        // https://zed.dev/docs/ai/mcp names nothing.
        Client::Zed => None,
        // https://developers.openai.com/codex/mcp: nothing in texts; `env_vars`, `bearer_token_env_var` and
        // `env_http_headers` name variables.
        Client::Codex => None,
        // https://geminicli.com/docs/cli/configuration: every text, also without the braces.
        Client::GeminiCli => Some(("${", "}")),
        // https://github.com/aaif-goose/goose/pull/5439: headers, with what `env_keys` names.
        Client::Goose => header.then_some(("${", "}")),
        // https://opencode.ai/docs/config: every text.
        Client::OpenCode => Some(("{env:", "}")),
    }
}

struct Writer {
    client: Client,
    /// The names of what was left out, and what the client asks for or takes from its environment.
    asked: BTreeSet<String>,
    /// The names of what was left out and has to be put in by hand.
    by_hand: BTreeSet<String>,
    notes: Vec<String>,
}

impl Writer {
    /// What stands for a value that is left out.
    fn place(&mut self, name: &str, header: bool) -> String {
        let name = variable(name);
        let Some((before, behind)) = replaced(self.client, header) else {
            let place = format!("<{name}>");
            self.by_hand.insert(name);
            return place;
        };
        let place = format!("{before}{name}{behind}");
        self.asked.insert(name);
        place
    }

    /// What becomes of the values that are left out, where there are any.
    fn left_out(&self, client: &str) -> Option<String> {
        let list = |names: &BTreeSet<String>| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let mut note = "Secrets are not part of it.".to_owned();
        if !self.by_hand.is_empty() {
            note += &format!(" Replace what stands for {}.", list(&self.by_hand));
        }
        if !self.asked.is_empty() {
            let names = list(&self.asked);
            note += &match self.client {
                Client::VsCode => format!(" VS Code asks for {names}."),
                Client::Sonde => format!(" Sonde asks for {names} where it is imported."),
                Client::Goose => {
                    format!(" Goose asks for {names}, or takes them from its environment.")
                }
                _ => format!(" {client} takes {names} from its environment."),
            };
        }
        (!self.by_hand.is_empty() || !self.asked.is_empty()).then_some(note)
    }

    /// A text with what other clients or Sonde fill in replaced by what this client does.
    fn text(&mut self, text: &str, header: bool) -> String {
        let mut written = text.to_owned();
        for input in inputs_in(text) {
            let name = input
                .trim_end_matches('}')
                .split_once(':')
                .map_or("", |(_, name)| name);
            let place = self.place(name, header);
            written = written.replace(input, &place);
        }
        for name in secrets_in(text) {
            let place = self.place(name, header);
            written = written.replace(&arg_place(name), &place);
        }
        written
    }

    fn named(&mut self, values: &[NamedValue], header: bool) -> Map<String, Value> {
        let mut written = Map::new();
        for NamedValue { name, value } in values {
            let value = match value {
                ConfigValue::Plain(text) => self.text(text, header),
                ConfigValue::Secret => self.place(name, header),
            };
            written.insert(name.clone(), value.into());
        }
        written
    }

    fn server(&mut self, config: &ServerConfig) -> Result<Value, &'static str> {
        match &config.transport {
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
                    AuthConfig::Token => headers.push(NamedValue {
                        name: "Authorization".to_owned(),
                        value: ConfigValue::Plain("Bearer ${input:MCP_TOKEN}".to_owned()),
                    }),
                    AuthConfig::SignIn(options) if options.client_id.is_some() => {
                        self.notes
                            .push("The client for signing in is not part of it.".to_owned());
                    }
                    _ => {}
                }
                let mut server = self.remote(url, &headers, *kind == HttpKind::Sse);
                if self.client == Client::Sonde && *kind == HttpKind::Streamable {
                    server["type"] = "streamable-http".into();
                }
                Ok(server)
            }
        }
    }

    fn command(
        &mut self,
        command: &str,
        args: &[String],
        env: &[NamedValue],
        cwd: Option<&str>,
    ) -> Value {
        let command = self.text(command, false);
        let args: Vec<_> = args.iter().map(|arg| self.text(arg, false)).collect();
        let mut server = match self.client {
            Client::OpenCode => {
                let words: Vec<_> = std::iter::once(command).chain(args).collect();
                json!({ "type": "local", "command": words })
            }
            Client::Goose => json!({ "type": "stdio", "cmd": command, "args": args }),
            Client::ClaudeCode | Client::VsCode | Client::Cline | Client::Sonde => {
                json!({ "type": "stdio", "command": command, "args": args })
            }
            _ => json!({ "command": command, "args": args }),
        };
        let (own, passed): (Vec<_>, Vec<_>) = match self.client {
            Client::Codex | Client::Goose => env.iter().cloned().partition(|one| !is_left_out(one)),
            _ => (env.to_vec(), Vec::new()),
        };
        let own = self.named(&own, false);
        let passed: Vec<_> = passed.into_iter().map(|one| one.name).collect();
        self.asked.extend(passed.iter().cloned());
        let (values, names) = match self.client {
            Client::OpenCode => ("environment", ""),
            Client::Goose => ("envs", "env_keys"),
            _ => ("env", "env_vars"),
        };
        if !own.is_empty() {
            server[values] = own.into();
        }
        if !passed.is_empty() {
            server[names] = passed.into();
        }
        match (self.client, cwd) {
            (_, None) => {}
            (
                Client::VsCode
                | Client::GeminiCli
                | Client::Codex
                | Client::OpenCode
                | Client::Sonde,
                Some(cwd),
            ) => {
                server["cwd"] = self.text(cwd, false).into();
            }
            (_, Some(_)) => self
                .notes
                .push("The working directory is not part of it.".to_owned()),
        }
        server
    }

    fn remote(&mut self, url: &str, headers: &[NamedValue], sse: bool) -> Value {
        let url = self.text(url, false);
        let mut server = match self.client {
            Client::ClaudeCode | Client::VsCode | Client::Sonde => {
                json!({ "type": if sse { "sse" } else { "http" }, "url": url })
            }
            Client::Cline => {
                json!({ "type": if sse { "sse" } else { "streamableHttp" }, "url": url })
            }
            Client::Windsurf => json!({ "serverUrl": url }),
            Client::GeminiCli if !sse => json!({ "httpUrl": url }),
            Client::Goose => {
                json!({ "type": if sse { "sse" } else { "streamable_http" }, "uri": url })
            }
            Client::OpenCode => json!({ "type": "remote", "url": url }),
            _ => json!({ "url": url }),
        };
        if self.client == Client::Codex {
            if sse {
                self.notes
                    .push("Codex does not connect over HTTP+SSE.".to_owned());
            }
            self.codex_headers(headers, &mut server);
        } else if !headers.is_empty() {
            server["headers"] = self.named(headers, true).into();
            if self.client == Client::Goose && !self.asked.is_empty() {
                server["env_keys"] = self.asked.iter().cloned().collect();
            }
        }
        server
    }

    /// Codex names the variables of headers apart from the headers that have their values there.
    fn codex_headers(&mut self, headers: &[NamedValue], server: &mut Value) {
        for NamedValue { name, value } in headers {
            let bearer = match value {
                ConfigValue::Plain(text) => text
                    .strip_prefix("Bearer ")
                    .filter(|rest| inputs_in(rest) == [*rest]),
                ConfigValue::Secret => None,
            };
            match (value, bearer) {
                (_, Some(input)) if name.eq_ignore_ascii_case("authorization") => {
                    let name = input
                        .trim_end_matches('}')
                        .split_once(':')
                        .map_or("", |(_, name)| name);
                    let name = variable(name);
                    server["bearer_token_env_var"] = name.as_str().into();
                    self.asked.insert(name);
                }
                (ConfigValue::Secret, _) => {
                    let variable = variable(name);
                    server["env_http_headers"][name] = variable.as_str().into();
                    self.asked.insert(variable);
                }
                (ConfigValue::Plain(text), _) => {
                    server["http_headers"][name] = self.text(text, true).into();
                }
            }
        }
    }

    /// The whole of what belongs into the client's file.
    fn file(&mut self, name: &str, server: Value, other: Option<&OtherFields>) -> String {
        let mut servers = Map::new();
        let container = self.client.container();
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

/// It is a secret, or nothing but the variable of its own name.
fn is_left_out(one: &NamedValue) -> bool {
    match &one.value {
        ConfigValue::Secret => true,
        ConfigValue::Plain(text) => ["input", "env"]
            .iter()
            .any(|kind| *text == format!("${{{kind}:{}}}", one.name)),
    }
}

/// A name as environment variables have them.
fn variable(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(letter).collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        true => format!("_{name}"),
        false => name,
    }
}

/// A name of letters, digits, `-` and `_` alone.
fn slug(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let name: String = name.chars().map(letter).collect();
    let name = name.trim_matches('-');
    if name.is_empty() {
        "server".to_owned()
    } else {
        name.to_owned()
    }
}

/// The same value in TOML, which knows no `null`: what is that is left out. Numbers keep their digits where they are
/// those of an `i64` or an `f64`.
fn toml_of(value: &Value) -> Option<toml::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => toml::Value::Array(list.iter().filter_map(toml_of).collect()),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.filter_map(|(name, one)| Some((name.clone(), toml_of(one)?)));
            toml::Value::Table(members.collect())
        }
    })
}

/// Writes objects as blocks, and everything in them as JSON, which YAML contains.
fn yaml(value: &Value, depth: usize, text: &mut String) {
    let Value::Object(members) = value else {
        return;
    };
    for (name, member) in members {
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let name = if plain {
            name.clone()
        } else {
            Value::from(name.as_str()).to_string()
        };
        text.push_str(&"  ".repeat(depth));
        text.push_str(&name);
        match member {
            Value::Object(inner) if !inner.is_empty() => {
                text.push_str(":\n");
                yaml(member, depth + 1, text);
            }
            _ => {
                text.push_str(": ");
                text.push_str(&member.to_string());
                text.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::{import, inputs::missing_inputs, secret_slots::secret_names};

    fn named(name: &str, value: ConfigValue) -> NamedValue {
        NamedValue {
            name: name.to_owned(),
            value,
        }
    }

    fn plain(text: &str) -> ConfigValue {
        ConfigValue::Plain(text.to_owned())
    }

    fn stdio() -> ServerConfig {
        ServerConfig::new(
            "My files",
            Transport::Stdio {
                command: "npx".to_owned(),
                args: ["-y", "pkg", "--key", "${secret:key}"]
                    .map(str::to_owned)
                    .to_vec(),
                env: vec![
                    named("TOKEN", ConfigValue::Secret),
                    named("REGION", plain("e\"u")),
                    named("HOST", plain("${env:HOST}")),
                ],
                cwd: None,
            },
        )
    }

    fn http(kind: HttpKind) -> ServerConfig {
        let headers = vec![
            named("X-Api-Key", ConfigValue::Secret),
            named("X-Region", plain("eu")),
            named("Authorization", plain("Bearer ${input:token}")),
        ];
        let transport = Transport::Http {
            url: "https://a.example/mcp".to_owned(),
            headers,
            kind,
            network: NetworkConfig::default(),
            auth: AuthConfig::default(),
        };
        ServerConfig::new("Web", transport)
    }

    fn facts(id: &str) -> &'static ClientFacts {
        CLIENTS.iter().find(|one| one.id == id).unwrap()
    }

    fn text(config: &ServerConfig, id: &str) -> String {
        export(config, None, facts(id)).text.unwrap()
    }

    /// What goes to Sonde on another computer is the same there but for its secrets, and goes on as it came.
    #[test]
    fn what_is_portable_is_the_same_elsewhere() {
        let demo = |http| ServerConfig::new("Demo server", Transport::Demo { http });
        let mut set = http(HttpKind::Streamable);
        set.idle_seconds = Some(90);
        set.hard_seconds = Some(900);
        set.stream_attempts = Some(9);
        set.protocol = ProtocolMode::Stateless;
        for config in [
            demo(false),
            demo(true),
            stdio(),
            http(HttpKind::Automatic),
            http(HttpKind::Sse),
            set,
        ] {
            let (written, notes) = portable(&config);
            let text = json!({ "servers": { "S": written } }).to_string();
            assert!(!text.contains("${secret:"), "{text}");
            let mut read = import::read(&text).unwrap();
            assert_eq!(read.problems, Vec::<String>::new(), "{text}");
            let found = read.found.remove(0);
            assert_eq!(found.key, "S");
            let (found, asked) = (found.input, found.remarks);
            assert_eq!(found.secrets, [], "{text}");
            assert_eq!(asked.len(), notes.len(), "{asked:?} {notes:?}");
            let found = found.config;
            assert_eq!(portable(&found).0, written);
            assert_eq!(
                (
                    found.idle_seconds,
                    found.hard_seconds,
                    found.stream_attempts
                ),
                (
                    config.idle_seconds,
                    config.hard_seconds,
                    config.stream_attempts
                )
            );
            assert_eq!(found.protocol, config.protocol);
            match (config.transport, found.transport) {
                (Transport::Http { kind, .. }, Transport::Http { kind: read, .. }) => {
                    assert_eq!(kind, read);
                }
                (Transport::Stdio { cwd, .. }, Transport::Stdio { cwd: read, .. }) => {
                    assert_eq!(cwd, read);
                }
                (demo, read) => assert_eq!(demo, read),
            }
        }
        let odd = r#"{"servers": {"S": {"command": "x", "sonde": {"idle_seconds": "many"}}}}"#;
        let found = import::read(odd).unwrap().found.remove(0);
        assert_eq!(
            found.remarks,
            ["`sonde` could not be read and was ignored."]
        );
    }

    /// What is exported can be imported: the same command or address, with what is secret asked for or
    /// marked as to be replaced.
    #[test]
    fn what_is_exported_is_read_again() {
        for config in [stdio(), http(HttpKind::Automatic), http(HttpKind::Sse)] {
            for facts in &CLIENTS {
                let exported = export(&config, None, facts);
                let Ok(text) = exported.text else {
                    assert_eq!(facts.client, Client::ClaudeDesktop);
                    continue;
                };
                assert!(!text.contains("${secret:"), "{text}");
                let mut read = import::read(&text).unwrap();
                assert_eq!((read.found.len(), read.problems.len()), (1, 0), "{text}");
                let found = read.found.remove(0).input;
                assert_eq!(found.secrets, [], "{text}");
                assert!(secret_names(&found.config.transport).is_empty());
                match (&config.transport, &found.config.transport) {
                    (
                        Transport::Stdio { env, args, .. },
                        Transport::Stdio {
                            command,
                            args: read,
                            env: given,
                            ..
                        },
                    ) => {
                        assert_eq!(command, "npx", "{text}");
                        assert_eq!(args[..3], read[..3], "{text}");
                        assert_eq!(env.len(), given.len(), "{text}");
                        let region = given.iter().find(|one| one.name == "REGION").unwrap();
                        assert_eq!(region.value, plain("e\"u"));
                    }
                    (
                        Transport::Http { url, headers, .. },
                        Transport::Http {
                            url: read,
                            headers: given,
                            ..
                        },
                    ) => {
                        assert_eq!(url, read);
                        assert_eq!(headers.len(), given.len(), "{text}");
                    }
                    _ => panic!("{text}"),
                }
                let first = exported.notes.first().unwrap();
                assert!(first.starts_with("Secrets are not part of it."), "{first}");
            }
        }
    }

    #[test]
    fn every_client_has_what_it_replaces_itself() {
        let config = stdio();
        for (id, place) in [
            ("claude_desktop", "\"TOKEN\": \"<TOKEN>\""),
            ("claude_code", "\"TOKEN\": \"${TOKEN}\""),
            ("vs_code", "\"TOKEN\": \"${input:TOKEN}\""),
            ("cursor", "\"TOKEN\": \"${env:TOKEN}\""),
            ("codex", "env_vars = [\n    \"TOKEN\",\n    \"HOST\",\n]"),
            ("goose", "    env_keys: [\"TOKEN\",\"HOST\"]"),
            ("opencode", "\"TOKEN\": \"{env:TOKEN}\""),
            ("gemini_cli", "\"${KEY}\""),
        ] {
            let text = text(&config, id);
            assert!(text.contains(place), "{text}");
        }
        let vs_code: Value = serde_json::from_str(&text(&config, "vs_code")).unwrap();
        let ids: Vec<_> = vs_code["inputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["HOST", "KEY", "TOKEN"]);
        let codex = text(&http(HttpKind::Automatic), "codex");
        for line in [
            "[mcp_servers.web]",
            "bearer_token_env_var = \"TOKEN\"",
            "X-Api-Key = \"X_API_KEY\"",
            "X-Region = \"eu\"",
        ] {
            assert!(codex.contains(line), "{codex}");
        }
        let goose = text(&http(HttpKind::Automatic), "goose");
        for line in ["env_keys: [", "\"TOKEN\"", "${TOKEN}"] {
            assert!(goose.contains(line), "{goose}");
        }
        // It replaces nothing in arguments.
        let goose = export(&config, None, facts("goose"));
        assert!(goose.text.unwrap().contains("<KEY>"));
        assert!(
            goose.notes[0]
                .contains("Replace what stands for `KEY`. Goose asks for `HOST`, `TOKEN`"),
            "{:?}",
            goose.notes
        );
        let web = text(&http(HttpKind::Automatic), "windsurf");
        assert!(web.contains("\"serverUrl\""), "{web}");
        let back = import::read(&text(&http(HttpKind::Automatic), "vs_code")).unwrap();
        let missing = missing_inputs(&back.found[0].input.config.transport);
        assert_eq!(missing, ["${input:X_API_KEY}", "${input:TOKEN}"]);
    }

    #[test]
    fn what_a_client_cannot_have_is_said() {
        let demo = ServerConfig::new("Demo", Transport::Demo { http: false });
        for facts in &CLIENTS {
            assert!(export(&demo, None, facts).text.is_err());
        }
        let desktop = facts("claude_desktop");
        assert!(export(&http(HttpKind::Sse), None, desktop).text.is_err());
    }

    /// What an import kept is part of an export for a client that has its servers under the same name, and of
    /// no other.
    #[test]
    fn what_only_another_client_knows_goes_back_to_it() {
        for (id, text) in [
            (
                "cline",
                r#"{"mcpServers": {"a": {"command": "x", "timeout": 60.50, "alwaysAllow": ["b"], "x": null}}}"#,
            ),
            (
                "codex",
                "[mcp_servers.a]\ncommand = \"x\"\nstartup_timeout_sec = 20\n[mcp_servers.a.tools.b]\nratio = 0.5\n",
            ),
            (
                "goose",
                "extensions:\n  a:\n    type: stdio\n    cmd: x\n    timeout: 300\n",
            ),
            (
                "opencode",
                r#"{"mcp": {"a": {"type": "local", "command": ["x"], "timeout": 5000}}}"#,
            ),
            (
                "vs_code",
                r#"{"servers": {"a": {"command": "x", "envFile": "{env:x}", "dev": {"watch": "*"}}}}"#,
            ),
            (
                "zed",
                r#"{"context_servers": {"a": {"command": "x", "settings": {"b": 1}}}}"#,
            ),
        ] {
            let read = |text: &str| import::read(text).unwrap().found.remove(0);
            let found = read(text);
            let other = found.other_fields.unwrap();
            assert!(found.remarks.iter().any(|remark| remark.contains("kept")));
            let config = found.input.config;
            for facts in &CLIENTS {
                let again = read(&export(&config, Some(&other), facts).text.unwrap());
                let same = facts.client.container() == other.container;
                assert_eq!(again.other_fields.is_some(), same, "{}", facts.id);
                if facts.id == id {
                    assert_eq!(again.other_fields.unwrap().fields.len(), other.fields.len());
                }
            }
        }
        let number = r#"{"mcpServers": {"a": {"command": "x", "timeout": 60.50}}}"#;
        let found = import::read(number).unwrap().found.remove(0);
        let exported = export(
            &found.input.config,
            found.other_fields.as_ref(),
            facts("cline"),
        );
        assert!(exported.text.unwrap().contains("\"timeout\": 60.50"));
    }
}
