//! Every rule has a server that breaks it, where the rule must be found, and one that does the same without breaking
//! it, where it must not.
//!
//! `SONDE_RULE=id,id cargo test … --test rules` plays only those rules.
//!
//! Needs the scripted process beside the tests: `cargo build -p sonde-tests --bins`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod asked;
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
mod tasks;

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, stream};
use sonde_findings::rules;
use sonde_tests::flaky;

use crate::play::Case;

/// Limit of the servers that are played at the same time; each waits most of the time.
const AT_ONCE: usize = 8;

const CHANGES: &str = "a_definition_that_changed_is_found_until_it_is_accepted_which_can_be_undone";
const DEFINITIONS: &str = include_str!("../explorer/definitions.rs");

/// Rules without a case, each with its own test and the file of the test.
const ELSEWHERE: [(&str, &str, &str); 4] = [
    // What was accepted is compared over restarts of the app.
    ("definition-changed", CHANGES, DEFINITIONS),
    ("instructions-changed", CHANGES, DEFINITIONS),
    // A thousand pages, with a pause before most.
    (
        "too-many-pages",
        "an_endless_list_is_cut",
        include_str!("../../../crates/mcp/src/catalog/pages.rs"),
    ),
    // Sonde asks for log messages with every operation.
    (
        "unrequested-log",
        "messages_that_belong_to_no_subscription_and_a_stream_that_may_be_buffered_are_found",
        include_str!("../../../crates/mcp/src/session/tests/stateless_streams.rs"),
    ),
];

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

modules! { frames http processes lists results asked tasks hosts extensions limits authorization }

#[test]
fn every_rule_has_a_case() {
    let known: BTreeSet<&str> = rules::all().map(|rule| rule.id).collect();
    let cases: BTreeSet<&str> = cases().iter().map(|case| case.rule).collect();
    for (rule, test, file) in ELSEWHERE {
        let body = file.split_once(&format!("fn {test}()"));
        let (_, rest) = body.unwrap_or_else(|| panic!("there is no {test}"));
        let body = rest.split("fn ").next().unwrap_or_default();
        assert!(
            body.contains(&format!("\"{rule}\"")),
            "{test} has no {rule}"
        );
    }
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|one| one.0).collect();
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
