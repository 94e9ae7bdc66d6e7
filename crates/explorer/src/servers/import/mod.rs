//! Imports servers from copied text, and from files of other clients.
//!
//! [`recognize`] detects one of the formats below, each of which yields entries as in a client's JSON. [`entry`]
//! interprets them.

// Shapes of texts.
mod relaxed;
mod shell_words;
mod registry;
mod bundle;
pub(super) mod presentation;
mod document;
mod command_line;
pub(crate) mod link;

// One server.
pub(super) mod secret_args;
mod placeholders;
mod entry;

use std::time::Duration;

use serde_json::Value;

pub(crate) use self::entry::has_secret;
use self::presentation::PresentationFile;
pub(super) use self::shell_words::single_command;
use super::{OtherFields, ServerInput, clients::LONGEST, config::ProtocolMode};
use crate::{Error, limits::cut_text};

/// Bytes of a sentence about the text.
const SENTENCE: usize = 500;
/// Limit of servers that are read from one text.
const MOST: usize = 1000;

/// Limit of a value, in bytes, beyond which the names in it are not replaced.
const LONGEST_VALUE: usize = 16 * 1024;

/// True for a variable of the environment that is set.
type IsSet = fn(&str) -> bool;

/// One server of a text.
#[derive(Debug)]
pub struct ServerInText {
    /// Its name in the text.
    pub name: String,
    /// Its configuration and secrets.
    pub input: ServerInput,
    /// Path of a file with more environment variables (`envFile`), as it is written.
    pub env_file: Option<String>,
    pub(super) other_fields: Option<OtherFields>,
    pub(super) remarks: Vec<String>,
}

/// Servers of a text, with the secrets in it.
#[derive(Debug)]
pub struct ServersInText {
    /// Kind of the text, in a few words.
    pub(super) recognized: &'static str,
    /// The servers in the order of the text.
    pub servers: Vec<ServerInText>,
    /// Parts that were not understood or left out, as plain sentences; those about a server begin with its name.
    pub problems: Vec<String>,
    /// Presentation that uses the servers, if the text is one.
    pub(super) presentation: Option<PresentationFile>,
}

/// A text by its shape.
#[derive(Default)]
struct Recognized {
    /// Kind of the text, in a few words.
    what: &'static str,
    entries: Vec<Entry>,
    /// Parts that were not understood or left out, as plain sentences.
    problems: Vec<String>,
    presentation: Option<PresentationFile>,
}

/// One server as a client's JSON would have it.
#[derive(Default)]
struct Entry {
    name: String,
    server: Value,
    /// Name of the list that it stood in, if a client that Sonde exports to has that list.
    container: Option<&'static str>,
    /// Remarks on its form in the text, as plain sentences.
    remarks: Vec<String>,
    /// Setting that no other client has.
    protocol: ProtocolMode,
    /// Longest silence of a request, a setting that no other client has.
    idle: Option<Duration>,
}

impl Entry {
    fn new(name: String, server: Value) -> Self {
        Self {
            name,
            server,
            ..Self::default()
        }
    }
}

/// Returns a text, or a number or boolean as it is written.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Replaces the names between `begin` and the next `}` by their values, each once. A text that is then too long stays
/// as it is.
fn fill_in(text: &str, begin: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once(begin) {
        let named = inner.split_once('}');
        let named = named.and_then(|(name, behind)| Some((value(name)?, behind)));
        let (value, behind) = named.unwrap_or_else(|| (begin.to_owned(), inner));
        filled.push_str(before);
        filled.push_str(&value);
        if filled.len() > LONGEST_VALUE {
            return text.to_owned();
        }
        rest = behind;
    }
    filled + rest
}

impl Recognized {
    fn new(what: &'static str) -> Self {
        Self {
            what,
            ..Self::default()
        }
    }

    fn of(what: &'static str, entry: Entry) -> Self {
        Self {
            entries: vec![entry],
            ..Self::new(what)
        }
    }

    /// Adds an entry, unless an equal one exists, for example of another project.
    fn add(&mut self, entry: Entry) {
        if self.entries.len() >= MOST {
            let problem = format!("Only the first {MOST} servers were read.");
            if self.problems.last() != Some(&problem) {
                self.problems.push(problem);
            }
            return;
        }
        let same = |one: &Entry| one.name == entry.name && one.server == entry.server;
        if !self.entries.iter().any(same) {
            self.entries.push(entry);
        }
    }
}

