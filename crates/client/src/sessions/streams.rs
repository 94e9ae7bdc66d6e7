//! The streams of one connection and their events, as the window shows them.

use std::collections::BTreeMap;

use sonde_mcp::{DelaySource, StreamEvent, StreamKind, StreamOver, StreamReport};

use super::stream::{StreamLine, StreamPurpose, StreamState, StreamStatus};
use crate::{
    limits::redact_and_cut,
    log::WireLog,
    operations,
    ring::Ring,
    text::{cut, sentence},
};

/// Number of events kept. The wire log has more.
const LINES: usize = 200;
/// Number of streams shown; the others still appear in the events.
const SHOWN: usize = 100;
/// Number of broken response streams that stay in the list.
const BROKEN: usize = 5;
/// The longest event id or reason, in characters.
const LONGEST: usize = 256;
/// Limit of lines for event ids in a row; the rest share one line, so that a flood does not push out other events.
const IN_A_ROW: u64 = 20;

/// Streams by their number, and their events.
#[derive(Debug, Default)]
pub struct Streams {
    streams: BTreeMap<u64, StreamStatus>,
    lines: Ring<StreamLine, LINES>,
    /// The stream of the newest line, and its number of event ids in a row.
    row: (u64, u64),
}

impl Streams {
    pub(super) fn get(&self, stream: u64) -> Option<&StreamStatus> {
        self.streams.get(&stream)
    }

    /// Their events, the oldest first; the wire log has more.
    #[must_use]
    pub fn lines(&self) -> &Ring<StreamLine, LINES> {
        &self.lines
    }

    /// The listener and subscriptions first, then the newest.
    #[must_use]
    pub fn list(&self) -> Vec<StreamStatus> {
        let (answers, lasting): (Vec<_>, Vec<_>) = self
            .streams
            .values()
            .partition(|one| one.purpose == StreamPurpose::Answer);
        lasting
            .into_iter()
            .chain(answers.into_iter().rev())
            .take(SHOWN)
            .cloned()
            .collect()
    }

    /// Ends all streams with the session.
    pub(super) fn end(&mut self) {
        self.streams
            .retain(|_, one| one.purpose != StreamPurpose::Answer || is_over(one.state));
        for one in self.streams.values_mut() {
            if !is_over(one.state) {
                one.state = StreamState::Ended;
                one.next_at = None;
                one.reason = Some("The session ended.".to_owned());
            }
        }
    }

    /// Adds a line about reopening the session, which belongs to no single stream.
    pub(super) fn reopening(&mut self, times: u32, at: u64) {
        let mut text = "The server no longer knows the session: opening a new one.".to_owned();
        if times > 1 {
            text.push_str(&format!(" This has happened {times} times."));
        }
        self.line(0, "reopening", text, None, at);
    }

