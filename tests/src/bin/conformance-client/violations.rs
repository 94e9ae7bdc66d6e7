//! Violations of the suite's servers, which the client must find exactly.

use anyhow::{Result, ensure};
use sonde_client::Connection;
use sonde_findings::Severity;

use crate::Task;

/// True for the only unintended violation of the suite's servers: a server without a background stream responds to the
/// GET for it, once in a session, with HTTP 404 instead of 405 (2025-11-25, Streamable HTTP, Listening for Messages
/// from the Server).
fn is_not_on_purpose(scenario: &str, rule: &str, count: u64) -> bool {
    let offers_none = scenario.starts_with("auth/")
        || ["tools_call", "json-schema-2020-12-preservation"].contains(&scenario);
    offers_none && rule == "bad-listener-response" && count == 1
}

/// Intended violations of a scenario: the rules of severity error with their numbers, and the code with which the
/// scenario ends.
struct Violation {
    scenario: &'static str,
    rules: &'static [(&'static str, u64)],
    end: Option<&'static str>,
}

const fn broken(scenario: &'static str, rules: &'static [(&'static str, u64)]) -> Violation {
    Violation {
        scenario,
        rules,
        end: None,
    }
}

const fn ends(
    scenario: &'static str,
    rules: &'static [(&'static str, u64)],
    code: &'static str,
) -> Violation {
    Violation {
        scenario,
        rules,
        end: Some(code),
    }
}

const RESPONSE_ISSUER: &[(&str, u64)] = &[("bad-response-issuer", 1)];

const ON_PURPOSE: [Violation; 13] = [
    broken("http-invalid-tool-headers", &[("invalid-x-mcp-header", 11)]),
    broken("json-schema-ref-no-deref", &[("external-ref", 1)]),
    broken(
        "sep-2322-client-request-state",
        &[("missing-result-type", 1)],
    ),
    ends("sep-2640-client-verify-digest", &[], "skill-digest"),
    ends("sep-2640-client-verify-size", &[], "skill-size"),
    ends(
        "sep-2640-client-verify-frontmatter",
        &[],
        "skill-frontmatter-differs",
    ),
    ends(
        "auth/resource-mismatch",
        &[("resource-mismatch", 1)],
        "sign_in_resource_mismatch",
    ),
    ends(
        "auth/metadata-issuer-mismatch",
        &[("issuer-mismatch", 1)],
        "sign_in_issuer_mismatch",
    ),
    ends(
        "auth/iss-supported-missing",
        RESPONSE_ISSUER,
        "sign_in_issuer_missing",
    ),
    ends(
        "auth/iss-wrong-issuer",
        RESPONSE_ISSUER,
        "sign_in_wrong_issuer",
    ),
    ends(
        "auth/iss-unexpected",
        RESPONSE_ISSUER,
        "sign_in_wrong_issuer",
    ),
    ends(
        "auth/iss-normalized",
        RESPONSE_ISSUER,
        "sign_in_wrong_issuer",
    ),
    // No rule requires that the scopes are ever sufficient.
    ends("auth/scope-retry-limit", &[], "sign_in_scopes_never_enough"),
];

/// Compares the findings about the server with the scenario's known violations. `played` is the outcome of the
/// scenario.
pub(crate) async fn check(connection: &Connection, task: &Task, played: &Result<()>) -> Result<()> {
    connection.lint(Vec::new).await;
    let mut found = connection.broken_rules();
    found.retain(|_, (rule, _)| rule.severity == Severity::Error);
    let known = ON_PURPOSE
        .iter()
        .find(|one| one.scenario == task.scenario.as_str());
    let mut missing = known.map_or(Vec::new(), |known| known.rules.to_vec());
    for (rule, (_, count)) in found {
        let expected = missing.iter().position(|one| *one == (rule, count));
        match expected {
            Some(place) => drop(missing.remove(place)),
            None => ensure!(
                is_not_on_purpose(&task.scenario, rule, count),
                "{rule} was found {count} times where the scenario does not break it"
            ),
        }
    }
    ensure!(
        missing.is_empty(),
        "{missing:?} of what the scenario does wrong was not found"
    );
    if let Some(code) = known.and_then(|known| known.end) {
        let end = match played {
            Ok(()) => "a success".to_owned(),
            Err(error) => format!("{error:#}"),
        };
        ensure!(
            end.contains(&format!("({code})")),
            "the scenario does what `{code}` is about, and ended with {end}"
        );
    }
    Ok(())
}
