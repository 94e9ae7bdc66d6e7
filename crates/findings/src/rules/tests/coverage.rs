//! Coverage of the specification by Sonde's rules, and the page that shows it.
//!
//! `rules.json` has every rule that a client could judge, in the order of the specification's topics: each
//! with the severity of its words, the rules of Sonde that judge it, the reasons for a rule or part that
//! Sonde does not judge, and the reason if Sonde's severity differs. `docs/rules.md` is made from it and from
//! the rules; `SONDE_WRITE_RULES=1 cargo test -p sonde-findings` writes it.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

use serde::Deserialize;

use crate::{Certainty, Rule, Severity, rules};

/// Rules about one topic.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Topic {
    title: String,
    rules: Vec<Entry>,
}

/// One rule of the specification.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// A letter for the topic and a number.
    id: String,
    /// The violation, in a sentence.
    rule: String,
    /// Severity by the words of the specification: an error for a MUST and for the schema, a warning for a
    /// SHOULD.
    severity: Severity,
    /// The rules of Sonde that judge it, by id.
    #[serde(default)]
    by: Vec<String>,
    /// The reason for not judging it or a part of it.
    left: Option<String>,
    /// The reason for another severity of the worst of Sonde's rules.
    differs: Option<String>,
}

impl Entry {
    /// The severity of the worst of Sonde's rules.
    fn worst(&self, known: &HashMap<&str, &Rule>) -> Option<Severity> {
        let rules = self.by.iter().filter_map(|id| known.get(id.as_str()));
        rules.map(|rule| rule.severity).max()
    }
}

/// Number of rules of each topic, by its letter.
const RULES: [(char, u8); 9] = [
    ('B', 18),
    ('L', 15),
    ('S', 7),
    ('T', 29),
    ('O', 23),
    ('R', 20),
    ('N', 15),
    ('C', 21),
    ('A', 14),
];

fn topics() -> Vec<Topic> {
    serde_json::from_str(include_str!("../../../rules.json")).unwrap()
}

/// Returns true if a rule follows the specification of the Model Context Protocol.
fn is_of_protocol(rule: &Rule) -> bool {
    rule.spec
        .is_some_and(|spec| spec.url().starts_with("https://modelcontextprotocol.io/"))
}

