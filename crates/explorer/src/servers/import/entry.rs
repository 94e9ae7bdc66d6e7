//! One server of another client's configuration.

use serde_json::{Map, Value};

use sonde_auth::Secret;

use super::{
    IsSet, ServerInText,
    placeholders::{self, Defaults},
    secret_args, word,
};
use crate::servers::{
    OtherFields, ServerInput,
    config::{
        AuthConfig, ConfigValue, HttpKind, InKeyring, NamedValue, NetworkConfig, ServerConfig,
        SignInConfig, Transport,
    },
    inputs_in, missing_inputs,
    quote::{quote, quoted},
    secret_names::{is_placeholder, looks_secret, shape},
    secret_slots::{SecretInputs, arg_place, auth, env_secret, header_secret, secrets_in},
    steering,
    url_secrets::{in_text, in_url},
};
use crate::text::cut;

/// Limit of the other fields that are kept of a server, in bytes of JSON.
const MOST_OTHER: usize = 16 * 1024;
/// Limit of their number.
const MOST_OTHER_FIELDS: usize = 64;
/// Limits of the names in one remark, and of the characters of each.
const SHOWN_NAMES: usize = 12;
const SHOWN_NAME: usize = 40;
/// Names of this computer in an address.
pub(super) const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const URLS: [&str; 4] = ["url", "serverUrl", "httpUrl", "uri"];
/// Further members that are understood, or not worth a remark.
const KNOWN: [&str; 22] = [
    "$schema",
    "name",
    "title",
    "source",
    "type",
    "transport",
    "command",
    "args",
    "env",
    "env_vars",
    "env_keys",
    "cwd",
    "oauth",
    "headers",
    "env_http_headers",
    "bearer_token_env_var",
    "description",
    "display_name",
    "bundled",
    "enabled",
    "disabled",
    DEMO,
];
/// Members of `oauth` that are understood.
const OAUTH: [&str; 5] = ["enabled", "clientId", "scopes", "scope", "callbackPort"];
/// The member with a file of environment variables, as VS Code has it.
const ENV_FILE: &str = "envFile";
/// The member that makes a server the demo server, with its transport.
const DEMO: &str = "demo";
/// Member names of some clients, each with the usual name: Goose (<https://goose-docs.ai/docs/guides/config-files>),
/// opencode (<https://opencode.ai/docs/mcp-servers>), Codex (<https://developers.openai.com/codex/mcp>).
const ALIASES: [(&str, &str); 5] = [
    ("cmd", "command"),
    ("envs", "env"),
    ("environment", "env"),
    ("http_headers", "headers"),
    ("workingDirectory", "cwd"),
];

/// The object describes a server.
pub(super) fn is_server(object: &Map<String, Value>) -> bool {
    let command = object.get("command").or_else(|| object.get("cmd"));
    command.is_some_and(|one| one.is_string() || one.is_array() || one.is_object())
        || URLS
            .iter()
            .any(|url| object.get(*url).is_some_and(Value::is_string))
}

/// Returns a name for a server without one.
pub(super) fn name_of(object: &Map<String, Value>) -> String {
    if let Some(command) = object.get("command").and_then(Value::as_str) {
        return command
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(command)
            .to_owned();
    }
    URLS.iter()
        .find_map(|url| object.get(*url)?.as_str())
        .and_then(|text| host_name(&url::Url::parse(text).ok()?))
        .unwrap_or_else(|| "Imported server".to_owned())
}

