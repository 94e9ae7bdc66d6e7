//! Typed values of a tree whose shape was checked.

use std::{collections::HashMap, time::Duration};

use serde_json::json;
use sonde_client::catalogs::CatalogKind;
use sonde_findings::rules;

use super::{
    SUITE_SHAPE, keys,
    shape::{Shape, check, has_variable},
    types::{
        Answer, AnswerTo, CancelAfter, Capabilities, Capture, Client, ContentExpect, Expect, LISTS,
        LogExpect, Matrix, ProgressExpect, Reply, Retry, RpcErrorExpect, ServerRef, Step, Suite,
        Verb, Within,
    },
};
use crate::{
    node::{Node, NodeValue},
    observed::UNCHECKED,
    path::{Path, PointerPattern},
    predicate::{AtPath, Pattern, Predicate},
    problem::{Problem, Problems, Spanned, unless},
    scalars::{Range, duration},
};

/// Most steps of a file.
const STEPS: usize = 10_000;

impl Suite {
    /// Reads a file of checks. `file` is its name, for messages and snapshots.
    ///
    /// # Errors
    /// All faults with line, column, and what is meant.
    pub fn read(file: &str, text: &str) -> Result<Self, Problems> {
        let refuse = |list| Problems::new(file, list);
        let node = Node::read(text).map_err(|problem| refuse(vec![problem]))?;
        check(&node, &SUITE_SHAPE, true).map_err(refuse)?;
        let steps = node.items_of("steps");
        if steps.len() > STEPS {
            let message = format!(
                "A suite has at most {STEPS} steps; this one has {}.",
                steps.len()
            );
            return Err(refuse(vec![Problem::new(node.span, message)]));
        }
        // Only steps and servers have their variables replaced.
        let mut problems = Vec::new();
        for (key, object) in [("client", &keys::CLIENT), ("matrix", &keys::MATRIX)] {
            if let Some(node) = node.get(key) {
                let checked = check(node, &Shape::Object(object), false);
                problems.extend(checked.err().into_iter().flatten());
            }
        }
        for entry in node.entries_of("matrix") {
            if entry.value.items().is_empty() {
                let message = "An empty list leaves nothing to run in: leave it out.";
                problems.push(Problem::new(entry.value.span, message));
            }
        }
        let mut suite = Self {
            file: file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned(),
            name: node.text_of("name"),
            server: node.get("server").map(|server| match server.text() {
                Some(name) => ServerRef::Named(spanned(server, name.to_owned())),
                None => ServerRef::Inline(server.clone()),
            }),
            servers: node.pairs_of("servers"),
            client: node.get("client").map(client).unwrap_or_default(),
            matrix: node
                .get("matrix")
                .map_or_else(Matrix::default, |matrix| Matrix {
                    revisions: texts(matrix, "revision"),
                    transports: texts(matrix, "transport"),
                }),
            vars: node.pairs_of("vars"),
            secrets: spanned_texts(&node, "secrets"),
            steps: steps
                .iter()
                .map(|step| Step::build(step, false, &mut problems))
                .collect(),
        };
        let mut titles = HashMap::new();
        let mut count = |step: &mut Step| {
            let twins = titles.entry(step.title()).or_default();
            step.twins = *twins;
            *twins += 1;
        };
        for step in &mut suite.steps {
            count(step);
            step.verify.iter_mut().for_each(&mut count);
        }
        unless(problems, suite).map_err(refuse)
    }
}

impl Step {
    /// Reads a step.
    ///
    /// # Errors
    /// All faults. A text with a variable passes for any scalar if `open`.
    pub(crate) fn read(node: &Node, open: bool) -> Result<Self, Vec<Problem>> {
        check(node, &Shape::Object(&keys::STEP), open)?;
        let mut problems = Vec::new();
        let step = Self::build(node, false, &mut problems);
        unless(problems, step)
    }

