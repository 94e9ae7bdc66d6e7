//! Results of single tests in JUnit, the format that all test runners write; and selection of tests by them.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// Limit of the characters of a failed test's output in the report, counted from its end.
const OUTPUT: usize = 4_000;

/// Result of a test that ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestResult {
    /// The program, file or group of the test: `sonde-tests::http`, `src/lib/text.test.ts`.
    pub(crate) suite: String,
    /// Name of the test in the suite.
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// Output of a test that failed.
    pub(crate) failure: Option<String>,
}

/// Tests of a suite to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which<'a> {
    All,
    /// Tests whose name contains this.
    Named(&'a str),
    /// Exactly these.
    These(&'a [&'a TestResult]),
}

impl TestResult {
    /// Returns suite and name, as reports print them.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.suite, self.name)
    }
}

/// Reads a JUnit file. Tests that did not run are left out.
pub(crate) fn read(file: &Path) -> Result<Vec<TestResult>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("no test results in {}", file.display()))?;
    parse(&text).with_context(|| format!("the test results in {}", file.display()))
}

fn parse(text: &str) -> Result<Vec<TestResult>> {
    let document = roxmltree::Document::parse(text)?;
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let mut results = Vec::new();
    for case in cases {
        let child = |names: &[&str]| {
            case.children()
                .find(|child| names.contains(&child.tag_name().name()))
        };
        if child(&["skipped"]).is_some() {
            continue;
        }
        // When Vitest stops after some failures, it lists tests that did not run without a time.
        if case.attribute("time") == Some("0") && child(&["failure", "error"]).is_none() {
            continue;
        }
        let attribute = |name: &str| case.attribute(name).unwrap_or_default().to_owned();
        let failure = child(&["failure", "error"]).map(|failure| {
            let said = failure
                .text()
                .or(failure.attribute("message"))
                .or(failure.attribute("type"));
            // The message has the cause; the stack is printed when the test runs alone.
            let said = said.unwrap_or_default();
            let said = said.split("\nstack backtrace:").next().unwrap_or_default();
            let printed = child(&["system-out"]).and_then(|output| output.text());
            let printed = end_of(printed.unwrap_or_default(), OUTPUT).trim();
            format!("{}\n{printed}", said.trim()).trim_end().to_owned()
        });
        results.push(TestResult {
            suite: attribute("classname"),
            name: attribute("name"),
            seconds: attribute("time").parse().unwrap_or(0.0),
            failure,
        });
    }
    Ok(results)
}

/// Returns at most the last `most` characters.
fn end_of(text: &str, most: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(most);
    text.char_indices()
        .nth(skipped)
        .map_or("", |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_yields_each_test_with_its_output_if_it_failed() {
        let text = r#"<?xml version="1.0"?><testsuites><testsuite name="a">
            <testcase classname="a::b" name="holds" time="0.5"/>
            <testcase classname="a::b" name="breaks" time="1.25">
              <failure message="no frame" type="panic">at wire.rs:1
stack backtrace:
   0: begin</failure>
              <system-out>begin &lt;here&gt;</system-out>
            </testcase>
            <testcase classname="a::b" name="hangs"><failure type="test timeout"/></testcase>
            <testcase classname="a::b" name="waits"><skipped/></testcase>
            <testcase classname="a::b" name="stopped" time="0"/>
          </testsuite></testsuites>"#;
        let results = parse(text).expect("readable");
        assert_eq!(results.len(), 3);
        assert_eq!(results[2].failure.as_deref(), Some("test timeout"));
        assert_eq!(results[0].failure, None);
        assert_eq!(results[1].title(), "a::b breaks");
        assert_eq!(results[1].seconds, 1.25);
        assert_eq!(
            results[1].failure.as_deref(),
            Some("at wire.rs:1\nbegin <here>")
        );
        assert!(parse("<testsuites>").is_err());
    }

    #[test]
    fn the_end_of_a_long_output_is_kept() {
        assert_eq!(end_of("häuser", 3), "ser");
        assert_eq!(end_of("ab", 3), "ab");
    }
}
