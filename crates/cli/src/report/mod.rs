//! Reports of checks and tests, one module for each form.

mod html;
mod junit;
mod markdown;
mod sarif;
mod tap;

use std::{collections::HashSet, path::PathBuf, time::Duration};

use serde::{Serialize, Serializer};
use serde_json::json;
use sonde_suite::{format::SUITE_ENDING, problem::Problem as FileProblem};

use crate::{
    console::{print_text, visible},
    exit::{Failed, Result},
    servers::SERVERS_FILE,
};

/// Everything that a command found out.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    /// Summary in one line.
    pub(crate) title: String,
    pub(crate) groups: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) coverage: Vec<Coverage>,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub(crate) took: Duration,
}

/// The cases of a file, or of a server.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// The file of the suite, as it was named.
    pub(crate) file: Option<String>,
    /// Combination of the matrix; empty for the only one of its file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) label: String,
    /// For example the protocol version.
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) cases: Vec<Case>,
    /// Last lines of the server's standard error.
    pub(crate) stderr: Vec<String>,
}

/// One step of a suite, or one finding.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub(crate) took: Duration,
    pub(crate) problems: Vec<Problem>,
    /// Reason why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skip_reason: Option<String>,
    /// Attempts before the last one.
    pub(crate) retries: u32,
    /// Its failures in earlier runs of the whole suite. A case that passed in the end is flaky.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<Case>,
}

/// Items that a server offers, compared with those that steps use.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Coverage {
    /// Name and version.
    pub(crate) server: String,
    pub(crate) kinds: Vec<CoverageOfKind>,
}

/// Items of one list.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CoverageOfKind {
    /// Name of the list, for example `tools`.
    pub(crate) kind: &'static str,
    pub(crate) offered: usize,
    pub(crate) without_step: Vec<String>,
}

impl CoverageOfKind {
    /// "3 of 12 tools".
    pub(crate) fn words(&self) -> String {
        let used = self.offered - self.without_step.len();
        format!("{used} of {} {}", self.offered, self.kind)
    }
}

impl Case {
    pub(crate) fn new(name: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            name: name.into(),
            verdict,
            ..Self::default()
        }
    }

    /// True if it passed in a repeated run.
    pub(crate) fn is_flaky(&self) -> bool {
        self.verdict == Verdict::Passed && !self.earlier.is_empty()
    }
}

/// A reason why a case did not pass, or a remark.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Problem {
    /// The rule or the expectation, as a stable id.
    pub(crate) rule: String,
    /// Severity for reports that have one.
    pub(crate) level: Level,
    /// Plain sentences.
    pub(crate) message: String,
    pub(crate) fix: Option<String>,
    /// Page about the rule.
    pub(crate) help: Option<String>,
    /// Line and column in the file of the group, from 1.
    pub(crate) place: Option<(u32, u32)>,
    /// Subject in the server, for example `tool/echo/inputSchema`.
    pub(crate) subject: Option<String>,
    /// Number of further problems of the rule that this one stands for.
    #[serde(skip)]
    pub(crate) further: usize,
}

impl Problem {
    /// Returns its place in the group's file, or its subject; empty without either.
    fn at(&self, group: &Group) -> String {
        match (&group.file, self.place, &self.subject) {
            (Some(file), Some((line, column)), _) => format!("{file}:{line}:{column}"),
            (_, _, Some(subject)) => subject.clone(),
            _ => String::new(),
        }
    }

    /// Returns the message and the fix.
    fn words(&self) -> String {
        let sentences = std::iter::once(&self.message).chain(&self.fix);
        sentences.cloned().collect::<Vec<_>>().join(" ")
    }

    /// Returns its place or subject, the message and the fix.
    fn line(&self, group: &Group) -> String {
        match self.at(group) {
            at if at.is_empty() => self.words(),
            at => format!("{at}: {}", self.words()),
        }
    }
}

/// A name with the combination of the matrix, if there is one.
pub(crate) fn labelled(name: &str, label: &str) -> String {
    match label {
        "" => name.to_owned(),
        label => format!("{name} ({label})"),
    }
}

/// A text on one line.
fn one_line(text: &str) -> String {
    visible(&text.replace(['\n', '\r'], " "))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    Note,
    Warning,
    #[default]
    Error,
}