    fn build(node: &Node, verifies: bool, problems: &mut Vec<Problem>) -> Self {
        let mut refuse =
            |node: &Node, message: &str| problems.push(Problem::new(node.span, message));
        if let (Some(_), Some(json)) = (node.get("with"), node.get("with-json")) {
            refuse(json, "`with` and `with-json` exclude each other.");
        }
        let takes_arguments = node.get("call").or(node.get("get")).is_some();
        if let Some(arguments) = node.get("with").or(node.get("with-json"))
            && !takes_arguments
        {
            refuse(arguments, "Only `call` and `get` take arguments.");
        }
        if let Some(raw) = node.get("raw")
            && raw.get("params").is_some()
            && let Some(json) = raw.get("params-json")
        {
            refuse(json, "`params` and `params-json` exclude each other.");
        }
        for (key, message) in [
            (
                "verify",
                "A step that verifies has no steps that verify it.",
            ),
            (
                "server",
                "A step that verifies uses the server of its step.",
            ),
            (
                "skip",
                "A step that verifies is left out with its step: write `skip` there.",
            ),
            (
                "retry",
                "A step that verifies is repeated with its step: write `retry` there.",
            ),
        ] {
            if verifies && let Some(value) = node.get(key) {
                refuse(value, message);
            }
        }
        for verb in ["list", "subscribe"] {
            for key in ["cancel", "lost", "meta"] {
                if node.get(verb).is_some()
                    && let Some(value) = node.get(key)
                {
                    let message = format!("`{key}` does not apply to `{verb}`: use `raw`.");
                    refuse(value, &message);
                }
            }
        }
        if let Some(ping) = node.get("ping")
            && ping.value == NodeValue::Bool(false)
        {
            refuse(
                ping,
                "Write `ping: true`, or leave the step out with `skip`.",
            );
        }
        let raw = node.get("raw");
        let params = raw.and_then(|raw| raw.get("params").or(raw.get("params-json")));
        if let (Some(_), Some(meta)) = (params, node.get("meta")) {
            refuse(
                meta,
                "`raw` sends its params as written: write `_meta` there.",
            );
        }
        for json in [
            node.get("with-json"),
            raw.and_then(|raw| raw.get("params-json")),
        ] {
            if let Some(json) = json
                && let Some(text) = json.text().filter(|text| !has_variable(text))
                && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text)
            {
                refuse(json, &format!("It is not valid JSON: {error}."));
            }
        }
        for entry in node.entries_of("capture") {
            let from = entry.value.get("from").unwrap_or(&entry.value);
            if let Some(text) = from.text().filter(|text| !has_variable(text))
                && let Err(why) = Path::parse(text)
            {
                refuse(from, &why);
            }
        }
        let answers = node.items_of("answers");
        for answer in answers {
            let reply = answer.get("reply");
            let has = |key: &str| reply.is_some_and(|reply| reply.get(key).is_some());
            match (answer.get("default"), reply) {
                (None, None) => refuse(
                    answer,
                    "`reply` is missing in an answer: the reply to such requests.",
                ),
                (Some(_), Some(reply)) => refuse(reply, "`default` declines: it takes no reply."),
                (None, Some(reply)) if answer.get("elicitation").is_some() && has("text") => {
                    refuse(reply, "The reply to an elicitation has an `action`.");
                }
                (None, Some(reply)) if answer.get("sampling").is_some() && has("action") => {
                    refuse(
                        reply,
                        "The reply to a sampling request has a `text` or a `result`.",
                    );
                }
                _ => {}
            }
        }
        for answer in answers {
            let requests = ["elicitation", "sampling"].into_iter();
            for entry in requests.flat_map(|request| answer.entries_of(request)) {
                refuse_unjudged(&entry.value, problems);
            }
        }
        if let Some(expect) = node.get("expect") {
            unjudged(node, expect, problems);
            for log in expect.items_of("logs") {
                for conditions in ["logger", "data"]
                    .into_iter()
                    .filter_map(|key| log.get(key))
                {
                    refuse_unjudged(conditions, problems);
                }
            }
            for pattern in expect.entries_of("replace") {
                if !has_variable(&pattern.key)
                    && let Err(why) = Pattern::parse(&pattern.key)
                {
                    problems.push(Problem::new(pattern.key_span, why));
                }
            }
        }
        let verify = node.items_of("verify").iter();
        let verify = verify
            .map(|step| Self::build(step, true, problems))
            .collect();
        Self {
            name: node.text_of("name"),
            stage_title: node.text_of("title"),
            notes: node.text_of("notes"),
            server: spanned_text(node, "server"),
            group: node.text_of("group"),
            skip: node.get("skip").and_then(skip_reason),
            send_anyway: flag(node, "send-anyway"),
            verb: verb(node),
            vars: node.pairs_of("vars"),
            arguments: arguments(node),
            meta: node.get("meta").map(Node::json_text),
            answers: answers.iter().filter_map(answer).collect(),
            decline_others: answers.iter().any(|answer| answer.get("default").is_some()),
            cancel: node.get("cancel").and_then(cancel),
            lost: flag(node, "lost"),
            expect: expect(node),
            captures: node
                .entries_of("capture")
                .iter()
                .filter_map(capture)
                .collect(),
            retry: node.get("retry").map(|retry| Retry {
                times: count(retry, "times").unwrap_or(1),
                every: time(retry, "every").unwrap_or_default(),
            }),
            verify,
            twins: 0,
            node: node.clone(),
        }
    }
}

