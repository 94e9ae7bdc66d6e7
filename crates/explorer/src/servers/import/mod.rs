//! Servers from the JSON that other clients use.

mod relaxed;
mod entry;

use serde_json::{Map, Value};

use super::secret_slots::ServerInput;

/// Text above this size is no configuration.
const LONGEST: usize = 4 * 1024 * 1024;
/// Names under which clients keep their servers.
const CONTAINERS: [&str; 4] = ["mcpServers", "servers", "context_servers", "mcp_servers"];

/// One server of the text.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) input: ServerInput,
    pub(super) remarks: Vec<String>,
}

/// What a text contains.
#[derive(Debug, Default)]
pub(super) struct Import {
    pub(super) found: Vec<Found>,
    pub(super) problems: Vec<String>,
}

/// Reads a text. Never all or nothing: what cannot be understood is a problem with its name.
///
/// # Errors
/// One plain sentence when the text as a whole is no JSON or holds no servers.
pub(super) fn read(text: &str) -> Result<Import, String> {
    if text.trim().is_empty() {
        return Err(
            "Paste the configuration JSON of another client, for example {\"mcpServers\": {…}}."
                .into(),
        );
    }
    if text.len() > LONGEST {
        return Err("The text is too long for a server list (4 MiB at most).".into());
    }
    let value = parse(text)?;
    let mut import = Import::default();
    match container(&value) {
        Some(Value::Object(servers)) => servers_of(servers, &mut import),
        Some(Value::Array(servers)) => {
            for (index, server) in servers.iter().enumerate() {
                let name = match server.get("name").and_then(Value::as_str) {
                    Some(name) => name.to_owned(),
                    None => format!("Server {}", index + 1),
                };
                add(&name, server, &mut import);
            }
        }
        Some(_) => return Err("The list of servers is neither an object nor a list.".into()),
        None => match &value {
            Value::Object(object) if entry::is_server(object) => {
                let name = object
                    .get("name")
                    .and_then(Value::as_str)
                    .map(str::to_owned);
                add(
                    &name.unwrap_or_else(|| entry::name_of(object)),
                    &value,
                    &mut import,
                );
            }
            Value::Object(object)
                if object
                    .values()
                    .any(|one| one.as_object().is_some_and(entry::is_server)) =>
            {
                servers_of(object, &mut import);
            }
            _ => {
                return Err(
                    "It contains no servers: expected {\"mcpServers\": {\"name\": \
                     {\"command\": …}}} or one server with `command` or `url`."
                        .into(),
                );
            }
        },
    }
    if import.found.is_empty() && import.problems.is_empty() {
        return Err("The list of servers is empty.".into());
    }
    Ok(import)
}

fn parse(text: &str) -> Result<Value, String> {
    let first = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let relaxed = relaxed::strict(text);
    if let Ok(value) = serde_json::from_str(&relaxed) {
        return Ok(value);
    }
    // A part of a file, copied without its braces: `"mcpServers": {…}`.
    if text.trim_start().starts_with('"')
        && let Ok(value) = serde_json::from_str(&relaxed::strict(&format!("{{{text}}}")))
    {
        return Ok(value);
    }
    Err(format!("This is not valid JSON: {first}."))
}

fn container(value: &Value) -> Option<&Value> {
    let object = value.as_object()?;
    for name in CONTAINERS {
        if let Some(found) = object.get(name) {
            // A server may itself be called `servers`.
            return (!found.as_object().is_some_and(entry::is_server)).then_some(found);
        }
    }
    // VS Code's settings.json.
    object.get("mcp").and_then(container)
}

fn servers_of(servers: &Map<String, Value>, import: &mut Import) {
    for (name, server) in servers {
        add(name, server, import);
    }
}

fn add(name: &str, server: &Value, import: &mut Import) {
    match entry::read(name, server).and_then(|found| {
        // The same rules as for a server that is typed in.
        super::check::check(found.input)
            .map(|input| Found {
                input,
                remarks: found.remarks,
            })
            .map_err(|error| error.to_string())
    }) {
        Ok(found) => import.found.push(found),
        Err(problem) => import.problems.push(format!("{name}: {problem}")),
    }
}

#[cfg(test)]
mod tests {
    use sonde_auth::Secret;

    use super::*;
    use crate::servers::config::{ConfigValue, Transport};

    fn one(text: &str) -> Found {
        let mut import = read(text).unwrap();
        assert!(import.problems.is_empty(), "{:?}", import.problems);
        assert_eq!(import.found.len(), 1);
        import.found.remove(0)
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
        assert_eq!(headers[0].value, ConfigValue::Secret);
        assert_eq!(headers[1].value, ConfigValue::Plain("eu".to_owned()));
        assert_eq!(headers[2].value, ConfigValue::Plain("${KEY}".to_owned()));
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
                .any(|remark| remark.contains("X-Api-Key"))
        );
        let shown = format!("{:?}", found.input);
        assert!(!shown.contains("hush"), "{shown}");
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
                "`OTHER` is a placeholder: replace it with the real value.",
                "Before the first connect Sonde asks for `${input:key}`, `${env:HOME}`.",
            ]
        );
    }

    #[test]
    fn one_bad_entry_does_not_hide_the_others() {
        let import = read(
            r#"{"mcpServers": {"a": 5, "b": {"args": []}, "c": {"command": "x", "args": "no"},
               "d": {"url": "pigeon://a"}, "e": {"command": "ok", "disabled": true, "timeout": 9},
               "f": {"type": "sse", "url": "http://a/sse"}, "g": {"command": ""}}}"#,
        )
        .unwrap();
        assert_eq!(import.found.len(), 2);
        assert_eq!(import.problems.len(), 5, "{:?}", import.problems);
        assert!(import.problems[3].starts_with("d: "));
        let remarks = import.found[0].remarks.join(" ");
        assert!(
            remarks.contains("disabled") && remarks.contains("`timeout`"),
            "{remarks}"
        );
    }

    #[test]
    fn the_type_of_a_url_names_its_transport() {
        use crate::servers::config::HttpKind;
        for (server, kind, remarks) in [
            (r#"{"url": "http://a/"}"#, HttpKind::Automatic, 0),
            (
                r#"{"type": "http", "url": "http://a/"}"#,
                HttpKind::Automatic,
                0,
            ),
            (
                r#"{"type": "sse", "url": "http://a/sse"}"#,
                HttpKind::Sse,
                0,
            ),
            (
                r#"{"transport": "streamable-http", "url": "http://a/"}"#,
                HttpKind::Streamable,
                0,
            ),
            (
                r#"{"type": "streamableHttp", "url": "http://a/"}"#,
                HttpKind::Streamable,
                0,
            ),
            (
                r#"{"type": "ws", "url": "wss://a/"}"#,
                HttpKind::Automatic,
                0,
            ),
            (r#"{"url": "ws://a/"}"#, HttpKind::Automatic, 0),
            (
                r#"{"type": "ws", "url": "http://a/"}"#,
                HttpKind::Automatic,
                1,
            ),
            (
                r#"{"type": "pigeon", "url": "http://a/"}"#,
                HttpKind::Automatic,
                1,
            ),
        ] {
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
            ("hello", "not valid JSON"),
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
}
