//! Running checks over connections of their own.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sonde_mcp::Revision;
use sonde_suite::{
    format::{Step, Suite},
    run::{
        Case, CaseReport, Caution, Event, ListedServer, RunOptions, Runner, ServerFacts,
        StopReason, secret_names, stored_secrets,
    },
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    id::ids,
    kept::{CheckData, Held, KeptResult},
    outcome::{complete_result, failed_before, finished, not_run},
    state::{OpenChecks, Running},
    types::{CheckChoice, CheckId, CheckRun, CheckTotals},
};
use crate::{
    Error, Explorer,
    changes::Change,
    clock,
    core::Core,
    lock,
    servers::{ServerEntry, ServerId, places_of},
};

/// Suites of a run with the steps that it runs.
struct Plan {
    suites: Vec<PlannedSuite>,
    caution: Caution,
}

struct PlannedSuite {
    suite: Suite,
    folder: PathBuf,
    ids: Vec<CheckId>,
    steps: HashSet<usize>,
}

impl Explorer {
    /// Runs checks of a server over connections of their own: the user's sessions are not touched. Returns when the
    /// run has begun; its results arrive as changes. Suites run on the servers that they name, others on this one; `on`
    /// replaces all of them, `revision` their version of the protocol. Without `destructive`, calls of tools that may
    /// destroy something are left out.
    ///
    /// # Errors
    /// `NotFound`; `CommandNotConfirmed`; `InvalidInput` during a run, without anything to run, and for an unknown version
    /// of the protocol.
    pub async fn run_checks(
        &self,
        server: ServerId,
        choice: CheckChoice,
        destructive: bool,
        on: Option<ServerId>,
        revision: Option<String>,
    ) -> Result<(), Error> {
        let core = &self.core;
        let cancel = core.services.closing.child_token();
        let target = on.as_ref().unwrap_or(&server);
        let (entry, in_use) = core.state(|state| state.use_config(target, &cancel))?;
        entry.check_confirmed()?;
        if let Some(revision) = &revision {
            check_revision(revision)?;
        }
        let mut options = RunOptions::new(Arc::clone(&core.services));
        options.revision = revision;
        options.cancel = cancel.clone();
        let begun = {
            let (options, on, server) = (options.clone(), on.clone(), server.clone());
            move |core: &Arc<Core>, held: &mut Held<'_>| {
                begin(core, held, &server, &choice, destructive, on, options)
            }
        };
        let plan = self.with_checks(server.clone(), begun).await?;
        let names = secret_names(plan.suites.iter().map(|planned| &planned.suite));
        options.secrets = stored_secrets(&core.services.secrets, &options.env, names).await;
        let chosen = core.listed(&entry);
        match on {
            Some(_) => options.server = Some(chosen),
            None => options.default_server = Some(chosen),
        }
        let list = Arc::downgrade(core);
        let uses = Arc::new(Mutex::new(vec![in_use]));
        let all = Arc::clone(&uses);
        options.listed = Some(Arc::new(move |name: &str| {
            let core = list.upgrade().ok_or("The app is closing.")?;
            let (listed, in_use) = core.listed_by_name(name, &cancel)?;
            lock(&all).push(in_use);
            Ok(listed)
        }));
        options.described = false;
        options.caution = plan.caution;
        let explorer = self.clone();
        let ran = async move {
            let (of, running) = (Arc::clone(&explorer.core), server.clone());
            // In a task of its own, so that a fault in it is an end like any other.
            let task = tokio::spawn(async move { run(&of, &running, plan, options).await });
            let facts = task.await.unwrap_or_else(|error| {
                tracing::error!(%error, "a run of checks broke down");
                None
            });
            lock(&uses).clear();
            let ended = explorer.with_checks(server.clone(), move |core, held| {
                end(core, held, &server, facts);
                Ok(())
            });
            // A server that was removed meanwhile keeps nothing.
            let _ = ended.await;
        };
        core.tasks.spawn(core.checks.runs.track_future(ran));
        Ok(())
    }

    /// Ends the run of a server's checks. Checks that did not run keep their results.
    ///
    /// # Errors
    /// `NotFound` without a run.
    pub async fn stop_checks(&self, server: ServerId) -> Result<(), Error> {
        self.core.state(|state| {
            let open = state.checks.of.get_mut(&server);
            let run = open.and_then(|open| Some((open.run.as_ref()?, open.view.run.as_mut()?)));
            let (run, shown) = run.ok_or(Error::NotFound("No checks are running."))?;
            run.cancel.cancel();
            shown.stopping = true;
            Ok::<_, Error>(())
        })?;
        self.core.observer.changed(Change::Checks(server));
        Ok(())
    }
}

