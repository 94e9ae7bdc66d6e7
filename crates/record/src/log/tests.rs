use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use sonde_findings::{Finding, FindingView, Rule, rules};
use sonde_wire::{
    Annotation, Body, Cause, Direction, Entry, EntryKind, ExchangeId, ExitStatus, Header, Label,
    MessageKind, Seq, Tap, Verb,
};

use super::*;

fn log() -> Arc<WireLog> {
    WireLog::new("server".to_owned(), LogLimits::default())
}

fn entry(direction: Direction, kind: EntryKind, body: &str) -> Entry {
    let body = match body {
        "" => Body::Empty,
        text => Body::Text(Arc::new(text.to_owned())),
    };
    Entry::new(direction, kind, body)
}

fn message(
    direction: Direction,
    kind: MessageKind,
    id: Option<&str>,
    method: Option<&str>,
) -> Entry {
    Entry {
        label: Label {
            kind: Some(kind),
            id: id.map(Into::into),
            method: method.map(Into::into),
            ..Label::default()
        },
        ..entry(direction, EntryKind::Message, "{}")
    }
}

/// Counts the findings in the entries of the current connection.
fn count_findings(log: &WireLog) -> u64 {
    log.with_found(|found| found.by_rule.rules().map(|one| one.count).sum())
}

fn incoming(log: &WireLog, kind: MessageKind, id: &str) -> u64 {
    let seq = received(log, "{}");
    let label = Label {
        kind: Some(kind),
        id: Some(id.into()),
        ..Label::default()
    };
    relabel(log, seq, label);
    seq.0
}

fn views() -> (Arc<LogViews>, Arc<AtomicU64>) {
    let told = Arc::new(AtomicU64::new(0));
    let count = told.clone();
    let views = LogViews::new(
        Arc::new(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
        }),
        summarize,
    );
    (views, told)
}

/// Returns the text itself as the summary.
fn summarize(kind: MessageKind, method: Option<&str>, text: &str) -> Option<String> {
    Some(format!("{kind:?} {} {text}", method.unwrap_or("-")))
}

fn shown(views: &LogViews, state: &LogViewState) -> Vec<u64> {
    let mut all = Vec::new();
    while let Some(rows) = views.rows(state.view, state.epoch, all.len() as u64, 7) {
        if rows.is_empty() {
            break;
        }
        all.extend(rows.iter().map(|row| row.seq));
    }
    all
}

fn text(text: &str) -> LogFilter {
    LogFilter {
        text: text.to_owned(),
        ..LogFilter::default()
    }
}

fn request(id: &str, method: &str) -> Entry {
    let kind = MessageKind::Request;
    message(Direction::Out, kind, Some(id), Some(method))
}

fn response_to(id: &str) -> Entry {
    message(Direction::In, MessageKind::Response, Some(id), None)
}

fn header(name: &str, value: &str) -> Header {
    let (name, value) = (name.to_owned(), value.to_owned());
    Header { name, value }
}

fn limited(entries: u64, bytes: u64) -> Arc<WireLog> {
    WireLog::new("s".to_owned(), LogLimits { entries, bytes })
}

/// Records a message of the server that is not read yet.
fn received(log: &WireLog, text: &str) -> Seq {
    log.record(entry(Direction::In, EntryKind::Message, text))
}

fn stderr(log: &WireLog, text: &str) -> Seq {
    log.record(entry(Direction::In, EntryKind::Stderr, text))
}

fn relabel(log: &WireLog, seq: Seq, label: Label) {
    let (label, findings) = (Some(label), Vec::new());
    log.annotate(seq, Annotation { label, findings });
}

