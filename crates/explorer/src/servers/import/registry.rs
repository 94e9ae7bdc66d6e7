//! `server.json` of the MCP registry: packages that a client starts, and remotes that it connects to.
//!
//! A description names the values to fill in. Required values that it does not give are asked for, like the inputs of
//! other clients ([`inputs`](crate::servers::inputs)).

use serde_json::{Map, Value, json};

use super::{Entry, Recognized, fill_in, word};
use crate::servers::quote::{quote, quoted};

/// Reads the description of a server, a response of the registry about one, or its list of them. Returns false for any
/// other object.
pub(super) fn read(object: &Map<String, Value>, found: &mut Recognized) -> bool {
    let described = |one: &Value| one.as_object().and_then(server).is_some();
    if let Some(Value::Array(servers)) = object.get("servers")
        && servers.iter().any(described)
    {
        found.what = "A list of servers from the MCP registry";
        for one in servers
            .iter()
            .filter_map(Value::as_object)
            .filter_map(server)
        {
            describe(one, found);
        }
        return true;
    }
    let Some(one) = server(object) else {
        return false;
    };
    found.what = "A server.json of the MCP registry";
    describe(one, found);
    true
}

/// The description itself, which the registry wraps in its answers.
fn server(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    if let Some(Value::Object(inner)) = object.get("server") {
        return server(inner);
    }
    let lists = |name: &str| object.get(name).is_some_and(Value::is_array);
    let named = object.get("name").is_some_and(Value::is_string);
    (named && (lists("packages") || lists("remotes"))).then_some(object)
}

fn describe(server: &Map<String, Value>, found: &mut Recognized) {
    let full = text(server, "name").unwrap_or_default();
    let short = full.rsplit('/').next().unwrap_or(full);
    let name = text(server, "title").unwrap_or(short);
    let mut ways = Vec::new();
    for package in list(server, "packages").filter_map(Value::as_object) {
        let package = &usual(package);
        let kind = text(package, "registryType").or_else(|| text(package, "registryName"));
        let kind = kind.unwrap_or("package");
        ways.push((kind.to_owned(), package_of(package, kind)));
    }
    for remote in list(server, "remotes").filter_map(Value::as_object) {
        let remote = &usual(remote);
        let kind = text(remote, "type").or_else(|| text(remote, "transportType"));
        ways.push((kind.unwrap_or("remote").to_owned(), remote_of(remote, kind)));
    }
    if ways.is_empty() {
        found
            .problems
            .push(format!("{full}: It has neither packages nor remotes."));
    }
    let several = ways.len() > 1;
    for (kind, way) in ways {
        let name = match several {
            true => format!("{name} ({kind})"),
            false => name.to_owned(),
        };
        match way {
            Ok((server, remarks)) => found.add(Entry {
                remarks,
                ..Entry::new(name, server)
            }),
            Err(problem) => found.problems.push(format!("{name}: {problem}")),
        }
    }
}

/// A server as a configuration, and remarks; or why it cannot be one.
type Configured = Result<(Value, Vec<String>), String>;

fn package_of(package: &Map<String, Value>, kind: &str) -> Configured {
    let transport = package.get("transport").and_then(Value::as_object);
    if let Some(kind) = transport.and_then(|one| text(one, "type"))
        && kind != "stdio"
    {
        return Err(format!(
            "The package listens on this computer ({kind}): start it, then add its URL."
        ));
    }
    let identifier = text(package, "identifier").or_else(|| text(package, "name"));
    let identifier = identifier.ok_or("The package has no identifier.")?;
    let version = text(package, "version").filter(|version| !["", "latest"].contains(version));
    let command = match (text(package, "runtimeHint"), kind) {
        (Some(hint), _) => hint,
        (None, "npm") => "npx",
        (None, "pypi") => "uvx",
        (None, "oci" | "docker") => "docker",
        (None, "nuget") => "dnx",
        (None, kind) => {
            return Err(format!(
                "Sonde does not start packages of the type {}.",
                quote(kind)
            ));
        }
    };
    let mut left_out = Vec::new();
    let env = named(package, "environmentVariables", &mut left_out);
    let mut args = arguments(package, "runtimeArguments", &mut left_out);
    let has = |args: &[String], any: &[&str]| args.iter().any(|arg| any.contains(&arg.as_str()));
    match command {
        "npx" if !has(&args, &["-y", "--yes"]) => args.insert(0, "-y".to_owned()),
        "dnx" if !has(&args, &["-y", "--yes"]) => args.push("--yes".to_owned()),
        "docker" | "podman" if !has(&args, &["run"]) => {
            // A container sees only the variables that it is given.
            let passed = env.keys().flat_map(|name| ["-e".to_owned(), name.clone()]);
            let run = ["run", "-i", "--rm"].map(str::to_owned);
            args = run.into_iter().chain(passed).chain(args).collect();
        }
        _ => {}
    }
    let mut remarks = Vec::new();
    if let Some(base) = text(package, "registryBaseUrl").filter(|base| !is_public(base)) {
        match option_of(command).filter(|option| !has(&args, &[option])) {
            Some(option) => args.extend([option.to_owned(), base.to_owned()]),
            None if args.iter().any(|arg| arg.contains(base)) || identifier.contains(base) => {}
            None => remarks.push(format!(
                "The package is of the registry {}, which is not part of the command: add it, or the \
                 package comes from another registry.",
                quote(base)
            )),
        }
    }
    let tagged = identifier
        .rsplit('/')
        .next()
        .is_some_and(|last| last.contains([':', '@']));
    args.push(match (version, kind) {
        (Some(version), "oci" | "docker") if !tagged => format!("{identifier}:{version}"),
        (Some(version), "npm" | "pypi" | "nuget") => format!("{identifier}@{version}"),
        _ => identifier.to_owned(),
    });
    args.extend(arguments(package, "packageArguments", &mut left_out));
    // Sonde adds some of these options itself.
    left_out.retain(|name| !has(&args, &[name]));
    remarks.extend(remark(&left_out));
    Ok((
        json!({ "command": command, "args": args, "env": env }),
        remarks,
    ))
}

