//! The list of a server's tasks, page by page (2025-11-25, tasks, Listing Tasks).
//!
//! It is not a catalog: its entries are states that change by notifications, and readings are not compared.

use std::collections::HashSet;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::Cause;

use super::{context::Context, purpose::Purpose, response::Response};
use crate::{
    Era, Event, Task, TaskListEvent, TaskListing,
    limits::{LISTED_TASKS, LISTED_TASKS_BYTES, TASK_PAGES},
    members::{elements, members, string},
    protocol::{page_params, tasks},
};

const METHOD: &str = "tasks/list";

/// The list of the server's tasks.
#[derive(Debug, Default)]
pub(super) struct TaskList {
    reading: Option<Reading>,
    /// The ids of the last reading.
    known: HashSet<String>,
}

/// A reading under way.
#[derive(Debug, Default)]
struct Reading {
    tasks: Vec<Task>,
    unreadable: usize,
    bytes: usize,
    pages: usize,
    cursors: HashSet<String>,
}

impl TaskList {
    /// Returns true if the server has listed a task of this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.known.contains(id)
    }

    /// Starts a reading from the first page, unless one is under way.
    pub(super) fn read(&mut self, ctx: &mut Context) {
        if !ctx.is_ready() || ctx.protocol.is_stateless() || self.reading.is_some() {
            return;
        }
        self.reading = Some(Reading::default());
        ctx.report(Event::TaskList(TaskListEvent::Loading));
        ask(ctx, None);
    }

    /// Handles a page, or its loss.
    pub(super) fn page(
        &mut self,
        ctx: &mut Context,
        response: &Response<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let Some(reading) = &mut self.reading else {
            return;
        };
        let Response::Result(result) = response else {
            return self.failed(ctx, &response.problem());
        };
        let read = members(result.get(), &["tasks", "nextCursor"]).ok();
        let [list, cursor] = read.map_or([None; 2], |read| read.values);
        let room = LISTED_TASKS.saturating_sub(reading.tasks.len() + reading.unreadable);
        let Some(list) = list.and_then(|list| elements(list.get(), room).ok()) else {
            let problem = format!("the result of `{METHOD}` has no `tasks` array");
            findings.push(Finding::new(&rules::BAD_RESULT).with("problem", &problem));
            return self.failed(ctx, &problem);
        };
        reading.pages += 1;
        let mut partial = (list.count > list.first.len())
            .then(|| format!("only the first {LISTED_TASKS} tasks are read"));
        for raw in list.first {
            reading.bytes += raw.get().len();
            if reading.bytes > LISTED_TASKS_BYTES {
                let kib = LISTED_TASKS_BYTES / 1024;
                partial = Some(format!("only the first {kib} KiB of the list are read"));
                break;
            }
            match tasks::read(raw, Era::Handshake, findings) {
                Ok(found) => reading.tasks.push(found.task),
                Err(problem) => {
                    reading.unreadable += 1;
                    findings.push(Finding::new(&rules::BAD_RESULT).with("problem", problem));
                }
            }
        }
        let is_next = |cursor: &&RawValue| {
            let text = string(cursor);
            cursor.get() != "null" && text.is_none_or(|text| Era::Handshake.continues(&text))
        };
        let next = cursor.filter(is_next);
        if partial.is_none()
            && let Some(next) = next
        {
            if !reading.cursors.insert(next.get().to_owned()) {
                partial = Some("the server repeats a cursor".to_owned());
            } else if reading.pages == TASK_PAGES {
                partial = Some(format!("only the first {TASK_PAGES} pages are read"));
            } else if ctx.is_ready() {
                return ask(ctx, Some(next.get()));
            } else {
                partial = Some("the session is closing".to_owned());
            }
        }
        self.settle(ctx, partial);
    }

    /// Ends the reading without its next page; `problem` is the reason, without the full stop. The earlier
    /// pages are shown.
    pub(super) fn failed(&mut self, ctx: &mut Context, problem: &str) {
        let Some(reading) = &self.reading else {
            return;
        };
        if reading.pages > 0 {
            return self.settle(ctx, Some(problem.to_owned()));
        }
        self.reading = None;
        let sentence = format!("The list of tasks could not be read: {problem}.");
        ctx.report(Event::TaskList(TaskListEvent::Failed(sentence)));
    }

    fn settle(&mut self, ctx: &mut Context, partial: Option<String>) {
        let Some(reading) = self.reading.take() else {
            return;
        };
        self.known = reading.tasks.iter().map(|task| task.id.clone()).collect();
        ctx.report(Event::TaskList(TaskListEvent::Listed(TaskListing {
            tasks: reading.tasks,
            unreadable: reading.unreadable,
            partial,
        })));
    }
}

/// Asks for a page; `cursor` is JSON text.
fn ask(ctx: &mut Context, cursor: Option<&str>) {
    let params = page_params(cursor);
    ctx.ask(Purpose::ListTasks, METHOD, params.as_deref(), Cause::User);
}