/// The host of an address. The servers of this computer, whichever way it is written, differ by their port.
fn host_name(url: &url::Url) -> Option<String> {
    let host = url.host_str()?;
    let host = if LOOPBACK.contains(&host) {
        "localhost"
    } else {
        host
    };
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// Reads one entry.
pub(super) fn read(
    name: &str,
    server: &Value,
    container: Option<&'static str>,
    is_set: IsSet,
) -> Result<ServerInText, String> {
    let written = server.as_object().ok_or("It is not an object.")?;
    let mut object = usual(written);
    let defaults = placeholders::replace(&mut object, is_set);
    let object = &object;
    let mut reader = Reader {
        remarks: Vec::from_iter(defaults.remark()),
        secrets: SecretInputs::new(),
        defaults,
    };
    let transport = reader.transport(object)?;
    let mut remarks = reader.remarks;
    let inputs = quoted(missing_inputs(&transport));
    remarks.extend(inputs.map(|names| format!("Before the first connect Sonde asks for {names}.")));
    if object.get("disabled") == Some(&Value::Bool(true))
        || object.get("enabled") == Some(&Value::Bool(false))
    {
        remarks.push("It is disabled in the source.".to_owned());
    }
    let env_file = object.get(ENV_FILE).and_then(Value::as_str);
    if env_file.is_some() {
        remarks.push(format!(
            "The file in `{ENV_FILE}` is not read: add the variables that the server needs."
        ));
    }
    let other_fields = other_fields(written, container, &mut remarks);
    let config = ServerConfig::new(
        match name.trim() {
            "" => name_of(object),
            _ => name.to_owned(),
        },
        transport,
    );
    Ok(ServerInText {
        name: name.to_owned(),
        input: ServerInput {
            config,
            secrets: reader.secrets,
        },
        env_file: env_file.map(str::to_owned),
        other_fields,
        remarks,
    })
}

/// Reads the transport of an entry.
struct Reader {
    defaults: Defaults,
    /// The secrets so far.
    secrets: SecretInputs,
    /// Plain sentences so far.
    remarks: Vec<String>,
}

impl Reader {
    fn remark(&mut self, remark: impl Into<String>) {
        self.remarks.push(remark.into());
    }

    /// Remarks on a placeholder to be replaced by hand, not on one that Sonde asks for.
    fn remark_placeholder(&mut self, what: &str, text: &str) {
        if text.matches("${").count() > inputs_in(text).len()
            || (text.starts_with('<') && text.ends_with('>'))
        {
            self.remark(format!(
                "{what} contains a placeholder: replace it with the real value."
            ));
        }
    }

    fn transport(&mut self, object: &Map<String, Value>) -> Result<Transport, String> {
        let kind = object
            .get("type")
            .or_else(|| object.get("transport"))
            .and_then(Value::as_str)
            .map(|kind| kind.to_ascii_lowercase().replace(['-', '_'], ""));
        let url = URLS.iter().find_map(|url| object.get(*url)?.as_str());
        match (object.get("command"), url) {
            (None, None) if object.contains_key(DEMO) => Ok(Transport::Demo {
                http: object[DEMO] == "http",
            }),
            (Some(command), _)
                if kind
                    .as_deref()
                    .is_none_or(|kind| ["stdio", "local"].contains(&kind))
                    || url.is_none() =>
            {
                if url.is_some() {
                    self.remark("It has both a command and a URL; the command was used.");
                }
                self.command(command, object)
            }
            (_, Some(url)) => Ok(Transport::Http {
                kind: self.http_kind(url, kind.as_deref()),
                url: url.to_owned(),
                headers: self.values(object.get("headers"), "headers", header_secret)?,
                network: NetworkConfig::default(),
                auth: self.sign_in(object),
            }),
            _ => Err("It has neither `command` nor `url`.".to_owned()),
        }
    }

    fn http_kind(&mut self, url: &str, kind: Option<&str>) -> HttpKind {
        let web_socket = url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "ws" | "wss"));
        let http = match kind {
            Some("sse") => HttpKind::Sse,
            Some("streamablehttp") => HttpKind::Streamable,
            Some("ws" | "websocket") if !web_socket => {
                self.remark(
                    "It is marked as WebSocket, but its URL does not start with ws:// or \
                     wss://: correct one of them.",
                );
                HttpKind::Automatic
            }
            // Many clients call either HTTP transport so.
            None | Some("http" | "remote" | "ws" | "websocket") => HttpKind::Automatic,
            Some(other) => {
                let other = quote(other);
                self.remark(format!("Its type {other} is unknown; HTTP was used."));
                HttpKind::Automatic
            }
        };
        self.remark_placeholder("The URL", url);
        if !in_url(url).is_empty() {
            self.remark(
                "The URL seems to contain a key. URLs are saved in plain text; headers marked \
                 as secret are not.",
            );
        }
        http
    }

    fn command(
        &mut self,
        command: &Value,
        object: &Map<String, Value>,
    ) -> Result<Transport, String> {
        // Some clients nest: {"command": {"path": …, "args": …, "env": …}}.
        let inner = command.as_object().unwrap_or(object);
        let mut args = Vec::new();
        let command = match command {
            Value::String(command) => command.clone(),
            Value::Array(words) => {
                let mut words = words.iter().map(word);
                let command = words.next().flatten();
                let command = command.ok_or("Its `command` is an empty list.")?;
                args = words
                    .collect::<Option<_>>()
                    .ok_or("Its `command` contains something that is not a string.")?;
                command
            }
            Value::Object(nested) => nested
                .get("path")
                .and_then(Value::as_str)
                .ok_or("Its `command` has no `path`.")?
                .to_owned(),
            _ => return Err("Its `command` is not a string.".to_owned()),
        };
        match inner.get("args") {
            None | Some(Value::Null) => {}
            Some(Value::Array(words)) => {
                let words: Option<Vec<_>> = words.iter().map(word).collect();
                args.extend(words.ok_or("Its `args` contain something that is not a string.")?);
            }
            Some(_) => return Err("Its `args` are not a list.".to_owned()),
        }
        let env = self.values(inner.get("env"), "env", env_secret)?;
        if args.is_empty() && command.trim().contains(' ') && !command.contains(['/', '\\']) {
            self.remark(
                "The command contains spaces: if these are arguments, move them to the arguments.",
            );
        }
        for arg in std::iter::once(&command).chain(&args) {
            self.remark_placeholder(&quote(arg), arg);
        }
        if let Some(name) = args.iter().flat_map(|arg| secrets_in(arg)).next() {
            let place = arg_place(name);
            return Err(format!(
                "An argument contains {}, which only Sonde itself puts there.",
                quote(&place)
            ));
        }
        secret_args::take(&command, &mut args, &mut self.secrets);
        if secret_args::remains(&args) {
            self.remark(
                "An argument looks like a key. Arguments are saved in plain text; environment \
                 variables marked as secret are not.",
            );
        }
        let cwd = inner.get("cwd").and_then(Value::as_str).map(str::to_owned);
        self.remark_placeholder("The working directory", cwd.as_deref().unwrap_or_default());
        Ok(Transport::Stdio {
            command,
            args,
            env,
            cwd,
        })
    }

    fn values(
        &mut self,
        value: Option<&Value>,
        what: &str,
        stored_as: fn(&str) -> String,
    ) -> Result<Vec<NamedValue>, String> {
        let pairs = match value {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(pairs)) => pairs,
            Some(_) => return Err(format!("Its `{what}` are not an object.")),
        };
        let mut read = Vec::new();
        for (name, value) in pairs {
            let Some(text) = word(value) else {
                let name = quote(name);
                self.remark(format!(
                    "{name} in `{what}` is not a string and was ignored."
                ));
                continue;
            };
            let value = if !inputs_in(&text).is_empty() {
                // One remark covers all placeholders.
                ConfigValue::Plain(text)
            } else if is_placeholder(&text) {
                let name = quote(name);
                self.remark(format!(
                    "{name} is a placeholder: replace it with the real value."
                ));
                ConfigValue::Plain(text)
            } else if let Some(effect) = steering::effect(name).filter(|_| what == "env") {
                // Plain even if it looks like a secret, since it is shown before it runs.
                self.remark(format!("It sets {}. {effect}", quote(name)));
                ConfigValue::Plain(text)
            } else if looks_secret(name, &text) && (!self.defaults.has(name) || shape(&text)) {
                self.secrets
                    .push((stored_as(name), Some(Secret::new(text))));
                ConfigValue::SECRET
            } else {
                ConfigValue::Plain(text)
            };
            read.push(NamedValue {
                name: name.clone(),
                value,
            });
        }
        Ok(read)
    }

    /// The client that is registered already, as Claude Code (<https://code.claude.com/docs/en/mcp>), Gemini CLI
    /// (<https://geminicli.com/docs/tools/mcp-server>) and opencode (<https://opencode.ai/docs/mcp-servers>) name it.
    fn sign_in(&mut self, object: &Map<String, Value>) -> AuthConfig {
        let no_members = Map::new();
        let oauth = match object.get("oauth") {
            Some(Value::Bool(false)) => return AuthConfig::Off,
            Some(Value::Object(oauth)) => oauth,
            _ => &no_members,
        };
        if oauth.get("enabled") == Some(&Value::Bool(false)) {
            return AuthConfig::Off;
        }
        let text = |name: &str| oauth.get(name)?.as_str().map(str::to_owned);
        let scopes = || match oauth.get("scopes").or_else(|| oauth.get("scope"))? {
            Value::String(scopes) => Some(scopes.clone()),
            Value::Array(scopes) => {
                let scopes: Vec<_> = scopes.iter().filter_map(Value::as_str).collect();
                Some(scopes.join(" "))
            }
            _ => None,
        };
        let port = oauth.get("callbackPort").and_then(Value::as_u64);
        let client_id = text("clientId");
        let secret = text("clientSecret")
            .filter(|secret| client_id.is_some() && !is_placeholder(secret))
            .map(|secret| (auth::CLIENT_SECRET.to_owned(), Some(Secret::new(secret))));
        let left_out = oauth.keys().filter(|name| match name.as_str() {
            "clientSecret" => secret.is_none(),
            name => !OAUTH.contains(&name),
        });
        if let Some(names) = quoted(left_out) {
            self.remark(format!("Left out of `oauth`: {names}."));
        }
        let options = SignInConfig {
            client_id,
            client_secret: secret.as_ref().map(|_| InKeyring::Keep),
            scopes: scopes(),
            redirect_port: port.and_then(|port| u16::try_from(port).ok()),
            ..SignInConfig::default()
        };
        self.secrets.extend(secret);
        AuthConfig::SignIn {
            options: Box::new(options),
        }
    }
}

