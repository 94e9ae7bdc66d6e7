//! Rules about the sources that no compiler enforces: modules import each other in one direction only, each crate knows
//! only the crates that it may know, and documents name existing things.

#![expect(clippy::unwrap_used, reason = "what cannot be read fails the test")]

mod tokens;
mod modules;
mod comments;
mod cycles;
mod documents;

use std::path::{Path, PathBuf};

use modules::Crate;
use tokens::Token;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the folders of the crates that make up the app.
fn crates() -> Vec<PathBuf> {
    let mut folders: Vec<_> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("Cargo.toml").exists())
        .collect();
    folders.push(root().join("src-tauri"));
    folders.sort();
    folders
}

fn manifest(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("Cargo.toml")).unwrap()
}

#[test]
fn modules_import_each_other_in_one_direction_only() {
    let mut found = Vec::new();
    for folder in crates() {
        found.extend(cycles::circles(&Crate::read(&folder, root())));
    }
    assert!(
        found.is_empty(),
        "imports in a circle:\n{}",
        found.join("\n")
    );
}

#[test]
fn no_crate_below_the_desktop_host_knows_tauri() {
    for folder in crates() {
        let depends = manifest(&folder)
            .lines()
            .any(|line| line.trim_start().starts_with("tauri"));
        assert_eq!(
            depends,
            folder.ends_with("src-tauri"),
            "{}",
            folder.display()
        );
    }
}

#[test]
fn what_crosses_to_the_window_stands_on_the_explorer_and_not_the_other_way_round() {
    for folder in crates() {
        let on_top = ["ipc", "src-tauri"].map(|name| folder.ends_with(name));
        let depends = manifest(&folder)
            .lines()
            .any(|line| line.trim_start().starts_with("sonde-ipc"));
        assert!(!depends || on_top.contains(&true), "{}", folder.display());
    }
    // A finding and a document are shown as they are wherever they are made; a draft is what was typed.
    let not_of_the_window = ["FindingView", "DocumentView", "Draft"];
    for name in ["crates/client", "crates/explorer"] {
        for (path, module) in &Crate::read(&root().join(name), root()).modules {
            for token in &module.tokens {
                let Token::Word(word) = token else { continue };
                let view = word.ends_with("View") || word.ends_with("Draft");
                let allowed = not_of_the_window.contains(&word.as_str());
                assert!(!view || allowed, "{path:?} names {word}");
            }
        }
    }
}

#[test]
fn a_connection_knows_no_list_no_files_and_no_window() {
    let manifest = manifest(&root().join("crates/client"));
    for other in ["explorer", "files", "ipc"] {
        assert!(!manifest.contains(&format!("sonde-{other}")), "{other}");
    }
}

#[test]
fn sessions_know_no_http_client() {
    let folder = root().join("crates/mcp");
    assert!(!manifest(&folder).contains("reqwest"));
    for (path, module) in &Crate::read(&folder, root()).modules {
        let names = |token: &Token| matches!(token, Token::Word(word) if word == "reqwest");
        assert!(!module.tokens.iter().any(names), "{path:?}");
    }
}

/// The first segments of the names of MCP methods, and names that have only one segment.
const METHODS: [&str; 12] = [
    "completion/",
    "elicitation/",
    "logging/",
    "notifications/",
    "prompts/",
    "resources/",
    "roots/",
    "sampling/",
    "server/discover",
    "subscriptions/",
    "tasks/",
    "tools/",
];

#[test]
fn transports_know_no_mcp_method() {
    let mut texts = 0;
    for (path, module) in &Crate::read(&root().join("crates/wire"), root()).modules {
        for token in &module.tokens {
            let Token::Text(text) = token else { continue };
            texts += 1;
            let method = METHODS.iter().find(|method| text.contains(**method));
            let alone = matches!(text.as_str(), "initialize" | "ping");
            assert!(method.is_none() && !alone, "{path:?} names {text:?}");
        }
    }
    assert!(texts > 100, "only {texts} texts were read");
}

/// A fault ends only its own session, because a panic that unwinds can be caught.
#[test]
fn panics_unwind_in_every_build() {
    let settings = root().join(".cargo/config.toml");
    let mut files: Vec<_> = crates().iter().map(|of| of.join("Cargo.toml")).collect();
    files.extend([root().join("Cargo.toml"), settings]);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut lines = text.lines().map(str::trim_start);
        assert!(
            !lines.any(|line| line.starts_with("panic")),
            "{}",
            file.display()
        );
    }
}
