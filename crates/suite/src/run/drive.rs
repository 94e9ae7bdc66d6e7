//! One request from its start to its end, and what was recorded meanwhile.

use std::{collections::HashSet, time::Duration};

use serde_json::Value;
use sonde_client::{
    Connection, Error, Services, State,
    catalogs::CatalogKind,
    clock,
    log::LogKind,
    operations::{OperationNumber, OperationOutcome, OperationState},
    resource_subscriptions::SubscriptionState,
};
use sonde_findings::{Certainty, Severity, rules};
use sonde_validation::MAX_PROBLEMS;

use super::{
    answers::Answers,
    request::{input, output_schema, tool_key},
    session::Session,
};
use crate::{
    format::{CancelAfter, Step, Verb},
    observed::{
        End, Observed, ObservedFinding, ObservedLog, ObservedProgress, SchemaOutcome, UNCHECKED,
    },
};

/// Wait for lines and messages that arrive shortly after the response, for steps that judge them.
const SETTLE: Duration = Duration::from_millis(100);
/// Longest wait for a response after the cancellation, if the step expects one.
const LATE_RESULT_TIMEOUT: Duration = Duration::from_secs(2);
/// Longest wait for a subscription, or for a list.
const WAIT: Duration = Duration::from_secs(60);

/// Sends the request of a step and observes it. Its variables are replaced.
pub(super) async fn perform(step: &Step, session: &mut Session, services: &Services) -> Observed {
    let connection = session.connection.clone();
    let mut observed = Observed::default();
    let mut answers = Answers::new(&step.answers);
    let mut from = session.skip_seen();
    match &step.verb {
        Verb::List(kind) => list(*kind, &connection, &mut observed).await,
        Verb::Subscribe(uri) => subscribe(uri, &connection, &mut observed).await,
        _ => {
            if let Err(why) = check_arguments(step, &connection).await {
                observed.end = End::Lost(why);
                observed.is_complete = true;
                return observed;
            }
            if step.lost {
                let mut first = Answers::new(&step.answers);
                operation(step, &connection, &mut first, &mut Observed::default()).await;
                from = session.skip_seen();
            }
            operation(step, &connection, &mut answers, &mut observed).await;
            check_result(step, &connection, services, &mut observed).await;
        }
    }
    if step.expect.stderr.is_some() || !step.expect.logs.is_empty() {
        tokio::time::sleep(SETTLE).await;
    }
    observed.unused_answers = answers.unused();
    observed.unanswered = answers.unanswered;
    collect(step, session, from, &mut observed);
    observed
}

impl Session {
    /// Skips everything that is in the log. Returns the number of the next entry.
    fn skip_seen(&mut self) -> u64 {
        self.unseen = self.connection.log().entries().end;
        self.unseen
    }
}

/// Refuses arguments that the tool's schema does not permit, unless the step sends them anyway.
async fn check_arguments(step: &Step, connection: &Connection) -> Result<(), String> {
    let Verb::Call(name) = &step.verb else {
        return Ok(());
    };
    let Some(key) = tool_key(connection, name).filter(|_| !step.send_anyway) else {
        return Ok(());
    };
    let arguments = step
        .arguments
        .as_ref()
        .map_or("{}", |arguments| &arguments.value);
    let checked = connection
        .validate_arguments(key, arguments.to_owned())
        .await;
    let problems = match checked {
        Ok(check) => check.problems,
        Err(error) => return Err(format!("the arguments were not sent. {error}")),
    };
    let problems: Vec<_> = problems.iter().map(|problem| problem.words()).collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "the arguments were not sent, since the tool's schema refuses them ({}). `send-anyway: true` sends them",
            problems.join("; ")
        )),
    }
}