/// Imports a text. Never all or nothing: parts that are not understood become problems.
///
/// # Errors
/// One plain sentence when the text as a whole is nothing known or holds no servers.
pub(super) fn read(text: &str) -> Result<ServersInText, String> {
    servers_in(text, |_| false)
}

/// Reads the servers of a text, as an import does. Values that a client asks its user for, or takes from its
/// environment, are placeholders ([`missing_inputs`](super::missing_inputs)), as are those with a default whose
/// variable is set.
///
/// # Errors
/// One plain sentence when the text as a whole is nothing known or holds no servers.
pub fn servers_in(text: &str, is_set: fn(&str) -> bool) -> Result<ServersInText, String> {
    if text.trim().is_empty() {
        return Err("Paste a URL, a command line or the configuration of another client.".into());
    }
    if text.len() > LONGEST {
        return Err("The text is too long for a server list (4 MiB at most).".into());
    }
    let recognized =
        recognize(without_fence(text.trim())).map_err(|problem| cut_text(&problem, SENTENCE))?;
    let mut import = ServersInText {
        recognized: recognized.what,
        servers: Vec::new(),
        problems: recognized.problems,
        presentation: recognized.presentation,
    };
    for entry in recognized.entries {
        add(entry, &mut import, is_set);
    }
    // Remarks quote parts of the text, which may be long.
    let remarks = import.servers.iter_mut().flat_map(|one| &mut one.remarks);
    for sentence in remarks.chain(&mut import.problems) {
        *sentence = cut_text(sentence, SENTENCE);
    }
    if import.servers.is_empty() && import.problems.is_empty() && import.presentation.is_none() {
        return Err("The list of servers is empty.".into());
    }
    Ok(import)
}

fn recognize(text: &str) -> Result<Recognized, String> {
    link::read(text)
        .or_else(|| bundle::read_zip(text))
        .or_else(|| presentation::read(text))
        .or_else(|| document::read(text))
        .or_else(|| command_line::read(text))
        .unwrap_or_else(|| {
            let problem =
                "It is neither a URL, nor a command line, nor a configuration that Sonde knows.";
            // A part of a configuration.
            let json = text
                .starts_with('"')
                .then(|| document::parse(text).err())
                .flatten();
            Err(match json {
                Some(json) => format!("{problem} {json}"),
                None => problem.to_owned(),
            })
        })
}

/// Removes the fences of a Markdown block.
fn without_fence(text: &str) -> &str {
    let fenced = || {
        let (_, inner) = text.strip_prefix("```")?.split_once('\n')?;
        inner.trim_end().strip_suffix("```")
    };
    fenced().map_or(text, str::trim)
}

