//! Steps about the server's lists: all pages, the schemas, the hosts.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    examined::Examined,
    progress::{Progress, Verdict, since},
    step::{DiagnosisStepCode as Code, NO_TOOLS},
};
use crate::{
    catalogs::{Catalog, CatalogKind, Linted, Listed, SchemaCheck, definition},
    clock,
    sessions::SessionPhase,
};
use sonde_findings::{Certainty, Finding, Severity, rules};
use sonde_lint::{
    Judgement, Reason, Verdict as HostVerdict,
    hosts::{HostKind, hosts},
};

const KINDS: [(CatalogKind, &str); 5] = [
    (CatalogKind::Tools, "Tools"),
    (CatalogKind::Resources, "Resources"),
    (CatalogKind::ResourceTemplates, "Resource templates"),
    (CatalogKind::Prompts, "Prompts"),
    (CatalogKind::Skills, "Skills"),
];

/// Tools that are named for one reason.
const NAMED: usize = 3;

/// Reads all lists that the server declares, and judges them.
pub(super) async fn examine(progress: &Progress, examined: &Examined) {
    let connection = &examined.connection;
    progress.begin(
        Code::Lists,
        "Read all pages of all lists that the server declares.",
    );
    let began = clock::micros();
    // The tools are read by connecting.
    for (kind, _) in &KINDS[1..] {
        // A connection that is lost meanwhile shows in the lists that are missing.
        let _ = connection.open_catalog(*kind).await;
    }
    let is_read = |one: &Catalog| {
        !one.supported || (one.reading.is_none() && (one.revision > 0 || one.error.is_some()))
    };
    let all_read = connection.wait_for(|state| {
        let is_over = state.session.phase != SessionPhase::Ready;
        let mut catalogs = state.catalogs.iter();
        (is_over || catalogs.all(is_read))
            .then(|| state.catalogs.iter().cloned().collect::<Vec<Catalog>>())
    });
    let catalogs = all_read.await;
    let supported: Vec<_> = catalogs.iter().filter(|one| one.supported).collect();
    progress.end(Code::Lists, lists(&supported).took(since(began)));

    let tools = supported.iter().find(|one| one.kind == CatalogKind::Tools);
    if tools.is_none_or(|tools| tools.listed.items.is_empty()) {
        let why = match tools {
            Some(tools) if tools.revision == 0 => "The tools could not be read.",
            _ => NO_TOOLS,
        };
        progress.end(Code::Schemas, Verdict::not_evaluated(why));
        progress.end(Code::Hosts, Verdict::not_evaluated(why));
        return;
    }
    progress.begin(
        Code::Schemas,
        "Compile the input and output schema of each tool.",
    );
    let began = clock::micros();
    connection
        .wait_for(|state| (state.session.judging == 0).then_some(()))
        .await;
    let read = connection.read(|state| {
        let tools = state.catalogs.get(CatalogKind::Tools)?;
        Some((Arc::clone(&tools.listed), tools.schema_check().cloned()))
    });
    if let Some((listed, check)) = read {
        let verdict = schema_verdict(&listed, check.as_ref());
        progress.end(Code::Schemas, verdict.took(since(began)));
    }

    progress.begin(
        Code::Hosts,
        "Compare names and schemas with what hosts are known to demand.",
    );
    let began = clock::micros();
    let verdict = match connection.lint(Vec::new).await {
        Some(linted) => host_verdict(&linted),
        None => Verdict::not_evaluated("The list of tools is gone."),
    };
    progress.end(Code::Hosts, verdict.took(since(began)));
}

fn tools_of(count: usize) -> String {
    match count {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    }
}

/// Verdict on the schemas: whether they are there and compile, as far as they were checked.
fn schema_verdict(listed: &Listed, check: Option<&SchemaCheck>) -> Verdict {
    let tools = listed.items.len();
    let (mut unusable, mut fixes) = (Vec::new(), BTreeSet::new());
    for item in listed.items.iter() {
        for finding in &item.findings {
            if [&rules::INVALID_SCHEMA, &rules::MISSING_INPUT_SCHEMA].contains(&finding.rule) {
                unusable.push(format!("{}: {}", item.name, finding.message()));
                fixes.insert(finding.rule.fix.to_owned());
            }
        }
    }
    let looked_at = match check {
        Some(check) if check.judged == tools => None,
        Some(check) => Some((check.judged, check.left_out.clone())),
        None => Some((0, vec!["The check did not finish.".to_owned()])),
    };
    match (unusable.len(), looked_at) {
        (0, None) if listed.is_cut => Verdict::not_evaluated(format!(
            "The list is not complete. The schemas of the {} in it compile.",
            tools_of(tools)
        )),
        (0, None) => Verdict::pass(format!("The schemas of {} compile.", tools_of(tools))),
        (0, Some((judged, why))) => Verdict::not_evaluated(format!(
            "Of {}, the schemas of {judged} were judged, and they compile.",
            tools_of(tools)
        ))
        .detail(why),
        (count, looked_at) => {
            let (partly, why) = match looked_at {
                None => (String::new(), Vec::new()),
                Some((judged, why)) => {
                    let tools = tools_of(tools);
                    (format!(" Of {tools}, those of {judged} were judged."), why)
                }
            };
            let what = format!("Schemas that are missing or do not compile: {count}.{partly}");
            let verdict = Verdict::fail(what).fixes(fixes);
            verdict.detail(why).detail(unusable)
        }
    }
}