/// Returns the reason for leaving a step out, empty if none is given. `skip: "${env.X}"` is a text, so the texts `false`
/// and the empty one do not leave it out.
pub(crate) fn skip_reason(skip: &Node) -> Option<String> {
    match &skip.value {
        NodeValue::Bool(skip) => skip.then(String::new),
        _ => {
            let text = skip.text().filter(|text| !["", "false"].contains(text));
            text.filter(|text| !has_variable(text)).map(str::to_owned)
        }
    }
}

/// Refuses conditions that are judged only after the step, where they choose one of its messages.
fn refuse_unjudged(conditions: &Node, problems: &mut Vec<Problem>) {
    if conditions.is_literal {
        return;
    }
    for entry in conditions.entries() {
        match entry.key.as_str() {
            key @ ("schema" | "snapshot") => {
                let message = format!(
                    "`{key}` would never be checked here. Use `contains`, `matches` or `json`."
                );
                problems.push(Problem::new(entry.key_span, message));
            }
            "json" => {
                for within in entry.value.entries() {
                    refuse_unjudged(&within.value, problems);
                }
            }
            _ => {}
        }
    }
}

/// Refuses expectations that would never be judged.
fn unjudged(step: &Node, expect: &Node, problems: &mut Vec<Problem>) {
    const OF_RESULTS: [&str; 11] = [
        "error", "text", "content", "contents", "messages", "schema", "at", "result", "count",
        "pages", "snapshot",
    ];
    let is_on = |node: Option<&Node>| node.is_some_and(|node| node.value != NodeValue::Bool(false));
    let raw = step.get("raw");
    let has_result = !is_on(expect.get("rpc-error"))
        && !is_on(expect.get("cancelled"))
        && !raw.is_some_and(|raw| is_on(raw.get("notification")));
    let mut contents = None;
    for entry in expect.entries() {
        let key = entry.key.as_str();
        let mut refuse = |message: String| problems.push(Problem::new(entry.key_span, message));
        if !has_result && OF_RESULTS.contains(&key) {
            refuse(format!(
                "No result is expected here, so `{key}` would never be checked."
            ));
        }
        if ["count", "pages", "snapshot", "allow"].contains(&key) && step.get("list").is_none() {
            refuse(format!("`{key}` applies only to lists."));
        }
        if ["ignore", "replace"].contains(&key) && !has_snapshot(expect) {
            refuse(format!("`{key}` is about snapshots, and here is none."));
        }
        if key == "allow" && expect.get("snapshot").is_none() {
            refuse("`allow` is about the snapshot of a list, and here is none.".to_owned());
        }
        if key == "late-result" && step.get("cancel").is_none() {
            refuse("`late-result` is judged of a request that the step cancels.".to_owned());
        }
        for rule in entry.value.items_of("except") {
            if let Some(id) = rule.text().filter(|id| !has_variable(id))
                && id != UNCHECKED
                && rules::find(id).is_none()
            {
                refuse(format!("There is no rule `{id}`."));
            }
        }
        if ["content", "contents", "messages"].contains(&key)
            && let Some(other) = contents.replace(key)
        {
            refuse(format!("`{other}` and `{key}` exclude each other."));
        }
        if key == "logs"
            && matches!(&entry.value.value, NodeValue::List { items, .. } if items.is_empty())
        {
            refuse(
                "An empty list judges nothing. For no message, write `logs: [{ count: 0 }]`."
                    .to_owned(),
            );
        }
    }
}

