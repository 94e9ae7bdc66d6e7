//! The file of one run.

use std::{collections::HashSet, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_findings::FindingView;
use sonde_mcp::{OperationRequest, Outcome, members};
use sonde_validation::ArgumentProblem;
use sonde_wire::{Seq, TextPart};

use crate::{
    files::{self, HISTORY, Unparsed},
    log::Redaction,
    operations::{
        APP_CLOSED, EarlierRun, LostCode, NewOperation, OperationInput, OperationLabel,
        OperationNumber, OperationOutcome, OperationRecord, OperationState, ServerRequestHistory,
        StructuredContent, TaskRun, explain, explain_gone,
    },
};

/// A run with longer arguments is not stored, in bytes.
const ARGUMENTS: usize = 1024 * 1024;
/// A run with a longer result or error is stored without it, in bytes.
const ANSWER: usize = 4 * 1024 * 1024;

/// A run in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunFile {
    method: String,
    target: Option<String>,
    key: Option<String>,
    title: Option<String>,
    /// Exactly as sent, but for secrets.
    arguments: Option<Arc<String>>,
    /// Further members of `params`, or all of it, but for secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    params: Option<Arc<String>>,
    /// Transcript of its messages, except for secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transcript: Option<Arc<String>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    notification: bool,
    /// An app of the server asked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_app: bool,
    #[serde(default)]
    arguments_redacted: bool,
    /// Milliseconds since the Unix epoch.
    started_at: u64,
    micros: Option<u64>,
    /// Part of `micros` that was spent waiting for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waited: Option<u64>,
    #[serde(default)]
    rounds: u32,
    #[serde(default)]
    token_waits: u32,
    #[serde(default)]
    answered_after_cancel: bool,
    #[serde(default)]
    late: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message_issues: Option<u64>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    pinned: bool,
    /// Protocol version that its result is judged by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    /// Its task, which its server may still know, without its present activity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<TaskRun>,
    ended: StoredOutcome,
}

/// Outcome of a run. The content of a result is derived again when the file is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredOutcome {
    Result {
        is_error: bool,
        bytes: u64,
        /// `result` as received, but for secrets.
        text: Option<String>,
        /// Findings, each with the index of its content block. Some need more than the result: the server's lists,
        /// the tool, an app.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<(Option<u32>, FindingView)>,
        /// Deviations of its structured content from the tool's output schema.
        #[serde(default)]
        problems: Vec<ArgumentProblem>,
        #[serde(default)]
        unchecked: Option<String>,
    },
    Error {
        code: i64,
        message: String,
        /// The `error` object, but for secrets.
        text: Option<String>,
    },
    BadShape {
        problem: String,
    },
    Sent,
    TimedOut {
        hard: bool,
    },
    Cancelled,
    StoppedWaiting,
    Lost {
        code: LostCode,
        reason: String,
    },
}

/// A run for its file with its secrets, taken from the history without copying large texts.
#[derive(Debug)]
pub(super) struct Snapshot {
    run: RunFile,
    answer: Option<Answer>,
    redaction: Option<Redaction>,
}

#[derive(Debug)]
enum Answer {
    Result(TextPart),
    Error(Arc<String>),
}

impl Answer {
    fn text(&self) -> &str {
        match self {
            Self::Result(raw) => raw.get(),
            Self::Error(text) => text,
        }
    }
}

impl Snapshot {
    /// Takes a snapshot of a run; `None` for a run that must not or cannot be stored. A running operation is stored
    /// with the outcome that the app ended, in case the app crashes.
    pub(super) fn of(record: &OperationRecord) -> Option<Self> {
        let ended = match &record.outcome {
            Some(outcome) if record.finished() => StoredOutcome::of(outcome),
            _ => StoredOutcome::Lost {
                code: LostCode::AppClosed,
                reason: match record.task {
                    Some(_) => "Sonde ended while the task was running.".to_owned(),
                    None => APP_CLOSED.to_owned(),
                },
            },
        };
        let arguments = record.arguments.as_ref();
        let params = record.params.as_ref();
        if record.private || (arguments.iter().chain(&params)).any(|text| text.len() > ARGUMENTS) {
            return None;
        }
        let result = record.result.clone().map(Answer::Result);
        let answer = result.or_else(|| record.error.clone().map(Answer::Error));
        let EarlierRun {
            arguments_redacted, ..
        } = record.earlier.unwrap_or_default();
        let OperationLabel { name, note, pinned } = record.label.clone();
        Some(Self {
            run: RunFile {
                method: record.method.clone(),
                target: record.target.clone(),
                key: record.key.clone(),
                title: record.title.clone(),
                arguments: record.arguments.clone(),
                params: record.params.clone(),
                transcript: record
                    .transcript
                    .clone()
                    .filter(|_| record.label.is_given()),
                notification: record.notification,
                by_app: record.by_app,
                arguments_redacted,
                started_at: record.started_at,
                micros: record.micros,
                waited: Some(record.request_history.waited()).filter(|waited| *waited > 0),
                rounds: record.rounds,
                token_waits: record.token_waits,
                answered_after_cancel: record.answered_after_cancel,
                late: record.late,
                message_issues: (record.message_issues > 0).then_some(record.message_issues),
                name,
                note,
                pinned,
                revision: record.revision.clone(),
                task: record.task.as_ref().map(TaskRun::at_rest),
                ended,
            },
            answer: answer.filter(|answer| answer.text().len() <= ANSWER),
            redaction: record.redaction.clone(),
        })
    }

