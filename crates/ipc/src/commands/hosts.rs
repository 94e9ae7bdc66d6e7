//! The commands about the hosts that tools work in.

use std::sync::Arc;

use sonde_explorer::{
    Error, blocking,
    catalogs::{CatalogKind, Linted, definition},
    servers::ServerId,
};
use sonde_findings::FindingView;
use sonde_lint::{
    Cost, Judgement, Totals, Verdict,
    hosts::{find, hosts},
};
use sonde_record::text::visible;

use crate::{
    backend::Backend,
    catalog::Rows,
    error::IpcError,
    hosts::{HostFilter, HostRow, HostSummary, HostView, ListCost, TableText, shown},
};

/// Limit of rows in a response.
const ROWS: u32 = 1_000;

impl Backend {
    /// Returns the known hosts, first the hosts whose demands on tools are known.
    ///
    /// # Errors
    /// None.
    pub async fn known_hosts(&self) -> Result<Vec<HostView>, IpcError> {
        Ok(hosts().iter().map(Into::into).collect())
    }

    /// Returns the summary of the hosts in which a server's tools work, and of the cost of its lists. Judges them if
    /// that was not done.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn host_summary(&self, server: ServerId) -> Result<HostSummary, IpcError> {
        let Some(linted) = self.explorer().lint(&server).await? else {
            return Ok(HostSummary::empty());
        };
        let listed = self.explorer().connection(&server)?.read(|state| {
            let all = state.catalogs.iter();
            let read = all.filter(|catalog| catalog.revision > 0);
            let lists = read.map(|catalog| (catalog.kind, Arc::clone(&catalog.listed)));
            lists.collect::<Vec<_>>()
        });
        let summary = blocking(move || {
            let lists = listed.iter().map(|(kind, listed)| {
                let mut cost = Cost::default();
                for item in listed.items.iter() {
                    cost += match kind {
                        CatalogKind::Tools => Cost::of(&definition(item)),
                        _ => Cost::of_definition(item.raw.get()),
                    };
                }
                ListCost {
                    kind: *kind,
                    items: u32::try_from(listed.items.len()).unwrap_or(u32::MAX),
                    bytes: cost.bytes,
                    tokens: cost.tokens,
                }
            });
            let lists = lists.collect();
            HostSummary::new(&linted, lists)
        });
        Ok(summary.await?)
    }

    /// Returns rows of the tools of a server with their verdicts in hosts, by index; none for another revision than the
    /// current one.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn host_rows(
        &self,
        server: ServerId,
        revision: u32,
        filter: HostFilter,
        from: u64,
        count: u32,
    ) -> Result<Rows<HostRow>, IpcError> {
        let Some(linted) = self.explorer().lint(&server).await? else {
            return Ok(Rows::none(0));
        };
        if linted.revision != revision {
            return Ok(Rows::none(linted.revision));
        }
        let (places, tools) = self.matching(&server, &linted, &filter).await?;
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let kind = CatalogKind::Tools;
        let issues = self
            .explorer()
            .read(|state| state.issues_of_items(&server, kind));
        let rows = tools
            .iter()
            .skip(from)
            .take(count.min(ROWS) as usize)
            .filter_map(|tool| HostRow::new(&linted, *tool, &places, &issues));
        Ok(Rows {
            revision,
            total: u32::try_from(tools.len()).unwrap_or(u32::MAX),
            rows: rows.collect(),
        })
    }

    /// Returns the verdict about a tool in a host, with its reasons.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn host_cell(
        &self,
        server: ServerId,
        key: String,
        host: String,
    ) -> Result<Judgement, IpcError> {
        let explorer = self.explorer();
        let tool = explorer.connection(&server)?.tool(&key)?;
        let (_, host) = find(&host).ok_or(Error::NotFound("This host is not known."))?;
        let name = explorer.read(|state| {
            let entry = state.servers().get(&server);
            entry.map(|entry| entry.config.name.clone())
        });
        let judged =
            blocking(move || Judgement::new(host, &name.unwrap_or_default(), &definition(&tool)));
        let mut judged = judged.await?;
        judged.reasons = judged.reasons.into_iter().map(shown).collect();
        Ok(judged)
    }

    /// Returns the findings about a tool other than those of the protocol: hosts that refuse it, cost, clarity, trust,
    /// and a change since it was accepted.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn tool_lint(
        &self,
        server: ServerId,
        key: String,
    ) -> Result<Vec<FindingView>, IpcError> {
        let Some(linted) = self.explorer().lint(&server).await? else {
            return Ok(Vec::new());
        };
        let place = linted.listed.place(&key).ok_or(Error::NotFound(
            "This tool is not, or no longer, in the server's list.",
        ))?;
        let found = linted.lint.findings_of(place as usize);
        let found = found.map(FindingView::from);
        let changed = self
            .explorer()
            .read(|state| state.changed(&server).of_tool(&key).map(FindingView::from));
        Ok(changed.into_iter().chain(found).collect())
    }

    /// Returns the matching tools and their verdicts in hosts, as a table to paste elsewhere.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn host_table(
        &self,
        server: ServerId,
        filter: HostFilter,
        format: TableText,
    ) -> Result<String, IpcError> {
        let Some(linted) = self.explorer().lint(&server).await? else {
            return Ok(String::new());
        };
        let (places, tools) = self.matching(&server, &linted, &filter).await?;
        let kind = CatalogKind::Tools;
        let issues = self
            .explorer()
            .read(|state| state.issues_of_items(&server, kind));
        let totals = linted.lint.totals();
        let refuses_all: Vec<bool> = places
            .iter()
            .map(|place| totals.get(*place).is_some_and(Totals::refuses_all))
            .collect();
        let names = places.iter().filter_map(|place| hosts().get(*place));
        let head: Vec<String> = ["Tool", "Bytes", "Tokens (estimated)"]
            .into_iter()
            .map(str::to_owned)
            .chain(names.map(|host| host.name.clone()))
            .collect();
        let rows = tools.iter().filter_map(|tool| {
            let row = HostRow::new(&linted, *tool, &places, &issues)?;
            let words = row.verdicts.iter().zip(&refuses_all);
            let words = words.map(|(one, all)| match (one, all) {
                (Verdict::Fails, _) | (_, false) => verdict_name(*one).to_owned(),
                (_, true) => "fails (with all)".to_owned(),
            });
            let own = [
                visible(&row.name),
                row.bytes.to_string(),
                row.tokens.to_string(),
            ];
            Some(own.into_iter().chain(words).collect::<Vec<_>>())
        });
        Ok(match format {
            TableText::Markdown => markdown(&head, rows),
            TableText::Csv => csv(&head, rows),
        })
    }

    /// Returns the indexes of the hosts, and of the tools that match.
    async fn matching(
        &self,
        server: &ServerId,
        linted: &Linted,
        filter: &HostFilter,
    ) -> Result<(Vec<usize>, Vec<usize>), IpcError> {
        let places: Vec<usize> = filter
            .hosts
            .iter()
            .filter_map(|id| find(id).map(|one| one.0))
            .collect();
        let search = filter.search.clone();
        let searched = self
            .explorer()
            .connection(server)?
            .search_catalog(CatalogKind::Tools, search)
            .await?;
        // If the list was read again meanwhile, an event about it is on its way.
        let count = match Arc::ptr_eq(&searched.listed, &linted.listed) {
            true => searched.found.count(&searched.listed),
            false => 0,
        };
        let found = (0..count).filter_map(|place| searched.found.item(place));
        let has_problem = |tool: usize| {
            let verdicts = linted.lint.verdicts(tool).unwrap_or_default();
            let is_one = |place: &usize| {
                let totals = linted.lint.totals().get(*place);
                let verdict = verdicts.get(*place);
                verdict.is_some_and(|one| *one >= Verdict::Degraded)
                    || totals.is_some_and(Totals::refuses_all)
            };
            places.iter().any(is_one)
        };
        let tools = found
            .map(|tool| tool as usize)
            .filter(|tool| !filter.problems || has_problem(*tool))
            .collect();
        Ok((places, tools))
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Works => "works",
        Verdict::NotKnown => "not known",
        Verdict::Degraded => "degraded",
        Verdict::MayFail => "may fail",
        Verdict::Fails => "fails",
    }
}

fn markdown(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| {
                cell.replace('\\', "\\\\")
                    .replace('|', "\\|")
                    .replace('\n', " ")
            })
            .collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(head);
    text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    text.extend(rows.map(|row| line(&row)));
    text
}

fn csv(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cell = |text: &String| {
        // Keeps spreadsheets from running the text as a formula.
        let guarded = match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            true => format!("'{text}"),
            false => text.clone(),
        };
        match guarded.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", guarded.replace('"', "\"\"")),
            false => guarded,
        }
    };
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        format!("{}\r\n", cells.join(","))
    };
    let mut text = line(head);
    text.extend(rows.map(|row| line(&row)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_keep_what_names_have_in_them() {
        let head = ["Tool".to_owned(), "Codex".to_owned()];
        let rows = || vec!["=a|b,c".to_owned(), "works".to_owned()];
        assert_eq!(
            markdown(&head, std::iter::once(rows())),
            "| Tool | Codex |\n|---|---|\n| =a\\|b,c | works |\n"
        );
        assert_eq!(
            csv(&head, std::iter::once(rows())),
            "Tool,Codex\r\n\"'=a|b,c\",works\r\n"
        );
    }
}