/// Returns the option that sets a program's package registry.
fn option_of(command: &str) -> Option<&'static str> {
    match command {
        "npx" => Some("--registry"),
        "uvx" => Some("--index-url"),
        "dnx" => Some("--source"),
        _ => None,
    }
}

/// True for the registry that the program uses by default.
fn is_public(base: &str) -> bool {
    const HOSTS: [&str; 7] = [
        "registry.npmjs.org",
        "npmjs.com",
        "pypi.org",
        "api.nuget.org",
        "nuget.org",
        "docker.io",
        "crates.io",
    ];
    let host = url::Url::parse(base)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| base.trim_end_matches('/').to_ascii_lowercase());
    HOSTS.contains(&host.trim_start_matches("www.").trim_start_matches("index."))
}

fn remote_of(remote: &Map<String, Value>, kind: Option<&str>) -> Configured {
    let url = text(remote, "url").ok_or("The remote has no URL.")?;
    let variables = remote.get("variables").and_then(Value::as_object);
    let mut left_out = Vec::new();
    let headers = named(remote, "headers", &mut left_out);
    let server = json!({
        "type": kind,
        "url": with_variables(url, variables),
        "headers": headers,
    });
    Ok((server, Vec::from_iter(remark(&left_out))))
}

fn remark(left_out: &[String]) -> Option<String> {
    let names = quoted(left_out)?;
    Some(format!("Optional and left out: {names}."))
}

/// Returns environment variables or headers by name, without optional ones that have no value.
fn named(of: &Map<String, Value>, name: &str, left_out: &mut Vec<String>) -> Map<String, Value> {
    let mut values = Map::new();
    for input in list(of, name) {
        let input = match input {
            Value::Object(input) => &usual(input),
            // A name without a description.
            Value::String(name) => {
                values.insert(name.clone(), prompt_for(name).into());
                continue;
            }
            other => {
                left_out.push(other.to_string());
                continue;
            }
        };
        let Some(name) = text(input, "name") else {
            continue;
        };
        match value_of(input, name) {
            Some(value) => {
                values.insert(name.to_owned(), value.into());
            }
            None => left_out.push(name.to_owned()),
        }
    }
    values
}

/// Returns the arguments of a command line.
fn arguments(of: &Map<String, Value>, name: &str, left_out: &mut Vec<String>) -> Vec<String> {
    let mut words = Vec::new();
    for input in list(of, name) {
        let input = match input {
            Value::Object(input) => &usual(input),
            // Not in the format, but clear.
            other => {
                match word(other) {
                    Some(word) => words.push(word),
                    None => left_out.push(other.to_string()),
                }
                continue;
            }
        };
        let flag = text(input, "name").filter(|_| text(input, "type") == Some("named"));
        let hint = text(input, "valueHint");
        let label = hint.or(flag).or(text(input, "name")).unwrap_or("argument");
        let label = label.trim_start_matches('-');
        let required = is(input, "isRequired");
        let takes_value = hint.is_some()
            || ["format", "placeholder", "choices"]
                .iter()
                .any(|one| input.contains_key(*one));
        match (flag, value_of(input, label)) {
            // An option without a value.
            (Some(flag), _) if required && !takes_value && !has_value(input) => {
                words.push(flag.to_owned());
            }
            (flag, Some(value)) => {
                words.extend(flag.map(str::to_owned));
                words.push(value);
            }
            (_, None) => left_out.push(flag.unwrap_or(label).to_owned()),
        }
    }
    words
}