    /// Returns the file's text. `hide` replaces the current secrets; the secrets at the end of the run are replaced as
    /// well.
    pub(super) fn to_bytes(&self, hide: impl Fn(&str) -> String) -> Vec<u8> {
        let mut run = self.run.clone();
        let hidden = |text: &str| match &self.redaction {
            Some(then) => then.text(&hide(text)),
            None => hide(text),
        };
        let hide_in = |text: &mut String| *text = hidden(text);
        for text in [&mut run.arguments, &mut run.params, &mut run.transcript] {
            *text = text.as_ref().map(|text| Arc::new(hidden(text)));
        }
        run.arguments_redacted |=
            (&run.arguments, &run.params) != (&self.run.arguments, &self.run.params);
        let texts = [
            &mut run.target,
            &mut run.key,
            &mut run.title,
            &mut run.name,
            &mut run.note,
        ];
        texts.into_iter().flatten().for_each(hide_in);
        if let Some(task) = &mut run.task {
            hide_in(&mut task.id);
            let earlier = task.changes.iter_mut().map(|one| &mut one.message);
            let messages = earlier.chain([&mut task.message]);
            messages.flatten().for_each(hide_in);
        }
        let answer = self.answer.as_ref().map(|answer| hidden(answer.text()));
        match &mut run.ended {
            StoredOutcome::Result {
                text,
                findings,
                problems,
                unchecked,
                ..
            } => {
                *text = answer;
                for (_, finding) in findings {
                    hide_in(&mut finding.message);
                    finding.location.iter_mut().for_each(hide_in);
                }
                unchecked.iter_mut().for_each(hide_in);
                for problem in problems {
                    hide_in(&mut problem.instance_path);
                    hide_in(&mut problem.message);
                }
            }
            StoredOutcome::Error { message, text, .. } => {
                *text = answer;
                hide_in(message);
            }
            StoredOutcome::BadShape { problem: text }
            | StoredOutcome::Lost { reason: text, .. } => hide_in(text),
            StoredOutcome::Sent
            | StoredOutcome::TimedOut { .. }
            | StoredOutcome::Cancelled
            | StoredOutcome::StoppedWaiting => {}
        }
        files::to_bytes(&run, &HISTORY)
    }
}

impl StoredOutcome {
    /// Without the text of the answer.
    fn of(outcome: &OperationOutcome) -> Self {
        match outcome {
            OperationOutcome::Result {
                is_error,
                content,
                structured,
                prompt,
                bytes,
                findings,
                ..
            } => Self::Result {
                is_error: *is_error,
                bytes: *bytes,
                text: None,
                findings: {
                    let messages = prompt.iter().flat_map(|prompt| &prompt.messages);
                    let of_messages = messages.flat_map(|message| &message.findings);
                    let of_blocks = (0..).zip(content).flat_map(|(index, block)| {
                        let findings = block.findings.iter();
                        findings.map(move |finding| (Some(index), finding.clone()))
                    });
                    let others = findings.iter().chain(of_messages);
                    let others = others.map(|finding| (None, finding.clone()));
                    others.chain(of_blocks).collect()
                },
                problems: structured
                    .as_ref()
                    .map_or_else(Vec::new, |structured| structured.problems.clone()),
                unchecked: structured.as_ref().and_then(|one| one.unchecked.clone()),
            },
            OperationOutcome::ProtocolError { code, message, .. } => Self::Error {
                code: *code,
                message: message.clone(),
                text: None,
            },
            OperationOutcome::BadShape { problem } => Self::BadShape {
                problem: problem.clone(),
            },
            OperationOutcome::TimedOut { hard } => Self::TimedOut { hard: *hard },
            OperationOutcome::Sent => Self::Sent,
            OperationOutcome::Cancelled => Self::Cancelled,
            OperationOutcome::StoppedWaiting => Self::StoppedWaiting,
            OperationOutcome::Lost { reason, code } => Self::Lost {
                code: *code,
                reason: reason.clone(),
            },
        }
    }
}

/// Parses the text of a file.
pub(super) fn parse(text: &[u8]) -> Result<RunFile, Unparsed> {
    files::parse(text, &HISTORY)
}

impl RunFile {
    /// It is not dropped to make room.
    pub(super) fn is_pinned(&self) -> bool {
        self.pinned
    }

