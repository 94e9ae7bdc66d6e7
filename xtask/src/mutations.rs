//! `cargo xtask mutations`: breaks the product on purpose, and demands that a test notices.
//!
//! Each file of `tests/mutations` is one break: the place, the exact old text (which must occur once), the new text,
//! and the test command that must turn red.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{
    build,
    files::{below, update},
    project, step, ui,
};

/// Numbers of tests in a runner's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
}

impl Counts {
    fn ran(self) -> usize {
        self.passed + self.failed
    }
}

/// Adds up lines such as `test result: ok. 12 passed; 0 failed; …` (cargo) and `Tests  2 failed | 12 passed (14)`
/// (vitest).
fn count(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let line = line.trim_start();
        if !line.starts_with("test result: ") && !line.starts_with("Tests ") {
            continue;
        }
        let number = |word: &str| -> usize {
            let before = line.split_once(word).map_or("", |(before, _)| before);
            let last = before.trim_end().rsplit(' ').next();
            last.and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        counts.passed += number(" passed");
        counts.failed += number(" failed");
    }
    counts
}

/// One break.
#[derive(Debug)]
struct Mutation {
    name: String,
    /// A file, or a folder below which exactly one file has the old text.
    place: String,
    old: String,
    new: String,
    /// The command that must fail, as words. Begins with `cargo` or, for the web part, `npm`.
    test: Vec<String>,
}

/// Runs all mutations, or those whose name contains `only`.
pub(crate) fn named(only: Option<&str>) -> Result<()> {
    let mut mutations = all()?;
    mutations.retain(|one| only.is_none_or(|only| one.name.contains(only)));
    ensure!(!mutations.is_empty(), "there is no such mutation");
    run(&mutations)
}

/// Runs the mutations of files or folders that `touched` chooses. Returns their number.
pub(crate) fn touching(touched: impl Fn(&str) -> bool) -> Result<usize> {
    let mut mutations = all()?;
    mutations.retain(|one| touched(&one.place));
    if !mutations.is_empty() {
        run(&mutations)?;
    }
    Ok(mutations.len())
}

/// Applies each mutation to a copy of the project, and runs its test there. The test must pass in the unchanged copy,
/// so that the break is what turns it red.
fn run(mutations: &[Mutation]) -> Result<()> {
    ui::build()?;
    let tree = Tree::make()?;
    let stale: Vec<String> = mutations
        .iter()
        .filter_map(|one| Some(format!("{}: {:#}", one.name, place(&tree.0, one).err()?)))
        .collect();
    ensure!(stale.is_empty(), "{}", stale.join("\n"));
    step::quiet(
        "Build the programs that tests start",
        tree.cargo()
            .args(["build", "--workspace", "--bins"])
            .args(build::FEATURES),
    )?;
    let tests: BTreeSet<&[String]> = mutations.iter().map(|one| &one.test[..]).collect();
    step::step("Their tests, before anything is broken", || {
        for test in tests {
            let counts = tree.test(test, "unbroken")?;
            let text = test.join(" ");
            ensure!(
                counts.ran() > 0,
                "`{text}` runs no test: unbroken.log in the folder `mutations` of the target folder says why"
            );
            ensure!(
                counts.failed == 0,
                "`{text}` fails by itself ({} tests)",
                counts.failed
            );
        }
        Ok(())
    })?;
    let mut survived = Vec::new();
    for mutation in mutations {
        let killed = step::step(&mutation.name, || {
            let (file, text) = place(&tree.0, mutation)?;
            fs::write(&file, text.replacen(&mutation.old, &mutation.new, 1))?;
            let counts = tree.test(&mutation.test, &mutation.name);
            fs::write(&file, text).context("taking the break back")?;
            let counts = counts?;
            println!("  {} passed, {} failed", counts.passed, counts.failed);
            ensure!(counts.ran() > 0, "no test ran: does it still compile?");
            ensure!(counts.failed > 0, "no test noticed");
            Ok(())
        });
        if let Err(error) = killed {
            println!("  {error:#}");
            survived.push(mutation.name.as_str());
        }
    }
    println!(
        "\n{}/{} turned a test red",
        mutations.len() - survived.len(),
        mutations.len()
    );
    if !survived.is_empty() {
        bail!("these did not: {}", survived.join(", "));
    }
    Ok(())
}

fn all() -> Result<Vec<Mutation>> {
    let folder = project::root().join("tests/mutations");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|kind| kind == "txt"));
    files.sort();
    files
        .iter()
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            read(&name, &fs::read_to_string(file)?).with_context(|| file.display().to_string())
        })
        .collect()
}

fn read(name: &str, text: &str) -> Result<Mutation> {
    let (head, rest) = text.split_once("--- old\n").context("no `--- old`")?;
    let (old, new) = rest.split_once("\n--- new\n").context("no `--- new`")?;
    let field = |name: &str| {
        head.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
            .with_context(|| format!("no `{name}:`"))
    };
    Ok(Mutation {
        name: name.to_owned(),
        place: field("in")?.to_owned(),
        old: old.to_owned(),
        new: new.strip_suffix('\n').unwrap_or(new).to_owned(),
        test: field("test")?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    })
}