/// Keeps fields that Sonde has no setting for, to export them again: at most `MOST_OTHER_FIELDS` fields with
/// `MOST_OTHER` bytes together, and none with a secret. One remark names all fields that are kept; further remarks name
/// the others, one per reason.
fn other_fields(
    object: &Map<String, Value>,
    container: Option<&'static str>,
    remarks: &mut Vec<String>,
) -> Option<OtherFields> {
    let mut fields = Map::new();
    let mut room = MOST_OTHER;
    let (mut kept, mut secret, mut long, mut ignored) = (vec![], vec![], vec![], vec![]);
    let known = |name: &str| {
        let mut names = KNOWN
            .iter()
            .chain(&URLS)
            .chain(ALIASES.iter().map(|(alias, _)| alias));
        names.any(|known| *known == name)
    };
    for (name, value) in object.iter().filter(|(name, _)| !known(name)) {
        let length = name.len() + value.to_string().len();
        let names = if container.is_none() {
            &mut ignored
        } else if has_secret(name, value) {
            &mut secret
        } else if length > room || fields.len() >= MOST_OTHER_FIELDS {
            &mut long
        } else {
            room -= length;
            fields.insert(name.clone(), value.clone());
            &mut kept
        };
        names.push(quote(&cut(name, SHOWN_NAME)));
    }
    for (what, names) in [
        (
            "Also kept, without effect in Sonde and as a part of an export to such a client",
            kept,
        ),
        ("Left out, as it seems to contain a secret", secret),
        ("Left out, as it is too much to be kept", long),
        ("Ignored, as Sonde has no such setting", ignored),
    ] {
        if !names.is_empty() {
            let shown = names.iter().take(SHOWN_NAMES).cloned();
            let mut shown = shown.collect::<Vec<_>>().join(", ");
            if names.len() > SHOWN_NAMES {
                shown += &format!(" and {} more", names.len() - SHOWN_NAMES);
            }
            remarks.push(format!("{what}: {shown}."));
        }
    }
    let container = container.filter(|_| !fields.is_empty())?.to_owned();
    Some(OtherFields { container, fields })
}

