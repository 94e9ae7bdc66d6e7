//! Counts the issues of a server.

use serde::{Deserialize, Serialize};
use sonde_findings::{ByRule, Rule, Severity};
use ts_rs::TS;

use crate::{
    baselines::DefinitionSubject,
    catalogs::CatalogKind,
    core::State,
    servers::{MutedRule, ServerId},
};

/// Numbers of issues, by where they are shown. An issue is a finding above the level of information; findings of muted
/// rules count only in `muted`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueCounts {
    /// The server with the issues.
    pub server: ServerId,
    /// Rules that frames of the present or last connection break: a storm of messages is one issue.
    pub frames: u64,
    /// In the list of tools.
    pub tools: u64,
    /// In the lists of resources and of resource templates.
    pub resources: u64,
    /// In the list of prompts.
    pub prompts: u64,
    /// In the list of skills.
    pub skills: u64,
    /// In its instructions.
    pub instructions: u64,
    /// In results of that connection's runs.
    pub results: u64,
    /// Issues among these that break a MUST or the schema.
    pub errors: u64,
    /// Findings that are mere information.
    pub infos: u64,
    /// Findings of muted rules.
    pub muted: u64,
    /// Ids of the muted rules.
    pub muted_rules: Vec<String>,
}

impl IssueCounts {
    /// Number of all issues.
    #[must_use]
    pub fn total(&self) -> u64 {
        let lists = self.tools + self.resources + self.prompts + self.skills;
        self.frames + lists + self.instructions + self.results
    }

    /// Adds the findings of one place, at most `most` of each rule; returns the number of issues.
    fn add<C>(&mut self, found: &ByRule<C>, muted: &[MutedRule], most: u64) -> u64 {
        let mut issues = 0;
        for cases in found.rules() {
            issues += self.add_rule(cases.rule, cases.count.min(most), muted);
        }
        issues
    }

    /// Adds the findings of one rule; returns the number of issues among them.
    fn add_rule(&mut self, rule: &Rule, count: u64, muted: &[MutedRule]) -> u64 {
        if muted.iter().any(|one| one.rule == rule.id) {
            self.muted += count;
            return 0;
        }
        match rule.severity {
            Severity::Info => {
                self.infos += count;
                return 0;
            }
            Severity::Error => self.errors += count,
            Severity::Warning => {}
        }
        count
    }
}

impl State {
    /// Counts the issues of a server; `None` for a server that is not in the list.
    #[must_use]
    pub fn issue_counts(&self, server: &str) -> Option<IssueCounts> {
        let connection = self.connection(server)?;
        let entry = self.servers().get(server)?;
        let muted = &entry.muted_rules;
        let mut counts = IssueCounts {
            server: server.to_owned(),
            muted_rules: entry.muted(),
            ..IssueCounts::default()
        };
        counts.frames = connection
            .log()
            .with_found(|found| counts.add(&found.by_rule, muted, 1));
        connection.read(|state| {
            counts.results = counts.add(&state.session.found.by_rule, muted, u64::MAX);
            for catalog in state.catalogs.iter() {
                let mut issues = counts.add(&catalog.listed.found, muted, u64::MAX);
                if let Some(linted) = catalog.lint() {
                    issues += counts.add(&linted.found, muted, u64::MAX);
                }
                let place = match catalog.kind {
                    CatalogKind::Tools => &mut counts.tools,
                    CatalogKind::Resources | CatalogKind::ResourceTemplates => {
                        &mut counts.resources
                    }
                    CatalogKind::Prompts => &mut counts.prompts,
                    CatalogKind::Skills => &mut counts.skills,
                };
                *place += issues;
            }
        });
        for cases in self.changed(server).found.rules() {
            let issues = counts.add_rule(cases.rule, cases.count, muted);
            match cases.kept.first() {
                Some((DefinitionSubject::Instructions, _)) => counts.instructions += issues,
                _ => counts.tools += issues,
            }
        }
        Some(counts)
    }
}
