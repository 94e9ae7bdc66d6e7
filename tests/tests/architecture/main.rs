//! Rules about the sources that no compiler enforces: modules import each other in one direction only, each crate knows
//! only what it may know, and documents name existing things.

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
fn the_explorer_names_no_view() {
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
