//! Transcript of a session, to find out why a scenario failed.

use anyhow::Result;
use sonde_headless::Headless;
use sonde_ipc::{LogFilter, LogHeader, LogRow};

/// Characters of a body to show.
const BODY: usize = 2_000;

/// Writes the steps of signing in and the wire log to standard error, which the suite keeps beside
/// its results. Secrets are fingerprints in both.
pub(crate) async fn write(app: &Headless, server: &str) -> Result<()> {
    let state = app.state();
    if let Some(auth) = state.auth.get(server) {
        for step in &auth.steps {
            eprintln!("# {} {:?}: {}", step.code, step.state, step.sentence);
        }
    }
    if let Some(connection) = state.connections.get(server) {
        let (era, revision) = (connection.era, &connection.revision);
        eprintln!("= {:?}, {era:?}, {revision:?}", connection.transport);
        for step in &connection.detection {
            eprintln!("= {}", step.sentence);
        }
        for line in &connection.lines {
            eprintln!("~ stream {}: {}", line.stream, line.sentence);
        }
    }
    for row in app.log(server, LogFilter::default()).await? {
        entry(app, server, &row).await?;
    }
    Ok(())
}

async fn entry(app: &Headless, server: &str, row: &LogRow) -> Result<()> {
    let way = if row.out { '>' } else { '<' };
    let detail = app.backend().log_detail(server.to_owned(), row.seq).await;
    let detail = detail.map_err(sonde_headless::Error::from)?;
    let body = app.log_body(server, row.seq).await.unwrap_or_default();
    let body: String = String::from_utf8_lossy(&body).chars().take(BODY).collect();
    let summary = detail.summary.unwrap_or_default();
    let headers = shown(&detail.headers).join(", ");
    eprintln!(
        "{way} {} {:?} {summary} {headers} {body}",
        row.seq, row.kind
    );
    for finding in detail.findings {
        eprintln!("! {}: {}", finding.rule, finding.message);
    }
    Ok(())
}

/// The headers that the protocol knows.
fn shown(headers: &[LogHeader]) -> Vec<String> {
    let known = headers.iter().filter(|header| {
        let name = header.name.to_ascii_lowercase();
        name.starts_with("mcp-") || name == "last-event-id"
    });
    known
        .map(|header| format!("{}: {}", header.name, header.value))
        .collect()
}
