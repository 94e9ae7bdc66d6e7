//! Every rule is found where it is broken and not where it is kept: beside its judge, or here, between a server that
//! breaks it and one that does the same without breaking it.
//!
//! `SONDE_RULE=id,id cargo test … --test rules` plays only those rules.
//!
//! Needs the scripted process beside the tests: `cargo build -p sonde-tests --bins`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod authorization;
mod extensions;
mod frames;
mod hosts;
mod http;
mod limits;
mod lists;
mod play;
mod processes;
mod results;
mod server;

use std::{collections::BTreeSet, path::Path};

use futures_util::{StreamExt as _, stream};
use sonde_findings::rules;
use sonde_tests::flaky;

use crate::play::Case;

/// Limit of the servers that are played at the same time; each waits most of the time.
const AT_ONCE: usize = 8;

/// Rules without a case, with the file whose tests find them. The same tests, or those of the sound ways beside them
/// (`tasks.rs`, `opening.rs`), see that they are not found where they are kept.
const ELSEWHERE: &str = "
crates/findings/src/findings.rs: more-findings
crates/wire/tests/sse.rs: sse-bad-retry sse-field-cut sse-id-nul sse-unknown-field
crates/mcp/src/completion.rs: bad-completion bad-completion-value completion-more completion-total
crates/mcp/src/completion.rs: long-completion-value too-many-completions
crates/mcp/src/elicitation_check.rs: bad-form-default credentials-in-url punycode-host secret-in-form url-in-form
crates/mcp/src/operation/outcome.rs: bad-contents bad-messages
crates/mcp/src/protocol/handshake/initialize.rs: bad-capabilities bad-instructions bad-server-info
crates/mcp/src/protocol/stateless/discovery.rs: bad-cache-hints misplaced-server-info
crates/mcp/src/server_request_check.rs: bad-elicitation-url insecure-elicitation-url missing-elicitation-id
crates/mcp/src/server_request_check.rs: bad-sampling-message bad-sampling-messages missing-max-tokens undeclared-context
crates/mcp/src/server_request_check.rs: mixed-tool-results unanswered-tool-use unknown-tool-use
crates/mcp/src/trust.rs: bidirectional-controls comment-in-description html-in-description instruction-like-text
crates/mcp/src/catalog/annotations.rs: bad-last-modified
crates/mcp/src/catalog/app.rs: app-bad-meta app-flat-uri app-visibility
crates/mcp/src/catalog/judge.rs: bad-annotation bad-icon insecure-icon invalid-uri odd-icon
crates/mcp/src/catalog/judge.rs: contradicting-hints missing-description secret-param-header tool-name-format
crates/mcp/src/catalog/pages.rs: bad-cursor empty-cursor many-pages no-new-items repeated-cursor too-many-pages
crates/mcp/src/catalog/pages.rs: list-too-large list-too-long not-an-object skill-name-twice
crates/mcp/src/catalog/pages.rs: different-cache-scopes duplicate-name duplicate-skill duplicate-uri duplicate-uri-template
crates/mcp/src/catalog/prompt.rs: bad-argument
crates/mcp/src/catalog/resource.rs: bad-uri bad-uri-template invalid-uri-template missing-uri missing-uri-template
crates/mcp/src/catalog/schema.rs: external-ref impossible-default unknown-dialect
crates/mcp/src/catalog/skill.rs: skill-dynamic skill-files skill-format skill-frontmatter skill-too-large skill-uri
crates/mcp/src/catalog/tool.rs: bad-name bad-schema bad-task-support bad-type missing-input-schema missing-name
crates/mcp/src/catalog/tool.rs: schema-not-object
crates/mcp/src/session/judge.rs: accepted-with-body bad-meta-key bad-ping bad-result-type bad-trace-context
crates/mcp/src/session/judge.rs: hints-on-input-required long-error-message missing-method missing-result-type
crates/mcp/src/session/judge.rs: no-contents not-accepted not-found-code
crates/mcp/src/session/task_inputs.rs: too-many-inputs
crates/mcp/src/session/tests/declared.rs: undeclared-capability
crates/mcp/src/session/tests/hostile_tasks.rs: bad-task-member bad-task-status failed-task-with-result misplaced-task
crates/mcp/src/session/tests/hostile_tasks.rs: missing-related-task missing-task-member missing-task-payload
crates/mcp/src/session/tests/hostile_tasks.rs: poll-interval-bounded reused-task-id task-not-created task-not-found
crates/mcp/src/session/tests/hostile_tasks.rs: task-not-working-first task-result-type unasked-task wrong-task-id
crates/mcp/src/session/tests/http.rs: bad-listener-response late-session-id unrelated-progress
crates/mcp/src/session/tests/lists.rs: list-changes-too-often
crates/mcp/src/session/tests/malformed.rs: bad-id batch-not-allowed id-too-long invalid-json invalid-message
crates/mcp/src/session/tests/malformed.rs: notification-with-id reused-request-id secret-in-log
crates/mcp/src/session/tests/malformed.rs: undeclared-list-changed undeclared-logging
crates/mcp/src/session/tests/malformed.rs: unknown-request-cancelled unknown-response-id
crates/mcp/src/session/tests/opening.rs: bad-protocol-version early-message
crates/mcp/src/session/tests/operations.rs: bad-content bad-is-error bad-log-level bad-progress duplicate-response
crates/mcp/src/session/tests/operations.rs: falling-progress late-progress late-response progress-token-type
crates/mcp/src/session/tests/operations.rs: response-id-type unknown-progress-token
crates/mcp/src/session/tests/other_tasks.rs: bad-result
crates/mcp/src/session/tests/recovery.rs: duplicate-event-id response-on-listener unprimed-stream
crates/mcp/src/session/tests/resource_subscriptions.rs: unsubscribed-update
crates/mcp/src/session/tests/server_requests.rs: forbidden-error-code missing-elicitations unknown-elicitation
crates/mcp/src/session/tests/stateless.rs: unnamed-versions
crates/mcp/src/session/tests/stateless_operations.rs: invalid-x-mcp-header request-in-stateless-era
crates/mcp/src/session/tests/stateless_streams.rs: acknowledged-too-much misplaced-notification
crates/mcp/src/session/tests/stateless_streams.rs: not-acknowledged-first unknown-cancellation unrequested-log
crates/mcp/src/session/tests/stateless_streams.rs: wrong-subscription-id
crates/mcp/src/session/tests/tasks.rs: reused-input-key task-changed-after-end unknown-task
crates/lint/src/across.rs: alike-names duplicate-description looks-like-other-tool names-other-tool
crates/lint/src/clarity.rs: boilerplate-description changes-by-name dispatcher-parameter large-definition
crates/lint/src/clarity.rs: undescribed-parameter vague-description
crates/lint/src/lint/tests.rs: costly-list host-array-without-items host-boolean-schema host-name-characters
crates/lint/src/lint/tests.rs: host-name-length host-root-keyword may-fail-in-host
crates/client/src/operations/prompt.rs: bad-prompt-message missing-message-member prompt-content-array
crates/client/src/operations/summary_tests.rs: audio-too-new bad-structured-content missing-text other-media
crates/client/src/operations/summary_tests.rs: resource-link-too-new text-and-blob unexplained-error
crates/client/src/skills/verify.rs: skill-digest skill-frontmatter-differs skill-no-frontmatter skill-size
crates/client/src/skills/verify.rs: skill-unlisted-file
crates/explorer/src/apps/resource.rs: app-csp-source app-no-content app-not-html
tests/tests/explorer/definitions.rs: definition-changed instructions-changed
tests/tests/explorer/hosts.rs: host-too-many-tools
tests/tests/http.rs: body-not-a-message http-not-a-message no-content-type partial-body sse-incomplete-event
tests/tests/orphans.rs: slow-exit
tests/tests/stdio.rs: blank-line bom crlf invalid-utf8 missing-newline not-a-message oversized partial-line
tests/tests/transports.rs: binary-frame no-subprotocol
";

