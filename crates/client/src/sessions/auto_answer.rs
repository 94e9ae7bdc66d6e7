//! Answers requests of a server by the rules that the user set for them.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::server_requests::{AnswerInput, ELICIT, OpenServerRequest};
use crate::{
    Connection,
    changes::Change,
    config::{RequestRule, RequestRules, RuleAction, declared_roots},
    core::Core,
    operations::AnsweringRule,
};

const SAMPLING: &str = "sampling/createMessage";
const ROOTS: &str = "roots/list";

/// A rule's reply to a request.
#[derive(Debug)]
struct Decision {
    answer: AnswerInput,
    rule: AnsweringRule,
    /// Plural noun for the requests that the rule covers.
    requests: &'static str,
    /// Phrase for the reply.
    how: String,
}

/// A rule's decision on a request; `Err` has the reason for asking the user anyway.
type Decided = Result<Option<Decision>, &'static str>;

/// Answers an open request by its rule, or asks the user. `closed` is cancelled when the request is withdrawn or
/// answered by hand.
pub(super) fn ask_or_answer(core: &Arc<Core>, number: u64, closed: CancellationToken) {
    let core = Arc::clone(core);
    // In a task of its own: the event loop must not wait for the session.
    core.tasks.clone().spawn(async move {
        let decided = tokio::select! {
            decided = decide(&core, number) => decided,
            () = closed.cancelled() => return,
            () = core.closing.cancelled() => return,
        };
        let mut decision = match decided {
            Ok(Some(decision)) => decision,
            Ok(None) => return core.owner.changed(Change::ServerRequest(number)),
            Err(why) => {
                let note = format!("The rule for such requests does not answer this one: {why}");
                return set_note(&core, number, note);
            }
        };
        let seconds = decision.rule.after_seconds;
        if seconds > 0 {
            let note = format!(
                "By the rule for such requests, this one is {} {seconds} s after it came, unless you answer first.",
                decision.how
            );
            set_note(&core, number, note);
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(u64::from(seconds))) => {}
                () = closed.cancelled() => return,
                () = core.closing.cancelled() => return,
            }
            let Some(now) = unchanged(&decision, decide(&core, number).await) else {
                let note = "The rule for such requests or its saved answer has changed since, so it does not \
                            answer this one.";
                return set_note(&core, number, note.to_owned());
            };
            decision = now;
        }
        answer(&core, number, decision).await;
    });
}

/// Returns the decision to carry out after a delay; `None` if the rule or its saved answer has changed. Roots are sent as
/// they are by now.
fn unchanged(before: &Decision, now: Decided) -> Option<Decision> {
    now.ok().flatten().filter(|now| {
        let is_saved = before.rule.saved_answer.is_some();
        now.rule == before.rule
            && now.how == before.how
            && (!is_saved || now.answer == before.answer)
    })
}

/// Shows a note of the rule with a request.
fn set_note(core: &Core, number: u64, note: String) {
    core.state(|state| {
        if let Some(open) = state.server_requests.get_mut(number) {
            open.rule = Some(note);
        }
    });
    core.owner.changed(Change::ServerRequest(number));
}

async fn answer(core: &Arc<Core>, number: u64, decision: Decision) {
    let open = core.state(|state| state.server_requests.get(number).cloned());
    let Some(open) = open else { return };
    let after = match decision.rule.after_seconds {
        0 => String::new(),
        seconds => format!(" after {seconds} s"),
    };
    // Logged before the reply is sent: no reply is silent.
    let note = format!(
        "Answered by rule for {}: {}{after} ({})",
        decision.requests, decision.how, open.method
    );
    core.log.note_rule(note, open.seq, open.operation);
    let connection = Connection { core: core.clone() };
    let sent = connection
        .answer_as(number, decision.answer, Some(decision.rule))
        .await;
    if let Err(error) = sent {
        tracing::warn!(%error, "a request of a server could not be answered by its rule");
        set_note(
            core,
            number,
            "The answer of the rule for such requests could not be sent.".to_owned(),
        );
    }
}

