//! The files that differ from the last recorded proof, and what follows from them.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{Part, RECORD};
use crate::{project, results::TestResult, step::git};

/// Parts that the fast proof adds for changed paths.
const ADDED: &[(Part, &[&str])] = &[
    (
        Part::Packages,
        &[
            "packaging/",
            "src-tauri/",
            "xtask/src/bundle.rs",
            "xtask/src/installed.rs",
            "xtask/src/published.rs",
        ],
    ),
    (Part::Bench, &["tests/src/bin/bench", "xtask/src/bench"]),
    (
        Part::Fuzz,
        &[
            "crates/wire/",
            "crates/record/",
            "crates/explorer/src/servers/import",
            "tests/src/bin/fuzz/",
            "ui/fuzz/",
        ],
    ),
];

/// Paths of changed files, relative to the project's root.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    files: BTreeSet<String>,
}

impl Change {
    /// Compares the working tree with the commit of the last recorded proof. Without git or a record, nothing is changed.
    pub(crate) fn since_record() -> Result<Self> {
        if !project::root().join(".git").exists() {
            return Ok(Self::default());
        }
        let base = git(&["log", "-1", "--format=%H", "--", RECORD])?;
        if base.is_empty() {
            return Ok(Self::default());
        }
        let changed = git(&["diff", "--name-only", "-z", &base])?;
        let added = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let files = changed.split_terminator('\0');
        Ok(Self::of(files.chain(added.split_terminator('\0'))))
    }

    pub(super) fn of<'a>(files: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            files: files.into_iter().map(str::to_owned).collect(),
        }
    }

    /// True if a changed file is at this path, below it, or begins with it.
    pub(crate) fn touches(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.starts_with(path))
    }

    /// Returns the parts to run besides those of the fast proof.
    pub(crate) fn adds(&self) -> Vec<Part> {
        let touched = |(_, paths): &&(Part, &[&str])| paths.iter().any(|path| self.touches(path));
        ADDED
            .iter()
            .filter(touched)
            .map(|(part, _)| *part)
            .collect()
    }

    /// True if the test is in a changed file.
    pub(crate) fn touches_test(&self, test: &TestResult) -> bool {
        sources(test).iter().any(|file| self.files.contains(file))
    }
}

/// Lists files that may contain a test: the file that the page's runner names, or those that its module path can mean.
fn sources(test: &TestResult) -> Vec<String> {
    if test.suite.ends_with(".mjs") {
        return vec![test.suite.clone()];
    }
    if test.suite.contains(".test.ts") {
        return vec![format!("ui/{}", test.suite)];
    }
    // `package`, `package::test` or `package::bin/program`, as cargo-nextest names programs.
    let (package, program) = test.suite.split_once("::").unwrap_or((&test.suite, ""));
    let folder = match package {
        "sonde-desktop" => "src-tauri".to_owned(),
        "sonde" => "crates/cli".to_owned(),
        "sonde-tests" => "tests".to_owned(),
        "xtask" => "xtask".to_owned(),
        other => format!("crates/{}", other.trim_start_matches("sonde-")),
    };
    let root = match program.split_once('/') {
        _ if program.is_empty() => format!("{folder}/src"),
        Some(("bin", name)) if package == "sonde-tests" => format!("{folder}/src/bin/{name}"),
        Some(_) => format!("{folder}/src"),
        None if program == "e2e" => format!("{folder}/e2e"),
        None => format!("{folder}/tests/{program}"),
    };
    let mut found = vec![
        format!("{root}.rs"),
        format!("{root}/main.rs"),
        format!("{root}/lib.rs"),
    ];
    let modules = test.name.split("::");
    // Each module of cases has a test of its name.
    if test.suite == "sonde-tests::rules" {
        found.extend(modules.clone().map(|module| format!("{root}/{module}.rs")));
    }
    let mut path = root;
    // The last segment is the test itself.
    for module in modules.clone().take(modules.count().saturating_sub(1)) {
        path = format!("{path}/{module}");
        found.push(format!("{path}.rs"));
        found.push(format!("{path}/mod.rs"));
    }
    // Only the innermost file that exists contains the test.
    let there = |file: &String| project::root().join(file).is_file();
    found.into_iter().rfind(there).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::report::tests::test;

    #[test]
    fn a_test_is_found_in_its_file() {
        for (suite, name, file) in [
            (
                "xtask",
                "test::change::tests::x",
                "xtask/src/test/change.rs",
            ),
            ("xtask", "tests::x", "xtask/src/main.rs"),
            ("sonde-tests::http", "x", "tests/tests/http.rs"),
            (
                "sonde-tests::explorer",
                "history::x",
                "tests/tests/explorer/history.rs",
            ),
            (
                "sonde-tests::rules",
                "each_rule::lists",
                "tests/tests/rules/lists.rs",
            ),
            // A play of that test.
            (
                "sonde-tests::rules",
                "each_rule::lists::a-rule::broken-true",
                "tests/tests/rules/lists.rs",
            ),
            (
                "sonde-tests::bin/conformance-client",
                "form::tests::x",
                "tests/src/bin/conformance-client/form.rs",
            ),
            (
                "sonde-desktop::bin/sonde-desktop",
                "page::tests::x",
                "src-tauri/src/page.rs",
            ),
            ("src/lib/text.test.ts", "x", "ui/src/lib/text.test.ts"),
            (
                "ui/tests/states/help.mjs",
                "help (light)",
                "ui/tests/states/help.mjs",
            ),
        ] {
            let suite = suite.to_owned();
            let test = TestResult {
                suite,
                ..test(name, None)
            };
            assert_eq!(sources(&test), [file]);
            assert!(Change::of([file]).touches_test(&test), "{file}");
            assert!(!Change::of(["README.md"]).touches_test(&test), "{file}");
        }
    }

    #[test]
    fn paths_add_the_parts_that_prove_them() {
        assert_eq!(Change::of(["README.md", "ui/src/a.ts"]).adds(), []);
        assert_eq!(
            Change::of(["crates/wire/src/lib.rs", "src-tauri/build.rs"]).adds(),
            [Part::Packages, Part::Fuzz]
        );
    }

    #[test]
    fn every_path_that_adds_a_part_is_there() {
        let tracked = git(&["ls-files"]).expect("a git checkout");
        for path in ADDED.iter().flat_map(|(_, paths)| *paths) {
            assert!(tracked.lines().any(|file| file.starts_with(path)), "{path}");
        }
    }
}
