use serde::{Deserialize, Serialize};
use sonde_explorer::{
    operations::{
        Deadline, EarlierRun, LoggedMessage, OperationLabel, OperationNumber, OperationOutcome,
        OperationProgress, OperationRecord, OperationState,
    },
    servers::ServerId,
};
use sonde_record::text::cut_bytes;
use ts_rs::TS;

/// How much of the arguments travels with an operation, in bytes.
const ARGUMENTS: usize = 64 * 1024;

/// One operation, live. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OperationView {
    /// Names it.
    pub operation: OperationNumber,
    /// Whose.
    pub server: ServerId,
    /// The connect in which it ran (see `SessionView::generation`).
    pub generation: u32,
    /// The method, for example `tools/call`.
    pub method: String,
    /// What it is about: a tool's or prompt's name, a resource's URI.
    pub target: Option<String>,
    /// The tool's key in its list when it was started; `None` for another method.
    pub key: Option<String>,
    /// The tool's display name when it was started, if the server gave one.
    pub title: Option<String>,
    /// Arguments (or other `params`) as sent, as JSON text; at most 64 KiB here, all of it as a document.
    pub arguments: Option<String>,
    /// Where it stands.
    pub state: OperationState,
    /// Milliseconds since the Unix epoch.
    pub started_at: u64,
    /// Duration in microseconds, once finished.
    pub micros: Option<u64>,
    /// How often the server asked for input within this operation.
    pub rounds: u32,
    /// How often it was refused for want of a token and waited for one.
    pub token_waits: u32,
    /// Latest progress.
    pub progress: Option<OperationProgress>,
    /// When it gives up; set while it runs.
    pub deadline: Option<Deadline>,
    /// Server log messages tied to this operation.
    pub messages: u64,
    /// The newest of them.
    pub last_message: Option<LoggedMessage>,
    /// Set when it failed because the server can do this after a handshake only, while this connect
    /// is stateless: one plain sentence. `run_with_handshake` runs it again.
    pub needs_handshake: Option<String>,
    /// How it ended.
    pub outcome: Option<OperationOutcome>,
    /// The user cancelled and an answer came all the same.
    pub answered_after_cancel: bool,
    /// Messages that came after it was over.
    pub late: u64,
    /// Log entry of the request, once recorded.
    pub request_seq: Option<u64>,
    /// Log entry of the answer.
    pub response_seq: Option<u64>,
    /// What the user calls it.
    pub label: OperationLabel,
    /// It was read from its file, since it ran before this start of the app.
    pub earlier: Option<EarlierRun>,
}

impl From<&OperationRecord> for OperationView {
    fn from(record: &OperationRecord) -> Self {
        let arguments = record.arguments.as_ref();
        Self {
            operation: record.number,
            server: record.server.clone(),
            generation: record.generation,
            method: record.method.clone(),
            target: record.target.clone(),
            key: record.key.clone(),
            title: record.title.clone(),
            arguments: arguments.map(|text| shown(text)),
            state: record.state,
            started_at: record.started_at,
            micros: record.micros,
            rounds: record.rounds,
            token_waits: record.token_waits,
            progress: record.progress.clone(),
            deadline: record.deadline,
            messages: record.messages.total(),
            last_message: record.messages.last().cloned(),
            needs_handshake: record.needs_handshake.map(str::to_owned),
            outcome: record.outcome.clone(),
            answered_after_cancel: record.answered_after_cancel,
            late: record.late,
            request_seq: record.request_seq,
            response_seq: record.response_seq,
            label: record.label.clone(),
            earlier: record.earlier,
        }
    }
}

/// As much of the arguments as travels with an operation.
fn shown(arguments: &str) -> String {
    cut_bytes(arguments, ARGUMENTS).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_in_the_view_are_bounded() {
        assert_eq!(shown(&"x".repeat(100_000)).len(), ARGUMENTS);
        assert_eq!(shown("{}"), "{}");
    }
}
