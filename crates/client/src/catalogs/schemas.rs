//! Checks the schemas of listed tools after a reading, in a separate process that can be ended.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Map, Value};
use sonde_findings::{Finding, rules};
use sonde_mcp::CatalogItem;
use sonde_validation::ValidateError;
use tokio::time::{Duration, Instant};

use super::{
    CatalogKind,
    catalog::{Listed, SchemaCheck},
};
use crate::{changes::Change, core::Core};

/// Time limit for checking the schemas of one reading. The rest is checked when its tool is chosen.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Number of schemas whose check exceeds its time or memory, after which the rest is not checked.
const MAX_STOPPED: u32 = 3;
/// Limit of findings per reading.
const MAX_FINDINGS: usize = 1_000;
/// Shortest time between two reports of findings: each report rebuilds the list.
const REPORT_PAUSE: Duration = Duration::from_secs(1);

/// The first protocol version that defines the dialect of a schema without `$schema` (2020-12).
const DEFAULT_DIALECT: &str = "2025-11-25";
/// The other dialect that it may be of before.
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

/// Results of checking a schema.
#[derive(Clone)]
enum SchemaVerdict {
    Valid,
    Invalid(String),
    /// The check needed more time or memory than it has.
    Stopped,
    /// Cannot be checked here: it exceeds a limit, or uses an unknown dialect, an unsupported pattern or a reference to
    /// another document.
    Beyond,
}

/// Returns why a schema is invalid in its dialect. Without a default dialect, a schema that names none is invalid only
/// if it is invalid in both.
async fn invalid(
    core: &Core,
    schema: &str,
    has_default: bool,
) -> Result<Option<String>, ValidateError> {
    let found = problem_in_dialect(core, schema.to_owned()).await?;
    if found.is_none() || has_default {
        return Ok(found);
    }
    let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(schema) else {
        return Ok(found);
    };
    if members.contains_key("$schema") {
        return Ok(found);
    }
    members.insert("$schema".to_owned(), DRAFT_7.into());
    let other = Value::Object(members).to_string();
    Ok(problem_in_dialect(core, other).await?.and(found))
}

/// Returns why a schema is invalid in the dialect that it names, or in 2020-12.
async fn problem_in_dialect(core: &Core, schema: String) -> Result<Option<String>, ValidateError> {
    match core.services.validator.check_schema(schema).await {
        Ok(()) => Ok(None),
        Err(ValidateError::Schema {
            problem,
            invalid: true,
        }) => Ok(Some(problem)),
        Err(error) => Err(error),
    }
}