/// A copy of the project's files as they are now, uncommitted changes included.
struct Tree(PathBuf);

impl Tree {
    fn make() -> Result<Self> {
        let tree = Self(project::cache_path("mutations/tree"));
        let all = ["--cached", "--others", "--exclude-standard", "-z"];
        let listed = step::git(&[&["ls-files"], &all[..]].concat())?;
        let files: Vec<&str> = listed.split_terminator('\0').collect();
        for file in &files {
            // Otherwise it was deleted and git does not know yet, or it is a dangling link.
            if let Ok(bytes) = fs::read(project::root().join(file)) {
                update(&tree.0.join(file), &bytes)?;
            }
        }
        // Deleted files would still be compiled.
        for file in below(&tree.0)? {
            let name = file.strip_prefix(&tree.0)?.to_string_lossy().into_owned();
            if !name.starts_with("ui/dist/") && !files.contains(&name.as_str()) {
                fs::remove_file(&file)?;
            }
        }
        for file in below(&project::root().join("ui/dist"))? {
            let copy = tree.0.join(file.strip_prefix(project::root())?);
            update(&copy, &fs::read(&file)?)?;
        }
        #[cfg(unix)]
        {
            let packages = tree.0.join("ui/node_modules");
            if !packages.is_symlink() {
                std::os::unix::fs::symlink(project::root().join("ui/node_modules"), packages)?;
            }
        }
        Ok(tree)
    }

    fn cargo(&self) -> Command {
        let mut cargo = project::cargo();
        cargo.current_dir(&self.0);
        // A test that waits for something impossible fails sooner. In seconds.
        cargo.env("SONDE_TEST_LIMIT", "40");
        // Not the project's own folder: cargo would reuse what the broken copy built.
        cargo.env("CARGO_TARGET_DIR", project::cache_path("mutations/build"));
        cargo
    }

    /// Runs a test, which may fail, and returns its counts. Its output is stored under a name.
    fn test(&self, test: &[String], name: &str) -> Result<Counts> {
        let (program, args) = test.split_first().context("no test")?;
        let mut command = match program.as_str() {
            "cargo" => {
                let mut cargo = self.cargo();
                // All tests must be counted, not only those up to the first failure.
                cargo.arg(&args[0]).arg("--no-fail-fast").args(&args[1..]);
                cargo
            }
            "npm" => {
                let mut npm = ui::npm("ui");
                npm.current_dir(self.0.join("ui")).args(args);
                npm
            }
            other => bail!("a test begins with cargo or npm, not with {other}"),
        };
        let output = command
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("starting {program}"))?;
        let log = project::cache_path("mutations").join(format!("{name}.log"));
        fs::write(&log, [&output.stdout[..], &output.stderr].concat())?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(count(&text))
    }
}

/// Finds the file below `root` that has the old text of a mutation; returns it with its content.
fn place(root: &Path, mutation: &Mutation) -> Result<(PathBuf, String)> {
    let place = root.join(&mutation.place);
    let files = if place.is_dir() {
        below(&place)?
    } else {
        vec![place]
    };
    let mut found = Vec::new();
    for file in files {
        // Pictures are not text.
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        for _ in text.matches(&mutation.old) {
            found.push((file.clone(), text.clone()));
        }
    }
    ensure!(
        found.len() == 1,
        "does not apply: the old text is {} times in {}",
        found.len(),
        mutation.place
    );
    Ok(found.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_in_the_output_of_both_runners() {
        let cargo = "test result: ok. 2 passed; 0 failed; 1 ignored;\ntest result: FAILED. 1 passed; 3 failed; 0 ignored;";
        let (passed, failed) = (3, 3);
        assert_eq!(count(cargo), Counts { passed, failed });
        let vitest = "      Tests  3 failed | 3 passed (6)";
        assert_eq!(count(vitest), Counts { passed, failed });
        assert_eq!(count("error: 3 passed").ran(), 0);
    }

    #[test]
    fn every_mutation_applies_and_says_what_must_turn_red() {
        let all = all().expect("readable");
        assert!(all.len() >= 20, "{}", all.len());
        for one in &all {
            assert_ne!(one.old, one.new, "{}", one.name);
            assert!(
                matches!(one.test[0].as_str(), "cargo" | "npm"),
                "{}",
                one.name
            );
            place(&project::root(), one).expect(&one.name);
        }
    }

    #[test]
    fn a_mutation_has_its_parts() {
        let text = "in: a/b.rs\ntest: cargo test x\n--- old\none\n  two\n--- new\n";
        let read = read("n", text).expect("readable");
        assert_eq!(read.place, "a/b.rs");
        assert_eq!(read.old, "one\n  two");
        assert_eq!(read.new, "");
        assert_eq!(read.test, ["cargo", "test", "x"]);
        assert!(super::read("n", "in: a\n--- old\n\n--- new\n").is_err());
    }
}
