//! Doc comments begin with the thing that they describe.

use std::path::{Path, PathBuf};

use super::root;

/// Words that make a sentence a riddle when they begin it, because the reader has to guess its subject.
const RIDDLES: [&str; 7] = ["What", "Which", "How", "Whether", "Where", "Who", "Whose"];
/// Files with doc comments, by the end of their names.
const SOURCES: [&str; 6] = ["css", "js", "mjs", "rs", "ts", "tsx"];
/// Folders that are built or installed.
const NOT_OURS: [&str; 3] = ["dist", "node_modules", "target"];

/// Adds the sources below a folder.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !NOT_OURS.iter().any(|name| path.ends_with(name)) {
                collect(&path, sources);
            }
        } else if path
            .extension()
            .is_some_and(|end| SOURCES.iter().any(|of| end == *of))
        {
            sources.push(path);
        }
    }
}

/// Returns the first words of the doc comments of a source, each with its line number.
fn beginnings(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_inside = false;
    // `/**` may stand alone above its text.
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let of_rust = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let of_script = line
            .strip_prefix("/**")
            .or_else(|| line.strip_prefix("/*"))
            .or_else(|| line.strip_prefix('*').filter(|_| is_open));
        is_open = line == "/**";
        let words = match (of_rust, of_script) {
            (Some(words), _) if !is_inside => words,
            (None, Some(words)) => words,
            _ => "",
        };
        is_inside = of_rust.is_some();
        if let Some(first) = words.split_whitespace().next() {
            found.push((number, first));
        }
    }
    found
}

#[test]
fn doc_comments_begin_with_the_thing_they_name() {
    let mut sources = Vec::new();
    for folder in ["crates", "src-tauri", "tests", "ui", "xtask"] {
        collect(&root().join(folder), &mut sources);
    }
    let mut riddles = Vec::new();
    for source in sources {
        let text = std::fs::read_to_string(&source).unwrap();
        let shown = source.strip_prefix(root()).unwrap().display();
        for (line, first) in beginnings(&text) {
            if RIDDLES.contains(&first) {
                riddles.push(format!("{shown}:{line}: {first} …"));
            }
        }
    }
    assert!(
        riddles.is_empty(),
        "begin with a noun or a verb:\n{}",
        riddles.join("\n")
    );
}

#[test]
fn the_first_word_of_a_doc_comment_is_found() {
    let text = "/// What it is.\n/// How it is.\nfn a() {}\n/** Which one. */\n/* How wide. */\n/**\n * Where it is.\n * Who.\n */\n// Whose\n";
    let words: Vec<_> = beginnings(text).into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["What", "Which", "How", "Where"]);
}
