//! Placeholders of clients' files, filled in from the environment.

use std::env;

use crate::exit::{Failed, Result};

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The value of an environment variable. GitHub and GitLab set the variable of a secret that does not exist to an empty
/// text.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Replaces `${env:NAME}` by the environment, `${input:NAME}` by `SONDE_INPUT_NAME`, and `${NAME}` if `bare`. `None` for
/// a text without placeholders; a variable that is not set is an error, never an empty text.
pub(super) fn fill(text: &str, bare: bool) -> Result<Option<String>> {
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
            None if bare => place.to_owned(),
            _ => String::new(),
        };
        if !is_variable(&name) {
            out.push_str("${");
            rest = after;
            continue;
        }
        let value = variable(&name).ok_or_else(|| {
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
        assert_eq!(fill("plain $HOME {x} ${", true).unwrap(), None);
        assert_eq!(fill("${secret:a-b}", true).unwrap(), None);
        // An import has replaced those that are not of a shell.
        assert_eq!(fill("exec server ${PORT}", false).unwrap(), None);
        let path = env::var("PATH").unwrap();
        let filled = fill("a${PATH}b", true).unwrap();
        assert_eq!(filled, Some(format!("a{path}b")));
        assert_eq!(fill("${env:PATH}", false).unwrap(), Some(path));
        let here = env::current_dir().unwrap().display().to_string();
        let filled = fill("${input:workspaceFolder}/x", false).unwrap();
        assert_eq!(filled, Some(format!("{here}/x")));
        let failed = fill("${input:api key}", false).unwrap_err();
        assert!(failed.message.contains("SONDE_INPUT_API_KEY"));
    }
}
