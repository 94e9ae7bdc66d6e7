//! Compares a server's current definitions with the accepted ones.

use std::{collections::BTreeSet, sync::Arc};

use sonde_client::canonical::together;
use sonde_findings::{Finding, rules};
use sonde_mcp::CatalogItem;

use super::{
    baseline::{Accepted, Baseline, Definition, Texts},
    changed::{Changed, DefinitionChange, DefinitionSubject, Difference},
};
use crate::{
    Error,
    catalogs::{CatalogKind, Listed},
    changes::Change,
    clock,
    core::Core,
    limits::redact_and_cut,
    log::WireLog,
    servers::ServerId,
};

/// Characters of a text that are kept and shown.
const TEXT: usize = 8_000;
/// Limit of changes that are shown.
const TOLD: usize = 100;

/// Current definitions of a server.
pub(super) struct CurrentDefinitions {
    log: Arc<WireLog>,
    /// `None` before the first handshake.
    instructions: Option<Arc<String>>,
    /// `None` as long as no list of tools was read.
    tools: Option<Arc<Listed>>,
}

impl CurrentDefinitions {
    /// `None` for a server that is not in the list.
    pub(super) fn of(core: &Core, server: &str) -> Option<Self> {
        let connection = core.connection(server).ok()?;
        Some(connection.read(|state| {
            let session = &state.session;
            let known = session.identity.is_some();
            let tools = state.catalogs.get(CatalogKind::Tools);
            Self {
                log: Arc::clone(connection.log()),
                instructions: known.then(|| session.instructions.clone().unwrap_or_default()),
                tools: tools
                    .filter(|tools| tools.revision > 0)
                    .map(|tools| Arc::clone(&tools.listed)),
            }
        }))
    }

    /// The definition of something; `None` where the server does not have it.
    pub(super) fn definition(&self, subject: &DefinitionSubject) -> Option<Definition> {
        match subject {
            DefinitionSubject::Instructions => self
                .instructions
                .as_deref()
                .map(|text| Definition::of_text(text)),
            DefinitionSubject::Tool { key } => self.tool(key).map(Definition::of_tool),
        }
    }

    /// Returns the texts of a definition, as they may be kept and shown.
    pub(super) fn texts(&self, subject: &DefinitionSubject) -> Texts {
        let text = |text: Option<&str>| redact_and_cut(text.unwrap_or_default(), TEXT, &self.log);
        match subject {
            DefinitionSubject::Instructions => {
                Texts::of_text(text(self.instructions.as_ref().map(|text| text.as_str())))
            }
            DefinitionSubject::Tool { key } => match self.tool(key) {
                Some(tool) => {
                    let description = text(tool.description.as_deref());
                    Texts::of_tool(tool, description, |json| self.log.hide(json))
                }
                None => Texts::default(),
            },
        }
    }

    fn tool(&self, key: &str) -> Option<&CatalogItem> {
        let listed = self.tools.as_ref()?;
        listed.items.get(listed.place(key)? as usize)
    }
}

/// Compares a server's current definitions with the accepted ones, on a blocking thread, and accepts new ones.
pub(crate) async fn judge_definitions(core: &Arc<Core>, server: &str) {
    let (core, server) = (Arc::clone(core), server.to_owned());
    let judged = tokio::task::spawn_blocking(move || {
        let _ = change(&core, &server, |_, _| Ok(()));
    });
    let _ = judged.await;
}

/// Changes a baseline, given the server's current definitions, and compares them with it. Blocks.
/// # Errors
/// `NotFound`; errors of `change`.
pub(super) fn change<T>(
    core: &Arc<Core>,
    server: &ServerId,
    change: impl FnOnce(&mut Baseline, &CurrentDefinitions) -> Result<T, Error>,
) -> Result<T, Error> {
    let gone = || Error::NoServer(server.clone());
    let of = core.baselines.of(server).ok_or_else(gone)?;
    let mut held = of.hold(core, server);
    // Read under the lock, so that the last comparison uses the newest definitions.
    let said = CurrentDefinitions::of(core, server).ok_or_else(gone)?;
    let before = held.value().clone();
    let done = change(held.value(), &said)?;
    let changed = compare(held.value(), &said);
    if *held.value() != before {
        held.write();
    }
    let told = core.state(|state| {
        let before = state.changed(server);
        let other = before.changes != changed.changes || before.left_out != changed.left_out;
        if state.connections.contains_key(server) {
            state.changed.insert(server.clone(), Arc::new(changed));
        }
        other
    });
    if told {
        core.observer.changed(Change::Issues(server.clone()));
    }
    Ok(done)
}