fn add(entry: Entry, import: &mut ServersInText, is_set: IsSet) {
    let read = entry::read(&entry.name, &entry.server, entry.container, is_set);
    let found = read.and_then(|mut found| {
        let mut remarks = entry.remarks;
        remarks.extend(found.remarks);
        let config = &mut found.input.config;
        config.protocol = entry.protocol;
        let seconds = |idle: Duration| u32::try_from(idle.as_secs()).ok();
        config.idle_seconds = entry.idle.and_then(seconds);
        // The rules for a server that is entered in the form apply here as well.
        super::check::check(found.input, &[])
            .map(|input| ServerInText {
                input,
                remarks,
                ..found
            })
            .map_err(|problems| Error::from(problems).to_string())
    });
    match found {
        Ok(found) => import.servers.push(found),
        Err(problem) => {
            let name = entry.name.replace('`', "'");
            import.problems.push(format!("{name}: {problem}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use sonde_auth::Secret;

    use super::*;
    use crate::servers::{ConfigValue, Transport};

    fn one(text: &str) -> ServerInText {
        let mut import = read(text).unwrap();
        assert!(import.problems.is_empty(), "{:?}", import.problems);
        assert_eq!(import.servers.len(), 1);
        import.servers.remove(0)
    }

    #[test]
    fn the_usual_shapes_are_read() {
        let server = r#"{"command": "npx", "args": ["-y", "x", 3], "env": {"A": "b", "N": 5}}"#;
        for text in [
            format!(r#"{{"mcpServers": {{"S": {server}}}}}"#),
            format!(r#"{{"servers": {{"S": {server}}}, "inputs": []}}"#),
            format!(r#"{{"mcp": {{"servers": {{"S": {server}}}}}}}"#),
            format!(r#"{{"context_servers": {{"S": {server}}}}}"#),
            format!(r#"{{"S": {server}}}"#),
            format!(r#""mcpServers": {{"S": {server}}}"#),
            format!("// mine\n{{\"mcpServers\": {{\"S\": {server},}}, /* end */}}"),
        ] {
            let found = one(&text);
            assert_eq!(found.input.config.name, "S", "{text}");
            let Transport::Stdio {
                command, args, env, ..
            } = found.input.config.transport
            else {
                panic!("{text}");
            };
            assert_eq!((command.as_str(), args.len(), env.len()), ("npx", 3, 2));
            assert_eq!(args[2], "3");
            assert_eq!(env[1].value, ConfigValue::Plain("5".to_owned()));
        }
        assert_eq!(one(server).input.config.name, "npx");
        assert_eq!(
            one(r#"{"url": "https://api.example.com/mcp"}"#)
                .input
                .config
                .name,
            "api.example.com"
        );
        assert_eq!(one(r#"[{"mcpServers":1}]"#.trim_matches(['[', ']'])
            .replace("1", r#"[{"name":"L","url":"http://a/"}]"#).as_str()).input.config.name, "L");
    }

    #[test]
    fn secrets_are_found_and_do_not_travel() {
        let found = one(
            r#"{"mcpServers": {"gh": {"type": "http", "url": "https://a/mcp", "headers": {
                "Authorization": "Bearer hush", "X-Region": "eu", "X-Api-Key": "${KEY}"}}}}"#,
        );
        let Transport::Http { headers, .. } = &found.input.config.transport else {
            panic!()
        };
        assert_eq!(headers[0].value, ConfigValue::SECRET);
        assert_eq!(headers[1].value, ConfigValue::Plain("eu".to_owned()));
        assert_eq!(
            headers[2].value,
            ConfigValue::Plain("${env:KEY}".to_owned())
        );
        assert_eq!(
            found.input.secrets,
            [(
                "header:Authorization".to_owned(),
                Some(Secret::new("Bearer hush"))
            )]
        );
        assert!(
            found
                .remarks
                .iter()
                .any(|remark| remark.contains("asks for `${env:KEY}`"))
        );
        let shown = format!("{:?}", found.input);
        assert!(!shown.contains("hush"), "{shown}");
        let found = one(
            r#"{"mcp": {"r": {"type": "remote", "url": "https://a/mcp", "oauth": {
                "clientId": "x", "clientSecret": "hush-hush", "issuer": "https://i"}}}}"#,
        );
        let secret = Some(Secret::new("hush-hush"));
        assert_eq!(
            found.input.secrets,
            [("auth:client_secret".to_owned(), secret)]
        );
        assert_eq!(found.remarks, ["Left out of `oauth`: `issuer`."]);
    }

    #[test]
    fn what_another_client_asks_for_is_asked_for_here() {
        let found = one(
            r#"{"mcpServers": {"gh": {"command": "npx", "args": ["--key", "${input:key}"],
                "env": {"API_KEY": "${input:key}", "HOME": "${env:HOME}", "OTHER": "${OTHER}"}}}}"#,
        );
        assert_eq!(found.input.secrets, []);
        assert_eq!(
            found.remarks,
            [
                "Before the first connect Sonde asks for `${input:key}`, `${env:HOME}`, `${env:OTHER}`."
            ]
        );
    }

    #[test]
    fn what_another_client_replaces_is_never_taken_for_a_secret() {
        let found = one(
            r#"{"mcpServers": {"g": {"command": "x", "env": {"API_KEY": "$MY_API_TOKEN",
                "OTHER_KEY": "${OTHER:-none}"}}}}"#,
        );
        assert_eq!(found.input.secrets, []);
        assert_eq!(
            found.remarks,
            [
                "Filled in with their defaults: `${OTHER:-none}`.",
                "Before the first connect Sonde asks for `${env:MY_API_TOKEN}`.",
            ]
        );
        let found = one(
            r#"{"mcp": {"o": {"type": "remote", "url": "https://a/mcp", "oauth": {"scope": "a b"},
                "headers": {"Authorization": "Bearer {file:~/.token}"}}}}"#,
        );
        assert_eq!(found.input.secrets, []);
        assert_eq!(
            found.remarks,
            ["Before the first connect Sonde asks for `${input:file ~/.token}`."]
        );
        let Transport::Http { auth, .. } = &found.input.config.transport else {
            panic!()
        };
        let crate::servers::AuthConfig::SignIn { options } = auth else {
            panic!()
        };
        assert_eq!(options.scopes.as_deref(), Some("a b"));
    }

    #[test]
    fn one_bad_entry_does_not_hide_the_others() {
        let import = read(
            r#"{"mcpServers": {"a": 5, "b": {"args": []}, "c": {"command": "x", "args": "no"},
               "d": {"url": "pigeon://a"}, "e": {"command": "ok", "disabled": true, "timeout": 9},
               "f": {"type": "sse", "url": "http://a/sse"}, "g": {"command": ""}}}"#,
        )
        .unwrap();
        assert_eq!(import.servers.len(), 2);
        assert_eq!(import.problems.len(), 5, "{:?}", import.problems);
        assert!(import.problems[3].starts_with("d: "));
        let remarks = import.servers[0].remarks.join(" ");
        assert!(
            remarks.contains("disabled") && remarks.contains("`timeout`"),
            "{remarks}"
        );
    }

    #[test]
    fn what_only_the_other_client_knows_is_kept_without_secrets() {
        let long = "x".repeat(20_000);
        let found = one(&format!(
            r#"{{"mcpServers": {{"a": {{"command": "x", "cmd": "y", "timeout": 60, "autoApprove": ["b"],
                "auth": {{"CLIENT_SECRET": "hush-hush-12"}}, "list": ["ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
                "long": "{long}", "db": ["postgresql://me:hush@db/x"], "token": "$TOKEN"}}}}}}"#
        ));
        let other = found.other_fields.unwrap();
        assert_eq!(other.container, "mcpServers");
        let names: Vec<_> = other.fields.keys().collect();
        assert_eq!(names, ["timeout", "autoApprove", "token"]);
        for remark in [
            "Also kept, without effect in Sonde and as a part of an export to such a client: `timeout`, \
             `autoApprove`, `token`.",
            "Left out, as it seems to contain a secret: `auth`, `list`, `db`.",
            "Left out, as it is too much to be kept: `long`.",
        ] {
            assert!(
                found.remarks.iter().any(|one| one == remark),
                "{:?}",
                found.remarks
            );
        }
        // Without a list, the client of a server is unknown.
        let bare = one(r#"{"command": "x", "timeout": 60}"#);
        assert!(bare.other_fields.is_none());
        assert_eq!(
            bare.remarks,
            ["Ignored, as Sonde has no such setting: `timeout`."]
        );
        // However many there are.
        let many: Vec<_> = (0..1000).map(|one| format!(r#""f{one}": 1"#)).collect();
        let many = many.join(",");
        let found = one(&format!(
            r#"{{"mcpServers": {{"a": {{"command": "x", {many}}}}}}}"#
        ));
        assert_eq!(found.other_fields.unwrap().fields.len(), 64);
        assert_eq!(found.remarks.len(), 2);
        assert!(
            found.remarks[1].ends_with("`f75` and 924 more."),
            "{:?}",
            found.remarks
        );
    }

    #[test]
    fn the_type_of_a_url_names_its_transport() {
        use crate::servers::HttpKind::{Automatic, Sse, Streamable};
        for (members, kind, remarks) in [
            (r#""url": "http://a/""#, Automatic, 0),
            (r#""type": "http", "url": "http://a/""#, Automatic, 0),
            (r#""type": "sse", "url": "http://a/sse""#, Sse, 0),
            (
                r#""transport": "streamable-http", "url": "http://a/""#,
                Streamable,
                0,
            ),
            (
                r#""type": "streamableHttp", "url": "http://a/""#,
                Streamable,
                0,
            ),
            (r#""type": "ws", "url": "wss://a/""#, Automatic, 0),
            (r#""url": "ws://a/""#, Automatic, 0),
            (r#""type": "ws", "url": "http://a/""#, Automatic, 1),
            (r#""type": "pigeon", "url": "http://a/""#, Automatic, 1),
        ] {
            let server = &format!("{{{members}}}");
            let found = one(server);
            let Transport::Http { kind: read, .. } = found.input.config.transport else {
                panic!("{server}");
            };
            assert_eq!((read, found.remarks.len()), (kind, remarks), "{server}");
        }
    }

    #[test]
    fn what_holds_no_servers_says_so() {
        for (text, words) in [
            ("", "Paste"),
            ("hello", "nor a configuration that Sonde knows"),
            ("[mcp_servers", "not valid TOML"),
            ("extensions: [", "not valid YAML"),
            ("extensions: {}", "empty"),
            ("https://", "nor a configuration that Sonde knows"),
            ("{\"a\": 1", "not valid JSON"),
            ("{}", "no servers"),
            ("17", "no servers"),
            ("{\"mcpServers\": {}}", "empty"),
            ("{\"mcpServers\": 3}", "neither"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }

    #[test]
    fn the_files_of_other_clients_are_read() {
        let codex = r#"
            model = "x"
            [mcp_servers.local]
            command = "npx"
            args = ["-y", "pkg"]
            env_vars = ["REGION", { name = "TOKEN", source = "local" }]
            startup_timeout_sec = 20
            [mcp_servers.local.env]
            API_KEY = "hush"
            [mcp_servers.remote]
            url = "https://a/mcp"
            bearer_token_env_var = "TOKEN"
            http_headers = { "X-Region" = "eu" }
            env_http_headers = { "X-Key" = "KEY" }
        "#
        .replace("            ", "");
        let import = read(&codex).unwrap();
        assert_eq!(
            (import.recognized, import.servers.len()),
            ("A Codex configuration (TOML)", 2)
        );
        let Transport::Stdio { env, .. } = &import.servers[0].input.config.transport else {
            panic!()
        };
        let plain = |value: &str| ConfigValue::Plain(value.to_owned());
        let values: Vec<_> = env
            .iter()
            .map(|one| (one.name.as_str(), &one.value))
            .collect();
        assert_eq!(
            values,
            [
                ("API_KEY", &ConfigValue::SECRET),
                ("REGION", &plain("${env:REGION}")),
                ("TOKEN", &plain("${env:TOKEN}")),
            ]
        );
        let Transport::Http { headers, .. } = &import.servers[1].input.config.transport else {
            panic!()
        };
        let values: Vec<_> = headers
            .iter()
            .map(|one| (one.name.as_str(), &one.value))
            .collect();
        assert_eq!(
            values,
            [
                ("X-Region", &plain("eu")),
                ("X-Key", &plain("${env:KEY}")),
                ("Authorization", &plain("Bearer ${env:TOKEN}")),
            ]
        );

        let goose = "GOOSE_MODEL: x\nextensions:\n  developer:\n    type: builtin\n  files:\n    type: stdio\n    cmd: npx\n    args: [-y, pkg]\n    envs: {A: b}\n    env_keys: [KEY]\n    enabled: false\n    timeout: 300\n  web:\n    type: streamable_http\n    uri: https://a/mcp\n    headers: {Authorization: Bearer hush}\n";
        let import = read(goose).unwrap();
        assert_eq!(import.recognized, "A Goose configuration (YAML)");
        assert_eq!(
            import.problems,
            ["1 extension is part of Goose itself and left out."]
        );
        let files = &import.servers[0];
        assert!(
            files
                .remarks
                .iter()
                .any(|remark| remark.contains("disabled"))
        );
        let Transport::Stdio { command, env, .. } = &files.input.config.transport else {
            panic!()
        };
        assert_eq!((command.as_str(), env.len()), ("npx", 2));
        assert_eq!(env[1].value, plain("${input:KEY}"));
        let secret = (
            "header:Authorization".to_owned(),
            Some(Secret::new("Bearer hush")),
        );
        assert_eq!(import.servers[1].input.secrets, [secret]);

        let opencode = r#"{"$schema": "x", "mcp": {
            "l": {"type": "local", "command": ["bun", "x"], "environment": {"K": "{env:KEY}"}, "enabled": true},
            "r": {"type": "remote", "url": "https://a/mcp", "headers": {"H": "Bearer {env:KEY}"}}}}"#;
        let import = read(opencode).unwrap();
        assert_eq!((import.servers.len(), import.problems.len()), (2, 0));
        let Transport::Stdio {
            command, args, env, ..
        } = &import.servers[0].input.config.transport
        else {
            panic!()
        };
        assert_eq!(
            (command.as_str(), args.as_slice()),
            ("bun", &["x".to_owned()][..])
        );
        assert_eq!(env[0].value, plain("${env:KEY}"));

        let claude = r#"{"numStartups": 3, "mcpServers": {}, "projects": {
            "/a": {"mcpServers": {"S": {"type": "stdio", "command": "x"}}},
            "/b": {"mcpServers": {"S": {"type": "stdio", "command": "x"}, "T": {"command": "y"}}}}}"#;
        let import = read(claude).unwrap();
        assert_eq!(import.servers.len(), 2);
        assert_eq!(import.servers[0].remarks, ["It is of the project `/a`."]);

        let zed = r#"{ // Zed
            "theme": "One", "context_servers": {"z": {"source": "custom", "command": {"path": "p", "args": ["a"]}, "settings": {},},
            "w": {"url": "https://a/mcp"}, "e": {"source": "extension", "settings": {}}}}"#;
        let import = read(zed).unwrap();
        assert_eq!((import.servers.len(), import.problems.len()), (2, 1));
    }

    #[test]
    fn a_pasted_text_says_what_it_is() {
        for (text, what) in [
            ("https://a.example/mcp", "A URL"),
            ("npx -y pkg", "A command line"),
            ("```bash\nnpx -y pkg\n```", "A command line"),
            ("claude mcp add a -- b", "A `claude mcp add` command"),
            ("{\"url\": \"http://a/\"}", "Configuration in JSON"),
            ("mcpServers:\n  a: {command: b}", "Configuration in YAML"),
            ("mcp_servers:\n  a: {command: b}", "Configuration in YAML"),
            (
                "sonde://add?name=a&config={\"url\":\"http://a/\"}",
                "A link that adds a server to Sonde",
            ),
        ] {
            assert_eq!(read(text).unwrap().recognized, what, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_text_stays_short() {
        let long = "a".repeat(100_000);
        for text in [
            format!("{long}://"),
            format!("{long}://{long} x"),
            format!("[mcp_servers.a]\n{long} = 1\n{long} = 2\n"),
            format!("extensions:\n  {long}: 1\n  {long}: 2\n"),
            format!("{{\"{long}\": {{\"command\": 1}}}}"),
            format!("{{\"mcpServers\": {{\"a\": {{\"command\": \"b\", \"{long}\": 1}}}}}}"),
            format!("npx \"<{long}>\" -e {long}"),
        ] {
            let sentences = match read(&text) {
                Ok(import) => {
                    let remarks = import.servers.into_iter().flat_map(|found| found.remarks);
                    remarks.chain(import.problems).collect()
                }
                Err(problem) => vec![problem],
            };
            for sentence in sentences {
                assert!(sentence.len() < 600, "{} bytes", sentence.len());
            }
        }
        let problem = read(&format!("{long}://")).unwrap_err();
        assert!(problem.ends_with("…:` addresses."), "{problem}");
    }

    #[test]
    fn a_list_without_end_is_cut() {
        let servers: Vec<_> = (0..MOST + 5)
            .map(|number| format!(r#""s{number}": {{"command": "x"}}"#))
            .collect();
        let import = read(&format!("{{{}}}", servers.join(","))).unwrap();
        assert_eq!((import.servers.len(), import.problems.len()), (MOST, 1));
        let nested = "[".repeat(10_000);
        assert!(read(&nested).is_err());
        let bomb = (1..40).fold("extensions:\n  a0: &a0 [x, x]\n".to_owned(), |text, n| {
            let before = n - 1;
            format!("{text}  a{n}: &a{n} [*a{before}, *a{before}]\n")
        });
        assert!(read(&bomb).is_err());
    }
}
