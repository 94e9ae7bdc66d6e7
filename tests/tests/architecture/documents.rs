//! Statements of the documents about the sources: the tests that they name exist, and the page about the protocol
//! covers all of it.

use std::{collections::BTreeMap, path::PathBuf};

use crate::root;

/// Folders to search for the file of a test.
const FOLDERS: [&str; 4] = ["tests/tests", "tests", "crates", ""];

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// Beginnings of paths in the repository. Names of the protocol begin with `ui/` as well.
const PATHS: [&str; 6] = [
    "crates/",
    "src-tauri/",
    "tests/",
    "ui/src/",
    "ui/tests/",
    "xtask/",
];

/// Returns the documents with their paths.
fn documents() -> Vec<(String, String)> {
    let mut files = vec![root().join("README.md")];
    for folder in ["docs", "docs/adr", "docs/guide"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.extension().is_some_and(|one| one == "md"));
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file.display().to_string(), text)
    };
    files.into_iter().map(read).collect()
}

/// Returns the tests that a text names: code with a file and the name of the test after two colons.
fn tests_of(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|quoted| quoted.split_once("::"))
}

/// Returns the tests that a text names but that do not exist.
fn missing_tests(text: &str) -> Vec<String> {
    let missing = tests_of(text).filter(|(file, test)| !exists(file, test));
    missing
        .map(|(file, test)| format!("there is no test {test} in {file}"))
        .collect()
}

fn exists(file: &str, test: &str) -> bool {
    let source = FOLDERS
        .iter()
        .find_map(|folder| std::fs::read_to_string(root().join(folder).join(file)).ok())
        .unwrap_or_default();
    if !file.ends_with(".rs") {
        return source.contains(&format!("(\"{test}\""));
    }
    // The attribute that makes it a test is right before it.
    source
        .split_once(&format!("fn {test}("))
        .and_then(|(before, _)| before.rsplit("\n\n").next())
        .is_some_and(|head| head.contains("#[test]") || head.contains("#[tokio::test"))
}

#[test]
fn the_threat_model_names_tests_that_exist() {
    let text = page("security.md");
    assert_eq!(missing_tests(&text), Vec::<String>::new());
    let named = tests_of(&text).count();
    assert!(named > 10, "only {named} tests are named");
}

#[test]
fn the_paths_in_the_documents_exist() {
    let mut missing = Vec::new();
    for (document, text) in documents() {
        for quoted in text.split('`').skip(1).step_by(2) {
            let path = quoted.split("::").next().unwrap_or_default();
            let is_path = PATHS.iter().any(|beginning| path.starts_with(beginning));
            if is_path && !root().join(path).exists() {
                missing.push(format!("{document}: there is no {path}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_read_me_has_the_number_of_rules() {
    let rules = page("rules.md");
    let rows = || rules.lines().filter(|line| line.starts_with("| `"));
    let (all, of_specification) = (
        rows().count(),
        rows().filter(|row| row.contains("](http")).count(),
    );
    let said = format!("{all} rules, {of_specification} with the section of the specification");
    let read_me = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(read_me.contains(&said), "{said}");
}

/// The names of the protocol by kind, each with its versions as the page writes them.
type Names = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the problems of the page about the protocol, which has a table for each kind of names.
fn problems(page: &str, names: &Names) -> Vec<String> {
    let mut rest = names.clone();
    let mut found = missing_tests(page);
    let mut kind = String::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            kind = heading.to_lowercase();
        }
        let Some(row) = line.strip_prefix("| `") else {
            continue;
        };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, in_versions, does, tests, ""] = cells[..] else {
            found.push(format!("this is no row: {line}"));
            continue;
        };
        let name = name.trim_end_matches('`');
        match rest.get_mut(&kind).and_then(|names| names.remove(name)) {
            None => found.push(format!("{name} is none of the {kind}, or has two rows")),
            Some(versions) if versions != in_versions => {
                found.push(format!("{name}: {versions}, not {in_versions}"));
            }
            Some(_) => {}
        }
        if tests_of(tests).next().is_none() && !does.starts_with("Not yet") {
            found.push(format!("{name} has no test"));
        }
    }
    for (kind, names) in rest {
        found.extend(
            names
                .keys()
                .map(|name| format!("{name} of the {kind} has no row")),
        );
    }
    found
}

#[test]
fn the_page_about_the_protocol_has_every_name_with_tests_that_exist() {
    let names: Names = serde_json::from_str(include_str!("protocol.json")).unwrap();
    assert_eq!(problems(&page("protocol.md"), &names), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_the_page_about_the_protocol_is_found() {
    let names = r#"{"results": {"A": "all", "B": "to 2", "C": "from 2"}}"#;
    let names: Names = serde_json::from_str(names).unwrap();
    let test = "`architecture/documents.rs::the_threat_model_names_tests_that_exist`";
    let good = format!(
        "## Results\n| `A` | all | Shown. | {test} |\n| `B` | to 2 | Not yet. | |\n| `C` | from 2 | Shown. | {test} |\n"
    );
    assert_eq!(problems(&good, &names), Vec::<String>::new());
    for (from, to, problem) in [
        ("| `C` |", "| C |", "C of the results has no row"),
        ("`C`", "`D`", "D is none of the results"),
        ("`B`", "`A`", "A is none of the results, or has two rows"),
        ("to 2", "all", "B: to 2, not all"),
        ("Not yet", "Shown", "B has no test"),
        (
            "_exist`",
            "_exits`",
            "there is no test the_threat_model_names_tests_that_exits in",
        ),
        ("documents.rs", "nothing.rs", "in architecture/nothing.rs"),
        (
            "the_threat_model_names_tests_that_exist",
            "exists",
            "there is no test exists in",
        ),
        (" | Shown.", "", "this is no row"),
    ] {
        let found = problems(&good.replace(from, to), &names).join("\n");
        assert!(found.contains(problem), "{to}: {found}");
    }
}