/// Runs an operation to its end, answers the server and cancels on the way.
async fn operation(
    step: &Step,
    connection: &Connection,
    answers: &mut Answers<'_>,
    observed: &mut Observed,
) {
    let started = connection.start_operation(input(step, connection)).await;
    let number = match started {
        Ok(number) => number,
        Err(error) => {
            observed.end = End::Lost(in_words(&error));
            return;
        }
    };
    let mut changes = connection.changes();
    let mut answered = HashSet::new();
    let mut cancelled = false;
    let cancel_at = match step.cancel {
        Some(CancelAfter::Time(time)) => Some(tokio::time::Instant::now() + time),
        _ => None,
    };
    loop {
        let open = connection.read(|state| {
            let open = state.server_requests.iter();
            open.filter(|request| !answered.contains(&request.number))
                .cloned()
                .collect::<Vec<_>>()
        });
        for request in open {
            answered.insert(request.number);
            let reply = answers.reply(&request);
            if let Err(error) = connection
                .answer_server_request(request.number, reply)
                .await
            {
                let words = format!("{} (its reply was not sent: {error})", request.method);
                answers.unanswered.push(words);
            }
        }
        let (finished, progress, is_sent) = connection.read(|state| {
            let record = state.operations.get(number);
            record.map_or((true, 0, false), |record| {
                let progress = record
                    .progress
                    .as_ref()
                    .map_or(0, |progress| progress.count);
                let is_sent = record.state != OperationState::Queued;
                (record.finished(), progress, is_sent)
            })
        });
        if finished {
            break;
        }
        let is_due = match step.cancel {
            Some(CancelAfter::Progress(count)) => progress >= u64::from(count),
            Some(CancelAfter::Time(_)) => {
                cancel_at.is_some_and(|at| at <= tokio::time::Instant::now())
            }
            None => false,
        };
        if is_due && is_sent && !cancelled {
            cancelled = true;
            let _ = connection.cancel_operation(number).await;
        }
        let waits = cancel_at.filter(|_| !cancelled);
        tokio::select! {
            _ = changes.changed() => {}
            () = until(waits) => {}
        }
    }
    if cancelled && step.expect.late_result.is_some() {
        let is_late = connection.wait_for(|state| {
            let record = state.operations.get(number)?;
            (record.answered_after_cancel || record.late > 0).then_some(())
        });
        let _ = tokio::time::timeout(LATE_RESULT_TIMEOUT, is_late).await;
    }
    observed.ended_before_cancel = step.cancel.is_some() && !cancelled;
    read_outcome(connection, number, observed);
}

/// Waits until a time; forever without one.
async fn until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn read_outcome(connection: &Connection, number: OperationNumber, observed: &mut Observed) {
    connection.read(|state| {
        let Some(record) = state.operations.get(number) else {
            observed.end = End::Lost("the run is no longer in the history".to_owned());
            return;
        };
        observed.duration = record.micros.map(Duration::from_micros);
        observed.late_result = record.answered_after_cancel || record.late > 0;
        let result = record.result.as_ref().map(|raw| raw.get().to_owned());
        observed.end = match &record.outcome {
            Some(OperationOutcome::Result { .. }) => End::Result(result.unwrap_or_default()),
            Some(OperationOutcome::ProtocolError {
                code,
                message,
                data,
                ..
            }) => End::RpcError {
                code: *code,
                message: message.clone(),
                data: data.clone(),
            },
            Some(OperationOutcome::Sent) => End::Sent,
            Some(OperationOutcome::Cancelled) => End::Cancelled,
            Some(OperationOutcome::BadShape { problem }) => End::Lost(problem.clone()),
            Some(OperationOutcome::TimedOut { hard: false }) => {
                End::TimedOut("The server was silent for longer than the timeout.".to_owned())
            }
            Some(OperationOutcome::TimedOut { hard: true }) => {
                End::TimedOut("It took longer than the limit on the whole duration.".to_owned())
            }
            Some(OperationOutcome::StoppedWaiting) | None => {
                End::Lost("nobody waits for it any more".to_owned())
            }
            Some(OperationOutcome::Lost { reason, .. }) => End::Lost(reason.clone()),
        };
    });
}

