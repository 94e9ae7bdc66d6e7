//! Replaces placeholders of other clients by placeholders that Sonde asks for, or by their default: `${NAME}` and
//! `${NAME:-default}` of Claude Code (<https://code.claude.com/docs/en/mcp>), also `$NAME` of Gemini CLI. Sent
//! unchanged, they would only make a server fail.

use serde_json::{Map, Value};

use super::IsSet;
use crate::servers::{
    quote::quoted,
    read_command,
    secret_names::{is_variable, split_scheme},
};

/// Members of a server in which placeholders are replaced.
const MEMBERS: [&str; 10] = [
    "command",
    "args",
    "env",
    "envFile",
    "cwd",
    "url",
    "serverUrl",
    "httpUrl",
    "uri",
    "headers",
];
/// Levels of placeholders within defaults.
const DEPTH: usize = 4;

/// Placeholders that have a default, and the named values that come from one.
#[derive(Debug)]
pub(super) struct Defaults {
    /// True for a variable whose value is preferred to the default.
    is_set: IsSet,
    /// As they were written.
    pub(super) placeholders: Vec<String>,
    names: Vec<String>,
}

impl Defaults {
    fn new(is_set: IsSet) -> Self {
        Self {
            is_set,
            placeholders: Vec::new(),
            names: Vec::new(),
        }
    }

    /// The value of this name comes from a default, at least in part.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|one| one == name)
    }

    /// Remark about the values that were filled in.
    pub(super) fn remark(&self) -> Option<String> {
        let names = quoted(&self.placeholders)?;
        Some(format!("Filled in with their defaults: {names}."))
    }
}

/// Replaces the placeholders of a server.
pub(super) fn replace(server: &mut Map<String, Value>, is_set: IsSet) -> Defaults {
    let mut defaults = Defaults::new(is_set);
    let keep_args = is_script(server);
    for name in MEMBERS {
        if let Some(value) = server.get_mut(name)
            && !(keep_args && ["command", "args"].contains(&name))
        {
            // A `$NAME` in an argument may be of the program itself.
            let bare = ["env", "headers"].contains(&name);
            in_value(value, bare, &mut defaults);
        }
    }
    defaults
}

/// True if a shell or an interpreter reads the arguments, and replaces variables itself.
fn is_script(server: &Map<String, Value>) -> bool {
    let words = |value: Option<&Value>| match value {
        Some(Value::Array(words)) => {
            let words = words.iter().filter_map(Value::as_str).map(str::to_owned);
            words.collect()
        }
        Some(Value::String(word)) => vec![word.clone()],
        _ => Vec::new(),
    };
    let mut line = words(server.get("command"));
    line.extend(words(server.get("args")));
    let run = line
        .split_first()
        .and_then(|(command, args)| read_command(command, args));
    run.is_some_and(|run| run.script().is_some())
}

fn in_value(value: &mut Value, bare: bool, defaults: &mut Defaults) {
    match value {
        Value::String(text) => *text = in_text(text, bare, defaults),
        Value::Array(list) => {
            for one in list {
                in_value(one, bare, defaults);
            }
        }
        Value::Object(pairs) => {
            for (name, one) in pairs {
                let before = defaults.placeholders.len();
                in_value(one, bare || name == "env", defaults);
                if defaults.placeholders.len() > before {
                    defaults.names.push(name.clone());
                }
            }
        }
        _ => {}
    }
}

fn in_text(text: &str, bare: bool, defaults: &mut Defaults) -> String {
    let (scheme, rest) = split_scheme(text);
    match rest.strip_prefix('$') {
        Some(name) if bare && is_variable(rest) => format!("{scheme}{}", prompt_for(name)),
        _ => filled(text, defaults, DEPTH),
    }
}

