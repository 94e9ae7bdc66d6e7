//! Inputs that a task of the extension requests while it runs, and the user's replies (tasks extension,
//! Task Update Requests).

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use crate::{
    limits::{REQUEST_ID, SERVER_REQUESTS, TASK_INPUTS},
    members::{one_line, quoted},
    protocol::stateless::AskedInput,
    text::brief,
};

/// Number of times that replies are sent although the server refuses them.
const ATTEMPTS: u32 = 3;

/// All inputs that a task has requested, by key: "unique over the lifetime of a single task".
#[derive(Debug, Default)]
pub(super) struct TaskInputs {
    known: BTreeMap<String, Input>,
    refused: u32,
}

#[derive(Debug)]
struct Input {
    /// Hash of its method and parameters: shows if another request reuses the key.
    fingerprint: u64,
    /// JSON text.
    reply: Option<String>,
    sent: bool,
    /// It was part of the last replies.
    last: bool,
}

impl TaskInputs {
    /// Records the outstanding requests; returns the new ones. Each status repeats all of them, so most are known.
    pub(super) fn ask(
        &mut self,
        asked: Vec<AskedInput>,
        findings: &mut Vec<Finding>,
    ) -> Vec<AskedInput> {
        let mut new = Vec::new();
        for one in asked {
            let fingerprint = fingerprint(&one);
            if let Some(known) = self.known.get(&one.0) {
                if known.fingerprint != fingerprint {
                    let key = quoted(&brief(&one.0));
                    findings.push(Finding::new(&rules::REUSED_INPUT_KEY).with("key", key));
                }
                continue;
            }
            // The others are asked when these are answered: each status names all that is outstanding.
            if self.known.values().filter(|input| !input.sent).count() >= SERVER_REQUESTS {
                break;
            }
            if one.0.len() > REQUEST_ID {
                let problem = format!("a key of `inputRequests` has more than {REQUEST_ID} bytes");
                findings.push(Finding::new(&rules::BAD_RESULT).with("problem", problem));
                continue;
            }
            if self.known.len() >= TASK_INPUTS {
                let many = Finding::new(&rules::TOO_MANY_INPUTS);
                findings.push(many.with("limit", TASK_INPUTS));
                break;
            }
            let input = Input {
                fingerprint,
                reply: None,
                sent: false,
                last: false,
            };
            self.known.insert(one.0.clone(), input);
            new.push(one);
        }
        new
    }

    /// Takes a reply (JSON text).
    pub(super) fn give(&mut self, key: &str, text: &str) {
        if let Some(input) = self.known.get_mut(key) {
            input.reply = Some(one_line(text).into_owned());
        }
    }

    /// Drops the outstanding requests. If the server sends them again, the user is asked again.
    pub(super) fn close(&mut self) {
        self.known.retain(|_, input| input.sent);
    }

    /// `inputResponses` once every request has its reply: a server need not take a part of them.
    pub(super) fn take_responses(&mut self) -> Option<String> {
        let mut responses = Vec::new();
        for (key, input) in self.known.iter().filter(|(_, input)| !input.sent) {
            let reply = input.reply.as_ref()?;
            responses.push(format!("{}:{reply}", quoted(key)));
        }
        if responses.is_empty() {
            return None;
        }
        for input in self.known.values_mut() {
            input.last = !std::mem::replace(&mut input.sent, true);
        }
        Some(format!("{{{}}}", responses.join(",")))
    }

    /// Handles the refusal of the last replies: they are sent again as long as the server still asks for them. Returns
    /// false after too many attempts.
    pub(super) fn refused(&mut self) -> bool {
        self.refused += 1;
        let last = self.known.values_mut().filter(|input| input.last);
        last.for_each(|input| input.sent = false);
        self.refused < ATTEMPTS
    }
}

fn fingerprint((_, method, params): &AskedInput) -> u64 {
    let mut hasher = DefaultHasher::new();
    method.hash(&mut hasher);
    params.as_deref().map(RawValue::get).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(keys: impl IntoIterator<Item = usize>) -> Vec<AskedInput> {
        let keys = keys.into_iter();
        keys.map(|key| (key.to_string(), "roots/list".to_owned(), None))
            .collect()
    }

    #[test]
    fn what_was_not_answered_is_asked_again_and_what_was_is_not() {
        let (mut inputs, mut findings) = (TaskInputs::default(), Vec::new());
        assert_eq!(inputs.ask(asked(0..2), &mut findings).len(), 2);
        inputs.give("0", "{}");
        assert_eq!(inputs.take_responses(), None);
        // The status was another one meanwhile.
        inputs.close();
        assert_eq!(inputs.ask(asked(0..2), &mut findings).len(), 2);
        inputs.give("0", "{}");
        inputs.give("1", "[ 1 ]");
        let responses = inputs.take_responses();
        assert_eq!(responses.as_deref(), Some(r#"{"0":{},"1":[ 1 ]}"#));
        assert!(inputs.ask(asked(0..2), &mut findings).is_empty());

        assert_eq!(inputs.ask(asked(0..3), &mut findings).len(), 1);
        inputs.give("2", "3");
        assert_eq!(inputs.take_responses().as_deref(), Some(r#"{"2":3}"#));
        // Only what was sent last was refused.
        assert!(inputs.refused());
        assert_eq!(inputs.take_responses().as_deref(), Some(r#"{"2":3}"#));
        assert_eq!(findings, []);
    }

    #[test]
    fn a_task_asks_for_so_much_at_once_and_in_all() {
        let (mut inputs, mut findings) = (TaskInputs::default(), Vec::new());
        let mut all = 0;
        for _ in 0..10 {
            let new = inputs.ask(asked(0..1_000), &mut findings);
            assert!(new.len() <= SERVER_REQUESTS);
            all += new.len();
            new.iter().for_each(|(key, ..)| inputs.give(key, "{}"));
            inputs.take_responses();
        }
        let long = ("x".repeat(REQUEST_ID + 1), "roots/list".to_owned(), None);
        let mut bad = Vec::new();
        assert!(TaskInputs::default().ask(vec![long], &mut bad).is_empty());
        assert_eq!(bad.len(), 1);
        assert_eq!(all, TASK_INPUTS);
        let ids: Vec<_> = findings.iter().map(Finding::id).collect();
        assert!(ids.iter().all(|id| *id == "too-many-inputs") && !ids.is_empty());
    }
}