/// Something in a value looks like a secret.
pub(crate) fn has_secret(name: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => {
            (!is_placeholder(text) && looks_secret(name, text)) || !in_text(text).is_empty()
        }
        Value::Array(list) => list.iter().any(|one| has_secret(name, one)),
        Value::Object(members) => {
            let mut members = members.iter();
            members.any(|(inner, one)| shape(inner) || has_secret(&format!("{name}.{inner}"), one))
        }
        _ => false,
    }
}

/// Renames members to the names that most clients use, and replaces values from the client's own environment by
/// placeholders.
fn usual(object: &Map<String, Value>) -> Map<String, Value> {
    let mut usual = object.clone();
    for (alias, name) in ALIASES {
        if let Some(value) = usual.shift_remove(alias) {
            usual.entry(name).or_insert(value);
        }
    }
    // opencode's way to name a variable, and a file (https://opencode.ai/docs/config).
    if matches!(
        object.get("type").and_then(Value::as_str),
        Some("local" | "remote")
    ) {
        for value in usual.values_mut() {
            each_text(value, &mut |text| {
                // Some users add the dollar sign anyway.
                let plain = text.replace("${env:", "{env:").replace("${file:", "{file:");
                let with_env = plain.replace("{env:", "${env:");
                *text = with_env.replace("{file:", "${input:file ");
            });
        }
    }
    let mut add = |list: &str, name: String, value: String| {
        let pairs = usual.entry(list).or_insert_with(|| Map::new().into());
        if let Value::Object(pairs) = pairs {
            pairs.entry(name).or_insert(value.into());
        }
    };
    let names = |member: &str| {
        let list = object.get(member).and_then(Value::as_array);
        let name = |one: &Value| {
            one.as_str()
                .or_else(|| one.get("name")?.as_str())
                .map(str::to_owned)
        };
        list.into_iter()
            .flatten()
            .filter_map(name)
            .collect::<Vec<_>>()
    };
    for name in names("env_vars") {
        let value = format!("${{env:{name}}}");
        add("env", name, value);
    }
    for name in names("env_keys") {
        let value = format!("${{input:{name}}}");
        add("env", name, value);
    }
    if let Some(Value::Object(headers)) = object.get("env_http_headers") {
        for (name, variable) in headers {
            if let Some(variable) = variable.as_str() {
                add("headers", name.clone(), format!("${{env:{variable}}}"));
            }
        }
    }
    if let Some(variable) = object.get("bearer_token_env_var").and_then(Value::as_str) {
        add(
            "headers",
            "Authorization".to_owned(),
            format!("Bearer ${{env:{variable}}}"),
        );
    }
    usual
}

/// Changes every text of a value.
pub(super) fn each_text(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(list) => list.iter_mut().for_each(|one| each_text(one, change)),
        Value::Object(pairs) => pairs.values_mut().for_each(|one| each_text(one, change)),
        _ => {}
    }
}