fn filled(text: &str, defaults: &mut Defaults, depth: usize) -> String {
    let mut filled_in = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        filled_in.push_str(&rest[..at]);
        let inner = &rest[at + 2..];
        let Some(end) = closing(inner) else {
            filled_in.push_str(&rest[at..]);
            return filled_in;
        };
        let whole = &rest[at..at + 2 + end + 1];
        let (name, default) = match inner[..end].split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (&inner[..end], None),
        };
        // Files and settings of another client, which only the user can look up.
        let elsewhere = ["file", "config", "command"]
            .into_iter()
            .find_map(|kind| Some((kind, inner[..end].strip_prefix(kind)?.strip_prefix(':')?)));
        match default {
            _ if let Some((kind, what)) = elsewhere => {
                filled_in.push_str(&format!("${{input:{kind} {what}}}"));
            }
            _ if !is_name(name) => filled_in.push_str(whole),
            Some(_) if (defaults.is_set)(name) => filled_in.push_str(&format!("${{env:{name}}}")),
            Some(default) if depth > 0 => {
                defaults.placeholders.push(whole.to_owned());
                filled_in.push_str(&filled(default, defaults, depth - 1));
            }
            _ => filled_in.push_str(&prompt_for(name)),
        }
        rest = &inner[end + 1..];
    }
    filled_in + rest
}

/// Index of the brace that closes a placeholder.
fn closing(inner: &str) -> Option<usize> {
    let mut open = 0;
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(letter)
}

/// Returns a placeholder that Sonde asks for. Names of variables have no lower-case letters.
fn prompt_for(name: &str) -> String {
    match name.chars().any(|c| c.is_ascii_lowercase()) {
        true => format!("${{input:{name}}}"),
        false => format!("${{env:{name}}}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_are_asked_for_and_defaults_filled_in() {
        for (text, bare, left) in [
            ("${API_KEY}", false, "${env:API_KEY}"),
            ("Bearer ${API_KEY}", true, "Bearer ${env:API_KEY}"),
            ("${PORT:-8080}", false, "8080"),
            (
                "${BASE_URL:-https://a.example}/mcp",
                false,
                "https://a.example/mcp",
            ),
            ("${EMPTY:-}", false, ""),
            ("${A:-${B:-c}}${D}", false, "c${env:D}"),
            ("${A:-${B}}", false, "${env:B}"),
            ("${workspaceFolder}/x", false, "${input:workspaceFolder}/x"),
            ("$KEY", true, "${env:KEY}"),
            ("Bearer $KEY", true, "Bearer ${env:KEY}"),
            ("$KEY", false, "$KEY"),
            ("${input:a b}${env:C}", false, "${input:a b}${env:C}"),
            ("${secret:a}", false, "${secret:a}"),
            ("${file:~/.token}", false, "${input:file ~/.token}"),
            ("${config:my.key}", false, "${input:config my.key}"),
            ("${OPEN", false, "${OPEN"),
            ("$(x) $5", true, "$(x) $5"),
        ] {
            assert_eq!(
                in_text(text, bare, &mut Defaults::new(|_| false)),
                left,
                "{text}"
            );
        }
        for (text, left) in [
            ("${set:-${B:-c}}/d", "${env:set}/d"),
            ("${A:-${set:-c}}", "${env:set}"),
        ] {
            let mut defaults = Defaults::new(|name| name == "set");
            assert_eq!(in_text(text, false, &mut defaults), left, "{text}");
        }
    }

    #[test]
    fn what_a_shell_replaces_stays() {
        let script =
            json!({ "command": "sh", "args": ["-c", "server ${HOME}"], "env": { "A": "${A}" } });
        let mut server = script.as_object().unwrap().clone();
        replace(&mut server, |_| false);
        assert_eq!(server["args"], script["args"]);
        assert_eq!(server["env"]["A"], "${env:A}");
        let nested = json!({ "command": { "path": "${P:-p}", "env": { "B": "${B:-b}" } } });
        let mut server = nested.as_object().unwrap().clone();
        let defaults = replace(&mut server, |_| false);
        assert_eq!(
            server["command"],
            json!({ "path": "p", "env": { "B": "b" } })
        );
        assert!(defaults.has("B") && defaults.placeholders.len() == 2);
    }
}
