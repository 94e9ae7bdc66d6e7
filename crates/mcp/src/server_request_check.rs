//! Checks of a server's requests. A faulty request is still shown: whoever tests a server needs to see both.

use std::collections::{BTreeMap, VecDeque};

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use crate::{
    ClientCapabilities, Row,
    elicitation_check::{check_authority, check_form},
    limits::{ELICITATIONS, NAME, SAMPLING_MESSAGES},
    members::{elements, member, members, string},
    text::{brief, cut},
};

/// Modes of an elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// With a form; also the meaning of a missing `mode`.
    Form,
    /// At an address.
    Url,
    /// In a way that this version of the app does not know.
    Other,
}

impl Mode {
    /// The mode in the `params` of an elicitation.
    pub(crate) fn of(params: Option<&RawValue>) -> Mode {
        let mode = member(params, "mode").and_then(string);
        match mode.as_deref() {
            None | Some("form") => Mode::Form,
            Some("url") => Mode::Url,
            Some(_) => Mode::Other,
        }
    }
}

/// The latest ids of URL elicitations that the server has used.
#[derive(Debug, Default)]
pub(crate) struct Elicitations {
    /// Each id; true once the server has reported its completion.
    named: VecDeque<(String, bool)>,
}

/// States of a URL elicitation at the time the server reports its completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// Open until now.
    New,
    /// Completed before.
    Repeated,
    /// Never named by the server.
    Unknown,
}

impl Elicitations {
    /// Remembers the `elicitationId` of an elicitation's `params`, if there is one.
    pub(crate) fn remember(&mut self, params: Option<&RawValue>) {
        let id = member(params, "elicitationId").and_then(string);
        let Some(id) = id.map(|id| cut(&id, NAME)) else {
            return;
        };
        self.named.retain(|(named, _)| *named != id);
        if self.named.len() >= ELICITATIONS {
            self.named.pop_front();
        }
        self.named.push_back((id, false));
    }

    /// Marks an elicitation as completed; returns its earlier state.
    pub(crate) fn complete(&mut self, id: &str) -> Completion {
        match self.named.iter_mut().find(|(named, _)| named == id) {
            None => Completion::Unknown,
            Some((_, true)) => Completion::Repeated,
            Some((_, done)) => {
                *done = true;
                Completion::New
            }
        }
    }
}

/// The URL elicitations in the `data` of the error -32042, at most 100.
pub(crate) fn required_elicitations(data: Option<&RawValue>) -> Vec<&RawValue> {
    member(data, "elicitations")
        .and_then(|list| elements(list.get(), ELICITATIONS / 2).ok())
        .map(|list| list.first)
        .unwrap_or_default()
        .into_iter()
        .filter(|params| Mode::of(Some(params)) == Mode::Url)
        .collect()
}

/// Checks a request of the server against the session's protocol version.
pub(crate) fn check(
    row: &Row,
    declared: &ClientCapabilities,
    method: &str,
    params: Option<&RawValue>,
) -> Vec<Finding> {
    let mut findings = Findings::default();
    match method {
        "elicitation/create" if Mode::of(params) == Mode::Form => {
            if let Some(params) = params {
                check_form(row, params, &mut findings);
            }
        }
        "elicitation/create" if Mode::of(params) == Mode::Url => {
            if let Some(params) = params {
                url_elicitation(row, params, &mut findings);
            }
        }
        "sampling/createMessage" => {
            let context = declared.sampling.is_some_and(|declared| declared.context);
            sampling(row, context, params, &mut findings);
        }
        _ => {}
    }
    let mut findings = findings.into_vec();
    findings.retain(|finding| finding.rule.applies_in(row.name));
    findings
}

fn url_elicitation(row: &Row, params: &RawValue, findings: &mut Findings) {
    let Ok(read) = members(params.get(), &["url", "elicitationId"]) else {
        return;
    };
    let [url, id] = read.values;
    let bad = |problem: &str| Finding::new(&rules::BAD_ELICITATION_URL).with("problem", problem);
    match url.and_then(string) {
        None => findings.push(bad("it is missing, or is not a string")),
        Some(url) => {
            check_authority(&url, findings);
            match web_host(&url) {
                None => findings.push(bad("it is not an http or https URL")),
                Some((false, host)) if !is_loopback(host) => {
                    findings.push(Finding::new(&rules::INSECURE_ELICITATION_URL));
                }
                Some(_) => {}
            }
        }
    }
    if row.elicitation_ids && id.and_then(string).is_none() {
        findings.push(Finding::new(&rules::MISSING_ELICITATION_ID));
    }
}