    /// One report of the session.
    pub(super) fn take(&mut self, report: StreamReport, log: &WireLog, at: u64) {
        let id = report.stream.0;
        let seq = report.seq.map(|seq| seq.0);
        if report.event == StreamEvent::Opening {
            // The session listens on one stream at a time.
            self.streams
                .retain(|known, one| *known == id || one.purpose == StreamPurpose::Answer);
        }
        let one = self
            .streams
            .entry(id)
            .or_insert_with(|| fresh(id, &report.kind));
        let what = name(one);
        let (code, text) = match report.event {
            StreamEvent::Opening => {
                one.state = StreamState::Opening;
                return;
            }
            StreamEvent::Opened => {
                open(one);
                ("opened", format!("{what} is open."))
            }
            StreamEvent::Reopening { resources } => {
                let what = match resources {
                    0 => "no resource".to_owned(),
                    1 => "1 resource".to_owned(),
                    many => format!("{many} resources"),
                };
                (
                    "opening",
                    format!("The subscription is being opened again with another filter: {what}."),
                )
            }
            StreamEvent::EventId { id } => {
                let id = redact_and_cut(&id, LONGEST, log);
                let text = if id.is_empty() {
                    "The server cleared its last event ID.".to_owned()
                } else {
                    format!("Event {id} arrived.")
                };
                one.event_ids += 1;
                one.last_event_id = (!id.is_empty()).then_some(id);
                ("event_id", text)
            }
            StreamEvent::RetryTime { millis } => (
                "retry_time",
                format!(
                    "The server asks to wait {} before reconnecting a broken stream.",
                    wait(millis)
                ),
            ),
            StreamEvent::Lost { why } => {
                let why = sentence(&redact_and_cut(&why, LONGEST, log));
                one.lost += 1;
                one.state = StreamState::Waiting;
                let text = format!("{what} broke: {why}");
                one.reason = Some(why);
                ("lost", text)
            }
            StreamEvent::Waiting {
                attempt,
                budget,
                delay,
                source,
                last_event_id,
            } => {
                let millis = operations::millis(delay);
                one.state = StreamState::Waiting;
                one.attempt = attempt;
                one.budget = budget;
                one.next_at = Some(at.saturating_add(millis));
                one.delay_by = Some(source);
                let when = match source {
                    DelaySource::User => "now, as you requested".to_owned(),
                    DelaySource::Server => {
                        format!("in {} (delay set by the server)", wait(millis))
                    }
                    DelaySource::Backoff => format!("in {}", wait(millis)),
                };
                let from = match &last_event_id {
                    Some(id) => {
                        format!("resuming after event {}", redact_and_cut(id, LONGEST, log))
                    }
                    None => "opening a new stream".to_owned(),
                };
                (
                    "waiting",
                    format!("Attempt {attempt} of {budget} {when}; {from}."),
                )
            }
            StreamEvent::Resuming { attempt } => {
                one.state = StreamState::Resuming;
                one.attempt = attempt;
                one.next_at = None;
                ("resuming", format!("Attempt {attempt} started."))
            }
            StreamEvent::Resumed => {
                open(one);
                ("resumed", format!("{what} is open again."))
            }
            StreamEvent::Over(over) => {
                let (state, why) = end_of(over, log);
                one.state = state;
                one.next_at = None;
                let answer = one.purpose == StreamPurpose::Answer;
                let text = match state {
                    StreamState::Ended => format!("{what} ended: {why}"),
                    StreamState::NotOffered => why.clone(),
                    _ => format!("{what} was given up: {why}"),
                };
                one.reason = Some(why);
                if answer && state != StreamState::GivenUp {
                    self.streams.remove(&id);
                } else if answer {
                    self.trim();
                }
                ("over", text)
            }
        };
        self.line(id, code, text, seq, at);
    }

    /// Drops response streams that broke for good, except the newest.
    fn trim(&mut self) {
        let broken: Vec<_> = self
            .streams
            .iter()
            .filter(|(_, one)| one.purpose == StreamPurpose::Answer && is_over(one.state))
            .map(|(id, _)| *id)
            .collect();
        for id in broken.iter().rev().skip(BROKEN) {
            self.streams.remove(id);
        }
    }

    fn line(&mut self, stream: u64, code: &str, text: String, seq: Option<u64>, at: u64) {
        let many = if code == "event_id" && self.row.0 == stream {
            self.row.1 + 1
        } else {
            u64::from(code == "event_id")
        };
        self.row = (stream, many);
        if many > IN_A_ROW
            && let Some(last) = self.lines.last_mut()
        {
            last.at = at;
            last.seq = seq.or(last.seq);
            last.sentence = format!("{} ({many} in a row).", text.trim_end_matches('.'));
            return;
        }
        let number = self.lines.total() + 1;
        self.lines.push(StreamLine {
            number,
            at,
            stream,
            code: code.to_owned(),
            sentence: text,
            seq,
        });
    }
}

fn fresh(id: u64, kind: &StreamKind) -> StreamStatus {
    let (purpose, method, operation) = match kind {
        StreamKind::Listener => (StreamPurpose::Listener, None, None),
        StreamKind::Response { method, operation } => (
            StreamPurpose::Answer,
            Some(cut(method, LONGEST)),
            operation.map(|operation| operation.0),
        ),
        StreamKind::Subscription => (StreamPurpose::Subscription, None, None),
    };
    StreamStatus {
        id,
        purpose,
        method,
        operation,
        state: StreamState::Open,
        attempt: 0,
        budget: 0,
        next_at: None,
        delay_by: None,
        last_event_id: None,
        event_ids: 0,
        lost: 0,
        reason: None,
    }
}

fn name(one: &StreamStatus) -> String {
    match (one.purpose, &one.method) {
        (StreamPurpose::Listener, _) => "The background stream".to_owned(),
        (StreamPurpose::Subscription, _) => "The subscription".to_owned(),
        (StreamPurpose::Answer, Some(method)) => format!("The response stream of {method}"),
        (StreamPurpose::Answer, None) => "The response stream".to_owned(),
    }
}