/// Defines a test for the cases of each module, and a list of all cases.
macro_rules! modules {
    ($($module:ident)*) => {
        fn cases() -> Vec<Case> {
            [$($module::cases()),*].into_iter().flatten().collect()
        }

        mod each_rule_is_found_where_it_is_broken_and_not_where_it_is_kept {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $module() {
                    super::play_all(crate::$module::cases).await;
                }
            )*
        }
    };
}

modules! { frames http processes lists results hosts extensions limits authorization }

#[test]
fn every_rule_has_a_case() {
    let known: BTreeSet<&str> = rules::all().map(|rule| rule.id).collect();
    let cases: BTreeSet<&str> = cases().iter().map(|case| case.rule).collect();
    let mut elsewhere = BTreeSet::new();
    for line in ELSEWHERE.trim().lines() {
        let (file, rules) = line.split_once(": ").unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let tests = text
            .split_once("#[cfg(test)]")
            .map_or(&*text, |(_, tests)| tests);
        // Neither the names of functions nor comments count.
        let words: BTreeSet<&str> = tests
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .flat_map(|line| {
                line.split(|one: char| !one.is_ascii_alphanumeric() && !"-_".contains(one))
            })
            .collect();
        for rule in rules.split(' ') {
            assert!(words.contains(rule), "{file} has no {rule}");
            assert!(elsewhere.insert(rule), "{rule} is listed twice");
        }
    }
    let missing: Vec<_> = known
        .difference(&cases)
        .filter(|rule| !elsewhere.contains(**rule))
        .collect();
    assert!(missing.is_empty(), "no case of {missing:?}");
    let odd: Vec<_> = cases
        .union(&elsewhere)
        .filter(|rule| !known.contains(**rule))
        .collect();
    assert!(odd.is_empty(), "no such rules: {odd:?}");
    let both: Vec<_> = cases.intersection(&elsewhere).collect();
    assert!(both.is_empty(), "there is a case of {both:?}");
}