/// Rejects an unknown protocol version.
pub(super) fn check_revision(revision: &str) -> Result<(), Error> {
    match Revision::ALL.iter().any(|one| one.as_str() == revision) {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "`{revision}` is not a protocol version that Sonde speaks."
        ))),
    }
}

impl Core {
    /// A server of the list for a run.
    fn listed(&self, entry: &ServerEntry) -> ListedServer {
        ListedServer {
            id: entry.id.clone(),
            config: entry.config.clone(),
            log_level: entry.log_level,
            services: Arc::clone(&self.services),
        }
    }

    /// A server of the list by its name, whose configuration is in use until the guard is dropped.
    fn listed_by_name(
        &self,
        name: &str,
        cancel: &CancellationToken,
    ) -> Result<(ListedServer, DropGuard), String> {
        let entries: Vec<_> = self.state(|state| state.servers.iter().cloned().collect());
        let names: Vec<_> = entries.iter().map(|one| one.config.name.as_str()).collect();
        let server = match places_of(name, &names)[..] {
            [place] => &entries[place].id,
            [] => {
                return Err(format!(
                    "The list has no server `{name}`. Run the checks on another server, or add it."
                ));
            }
            _ => return Err(format!("Several servers of the list are called `{name}`.")),
        };
        let used = self.state(|state| state.use_config(server, cancel));
        let (entry, in_use) = used.map_err(|error| error.to_string())?;
        match entry.is_confirmed() {
            true => Ok((self.listed(&entry), in_use)),
            false => Err(format!(
                "The command of `{}` was not confirmed yet. Connect to it once.",
                entry.config.name
            )),
        }
    }
}

/// Chooses the steps, and shows that they wait.
fn begin(
    core: &Arc<Core>,
    held: &mut Held<'_>,
    server: &ServerId,
    choice: &CheckChoice,
    destructive: bool,
    on: Option<ServerId>,
    options: RunOptions,
) -> Result<Plan, Error> {
    if core.state(|state| state.checks.is_running(server)) {
        return Err(Error::invalid("The checks are already running."));
    }
    let folder = core.checks_folder(server, held);
    let own = folder.own;
    let kept = held.value();
    let cancel = options.cancel.clone();
    let runner = Runner::new(options);
    let (mut suites, mut planned, mut total) = (Vec::new(), HashMap::new(), 0);
    for file in folder.files {
        let parent = file.folder();
        let Ok(suite) = file.suite else { continue };
        let ids = ids(&file.file, &suite);
        let steps = steps_to_run(&suite, &ids, choice, kept);
        if !steps.is_empty() {
            let cases: Vec<_> = runner.cases(&suite).iter().map(Case::label).collect();
            total += steps.len() * cases.len();
            planned.insert(file.file, cases);
            suites.push(PlannedSuite {
                suite,
                folder: parent,
                ids,
                steps,
            });
        }
    }
    if total == 0 {
        return Err(Error::invalid("There are no checks to run."));
    }
    let waiting = suites
        .iter()
        .flat_map(|one| one.steps.iter().map(|index| one.ids[*index].clone()))
        .map(|id| (id, KeptResult::default()))
        .collect();
    let shown = CheckRun {
        done: 0,
        total: u32::try_from(total).unwrap_or(u32::MAX),
        on,
        stopping: false,
    };
    let running = Running {
        cancel,
        began: clock::millis(),
        planned,
        current: None,
        results: waiting,
    };
    core.state(|state| {
        let open = state.checks.of.entry(server.clone()).or_default();
        open.view.run = Some(shown);
        open.run = Some(running);
    });
    let caution = match destructive {
        true => Caution::None,
        false => Core::caution(own),
    };
    Ok(Plan { suites, caution })
}

/// Returns the steps of a suite to run: the chosen ones, and earlier ones that capture what they use.
fn steps_to_run(
    suite: &Suite,
    ids: &[CheckId],
    choice: &CheckChoice,
    kept: &CheckData,
) -> HashSet<usize> {
    let is_chosen = |id: &CheckId| match choice {
        CheckChoice::All => true,
        CheckChoice::Failed => kept.result(id).is_some_and(failed_before),
        CheckChoice::Some { checks } => checks.contains(id),
    };
    let mut wanted: HashSet<usize> = (0..ids.len()).filter(|at| is_chosen(&ids[*at])).collect();
    let mut later: Vec<&Step> = Vec::new();
    for (index, step) in suite.steps.iter().enumerate().rev() {
        let mut names = step.captured_names();
        if names.any(|name| later.iter().any(|later| later.needs(name))) {
            wanted.insert(index);
        }
        if wanted.contains(&index) {
            later.push(step);
        }
    }
    wanted
}