fn open(one: &mut StreamStatus) {
    one.state = StreamState::Open;
    one.attempt = 0;
    one.next_at = None;
    one.delay_by = None;
    one.reason = None;
}

fn is_over(state: StreamState) -> bool {
    matches!(
        state,
        StreamState::NotOffered | StreamState::Ended | StreamState::GivenUp
    )
}

fn end_of(over: StreamOver, log: &WireLog) -> (StreamState, String) {
    match over {
        StreamOver::Done => (StreamState::Ended, "The response arrived.".to_owned()),
        StreamOver::NotOffered => (
            StreamState::NotOffered,
            "The server offers no background stream: it cannot send messages on its own, but runs \
             work."
                .to_owned(),
        ),
        StreamOver::OutOfAttempts => (StreamState::GivenUp, "All attempts failed.".to_owned()),
        StreamOver::Unsubscribed => (
            StreamState::Ended,
            "You ended the last subscription.".to_owned(),
        ),
        StreamOver::GivenUp => (StreamState::GivenUp, "You stopped reconnecting.".to_owned()),
        StreamOver::Refused(why) => (
            StreamState::GivenUp,
            sentence(&redact_and_cut(&why, LONGEST, log)),
        ),
        StreamOver::NotResumable => (
            StreamState::GivenUp,
            "There is no event ID to resume from.".to_owned(),
        ),
        StreamOver::SessionOver => (StreamState::Ended, "The session ended.".to_owned()),
    }
}

