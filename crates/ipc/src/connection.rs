use serde::Serialize;
use sonde_explorer::sessions::{
    ConnectDetails, ConnectFacts, HealthProblem, MethodStats, RootsAnswer, StreamLine, StreamStatus,
};
use ts_rs::TS;

/// The connection of one server as its panel shows it. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ConnectionView {
    /// The connect that the view belongs to (see `SessionView::generation`), with its protocol and settings.
    #[serde(flatten)]
    pub facts: ConnectFacts,
    /// Streams: the background stream first, then the newest; finished responses leave the list.
    pub streams: Vec<StreamStatus>,
    /// The newest 200 lines about the streams, oldest first.
    pub lines: Vec<StreamLine>,
    /// Number of lines so far.
    pub lines_total: u64,
    /// Problem of the open connection; `None` while it is healthy.
    pub health: Option<HealthProblem>,
    /// Statistics by method, in order of first use.
    pub stats: Vec<MethodStats>,
    /// Delay of replies to the server, in milliseconds.
    pub answer_delay_ms: u64,
    /// Last reply to the server's request for the list of roots; `None` if it has not asked.
    pub roots: Option<RootsAnswer>,
}

impl From<&ConnectDetails> for ConnectionView {
    fn from(connection: &ConnectDetails) -> Self {
        let lines = connection.streams.lines();
        let delay = connection.answer_delay.as_millis();
        Self {
            facts: connection.facts.clone(),
            streams: connection.streams.list(),
            lines: lines.iter().cloned().collect(),
            lines_total: lines.total(),
            health: connection.health(),
            stats: connection.stats.rows(),
            answer_delay_ms: u64::try_from(delay).unwrap_or(u64::MAX),
            roots: connection.roots_answer(),
        }
    }
}
