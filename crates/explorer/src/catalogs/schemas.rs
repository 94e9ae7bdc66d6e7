//! Whether the schemas of listed tools are valid: found out after the list is there, in the process that can be ended.

use std::{collections::HashMap, sync::Arc};

use sonde_findings::{Finding, rules};
use sonde_mcp::CatalogItem;
use sonde_validation::ValidateError;
use tokio::time::{Duration, Instant};

use super::{catalog::Listed, kind::CatalogKind};
use crate::{changes::Change, core::Core, servers::ServerId};

/// How long the schemas of one reading are looked at. What is left then is judged when its tool is chosen.
const TIME: Duration = Duration::from_secs(20);
/// Schemas of one reading whose check may need more time or memory than a check has.
const STOPPED: u32 = 3;
/// Findings that one reading can get.
const FINDINGS: usize = 1_000;
/// What was found is told at most so often: each time the list is made anew.
const PAUSE: Duration = Duration::from_secs(1);

/// Looks at all schemas of a list of tools, one after the other, until the list is read again or the server is
/// disconnected. What is wrong with one becomes a finding of its tool.
pub(crate) async fn judge_schemas(core: Arc<Core>, server: ServerId) {
    let listed = core.state(|state| {
        let catalog = state.catalogs.get(&server, CatalogKind::Tools)?;
        Some(catalog.listed.clone())
    });
    let Some(mut listed) = listed else { return };
    let read = listed.clone();
    let (begun, mut told) = (Instant::now(), Instant::now());
    // Tools often have the same schema.
    let mut known: HashMap<&str, Option<String>> = HashMap::new();
    let (mut found, mut count, mut stopped) = (Vec::new(), 0, 0);
    'items: for (index, item) in read.items.iter().enumerate() {
        for (member, schema) in schemas(item) {
            let problem = match known.get(schema) {
                Some(problem) => problem.clone(),
                None => {
                    if begun.elapsed() > TIME || !is_current(&core, &server, &listed) {
                        break 'items;
                    }
                    match core.validator.invalid_schema(schema.to_owned()).await {
                        Ok(problem) => known.entry(schema).or_insert(problem).clone(),
                        Err(ValidateError::Unavailable(_)) => break 'items,
                        Err(_) => {
                            stopped += 1;
                            if stopped >= STOPPED {
                                break 'items;
                            }
                            None
                        }
                    }
                }
            };
            if let Some(problem) = problem {
                let finding = Finding::new(&rules::INVALID_SCHEMA).with("member", member);
                found.push((index, finding.with("problem", bare(&problem))));
                count += 1;
            }
        }
        if count >= FINDINGS {
            break;
        }
        if !found.is_empty() && told.elapsed() > PAUSE {
            match tell(&core, &server, &listed, std::mem::take(&mut found)).await {
                Some(now) => (listed, told) = (now, Instant::now()),
                None => return,
            }
        }
    }
    if !found.is_empty() {
        tell(&core, &server, &listed, found).await;
    }
}

/// The sentence about a schema without what the rule says already.
fn bare(problem: &str) -> &str {
    let said = problem.strip_prefix("The schema is not valid: ");
    said.unwrap_or(problem).trim_end_matches('.')
}

fn schemas(item: &CatalogItem) -> impl Iterator<Item = (&'static str, &str)> {
    let tool = item.tool();
    let input = tool.and_then(|tool| tool.input_schema.as_ref());
    let output = tool.and_then(|tool| tool.output_schema.as_ref());
    [("inputSchema", input), ("outputSchema", output)]
        .into_iter()
        .filter_map(|(member, schema)| Some((member, schema?.get())))
}

/// Whether this is the list of a server that is connected.
fn is_current(core: &Core, server: &ServerId, listed: &Arc<Listed>) -> bool {
    core.ready(server).is_ok()
        && core.state(|state| {
            let catalog = state.catalogs.get(server, CatalogKind::Tools);
            catalog.is_some_and(|catalog| Arc::ptr_eq(&catalog.listed, listed))
        })
}

/// Shows what was found; answers with the list as it is now, `None` where another one was read meanwhile.
async fn tell(
    core: &Core,
    server: &ServerId,
    listed: &Arc<Listed>,
    found: Vec<(usize, Finding)>,
) -> Option<Arc<Listed>> {
    let before = listed.clone();
    // Thousands of items take a while.
    let now = tokio::task::spawn_blocking(move || Arc::new(before.with_findings(found)));
    let now = now.await.ok()?;
    core.state(|state| {
        let catalog = state.catalogs.get_mut(server, CatalogKind::Tools)?;
        catalog.judged(listed, now.clone()).then_some(())
    })?;
    let change = Change::Catalog(server.clone(), CatalogKind::Tools);
    core.observer.changed(change);
    core.observer.changed(Change::Issues(server.clone()));
    Some(now)
}
