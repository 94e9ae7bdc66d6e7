//! Paths on other computers. Windows sends the user's credentials as soon as such a path is accessed, so none is
//! accessed before the user has confirmed the command.

use std::env;

use sonde_wire::stdio::{self, StdioSpec};

use super::quote::quote;

/// A program that was not looked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unresolved {
    pub(super) program: String,
    /// Explanation for the user.
    pub(super) sentence: String,
}

/// A UNC path, with either separator: `\\host\share`, `//host/share`, `\\?\UNC\host\share`.
fn is_on_network(path: &str) -> bool {
    let path = path.trim_start();
    let separators = path.bytes().take_while(|byte| b"/\\".contains(byte));
    if separators.count() < 2 {
        return false;
    }
    let rest = path[2..].to_ascii_lowercase().replace('/', "\\");
    // `\\?\C:\x` and `\\.\pipe` are of this computer.
    !rest.starts_with("?\\") && !rest.starts_with(".\\") || rest[2..].starts_with("unc\\")
}

/// Returns the command without folders on other computers; `None` if it has none.
///
/// # Errors
/// If the program itself is on another computer.
pub(super) fn local(spec: &StdioSpec) -> Result<Option<StdioSpec>, Unresolved> {
    match cfg!(windows) {
        true => without_network(spec),
        false => Ok(None),
    }
}

fn without_network(spec: &StdioSpec) -> Result<Option<StdioSpec>, Unresolved> {
    let cwd = spec
        .cwd
        .as_ref()
        .map(|cwd| cwd.to_string_lossy().into_owned());
    let cwd = cwd.filter(|cwd| is_on_network(cwd));
    let is_path = spec.command.contains(['/', '\\']);
    let is_absolute = spec.command.starts_with(['/', '\\']) || spec.command.contains(':');
    let program = match &cwd {
        _ if is_on_network(&spec.command) => Some(spec.command.clone()),
        Some(cwd) if is_path && !is_absolute => Some(format!("{cwd}\\{}", spec.command)),
        _ => None,
    };
    if let Some(program) = program {
        let sentence = format!(
            "It runs {} from another computer. Sonde looks for it only after you confirm it.",
            quote(&program)
        );
        return Err(Unresolved { program, sentence });
    }
    let path = stdio::search_path(spec);
    let remote = env::split_paths(&path).find(|folder| is_on_network(&folder.to_string_lossy()));
    if remote.is_none() && cwd.is_none() {
        return Ok(None);
    }
    if let Some(folder) = remote
        && !is_path
    {
        let sentence = format!(
            "It may run from {}, a folder of another computer. Sonde looks there only after you confirm it.",
            quote(&folder.to_string_lossy())
        );
        let program = spec.command.clone();
        return Err(Unresolved { program, sentence });
    }
    Ok(Some(StdioSpec {
        cwd: None,
        ..spec.clone()
    }))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn spec(command: &str, cwd: Option<&str>) -> StdioSpec {
        StdioSpec {
            cwd: cwd.map(PathBuf::from),
            path: Some("/bin".into()),
            ..StdioSpec::new(command)
        }
    }

    #[test]
    fn paths_of_other_computers_are_not_looked_up() {
        for path in [
            r"\\evil\share\x",
            "//evil/share/x",
            r"\/evil/share",
            r"\\?\UNC\evil\share",
            r"//?/unc/evil/x",
            r" \\evil\share\x",
        ] {
            assert!(is_on_network(path), "{path}");
        }
        for path in [
            "",
            "/",
            "/bin/x",
            r"C:\x",
            r"\x",
            "npx",
            r"\\?\C:\x",
            r"\\.\pipe\x",
            "a//b",
        ] {
            assert!(!is_on_network(path), "{path}");
        }
        for (command, cwd) in [
            (r"\\evil\share\x.exe", None),
            (r"bin\x.exe", Some(r"\\evil\share")),
        ] {
            let unresolved = without_network(&spec(command, cwd)).unwrap_err();
            assert!(
                unresolved.program.starts_with(r"\\evil\share\"),
                "{unresolved:?}"
            );
        }
        assert!(matches!(without_network(&spec("npx", None)), Ok(None)));
        let left = without_network(&spec("npx", Some(r"\\evil\share")));
        assert_eq!(left.unwrap().unwrap().cwd, None);
    }
}
