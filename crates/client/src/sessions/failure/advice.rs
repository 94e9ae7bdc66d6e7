//! Hints that depend on well-known programs and their well-known complaints.

use std::path::Path;

/// Returns the source of a well-known program.
pub(super) fn where_from(command: &str) -> Option<&'static str> {
    let name = command
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(command)
        .split_whitespace()
        .next()
        .unwrap_or_default();
    Some(match name {
        "npx" | "npm" | "node" => "It comes with Node.js: install that from nodejs.org.",
        "uvx" | "uv" => "It comes with uv: see docs.astral.sh/uv for how to install it.",
        "python" | "python3" | "pip" | "pipx" => "It comes with Python: see python.org.",
        "docker" => "It comes with Docker: install and start that first.",
        "bun" | "bunx" => "It comes with Bun: see bun.sh.",
        "deno" => "It comes with Deno: see deno.com.",
        _ => return None,
    })
}

/// Says how to run a file that is not executable.
pub(super) fn run_script(path: &Path) -> String {
    let file = path.display();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => format!("Use `python3` as the command and `{file}` as its first argument."),
        Some("js" | "mjs" | "cjs") => {
            format!("Use `node` as the command and `{file}` as its first argument.")
        }
        Some("sh") => format!("Use `sh` as the command and `{file}` as its first argument."),
        Some("jar") => {
            format!("Use `java` as the command, then the arguments `-jar` and `{file}`.")
        }
        _ => format!("Make it executable (`chmod +x {file}`), or run it with its interpreter."),
    }
}

/// Explains the last lines that a process wrote, where their meaning is well known.
pub(super) fn last_words(lines: &[String]) -> Option<&'static str> {
    let said = |words: &[&str]| {
        lines
            .iter()
            .any(|line| words.iter().any(|word| line.contains(word)))
    };
    if said(&[
        "MODULE_NOT_FOUND",
        "Cannot find module",
        "ModuleNotFoundError",
        "No module named",
    ]) {
        Some("A dependency is not installed: install the server's dependencies.")
    } else if said(&[
        "E404",
        "404 Not Found - GET",
        "No solution found",
        "not found in the package",
    ]) {
        Some("There is no package with this name: check the spelling.")
    } else if said(&[
        "ENOTFOUND",
        "EAI_AGAIN",
        "Could not resolve host",
        "dns error",
    ]) {
        Some("It could not reach the network, which it needs for a download.")
    } else if said(&[
        "EADDRINUSE",
        "Address already in use",
        "address already in use",
    ]) {
        Some("Another program already uses its port: stop that program or choose another port.")
    } else if said(&["EACCES", "Permission denied", "permission denied"]) {
        Some("Access was denied: check the permissions of the files it names.")
    } else if said(&[
        "API key",
        "API_KEY",
        "api key",
        "TOKEN",
        "environment variable",
    ]) {
        Some("A key or setting seems to be missing: add it to this server's environment variables.")
    } else if said(&["usage:", "Usage:", "USAGE"]) {
        Some("It printed its usage: check the arguments.")
    } else {
        None
    }
}