    /// Converts the file to a record of the history.
    pub(super) fn into_record(self, number: OperationNumber, server: &str) -> OperationRecord {
        let arguments = self.arguments.map(Arc::unwrap_or_clone);
        let params = self.params.map(Arc::unwrap_or_clone);
        let mut record = OperationRecord::new(NewOperation {
            operation: number,
            server: server.to_owned(),
            generation: 0,
            input: OperationInput {
                method: self.method.clone(),
                target: self.key.clone().or_else(|| self.target.clone()),
                arguments: arguments.clone(),
                params: params.clone(),
                notification: self.notification,
                by_app: self.by_app,
                ..OperationInput::default()
            },
            request: OperationRequest {
                method: self.method,
                target: self.target,
                arguments,
                params,
                notification: self.notification,
                task: None,
            },
            item: None,
            key: self.key,
        });
        record.title = self.title;
        record.state = OperationState::Finished;
        record.revision = self.revision;
        record.started_at = self.started_at;
        record.micros = self.micros;
        record.request_history = ServerRequestHistory::waited_for(self.waited.unwrap_or(0));
        record.rounds = self.rounds;
        record.token_waits = self.token_waits;
        record.answered_after_cancel = self.answered_after_cancel;
        record.late = self.late;
        record.message_issues = self.message_issues.unwrap_or(0);
        // The file may have been edited, so the limits apply again.
        record.task = self.task.as_ref().map(TaskRun::at_rest);
        record.label = OperationLabel {
            name: self.name,
            note: self.note,
            pinned: self.pinned,
        };
        let result_dropped = self.ended.restore(&mut record);
        record.earlier = Some(EarlierRun {
            arguments_redacted: self.arguments_redacted,
            result_dropped,
            transcript: self.transcript.is_some(),
        });
        record.transcript = self.transcript;
        record
    }
}

impl StoredOutcome {
    /// Restores the outcome in the record. Returns true if its response was not stored.
    fn restore(self, record: &mut OperationRecord) -> bool {
        let shape = record.shape();
        let revision = record.revision.clone();
        let mut dropped = false;
        record.outcome = Some(match self {
            Self::Result {
                is_error,
                bytes,
                text,
                findings: stored,
                problems: found,
                unchecked: why,
            } => {
                dropped = text.is_none();
                let mut shown = match text.map(RawValue::from_string) {
                    Some(Ok(raw)) => {
                        let raw = TextPart::from(String::from(Box::<str>::from(raw)));
                        record.result = Some(raw.clone());
                        let seq = Seq(0);
                        let result = Outcome::Result { raw, is_error, seq };
                        explain(&result, shape, revision.as_deref())
                    }
                    // If a secret was a number, its replacement made the text invalid JSON.
                    Some(Err(_)) | None => {
                        dropped = true;
                        OperationOutcome::Result {
                            is_error,
                            content: Vec::new(),
                            structured: (!found.is_empty() || why.is_some())
                                .then(StructuredContent::default),
                            prompt: None,
                            meta: None,
                            bytes,
                            findings: Vec::new(),
                        }
                    }
                };
                let explained = shown.findings().map(|finding| finding.rule.clone());
                let explained: HashSet<_> = explained.collect();
                if let OperationOutcome::Result {
                    content,
                    structured,
                    findings,
                    ..
                } = &mut shown
                {
                    let others = stored.into_iter();
                    for (block, finding) in others.filter(|(_, one)| !explained.contains(&one.rule))
                    {
                        let block = block.and_then(|index| content.get_mut(index as usize));
                        let findings = block.map_or(&mut *findings, |block| &mut block.findings);
                        findings.push(finding);
                    }
                    if let Some(structured) = structured {
                        structured.problems = found;
                        structured.unchecked = why;
                    }
                }
                shown
            }
            Self::Error {
                code,
                message,
                text,
            } => {
                dropped = text.is_none();
                let data = text.as_deref().and_then(data_of);
                record.error = text.map(Arc::new);
                let seq = Seq(0);
                let error = Outcome::ProtocolError {
                    code,
                    message,
                    data,
                    seq,
                };
                let mut shown = explain(&error, shape, None);
                let lasted = record.micros.unwrap_or(0) / 1_000;
                let ended_at = record.started_at.saturating_add(lasted);
                explain_gone(&mut shown, record.task.as_ref(), ended_at);
                shown
            }
            Self::BadShape { problem } => OperationOutcome::BadShape { problem },
            Self::TimedOut { hard } => OperationOutcome::TimedOut { hard },
            Self::Sent => OperationOutcome::Sent,
            Self::Cancelled => OperationOutcome::Cancelled,
            Self::StoppedWaiting => OperationOutcome::StoppedWaiting,
            Self::Lost { code, reason } => OperationOutcome::Lost { reason, code },
        });
        dropped
    }
}

/// The `data` of an `error` object.
fn data_of(error: &str) -> Option<Arc<RawValue>> {
    let [data] = members(error, &["data"]).ok()?.values;
    let data = data.filter(|data| data.get() != "null");
    data.map(|data| Arc::from(data.to_owned()))
}