/// Returns the faults of the table.
fn problems(topics: &[Topic]) -> Vec<String> {
    let known: HashMap<&str, &Rule> = rules::all().map(|rule| (rule.id, rule)).collect();
    let mut found = Vec::new();
    let mut judged: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut ids = Vec::new();
    for entry in topics.iter().flat_map(|topic| &topic.rules) {
        let id = &entry.id;
        let (letter, number) = id.split_at_checked(1).unwrap_or_default();
        if !letter.chars().all(|one| one.is_ascii_uppercase()) || number.parse::<u8>().is_err() {
            found.push(format!("{id} is no letter with a number"));
        }
        if ids.contains(&id) {
            found.push(format!("{id} is there twice"));
        }
        ids.push(id);
        if entry.by.is_empty() && entry.left.is_none() {
            found.push(format!("{id} needs rules or a reason"));
        }
        let reasons = [&entry.left, &entry.differs];
        for reason in reasons.into_iter().flatten() {
            if reason.split_whitespace().count() < 5 {
                found.push(format!("{id} gives no reason: {reason}"));
            }
        }
        for text in reasons.into_iter().flatten().chain([&entry.rule]) {
            if !text.ends_with('.') {
                found.push(format!("{id} has no full stop: {text}"));
            }
        }
        let differs = entry
            .worst(&known)
            .is_some_and(|worst| worst != entry.severity);
        match (differs, &entry.differs) {
            (true, None) => found.push(format!(
                "{id} has another severity in Sonde without a reason"
            )),
            (false, Some(_)) => found.push(format!("{id} has the same severity in Sonde")),
            _ => {}
        }
        for (place, by) in entry.by.iter().enumerate() {
            if entry.by[..place].contains(by) {
                found.push(format!("{id} names {by} twice"));
            }
            if !known.contains_key(by.as_str()) {
                found.push(format!("{id} names {by}, which is no rule"));
            }
            judged.entry(by).or_default().push(id);
        }
    }
    found.extend(
        rules::all()
            .filter(|rule| is_of_protocol(rule) && !judged.contains_key(rule.id))
            .map(|rule| format!("nothing names {}", rule.id)),
    );
    found
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Returns the page.
fn page() -> String {
    let topics = topics();
    let mut text = "# Rules

What Sonde says of a server comes from one of these rules. An error breaks a MUST or the schema of the specification, a warning
breaks a SHOULD or works only because Sonde is lenient, and an info is worth knowing. A heuristic may be wrong; it is never an error.
What stands in braces is filled in with what was found.

This page is written by `SONDE_WRITE_RULES=1 cargo test -p sonde-findings`, from `crates/findings`.

## Rules of Sonde

| id | group | severity | versions | what | specification |
|---|---|---|---|---|---|
"
    .to_owned();
    let mut all: Vec<_> = rules::all().collect();
    all.sort_unstable_by_key(|rule| rule.id);
    for rule in all {
        let severity = word(rule.severity);
        let certainty = match rule.certainty {
            Certainty::Fact => "",
            Certainty::Heuristic => ", heuristic",
        };
        let spec = rule
            .spec
            .map(|spec| format!("[{}]({})", spec.section, spec.url()))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "| `{}` | {} | {severity}{certainty} | {} | {} | {} |",
            rule.id,
            rule.group.name(),
            rule.revisions,
            cell(rule.text),
            cell(&spec)
        );
    }
    text.push_str(
        "
## Rules of the specification

Each with the severity of its words, the rules of Sonde that judge it, and the reasons why none does or why a part of it is left,
and why Sonde's severity is another one.
",
    );
    for topic in &topics {
        let _ = write!(
            text,
            "\n### {}\n\n| id | severity | rule | in Sonde |\n|---|---|---|---|\n",
            topic.title
        );
        for entry in &topic.rules {
            let by: Vec<_> = entry.by.iter().map(|id| format!("`{id}`")).collect();
            let reasons = [entry.left.clone(), entry.differs.clone()];
            let parts = (!by.is_empty()).then(|| by.join(", ") + ".");
            let parts: Vec<_> = parts
                .into_iter()
                .chain(reasons.into_iter().flatten())
                .collect();
            let judged = match entry.left.is_none() && entry.differs.is_none() {
                true => by.join(", "),
                false => parts.join(" "),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                entry.id,
                word(entry.severity),
                cell(&entry.rule),
                cell(&judged)
            );
        }
    }
    text
}

#[test]
fn every_rule_of_the_specification_is_judged_or_has_a_reason() {
    let topics = topics();
    let listed = topics.iter().flat_map(|topic| &topic.rules);
    let listed: Vec<&str> = listed.map(|entry| entry.id.as_str()).collect();
    let all = RULES
        .iter()
        .flat_map(|(letter, count)| (1..=*count).map(move |number| format!("{letter}{number:02}")));
    assert_eq!(listed, all.collect::<Vec<_>>());
    assert_eq!(problems(&topics), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_the_table_is_found() {
    let of = |entry: &str| {
        let text = format!(r#"[{{"title":"T","rules":[{entry}]}}]"#);
        problems(&serde_json::from_str::<Vec<Topic>>(&text).unwrap()).join("\n")
    };
    for (entry, problem) in [
        (
            r#"{"id":"x","rule":"R.","severity":"error"}"#,
            "x is no letter with a number",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error"}"#,
            "X01 needs rules",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["bom"],"left":"Not yet."}"#,
            "X01 gives no reason: Not yet.",
        ),
        (
            r#"{"id":"X01","rule":"R","severity":"error","left":"N."}"#,
            "X01 has no full stop: R",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","left":"N"}"#,
            "X01 has no full stop: N",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["none"]}"#,
            "X01 names none, which is no rule",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["bom"]},{"id":"X01","rule":"R.","severity":"error","by":["bom"]}"#,
            "X01 is there twice",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["bom"]}"#,
            "nothing names bad-id",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["bom","bom"]}"#,
            "X01 names bom twice",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["unknown-dialect"]}"#,
            "X01 has another severity in Sonde without a reason",
        ),
        (
            r#"{"id":"X01","rule":"R.","severity":"error","by":["missing-name"],"differs":"It is milder for once."}"#,
            "X01 has the same severity in Sonde",
        ),
    ] {
        let found = of(entry);
        assert!(found.contains(problem), "{entry}: {found}");
    }
}

#[test]
fn the_page_of_rules_is_written_from_them() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    if std::env::var_os("SONDE_WRITE_RULES").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page(),
        "docs/rules.md is out of date: SONDE_WRITE_RULES=1 cargo test -p sonde-findings writes it"
    );
}
