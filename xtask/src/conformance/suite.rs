//! The official suite: its installation and its scenarios.

use std::process::Command;

use anyhow::{Result, bail};

use crate::{
    node_program::{NodeProgram, Pinned},
    step,
};

const PINNED: Pinned = Pinned {
    folder: "conformance",
    script: "@modelcontextprotocol/conformance/dist/index.js",
    title: "The conformance suite",
    node: (22, 0),
};

/// Mark in the suite's list for a scenario without a protocol version.
const EXTENSION: &str = "extension";

/// The installed suite.
pub(super) struct Suite(pub(super) NodeProgram);

/// One scenario at one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) scenario: String,
    /// The protocol version to request; `None` lets the suite choose, as it must for extensions.
    pub(super) revision: Option<String>,
}

impl Case {
    /// Returns the text for the revision's column.
    pub(super) fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or(EXTENSION)
    }

    /// Returns true if the scenario is about signing in.
    pub(super) fn signs_in(&self) -> bool {
        self.scenario.starts_with("auth/")
    }
}

impl Suite {
    /// Installs the pinned suite in the target folder, unless that was done already.
    pub(super) fn install() -> Result<Suite> {
        Ok(Suite(NodeProgram::install(&PINNED)?))
    }

    /// Creates the suite's command line.
    pub(super) fn command(&self) -> Command {
        self.0.command()
    }

    /// Returns every scenario for clients at every protocol version that it applies to, in the suite's own order.
    pub(super) fn cases(&self) -> Result<Vec<Case>> {
        self.list_cases("--client")
    }

    /// Returns the scenarios for servers without a protocol version.
    pub(super) fn extensions_of_servers(&self) -> Result<Vec<String>> {
        let cases = self.list_cases("--server")?.into_iter();
        let extensions = cases.filter(|case| case.revision.is_none());
        Ok(extensions.map(|case| case.scenario).collect())
    }

    fn list_cases(&self, side: &str) -> Result<Vec<Case>> {
        let cases = read_list(&step::output(self.command().args(["list", side]))?);
        if cases.is_empty() {
            bail!("the suite's list of scenarios is not in the form that is known");
        }
        Ok(cases)
    }
}

/// Reads lines of the form `  - name [revision,revision]`.
fn read_list(text: &str) -> Vec<Case> {
    text.lines()
        .filter_map(|line| {
            let (name, revisions) = line.trim().strip_prefix("- ")?.split_once(" [")?;
            Some((name, revisions.strip_suffix(']')?))
        })
        .flat_map(|(name, revisions)| {
            revisions.split(',').map(|revision| Case {
                scenario: name.to_owned(),
                revision: (revision != EXTENSION).then(|| revision.to_owned()),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_yields_each_scenario_once_per_revision() {
        let cases = read_list(
            "Client scenarios (test against a client):\n  \
             - initialize [2025-06-18,2025-11-25]\n  \
             - auth/dpop [extension]\n\nnothing\n",
        );
        let seen: Vec<_> = cases
            .iter()
            .map(|case| (case.scenario.as_str(), case.revision(), case.signs_in()))
            .collect();
        assert_eq!(
            seen,
            [
                ("initialize", "2025-06-18", false),
                ("initialize", "2025-11-25", false),
                ("auth/dpop", "extension", true),
            ]
        );
        assert_eq!(cases[2].revision, None);
    }
}
