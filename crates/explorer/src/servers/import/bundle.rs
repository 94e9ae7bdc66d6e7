//! The manifest of an MCP bundle (`.mcpb`, earlier `.dxt`): a ZIP file with a server and everything that it needs
//! (<https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>). Sonde does not unpack bundles, but can start
//! the command of the manifest once the user has unpacked it.

use serde_json::{Map, Value};

use super::{Entry, Recognized, fill_in, word};

/// First bytes of a ZIP file.
const ZIP: &str = "PK\u{3}\u{4}";
/// Name of this system in manifests.
const PLATFORM: &str = if cfg!(windows) {
    "win32"
} else if cfg!(target_os = "macos") {
    "darwin"
} else {
    "linux"
};

/// Explains that the text is a ZIP file; `None` for any other text.
pub(super) fn read_zip(text: &str) -> Option<Result<Recognized, String>> {
    text.starts_with(ZIP).then(|| {
        Err(
            "This is a ZIP file, as MCP bundles (.mcpb) are. Sonde imports no bundles: unpack it, then \
             import its manifest.json."
                .to_owned(),
        )
    })
}

/// Reads a manifest. Returns false for another file.
pub(super) fn read(object: &Map<String, Value>, found: &mut Recognized) -> bool {
    let versioned = ["manifest_version", "dxt_version"];
    let Some(Value::Object(server)) = object.get("server") else {
        return false;
    };
    if !versioned.iter().any(|name| object.contains_key(*name)) {
        return false;
    }
    found.what = "The manifest of an MCP bundle";
    let text = |name: &str| object.get(name).and_then(Value::as_str);
    let name = text("display_name")
        .or(text("name"))
        .unwrap_or("Bundle")
        .to_owned();
    let Some(Value::Object(config)) = server.get("mcp_config") else {
        found.problems.push(format!(
            "{name}: This is an MCP bundle whose manifest names no command (`server.mcp_config`). Sonde \
             imports no bundles."
        ));
        return true;
    };
    let mut config = config.clone();
    if let Some(Value::Object(overrides)) = config.shift_remove("platform_overrides")
        && let Some(Value::Object(own)) = overrides.get(PLATFORM)
    {
        for (member, value) in own {
            match (config.get_mut(member), value) {
                (Some(Value::Object(all)), Value::Object(more)) => {
                    all.extend(more.clone());
                }
                _ => {
                    config.insert(member.clone(), value.clone());
                }
            }
        }
    }
    let user = object.get("user_config").and_then(Value::as_object);
    for value in config.values_mut() {
        fill_in_settings(value, user);
    }
    found.add(Entry {
        remarks: vec![
            "Sonde does not install bundles: unpack it first, and enter its folder where Sonde asks for it."
                .to_owned(),
        ],
        ..Entry::new(name, config.into())
    });
    true
}

/// Fills in the user's settings with their defaults, and asks for the others.
fn fill_in_settings(value: &mut Value, user: Option<&Map<String, Value>>) {
    match value {
        Value::String(text) => *text = filled(text, user),
        Value::Array(list) => {
            let mut words = Vec::new();
            for one in list.drain(..) {
                match several(&one, user) {
                    Some(several) => words.extend(several),
                    None => words.push(one),
                }
            }
            words.iter_mut().for_each(|one| fill_in_settings(one, user));
            *list = words;
        }
        Value::Object(pairs) => pairs
            .values_mut()
            .for_each(|one| fill_in_settings(one, user)),
        _ => {}
    }
}

/// Returns the default of a setting with several values, each of which is a separate argument.
fn several(word: &Value, user: Option<&Map<String, Value>>) -> Option<Vec<Value>> {
    let name = word
        .as_str()?
        .strip_prefix("${user_config.")?
        .strip_suffix('}')?;
    match user?.get(name)?.get("default")? {
        Value::Array(list) if !list.is_empty() => Some(list.clone()),
        _ => None,
    }
}

fn filled(text: &str, user: Option<&Map<String, Value>>) -> String {
    let separator = std::path::MAIN_SEPARATOR_STR;
    let text = text
        .replace("${__dirname}", "${input:folder of the bundle}")
        .replace("${pathSeparator}", separator)
        .replace("${/}", separator);
    fill_in(&text, "${user_config.", |name| {
        let default = user.and_then(|user| word(user.get(name)?.get("default")?));
        let name = name.replace(['{', '$'], "");
        Some(default.unwrap_or_else(|| format!("${{input:{name}}}")))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_command_of_a_manifest_is_read() {
        let manifest = json!({
            "manifest_version": "0.3", "name": "files", "display_name": "Files",
            "server": { "type": "node", "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.mjs", "${user_config.folders}"],
                "env": { "API_KEY": "${user_config.key}", "LIMIT": "${user_config.limit}" },
                "platform_overrides": { PLATFORM: { "env": { "HERE": "yes" } }, "other": { "command": "x" } },
            } },
            "user_config": {
                "folders": { "type": "directory", "multiple": true, "default": ["a", "b"] },
                "key": { "type": "string", "sensitive": true, "required": true },
                "limit": { "type": "number", "default": 10 },
            },
        });
        let mut found = Recognized::new("");
        assert!(read(manifest.as_object().unwrap(), &mut found));
        assert_eq!(found.what, "The manifest of an MCP bundle");
        let entry = &found.entries[0];
        assert_eq!(entry.name, "Files");
        assert!(entry.remarks[0].starts_with("Sonde does not install bundles"));
        assert_eq!(
            entry.server,
            json!({
                "command": "node",
                "args": ["${input:folder of the bundle}/server/index.mjs", "a", "b"],
                "env": { "API_KEY": "${input:key}", "LIMIT": "10", "HERE": "yes" },
            })
        );
    }

    #[test]
    fn a_bundle_is_called_one() {
        let mut found = Recognized::new("");
        let bare = json!({ "dxt_version": "0.1", "name": "x", "server": { "type": "uv" } });
        assert!(read(bare.as_object().unwrap(), &mut found));
        assert!(found.problems[0].contains("MCP bundle"));
        let other = json!({ "name": "a", "server": {} });
        assert!(!read(other.as_object().unwrap(), &mut Recognized::new("")));
        let said = super::super::read("PK\u{3}\u{4}\u{14}manifest.json").unwrap_err();
        assert!(said.contains("MCP bundles (.mcpb)"), "{said}");
        let said = super::super::read("hello there").unwrap_err();
        assert!(!said.contains("JSON"), "{said}");
    }
}
