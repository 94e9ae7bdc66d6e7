//! Rules for automatic replies to a server's requests, set by the user for each server.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::field_problem::{FieldProblem, ServerField};

/// The longest delay of a reply, in seconds.
const DELAY: u32 = 600;

/// The rules of one server, for each kind of its requests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RequestRules {
    /// Elicitation in form mode.
    pub form: RequestRule,
    /// Elicitation in URL mode. Opening a page takes the user: it is asked, declined or cancelled.
    pub page: RequestRule,
    /// `sampling/createMessage`.
    pub sampling: RequestRule,
    /// `roots/list`, which is answered with the list of roots by default.
    pub roots: RootsRule,
}

/// Rule for one kind of request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RequestRule {
    /// Reply to send.
    pub action: RuleAction,
    /// Delay of the reply after the request came, in seconds, at most 600. Unused if the user is asked.
    pub delay_seconds: u32,
}

/// Replies that a rule can send.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RuleAction {
    /// By the user.
    #[default]
    Ask,
    /// An elicitation with the action `decline`, sampling with the error -1.
    Decline,
    /// An elicitation with the action `cancel`.
    Cancel,
    /// With a saved answer.
    Saved {
        /// Its id.
        input: String,
    },
}

/// Rule for `roots/list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RootsRule {
    /// Replies with an error instead of the list.
    pub refuse: bool,
    /// Delay of the reply after the request came, in seconds, at most 600.
    pub delay_seconds: u32,
}

impl RequestRules {
    /// Requests for the list of roots are not answered with it at once.
    pub fn takes_roots(&self) -> bool {
        self.roots != RootsRule::default()
    }

    /// Asks in place of giving saved answers: they were meant for another server. True if one was given.
    pub fn give_no_saved_answers(&mut self) -> bool {
        let mut gave = false;
        for rule in [&mut self.form, &mut self.page, &mut self.sampling] {
            if matches!(rule.action, RuleAction::Saved { .. }) {
                rule.action = RuleAction::Ask;
                gave = true;
            }
        }
        gave
    }

    /// The rules of a copy of the server, whose saved answers have other ids: from each to its own.
    pub fn rename_answers(&mut self, ids: &[(String, String)]) {
        for rule in [&mut self.form, &mut self.page, &mut self.sampling] {
            if let RuleAction::Saved { input } = &mut rule.action
                && let Some((_, other)) = ids.iter().find(|(id, _)| id == input)
            {
                input.clone_from(other);
            }
        }
    }

    /// Checks these rules.
    pub fn check(&self, problems: &mut Vec<FieldProblem>) {
        let mut refuse = |message| problems.push(ServerField::RequestRules.problem(message));
        let delays = [&self.form, &self.page, &self.sampling].map(|rule| rule.delay_seconds);
        if delays
            .into_iter()
            .chain([self.roots.delay_seconds])
            .any(|delay| delay > DELAY)
        {
            refuse("A server request is answered after 600 seconds at most.");
        }
        if matches!(self.page.action, RuleAction::Saved { .. }) {
            refuse("Only you can agree to open a page.");
        }
        if self.sampling.action == RuleAction::Cancel {
            refuse("Only an elicitation can be cancelled.");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_answered_is_taken() {
        let saved = || RuleAction::Saved {
            input: "a".to_owned(),
        };
        let rule = |action, delay_seconds| RequestRule {
            action,
            delay_seconds,
        };
        let mut rules = RequestRules {
            form: rule(saved(), 600),
            page: rule(RuleAction::Cancel, 0),
            sampling: rule(saved(), 1),
            roots: RootsRule {
                refuse: true,
                delay_seconds: 600,
            },
        };
        let problems = |rules: &RequestRules| {
            let mut problems = Vec::new();
            rules.check(&mut problems);
            problems
                .into_iter()
                .map(|problem| problem.message)
                .collect::<Vec<_>>()
        };
        assert_eq!(problems(&rules), [""; 0]);
        for (bad, words) in [
            (rule(saved(), 0), "agree to open"),
            (rule(RuleAction::Decline, 601), "600 seconds"),
        ] {
            let rules = RequestRules {
                page: bad,
                ..rules.clone()
            };
            let found = problems(&rules).concat();
            assert!(found.contains(words), "{found}");
        }
        rules.rename_answers(&[("a".to_owned(), "b".to_owned())]);
        assert_eq!(
            rules.form.action,
            RuleAction::Saved {
                input: "b".to_owned()
            }
        );
        rules.sampling.action = RuleAction::Cancel;
        assert_eq!(problems(&rules), ["Only an elicitation can be cancelled."]);
    }
}