/// Checks `structuredContent` against the tool's output schema where an expectation needs that.
async fn check_result(
    step: &Step,
    connection: &Connection,
    services: &Services,
    observed: &mut Observed,
) {
    let (Verb::Call(name), End::Result(result)) = (&step.verb, &observed.end) else {
        return;
    };
    if step.expect.schema.is_none() && step.expect.findings.is_none() {
        return;
    }
    let Some(schema) = output_schema(connection, name) else {
        return;
    };
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    observed.schema = match result.get("structuredContent") {
        // A tool that reports a failure need not return structured content.
        None if result["isError"] == true => SchemaOutcome::NoSchema,
        None => SchemaOutcome::Invalid(vec!["structuredContent is missing".to_owned()]),
        Some(structured) => {
            let problems = services
                .validator
                .problems(schema, structured.to_string())
                .await;
            match problems {
                Err(error) => SchemaOutcome::Unchecked(error.to_string()),
                Ok(problems) => {
                    let violations = problems.iter().filter(|one| !one.is_of_format());
                    let words: Vec<_> = violations.map(|one| one.words()).collect();
                    if !words.is_empty() {
                        SchemaOutcome::Invalid(words)
                    } else if problems.len() < MAX_PROBLEMS {
                        SchemaOutcome::Valid
                    } else {
                        let why = "too many values are not of their format to see other problems";
                        SchemaOutcome::Unchecked(why.to_owned())
                    }
                }
            }
        }
    };
}