/// True if a value is compared with a snapshot somewhere in these expectations.
fn has_snapshot(node: &Node) -> bool {
    let mut entries = node.entries().iter();
    entries.any(|entry| entry.key == "snapshot" || has_snapshot(&entry.value))
}

fn client(node: &Node) -> Client {
    Client {
        revision: node.text_of("revision"),
        capabilities: node.get("capabilities").map(|node| {
            let modes = texts(node, "elicitation");
            let all = flag(node, "elicitation");
            let roots = node
                .get("roots")
                .filter(|roots| roots.value != NodeValue::Bool(false));
            Capabilities {
                elicitation_form: all || modes.iter().any(|mode| mode == "form"),
                elicitation_url: all || modes.iter().any(|mode| mode == "url"),
                sampling: flag(node, "sampling"),
                roots: roots.map(|_| spanned_texts(node, "roots")),
                tasks: flag(node, "tasks"),
            }
        }),
        log_level: node.text_of("log-level"),
        timeout: time(node, "timeout"),
    }
}

fn verb(node: &Node) -> Verb {
    let text = |key| node.text_of(key);
    if let Some(kind) = text("list") {
        let known = LISTS.iter().find(|(word, _)| *word == kind);
        return Verb::List(known.map_or(CatalogKind::Tools, |(_, kind)| *kind));
    }
    if let Some(name) = text("call") {
        return Verb::Call(name);
    }
    if let Some(uri) = text("read") {
        return Verb::Read(uri);
    }
    if let Some(name) = text("get") {
        return Verb::Get(name);
    }
    if let Some(uri) = text("subscribe") {
        return Verb::Subscribe(uri);
    }
    let meta = node.get("meta");
    if let Some(node) = node.get("complete") {
        let text = |key| node.text_of(key);
        let mut params = json!({
            "ref": match text("prompt") {
                Some(name) => json!({ "type": "ref/prompt", "name": name }),
                None => json!({ "type": "ref/resource", "uri": text("resource") }),
            },
            "argument": { "name": text("argument"), "value": text("value") },
        });
        if let Some(context) = node.get("context") {
            params["context"] = json!({ "arguments": context.json() });
        }
        if let Some(meta) = meta {
            params["_meta"] = meta.json();
        }
        return Verb::Complete(params.to_string());
    }
    match node.get("raw") {
        None => Verb::Ping,
        Some(node) => Verb::Raw {
            method: node.text_of("method").unwrap_or_default(),
            params: match node.get("params") {
                Some(params) => Some(params.json_text()),
                None => node
                    .text_of("params-json")
                    .map(|text| text.trim_end().to_owned()),
            },
            notification: flag(node, "notification"),
        },
    }
}