/// Runs the suites. Returns the server by its own account.
async fn run(
    core: &Arc<Core>,
    server: &ServerId,
    plan: Plan,
    options: RunOptions,
) -> Option<ServerFacts> {
    let cancel = options.cancel.clone();
    let mut runner = Runner::new(options);
    let mut facts = None;
    for planned in &plan.suites {
        for case in runner.cases(&planned.suite) {
            if cancel.is_cancelled() {
                break;
            }
            let report = run_case(core, server, &mut runner, planned, &case).await;
            facts = facts.or(report.server);
        }
    }
    runner.close().await;
    facts
}

async fn run_case(
    core: &Arc<Core>,
    server: &ServerId,
    runner: &mut Runner,
    planned: &PlannedSuite,
    case: &Case,
) -> CaseReport {
    let change = |change: &mut dyn FnMut(&mut OpenChecks)| {
        let known = core.state(|state| {
            change(state.checks.of.get_mut(server)?);
            Some(())
        });
        if known.is_some() {
            core.observer.changes_often(Change::Checks(server.clone()));
        }
    };
    let label = case.label();
    let mut tell = |event: Event<'_>| match event {
        Event::StepStarted { index, .. } => {
            change(&mut |open| open.start(&planned.ids[index]));
        }
        Event::StepFinished(step) => {
            let id = &planned.ids[step.index];
            let mut result = finished(step, &label, clock::millis());
            result.off = planned.suite.steps[step.index].skip.is_some();
            change(&mut |open| open.add(id, result.clone()));
        }
        _ => {}
    };
    let wanted = |index: usize, _: &Step| planned.steps.contains(&index);
    let ran = runner.run(&planned.suite, &planned.folder, case, &wanted, &mut tell);
    let report = ran.await;
    let ran: HashSet<usize> = report.steps.iter().map(|step| step.index).collect();
    // Skipped steps were not meant to run.
    let is_on = |index: &&usize| planned.suite.steps[**index].skip.is_none();
    let left = planned.steps.difference(&ran).filter(is_on);
    match &report.stopped {
        None | Some(StopReason::Cancelled | StopReason::Bailed) => {}
        Some(why) => {
            let result = not_run(why, &label, clock::millis());
            for index in left {
                change(&mut |open| open.add(&planned.ids[*index], result.clone()));
            }
        }
    }
    if let Some(facts) = &report.server {
        let steps = || planned.steps.iter().map(|index| &planned.ids[*index]);
        change(&mut |open| open.add_facts(steps(), facts));
    }
    report
}

/// Keeps the results of a run that is over.
fn end(core: &Arc<Core>, held: &mut Held<'_>, server: &ServerId, facts: Option<ServerFacts>) {
    let run = core.state(|state| state.checks.of.get_mut(server)?.run.take());
    let Some(run) = run else { return };
    // Checks that did not run because the user stopped keep their results.
    let results = run.results.into_iter().filter_map(|(id, result)| {
        let planned = run.planned.get(&id.file).map_or(&[][..], Vec::as_slice);
        Some((id, complete_result(result, planned)?))
    });
    let facts = facts.unwrap_or_default();
    let totals = CheckTotals {
        server_name: facts.name,
        version: facts.version,
        revision: (!facts.revision.is_empty()).then_some(facts.revision),
        at: clock::millis(),
        ..CheckTotals::default()
    };
    held.value().add_run(run.began, results, totals);
    held.write();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_check_runs_with_the_steps_that_capture_what_it_uses() {
        let text = "
sonde: 1
steps:
  - { list: prompts, verify: [{ list: tools, capture: { tool: /tools/0/name } }] }
  - { call: '${tool}' }
  - list: resources
    verify:
      - { list: tools, capture: { tool: /tools/0/name } }
      - { call: '${tool}' }
";
        let suite = Suite::read("a.sonde.yaml", text).unwrap();
        let ids = ids("a.sonde.yaml", &suite);
        for (chosen, expected) in [(0, &[0][..]), (1, &[0, 1]), (2, &[2])] {
            let checks = vec![ids[chosen].clone()];
            let choice = CheckChoice::Some { checks };
            let steps = steps_to_run(&suite, &ids, &choice, &CheckData::default());
            assert_eq!(steps, expected.iter().copied().collect(), "{chosen}");
        }
    }
}
