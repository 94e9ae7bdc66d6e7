//! The steps of connecting.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{clock, config::Transport};

/// States of a step of connecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// Not reached.
    Waiting,
    /// Under way.
    Running,
    /// Done.
    Done,
    /// Failed; the connect ended here.
    Failed,
}

/// One step of connecting as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectStep {
    /// A plain name, for example "Start the process".
    pub name: String,
    /// State of the step.
    pub state: StepState,
    /// Duration in milliseconds, once done.
    pub millis: Option<u64>,
}

/// The steps of connecting, in order. Each transport has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Starting the user's process.
    Start,
    /// Starting the demo server, which then listens.
    StartDemo,
    /// Name lookup, TCP and TLS, up to the head of an HTTP answer.
    Reach,
    /// Asking the server which way of the protocol it speaks.
    Detect,
    /// The first message of a child process.
    FirstAnswer,
    /// The first MCP message over HTTP.
    McpAnswer,
    /// The handshake.
    Agree,
    /// The tool list.
    Tools,
}

impl Step {
    /// Returns the steps of a transport. With `detect`, the server is first asked which protocol it speaks.
    pub(super) fn of(transport: &Transport, detect: bool) -> Vec<Step> {
        let (begin, answer): (&[Step], _) = match transport {
            Transport::Stdio { .. } | Transport::Demo { http: false } => {
                (&[Step::Start], Step::FirstAnswer)
            }
            Transport::Http { .. } => (&[Step::Reach], Step::McpAnswer),
            Transport::Demo { http: true } => (&[Step::StartDemo, Step::Reach], Step::McpAnswer),
        };
        begin
            .iter()
            .copied()
            .chain(detect.then_some(Step::Detect))
            .chain([answer, Step::Agree, Step::Tools])
            .collect()
    }

    fn name(self) -> &'static str {
        match self {
            Step::Start => "Start the process",
            Step::StartDemo => "Start the demo server",
            Step::Reach => "Connect to the server",
            Step::Detect => "Detect the protocol",
            Step::FirstAnswer => "Wait for the first response",
            Step::McpAnswer => "Get an MCP response",
            Step::Agree => "Negotiate the protocol version",
            Step::Tools => "List the tools",
        }
    }
}

/// Progress of a connect through its steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    rows: Vec<(Step, ConnectStep)>,
    began: u64,
}

impl Steps {
    /// `may_download`: the process may download the server before that responds.
    pub(super) fn new(steps: &[Step], may_download: bool) -> Self {
        let mut rows: Vec<_> = steps
            .iter()
            .map(|step| {
                let mut name = step.name().to_owned();
                if may_download && *step == Step::FirstAnswer {
                    name.push_str(" (a first start downloads the server)");
                }
                let row = ConnectStep {
                    name,
                    state: StepState::Waiting,
                    millis: None,
                };
                (*step, row)
            })
            .collect();
        if let Some((_, first)) = rows.first_mut() {
            first.state = StepState::Running;
        }
        Self {
            rows,
            began: clock::micros(),
        }
    }

    pub(super) fn list(&self) -> Vec<ConnectStep> {
        self.rows.iter().map(|(_, row)| row.clone()).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Step, &ConnectStep)> {
        self.rows.iter().map(|(step, row)| (*step, row))
    }

    /// True if the connect has this step.
    pub(super) fn has(&self, step: Step) -> bool {
        self.rows.iter().any(|(one, _)| *one == step)
    }

    /// Everything before `step` is done. Going back is not possible: a late sign of an earlier step
    /// changes nothing.
    pub(super) fn reach(&mut self, step: Step) {
        let waits = self
            .rows
            .iter()
            .any(|(one, row)| *one == step && row.state == StepState::Waiting);
        if waits {
            self.settle(|one| one < step);
            if let Some((_, row)) = self.rows.iter_mut().find(|(one, _)| *one == step) {
                row.state = StepState::Running;
            }
        }
    }

    /// Notes that there was no response while the protocol was being detected. A check mark alone would claim more.
    pub(super) fn mark_undetected(&mut self) {
        for (step, row) in &mut self.rows {
            if *step == Step::Detect {
                row.name.push_str(": no response, trying the handshake");
            }
        }
    }

    pub(super) fn complete(&mut self) {
        self.settle(|_| true);
    }

    pub(super) fn fail(&mut self) {
        self.stop(StepState::Failed);
    }

    pub(super) fn give_up(&mut self) {
        self.stop(StepState::Waiting);
    }

    fn settle(&mut self, which: impl Fn(Step) -> bool) {
        let now = clock::micros();
        for (step, row) in &mut self.rows {
            if !which(*step) || !matches!(row.state, StepState::Running | StepState::Waiting) {
                continue;
            }
            // A step that was passed over took no time of its own.
            let took = if row.state == StepState::Running {
                now.saturating_sub(self.began)
            } else {
                0
            };
            row.millis = Some(took.div_ceil(1_000));
            row.state = StepState::Done;
        }
        self.began = now;
    }

    fn stop(&mut self, state: StepState) {
        let took = clock::micros().saturating_sub(self.began).div_ceil(1_000);
        for (_, row) in &mut self.rows {
            if row.state == StepState::Running {
                row.state = state;
                row.millis = (state == StepState::Failed).then_some(took);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn shown(steps: &Steps) -> Vec<(StepState, Option<u64>)> {
        steps
            .list()
            .iter()
            .map(|row| (row.state, row.millis))
            .collect()
    }

    #[tokio::test(start_paused = true)]
    async fn steps_go_forward_with_their_times() {
        use StepState::{Done, Failed, Running, Waiting};
        let mut steps = Steps::new(&Step::of(&Transport::Demo { http: false }, false), false);
        tokio::time::advance(Duration::from_millis(5)).await;
        steps.reach(Step::FirstAnswer);
        tokio::time::advance(Duration::from_millis(7)).await;
        assert_eq!(
            shown(&steps),
            [
                (Done, Some(5)),
                (Running, None),
                (Waiting, None),
                (Waiting, None)
            ]
        );
        let mut failed = steps.clone();
        failed.fail();
        assert_eq!(shown(&failed)[1], (Failed, Some(7)));
        steps.reach(Step::Tools);
        steps.reach(Step::Agree);
        assert_eq!(
            shown(&steps),
            [
                (Done, Some(5)),
                (Done, Some(7)),
                (Done, Some(0)),
                (Running, None)
            ]
        );
        steps.complete();
        steps.fail();
        assert!(shown(&steps).iter().all(|(state, _)| *state == Done));
    }
}