/// Verdicts about a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Passed,
    /// An expectation does not hold.
    #[default]
    Failed,
    /// It could not be carried out: the server, the transport, a time limit.
    Broken,
    Skipped,
}

impl Verdict {
    pub(crate) fn of(fails: bool) -> Self {
        if fails { Self::Failed } else { Self::Passed }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Broken => "broken",
            Self::Skipped => "skipped",
        }
    }
}

impl Level {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Report {
    /// The report of a command that could not begin, so that no earlier one is taken for it.
    fn of_failure(name: String, failed: &Failed) -> Self {
        let problem = Problem {
            rule: "begin".to_owned(),
            message: failed.message.clone(),
            fix: Some(failed.more.join(" ")).filter(|fix| !fix.is_empty()),
            ..Problem::default()
        };
        let group = |file: Option<&str>, problems: Vec<Problem>| Group {
            name: file.unwrap_or(&name).to_owned(),
            file: file.map(str::to_owned),
            cases: vec![Case {
                problems,
                ..Case::new("Begin", Verdict::Broken)
            }],
            ..Group::default()
        };
        let files = failed.problems.chunk_by(|one, next| one.file == next.file);
        let of_file = |found: &[FileProblem]| {
            let problems = found.iter().map(|one| Problem {
                message: one.message.clone(),
                fix: None,
                place: Some((one.span.line, one.span.column)).filter(|(line, _)| *line > 0),
                ..problem.clone()
            });
            group(found[0].file.as_deref(), problems.collect())
        };
        let mut groups: Vec<_> = files.map(of_file).collect();
        if groups.is_empty() {
            groups.push(group(None, vec![problem.clone()]));
        }
        Self {
            title: name,
            groups,
            ..Self::default()
        }
    }

    pub(crate) fn cases(&self) -> impl Iterator<Item = &Case> + Clone {
        self.groups.iter().flat_map(|group| &group.cases)
    }

    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.cases().filter(|one| one.verdict == verdict).count()
    }

    /// Number of problems of a level, listed or not.
    pub(crate) fn problems(&self, level: Level) -> usize {
        let problems = self.cases().flat_map(|case| &case.problems);
        let problems = problems.filter(|one| one.level == level);
        problems.map(|one| 1 + one.further).sum()
    }

    /// "3 passed (1 flaky), 1 failed".
    pub(crate) fn counts(&self) -> String {
        counts(self.cases())
    }
}