fn has_value(input: &Map<String, Value>) -> bool {
    input.contains_key("value") || input.contains_key("default") || is(input, "isSecret")
}

/// Returns the value of an input; a placeholder if it is required and has none.
fn value_of(input: &Map<String, Value>, label: &str) -> Option<String> {
    let variables = input.get("variables").and_then(Value::as_object);
    match given(input) {
        Some(value) => Some(with_variables(&value, variables)),
        None => is(input, "isRequired").then(|| prompt_for(label)),
    }
}

/// Returns the value that a description gives, or its default.
fn given(input: &Map<String, Value>) -> Option<String> {
    let member = |name: &str| word(input.get(name)?);
    member("value").or_else(|| member("default"))
}

/// Fills in the `{variables}` of a text.
fn with_variables(text: &str, variables: Option<&Map<String, Value>>) -> String {
    fill_in(text, "{", |name| {
        let value = variables?.get(name)?.as_object().and_then(given);
        Some(value.unwrap_or_else(|| prompt_for(name)))
    })
}

/// Returns a placeholder for a value to ask for before the first connect.
fn prompt_for(label: &str) -> String {
    let name: String = label.chars().filter(|c| !"{}".contains(*c)).collect();
    format!("${{input:{name}}}")
}

/// The members by their names of today: earlier versions of the format wrote them in snake case.
fn usual(object: &Map<String, Value>) -> Map<String, Value> {
    let mut usual = object.clone();
    for (name, value) in object {
        let mut words = name.split('_');
        let mut camel = words.next().unwrap_or_default().to_owned();
        for word in words {
            let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
            camel.push_str(&first.to_ascii_uppercase());
            camel.push_str(rest);
        }
        usual.entry(camel).or_insert_with(|| value.clone());
    }
    usual
}

fn list<'a>(of: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a Value> {
    let list = of.get(name).and_then(Value::as_array);
    list.into_iter().flatten()
}

fn text<'a>(of: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    of.get(name)?.as_str()
}