fn arguments(node: &Node) -> Option<Spanned<String>> {
    if let Some(arguments) = node.get("with") {
        return Some(spanned(arguments, arguments.json_text()));
    }
    let json = node.get("with-json")?;
    Some(spanned(json, json.text()?.trim_end().to_owned()))
}

fn answer(node: &Node) -> Option<Answer> {
    let text = |node: &Node, key| node.get(key).map(Predicate::of_text);
    let to = if let Some(to) = node.get("elicitation") {
        AnswerTo::Elicitation {
            mode: to.text_of("mode"),
            message: text(to, "message"),
            url: text(to, "url"),
        }
    } else {
        let to = node.get("sampling")?;
        AnswerTo::Sampling {
            prompt: text(to, "prompt"),
            system: text(to, "system"),
        }
    };
    let reply = node.get("reply")?;
    let json = |key: &str| reply.get(key).map(Node::json_text);
    let reply = match reply.text_of("action").as_deref() {
        Some("decline") => Reply::Decline,
        Some("cancel") => Reply::Cancel,
        Some(_) => Reply::Accept(json("content").unwrap_or_else(|| "{}".to_owned())),
        None => {
            if let Some(error) = reply.get("error") {
                let code = error.get("code").map(Node::json_text);
                Reply::Error {
                    code: code.and_then(|code| code.parse().ok()).unwrap_or(-1),
                    message: error.text_of("message").unwrap_or_default(),
                }
            } else if let Some(result) = json("result") {
                Reply::Result(result)
            } else {
                let model = reply.text_of("model");
                let result = json!({
                    "role": "assistant",
                    "content": { "type": "text", "text": reply.text_of("text") },
                    "model": model.unwrap_or_else(|| "scripted".to_owned()),
                    "stopReason": "endTurn",
                });
                Reply::Result(result.to_string())
            }
        }
    };
    let span = node.span;
    Some(Answer { span, to, reply })
}

fn cancel(node: &Node) -> Option<CancelAfter> {
    let after = node.get("after")?;
    match after.text() {
        Some(text) => Some(CancelAfter::Time(duration(text).unwrap_or_default())),
        None => count(after, "progress").map(CancelAfter::Progress),
    }
}

fn capture(entry: &crate::node::Entry) -> Option<Capture> {
    let node = &entry.value;
    let from = match node.text() {
        Some(from) => from.to_owned(),
        None => node.text_of("from")?,
    };
    let within = node.text_of("in").map(|within| match within.as_str() {
        "result" => Within::Result,
        "text" => Within::Text,
        _ => Within::Structured,
    });
    Some(Capture {
        name: entry.key.clone(),
        span: entry.key_span,
        from: Path::parse(&from).ok()?,
        within,
    })
}