/// Returns true for https, and the host with its port; `None` for an address that a browser does not open.
fn web_host(url: &str) -> Option<(bool, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let secure = match scheme.to_ascii_lowercase().as_str() {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some((secure, host))
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let address = name.parse().map(|ip: std::net::IpAddr| ip.is_loopback());
    name == "localhost" || name.ends_with(".localhost") || address == Ok(true)
}

/// Kind of a content block, and the id of the tool use that it is or answers.
struct Block {
    kind: String,
    tool_use: Option<String>,
}

/// `declared` is true if `sampling.context` was.
fn sampling(row: &Row, declared: bool, params: Option<&RawValue>, findings: &mut Findings) {
    let read = params
        .and_then(|raw| members(raw.get(), &["messages", "maxTokens", "includeContext"]).ok());
    let [messages, max, context] = read.map_or([None; 3], |read| read.values);
    if max.is_none_or(|max| max.get().parse::<f64>().is_err()) {
        findings.push(Finding::new(&rules::MISSING_MAX_TOKENS));
    }
    if let Some(value) = context.and_then(string)
        && value != "none"
        && row.sampling_tools
        && !declared
    {
        findings.push(Finding::new(&rules::UNDECLARED_CONTEXT).with("value", brief(&value)));
    }
    let Some(messages) = messages.and_then(|raw| elements(raw.get(), SAMPLING_MESSAGES).ok())
    else {
        return findings.push(Finding::new(&rules::BAD_SAMPLING_MESSAGES));
    };
    // Tool uses of the previous message; true once a result for them was found.
    let mut uses: BTreeMap<String, bool> = BTreeMap::new();
    for (index, message) in messages.first.iter().enumerate() {
        let number = index + 1;
        let (role, blocks) = sampling_message(row, message, number, findings);
        let results: Vec<_> = blocks
            .iter()
            .filter(|block| block.kind == "tool_result")
            .collect();
        if !results.is_empty() && results.len() < blocks.len() {
            findings.push(Finding::new(&rules::MIXED_TOOL_RESULTS).with("number", number));
        }
        for result in results {
            let Some(id) = &result.tool_use else { continue };
            match uses.get_mut(id) {
                Some(answered) => *answered = true,
                None => findings.push(
                    Finding::new(&rules::UNKNOWN_TOOL_USE)
                        .with("number", number)
                        .with("id", brief(id)),
                ),
            }
        }
        unanswered(&uses, index, findings);
        uses = blocks
            .into_iter()
            .filter(|block| role == "assistant" && block.kind == "tool_use")
            .filter_map(|block| Some((block.tool_use?, false)))
            .collect();
    }
    if messages.count <= SAMPLING_MESSAGES {
        unanswered(&uses, messages.first.len(), findings);
    }
}

fn unanswered(uses: &BTreeMap<String, bool>, number: usize, findings: &mut Findings) {
    for (id, _) in uses.iter().filter(|(_, answered)| !**answered) {
        findings.push(
            Finding::new(&rules::UNANSWERED_TOOL_USE)
                .with("number", number)
                .with("id", brief(id)),
        );
    }
}

/// Reads the role and the blocks of a message, and records its findings.
fn sampling_message(
    row: &Row,
    message: &RawValue,
    number: usize,
    findings: &mut Findings,
) -> (String, Vec<Block>) {
    let mut wrong = |problem: String| {
        findings.push(
            Finding::new(&rules::BAD_SAMPLING_MESSAGE)
                .with("number", number)
                .with("problem", problem),
        );
    };
    let Ok(read) = members(message.get(), &["role", "content"]) else {
        wrong("it is not an object".to_owned());
        return (String::new(), Vec::new());
    };
    let [role, content] = read.values;
    let role = role.and_then(string).unwrap_or_default();
    if !matches!(role.as_str(), "user" | "assistant") {
        wrong("its `role` is neither `user` nor `assistant`".to_owned());
    }
    let Some(content) = content else {
        wrong("it has no `content`".to_owned());
        return (role, Vec::new());
    };
    let several = content.get().starts_with('[');
    let blocks = match elements(content.get(), SAMPLING_MESSAGES) {
        Ok(list) if several => list.first,
        _ => vec![content],
    };
    if several && !row.sampling_tools {
        wrong("its `content` is an array, which this protocol version does not have".to_owned());
    }
    let mut read = Vec::with_capacity(blocks.len());
    for block in blocks {
        let Ok(found) = members(block.get(), &["type", "id", "toolUseId"]) else {
            wrong("a content block is not an object".to_owned());
            continue;
        };
        let [kind, id, of] = found.values;
        let kind = kind.and_then(string).unwrap_or_default();
        let tools = row.sampling_tools;
        match kind.as_str() {
            "text" | "image" | "audio" => {}
            "tool_use" if tools && role == "assistant" => {}
            "tool_result" if tools && role == "user" => {}
            "tool_use" | "tool_result" if tools => {
                wrong(format!(
                    "`{kind}` does not belong into a message of this role"
                ));
            }
            _ => wrong(format!(
                "`{}` is not a type of content for sampling in this protocol version",
                brief(&kind)
            )),
        }
        let id = if kind == "tool_use" { id } else { of };
        let tool_use = id.and_then(string);
        if tool_use.is_none() && matches!(kind.as_str(), "tool_use" | "tool_result") {
            wrong(format!("a block of the type `{kind}` has no id"));
        }
        read.push(Block { kind, tool_use });
    }
    (role, read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Revision, SamplingCapability};

    fn found(revision: Revision, method: &str, params: &str) -> Vec<&'static str> {
        let params = RawValue::from_string(params.to_owned()).unwrap();
        check(
            revision.row(),
            &ClientCapabilities::default(),
            method,
            Some(&params),
        )
        .iter()
        .map(Finding::id)
        .collect()
    }

    #[test]
    fn addresses_are_looked_at() {
        let [newest, stateless] = [Revision::NEWEST_HANDSHAKE, Revision::NEWEST_STATELESS];
        for (url, expected) in [
            (r#""https://a.example/b""#, None),
            (r#""HTTPS://a""#, None),
            (r#""http://localhost:80/x""#, None),
            (r#""http://127.0.0.2/x""#, None),
            (r#""http://[::1]:9/x""#, None),
            (r#""http://a.example""#, Some("insecure-elicitation-url")),
            (
                r#""http://127.0.0.1.a.example""#,
                Some("insecure-elicitation-url"),
            ),
            (r#""file:///etc/passwd""#, Some("bad-elicitation-url")),
            (r#""javascript:alert(1)""#, Some("bad-elicitation-url")),
            (r#""https:///x""#, Some("bad-elicitation-url")),
            ("7", Some("bad-elicitation-url")),
        ] {
            let params = format!(r#"{{"mode":"url","url":{url},"elicitationId":"e"}}"#);
            let ids = found(newest, "elicitation/create", &params);
            assert_eq!(ids, Vec::from_iter(expected), "{url}");
        }
        let imitated = r#"{"mode":"url","url":"http://localhost@a.example","elicitationId":"e"}"#;
        assert_eq!(
            found(newest, "elicitation/create", imitated),
            ["credentials-in-url", "insecure-elicitation-url"]
        );
        let without = r#"{"mode":"url","url":"https://a"}"#;
        assert_eq!(
            found(newest, "elicitation/create", without),
            ["missing-elicitation-id"]
        );
        assert!(found(stateless, "elicitation/create", without).is_empty());
        assert_eq!(
            found(newest, "elicitation/create", r#"{"message":"m"}"#),
            ["bad-form"]
        );
    }

    #[test]
    fn completions_name_what_was_asked() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let mut known = Elicitations::default();
        known.remember(Some(&raw(r#"{"elicitationId":"a"}"#)));
        known.remember(Some(&raw(r#"{"elicitationId":7}"#)));
        assert_eq!(known.complete("b"), Completion::Unknown);
        assert_eq!(known.complete("a"), Completion::New);
        assert_eq!(known.complete("a"), Completion::Repeated);
        for id in 0..ELICITATIONS {
            known.remember(Some(&raw(&format!(r#"{{"elicitationId":"n{id}"}}"#))));
        }
        assert_eq!(known.complete("a"), Completion::Unknown);
        let data = raw(r#"{"elicitations":[{"mode":"url","url":"https://a"},{"mode":"form"},3]}"#);
        assert_eq!(required_elicitations(Some(&data)).len(), 1);
        assert!(required_elicitations(Some(&raw("[]"))).is_empty());
    }

    /// A conversation of messages, each `role:blocks`, where a block is `text`, `use ID` or `result ID`.
    fn conversation(messages: &[&str]) -> String {
        let messages: Vec<String> = messages
            .iter()
            .map(|message| {
                let (role, blocks) = message.split_once(':').unwrap();
                let blocks: Vec<String> = blocks
                    .split(',')
                    .map(|block| match block.split_once(' ') {
                        Some(("use", id)) => {
                            format!(r#"{{"type":"tool_use","id":"{id}","name":"n","input":{{}}}}"#)
                        }
                        Some((_, id)) => {
                            format!(r#"{{"type":"tool_result","toolUseId":"{id}","content":[]}}"#)
                        }
                        None => format!(r#"{{"type":"{block}"}}"#),
                    })
                    .collect();
                format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(","))
            })
            .collect();
        format!(r#"{{"maxTokens":10,"messages":[{}]}}"#, messages.join(","))
    }

    #[test]
    fn conversations_are_looked_at() {
        let check = |messages: &[&str]| {
            found(
                Revision::NEWEST_HANDSHAKE,
                "sampling/createMessage",
                &conversation(messages),
            )
        };
        let none: [&str; 0] = [];
        assert_eq!(
            check(&["user:text,image", "assistant:audio", "user:text"]),
            none
        );
        assert_eq!(
            check(&[
                "user:text",
                "assistant:text,use a,use b",
                "user:result b,result a"
            ]),
            none
        );
        assert_eq!(
            check(&["assistant:use a,use b", "user:result a"]),
            ["unanswered-tool-use"]
        );
        assert_eq!(check(&["assistant:use a"]), ["unanswered-tool-use"]);
        assert_eq!(
            check(&["assistant:use a", "user:text,result a"]),
            ["mixed-tool-results"]
        );
        assert_eq!(check(&["user:result a"]), ["unknown-tool-use"]);
        assert_eq!(check(&["user:use a"]), ["bad-sampling-message"]);
        assert_eq!(check(&["user:video"]), ["bad-sampling-message"]);
        assert_eq!(check(&["system:text"]), ["bad-sampling-message"]);

        let sampling = |revision, params: &str| found(revision, "sampling/createMessage", params);
        let newest = Revision::NEWEST_HANDSHAKE;
        assert_eq!(
            sampling(newest, "{}"),
            ["missing-max-tokens", "bad-sampling-messages"]
        );
        let text = r#"{"role":"user","content":{"type":"text","text":"t"}}"#;
        let params =
            format!(r#"{{"maxTokens":1,"includeContext":"allServers","messages":[{text}]}}"#);
        assert_eq!(sampling(newest, &params), ["undeclared-context"]);
        let declared = ClientCapabilities {
            sampling: Some(SamplingCapability {
                context: true,
                tools: false,
            }),
            ..ClientCapabilities::default()
        };
        let raw = RawValue::from_string(params.clone()).unwrap();
        let method = "sampling/createMessage";
        assert!(super::check(newest.row(), &declared, method, Some(&raw)).is_empty());
        assert_eq!(sampling(Revision::R2025Jun, &params), none);
        // Arrays of content and tools came with a later version.
        assert_eq!(
            sampling(Revision::R2025Jun, &conversation(&["user:text"])),
            ["bad-sampling-message"]
        );
    }

    #[test]
    fn findings_are_bounded() {
        let messages = vec!["user:video"; 5_000];
        let ids = found(
            Revision::NEWEST_HANDSHAKE,
            "sampling/createMessage",
            &conversation(&messages),
        );
        assert_eq!(ids.len(), sonde_findings::FINDINGS);
    }
}
