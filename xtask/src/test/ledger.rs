//! `tests/flaky.toml`: tests known to fail by chance, each for a few days.

use std::fs;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Deserializer, de::Error as _};
use time::{Date, Duration, Month};

use crate::project;

/// Path of the ledger.
pub(crate) const FILE: &str = "tests/flaky.toml";

/// Limit of the entries: more would mean that the proof as a whole is not trustworthy.
const MOST_ENTRIES: usize = 5;

/// Days from the first failure until the cause must be fixed.
const MOST_DAYS: i64 = 7;

/// Kinds of causes, as docs/proof.md explains them.
const KINDS: &[&str] = &[
    "press", "state", "passing", "focus", "limit", "process", "order", "lag", "load",
];

/// Tests that may fail without turning the proof red. They still run.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ledger {
    #[serde(default, rename = "test")]
    tests: Vec<Entry>,
}

/// A test that may fail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Suite and name, as the report prints them.
    name: String,
    /// One of [`KINDS`].
    kind: String,
    #[serde(deserialize_with = "date")]
    seen: Date,
    #[serde(deserialize_with = "date")]
    until: Date,
    /// Number of failures so far, as information for the fix.
    #[expect(dead_code, reason = "for readers of the file")]
    times: u32,
    /// The cause, as far as known.
    #[expect(dead_code, reason = "for readers of the file")]
    why: String,
}

impl Ledger {
    /// Reads the ledger; a missing one is empty.
    pub(crate) fn read() -> Result<Self> {
        let path = project::root().join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        let ledger: Self = toml::from_str(text).context(FILE)?;
        if ledger.tests.len() > MOST_ENTRIES {
            bail!(
                "{FILE} has {} entries; at most {MOST_ENTRIES} are allowed",
                ledger.tests.len()
            );
        }
        for entry in &ledger.tests {
            if !KINDS.contains(&entry.kind.as_str()) {
                bail!(
                    "{FILE}: the kind of “{}” is one of {}",
                    entry.name,
                    KINDS.join(", ")
                );
            }
            if entry.until - entry.seen > Duration::days(MOST_DAYS) {
                bail!(
                    "{FILE}: “{}” may stay for {MOST_DAYS} days at most",
                    entry.name
                );
            }
        }
        Ok(ledger)
    }

    /// True if a test with this title may fail.
    pub(crate) fn has(&self, title: &str) -> bool {
        self.tests.iter().any(|entry| entry.name == title)
    }

    /// Returns the names of tests whose time is over.
    pub(crate) fn overdue(&self, today: Date) -> Vec<&str> {
        let overdue = self.tests.iter().filter(|entry| entry.until < today);
        overdue.map(|entry| entry.name.as_str()).collect()
    }
}

/// Formats the lines to add for a test that was flaky today.
pub(crate) fn entry(title: &str, today: Date) -> String {
    let until = today + Duration::days(MOST_DAYS);
    let name = toml::Value::String(title.to_owned());
    format!(
        "[[test]]\nname = {name}\nkind = \"\" # {}\nseen = {today}\nuntil = {until}\ntimes = 1\nwhy = \"\"\n",
        KINDS.join(", ")
    )
}

/// Returns today's date (UTC).
pub(crate) fn today() -> Date {
    time::OffsetDateTime::now_utc().date()
}

fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
    let date = toml::value::Date::deserialize(from)?;
    let month = Month::try_from(date.month).map_err(D::Error::custom)?;
    Date::from_calendar_date(date.year.into(), month, date.day).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn text(kind: &str, until: &str) -> String {
        format!(
            "[[test]]\nname = \"a b\"\nkind = \"{kind}\"\nseen = 2026-03-01\nuntil = {until}\ntimes = 2\nwhy = \"\"\n"
        )
    }

    #[test]
    fn an_entry_excuses_its_test_until_its_last_day() {
        let ledger = Ledger::parse(&text("press", "2026-03-08")).expect("valid");
        assert!(ledger.has("a b") && !ledger.has("a"));
        assert!(ledger.overdue(date!(2026 - 03 - 08)).is_empty());
        assert_eq!(ledger.overdue(date!(2026 - 03 - 09)), ["a b"]);
    }

    #[test]
    fn entries_are_few_short_and_of_a_kind() {
        assert!(Ledger::parse(&text("press", "2026-03-09")).is_err());
        assert!(Ledger::parse(&text("unknown", "2026-03-02")).is_err());
        let five = text("load", "2026-03-02").repeat(5);
        assert!(Ledger::parse(&five).is_ok());
        assert!(Ledger::parse(&format!("{five}{}", text("load", "2026-03-02"))).is_err());
    }

    #[test]
    fn every_kind_is_explained() {
        let page = fs::read_to_string(project::root().join("docs/proof.md")).expect("readable");
        let (_, table) = page.split_once("| kind | cause | mend |").expect("a table");
        let rows = table
            .lines()
            .skip(2)
            .map_while(|row| row.strip_prefix("| `"));
        let kinds: Vec<_> = rows
            .filter_map(|row| Some(row.split_once('`')?.0))
            .collect();
        assert_eq!(kinds, KINDS);
    }

    #[test]
    fn the_printed_entry_is_valid_once_its_kind_is_filled_in() {
        let printed = entry("a \"b\"", date!(2026 - 03 - 01));
        assert!(Ledger::parse(&printed).is_err());
        let filled = printed.replace("kind = \"\"", "kind = \"order\"");
        assert!(Ledger::parse(&filled).expect("valid").has("a \"b\""));
    }

    #[test]
    fn the_project_keeps_a_valid_ledger() {
        Ledger::read().expect("valid");
    }
}