fn expect(step: &Node) -> Expect {
    let mut place = step.span;
    place.end = place.start;
    let Some(node) = step.get("expect") else {
        return Expect {
            span: place,
            ..Expect::default()
        };
    };
    let value = |key| node.get(key).map(Predicate::of_value);
    let text = |key| node.get(key).map(Predicate::of_text);
    let flag = |key| spanned_flag(node, key);
    let duration = node.get("duration");
    let duration_range = |node: &Node| {
        let range = match node.text() {
            Some(text) => Range::parse_duration(text),
            None => Range::parse_duration(&format!("<= {}", node.text_of("max")?)),
        };
        Some(spanned(node, range.unwrap_or_default()))
    };
    let contents = ["content", "contents", "messages"].into_iter();
    let content = contents
        .filter_map(|member| Some((member, node.get(member)?)))
        .next();
    let findings = node.get("findings");
    let replace = node.entries_of("replace").iter();
    Expect {
        span: node.span,
        error: flag("error"),
        rpc_error: node.get("rpc-error").map(|node| RpcErrorExpect {
            span: node.span,
            expected: node.value != NodeValue::Bool(false),
            code: node.get("code").map(Predicate::of_value),
            message: node.get("message").map(Predicate::of_text),
            data: node.get("data").map(Predicate::of_value),
        }),
        text: text("text"),
        content: content.map(|(member, node)| ContentExpect {
            span: node.span,
            member: member.to_owned(),
            count: range(node, "count"),
            types: node
                .get("types")
                .map(|types| spanned(types, texts(node, "types"))),
        }),
        schema: node
            .get("schema")
            .map(|schema| spanned(schema, schema.text() == Some("valid"))),
        at: node.get("at").map(AtPath::read).unwrap_or_default(),
        result: value("result"),
        count: range(node, "count"),
        pages: range(node, "pages"),
        snapshot: spanned_text(node, "snapshot"),
        ignore: texts(node, "ignore")
            .iter()
            .filter_map(|text| PointerPattern::parse(text).ok())
            .collect(),
        allow: texts(node, "allow"),
        replace: replace
            .filter_map(|entry| {
                let by = entry.value.text()?.to_owned();
                Some((Pattern::parse(&entry.key).ok()?, by))
            })
            .collect(),
        duration: duration.and_then(duration_range),
        duration_factor: duration.and_then(|node| {
            let factor = range(node, "factor")?;
            Some(Spanned {
                value: factor.value.at_most(),
                span: factor.span,
            })
        }),
        progress: node.get("progress").map(|node| ProgressExpect {
            span: node.span,
            count: range(node, "count"),
            last: node.get("last").map(Predicate::of_value),
            total: node.get("total").map(Predicate::of_value),
            message: node.get("message").map(Predicate::of_text),
            increasing: spanned_flag(node, "increasing"),
        }),
        logs: node
            .items_of("logs")
            .iter()
            .map(|node| LogExpect {
                span: node.span,
                level: node.text_of("level"),
                logger: node.get("logger").map(Predicate::of_text),
                data: node.get("data").map(Predicate::of_value),
                count: range(node, "count"),
            })
            .collect(),
        stderr: text("stderr"),
        findings: findings.map(|node| spanned(node, texts(node, "except"))),
        cancelled: flag("cancelled"),
        late_result: flag("late-result"),
    }
}

fn spanned<T>(node: &Node, value: T) -> Spanned<T> {
    let span = node.span;
    Spanned { value, span }
}

fn spanned_text(node: &Node, key: &str) -> Option<Spanned<String>> {
    let node = node.get(key)?;
    Some(spanned(node, node.text()?.to_owned()))
}

fn spanned_texts(node: &Node, key: &str) -> Vec<Spanned<String>> {
    let items = node.items_of(key).iter();
    items
        .filter_map(|item| Some(spanned(item, item.text()?.to_owned())))
        .collect()
}

fn texts(node: &Node, key: &str) -> Vec<String> {
    let texts = spanned_texts(node, key).into_iter();
    texts.map(|text| text.value).collect()
}

fn flag(node: &Node, key: &str) -> bool {
    spanned_flag(node, key).is_some_and(|flag| flag.value)
}

fn spanned_flag(node: &Node, key: &str) -> Option<Spanned<bool>> {
    let node = node.get(key)?;
    match node.value {
        NodeValue::Bool(flag) => Some(spanned(node, flag)),
        _ => None,
    }
}

fn count(node: &Node, key: &str) -> Option<u32> {
    match &node.get(key)?.value {
        NodeValue::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn time(node: &Node, key: &str) -> Option<Duration> {
    duration(node.get(key)?.text()?).ok()
}

fn range(node: &Node, key: &str) -> Option<Spanned<Range>> {
    let node = node.get(key)?;
    let range = match &node.value {
        NodeValue::Number(text) | NodeValue::Text(text) => Range::parse(text),
        _ => return None,
    };
    // A text whose variable is not replaced yet is not a range.
    Some(spanned(node, range.unwrap_or_default()))
}
