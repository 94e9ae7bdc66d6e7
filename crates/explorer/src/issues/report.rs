//! Issues as Markdown, for a bug report.

use std::fmt::Write as _;

use sonde_findings::{Certainty, Severity};

use super::list::{IssueCase, IssueFilter, IssueRule, IssueSubject, ServerFindings};
use crate::{
    Error, Explorer,
    catalogs::CatalogKind,
    core::Core,
    log::WireLog,
    markdown::{code, fence, plain},
    servers::ServerId,
    text::{cut_bytes, visible},
};

/// Cases of a rule in a report.
const PER_RULE: usize = 20;
/// Bytes of the excerpt of a frame or a definition.
const EXCERPT: usize = 2_000;
/// Bytes of all excerpts.
const EXCERPTS: usize = 64 * 1024;

impl Explorer {
    /// Returns the issues of a server, of one rule or of one case, as Markdown for a bug report. Without a rule, muted
    /// rules and mere information are omitted. Secrets are replaced as in the wire log.
    ///
    /// # Errors
    /// `NotFound`, also where there is nothing to report.
    pub async fn issue_report(
        &self,
        server: ServerId,
        rule: Option<String>,
        case: Option<String>,
    ) -> Result<String, Error> {
        report(&self.core, &server, rule.as_deref(), case.as_deref())
    }
}

fn report(
    core: &Core,
    server: &str,
    rule: Option<&str>,
    case: Option<&str>,
) -> Result<String, Error> {
    let found = ServerFindings::of(core, server)?;
    let (name, revision) = about(core, server, &found.log);
    let filter = IssueFilter {
        muted: rule.is_some(),
        ..IssueFilter::default()
    };
    let mut rules = found.list(&filter, rule).rules;
    if rule.is_none() {
        rules.retain(|one| one.severity != Severity::Info);
    }
    if let Some(case) = case {
        for rule in &mut rules {
            rule.cases.retain(|one| one.id == case);
        }
        rules.retain(|rule| !rule.cases.is_empty());
    }
    if rules.is_empty() {
        return Err(Error::NotFound("This issue is no longer there."));
    }
    let mut text = format!("# Issues of {}\n\n", plain(&name));
    let _ = writeln!(
        text,
        "- Protocol version: {}",
        revision.map_or_else(|| "none negotiated".to_owned(), |one| code(&one))
    );
    let _ = writeln!(text, "- Found by: Sonde {}", env!("CARGO_PKG_VERSION"));
    let mut room = EXCERPTS;
    for rule in &rules {
        write_rule(&mut text, core, server, &found, rule, case, &mut room);
    }
    Ok(text)
}

/// Returns the name of the server, with its version by its own account, and the protocol version in use.
fn about(core: &Core, server: &str, log: &WireLog) -> (String, Option<String>) {
    core.state(|state| {
        let connection = state.connection(server);
        let identity = connection.and_then(|one| one.read(|state| state.session.identity.clone()));
        let named = identity.as_ref().and_then(|identity| {
            let name = identity.name.as_deref()?;
            Some(match &identity.version {
                Some(version) => format!("{name} {version}"),
                None => name.to_owned(),
            })
        });
        let listed = || {
            let entry = state.servers().get(server);
            entry.map(|entry| entry.config.name.clone())
        };
        let named = named.or_else(listed).unwrap_or_default();
        let revision = identity.map(|identity| identity.revision);
        (visible(&log.redact(&named)), revision)
    })
}