fn lists(catalogs: &[&Catalog]) -> Verdict {
    if catalogs.is_empty() {
        return Verdict::not_evaluated("The server declares no lists.");
    }
    let (mut read, mut problems, mut fixes) = (Vec::new(), Vec::new(), Vec::new());
    // Heuristic problems are only mentioned.
    let mut likely = Vec::new();
    for catalog in catalogs {
        let name = KINDS.iter().find(|(kind, _)| *kind == catalog.kind);
        let name = name.map_or("List", |(_, name)| name);
        let issues = catalog.listed.findings.iter();
        let issues = issues.filter(|one| one.rule.severity != Severity::Info);
        let (facts, heuristics): (Vec<&Finding>, Vec<&Finding>) =
            issues.partition(|one| one.rule.certainty == Certainty::Fact);
        if catalog.revision > 0 {
            read.push(format!("{name}: {}", catalog.listed.items.len()));
        }
        if let Some(error) = &catalog.error {
            problems.push(format!("{name}: {error}"));
        } else if catalog.revision == 0 {
            problems.push(format!("{name}: not read."));
        }
        let heuristics = heuristics.iter().map(|one| one.message());
        likely.extend(heuristics.map(|what| format!("Heuristic: {name}: {what}")));
        for finding in facts {
            problems.push(format!("{name}: {}", finding.message()));
            let fix = finding.rule.fix.to_owned();
            if !fixes.contains(&fix) {
                fixes.push(fix);
            }
        }
    }
    let read = match read.is_empty() {
        true => "No list could be read.".to_owned(),
        false => format!("{}.", read.join(", ")),
    };
    if problems.is_empty() {
        return Verdict::pass(read).detail(likely);
    }
    problems.extend(likely);
    if fixes.is_empty() {
        fixes.push("Check the responses to these requests in the wire log.".to_owned());
    }
    Verdict::fail(format!("{read} There are problems with the lists."))
        .fixes(fixes)
        .detail(problems)
}

/// Hosts that reject tools, with reasons for a few tools.
#[derive(Default)]
struct HostRejections {
    /// The hosts, each with what it rejects: the list, or a number of tools.
    hosts: Vec<String>,
    lines: Vec<String>,
    fixes: BTreeSet<String>,
}

impl HostRejections {
    fn add(&mut self, who: &str, reason: &Reason) {
        self.lines.push(format!("{who}: {}", reason.what));
        self.fixes.insert(reason.fix.clone());
    }
}

/// Returns the verdict on the hosts in which tools fail, with the reasons for a few tools. Heuristic limits are only
/// mentioned and never fail the step.
fn host_verdict(linted: &Linted) -> Verdict {
    let (mut sure, mut unsure) = (HostRejections::default(), HostRejections::default());
    // Directories do not run tools.
    let hosts = hosts().iter().enumerate();
    for (place, host) in hosts.filter(|(_, host)| host.kind != HostKind::Directory) {
        let Some(totals) = linted.lint.totals().get(place) else {
            continue;
        };
        for (verdict, into) in [
            (HostVerdict::Fails, &mut sure),
            (HostVerdict::MayFail, &mut unsure),
        ] {
            let is_one = |tool: &usize| {
                let verdicts = linted.lint.verdicts(*tool);
                verdicts.and_then(|all| all.get(place)) == Some(&verdict)
            };
            let tools: Vec<usize> = (0..linted.lint.len()).filter(is_one).collect();
            let counts = |one: &&Reason| one.verdict == verdict;
            let of_list = totals.list.iter().find(counts);
            let mut what: Vec<String> = of_list.iter().map(|_| "the list".to_owned()).collect();
            if !tools.is_empty() {
                what.push(tools_of(tools.len()));
            }
            if !what.is_empty() {
                into.hosts
                    .push(format!("{} ({})", host.name, what.join(", ")));
            }
            if let Some(reason) = of_list {
                into.add(&host.name, reason);
            }
            for tool in tools.into_iter().take(NAMED) {
                let Some(item) = linted.listed.items.get(tool) else {
                    continue;
                };
                let definition = definition(item);
                let judged = Judgement::new(host, linted.lint.server(), &definition);
                if let Some(reason) = judged.reasons.iter().find(counts) {
                    into.add(&format!("{}: {}", host.name, item.name), reason);
                }
            }
        }
    }
    let maybe: Vec<String> = match unsure.hosts.is_empty() {
        true => Vec::new(),
        false => {
            let first = format!("Heuristic: tools may fail in {}.", unsure.hosts.join(", "));
            let lines = unsure.lines.iter();
            let lines = lines.map(|line| format!("Heuristic: {line}"));
            std::iter::once(first).chain(lines).collect()
        }
    };
    if !sure.hosts.is_empty() {
        return Verdict::fail(format!("Tools fail in {}.", sure.hosts.join(", ")))
            .fixes(sure.fixes)
            .fix("Hosts shows all of them, each with its source.")
            .detail(sure.lines)
            .detail(maybe);
    }
    let tools = tools_of(linted.lint.len());
    let verdict = match linted.lint.without_shape() {
        _ if linted.listed.is_cut => Verdict::not_evaluated(format!(
            "The list is not complete. None of the {tools} in it fails in a host that is known."
        )),
        0 => Verdict::pass(format!(
            "None of the {tools} fails in a host that is known."
        )),
        count => Verdict::not_evaluated(format!(
            "Of {tools}, {count} have no input schema that can be judged. Nothing is known to fail with the others."
        )),
    };
    verdict.detail(maybe)
}