/// "3 passed (1 flaky), 1 failed".
fn counts<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> String {
    let verdicts = [
        Verdict::Passed,
        Verdict::Failed,
        Verdict::Broken,
        Verdict::Skipped,
    ];
    let counts = verdicts.into_iter().filter_map(|verdict| {
        let count = cases.clone().filter(|one| one.verdict == verdict).count();
        let shown = count > 0 || verdict == Verdict::Passed;
        let flaky = cases.clone().filter(|one| one.is_flaky()).count();
        let flaky = match (verdict, flaky) {
            (Verdict::Passed, 1..) => format!(" ({flaky} flaky)"),
            _ => String::new(),
        };
        shown.then(|| format!("{count} {}{flaky}", verdict.word()))
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// Fails if two of the `written` files are one, or if one is `read` or a file of suites or servers. Devices may be
/// written twice.
pub(crate) fn check_outputs<'a>(
    written: impl Iterator<Item = &'a PathBuf>,
    read: impl Iterator<Item = &'a PathBuf>,
) -> Result<()> {
    let real = |path: &PathBuf| {
        let real = path.canonicalize().or_else(|_| std::path::absolute(path));
        real.unwrap_or_else(|_| path.clone())
    };
    let mut taken: HashSet<_> = read.map(real).collect();
    for path in written.filter(|path| path.is_file() || !path.exists()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(SUITE_ENDING) || name == SERVERS_FILE || !taken.insert(real(path)) {
            return Err(Failed::usage(format!(
                "{} cannot be written: it is named twice, or is a file that Sonde reads.",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Files that a report is written to.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    /// Write a JUnit report (XML)
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a SARIF 2.1.0 report, for code scanning
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write a TAP report
    #[arg(long, value_name = "FILE")]
    tap: Option<PathBuf>,
    /// Append a summary in Markdown, for $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Write one HTML page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl ReportArgs {
    /// The files to write.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let Self {
            junit,
            sarif,
            tap,
            md,
            html,
        } = self;
        [junit, sarif, tap, md, html].into_iter().flatten()
    }

    /// Writes all that were asked for, and returns the first failure.
    pub(crate) fn write(&self, report: &Report) -> Result<()> {
        type Form = fn(&Report) -> String;
        let forms: [(&Option<PathBuf>, Form); 4] = [
            (&self.junit, junit::junit),
            (&self.sarif, sarif::sarif),
            (&self.tap, tap::tap),
            (&self.html, html::html),
        ];
        let mut done = Ok(());
        for (path, form) in forms {
            if let Some(path) = path {
                let written = std::fs::write(path, form(report));
                done = done.and(written.map_err(|error| Failed::not_written(path, &error)));
            }
        }
        if let Some(path) = &self.md {
            use std::io::Write as _;
            let file = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path);
            let text = markdown::markdown(report);
            let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
            done = done.and(written.map_err(|error| Failed::not_written(path, &error)));
        }
        done
    }

    /// Writes the report of a command that could not begin, and prints it as JSON if `json`. Returns the failure
    /// with which the command ends: another one if the report could not be written.
    pub(crate) fn write_failure(&self, name: String, failed: Failed, json: bool) -> Failed {
        let report = Report::of_failure(name, &failed);
        if json {
            print_text(&self::json(&report));
        }
        self.write(&report).err().unwrap_or(failed)
    }
}

/// The report as JSON.
pub(crate) fn json(report: &Report) -> String {
    let counts = json!({
        "passed": report.count(Verdict::Passed),
        "failed": report.count(Verdict::Failed),
        "broken": report.count(Verdict::Broken),
        "skipped": report.count(Verdict::Skipped),
        "flaky": report.cases().filter(|one| one.is_flaky()).count(),
        "errors": report.problems(Level::Error),
        "warnings": report.problems(Level::Warning),
        "notes": report.problems(Level::Note),
    });
    let whole = json!({
        "sonde-report": 1,
        "by": concat!("Sonde ", env!("CARGO_PKG_VERSION")),
        "counts": counts,
        "report": report,
    });
    format!("{whole:#}")
}

fn seconds<S: Serializer>(took: &Duration, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let problem = Problem {
            rule: "expect/text".to_owned(),
            message: "text: expected <b> & \"c\" | `d`.".to_owned(),
            fix: Some("Correct it.".to_owned()),
            help: Some("https://example.com/rules".to_owned()),
            place: Some((7, 3)),
            subject: Some("tool/echo".to_owned()),
            ..Problem::default()
        };
        let case = |name: &str, verdict, problems: &[Problem]| Case {
            name: name.to_owned(),
            verdict,
            took: Duration::from_millis(5),
            problems: problems.to_vec(),
            ..Case::default()
        };
        Report {
            title: "2 suites".to_owned(),
            took: Duration::from_millis(20),
            groups: vec![Group {
                name: "Orders <1>".to_owned(),
                file: Some("orders.sonde.yaml".to_owned()),
                label: "2026-07-28, stdio".to_owned(),
                properties: vec![("revision".to_owned(), "2026-07-28".to_owned())],
                cases: vec![
                    case("lists", Verdict::Passed, &[]),
                    case(
                        "text & more",
                        Verdict::Failed,
                        &[problem.clone(), problem.clone()],
                    ),
                    case("lost\u{1b}[31m", Verdict::Broken, &[problem]),
                    case("later", Verdict::Skipped, &[]),
                    case("later", Verdict::Skipped, &[]),
                    case("later #2", Verdict::Skipped, &[]),
                ],
                stderr: vec!["boom \u{1b}[0m".to_owned()],
            }],
            ..Report::default()
        }
    }

    #[test]
    fn every_form_has_each_case_and_no_word_is_markup() {
        let report = report();
        assert_eq!(report.counts(), "1 passed, 1 failed, 1 broken, 3 skipped");
        let html = html::html(&report);
        assert!(
            html.contains("Orders &lt;1&gt;") && !html.contains("<b>"),
            "{html}"
        );
        assert!(
            !html.contains("<script") && !html.contains("src="),
            "{html}"
        );
        let tap = tap::tap(&report);
        assert!(tap.starts_with("TAP version 14\n1..6\nok 1 - "), "{tap}");
        assert!(tap.contains("Correct it."), "{tap}");
        assert!(tap.contains("not ok 2 - ") && tap.contains("ok 4 - Orders <1>: later # SKIP"));
        let markdown = markdown::markdown(&report);
        assert!(markdown.contains("1 passed, 1 failed, 1 broken, 3 skipped"));
        assert!(!markdown.contains("<b>"), "{markdown}");
        let first = markdown.lines().find(|line| line.contains("more"));
        let first = first.unwrap();
        assert!(
            first.contains("orders.sonde.yaml:7:3: text: ") && first.contains("Correct it."),
            "{first}"
        );
        let junit = junit::junit(&report);
        for part in [
            "tests=\"6\"",
            "failures=\"1\"",
            "errors=\"1\"",
            "<skipped",
            "Orders &lt;1&gt;",
            "orders.sonde.yaml:7:3",
            "name=\"lists\" classname=\"orders.sonde.yaml (2026-07-28, stdio)\"",
            "name=\"later #2\"",
            "name=\"later #3\"",
        ] {
            assert!(junit.contains(part), "{part}\n{junit}");
        }
        assert!(!junit.contains('\u{1b}'), "{junit}");
        for text in [&html, &tap, &markdown] {
            assert!(!text.contains('\u{1b}'), "{text}");
        }
    }

    #[test]
    fn sarif_names_rules_places_and_subjects() {
        let sarif: serde_json::Value = serde_json::from_str(&sarif::sarif(&report())).unwrap();
        assert_eq!(sarif["version"], "2.1.0");
        let run = &sarif["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        let location = &results[0]["locations"][0];
        let physical = &location["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "orders.sonde.yaml");
        assert_eq!(physical["region"]["startLine"], 7);
        let logical = &location["logicalLocations"][0];
        assert_eq!(logical["fullyQualifiedName"], "tool/echo");
        let mut of_server = report();
        of_server.groups[0].file = None;
        let sarif: serde_json::Value = serde_json::from_str(&sarif::sarif(&of_server)).unwrap();
        let location = &sarif["runs"][0]["results"][0]["locations"][0];
        let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "Orders%20%3C1%3E");
        let json: serde_json::Value = serde_json::from_str(&json(&report())).unwrap();
        assert_eq!(json["report"]["groups"][0]["cases"][1]["verdict"], "failed");
    }

    #[test]
    fn words_of_a_server_steer_no_form() {
        let evil = "a ](https://evil.example) \\# SKIP www.evil.example ~~x~~ $x$ @all <b>\u{1b}[31m\u{202e}";
        let mut report = report();
        report.title = evil.to_owned();
        let group = &mut report.groups[0];
        group.name = evil.to_owned();
        group.file = Some("a b/100%#?.sonde.yaml".to_owned());
        for case in &mut group.cases {
            case.name = evil.to_owned();
            for problem in &mut case.problems {
                problem.message = evil.to_owned();
                problem.subject = None;
            }
        }
        let sarif = sarif::sarif(&report);
        let read: serde_json::Value = serde_json::from_str(&sarif).unwrap();
        let text = read["runs"][0]["results"][0]["message"]["text"].as_str();
        assert!(!text.unwrap().contains("]("), "{sarif}");
        assert!(sarif.contains("a%20b/100%25%23%3F.sonde.yaml"), "{sarif}");
        let tap = tap::tap(&report);
        assert!(tap.contains("\\\\\\# SKIP"), "{tap}");
        let markdown = markdown::markdown(&report);
        for part in ["https://", "www.", "~~", " $x", " @", "<b>"] {
            assert!(!markdown.contains(part), "{part}\n{markdown}");
        }
        let (html, junit) = (html::html(&report), junit::junit(&report));
        for text in [&html, &junit, &tap, &markdown, &sarif] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        }
        assert!(!html.contains("<b>") && !junit.contains("<b>"));
    }
}
