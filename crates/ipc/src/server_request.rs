use serde::{Deserialize, Serialize};
use sonde_explorer::{operations::OperationNumber, servers::ServerId, sessions::OpenServerRequest};
use sonde_findings::FindingView;
use ts_rs::TS;

/// Something the server asks of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerRequestView {
    /// Names it over all servers.
    pub request: u64,
    /// The server.
    pub server: ServerId,
    /// The operation during which it came.
    pub operation: Option<OperationNumber>,
    /// The operations that were in progress when it came, where nothing says during which of them.
    pub candidates: Vec<OperationNumber>,
    /// The method, for example `elicitation/create`.
    pub method: String,
    /// For an elicitation: the server's words. One plain sentence otherwise.
    pub message: String,
    /// For a form: the schema of the answer as JSON text.
    pub schema: Option<String>,
    /// The digest of that schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub schema_digest: Option<String>,
    /// `params` as JSON text as received, at most 256 KiB; a longer one is cut.
    pub params: String,
    /// The server asked for it as a task, and asks for the answer later.
    pub as_task: bool,
    /// The server must not ask this, since the ability was not declared.
    pub undeclared: bool,
    /// Findings about its deviations from the specification.
    pub findings: Vec<FindingView>,
    /// Note of the rule for these requests, as a sentence.
    pub rule: Option<String>,
    /// The log entry that carried it.
    pub seq: u64,
}

impl From<&OpenServerRequest> for ServerRequestView {
    fn from(open: &OpenServerRequest) -> Self {
        Self {
            request: open.number,
            server: open.server.clone(),
            operation: open.operation,
            candidates: open.candidates.clone(),
            method: open.method.clone(),
            message: open.message.clone(),
            schema: open.schema.clone(),
            schema_digest: open.schema_digest(),
            params: open.params.clone(),
            as_task: open.as_task,
            undeclared: open.undeclared,
            findings: open.findings.clone(),
            rule: open.rule.clone(),
            seq: open.seq,
        }
    }
}