fn write_rule(
    text: &mut String,
    core: &Core,
    server: &str,
    found: &ServerFindings,
    rule: &IssueRule,
    case: Option<&str>,
    room: &mut usize,
) {
    let severity = match rule.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    };
    let certainty = match rule.certainty {
        Certainty::Fact => "fact",
        Certainty::Heuristic => "heuristic",
    };
    let _ = write!(
        text,
        "\n## {severity}: `{}` ({certainty})\n\n{}\n\n- Why it matters: {}\n- What to do: {}\n",
        rule.rule, rule.what, rule.why, rule.fix
    );
    if let Some(revisions) = &rule.revisions {
        let _ = writeln!(text, "- Applies to protocol versions: {revisions}");
    }
    if let Some(spec) = &rule.spec {
        let _ = writeln!(text, "- Specification: [{}]({})", spec.name, spec.url);
    }
    if case.is_none() {
        let _ = writeln!(text, "- Found: {}", times(rule.count));
    }
    for case in rule.cases.iter().take(PER_RULE) {
        write_case(text, core, server, found, case, room);
    }
    let told = rule.cases.len().min(PER_RULE) as u64;
    if case.is_none() && rule.count > told {
        let _ = writeln!(text, "\nand {} more.", rule.count - told);
    }
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn write_case(
    text: &mut String,
    core: &Core,
    server: &str,
    found: &ServerFindings,
    case: &IssueCase,
    room: &mut usize,
) {
    let (place, excerpt) = match &case.subject {
        IssueSubject::Frame { seq, method, .. } => (
            match method {
                Some(method) => format!("Entry {seq} of the wire log, {}", code(method)),
                None => format!("Entry {seq} of the wire log"),
            },
            frame(&found.log, *seq),
        ),
        IssueSubject::List { kind } => (format!("The list of {}", kind.noun()), None),
        IssueSubject::Item { kind, key } => (
            format!("{} {}", item_word(*kind), code(&found.log.redact(key))),
            definition(found, *kind, key),
        ),
        IssueSubject::Instructions => ("The instructions of the server".to_owned(), None),
        IssueSubject::Run {
            operation, target, ..
        } => {
            let connection = core.connection(server).ok();
            let response = connection
                .and_then(|one| one.read(|state| state.operations.get(*operation)?.response_seq));
            let target = target.as_deref().unwrap_or(server);
            (
                format!(
                    "The result of run {operation}, {}",
                    code(&found.log.redact(target))
                ),
                response.and_then(|seq| frame(&found.log, seq)),
            )
        }
    };
    let location = case
        .location
        .as_deref()
        .map(|place| found.log.redact(place));
    let location = location.map_or_else(String::new, |place| format!(", {}", code(&place)));
    let message = plain(&found.log.redact(&case.message));
    let _ = write!(text, "\n### {place}{location}\n\n{message}\n");
    let Some(excerpt) = excerpt.filter(|excerpt| !excerpt.is_empty()) else {
        return;
    };
    let shown = cut_bytes(&excerpt, EXCERPT.min(*room));
    *room -= shown.len();
    if shown.is_empty() {
        return;
    }
    let cut = if shown.len() < excerpt.len() {
        "…"
    } else {
        ""
    };
    let fence = fence(shown);
    let language = if shown.starts_with(['{', '[']) {
        "json"
    } else {
        "text"
    };
    let _ = write!(text, "\n{fence}{language}\n{shown}{cut}\n{fence}\n");
}

/// The body of a frame as it is stored, or its head: without secrets.
fn frame(log: &WireLog, seq: u64) -> Option<String> {
    let body = log.body(seq).ok()?;
    let bytes = body.bytes();
    if bytes.is_empty() {
        let detail = log.detail(seq).ok()?;
        let headers = detail.headers.iter();
        let headers = headers.map(|header| format!("{}: {}", header.name, header.value));
        let head: Vec<_> = detail.summary.into_iter().chain(headers).collect();
        return Some(head.join("\n"));
    }
    // Only a small part of it is shown.
    let bytes = &bytes[..bytes.len().min(2 * EXCERPT)];
    Some(lines(&String::from_utf8_lossy(bytes)))
}

fn definition(found: &ServerFindings, kind: CatalogKind, key: &str) -> Option<String> {
    let (_, listed, _) = found.lists.iter().find(|(one, ..)| *one == kind)?;
    let (_, item) = listed.item(listed.place(key)?)?;
    // Redact before cutting: a secret that is cut in half would stay visible.
    Some(lines(&found.log.redact(item.raw.get())))
}

/// Makes control characters visible, except line breaks.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(visible).collect();
    lines.join("\n")
}

fn item_word(kind: CatalogKind) -> &'static str {
    match kind {
        CatalogKind::Tools => "Tool",
        CatalogKind::Resources => "Resource",
        CatalogKind::ResourceTemplates => "Resource template",
        CatalogKind::Prompts => "Prompt",
        CatalogKind::Skills => "Skill",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_wrote_stays_text() {
        for (text, shown) in [
            ("The `id` is 1.5.", "The `id` is 1.5."),
            ("<img src=x> *a* @all", r"\<img src=x\> \*a\* \@all"),
            // A backtick of the server leaves another one unpaired.
            ("`a`b`: <b>", r"`a`b\`: \<b\>"),
            ("![a](http://x)", r"\!\[a\](http://x)"),
        ] {
            assert_eq!(plain(text), shown);
        }
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``"), "``` a`` ```");
        assert_eq!(fence("{}"), "```");
        assert_eq!(fence("a ```` b"), "`````");
    }
}
