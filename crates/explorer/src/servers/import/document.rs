//! Configuration files: JSON as people write it, TOML, YAML, and the places in them where clients keep
//! their servers.

use serde_json::{Map, Value};

use super::{Entry, Recognized, bundle, entry, presentation, registry, relaxed};
use crate::servers::{clients::CLIENTS, quote::quote};

/// Names under which clients keep their servers.
const CONTAINERS: [&str; 6] = [
    "mcpServers",
    "servers",
    "context_servers",
    "mcp_servers",
    "mcp.servers",
    "amp.mcpServers",
];

/// Types of the extensions that are part of Goose itself.
const OF_GOOSE: [&str; 4] = ["builtin", "platform", "frontend", "inline_python"];

/// Lines with which a file in TOML or in YAML begins to name its servers.
const TOML: [&str; 5] = [
    "[mcp_servers",
    "[[mcp_servers",
    "mcp_servers.",
    "mcp_servers =",
    "mcp_servers=",
];
const YAML: [&str; 4] = ["extensions:", "mcpServers:", "mcp_servers:", "servers:"];

/// The servers of a configuration; `None` for a text that is none.
pub(super) fn read(text: &str) -> Option<Result<Recognized, String>> {
    let text = text.trim_start_matches('\u{feff}');
    let begins = |lines: &[&str]| {
        text.lines()
            .any(|line| lines.iter().any(|begin| line.starts_with(begin)))
    };
    if begins(&TOML) {
        let value = toml::from_str::<Value>(text);
        return Some(match value {
            Ok(value) => of_value("A Codex configuration (TOML)", value, None),
            Err(error) => Err(format!("This is not valid TOML: {}.", error.message())),
        });
    }
    let trimmed = text.trim_start();
    if begins(&YAML) && !trimmed.starts_with(['{', '[']) {
        // The parser limits aliases and nesting.
        return Some(match serde_saphyr::from_str::<Value>(text) {
            Ok(value) => of_yaml(value),
            Err(error) => {
                let error = error.to_string();
                let first = error.lines().next().unwrap_or_default();
                Err(format!("This is not valid YAML: {first}."))
            }
        });
    }
    let what = "Configuration in JSON";
    match parse(text) {
        Ok(value) => Some(of_value(what, value, None)),
        Err(error) if trimmed.starts_with(['{', '[']) => Some(Err(error)),
        Err(_) => None,
    }
}

/// The servers of a text that must be JSON; `name` is that of a server which has none.
pub(super) fn of_json(
    what: &'static str,
    text: &str,
    name: Option<String>,
) -> Result<Recognized, String> {
    of_value(what, parse(text)?, name)
}

/// Reads JSON, strictly or as people write it.
pub(super) fn parse(text: &str) -> Result<Value, String> {
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
    if presentation::is_too_deep(&first) {
        return Err("This JSON is nested too deeply: it can have 127 levels.".to_owned());
    }
    Err(format!("This is not valid JSON: {first}."))
}

fn of_value(what: &'static str, value: Value, name: Option<String>) -> Result<Recognized, String> {
    let mut found = Recognized::new(what);
    let no_servers = || {
        "It contains no servers: expected {\"mcpServers\": {\"name\": {\"command\": …}}} or one \
         server with `command` or `url`."
            .to_owned()
    };
    let Value::Object(object) = value else {
        return Err(no_servers());
    };
    if registry::read(&object, &mut found) || bundle::read(&object, &mut found) {
        return Ok(found);
    }
    let mut lists = Vec::new();
    containers(&object, None, &mut lists);
    for (project, container, servers) in &lists {
        let entry = |name: String, server: &Value| Entry {
            container: *container,
            ..Entry::new(name, server.clone())
        };
        match servers {
            Value::Object(servers) => {
                for (name, server) in servers {
                    let mut entry = entry(name.clone(), server);
                    if let Some(project) = project {
                        entry
                            .remarks
                            .push(format!("It is of the project {}.", quote(project)));
                    }
                    found.add(entry);
                }
            }
            Value::Array(servers) => {
                for (index, server) in servers.iter().enumerate() {
                    let name = match server.get("name").and_then(Value::as_str) {
                        Some(name) => name.to_owned(),
                        None => format!("Server {}", index + 1),
                    };
                    found.add(entry(name, server));
                }
            }
            _ => return Err("The list of servers is neither an object nor a list.".into()),
        }
    }
    if !lists.is_empty() {
        return Ok(found);
    }
    if entry::is_server(&object) {
        let own = object.get("name").and_then(Value::as_str);
        let name = name.or_else(|| own.map(str::to_owned));
        let name = name.unwrap_or_else(|| entry::name_of(&object));
        found.add(Entry::new(name, object.into()));
        return Ok(found);
    }
    let is_list = |one: &Value| one.as_object().is_some_and(entry::is_server);
    if object.values().any(is_list) {
        for (name, server) in object {
            found.add(Entry::new(name, server));
        }
        return Ok(found);
    }
    Err(no_servers())
}

/// A list of servers in a file, with its project, and with its member name if a client that Sonde exports to uses that
/// name.
type List<'a> = (Option<&'a str>, Option<&'static str>, &'a Value);

/// The lists of servers in a file.
fn containers<'a>(
    object: &'a Map<String, Value>,
    project: Option<&'a str>,
    found: &mut Vec<List<'a>>,
) {
    for name in CONTAINERS {
        // A server may itself be called `servers`.
        if let Some(inner) = object.get(name)
            && !inner.as_object().is_some_and(entry::is_server)
        {
            found.push((project, exported(name), inner));
        }
    }
    // VS Code's settings.json has them one level below; opencode has them right there.
    if let Some(Value::Object(mcp)) = object.get("mcp")
        && !entry::is_server(mcp)
    {
        let before = found.len();
        containers(mcp, project, found);
        let is_server = |one: &Value| one.as_object().is_some_and(entry::is_server);
        if found.len() == before
            && mcp.values().any(is_server)
            && let Some(list) = object.get("mcp")
        {
            found.push((project, exported("mcp"), list));
        }
    }
    // Claude Code's own file. Projects have no projects.
    if let (None, Some(Value::Object(projects))) = (project, object.get("projects")) {
        for (path, one) in projects {
            if let Value::Object(one) = one {
                containers(one, Some(path), found);
            }
        }
    }
}

/// Returns the member name of a list if a client that Sonde exports to uses it.
fn exported(name: &'static str) -> Option<&'static str> {
    let is_used = CLIENTS.iter().any(|facts| facts.container == name);
    is_used.then_some(name)
}

fn of_yaml(mut value: Value) -> Result<Recognized, String> {
    let Some(Value::Object(extensions)) = value.get_mut("extensions") else {
        return of_value("Configuration in YAML", value, None);
    };
    let mut found = Recognized::new("A Goose configuration (YAML)");
    let mut own = 0;
    for (key, extension) in extensions {
        let text = |name: &str| extension.get(name).and_then(Value::as_str);
        if text("type").is_some_and(|kind| OF_GOOSE.contains(&kind)) {
            own += 1;
            continue;
        }
        let name = text("name").unwrap_or(key).to_owned();
        found.add(Entry {
            container: exported("extensions"),
            ..Entry::new(name, extension.take())
        });
    }
    if own > 0 {
        let noun = if own == 1 {
            "extension is"
        } else {
            "extensions are"
        };
        let problem = format!("{own} {noun} part of Goose itself and left out.");
        found.problems.push(problem);
    }
    Ok(found)
}