async fn decide(core: &Core, number: u64) -> Decided {
    let found = core.state(|state| {
        let open = state.server_requests.get(number)?.clone();
        let roots = declared_roots(&state.config.roots);
        Some((open, state.config.request_rules.clone(), roots))
    });
    let Some((open, rules, roots)) = found else {
        return Ok(None);
    };
    // Only the user may answer a request for an undeclared capability.
    if open.undeclared {
        return Ok(None);
    }
    if open.method == ROOTS {
        let rule = &rules.roots;
        let answer = match rule.refuse {
            // Roots, Error Handling.
            true => AnswerInput::error(-32_603, "The user does not name any roots"),
            false => AnswerInput::Raw {
                result: sonde_mcp::roots_result(&roots),
            },
        };
        return Ok(Some(Decision {
            answer,
            rule: AnsweringRule {
                after_seconds: rule.delay_seconds,
                saved_answer: None,
            },
            requests: "roots",
            how: if rule.refuse {
                "rejected"
            } else {
                "answered with the roots"
            }
            .to_owned(),
        }));
    }
    let Some((requests, rule)) = rule_for(&open, &rules) else {
        return Ok(None);
    };
    let mut by = AnsweringRule {
        after_seconds: rule.delay_seconds,
        saved_answer: None,
    };
    let (answer, how) = match &rule.action {
        RuleAction::Ask => return Ok(None),
        // Sampling, Error Handling.
        RuleAction::Decline if open.method == SAMPLING => (
            AnswerInput::error(-1, "User rejected sampling request"),
            "rejected".to_owned(),
        ),
        RuleAction::Decline => (AnswerInput::Decline, "declined".to_owned()),
        RuleAction::Cancel => (AnswerInput::Cancel, "cancelled".to_owned()),
        RuleAction::Saved { input } => {
            let (name, answer) = saved(core, &open, input).await?;
            let how = format!("answered with the saved answer “{name}”");
            by.saved_answer = Some(name);
            (answer, how)
        }
    };
    Ok(Some(Decision {
        answer,
        rule: by,
        requests,
        how,
    }))
}

/// Returns the rule for a request and the noun for such requests; `None` for a kind without a rule.
fn rule_for<'a>(
    open: &OpenServerRequest,
    rules: &'a RequestRules,
) -> Option<(&'static str, &'a RequestRule)> {
    #[derive(Deserialize)]
    struct Mode {
        mode: Option<String>,
    }
    match open.method.as_str() {
        SAMPLING => Some(("sampling", &rules.sampling)),
        ELICIT if open.schema.is_some() => Some(("forms", &rules.form)),
        ELICIT => {
            let read: Mode = serde_json::from_str(&open.params).ok()?;
            match read.mode.as_deref() {
                // Elicitation, Form Mode: a missing `mode` means a form.
                None | Some("form") => Some(("forms", &rules.form)),
                Some("url") => Some(("pages", &rules.page)),
                Some(_) => None,
            }
        }
        _ => None,
    }
}

/// Returns the saved answer of a rule and its name, if it fits the request.
async fn saved(
    core: &Core,
    open: &OpenServerRequest,
    input: &str,
) -> Result<(String, AnswerInput), &'static str> {
    let known = core
        .owner
        .saved_reply(input)
        .ok_or("its saved answer is no longer there.")?;
    if known.method != open.method {
        return Err("its saved answer is for requests of another kind.");
    }
    if open.method == SAMPLING {
        let result = known.arguments;
        return Ok((known.name, AnswerInput::Raw { result }));
    }
    let schema = open
        .schema
        .clone()
        .ok_or("the request has no form that the saved answer could be checked against.")?;
    if known.schema_digest != open.schema_digest {
        return Err("its saved answer was given to another form. Save it again for this one.");
    }
    match core
        .services
        .validator
        .problems(schema, known.arguments.clone())
        .await
    {
        Ok(problems) if problems.is_empty() => {
            let content = known.arguments;
            Ok((known.name, AnswerInput::Accept { content }))
        }
        Ok(_) => Err("its saved answer does not match the schema of the request."),
        Err(_) => Err("its saved answer could not be checked against the schema of the request."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_while_it_waited_is_not_sent() {
        let decision = |answer, after_seconds, saved_answer: Option<&str>, how: &str| Decision {
            answer,
            rule: AnsweringRule {
                after_seconds,
                saved_answer: saved_answer.map(str::to_owned),
            },
            requests: "forms",
            how: how.to_owned(),
        };
        let decline = |after| decision(AnswerInput::Decline, after, None, "declined");
        let cancel = decision(AnswerInput::Cancel, 2, None, "cancelled");
        let saved = |content: &str| {
            let content = content.to_owned();
            decision(AnswerInput::Accept { content }, 2, Some("Usual"), "saved")
        };
        let roots = |result: &str| {
            let result = result.to_owned();
            decision(
                AnswerInput::Raw { result },
                2,
                None,
                "answered with the roots",
            )
        };
        let holds = |before: &Decision, now| unchanged(before, now).is_some();
        assert!(holds(&decline(2), Ok(Some(decline(2)))));
        assert!(!holds(&decline(2), Ok(Some(cancel))));
        assert!(!holds(&decline(600), Ok(Some(decline(2)))));
        assert!(holds(&saved("{}"), Ok(Some(saved("{}")))));
        assert!(!holds(&saved("{}"), Ok(Some(saved(r#"{"a":1}"#)))));
        assert!(holds(&roots("[]"), Ok(Some(roots("[1]")))));
        assert!(!holds(&decline(2), Ok(None)));
        assert!(!holds(
            &decline(2),
            Err("its saved answer is no longer there.")
        ));
    }
}