/// "40 ms", "1.3 s", "2 min 5 s".
fn wait(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..60_000 => {
            let tenths = (millis + 50) / 100;
            if tenths.is_multiple_of(10) {
                format!("{} s", tenths / 10)
            } else {
                format!("{}.{} s", tenths / 10, tenths % 10)
            }
        }
        _ => {
            let seconds = millis / 1_000;
            match (seconds / 60, seconds % 60) {
                (minutes, 0) => format!("{minutes} min"),
                (minutes, seconds) => format!("{minutes} min {seconds} s"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sonde_mcp::{OperationId, StreamId};
    use sonde_wire::Seq;

    use super::*;
    use crate::log::LogLimits;

    struct Fixture {
        streams: Streams,
        log: std::sync::Arc<WireLog>,
    }

    impl Fixture {
        fn new() -> Self {
            Self {
                streams: Streams::default(),
                log: WireLog::new("s".to_owned(), LogLimits::default()),
            }
        }

        fn report(&mut self, stream: u64, kind: StreamKind, event: StreamEvent) -> &mut Self {
            let report = StreamReport {
                stream: StreamId(stream),
                kind,
                event,
                seq: Some(Seq(9)),
            };
            self.streams.take(report, &self.log, 1_000);
            self
        }

        fn listener(&mut self, event: StreamEvent) -> &mut Self {
            self.report(1, StreamKind::Listener, event)
        }

        fn said(&self) -> Vec<String> {
            let lines = self.streams.lines().iter();
            lines.map(|line| line.sentence.clone()).collect()
        }

        fn state(&self) -> StreamState {
            self.streams.get(1).unwrap().state
        }
    }

    fn answer(operation: u64) -> StreamKind {
        StreamKind::Response {
            method: "tools/call".into(),
            operation: Some(OperationId(operation)),
        }
    }

    #[test]
    fn a_listener_tells_its_whole_story() {
        let mut fixture = Fixture::new();
        fixture.listener(StreamEvent::Opening);
        assert_eq!(fixture.state(), StreamState::Opening);
        fixture
            .listener(StreamEvent::Opened)
            .listener(StreamEvent::EventId { id: "42".into() })
            .listener(StreamEvent::Lost {
                why: "the connection broke".to_owned(),
            })
            .listener(StreamEvent::Waiting {
                attempt: 2,
                budget: 5,
                delay: Duration::from_millis(1_260),
                source: DelaySource::Server,
                last_event_id: Some("42".into()),
            });
        let view = fixture.streams.get(1).unwrap().clone();
        assert_eq!(
            (view.state, view.attempt, view.budget, view.next_at),
            (StreamState::Waiting, 2, 5, Some(2_260))
        );
        assert_eq!(view.delay_by, Some(DelaySource::Server));
        assert_eq!(view.reason.as_deref(), Some("The connection broke."));
        assert_eq!((view.lost, view.event_ids), (1, 1));
        fixture.listener(StreamEvent::Resuming { attempt: 2 });
        assert_eq!(fixture.state(), StreamState::Resuming);
        fixture.listener(StreamEvent::Resumed);
        let view = fixture.streams.get(1).unwrap();
        assert_eq!(
            (view.state, view.attempt, view.next_at, view.reason.clone()),
            (StreamState::Open, 0, None, None)
        );
        assert_eq!(
            fixture.said(),
            [
                "The background stream is open.",
                "Event 42 arrived.",
                "The background stream broke: The connection broke.",
                "Attempt 2 of 5 in 1.3 s (delay set by the server); resuming after event 42.",
                "Attempt 2 started.",
                "The background stream is open again.",
            ]
        );
        fixture.listener(StreamEvent::EventId { id: "".into() });
        assert_eq!(fixture.streams.get(1).unwrap().last_event_id, None);
        fixture.listener(StreamEvent::Over(StreamOver::NotOffered));
        assert_eq!(fixture.state(), StreamState::NotOffered);
    }

    #[test]
    fn a_background_stream_takes_the_place_of_the_one_before() {
        let mut fixture = Fixture::new();
        fixture.listener(StreamEvent::Opened);
        fixture.report(5, answer(5), StreamEvent::Opened);
        fixture.listener(StreamEvent::Over(StreamOver::SessionOver));
        fixture.report(2, StreamKind::Listener, StreamEvent::Opening);
        let left: Vec<_> = fixture.streams.list().iter().map(|one| one.id).collect();
        assert_eq!(left, [2, 5]);
    }

    #[test]
    fn answers_leave_when_they_are_done_and_few_broken_ones_stay() {
        let mut fixture = Fixture::new();
        for stream in 10..30 {
            fixture.report(stream, answer(stream), StreamEvent::Opened);
        }
        fixture.listener(StreamEvent::Opened);
        let order: Vec<_> = fixture.streams.list().iter().map(|one| one.id).collect();
        assert_eq!(order[..3], [1, 29, 28]);
        assert_eq!(fixture.streams.list()[1].operation, Some(29));
        for stream in 10..20 {
            fixture.report(stream, answer(stream), StreamEvent::Over(StreamOver::Done));
        }
        for stream in 20..30 {
            fixture.report(
                stream,
                answer(stream),
                StreamEvent::Over(StreamOver::OutOfAttempts),
            );
        }
        let left: Vec<_> = fixture.streams.list().iter().map(|one| one.id).collect();
        assert_eq!(left, [1, 29, 28, 27, 26, 25]);
        fixture.streams.end();
        assert_eq!(fixture.state(), StreamState::Ended);
    }

    #[test]
    fn a_flood_of_event_ids_leaves_the_story_readable() {
        let mut fixture = Fixture::new();
        fixture.listener(StreamEvent::Opened);
        for id in 1..=50_000 {
            fixture.listener(StreamEvent::EventId {
                id: id.to_string().into(),
            });
        }
        let said = fixture.said();
        assert_eq!(said.len(), 21);
        assert_eq!(said[0], "The background stream is open.");
        assert_eq!(said[20], "Event 50000 arrived (50000 in a row).");
        assert_eq!(fixture.streams.get(1).unwrap().event_ids, 50_000);
        fixture.listener(StreamEvent::Lost { why: String::new() });
        fixture.listener(StreamEvent::EventId { id: "x".into() });
        assert_eq!(fixture.said()[22], "Event x arrived.");
    }

    #[test]
    fn what_the_server_writes_is_cut_and_redacted() {
        let mut fixture = Fixture::new();
        fixture.log.set_secrets(crate::log::Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        let long = format!("{}hush-hush{}", "x".repeat(250), "y".repeat(100_000));
        fixture.listener(StreamEvent::EventId { id: long.into() });
        let view = fixture.streams.get(1).unwrap();
        let id = view.last_event_id.clone().unwrap();
        assert_eq!(id.chars().count(), LONGEST + 1);
        assert!(!id.contains("hush-h") && id.contains('‹'), "{id}");
        assert!(!fixture.said()[0].contains("hush-h"));
    }

    #[test]
    fn delays_read_well() {
        for (millis, text) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1 s"),
            (1_349, "1.3 s"),
            (59_990, "60 s"),
            (120_000, "2 min"),
            (125_400, "2 min 5 s"),
        ] {
            assert_eq!(wait(millis), text);
        }
    }
}
