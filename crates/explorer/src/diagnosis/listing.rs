//! What the server lists: all pages, the schemas, the hosts.

use std::{collections::BTreeMap, sync::Arc};

use sonde_findings::{Finding, Severity, rules};
use sonde_lint::{
    Verdict as HostVerdict,
    hosts::{HostKind, hosts},
};
use tokio::sync::Notify;

use super::{
    progress::{Progress, Verdict, since},
    step::DiagnosisStepCode as Code,
};
use crate::{
    Explorer,
    catalogs::{Catalog, CatalogKind, Linted, definition, lint_tools},
    clock,
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

/// Reads all lists that the server declares, and judges what is in them.
pub(super) async fn examine(progress: &Progress, explorer: &Explorer, wake: &Notify) {
    let server = progress.server.clone();
    progress.begin(
        Code::Lists,
        "Read all pages of all lists that the server declares.",
    );
    let began = clock::micros();
    // The tools are read by connecting.
    for (kind, _) in &KINDS[1..] {
        // A connection that is lost meanwhile shows in the lists that are missing.
        let _ = explorer.open_catalog(server.clone(), *kind).await;
    }
    let catalogs = loop {
        let ready = explorer.core.ready(&server).is_ok();
        let catalogs: Vec<Catalog> =
            explorer.read(|state| state.catalogs().of(&server).cloned().collect());
        let is_read = |one: &Catalog| {
            !one.supported || (!one.loading && (one.revision > 0 || one.error.is_some()))
        };
        if !ready || catalogs.iter().all(is_read) {
            break catalogs;
        }
        wake.notified().await;
    };
    let supported: Vec<_> = catalogs.iter().filter(|one| one.supported).collect();
    progress.end(Code::Lists, lists(&supported).took(since(began)));

    let tools = supported.iter().find(|one| one.kind == CatalogKind::Tools);
    if tools.is_none_or(|tools| tools.listed.items.is_empty()) {
        let why = "There are no tools.";
        progress.end(Code::Schemas, Verdict::not_evaluated(why));
        progress.end(Code::Hosts, Verdict::not_evaluated(why));
        return;
    }
    progress.begin(
        Code::Schemas,
        "Compile the input and output schema of each tool.",
    );
    let began = clock::micros();
    let judging =
        || explorer.read(|state| state.session(&server).is_some_and(|one| one.judging > 0));
    while judging() {
        wake.notified().await;
    }
    let listed = explorer.read(|state| {
        let tools = state.catalogs().get(&server, CatalogKind::Tools);
        tools.map(|tools| Arc::clone(&tools.listed))
    });
    if let Some(listed) = listed {
        let mut invalid = Vec::new();
        for item in listed.items.iter() {
            let of_item = item.findings.iter();
            let problems = of_item.filter(|one| one.rule.id == rules::INVALID_SCHEMA.id);
            invalid.extend(problems.map(|one| format!("{}: {}", item.name, one.message())));
        }
        let verdict = match invalid.len() {
            0 => Verdict::pass(format!(
                "The schemas of {} compile.",
                tools_of(listed.items.len())
            )),
            count => Verdict::fail(format!("{count} of the schemas do not compile."))
                .fix(rules::INVALID_SCHEMA.fix)
                .detail(invalid),
        };
        progress.end(Code::Schemas, verdict.took(since(began)));
    }

    progress.begin(
        Code::Hosts,
        "Compare names and schemas with what hosts are known to demand.",
    );
    let began = clock::micros();
    let verdict = match lint_tools(&explorer.core, &server).await {
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

fn lists(catalogs: &[&Catalog]) -> Verdict {
    if catalogs.is_empty() {
        return Verdict::not_evaluated("The server declares no lists.");
    }
    let (mut read, mut problems, mut fixes) = (Vec::new(), Vec::new(), Vec::new());
    for catalog in catalogs {
        let name = KINDS.iter().find(|(kind, _)| *kind == catalog.kind);
        let name = name.map_or("List", |(_, name)| name);
        let errors: Vec<&Finding> = catalog
            .listed
            .findings
            .iter()
            .filter(|one| one.rule.severity != Severity::Info)
            .collect();
        if catalog.revision > 0 {
            read.push(format!("{name}: {}", catalog.listed.items.len()));
        }
        if let Some(error) = &catalog.error {
            problems.push(format!("{name}: {error}"));
        } else if catalog.revision == 0 {
            problems.push(format!("{name}: not read."));
        }
        for finding in errors {
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
        return Verdict::pass(read);
    }
    if fixes.is_empty() {
        fixes.push("Check the responses to these requests in the wire log.".to_owned());
    }
    Verdict::fail(format!("{read} There are problems with the lists."))
        .fixes(fixes)
        .detail(problems)
}

/// In which hosts how many tools fail, with the reasons for a few of them.
fn host_verdict(linted: &Linted) -> Verdict {
    let (mut failing, mut detail) = (Vec::new(), Vec::new());
    let mut fixes: BTreeMap<&str, ()> = BTreeMap::new();
    for (index, host) in hosts().iter().enumerate() {
        let Some(totals) = linted.lint.totals().get(index) else {
            continue;
        };
        // A directory runs nothing.
        if totals.fails == 0 || host.kind == HostKind::Directory {
            continue;
        }
        failing.push(format!(
            "{} ({})",
            host.name,
            tools_of(totals.fails as usize)
        ));
        let tools = (0..linted.lint.len()).filter(|tool| {
            let verdicts = linted.lint.verdicts(*tool);
            verdicts.and_then(|all| all.get(index)) == Some(&HostVerdict::Fails)
        });
        for tool in tools.take(NAMED) {
            let Some(item) = linted.listed.items.get(tool) else {
                continue;
            };
            let definition = definition(item);
            let judged = sonde_lint::Judgement::new(host, linted.lint.server(), &definition);
            if let Some(reason) = judged.reasons.first() {
                detail.push(format!("{}: {}: {}", host.name, item.name, reason.what));
                fixes.insert(reason.fix, ());
            }
        }
    }
    if failing.is_empty() {
        return Verdict::pass(format!(
            "None of the {} fails in a host that is known.",
            tools_of(linted.lint.len())
        ));
    }
    Verdict::fail(format!("Tools fail in {}.", failing.join(", ")))
        .fixes(fixes.into_keys().map(str::to_owned))
        .fix("Hosts shows all of them, each with its source.")
        .detail(detail)
}
