//! Placeholders of clients' files, filled in from the environment.

use std::env;

use crate::exit::{Failed, Result};

/// `${NAME:-default}` of a variable that is set is `${NAME}`.
pub(super) fn prefer_environment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        out.push_str("${");
        rest = after;
        if let Some((name, fallback)) = after.split_once(":-")
            && let Some((_, end)) = fallback.split_once('}')
            && is_variable(name)
            && env::var_os(name).is_some()
        {
            out.push_str(name);
            out.push('}');
            rest = end;
        }
    }
    out + rest
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Replaces `${NAME}` and `${env:NAME}` by the environment, and `${input:NAME}` by `SONDE_INPUT_NAME`. `None` for a
/// text without placeholders; a variable that is not set is an error, never an empty text.
pub(super) fn fill(text: &str) -> Result<Option<String>> {
    let mut out = String::new();
    let mut rest = text;
    let mut filled = false;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((place, end)) = after.split_once('}') else {
            out.push_str("${");
            rest = after;
            continue;
        };
        let name = match place.split_once(':') {
            // As an import reads VS Code's word for the folder that is open.
            Some(("input", "workspaceFolder")) => {
                let folder = env::current_dir().unwrap_or_default();
                out.push_str(&folder.to_string_lossy());
                filled = true;
                rest = end;
                continue;
            }
            Some(("env", name)) => name.to_owned(),
            Some(("input", name)) => {
                let upper = name.to_uppercase();
                let name = upper.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                format!("SONDE_INPUT_{name}")
            }
            _ => place.to_owned(),
        };
        if !is_variable(&name) {
            out.push_str("${");
            rest = after;
            continue;
        }
        // GitHub and GitLab set the variable of a secret that does not exist to an empty text.
        let value = env::var(&name).ok().filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| {
            Failed::usage(format!(
                "The environment variable {name} is not set, or empty, and `{text}` needs it."
            ))
        })?;
        out.push_str(&value);
        filled = true;
        rest = end;
    }
    out.push_str(rest);
    Ok(filled.then_some(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_come_from_the_environment_or_fail() {
        assert_eq!(fill("plain $HOME {x} ${").unwrap(), None);
        assert_eq!(fill("${secret:a-b}").unwrap(), None);
        let path = env::var("PATH").unwrap();
        assert_eq!(fill("a${PATH}b").unwrap(), Some(format!("a{path}b")));
        assert_eq!(fill("${env:PATH}").unwrap(), Some(path));
        let here = env::current_dir().unwrap().display().to_string();
        let filled = fill("${input:workspaceFolder}/x").unwrap();
        assert_eq!(filled, Some(format!("{here}/x")));
        let failed = fill("${input:api key}").unwrap_err();
        assert!(failed.message.contains("SONDE_INPUT_API_KEY"));
        let text = r#"{"a": "${PATH:-x}", "b": "${SONDE_NOT_SET:-y}"}"#;
        assert_eq!(
            prefer_environment(text),
            r#"{"a": "${PATH}", "b": "${SONDE_NOT_SET:-y}"}"#
        );
    }
}