/// Adds findings by these rules to an entry.
fn breaks(log: &WireLog, seq: Seq, rules: &[&'static Rule]) {
    let findings = rules.iter().map(|rule| Finding::new(rule)).collect();
    let label = None;
    log.annotate(seq, Annotation { label, findings });
}

fn of_kinds(kinds: &[LogKind]) -> LogFilter {
    LogFilter {
        kinds: kinds.to_vec(),
        ..LogFilter::default()
    }
}

fn with_issues() -> LogFilter {
    LogFilter {
        findings_only: true,
        ..LogFilter::default()
    }
}

#[test]
fn a_number_that_came_back_as_a_string_is_shown_so_and_finds_its_request() {
    let log = log();
    log.begin_generation();
    let (kind, method) = (MessageKind::Request, Some("tools/call"));
    log.record(message(Direction::Out, kind, Some("12"), method));
    incoming(&log, MessageKind::Response, "\"12\"");
    let row = log.row(2).unwrap();
    assert_eq!((row.id.as_deref(), row.partner), (Some("\"12\""), Some(1)));
}

#[tokio::test(start_paused = true)]
async fn answers_find_their_requests_within_one_connection() {
    let log = log();
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = told.clone();
    log.set_operation_hook(Arc::new(move |entry| heard.lock().unwrap().push(entry)));
    log.begin_generation();
    let mut call = request("1", "tools/call");
    call.label.operation = Some(9);
    call.label.cause = Some(Cause::User);
    let began = crate::clock::micros();
    log.record(call);
    // The server's own request with the same id is a different one.
    incoming(&log, MessageKind::Request, "1");
    tokio::time::advance(Duration::from_micros(1500)).await;
    let answer = incoming(&log, MessageKind::Response, "1");
    assert_eq!(answer, 3);
    let row = log.row(3).unwrap();
    assert_eq!(
        (
            row.partner,
            row.micros,
            row.operation,
            row.method.as_deref()
        ),
        (Some(1), Some(1500), Some(9), Some("tools/call"))
    );
    assert_eq!(log.row(1).unwrap().partner, Some(3));
    assert_eq!([log.latency(1), log.latency(3)], [None, Some(1500)]);
    assert_eq!(log.row(1).unwrap().cause, None);
    log.record(message(
        Direction::Out,
        MessageKind::Response,
        Some("1"),
        None,
    ));
    assert_eq!(log.row(4).unwrap().partner, Some(2));
    assert_eq!(
        *told.lock().unwrap(),
        [
            OperationEntry {
                operation: 9,
                seq: 1,
                answer: false,
                micros: began,
                notification: false
            },
            OperationEntry {
                operation: 9,
                seq: 3,
                answer: true,
                micros: began + 1500,
                notification: false
            },
        ]
    );
    log.record(request("2", "ping"));
    log.begin_generation();
    let late = incoming(&log, MessageKind::Response, "2");
    assert_eq!(log.row(late).unwrap().partner, None);
}

#[test]
fn the_row_of_a_request_changes_when_its_response_is_recorded() {
    let log = log();
    let (views, _) = views();
    let requests = of_kinds(&[LogKind::Request, LogKind::Http]);
    incoming(&log, MessageKind::Request, "s1");
    post(&log, 1);
    let mut before = views.open(&log, requests);
    let reply = message(Direction::Out, MessageKind::Response, Some("s1"), None);
    for (request, answer) in [(1, reply), (2, response(1, 200))] {
        let answer = log.record(answer);
        let state = views.state(before.view).unwrap();
        assert_eq!(state.changes, before.changes + 1);
        assert_eq!(state.changed_from, request - 1);
        assert_eq!(log.row(request).unwrap().partner, Some(answer.0));
        before = state;
    }
}

#[test]
fn a_second_answer_does_not_steal_the_first() {
    let log = log();
    log.record(message(
        Direction::Out,
        MessageKind::Request,
        Some("1"),
        None,
    ));
    incoming(&log, MessageKind::Response, "1");
    let second = incoming(&log, MessageKind::Error, "1");
    assert_eq!(log.row(1).unwrap().partner, Some(2));
    assert_eq!(log.row(second).unwrap().partner, None);
    assert_eq!(log.row(second).unwrap().kind, LogKind::Error);
}

fn post(log: &WireLog, exchange: u64) {
    let mut head = entry(
        Direction::Out,
        EntryKind::RequestHead {
            verb: Verb::Post,
            url: "https://me:secret-pw@example.com/mcp?k=[1]".to_owned(),
            headers: vec![
                header("Authorization", "Bearer abcdefgh"),
                header("Content-Length", "7"),
                header("X-Empty", ""),
            ],
        },
        "",
    );
    head.exchange = Some(ExchangeId(exchange));
    log.record(head);
    let mut body = request("5", "tools/call");
    body.body = Body::Text(Arc::new(r#"{"it's":1}"#.to_owned()));
    body.exchange = Some(ExchangeId(exchange));
    body.label.operation = Some(3);
    log.record(body);
}

#[tokio::test(start_paused = true)]
async fn an_exchange_is_tied_together_and_copied_as_curl() {
    let log = log();
    log.begin_generation();
    post(&log, 1);
    tokio::time::advance(Duration::from_micros(70)).await;
    let mut answer = entry(
        Direction::In,
        EntryKind::ResponseHead {
            status: 200,
            version: "HTTP/1.1",
            headers: Vec::new(),
        },
        "",
    );
    answer.exchange = Some(ExchangeId(1));
    log.record(answer.clone());
    let head = log.row(1).unwrap();
    assert_eq!((head.partner, head.operation), (Some(3), Some(3)));
    let row = log.row(3).unwrap();
    assert_eq!(
        (row.partner, row.micros, row.operation),
        (Some(1), Some(70), Some(3))
    );
    let command = log.curl(3).unwrap().unwrap();
    let mut lines = command.lines();
    let first = lines.next().unwrap();
    assert!(
        first.starts_with("curl --globoff --no-buffer -X POST https://\"${SECRET_"),
        "{first}"
    );
    assert!(
        first.ends_with(":?}\"'@example.com/mcp?k=[1]' \\"),
        "{first}"
    );
    assert_eq!(
        lines.next().unwrap(),
        "  -H 'Authorization: Bearer '\"${AUTHORIZATION:?}\" \\"
    );
    assert_eq!(lines.next().unwrap(), "  -H 'X-Empty;' \\");
    assert_eq!(lines.next().unwrap(), r#"  --data-raw '{"it'\''s":1}'"#);
    assert_eq!(lines.next(), None);
    let detail = log.detail(1).unwrap();
    assert!(detail.redacted && detail.curl);
    assert_eq!(detail.headers.len(), 3);

    // The next connection numbers its exchanges from the start, and so does another attempt of the same one.
    for (seq, begin) in [
        (4, WireLog::begin_generation as fn(&WireLog)),
        (7, WireLog::begin_attempt),
    ] {
        begin(&log);
        log.record(answer.clone());
        assert_eq!(log.row(seq).unwrap().partner, None);
        assert_eq!(log.curl(seq), Ok(None));
        post(&log, 1);
    }
    log.note("plain");
    let note = log.detail(10).unwrap();
    assert!(!note.curl);
    assert_eq!(note.summary.as_deref(), Some("plain"));
}

#[test]
fn limits_drop_the_oldest_and_say_so() {
    let log = limited(3, 10);
    let (views, _) = views();
    let view = views.open(&log, LogFilter::default()).view;
    for _ in 0..5 {
        stderr(&log, "abc");
    }
    let state = views.state(view).unwrap();
    assert_eq!(
        (state.total, state.dropped, state.bytes, state.rows),
        (3, 2, 9, 3)
    );
    assert_eq!(log.row(2), Err(LogMiss::Dropped));
    assert_eq!(log.row(0), Err(LogMiss::Unknown));
    assert_eq!(log.row(6), Err(LogMiss::Unknown));
    stderr(&log, "longer than the limit");
    let state = views.state(view).unwrap();
    assert_eq!((state.total, state.dropped), (1, 5));
    assert_eq!(shown(&views, &state), [6]);
    assert!(log.clear().is_some());
    let state = views.state(view).unwrap();
    assert_eq!(
        (state.total, state.dropped, state.bytes, state.rows),
        (0, 0, 0, 0)
    );
    assert_eq!(log.row(6), Err(LogMiss::Dropped));
    log.note("on");
    assert_eq!(log.row(7).unwrap().preview, "on");
}

#[test]
fn what_was_cleared_comes_back_whole_in_its_order_or_frees_its_memory() {
    let budget = Arc::new(crate::Budget::default());
    let log = WireLog::within(&budget, "s".to_owned(), LogLimits::default());
    assert!(log.clear().is_none(), "there was nothing");
    let (views, _) = views();
    let filter = LogFilter {
        text: "an e".to_owned(),
        ..LogFilter::default()
    };
    let (all, some) = (
        views.open(&log, LogFilter::default()).view,
        views.open(&log, filter).view,
    );
    let rows = |view| shown(&views, &views.state(view).unwrap());
    log.record(request("1", "ping"));
    log.note("an entry");
    log.record(head(1, Verb::Post));
    let before = budget.held();

    let cleared = log.clear().unwrap();
    assert_eq!(
        budget.held(),
        before,
        "it counts as long as it can come back"
    );
    // This view is opened while the log is empty.
    let late = views.open(&log, LogFilter::default()).view;
    log.record(response_to("1"));
    log.note("an end");
    log.record(response(1, 200));
    assert_eq!((rows(all), rows(some)), (vec![4, 5, 6], vec![5]));
    // A response to nothing, before the request with its id.
    for (direction, kind) in [
        (Direction::In, MessageKind::Response),
        (Direction::Out, MessageKind::Request),
    ] {
        log.record(message(direction, kind, Some("2"), None));
    }
    log.restore(cleared);
    log.record(response_to("2"));
    let whole: Vec<u64> = (1..=9).collect();
    assert_eq!((rows(all), rows(some)), (whole.clone(), vec![2, 5]));
    assert_eq!(rows(late), whole);
    // The answers came while the requests were away.
    for (request, answer) in [(1, 4), (3, 6), (8, 9)] {
        assert_eq!(log.row(request).unwrap().partner, Some(answer));
        assert_eq!(log.row(answer).unwrap().partner, Some(request));
    }
    assert_eq!(views.index(late, 2), Some(Some(1)));
    assert_eq!(log.row(1).unwrap().method.as_deref(), Some("ping"));

    drop(log.clear());
    assert_eq!(budget.held(), 0);

    // No room for entries older than the oldest stored one.
    let small = limited(2, 1_000);
    small.note("a");
    let cleared = small.clear().unwrap();
    (0..3).for_each(|_| small.note("b"));
    small.restore(cleared);
    assert_eq!(small.row(1), Err(LogMiss::Dropped));
    assert_eq!(small.row(4).unwrap().preview, "b");
}

#[test]
fn findings_weigh_as_well() {
    let log = limited(1_000, 100_000);
    let (views, _) = views();
    let view = views.open(&log, LogFilter::default()).view;
    let finding = Finding::new(&rules::BAD_ID).with("id", "x".repeat(200));
    for _ in 0..100 {
        let seq = stderr(&log, "abc");
        let findings = vec![finding.clone(); 100];
        log.annotate(
            seq,
            Annotation {
                label: None,
                findings,
            },
        );
    }
    let state = views.state(view).unwrap();
    assert!(state.total < 10 && state.bytes <= 100_000, "{state:?}");
    assert_eq!(state.total + state.dropped, 100);
}

#[test]
fn an_older_epoch_is_understood_when_only_rows_were_dropped() {
    for filter in [LogFilter::default(), text("line")] {
        let log = limited(4, 1000);
        let (views, _) = views();
        for n in 0..4 {
            stderr(&log, &format!("line {n}"));
        }
        let old = views.open(&log, filter);
        for n in 4..6 {
            stderr(&log, &format!("line {n}"));
        }
        let new = views.state(old.view).unwrap();
        assert_ne!(old.epoch, new.epoch);
        let rows = views.rows(old.view, old.epoch, 1, 3).unwrap();
        assert_eq!(rows[0].preview, "no longer stored");
        assert_eq!((rows[1].seq, rows[2].seq), (3, 4));
        assert_eq!(views.rows(old.view, new.epoch, 0, 1).unwrap()[0].seq, 3);
        assert_eq!(views.rows(old.view, new.epoch + 1, 0, 9).unwrap(), []);
        views.filter(old.view, text("line 5")).unwrap();
        assert_eq!(views.rows(old.view, new.epoch, 0, 9).unwrap(), []);
    }
}

#[test]
fn changes_are_told_once_until_the_state_is_read() {
    let log = log();
    let (views, told) = views();
    let view = views.open(&log, LogFilter::default()).view;
    for _ in 0..100 {
        log.note("x");
    }
    assert_eq!(told.load(Ordering::SeqCst), 1);
    assert_eq!(views.state(view).unwrap().rows, 100);
    relabel(&log, Seq(1), Label::default());
    assert_eq!(told.load(Ordering::SeqCst), 2);
    views.close(view);
    log.note("y");
    assert_eq!(told.load(Ordering::SeqCst), 2);
    assert!(views.state(view).is_none() && views.rows(view, 0, 0, 1).is_none());
    let view = views.open(&log, LogFilter::default()).view;
    views.close_server("other");
    assert!(views.state(view).is_some());
    views.close_server("server");
    assert!(views.state(view).is_none());
}

#[test]
fn filters_select_by_each_criterion() {
    let log = log();
    post(&log, 1);
    stderr(&log, "Grüße aus ÄTHERIEN");
    let mut banner = entry(Direction::In, EntryKind::NonMessage, "banner");
    banner.findings.push(Finding::new(&rules::NOT_A_MESSAGE));
    log.record(banner);
    let mut exited = entry(Direction::In, EntryKind::Exited(ExitStatus::Signal(9)), "");
    exited.body = Body::Bytes(bytes::Bytes::from_static(b"\xff raw \xff"));
    log.record(exited);
    let (views, _) = views();
    let open = |filter: LogFilter| shown(&views, &views.open(&log, filter));
    assert_eq!(open(text("ätherien")), [3]);
    assert_eq!(open(text("signal")), [5]);
    assert_eq!(open(text("RAW")), [5]);
    assert_eq!(open(text("example.COM")), [1]);
    assert_eq!(open(text("x-empty")), [1]);
    assert_eq!(open(text("tools/")), [2]);
    // Only summaries have these words in a row.
    assert_eq!(open(text("post /mcp")), [1]);
    assert_eq!(open(text("request tools/call")), [2]);
    assert_eq!(open(text("secret-pw")), Vec::<u64>::new());
    let all = LogFilter::default;
    assert_eq!(
        open(LogFilter {
            kinds: vec![LogKind::Stderr, LogKind::Http],
            ..all()
        }),
        [1, 3]
    );
    assert_eq!(
        open(LogFilter {
            methods: vec!["tools/call".to_owned()],
            ..all()
        }),
        [2]
    );
    assert_eq!(
        open(LogFilter {
            operation: Some(3),
            ..all()
        }),
        [1, 2]
    );
    assert_eq!(
        open(LogFilter {
            out: Some(false),
            ..all()
        }),
        [3, 4, 5]
    );
    assert_eq!(
        open(LogFilter {
            findings_only: true,
            ..all()
        }),
        [4]
    );
    let of_rule = |rule: &str| LogFilter {
        rule: Some(rule.to_owned()),
        ..all()
    };
    assert_eq!(open(of_rule(rules::NOT_A_MESSAGE.id)), [4]);
    assert_eq!(open(of_rule(rules::BOM.id)), Vec::<u64>::new());
    let rule = log.row(4).unwrap().rule;
    assert_eq!(rule.as_deref(), Some(rules::NOT_A_MESSAGE.id));
    assert_eq!(log.row(3).unwrap().rule, None);
    assert_eq!(
        open(LogFilter {
            out: Some(true),
            findings_only: true,
            ..all()
        }),
        Vec::<u64>::new()
    );
    assert_eq!(views.open(&log, all()).methods, ["tools/call"]);

    // Findings in a result are added to its response later, and counted only with the results.
    let of_result = |rule| FindingView::from(&Finding::new(rule).with("problem", "hunter2"));
    log.set_secrets_in_use(vec![SecretText::from("hunter2")]);
    let before = count_findings(&log);
    log.add_of_result(3, vec![of_result(&rules::NONCONFORMING_STRUCTURED_CONTENT)]);
    log.add_of_result(3, vec![of_result(&rules::ALIKE_NAMES); 100]);
    log.add_of_result(99, vec![of_result(&rules::ALIKE_NAMES)]);
    let row = log.row(3).unwrap();
    assert_eq!(
        (row.findings, row.rule.as_deref()),
        (20, Some(rules::NONCONFORMING_STRUCTURED_CONTENT.id))
    );
    let issues_only = LogFilter {
        findings_only: true,
        ..all()
    };
    assert_eq!(open(issues_only), [3, 4]);
    assert_eq!(open(of_rule(rules::ALIKE_NAMES.id)), [3]);
    let said = &log.detail(3).unwrap().findings[0].message;
    assert!(!said.contains("hunter2"), "{said}");
    assert_eq!(count_findings(&log), before);
}

#[test]
fn what_is_said_during_detection_is_no_error_and_no_issue() {
    let log = log();
    log.begin_generation();
    let mut page = entry(Direction::In, EntryKind::NonMessage, "<p>");
    page.exchange = Some(ExchangeId(1));
    page.findings.push(Finding::new(&rules::HTTP_NOT_A_MESSAGE));
    let mut banner = entry(Direction::In, EntryKind::NonMessage, "banner");
    banner.findings.push(Finding::new(&rules::NOT_A_MESSAGE));
    let of_probe = Label {
        cause: Some(Cause::Probe),
        ..Label::default()
    };
    log.record(page.clone());
    assert_eq!(count_findings(&log), 1);
    relabel(&log, Seq(1), of_probe);
    assert_eq!(count_findings(&log), 0);
    incoming(&log, MessageKind::Error, "1");
    log.record(banner);
    log.record(page.clone());
    assert_eq!(count_findings(&log), 2);
    let (views, _) = views();
    let errors = || of_kinds(&[LogKind::Error, LogKind::Invalid, LogKind::NonMessage]);
    let view = views.open(&log, errors());
    assert_eq!(shown(&views, &view), [2, 3, 4]);
    log.mark_detection();
    assert_eq!(count_findings(&log), 1, "what a process prints is no reply");
    let view = views.state(view.view).unwrap();
    assert_eq!(shown(&views, &view), [3]);
    assert_eq!(log.row(2).unwrap().kind, LogKind::Response);
    assert_eq!(log.row(4).unwrap().preview, "<p>", "every frame is shown");
    // The next connection begins without findings, and new ones count again.
    log.begin_generation();
    assert_eq!(count_findings(&log), 0);
    log.record(page);
    log.mark_detection();
    incoming(&log, MessageKind::Error, "2");
    assert_eq!(
        (count_findings(&log), log.row(6).unwrap().kind),
        (0, LogKind::Error)
    );
    // The body of an acknowledgement is not an error either.
    let mut acknowledged = entry(Direction::In, EntryKind::NonMessage, "Accepted");
    acknowledged.exchange = Some(ExchangeId(2));
    log.record(acknowledged);
    let row = log.row(7).unwrap();
    assert_eq!((row.kind, row.has_body), (LogKind::Http, true));
    post(&log, 3);
    log.note("plain");
    let bodies = [8, 9, 10].map(|seq| log.row(seq).unwrap().has_body);
    assert_eq!(bodies, [false, true, false]);
}

#[test]
fn what_is_found_by_rules_of_other_revisions_counts_only_until_the_revision_is_known() {
    let log = log();
    let judged = || {
        let mut one = entry(Direction::In, EntryKind::Message, "{}");
        one.findings = vec![
            Finding::new(&rules::CHALLENGE_WITHOUT_SCOPE),
            Finding::new(&rules::NOT_A_MESSAGE),
        ];
        one
    };
    let of_row = |seq| log.row(seq).unwrap().findings;
    log.record(judged());
    assert_eq!((count_findings(&log), of_row(1)), (2, 2));
    log.judge_by("2024-11-05");
    assert_eq!((count_findings(&log), of_row(1)), (1, 1));
    // Later entries are judged by the same version, recorded or annotated.
    log.record(judged());
    let annotation = Annotation {
        label: None,
        findings: judged().findings,
    };
    log.annotate(Seq(2), annotation);
    assert_eq!((count_findings(&log), of_row(2)), (3, 2));
    // The next connection may use another version.
    log.begin_generation();
    log.record(judged());
    log.judge_by("2025-11-25");
    assert_eq!((count_findings(&log), of_row(3), of_row(1)), (2, 2, 1));
}

#[test]
fn a_request_says_why_nobody_waits_for_its_response_any_more() {
    let log = log();
    let sent = |id: &str, operation: Option<u64>| {
        let mut request = message(
            Direction::Out,
            MessageKind::Request,
            Some(id),
            Some("tools/call"),
        );
        request.label.operation = operation;
        log.record(request).0
    };
    let earlier = sent("1", None);
    log.begin_generation();
    let cancelled = sent("1", Some(7));
    let answered = sent("2", None);
    let open = sent("3", Some(8));
    let asked = incoming(&log, MessageKind::Request, "s1");
    incoming(&log, MessageKind::Response, "2");
    let (views, told) = views();
    let view = views.open(&log, LogFilter::default());
    let why = |seq: u64| log.row(seq).unwrap().no_response;
    log.end_requests(Some(7), LogNoResponse::Cancelled);
    assert_eq!(told.load(Ordering::SeqCst), 1);
    assert_eq!(views.state(view.view).unwrap().changes, view.changes + 1);
    assert_eq!(why(cancelled), Some(LogNoResponse::Cancelled));
    assert_eq!(why(open), None, "of another operation");
    log.end_requests(None, LogNoResponse::Exited);
    let exited = Some(LogNoResponse::Exited);
    assert_eq!((why(open), why(asked)), (exited, exited));
    assert_eq!(why(cancelled), Some(LogNoResponse::Cancelled));
    assert_eq!((why(earlier), why(answered)), (None, None));
    // The response still arrives.
    incoming(&log, MessageKind::Response, "3");
    assert_eq!(why(open), None);
    let in_batch = sent("4", None);
    incoming(&log, MessageKind::Batch, "-");
    let behind = sent("5", None);
    log.end_requests(None, LogNoResponse::Disconnected);
    let disconnected = Some(LogNoResponse::Disconnected);
    assert_eq!((why(in_batch), why(behind)), (None, disconnected));
}

#[test]
fn an_entry_knows_when_its_connection_began() {
    let log = log();
    let (views, _) = views();
    assert_eq!(views.open(&log, LogFilter::default()).last, 0);
    let note = |text: &str| {
        log.note(text);
        let state = views.open(&log, LogFilter::default());
        log.row(state.last).unwrap()
    };
    log.begin_generation();
    let first = note("first");
    assert_eq!((first.seq, first.began), (1, first.at));
    assert_eq!(note("second").began, first.at);
    log.clear();
    let third = note("third");
    assert_eq!((third.seq, third.began), (3, first.at), "the same one");
    log.begin_generation();
    let fourth = note("fourth");
    assert_eq!(fourth.began, fourth.at);
    assert_eq!(note("fifth").began, fourth.at);
}

#[test]
fn errors_are_what_went_wrong_and_every_error_response() {
    let log = log();
    let request = |id: &str, cause| {
        let mut request = message(Direction::Out, MessageKind::Request, Some(id), Some("ping"));
        request.label.cause = cause;
        log.record(request).0
    };
    let exited = |status, cause| {
        let mut exited = entry(Direction::In, EntryKind::Exited(status), "");
        exited.label.cause = cause;
        log.record(exited).0
    };
    let probe = request("1", Some(Cause::Probe));
    let refused = incoming(&log, MessageKind::Error, "1");
    let given_up = request("2", None);
    let ended = exited(ExitStatus::Code(1), None);
    log.end_requests(None, LogNoResponse::Exited);
    log.mark_detection();
    let why = log.row(given_up).unwrap().no_response;
    assert_eq!(why, Some(LogNoResponse::Detection));
    let open = request("2", None);
    let listening = request("3", Some(Cause::Listen));
    let error = incoming(&log, MessageKind::Error, "9");
    let banner = log.record(entry(Direction::In, EntryKind::NonMessage, "banner"));
    let (views, _) = views();
    let errors = LogFilter {
        errors: true,
        ..LogFilter::default()
    };
    let view = views.open(&log, errors).view;
    let now = || shown(&views, &views.state(view).unwrap());
    assert_eq!(now(), [refused, error, banner.0]);
    exited(ExitStatus::Code(0), None);
    let failed = exited(ExitStatus::Code(3), None);
    let killed = exited(ExitStatus::Signal(9), None);
    exited(ExitStatus::Signal(15), Some(Cause::Lifecycle));
    log.end_requests(None, LogNoResponse::Exited);
    assert_eq!(now(), [refused, open, error, banner.0, failed, killed]);
    let marked = |seq: u64| log.row(seq).unwrap().error;
    assert!(
        [open, error, banner.0, failed, killed]
            .into_iter()
            .all(marked)
    );
    // Neither the probe nor its response is a failure.
    let of_detection = [probe, refused, given_up, ended];
    assert!(!of_detection.into_iter().any(marked) && !marked(listening));
    let with_notes = LogFilter {
        errors: true,
        kinds: vec![LogKind::Note],
        ..LogFilter::default()
    };
    log.note("a remark");
    let state = views.filter(view, with_notes).unwrap();
    assert_eq!(shown(&views, &state).len(), 7, "errors beside kinds");
}

#[test]
fn an_answer_by_rule_leads_to_its_request_and_its_operation() {
    let log = log();
    let request = received(&log, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#);
    log.note("a remark");
    log.note_rule("Answered by rule", request.0, Some(7));
    let row = log.row(request.0 + 2).unwrap();
    assert_eq!((row.kind, row.out), (LogKind::Rule, true));
    assert_eq!((row.partner, row.operation), (Some(request.0), Some(7)));
    assert_eq!(row.preview, "Answered by rule");
    let remark = log.row(request.0 + 1).unwrap();
    assert_eq!((remark.kind, remark.partner), (LogKind::Note, None));
    // The head is not the response, which is the frame that follows.
    assert_eq!(log.row(request.0).unwrap().partner, None);
}

#[test]
fn messages_of_an_app_are_a_kind_of_their_own_and_hide_secrets() {
    let log = log();
    log.keep_secret(SecretText::from("hush-hush-hush"));
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"hush-hush-hush"}"#;
    log.app_message(false, request.to_owned(), 0, Some(7));
    log.app_message(
        true,
        r#"{"jsonrpc":"2.0","id":1,"error":{}}"#.to_owned(),
        12,
        Some(7),
    );
    log.record(entry(Direction::Out, EntryKind::Message, request));
    let [asked, answer, sent] = [1, 2, 3].map(|seq| log.row(seq).unwrap());
    assert_eq!(
        (asked.kind, asked.out, asked.operation),
        (LogKind::App, false, Some(7))
    );
    assert_eq!(asked.method.as_deref(), Some("tools/call"));
    // A message of an app is not a frame: neither a request nor an error of the server.
    assert!(!answer.error && answer.partner.is_none() && sent.partner.is_none());
    assert_eq!(log.detail(2).unwrap().dropped, 12);
    let said = String::from_utf8(log.body(1).unwrap().bytes().to_vec()).unwrap();
    assert!(!said.contains("hush"), "{said}");
    let (views, _) = views();
    let only = of_kinds(&[LogKind::App]);
    let state = views.open(&log, only);
    assert_eq!(shown(&views, &state), [1, 2]);
}

#[test]
fn findings_in_frames_are_counted_by_rule() {
    let log = log();
    log.begin_generation();
    let seq = received(&log, "{}");
    breaks(&log, seq, &[&rules::BAD_JSONRPC]);
    breaks(&log, seq, &[&rules::CRLF]);
    let found = |log: &WireLog| {
        log.with_found(|found| {
            let rules = found.by_rule.rules().map(|one| {
                let frames = one.kept.iter().map(|one| one.seq);
                (one.rule.id, one.count, frames.collect::<Vec<_>>())
            });
            (found.messages, rules.collect::<Vec<_>>())
        })
    };
    let both = [
        (rules::BAD_JSONRPC.id, 1, vec![1]),
        (rules::CRLF.id, 1, vec![1]),
    ];
    assert_eq!(found(&log), (1, both.to_vec()));
    // Cleared entries are gone until they are restored.
    let cleared = log.clear().unwrap();
    assert_eq!(found(&log), (0, vec![]));
    log.restore(cleared);
    assert_eq!(found(&log), (1, both.to_vec()));
    // Entries that turn out to be part of detection do not count, nor do those that follow.
    let probe = Label {
        cause: Some(Cause::Probe),
        ..Label::default()
    };
    relabel(&log, seq, probe);
    assert_eq!(found(&log), (1, vec![]));
    breaks(&log, seq, &[&rules::BAD_JSONRPC]);
    assert_eq!(found(&log), (1, vec![]));
    // Entries of an earlier connection say nothing about this one.
    let seq = received(&log, "{}");
    log.begin_generation();
    breaks(&log, seq, &[&rules::BAD_JSONRPC]);
    assert_eq!(found(&log), (0, vec![]));
}

#[test]
fn a_row_has_the_worst_severity_of_its_findings() {
    use sonde_findings::Severity;

    let log = log();
    let seq = received(&log, "{}");
    let (views, _) = views();
    let all = views.open(&log, LogFilter::default());
    let severity = || {
        let state = views.state(all.view).unwrap();
        let rows = views.rows(all.view, state.epoch, 0, 10).unwrap();
        rows.into_iter().next().unwrap().severity
    };
    assert_eq!(severity(), None);
    for (rule, worst) in [
        (&rules::CRLF, Severity::Info),
        (&rules::BAD_JSONRPC, Severity::Error),
        (&rules::CRLF, Severity::Error),
    ] {
        breaks(&log, seq, &[rule]);
        assert_eq!(severity(), Some(worst));
    }
    log.set_muted([rules::BAD_JSONRPC.id.to_owned()]);
    assert_eq!(severity(), Some(Severity::Info));
}

#[test]
fn a_muted_rule_marks_no_entry_until_it_is_heard_again() {
    let log = log();
    let broken = |rules: &[&'static Rule]| breaks(&log, received(&log, "{}"), rules);
    broken(&[&rules::BAD_JSONRPC]);
    broken(&[&rules::BAD_JSONRPC, &rules::BAD_ERROR]);
    let (views, _) = views();
    let with = |findings_only, rule: Option<&str>| LogFilter {
        findings_only,
        rule: rule.map(str::to_owned),
        ..LogFilter::default()
    };
    let all = views.open(&log, LogFilter::default());
    let marked = views.open(&log, with(true, None));
    let of_rule = views.open(&log, with(false, Some("bad-jsonrpc")));
    let seen = || {
        let state = views.state(all.view).unwrap();
        let rows = views.rows(all.view, state.epoch, 0, 10).unwrap();
        rows.into_iter()
            .map(|row| (row.findings, row.rule))
            .collect::<Vec<_>>()
    };
    let rule = |id: &str| Some(id.to_owned());
    let before = [(1, rule("bad-jsonrpc")), (2, rule("bad-jsonrpc"))];
    assert_eq!(seen(), before);
    log.set_muted(["bad-jsonrpc".to_owned()]);
    assert_eq!(seen(), [(0, None), (1, rule("bad-error"))]);
    let now = |view: &LogViewState| shown(&views, &views.state(view.view).unwrap());
    assert_eq!(now(&marked), [2]);
    assert_eq!(now(&of_rule), [1, 2], "it is still found by its rule");
    assert_eq!(log.detail(1).unwrap().findings.len(), 1);
    // The rule stays muted for new entries, and for cleared ones that are restored.
    broken(&[&rules::BAD_JSONRPC]);
    assert_eq!(now(&marked), [2]);
    let cleared = log.clear().unwrap();
    broken(&[&rules::BAD_JSONRPC]);
    log.restore(cleared);
    assert_eq!(now(&marked), [2]);
    log.set_muted([]);
    assert_eq!(now(&marked), [1, 2, 3, 4]);
    assert_eq!(seen()[..2], before);
}

#[test]
fn an_annotation_moves_an_entry_into_and_out_of_a_view() {
    let log = log();
    for n in 0..3 {
        received(&log, &format!("{{\"n\":{n}}}"));
    }
    let (views, _) = views();
    let view = views.open(&log, of_kinds(&[LogKind::Invalid]));
    assert_eq!(shown(&views, &view), [1, 2, 3]);
    let label = |kind| Label {
        kind: Some(kind),
        ..Label::default()
    };
    relabel(&log, Seq(2), label(MessageKind::Notification));
    let now = views.state(view.view).unwrap();
    assert_eq!(shown(&views, &now), [1, 3]);
    assert_ne!(now.epoch, view.epoch);
    assert_eq!(views.index(view.view, 2), Some(Some(1)));
    assert_eq!(views.index(view.view, 4), Some(None));
    relabel(&log, Seq(2), label(MessageKind::Invalid));
    assert_eq!(shown(&views, &views.state(view.view).unwrap()), [1, 2, 3]);
}

#[tokio::test]
async fn a_long_search_runs_in_the_background_and_stops_for_another_filter() {
    let log = log();
    for n in 0..40_000_u32 {
        let body = format!("{{\"n\":{n},\"fill\":\"{}\"}}", "x".repeat(200));
        received(&log, &body);
    }
    let woken = Arc::new(tokio::sync::Notify::new());
    let wake = woken.clone();
    let views = LogViews::new(Arc::new(move |_| wake.notify_one()), summarize);
    let first = views.open(&log, text("\"n\":1"));
    assert!(first.searching);
    let mut state = views.filter(first.view, text("\"n\":3999")).unwrap();
    assert!(state.searching);
    while state.searching {
        woken.notified().await;
        state = views.state(first.view).unwrap();
    }
    let expected: Vec<u64> = std::iter::once(3999)
        .chain(39_990..40_000)
        .map(|n| n + 1)
        .collect();
    assert_eq!(shown(&views, &state), expected);
    received(&log, "{\"n\":3999}");
    state = views.state(first.view).unwrap();
    assert!(!state.searching);
    assert_eq!(state.rows, expected.len() as u64 + 1);
}

#[test]
fn unlabelled_messages_tell_what_they_are() {
    let log = log();
    received(&log, r#"{"id":4,"method":"sampling/x"}"#);
    let row = log.row(1).unwrap();
    assert_eq!(row.kind, LogKind::Request);
    assert_eq!(
        (row.method.as_deref(), row.id.as_deref()),
        (Some("sampling/x"), Some("4"))
    );
}

#[test]
fn secrets_in_use_are_hidden_whatever_else_is_kept() {
    let log = log();
    let secret = |number: usize| SecretText::from(format!("secret-number-{number}."));
    log.set_secrets_in_use(vec![secret(1), secret(2)]);
    for number in 10..200 {
        log.keep_secret(secret(number));
    }
    assert!(!log.redact("secret-number-1.").contains("number"));
    assert!(!log.redact("secret-number-199.").contains("number"));
    assert!(log.redact("secret-number-10.").contains("number"));
    // A secret that is no longer in use becomes the newest of the others.
    log.set_secrets_in_use(vec![secret(2)]);
    for number in 200..231 {
        log.keep_secret(secret(number));
    }
    assert!(!log.redact("secret-number-1.").contains("number"));
    log.keep_secret(secret(231));
    assert!(log.redact("secret-number-1.").contains("number"));
    assert!(!log.redact("secret-number-2.").contains("number"));
}

#[test]
fn bodies_without_secrets_are_shared() {
    let log = log();
    log.set_secrets(Secrets {
        values: vec!["not-in-there".into()],
        headers: Vec::new(),
    });
    let body = Arc::new("{\"a\":1}".to_owned());
    let mut recorded = entry(Direction::In, EntryKind::Message, "");
    recorded.body = Body::Text(body.clone());
    log.record(recorded);
    let crate::document::DocumentBody::Text(kept) = log.body(1).unwrap() else {
        panic!()
    };
    assert!(Arc::ptr_eq(&kept, &body));
}

/// Returns everything that can leave the log.
fn everything(log: &Arc<WireLog>, last: u64) -> String {
    let (views, _) = views();
    let state = views.open(log, LogFilter::default());
    let mut all = format!("{log:?} {state:?} {views:?}");
    for seq in 1..=last {
        let row = log.row(seq).unwrap();
        let detail = log.detail(seq).unwrap();
        let body = log.body(seq).unwrap();
        let curl = log.curl(seq).unwrap();
        all.push_str(&format!("{row:?} {row:#?} {detail:?} {body:?} {curl:?}\n"));
        all.push_str(&serde_json::to_string(&(row, detail)).unwrap());
        all.push_str(&String::from_utf8_lossy(body.bytes()));
        all.push_str(&curl.unwrap_or_default());
    }
    all
}

proptest! {
    #[test]
    fn a_secret_never_leaves(
        secret in "[A-Z0-9/+=\"\\\\ é日%&?#@:_-]{7,24}",
        before in "\\PC{0,12}",
        after in "\\PC{0,12}",
    ) {
        let log = log();
        log.set_secrets(Secrets { values: vec![secret.clone().into()], headers: vec!["X-Mine".to_owned()] });
        let around = format!("{before}{secret}{after}");
        let json = serde_json::to_string(&around).unwrap();
        let encoded: String = around.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let header = |name: &str| Header { name: name.to_owned(), value: around.clone() };
        let heads = vec![header("Authorization"), header("X-Mine"), header("X-Other"), header("Location")];
        let mut all = vec![
            entry(Direction::In, EntryKind::Message, &json),
            entry(Direction::In, EntryKind::Message, &serde_json::to_string(&json).unwrap()),
            entry(Direction::In, EntryKind::Stderr, &around),
            entry(Direction::In, EntryKind::NonMessage, &around),
            entry(Direction::Out, EntryKind::Note(around.clone()), ""),
            entry(Direction::Out, EntryKind::Started { command: vec![around.clone()], pid: 1 }, ""),
            entry(Direction::Out, EntryKind::RequestHead { verb: Verb::Post, url: format!("https://h/{encoded}"), headers: heads.clone() }, &around),
            entry(Direction::In, EntryKind::ResponseHead { status: 1, version: "x", headers: heads }, ""),
        ];
        let mut raw = entry(Direction::In, EntryKind::NonMessage, "");
        raw.body = Body::Bytes([b"\xff", around.as_bytes()].concat().into());
        all.push(raw);
        let finding = Finding::new(&rules::INVALID_JSON).with("problem", &around);
        let label = Label { method: Some((*around).into()), id: Some((*json).into()), ..Label::default() };
        let mut last = 0;
        for mut entry in all {
            entry.exchange = Some(ExchangeId(1));
            entry.findings.push(finding.clone());
            let seq = log.record(entry);
            log.annotate(seq, Annotation { label: Some(label.clone()), findings: vec![finding.clone()] });
            last = seq.0;
        }
        let all = everything(&log, last);
        // Debug and JSON escape the secret in their own way.
        let mut spellings = vec![secret.clone(), serde_json::to_string(&secret).unwrap(), format!("{secret:?}")];
        for spelled in &mut spellings[1..] {
            *spelled = spelled[1..spelled.len() - 1].to_owned();
        }
        spellings.push(secret.bytes().map(|byte| format!("%{byte:02X}")).collect());
        for spelled in spellings {
            prop_assert!(!all.contains(&spelled), "{spelled} in {all}");
        }
        for seq in 1..=last {
            prop_assert!(log.detail(seq).unwrap().redacted);
        }
    }

    /// Asserts that a view that follows a log shows the same as filtering the whole log at the end.
    #[test]
    fn following_is_the_same_as_filtering_again(
        steps in prop::collection::vec((0_u8..9, 0_u64..30, 0_u8..4), 1..60),
        wanted in (0_u8..8, 0_u8..4),
        entries in 3_u64..20,
    ) {
        let log = WireLog::new("s".to_owned(), LogLimits { entries, bytes: 1 << 20 });
        let filter = match wanted.0 {
            0 => LogFilter::default(),
            1 => text(&format!("m{}", wanted.1)),
            2 => LogFilter { methods: vec![format!("m{}", wanted.1)], ..LogFilter::default() },
            3 => with_issues(),
            4 => LogFilter { grouped: true, ..LogFilter::default() },
            5 => LogFilter { kinds: vec![LogKind::Request], methods: vec!["m1".to_owned()], either: true, ..LogFilter::default() },
            6 => LogFilter { errors: true, ..LogFilter::default() },
            _ => LogFilter { kinds: vec![LogKind::Request], out: Some(true), ..LogFilter::default() },
        };
        let (views, _) = views();
        let view = views.open(&log, filter.clone()).view;
        let mut known = views.state(view).unwrap();
        let mut rows = shown(&views, &known);
        let mut cleared = None;
        for (step, seq, n) in steps {
            let method = format!("m{n}");
            match step {
                0..=1 => {
                    log.record(message(Direction::Out, MessageKind::Request, Some("1"), Some(&method)));
                }
                2 | 3 => {
                    received(&log, &method);
                }
                4 => log.annotate(Seq(seq), Annotation {
                    label: Some(Label { kind: Some(MessageKind::Response), method: Some((*method).into()), ..Label::default() }),
                    findings: vec![Finding::new(&rules::INVALID_JSON).with("problem", method)],
                }),
                // Equal to the previous one, so that they are grouped.
                7 => for seq in [seq, seq + 1, seq + 2] {
                    log.annotate(Seq(seq), Annotation {
                        label: Some(Label { kind: Some(MessageKind::Notification), method: Some((*method).into()), ..Label::default() }),
                        findings: Vec::new(),
                    });
                },
                5 => {
                    let state = views.state(view).unwrap();
                    let now = shown(&views, &state);
                    if state.epoch == known.epoch {
                        // Within an epoch, rows are only added at the end.
                        prop_assert_eq!(&now[..rows.len()], &rows[..]);
                    }
                    prop_assert_eq!(now.len() as u64, state.rows);
                    (known, rows) = (state, now);
                }
                8 => log.end_requests(None, LogNoResponse::Exited),
                _ if n == 0 => cleared = log.clear().or(cleared),
                _ => cleared.take().into_iter().for_each(|entries| log.restore(entries)),
            }
        }
        let followed = shown(&views, &views.state(view).unwrap());
        let again = shown(&views, &views.open(&log, filter));
        prop_assert_eq!(&followed, &again);
        for seq in 0..80 {
            let place = followed.iter().position(|known| *known >= seq);
            prop_assert_eq!(views.index(view, seq), Some(place.map(|place| place as u64)));
        }
    }
}

#[test]
fn what_the_server_hands_out_is_hidden_from_then_on() {
    let log = log();
    let body = "event: endpoint\ndata: /messages/?session_id=a%2Fb-0123456789&mode=streaming&s=1";
    let seq = log.record(entry(Direction::In, EntryKind::SseControl, body));
    let shown = match log.body(seq.0).unwrap() {
        crate::document::DocumentBody::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(shown.starts_with("event: endpoint\ndata: /messages/?session_id=‹secret "));
    assert!(shown.ends_with("&mode=streaming&s=1"), "{shown}");
    for text in [
        "http://h/messages/?session_id=a%2Fb-0123456789",
        "no such session: a/b-0123456789",
    ] {
        assert!(!log.redact(text).contains("0123456789"));
    }
    // Messages of the user reveal no secret of the server, and neither do other events.
    let other = body
        .replace("endpoint", "message")
        .replace("0123456789", "9876543210");
    log.record(entry(Direction::In, EntryKind::SseControl, &other));
    let own = body.replace("0123456789", "5555555555");
    log.record(entry(Direction::Out, EntryKind::SseControl, &own));
    assert_eq!(log.redact("a/b-9876543210"), "a/b-9876543210");
    assert_eq!(log.redact("a/b-5555555555"), "a/b-5555555555");

    let head = EntryKind::ResponseHead {
        status: 200,
        version: "HTTP/1.1",
        headers: vec![header("Mcp-Session-Id", "3f0c1d5e-77aa-4c1e")],
    };
    log.record(entry(Direction::In, head, ""));
    assert!(
        !log.redact("session 3f0c1d5e-77aa-4c1e is gone")
            .contains("77aa")
    );
    // The next connection has its own secrets.
    log.set_secrets(Secrets::default());
    assert_eq!(log.redact("a/b-0123456789"), "a/b-0123456789");
}

fn head(exchange: u64, verb: Verb) -> Entry {
    Entry {
        exchange: Some(ExchangeId(exchange)),
        ..entry(
            Direction::Out,
            EntryKind::RequestHead {
                verb,
                url: "http://h:1/mcp?x=1".to_owned(),
                headers: Vec::new(),
            },
            "",
        )
    }
}

fn response(exchange: u64, status: u16) -> Entry {
    Entry {
        exchange: Some(ExchangeId(exchange)),
        ..entry(
            Direction::In,
            EntryKind::ResponseHead {
                status,
                version: "HTTP/1.1",
                headers: Vec::new(),
            },
            "",
        )
    }
}

/// Records a notification of the server as the transport and then the session report it.
fn notified(log: &WireLog, method: &str, text: &str) -> u64 {
    notified_on(log, None, method, text)
}

fn notified_on(log: &WireLog, exchange: Option<u64>, method: &str, text: &str) -> u64 {
    let seq = log.record(Entry {
        exchange: exchange.map(ExchangeId),
        ..entry(Direction::In, EntryKind::Message, text)
    });
    let label = Label {
        kind: Some(MessageKind::Notification),
        method: Some(method.into()),
        ..Label::default()
    };
    relabel(log, seq, label);
    seq.0
}

fn grouped() -> LogFilter {
    LogFilter {
        grouped: true,
        ..LogFilter::default()
    }
}

#[test]
fn the_request_of_an_exchange_stands_for_its_http_frames() {
    let log = log();
    let (views, _) = views();
    let view = views.open(&log, grouped()).view;
    let now = || shown(&views, &views.state(view).unwrap());
    log.record(head(1, Verb::Post));
    assert_eq!(now(), [1]);
    let mut request = request("1", "ping");
    request.exchange = Some(ExchangeId(1));
    log.record(request);
    assert_eq!(now(), [2], "the message says more than its head");
    log.record(head(2, Verb::Get));
    log.record(response(1, 200));
    log.record(response(2, 405));
    let told = incoming(&log, MessageKind::Response, "1");
    assert_eq!(now(), [2, 3, told]);
    let state = views.state(view).unwrap();
    let rows = views.rows(view, state.epoch, 0, 10).unwrap();
    let group = rows[0].group.as_ref().unwrap();
    assert_eq!(
        (
            group.entries,
            group.http.as_deref(),
            group.status,
            group.open
        ),
        (3, Some("POST /mcp?x=1"), Some(200), false)
    );
    assert_eq!(rows[0].micros, rows[2].micros);
    assert_eq!(rows[1].group.as_ref().unwrap().status, Some(405));
    assert_eq!(rows[1].summary.as_deref(), Some("GET /mcp?x=1"));
    // In an open group, each entry has its own row.
    let open = views.open_group(view, 2, true).unwrap();
    assert_eq!(shown(&views, &open), [1, 2, 3, 4, told]);
    assert!(views.open_group(view, 4, false).is_some());
    assert_eq!(now(), [2, 3, told]);
    // With any other filter, no entry is left out.
    let http = LogFilter {
        kinds: vec![LogKind::Http],
        ..grouped()
    };
    assert_eq!(
        shown(&views, &views.filter(view, http).unwrap()),
        [1, 3, 4, 5]
    );
}

#[test]
fn a_request_that_is_sent_again_has_rows_of_its_own() {
    let log = log();
    let (views, _) = views();
    let view = views.open(&log, grouped()).view;
    let send = |header: &str| {
        let mut head = head(1, Verb::Post);
        if let EntryKind::RequestHead { headers, .. } = &mut head.kind {
            headers.push(Header {
                name: header.to_owned(),
                value: "1".to_owned(),
            });
        }
        log.record(head);
        let kind = MessageKind::Request;
        let request = message(Direction::Out, kind, Some("1"), Some("tools/call"));
        log.record(Entry {
            exchange: Some(ExchangeId(1)),
            ..request
        });
    };
    send("X-First");
    log.record(response(1, 401));
    send("X-Second");
    log.record(response(1, 200));
    let answer = incoming(&log, MessageKind::Response, "1");
    log.end_requests(None, LogNoResponse::Disconnected);
    log.mark_detection();
    let state = views.state(view).unwrap();
    let rows = views.rows(view, state.epoch, 0, 10).unwrap();
    let shown: Vec<_> = rows
        .iter()
        .map(|row| {
            let group = row.group.as_ref();
            let http = group.map(|group| (group.entries, group.status));
            (row.seq, http, row.no_response, row.error)
        })
        .collect();
    let sent_again = Some(LogNoResponse::SentAgain);
    assert_eq!(
        shown,
        [
            (2, Some((3, Some(401))), sent_again, false),
            (5, Some((3, Some(200))), None, false),
            (answer, None, None, false),
        ]
    );
    for seq in 1..=6 {
        let curl = log.curl(seq).unwrap().unwrap();
        assert_eq!(curl.contains("X-First"), seq < 4, "{seq}: {curl}");
    }
    // A request that is redirected goes on.
    log.record(head(2, Verb::Get));
    log.record(response(2, 307));
    log.record(head(2, Verb::Get));
    log.record(response(2, 200));
    let state = views.state(view).unwrap();
    let row = views.rows(view, state.epoch, 3, 10).unwrap().remove(0);
    let group = row.group.unwrap();
    assert_eq!((group.entries, group.status), (4, Some(200)));
}

#[test]
fn a_request_that_is_sent_again_is_known_after_an_undo() {
    for cleared_after in 1..=5 {
        let log = log();
        let request = || Entry {
            exchange: Some(ExchangeId(1)),
            ..message(
                Direction::Out,
                MessageKind::Request,
                Some("1"),
                Some("tools/call"),
            )
        };
        let entries = [
            head(1, Verb::Post),
            request(),
            response(1, 401),
            head(1, Verb::Post),
            request(),
            response(1, 200),
        ];
        let mut cleared = None;
        for (place, entry) in entries.into_iter().enumerate() {
            if place == cleared_after {
                cleared = log.clear();
            }
            log.record(entry);
        }
        log.restore(cleared.unwrap());
        log.end_requests(None, LogNoResponse::Disconnected);
        let why = [2, 5].map(|seq| log.row(seq).unwrap().no_response);
        let expected = [LogNoResponse::SentAgain, LogNoResponse::Disconnected];
        assert_eq!(why, expected.map(Some), "{cleared_after}");
    }
}

#[test]
fn a_notification_that_comes_again_is_one_row_that_counts() {
    let (views, _) = views();
    for exchange in [Some(7), None] {
        let log = log();
        let view = views.open(&log, grouped()).view;
        for n in 0..3 {
            notified_on(&log, exchange, "progress", &n.to_string());
        }
        let before = views.state(view).unwrap();
        assert_eq!(shown(&views, &before), [1]);
        notified_on(&log, exchange, "progress", "3");
        let state = views.state(view).unwrap();
        assert_eq!((state.changes, state.changed_from), (before.changes + 1, 0));
        let row = views.rows(view, state.epoch, 0, 1).unwrap().remove(0);
        let group = row.group.unwrap();
        assert_eq!((group.entries, group.shown, group.http), (4, 4, None));
        assert_eq!(row.summary.as_deref(), Some("Notification progress 3"));
    }
    let log = log();
    let view = views.open(&log, grouped()).view;
    for n in 0..4 {
        notified(&log, "progress", &n.to_string());
    }
    notified(&log, "other", "");
    notified(&log, "progress", "5");
    // An entry that breaks a rule is never hidden in a group.
    let odd = notified(&log, "progress", "6");
    breaks(&log, Seq(odd), &[&rules::BAD_JSONRPC]);
    assert_eq!(shown(&views, &views.state(view).unwrap()), [1, 5, 6, odd]);
}

#[test]
fn messages_of_another_level_and_what_breaks_a_rule_begin_a_group_of_their_own() {
    let log = log();
    let (views, _) = views();
    let view = views.open(&log, grouped()).view;
    let logged = |level: u8, findings: Vec<Finding>| {
        let seq = received(&log, "text");
        let label = Label {
            kind: Some(MessageKind::Notification),
            method: Some("log".into()),
            level: Some(level),
            ..Label::default()
        };
        let label = Some(label);
        log.annotate(seq, Annotation { label, findings });
        seq.0
    };
    let broken = || vec![Finding::new(&rules::BAD_JSONRPC)];
    let rows = [
        [logged(1, Vec::new()), logged(1, Vec::new())],
        [logged(4, Vec::new()), logged(4, Vec::new())],
        [logged(1, Vec::new()), logged(1, Vec::new())],
    ];
    let odd = logged(1, broken());
    let after = [logged(1, Vec::new()), logged(1, Vec::new())];
    let state = views.state(view).unwrap();
    let shown: Vec<_> = views
        .rows(view, state.epoch, 0, 10)
        .unwrap()
        .into_iter()
        .map(|row| (row.seq, row.group.map(|group| group.shown)))
        .collect();
    let mut expected = Vec::from(rows.map(|[first, last]| (first, Some(last))));
    expected.extend([(odd, None), (after[0], Some(after[1]))]);
    assert_eq!(shown, expected);
}

#[test]
fn a_group_goes_on_when_its_first_entries_are_dropped() {
    let log = limited(3, 1 << 20);
    let (views, _) = views();
    let view = views.open(&log, grouped()).view;
    for n in 0..10 {
        notified(&log, "progress", &n.to_string());
        let state = views.state(view).unwrap();
        let oldest = (n + 1_u64).saturating_sub(2).max(1);
        assert_eq!(shown(&views, &state), [oldest]);
        let row = views.rows(view, state.epoch, 0, 1).unwrap().remove(0);
        let entries = row.group.map_or(1, |group| group.entries);
        assert_eq!(u64::from(entries), (n + 1).min(3));
    }
}

#[test]
fn kinds_or_methods_and_levels_are_filtered() {
    let log = log();
    stderr(&log, "oops");
    for (method, level) in [("log", 3), ("log", 5), ("other", 7)] {
        let seq = notified(&log, method, &level.to_string());
        let label = Label {
            level: Some(level),
            ..Label::default()
        };
        relabel(&log, Seq(seq), label);
    }
    let (views, _) = views();
    let console = LogFilter {
        kinds: vec![LogKind::Stderr],
        methods: vec!["log".to_owned()],
        either: true,
        ..LogFilter::default()
    };
    let state = views.open(&log, console.clone());
    assert_eq!(shown(&views, &state), [1, 2, 3]);
    let severe = LogFilter {
        least_level: Some(4),
        ..console
    };
    let state = views.filter(state.view, severe).unwrap();
    assert_eq!(shown(&views, &state), [3]);
    assert_eq!(
        views.rows(state.view, state.epoch, 0, 1).unwrap()[0].level,
        Some(5)
    );
}

#[test]
fn log_messages_are_counted_by_level_and_found_by_logger() {
    let log = log();
    for (level, logger) in [(1, "db"), (4, "web"), (4, "db")] {
        let seq = received(&log, "3");
        let label = Label {
            kind: Some(MessageKind::Notification),
            method: Some("log".into()),
            level: Some(level),
            logger: Some(logger.into()),
            ambiguous: level == 1,
            ..Label::default()
        };
        relabel(&log, seq, label);
    }
    let (views, _) = views();
    let of = |logger: &str| LogFilter {
        logger: Some(logger.to_owned()),
        ..LogFilter::default()
    };
    let state = views.open(&log, of("db"));
    assert_eq!(shown(&views, &state), [1, 3]);
    assert_eq!(state.levels, [0, 1, 0, 0, 2, 0, 0, 0]);
    assert_eq!(state.loggers, ["db", "web"]);
    let rows = views.rows(state.view, state.epoch, 0, 2).unwrap();
    assert!(rows[0].ambiguous && !rows[1].ambiguous);
    for row in [&rows[0], &log.detail(1).unwrap().row] {
        assert_eq!((row.level, row.logger.as_deref()), (Some(1), Some("db")));
    }
    let cleared = log.clear();
    let state = views.filter(state.view, of("web")).unwrap();
    assert_eq!((state.rows, state.levels.iter().sum::<u64>()), (0, 0));
    drop(cleared);
}

#[test]
fn a_transcript_has_the_messages_of_one_operation() {
    let log = log();
    let own = |direction, kind, body: &str| {
        let label = Label {
            operation: Some(7),
            ..Label::default()
        };
        let entry = entry(direction, kind, body);
        log.record(Entry { label, ..entry })
    };
    let other = |kind, body: &str| log.record(entry(Direction::In, kind, body));
    other(EntryKind::Stderr, "before");
    let first = own(Direction::Out, EntryKind::Message, "{\"id\":1}");
    other(EntryKind::Message, "of another");
    other(EntryKind::Stderr, "meanwhile");
    let head = EntryKind::ResponseHead {
        status: 200,
        version: "HTTP/1.1",
        headers: vec![header("content-type", "text/plain")],
    };
    own(Direction::In, head, "");
    own(Direction::In, EntryKind::Message, "{\"result\":{}}");
    other(EntryKind::Stderr, "after");
    let text = log.transcript(7, first.0).unwrap();
    let mut lines = text.lines().map(|line| match line.split_once(" +") {
        Some((what, rest)) => format!("{what}{}", rest.split_once(" ms").unwrap().1),
        None => line.to_owned(),
    });
    let expected = [
        "→",
        "{\"id\":1}",
        "",
        "stderr",
        "meanwhile",
        "",
        "← HTTP/1.1 200",
        "content-type: text/plain",
        "",
        "←",
        "{\"result\":{}}",
        "",
    ];
    assert!(lines.by_ref().eq(expected), "{text}");
    assert_eq!(log.transcript(8, first.0), None);
    log.clear();
    assert_eq!(log.transcript(7, first.0), None);
}

#[test]
fn a_long_transcript_says_that_it_was_cut() {
    let log = log();
    let body = "ü".repeat(1 << 20);
    let label = Label {
        operation: Some(7),
        ..Label::default()
    };
    let entry = entry(Direction::Out, EntryKind::Message, &body);
    let first = log.record(Entry { label, ..entry });
    let text = log.transcript(7, first.0).unwrap();
    assert!(text.len() < (1 << 20) + 100 && text.ends_with("too long to be kept.\n"));
}
