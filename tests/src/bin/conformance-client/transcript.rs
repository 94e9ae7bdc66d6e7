//! Transcript of a session, for finding out why a scenario failed.

use anyhow::Result;
use sonde_client::{
    Connection,
    log::{LogHeader, WireLog},
};

/// Limit of the characters of a body.
const BODY: usize = 2_000;

/// Writes the steps of signing in and the wire log to standard error, which the suite keeps beside
/// its results. Secrets are fingerprints in both.
pub(crate) fn write(connection: &Connection) -> Result<()> {
    connection.read(|state| {
        for step in state.auth.iter().flat_map(|auth| &auth.steps) {
            eprintln!("# {} {:?}: {}", step.code, step.state, step.sentence);
        }
        let Some(details) = &state.session.connection else {
            return;
        };
        let (era, revision) = (details.facts.era, &details.facts.revision);
        eprintln!("= {:?}, {era:?}, {revision:?}", details.facts.transport);
        for one in &details.facts.detection {
            eprintln!("= {}", one.step.sentence);
        }
        for line in details.streams.lines().iter() {
            eprintln!("~ stream {}: {}", line.stream, line.sentence);
        }
    });
    let log = connection.log();
    log.entries().try_for_each(|seq| entry(log, seq))
}

fn entry(log: &WireLog, seq: u64) -> Result<()> {
    let detail = log.detail(seq)?;
    let way = if detail.row.out { '>' } else { '<' };
    let body = log.body(seq)?;
    let body = String::from_utf8_lossy(body.bytes());
    let body: String = body.chars().take(BODY).collect();
    let summary = detail.summary.unwrap_or_default();
    let headers = shown(&detail.headers).join(", ");
    let kind = detail.row.kind;
    eprintln!("{way} {seq} {kind:?} {summary} {headers} {body}");
    for finding in detail.findings {
        eprintln!("! {}: {}", finding.rule, finding.message);
    }
    Ok(())
}

/// Formats the headers that the protocol defines.
fn shown(headers: &[LogHeader]) -> Vec<String> {
    let known = headers.iter().filter(|header| {
        let name = header.name.to_ascii_lowercase();
        name.starts_with("mcp-") || name == "last-event-id"
    });
    known
        .map(|header| format!("{}: {}", header.name, header.value))
        .collect()
}
