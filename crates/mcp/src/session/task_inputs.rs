//! What a task of the extension asks for while it runs, and what the user replies (tasks extension, Task
//! Update Requests).

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use crate::{
    limits::TASK_INPUTS,
    members::{one_line, quoted},
    protocol::modern::AskedInput,
    text::brief,
};

/// How often replies are sent that the server refuses.
const ATTEMPTS: u32 = 3;

/// All that one task has asked for, by key: "unique over the lifetime of a single task".
#[derive(Debug, Default)]
pub(super) struct TaskInputs {
    known: BTreeMap<String, Input>,
    refused: u32,
}

#[derive(Debug)]
struct Input {
    /// Of its method and parameters: tells whether another request comes under the same key.
    fingerprint: u64,
    /// JSON text.
    reply: Option<String>,
    sent: bool,
}

impl TaskInputs {
    /// Takes the requests that are outstanding; answers with those that are new. A task says all of them
    /// with each status, so most are known.
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
            if self.known.len() >= TASK_INPUTS {
                let many = Finding::new(&rules::TOO_MANY_INPUTS);
                findings.push(many.with("limit", TASK_INPUTS));
                break;
            }
            let input = Input {
                fingerprint,
                reply: None,
                sent: false,
            };
            self.known.insert(one.0.clone(), input);
            new.push(one);
        }
        new
    }

    /// Takes a reply (JSON text).
    pub(super) fn give(&mut self, key: &str, text: &str) {
        if let Some(input) = self.known.get_mut(key) {
            input.reply = Some(one_line(text));
        }
    }

    /// What is outstanding is asked for no more: a reply would come too late.
    pub(super) fn close(&mut self) {
        for input in self.known.values_mut() {
            input.sent = true;
        }
    }

    /// `inputResponses` once every request has its reply: a server need not take a part of them.
    pub(super) fn take_responses(&mut self) -> Option<String> {
        let mut unsent = self.known.iter_mut().filter(|(_, input)| !input.sent);
        let mut responses = Vec::new();
        let mut inputs = Vec::new();
        for (key, input) in &mut unsent {
            let reply = input.reply.as_ref()?;
            responses.push(format!("{}:{reply}", quoted(key)));
            inputs.push(input);
        }
        if responses.is_empty() {
            return None;
        }
        inputs.into_iter().for_each(|input| input.sent = true);
        Some(format!("{{{}}}", responses.join(",")))
    }

    /// The server refused the replies that were sent last: they are sent again while it still asks for
    /// them. `false` when that was tried often enough.
    pub(super) fn refused(&mut self) -> bool {
        self.refused += 1;
        let sent = self.known.values_mut().filter(|it| it.reply.is_some());
        sent.for_each(|input| input.sent = false);
        self.refused < ATTEMPTS
    }
}

fn fingerprint((_, method, params): &AskedInput) -> u64 {
    let mut hasher = DefaultHasher::new();
    method.hash(&mut hasher);
    params.as_deref().map(RawValue::get).hash(&mut hasher);
    hasher.finish()
}