fn is(of: &Map<String, Value>, name: &str) -> bool {
    of.get(name) == Some(&Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(value: Value) -> Recognized {
        let mut found = Recognized::new("");
        assert!(read(value.as_object().unwrap(), &mut found), "{value}");
        found
    }

    #[test]
    fn packages_become_commands() {
        let package = json!({
            "registryType": "npm", "identifier": "@scope/weather", "version": "1.2.3",
            "transport": { "type": "stdio" },
            "runtimeArguments": [{ "type": "named", "name": "--registry", "value": "https://{host}/", "variables": { "host": { "default": "r" } } }],
            "packageArguments": [
                { "type": "positional", "valueHint": "folder", "isRequired": true },
                { "type": "named", "name": "--api-key", "isRequired": true, "isSecret": true },
                { "type": "named", "name": "--stdio", "isRequired": true },
                { "type": "named", "name": "--level", "default": 3 },
                { "type": "named", "name": "--cache" },
            ],
            "environmentVariables": [
                { "name": "TOKEN", "isRequired": true, "isSecret": true },
                { "name": "REGION", "value": "eu" },
                { "name": "DEBUG" },
            ],
        });
        let found = described(json!({ "name": "io.github.ada/weather", "packages": [package] }));
        let entry = &found.entries[0];
        assert_eq!(entry.name, "weather");
        assert_eq!(entry.server["command"], "npx");
        assert_eq!(
            entry.server["args"],
            json!([
                "-y",
                "--registry",
                "https://r/",
                "@scope/weather@1.2.3",
                "${input:folder}",
                "--api-key",
                "${input:api-key}",
                "--stdio",
                "--level",
                "3"
            ])
        );
        assert_eq!(
            entry.server["env"],
            json!({ "TOKEN": "${input:TOKEN}", "REGION": "eu" })
        );
        assert_eq!(
            entry.remarks,
            ["Optional and left out: `DEBUG`, `--cache`."]
        );
    }

    #[test]
    fn every_way_to_a_server_is_one_of_its_own() {
        let found = described(json!({ "server": {
            "name": "a/b", "title": "Bee",
            "packages": [
                { "registryType": "pypi", "identifier": "bee", "version": "1" },
                { "registryType": "oci", "identifier": "ghcr.io/a/bee", "version": "2",
                  "environmentVariables": [{ "name": "K", "isRequired": true }] },
                { "registryType": "nuget", "identifier": "Bee", "version": "3" },
                { "registryType": "mcpb", "identifier": "https://x/bee.mcpb" },
                { "registryType": "npm", "identifier": "bee", "transport": { "type": "streamable-http", "url": "http://localhost" } },
            ],
            "remotes": [{ "type": "sse", "url": "https://{region}.a/sse", "variables": { "region": { "isRequired": true } },
                "headers": [{ "name": "Authorization", "value": "Bearer {token}", "variables": { "token": { "isSecret": true } } }] }],
        }, "_meta": {} }));
        let servers: Vec<_> = found
            .entries
            .iter()
            .map(|one| {
                (
                    one.name.as_str(),
                    one.server["command"].as_str(),
                    one.server["args"].clone(),
                )
            })
            .collect();
        assert_eq!(
            servers,
            [
                ("Bee (pypi)", Some("uvx"), json!(["bee@1"])),
                (
                    "Bee (oci)",
                    Some("docker"),
                    json!(["run", "-i", "--rm", "-e", "K", "ghcr.io/a/bee:2"])
                ),
                ("Bee (nuget)", Some("dnx"), json!(["--yes", "Bee@3"])),
                ("Bee (sse)", None, Value::Null),
            ]
        );
        let remote = &found.entries[3].server;
        assert_eq!(remote["url"], "https://${input:region}.a/sse");
        assert_eq!(
            remote["headers"],
            json!({ "Authorization": "Bearer ${input:token}" })
        );
        assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    }

    #[test]
    fn a_private_registry_is_part_of_the_command() {
        let args = |kind: &str, base: &str| {
            let package = json!({ "registryType": kind, "registryBaseUrl": base,
                "identifier": "@in/x", "version": "1" });
            let found = described(json!({ "name": "a/b", "packages": [package] }));
            let entry = &found.entries[0];
            (entry.server["args"].clone(), entry.remarks.clone())
        };
        let private = "https://pkgs.example.com/npm/";
        let none: Vec<String> = Vec::new();
        assert_eq!(
            args("npm", private),
            (
                json!(["-y", "--registry", private, "@in/x@1"]),
                none.clone()
            )
        );
        assert_eq!(
            args("pypi", private),
            (json!(["--index-url", private, "@in/x@1"]), none.clone())
        );
        for (kind, public) in [
            ("npm", "https://registry.npmjs.org"),
            ("npm", "https://registry.npmjs.org/"),
            ("pypi", "https://pypi.org/simple"),
            ("oci", "docker.io"),
        ] {
            let (args, remarks) = args(kind, public);
            assert!(!args.to_string().contains("http"), "{args}");
            assert_eq!(remarks, none);
        }
        let (_, remarks) = args("oci", "https://registry.example.com");
        assert!(
            remarks[0].contains("`https://registry.example.com`"),
            "{remarks:?}"
        );
    }

    #[test]
    fn nothing_of_a_command_is_lost_silently() {
        let package = json!({ "registryType": "npm", "identifier": "x",
            "runtimeArguments": [{ "type": "named", "name": "-y" }],
            "packageArguments": ["--flag-x", "serve", 3, null],
            "environmentVariables": ["TOKEN"] });
        let found = described(json!({ "name": "a/b", "packages": [package] }));
        let entry = &found.entries[0];
        assert_eq!(
            entry.server["args"],
            json!(["-y", "x", "--flag-x", "serve", "3"])
        );
        assert_eq!(entry.server["env"], json!({ "TOKEN": "${input:TOKEN}" }));
        assert_eq!(entry.remarks, ["Optional and left out: `null`."]);
    }

    #[test]
    fn values_are_filled_in_once() {
        let variables = json!({ "a": { "value": "{b}{b}" }, "b": { "default": "{a}" }, "long": { "value": "x".repeat(9000) } });
        let variables = variables.as_object();
        assert_eq!(with_variables("{a}-{b}{{c}{", variables), "{b}{b}-{a}{{c}{");
        let long = "{long}".repeat(2);
        assert_eq!(with_variables(&long, variables), long);
    }

    #[test]
    fn lists_and_older_names_are_read_and_other_files_are_not() {
        let older = json!({ "name": "a/b", "packages": [{ "registry_name": "npm", "name": "c",
            "environment_variables": [{ "name": "K", "is_required": true }] }] });
        let found = described(json!({ "servers": [{ "server": older }, older, {}] }));
        // Repeated entries count once.
        assert_eq!(found.entries.len(), 1);
        assert_eq!(found.entries[0].server["env"], json!({ "K": "${input:K}" }));
        for other in [
            json!({ "mcpServers": {} }),
            json!({ "servers": [{ "name": "a", "url": "http://a/" }] }),
            json!({ "name": "package", "packages": {} }),
        ] {
            assert!(!read(other.as_object().unwrap(), &mut Recognized::new("")));
        }
    }
}
