//! Resumes tasks that outlive their connection.

use std::sync::Arc;

use sonde_mcp::{EarlierTask, Era, OperationId, SessionHandle, TaskStatus};
use sonde_wire::Cause;

use super::{
    history::OperationRecord,
    operation::{OperationNumber, OperationState},
    outcome::{LostCode, OperationOutcome},
};
use crate::{Connection, Error, State, changes::Change, core::Core};

/// Limit of tasks that one connection resumes, newest first.
const RESUMED: usize = 50;

impl OperationRecord {
    /// True if its task may still run on the server although the connection is over, so that the next connect can
    /// resume it.
    #[must_use]
    pub fn is_resumable(&self) -> bool {
        self.task.is_some()
            && matches!(
                self.outcome,
                Some(OperationOutcome::Lost {
                    code: LostCode::ConnectionLost
                        | LostCode::AppClosed
                        | LostCode::ExchangeFailed
                        | LostCode::NoResponse
                        | LostCode::HttpStatus
                        | LostCode::SessionExpired
                        | LostCode::StreamLost,
                    ..
                })
            )
    }

    /// It is over, and its task may have a result that was not waited for.
    fn is_left(&self) -> bool {
        let Some(task) = &self.task else {
            return false;
        };
        let given_up = match self.outcome {
            Some(OperationOutcome::StoppedWaiting | OperationOutcome::TimedOut { .. }) => true,
            // The server did not confirm the cancellation.
            Some(OperationOutcome::Cancelled) => task.status != TaskStatus::Cancelled,
            _ => false,
        };
        given_up || self.is_resumable()
    }

    /// Returns true if its task was created in this way of the protocol, or if the task's way is unknown.
    fn is_of(&self, era: Option<Era>) -> bool {
        let of = self.task.as_ref().and_then(|task| task.era);
        of.is_none() || of == era
    }

    /// Prepares the run to wait for its task again in this connect.
    fn resume(&mut self, generation: u32) -> Option<EarlierTask> {
        let task = self.task.as_mut()?;
        task.resumed += 1;
        task.cancel_failed = None;
        let task = EarlierTask {
            id: task.id.clone(),
            method: self.method.clone(),
        };
        self.generation = generation;
        self.state = OperationState::Running;
        self.outcome = None;
        self.lost = None;
        self.micros = None;
        self.response_seq = None;
        self.answered_after_cancel = false;
        // From now on the log has entries of it.
        self.earlier = self.earlier.filter(|earlier| earlier.arguments_redacted);
        Some(task)
    }
}

impl Connection {
    /// Waits again for the task of a run that is over without a result. Nothing happens where there is none.
    ///
    /// # Errors
    /// `NotFound`, `NotConnected`; `InvalidInput` where the task is of the other way of the protocol.
    pub async fn resume_task(&self, operation: OperationNumber) -> Result<(), Error> {
        let core = &self.core;
        let is_left = |state: &mut State| state.operation(operation).map(OperationRecord::is_left);
        if !core.state(is_left)? {
            return Ok(());
        }
        let (handle, generation) = core.ready()?;
        let task = core.state(|state| {
            let era = state.details().and_then(|details| details.facts.era);
            let record = state.operations.get_mut(operation);
            let record = record.ok_or(Error::NoOperation(operation))?;
            if !record.is_of(era) {
                return Err(Error::invalid(
                    "The task was begun in the other protocol mode. Connect in that one to get its \
                     result.",
                ));
            }
            Ok(match record.is_left() {
                true => record.resume(generation),
                false => None,
            })
        })?;
        if let Some(task) = task {
            ask(core, &handle, operation, task, Cause::User).await;
        }
        Ok(())
    }
}

/// Operations work: asks for the tasks that ran when an earlier connection to this server ended, or the app.
pub(crate) fn resume_tasks(core: &Arc<Core>) {
    let core = Arc::clone(core);
    // In a task of its own: the event loop must not wait for the session.
    Arc::clone(&core).tasks.spawn(async move {
        // The owner reports files that cannot be read.
        core.owner.load_runs().await;
        let Ok((handle, generation)) = core.ready() else {
            return;
        };
        let resumed: Option<Vec<(OperationNumber, EarlierTask)>> = core.state(|state| {
            let era = state.details()?.facts.era;
            let records = state.operations.iter_mut();
            let mut waiting: Vec<_> = records
                .filter(|record| record.is_resumable() && record.is_of(era))
                .collect();
            let old = waiting.len().saturating_sub(RESUMED);
            let newest = waiting.drain(old..);
            let resumed =
                newest.filter_map(|record| Some((record.number, record.resume(generation)?)));
            Some(resumed.collect())
        });
        let resumed = resumed.unwrap_or_default();
        if !resumed.is_empty() {
            let sentence = announcement(resumed.len());
            core.log.note(sentence.as_str());
            core.with_connection(|connection| {
                connection.decided("task-resumed", &sentence);
            });
        }
        for (operation, task) in resumed {
            ask(&core, &handle, operation, task, Cause::ResumedTask).await;
        }
    });
}

async fn ask(
    core: &Core,
    handle: &SessionHandle,
    operation: OperationNumber,
    task: EarlierTask,
    cause: Cause,
) {
    core.owner.changed(Change::Operation(operation));
    let asked = handle
        .resume_task(OperationId(operation), task, cause)
        .await;
    if asked.is_err() {
        core.with_operation(operation, |record| {
            record.state = OperationState::Finished;
            record.outcome = Some(OperationOutcome::Lost {
                reason: "The connection ended before the server was asked for the task.".to_owned(),
                code: LostCode::ConnectionLost,
            });
        });
    }
}

fn announcement(count: usize) -> String {
    if count == 1 {
        return "A task was running when an earlier connection ended: asking the server for it."
            .to_owned();
    }
    format!(
        "{count} tasks were running when earlier connections ended: asking the server for them."
    )
}

#[cfg(test)]
mod tests {
    use super::{super::task::TaskRun, *};

    #[test]
    fn a_task_stays_in_reach_until_its_cancellation_is_confirmed() {
        for (status, is_left) in [
            (TaskStatus::Working, true),
            (TaskStatus::Completed, true),
            (TaskStatus::Cancelled, false),
        ] {
            let mut record = OperationRecord::finished_with(1, 0);
            record.outcome = Some(OperationOutcome::Cancelled);
            let mut task = TaskRun::new("t1".to_owned(), None, 7);
            task.status = status;
            record.task = Some(task);
            assert_eq!(record.is_left(), is_left, "{status:?}");
        }
    }
}