async fn play_all(cases: fn() -> Vec<Case>) {
    let only = std::env::var("SONDE_RULE").ok();
    let wanted = |rule: &str| {
        let only = only.as_deref();
        only.is_none_or(|only| only.split(',').any(|one| one == rule))
    };
    let plays = cases()
        .into_iter()
        .enumerate()
        .filter(|(_, case)| wanted(case.rule))
        .flat_map(|(at, case)| [(at, true), (at, false)].map(|which| (which, case.rule)));
    let played = stream::iter(plays).map(async |((at, is_broken), rule)| {
        Some(((at, is_broken), rule, wrong(cases, at, is_broken).await?))
    });
    let failed: Vec<_> = played
        .buffer_unordered(AT_ONCE)
        .filter_map(async |failed| failed)
        .collect()
        .await;
    let mut red = Vec::new();
    for ((at, is_broken), rule, first) in failed {
        // Once more, when nothing else runs.
        match wrong(cases, at, is_broken).await {
            Some(again) => red.push(again),
            None => flaky::report(&format!("{rule}::broken-{is_broken}"), &first),
        }
    }
    assert!(red.is_empty(), "{}:\n{}", red.len(), red.join("\n"));
}

/// Plays a server of the case at this place. Returns the problem, if there is one.
async fn wrong(cases: fn() -> Vec<Case>, at: usize, is_broken: bool) -> Option<String> {
    let case = cases().swap_remove(at);
    let play = if is_broken { case.broken } else { case.sound };
    let rule = case.rule;
    let found = match tokio::spawn(play).await {
        Ok(found) => found,
        Err(error) => return Some(format!("{rule}, broken: {is_broken}: {error}")),
    };
    (found.contains(rule) != is_broken).then(|| match is_broken {
        true => format!("{rule} is not found where it is broken, but {found:?}"),
        false => format!("{rule} is found where it is kept"),
    })
}