/// Checks all schemas of the tool list, one after the other, until the list is read again or the server is
/// disconnected. An invalid schema becomes a finding of its tool; the extent of the check is stored with the reading.
pub(crate) async fn judge_schemas(core: Arc<Core>) {
    let listed = core.state(|state| {
        let catalog = state.catalogs.get(CatalogKind::Tools)?;
        Some(catalog.listed.clone())
    });
    let Some(mut listed) = listed else { return };
    let read = listed.clone();
    let (has_default, has_output) = core.state(|state| {
        let identity = state.session.identity.as_ref();
        let has_default = identity.is_none_or(|one| one.revision.as_str() >= DEFAULT_DIALECT);
        (has_default, state.has_output_schemas())
    });
    let (begun, mut told) = (Instant::now(), Instant::now());
    // Tools often have the same schema.
    let mut known: HashMap<&str, SchemaVerdict> = HashMap::new();
    let (mut found, mut count, mut stopped, mut beyond) = (Vec::new(), 0, 0, 0);
    let mut check = SchemaCheck::default();
    'items: for (index, item) in read.items.iter().enumerate() {
        let mut all = true;
        for (member, schema) in schemas(item, has_output) {
            let judged = match known.get(schema) {
                Some(judged) => judged.clone(),
                None => {
                    if !is_current(&core, &listed) {
                        return;
                    }
                    if begun.elapsed() > TIME_LIMIT {
                        let seconds = TIME_LIMIT.as_secs();
                        let why = format!("It took longer than {seconds} seconds and was stopped.");
                        check.left_out.push(why);
                        break 'items;
                    }
                    let judged = match invalid(&core, schema, has_default).await {
                        Ok(None) => SchemaVerdict::Valid,
                        Ok(Some(problem)) => SchemaVerdict::Invalid(problem),
                        Err(error @ ValidateError::Unavailable(_)) => {
                            check.left_out.push(error.to_string());
                            break 'items;
                        }
                        Err(ValidateError::Schema { .. }) => {
                            beyond += 1;
                            SchemaVerdict::Beyond
                        }
                        Err(_) => {
                            stopped += 1;
                            if stopped >= MAX_STOPPED {
                                break 'items;
                            }
                            SchemaVerdict::Stopped
                        }
                    };
                    known.entry(schema).or_insert(judged).clone()
                }
            };
            match judged {
                SchemaVerdict::Valid => {}
                SchemaVerdict::Invalid(problem) => {
                    let finding = Finding::new(&rules::INVALID_SCHEMA).with("member", member);
                    found.push((index, finding.with("problem", without_prefix(&problem))));
                    count += 1;
                }
                SchemaVerdict::Stopped | SchemaVerdict::Beyond => all = false,
            }
        }
        check.judged += usize::from(all);
        if count >= MAX_FINDINGS && index + 1 < read.items.len() {
            let why = format!("{MAX_FINDINGS} problems were found, and no more are looked for.");
            check.left_out.push(why);
            break;
        }
        if !found.is_empty() && told.elapsed() > REPORT_PAUSE {
            match add_findings(&core, &listed, std::mem::take(&mut found)).await {
                Some(now) => (listed, told) = (now, Instant::now()),
                None => return,
            }
        }
    }
    if stopped > 0 {
        let why = "A check needed more time or memory than it may have";
        check.left_out.push(format!("{why}: {stopped} times."));
    }
    if beyond > 0 {
        let why = "Schemas with a dialect, a pattern or a reference that is not read here, or beyond a limit";
        check.left_out.push(format!("{why}: {beyond}."));
    }
    if !found.is_empty() {
        match add_findings(&core, &listed, found).await {
            Some(now) => listed = now,
            None => return,
        }
    }
    core.state(|state| {
        if let Some(catalog) = state.catalogs.get_mut(CatalogKind::Tools) {
            catalog.keep_schema_check(&listed, check);
        }
    });
}

/// Removes the prefix that the rule's own text repeats.
fn without_prefix(problem: &str) -> &str {
    let said = problem.strip_prefix("The schema is not valid: ");
    said.unwrap_or(problem).trim_end_matches('.')
}

fn schemas(item: &CatalogItem, has_output: bool) -> impl Iterator<Item = (&'static str, &str)> {
    let tool = item.tool();
    let input = tool.and_then(|tool| tool.input_schema.as_ref());
    let output = tool.and_then(|tool| tool.output_schema.as_ref());
    let output = output.filter(|_| has_output);
    [("inputSchema", input), ("outputSchema", output)]
        .into_iter()
        .filter_map(|(member, schema)| Some((member, schema?.get())))
}

/// True if this is the current list of a connected server.
fn is_current(core: &Core, listed: &Arc<Listed>) -> bool {
    core.ready().is_ok()
        && core.state(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools);
            catalog.is_some_and(|catalog| Arc::ptr_eq(&catalog.listed, listed))
        })
}

/// Adds findings to the list and returns the new list; `None` if the list was read again meanwhile.
async fn add_findings(
    core: &Core,
    listed: &Arc<Listed>,
    found: Vec<(usize, Finding)>,
) -> Option<Arc<Listed>> {
    let before = listed.clone();
    // Thousands of items take a while.
    let now = tokio::task::spawn_blocking(move || Arc::new(before.with_findings(found)));
    let now = now.await.ok()?;
    core.state(|state| {
        let catalog = state.catalogs.get_mut(CatalogKind::Tools)?;
        catalog.replace_reading(listed, now.clone()).then_some(())
    })?;
    core.owner.changed(Change::Catalog(CatalogKind::Tools));
    core.owner.changed(Change::Issues);
    Some(now)
}