/// Reads a list to its end.
async fn list(kind: CatalogKind, connection: &Connection, observed: &mut Observed) {
    let began = clock::micros();
    // A reading or a schema check under way would also change the revision.
    let is_quiet = connection.wait_for(|state| {
        let catalog = state.catalogs.get(kind);
        let is_reading = catalog.is_some_and(|catalog| catalog.reading.is_some());
        (!is_reading && state.session.judging == 0).then_some(())
    });
    let _ = tokio::time::timeout(WAIT, is_quiet).await;
    let read = connection.read_catalog(kind);
    let listed = match tokio::time::timeout(WAIT, read).await {
        Ok(Ok(listed)) if listed.is_cut => {
            let why = "the list is not complete: its last pages were not read";
            observed.end = End::Lost(why.to_owned());
            return;
        }
        Ok(Ok(listed)) => listed,
        Ok(Err(error)) => {
            observed.end = End::Lost(in_words(&error));
            return;
        }
        Err(_) => {
            observed.end = End::TimedOut("The list did not end in time.".to_owned());
            return;
        }
    };
    observed.duration = Some(Duration::from_micros(clock::micros() - began));
    let items: Vec<_> = listed.items.iter().map(|item| item.raw.get()).collect();
    let text = format!(r#"{{"{}":[{}]}}"#, kind.member(), items.join(","));
    observed.end = End::Result(text);
    let of_items = listed.items.iter().flat_map(|item| &item.findings);
    let findings = listed.findings.iter().chain(of_items);
    let findings = findings.filter(|finding| counts(finding.rule.severity, finding.rule.certainty));
    observed
        .findings
        .extend(findings.map(|finding| ObservedFinding {
            rule: finding.rule.id.to_owned(),
            message: finding.message(),
        }));
}

/// Returns true if a finding with this severity and certainty makes `findings: none` fail.
fn counts(severity: Severity, certainty: Certainty) -> bool {
    severity != Severity::Info && certainty == Certainty::Fact
}

/// Subscribes to a resource and waits until the server has agreed.
async fn subscribe(uri: &str, connection: &Connection, observed: &mut Observed) {
    let began = clock::micros();
    if let Err(error) = connection.subscribe_resource(uri.to_owned()).await {
        observed.end = End::Lost(in_words(&error));
        return;
    }
    let agreed = connection.wait_for(|state| {
        let mut all = state.session.resource_subscriptions.iter();
        match &all.find(|one| one.uri == uri)?.state {
            SubscriptionState::Active => Some(Ok(())),
            SubscriptionState::Failed(why) => Some(Err(why.clone())),
            SubscriptionState::Pending | SubscriptionState::Ending => None,
        }
    });
    observed.end = match tokio::time::timeout(WAIT, agreed).await {
        Ok(Ok(())) => End::Result("{}".to_owned()),
        Ok(Err(why)) => End::Lost(why),
        Err(_) => End::TimedOut("The server did not agree in time.".to_owned()),
    };
    observed.duration = Some(Duration::from_micros(clock::micros() - began));
}

/// Reads the log entries of the step.
fn collect(step: &Step, session: &mut Session, from: u64, observed: &mut Observed) {
    let connection = session.connection.clone();
    let log = connection.log();
    let method = match &step.verb {
        Verb::List(kind) => Some(kind.method()),
        _ => None,
    };
    let mut pages = 0;
    let mut stderr = Vec::new();
    observed.is_complete = true;
    let to = session.skip_seen();
    for seq in from..to {
        let Ok(row) = log.row(seq) else {
            observed.is_complete = false;
            continue;
        };
        let body = || log.body(seq).ok().map(|body| body.bytes().to_vec());
        let params = || -> Option<Value> {
            let mut message: Value = serde_json::from_slice(&body()?).ok()?;
            Some(message["params"].take())
        };
        match (row.kind, row.method.as_deref()) {
            (LogKind::Request, Some(asked)) if row.out && Some(asked) == method => pages += 1,
            (LogKind::Notification, Some("notifications/progress")) if !row.out => {
                if let Some(mut params) = params() {
                    observed.progress.push(ObservedProgress {
                        progress: params["progress"].take(),
                        total: params.get("total").cloned(),
                        message: params["message"].as_str().map(str::to_owned),
                    });
                }
            }
            (LogKind::Notification, Some("notifications/message")) if !row.out => {
                if let Some(mut params) = params() {
                    observed.logs.push(ObservedLog {
                        level: params["level"].as_str().unwrap_or_default().to_owned(),
                        logger: params["logger"].as_str().map(str::to_owned),
                        data: params["data"].take(),
                    });
                }
            }
            (LogKind::Stderr, _) => {
                let line = body().unwrap_or_default();
                let line = String::from_utf8_lossy(&line);
                stderr.push(line.trim_end().to_owned());
            }
            _ => {}
        }
        if row.findings > 0
            && let Ok(detail) = log.detail(seq)
        {
            let findings = detail.findings.into_iter();
            let findings = findings.filter(|finding| counts(finding.severity, finding.certainty));
            observed
                .findings
                .extend(findings.map(|finding| ObservedFinding {
                    rule: finding.rule,
                    message: finding.message,
                }));
        }
    }
    let program = session.program_stderr();
    stderr.extend(program.lines);
    observed.is_complete &= !program.is_cut || step.expect.stderr.is_none();
    observed.stderr = session.has_stderr().then_some(stderr);
    if method.is_some() {
        observed.pages = Some(pages);
    }
    // Earlier protocol versions know no output schemas.
    if !connection.read(State::has_output_schemas) {
        return;
    }
    if let SchemaOutcome::Unchecked(why) = &observed.schema {
        observed.findings.push(ObservedFinding {
            rule: UNCHECKED.to_owned(),
            message: format!("The output schema could not be checked: {why}"),
        });
    }
    // The connection adds this finding shortly after the end of the run.
    let rule = &rules::NONCONFORMING_STRUCTURED_CONTENT;
    if let SchemaOutcome::Invalid(problems) = &observed.schema
        && !observed.findings.iter().any(|one| one.rule == rule.id)
    {
        observed.findings.push(ObservedFinding {
            rule: rule.id.to_owned(),
            message: problems.join("; "),
        });
    }
}

fn in_words(error: &Error) -> String {
    match error.detail() {
        Some(detail) => format!("{error} ({detail})"),
        None => error.to_string(),
    }
}