/// Compares the current definitions with the accepted ones. New ones are accepted.
pub(super) fn compare(baseline: &mut Baseline, said: &CurrentDefinitions) -> Changed {
    let at = clock::millis();
    let mut changed = Changed::default();
    let mut digests = Vec::new();
    if said.instructions.is_some() {
        let subject = DefinitionSubject::Instructions;
        let judged = judge(baseline, said, &subject, at, &mut changed, &mut digests);
        if let Some(accepted) = judged {
            baseline.put(&subject, accepted);
        }
    }
    if let Some(listed) = &said.tools {
        let mut new = Vec::new();
        for key in &listed.keys {
            let subject = DefinitionSubject::Tool { key: key.clone() };
            let judged = judge(baseline, said, &subject, at, &mut changed, &mut digests);
            new.extend(judged.map(|accepted| (key.clone(), accepted)));
        }
        let keys: BTreeSet<&str> = listed.keys.iter().map(String::as_str).collect();
        let left_out = baseline.join(new, &keys);
        changed.left_out = left_out.len();
        for (key, why) in left_out {
            let finding = Finding::new(&rules::DEFINITION_NOT_KEPT).with("why", why);
            changed.of_tools.insert(key.clone(), finding.clone());
            let subject = DefinitionSubject::Tool { key };
            changed.found.add(finding.rule, || (subject, finding));
        }
    }
    changed.changes.digest = together(digests.iter().map(String::as_str));
    changed
}

/// Compares one definition. Returns what to accept if it was never seen before.
fn judge(
    baseline: &mut Baseline,
    said: &CurrentDefinitions,
    subject: &DefinitionSubject,
    at: u64,
    changed: &mut Changed,
    digests: &mut Vec<String>,
) -> Option<Accepted> {
    let now = said.definition(subject)?;
    if baseline.get(subject).is_none() {
        return Some(Accepted::new(now, said.texts(subject), at));
    }
    let difference = baseline.compare(subject, &now, || said.texts(subject), at)?;
    let finding = finding(subject, &difference);
    changed.changes.count += 1;
    changed.subjects.push(subject.clone());
    digests.push(now.digest.clone());
    if changed.changes.changes.len() < TOLD {
        changed.changes.changes.push(DefinitionChange {
            subject: subject.clone(),
            difference,
            digest: now.digest,
        });
    }
    if let DefinitionSubject::Tool { key } = subject {
        changed.of_tools.insert(key.clone(), finding.clone());
    }
    changed
        .found
        .add(finding.rule, || (subject.clone(), finding));
    None
}

fn finding(subject: &DefinitionSubject, difference: &Difference) -> Finding {
    #[expect(clippy::cast_precision_loss, reason = "exact for some 280,000 years")]
    let date = |at: u64| {
        let time = clock::rfc3339(at as f64);
        time.split('T').next().unwrap_or_default().to_owned()
    };
    let rule = match subject {
        DefinitionSubject::Instructions => &rules::INSTRUCTIONS_CHANGED,
        DefinitionSubject::Tool { .. } => &rules::DEFINITION_CHANGED,
    };
    let finding = Finding::new(rule)
        .with("accepted", date(difference.accepted))
        .with("seen", date(difference.seen));
    if *subject == DefinitionSubject::Instructions {
        return finding;
    }
    let names = difference.members.iter().map(|one| &one.member);
    let quoted = names.map(|name| match name.contains(' ') {
        true => name.clone(),
        false => format!("`{name}`"),
    });
    let finding = finding.with("parts", quoted.collect::<Vec<_>>().join(", "));
    match &difference.members[..] {
        [one] if !one.member.contains(' ') => finding.in_member(&one.member),
        _ => finding,
    }
}
