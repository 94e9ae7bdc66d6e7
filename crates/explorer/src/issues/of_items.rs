//! Counts the issues of single items of a list.

use std::{collections::BTreeSet, sync::Arc};

use sonde_findings::{Finding, Severity};

use crate::{
    baselines::Changed,
    catalogs::{CatalogKind, Linted, Listed},
    core::State,
};

/// Findings about the items of a server's list, from all sources.
#[derive(Debug, Default)]
pub struct IssuesOfItems {
    muted: BTreeSet<String>,
    /// Lint results for the tools.
    linted: Option<Linted>,
    /// Tools whose definitions differ from the accepted ones.
    changed: Option<Arc<Changed>>,
}

impl State {
    /// Returns the findings about the items of a server's list; none for an unknown server.
    #[must_use]
    pub fn issues_of_items(&self, server: &str, kind: CatalogKind) -> IssuesOfItems {
        let (Some(entry), Some(connection)) = (self.servers().get(server), self.connection(server))
        else {
            return IssuesOfItems::default();
        };
        let is_tools = kind == CatalogKind::Tools;
        IssuesOfItems {
            muted: entry.muted().into_iter().collect(),
            linted: connection.read(|state| state.catalogs.get(kind)?.lint().cloned()),
            changed: is_tools.then(|| self.changed(server)),
        }
    }
}

impl IssuesOfItems {
    /// Number of issues of the item with this index: findings of rules that are not muted and are more than
    /// information.
    #[must_use]
    pub fn count(&self, listed: &Listed, item: u32) -> u32 {
        let Some((key, read)) = listed.item(item) else {
            return 0;
        };
        let linted = self.linted.iter().filter_map(|linted| {
            let place = linted.listed.place(key)?;
            Some(linted.lint.findings_of(place as usize))
        });
        let changed = self.changed.as_ref().and_then(|one| one.of_tool(key));
        let found = read.findings.iter().chain(linted.flatten()).chain(changed);
        u32::try_from(found.filter(|one| self.counts(one)).count()).unwrap_or(u32::MAX)
    }

    /// True if the rule of a finding is not muted.
    #[must_use]
    pub fn is_heard(&self, finding: &Finding) -> bool {
        !self.muted.contains(finding.id())
    }

    fn counts(&self, finding: &Finding) -> bool {
        finding.severity() != Severity::Info && self.is_heard(finding)
    }
}
