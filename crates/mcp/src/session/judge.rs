//! Checks of the response to a request, by its method and the protocol in use.

use serde_json::value::RawValue;
use sonde_findings::{Finding, Location, rules};

use sonde_wire::{ExchangeId, Header, Seq};

use super::{
    context::Context,
    envelope::{ErrorObject, METHOD_NOT_FOUND, Message, short},
    http_response::{HttpResponse, header, is_success},
    purpose::Purpose,
    response::Response,
    stage::Stage,
    streams::Streams,
};
use crate::{
    catalog::{declared, declares_subscriptions},
    members::{elements, entries, has_true, member, members, string},
    protocol::{
        Protocol,
        stateless::{judge_cache_hints, kind},
    },
    received_result::ReceivedResult,
    text::brief,
};

/// The longest message of an error that can be one sentence, in bytes.
const SENTENCE_BYTES: usize = 2_000;
/// Error codes for a resource that does not exist: from 2026-07-28 on, and before.
const INVALID_PARAMS: i64 = -32_602;
const RESOURCE_NOT_FOUND: i64 = -32_002;
/// Number of members of one `_meta` that are checked.
const META_KEYS: usize = 100;

/// Adds the findings about the response to a request of this method, which `http` carried, from a server that declared
/// these capabilities. Findings that do not apply to the protocol version are removed later.
pub(super) fn judge(
    method: &str,
    response: &Response<'_>,
    protocol: &Protocol,
    capabilities: Option<&RawValue>,
    http: Option<&HttpResponse>,
    found: &mut Vec<Finding>,
) {
    match response {
        Response::Result(result) => judge_result(method, result, protocol, found),
        Response::Error(error) => judge_error(method, error, protocol, capabilities, http, found),
        Response::Unreadable(_) => {}
    }
}

fn judge_result(
    method: &str,
    result: &ReceivedResult<'_>,
    protocol: &Protocol,
    found: &mut Vec<Finding>,
) {
    // Results can be large, and after a handshake most need no further checks.
    let is_plain = !protocol.is_stateless() && method != "ping";
    if is_plain && !result.get().contains("\"_meta\"") {
        return;
    }
    if !result.is_object() {
        return;
    }
    let [meta, result_type, ttl, scope] =
        ["_meta", "resultType", "ttlMs", "cacheScope"].map(|name| result.member(name));
    if let Some(stateless) = protocol.stateless() {
        let result_kind = result_type.and_then(string);
        let asks = result_kind.as_deref() == Some("input_required");
        // A task in a wrong place is a finding of its own.
        let is_task = result_kind.as_deref() == Some("task");
        let kind = || kind(result, method, stateless.tasks);
        if result_type.is_none() {
            found.push(Finding::new(&rules::MISSING_RESULT_TYPE));
        } else if !is_task && let Err(problem) = kind() {
            found.push(Finding::new(&rules::BAD_RESULT_TYPE).with("problem", problem));
        }
        if asks && (ttl.is_some() || scope.is_some()) {
            found.push(Finding::new(&rules::HINTS_ON_INPUT_REQUIRED));
        }
        if method == "resources/read"
            && result
                .member("contents")
                .is_some_and(|all| elements(all.get(), 0).is_ok_and(|all| all.count == 0))
        {
            found.push(Finding::new(&rules::NO_CONTENTS).in_member("contents"));
        }
        // Lists are judged as a whole.
        if !method.ends_with("/list") {
            found.extend(judge_cache_hints(method, [ttl, scope, result_type]));
        }
    }
    if let Some(meta) = meta {
        judge_meta(meta, found);
    }
    if method == "ping" {
        let others = entries(result.get(), META_KEYS).unwrap_or_default();
        if let Some((other, _)) = others.iter().find(|(name, _)| name != "_meta") {
            let problem = format!("has the member `{}`", brief(other));
            found.push(Finding::new(&rules::BAD_PING).with("problem", problem));
        }
    }
}

fn judge_error(
    method: &str,
    error: &ErrorObject,
    protocol: &Protocol,
    capabilities: Option<&RawValue>,
    http: Option<&HttpResponse>,
    found: &mut Vec<Finding>,
) {
    let code = error.code;
    if method == "ping" {
        let problem = format!("is the error {code}");
        found.push(Finding::new(&rules::BAD_PING).with("problem", problem));
    }
    if code == METHOD_NOT_FOUND
        && let Some(capabilities) = capabilities
        && let Some(capability) = promising(method, capabilities)
    {
        found.push(
            Finding::new(&rules::MISSING_METHOD)
                .with("capability", capability)
                .with("method", method),
        );
    }
    if let Some(problem) = message_problem(&error.message) {
        found.push(
            Finding::new(&rules::LONG_ERROR_MESSAGE)
                .with("problem", problem)
                .at(Location::Pointer("/error/message".to_owned())),
        );
    }
    let not_found = match protocol.is_stateless() {
        true => INVALID_PARAMS,
        false => RESOURCE_NOT_FOUND,
    };
    // If the method does not exist, the error is not about the resource.
    if method == "resources/read"
        && code != not_found
        && code != METHOD_NOT_FOUND
        && says_not_found(&error.message)
    {
        found.push(
            Finding::new(&rules::NOT_FOUND_CODE)
                .with("code", code)
                .with("expected", not_found),
        );
    }
    // A stream sends its status before the server has processed the request.
    if let Some(http) = http
        && protocol.is_stateless()
        && let Some(expected) = status_of(code)
        && http.status != expected
        && http.content_type.as_deref().is_some_and(|kind| {
            kind.trim_start()
                .to_ascii_lowercase()
                .starts_with("application/json")
        })
    {
        found.push(
            Finding::new(&rules::WRONG_ERROR_STATUS)
                .with("code", code)
                .with("status", http.status)
                .with("expected", expected),
        );
    }
}

/// The capability by which a server promises a method, if it declares it.
fn promising(method: &str, capabilities: &RawValue) -> Option<&'static str> {
    let capability = match method {
        "tools/list" => "tools",
        "resources/list" => "resources",
        "prompts/list" => "prompts",
        "completion/complete" => "completions",
        "logging/setLevel" => "logging",
        "resources/subscribe" => {
            return declares_subscriptions(capabilities).then_some("resources.subscribe");
        }
        _ => return None,
    };
    declared(capabilities, capability).then_some(capability)
}

/// The HTTP status that an error belongs to (Streamable HTTP, 2026-07-28).
fn status_of(code: i64) -> Option<u16> {
    match code {
        -32_022..=-32_020 => Some(400),
        METHOD_NOT_FOUND => Some(404),
        _ => None,
    }
}

/// Returns true if the message of an error says that a resource does not exist.
fn says_not_found(message: &str) -> bool {
    let start: String = message.chars().take(200).collect::<String>().to_lowercase();
    let words = [
        "not found",
        "does not exist",
        "no such resource",
        "unknown resource",
    ];
    words.iter().any(|words| start.contains(words))
}

/// Returns the reason why an error's message is no concise sentence, as a predicate without its subject.
fn message_problem(message: &str) -> Option<String> {
    let traces = [
        "\n    at ",
        "\n\tat ",
        "Traceback (most recent call last)",
        "stack backtrace:",
    ];
    if traces.iter().any(|trace| message.contains(trace)) {
        return Some("contains a stack trace".to_owned());
    }
    (message.len() > SENTENCE_BYTES).then(|| format!("has {} bytes", message.len()))
}

/// Returns the finding for an undeclared notification that a list has changed, in a session with a
/// handshake.
fn undeclared_change(capabilities: &RawValue, method: &str) -> Option<Finding> {
    let capability = match method {
        "notifications/tools/list_changed" => "tools",
        "notifications/resources/list_changed" => "resources",
        "notifications/prompts/list_changed" => "prompts",
        _ => return None,
    };
    let [of] = members(capabilities.get(), &[capability]).ok()?.values;
    (!has_true(of, "listChanged")).then(|| {
        Finding::new(&rules::UNDECLARED_LIST_CHANGED)
            .with("method", method)
            .with("capability", capability)
    })
}

/// Checks the head of the response to a message that has no response.
pub(super) fn judge_taken(status: u16, headers: &[Header]) -> Vec<Finding> {
    let is_stream = header(headers, "content-type")
        .is_some_and(|value| value.to_ascii_lowercase().contains("event-stream"));
    if is_stream || !is_success(status) {
        return Vec::new();
    }
    if status != 202 {
        return vec![Finding::new(&rules::NOT_ACCEPTED).with("status", status)];
    }
    let size = header(headers, "content-length").and_then(|size| size.trim().parse::<u64>().ok());
    size.filter(|size| *size > 0)
        .map(|size| Finding::new(&rules::ACCEPTED_WITH_BODY).with("size", size))
        .into_iter()
        .collect()
}

/// Checks the head of a response that may be a stream.
pub(super) fn judge_stream(ctx: &mut Context, headers: &[Header], seq: Seq) {
    let is = |name, part: &str| {
        header(headers, name).is_some_and(|value| value.to_ascii_lowercase().contains(part))
    };
    if ctx.protocol.is_stateless()
        && ctx.is_ready()
        && is("content-type", "text/event-stream")
        && !is("x-accel-buffering", "no")
        && ctx.is_news(&rules::BUFFERED_STREAM)
    {
        ctx.annotate(seq, None, vec![Finding::new(&rules::BUFFERED_STREAM)]);
    }
}

/// Checks a stream that the server ended regularly while its request was open.
pub(super) fn judge_end(ctx: &mut Context, streams: &Streams, exchange: ExchangeId) {
    let ExchangeId(id) = streams.origin(exchange);
    let Some(request) = ctx
        .requests
        .get(id)
        .filter(|one| !one.limits.is_cancelled())
    else {
        return;
    };
    let is_stream = |http: &HttpResponse| {
        let kind = http.content_type.as_deref().unwrap_or_default();
        is_success(http.status) && kind.to_ascii_lowercase().contains("event-stream")
    };
    let http = request.http.as_deref().filter(|http| is_stream(http));
    let Some(seq) = http.and_then(|http| http.seq) else {
        return;
    };
    let found = if request.purpose == Purpose::Listen {
        Finding::new(&rules::SUBSCRIPTION_CUT)
    } else if streams.is_resumable(exchange) {
        // From 2025-11-25 on, a server may end a stream and let the client resume it.
        if ctx
            .protocol
            .revision()
            .is_none_or(|it| it.row().streams_may_pause)
        {
            return;
        }
        Finding::new(&rules::STREAM_CLOSED_EARLY).with("and", "")
    } else {
        let and = ", and before any event with an id";
        Finding::new(&rules::STREAM_CLOSED_EARLY).with("and", and)
    };
    ctx.annotate(seq, None, vec![found]);
}

/// Checks a request or notification of the server by the general rules. `undecided` is true while the
/// server's era is unknown.
pub(super) fn judge_message(
    ctx: &Context,
    undecided: bool,
    message: &Message<'_>,
    found: &mut Vec<Finding>,
) {
    let (method, params, is_request) = match message {
        Message::Request { method, params, .. } => (method, params, true),
        Message::Notification { method, params } => (method, params, false),
        _ => return,
    };
    let of = |rule| Finding::new(rule).with("method", short(method));
    if is_request && method.starts_with("notifications/") {
        found.push(of(&rules::NOTIFICATION_WITH_ID));
    }
    let handshake = ctx.protocol.handshake().is_some();
    // "The server SHOULD NOT send requests other than pings and logging before receiving the
    // `initialized` notification" (lifecycle, Initialization).
    if ctx.stage() == Stage::Opening
        && handshake
        && !undecided
        && !matches!(method.as_str(), "ping" | "notifications/message")
    {
        found.push(of(&rules::EARLY_MESSAGE));
    }
    if let Some(declared) = ctx.declared.as_deref().filter(|_| handshake && !is_request) {
        found.extend(undeclared_change(declared, method));
    }
    if let Some(params) = params.filter(|params| params.get().contains("\"_meta\""))
        && let Some(meta) = member(params, "_meta")
    {
        judge_meta(meta, found);
    }
}

/// Checks a `_meta` (base protocol, `_meta`).
fn judge_meta(meta: &RawValue, found: &mut Vec<Finding>) {
    let Some(entries) = entries(meta.get(), META_KEYS) else {
        found.push(
            Finding::new(&rules::BAD_TYPE)
                .with("member", "_meta")
                .with("expected", "an object")
                .in_member("_meta"),
        );
        return;
    };
    if let Some((key, _)) = entries.iter().find(|(key, _)| !is_meta_key(key)) {
        let key = format!("{:?}", brief(key));
        found.push(
            Finding::new(&rules::BAD_META_KEY)
                .with("key", key)
                .in_member("_meta"),
        );
    }
    let trace = entries.iter().find(|(key, _)| key == "traceparent");
    if let Some((_, value)) = trace
        && !string(value).is_some_and(|value| is_traceparent(&value))
    {
        let finding = Finding::new(&rules::BAD_TRACE_CONTEXT);
        found.push(finding.with("value", brief(value.get())).in_member("_meta"));
    }
}

/// True for an optional prefix (labels with dots between them and a slash at the end), followed by a name, which may be
/// empty.
fn is_meta_key(key: &str) -> bool {
    let ends_well = |text: &str| {
        let end = |one: Option<char>| one.is_some_and(|one| one.is_ascii_alphanumeric());
        end(text.chars().next()) && end(text.chars().next_back())
    };
    let of = |text: &str, others: &str| {
        text.chars()
            .all(|one| one.is_ascii_alphanumeric() || others.contains(one))
    };
    let is_label = |label: &str| {
        label.starts_with(|one: char| one.is_ascii_alphabetic())
            && ends_well(label)
            && of(label, "-")
    };
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    prefix.is_none_or(|prefix| prefix.split('.').all(is_label))
        && (name.is_empty() || ends_well(name) && of(name, "-_."))
}

/// W3C Trace Context, traceparent Header Field Values.
fn is_traceparent(value: &str) -> bool {
    let hex = |text: &str, length: usize| {
        text.len() == length
            && text
                .bytes()
                .all(|one| matches!(one, b'0'..=b'9' | b'a'..=b'f'))
    };
    let mut parts = value.split('-');
    [2, 32, 16, 2]
        .into_iter()
        .all(|length| parts.next().is_some_and(|part| hex(part, length)))
        && (parts.next().is_none() || !value.starts_with("00"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Revision, SessionOptions, protocol::stateless::Stateless, testing::raw};

    fn stateless() -> Protocol {
        Protocol::Stateless(Stateless::new(
            Revision::NEWEST_STATELESS,
            &SessionOptions::new(crate::Implementation::new("c", "1")),
        ))
    }

    fn of(
        protocol: &Protocol,
        method: &str,
        response: &Response<'_>,
        http: Option<&HttpResponse>,
    ) -> Vec<&'static str> {
        let capabilities =
            raw(r#"{"tools":{},"logging":{},"resources":{"subscribe":true},"prompts":null}"#);
        let mut found = Vec::new();
        judge(
            method,
            response,
            protocol,
            Some(&capabilities),
            http,
            &mut found,
        );
        found.iter().map(Finding::id).collect()
    }

    fn error(code: i64, message: &str) -> Response<'static> {
        Response::Error(ErrorObject {
            code,
            message: message.to_owned(),
            data: None,
        })
    }

    #[test]
    fn results_are_judged_by_what_is_spoken() {
        // With the findings where there is no handshake; where there is one, only those about pings and `_meta`.
        for row in [
            r#"resources/read {"resultType":"complete","ttlMs":1,"cacheScope":"public"} => "#,
            "tools/call {} => missing-result-type",
            r#"tools/call {"resultType":"odd"} => bad-result-type"#,
            r#"tools/list {"resultType":"input_required","requestState":"s"} => bad-result-type"#,
            r#"tools/call {"resultType":"input_required"} => bad-result-type"#,
            r#"tools/call {"resultType":"input_required","requestState":"s"} => "#,
            r#"tools/call {"resultType":"input_required","requestState":"s","ttlMs":1} => hints-on-input-required"#,
            r#"resources/read {"resultType":"complete"} => bad-cache-hints"#,
            r#"tools/list {"resultType":"complete"} => "#,
            "ping {} => missing-result-type",
            r#"ping {"_meta":{"a":1}} => missing-result-type"#,
            r#"ping {"ok":true} => missing-result-type bad-ping"#,
            r#"tools/call {"resultType":"complete","_meta":{"a b":1}} => bad-meta-key"#,
            r#"resources/read {"resultType":"complete","ttlMs":1,"cacheScope":"public","contents":[]} => no-contents"#,
            r#"resources/read {"resultType":"complete","ttlMs":1,"cacheScope":"public","contents":[{}]} => "#,
        ] {
            let (message, codes) = row.split_once(" => ").unwrap();
            let (method, result) = message.split_once(' ').unwrap();
            let result = raw(result);
            let response = Response::Result(ReceivedResult::new(&result, None));
            let without: Vec<_> = codes.split_whitespace().collect();
            assert_eq!(of(&stateless(), method, &response, None), without, "{row}");
            let of_both = |id: &&str| matches!(*id, "bad-ping" | "bad-meta-key");
            let with: Vec<_> = without.into_iter().filter(of_both).collect();
            let found = of(&Protocol::default(), method, &response, None);
            assert_eq!(found, with, "{row}");
        }
    }

    #[test]
    fn errors_are_judged_by_method_and_declaration() {
        let handshake = Protocol::default();
        let not_found = error(-32601, "Method not found");
        for (method, expected) in [
            ("tools/list", &["missing-method"][..]),
            ("logging/setLevel", &["missing-method"]),
            ("resources/subscribe", &["missing-method"]),
            ("prompts/list", &[]),
            ("completion/complete", &[]),
            ("resources/templates/list", &[]),
            ("tools/call", &[]),
            ("ping", &["bad-ping"]),
        ] {
            let found = of(&handshake, method, &not_found, None);
            assert_eq!(found, expected, "{method}");
        }
        assert_eq!(
            of(&handshake, "tools/list", &error(-32603, "It broke."), None),
            [""; 0]
        );
        for (code, message, is_found) in [
            (-32602, "Resource not found", true),
            (-32603, "The file is closed", false),
            (-32002, "Resource not found", false),
            // The method is what is not there.
            (-32601, "Method not found", false),
        ] {
            let found = of(&handshake, "resources/read", &error(code, message), None);
            assert_eq!(found.contains(&"not-found-code"), is_found, "{code}");
        }
        for message in [
            "Traceback (most recent call last):\n  File",
            "TypeError: x\n    at f (index.js:1)",
            &"x".repeat(2_001),
        ] {
            assert_eq!(
                of(&handshake, "x", &error(1, message), None),
                ["long-error-message"]
            );
        }
    }

    #[test]
    fn errors_come_with_their_status() {
        let http = |status, content_type: &str| {
            let header = Header {
                name: "content-type".to_owned(),
                value: content_type.to_owned(),
            };
            HttpResponse::new(status, &[header], Seq(1))
        };
        let json = "application/json";
        for (code, http, expected) in [
            (-32022, http(400, json), &[][..]),
            (-32020, http(200, json), &["wrong-error-status"]),
            (-32601, http(404, json), &[]),
            (
                -32601,
                http(400, "Application/JSON; charset=utf-8"),
                &["wrong-error-status"],
            ),
            (-32601, http(200, "text/event-stream"), &[]),
            (-32602, http(200, json), &[]),
        ] {
            let found = of(&stateless(), "x", &error(code, "m"), Some(&http));
            assert_eq!(found, expected, "{code} {}", http.status);
            let handshake = of(&Protocol::default(), "x", &error(code, "m"), Some(&http));
            assert_eq!(handshake, [""; 0]);
        }
    }

    #[test]
    fn changes_are_told_by_who_declares_them() {
        let capabilities =
            raw(r#"{"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{}}"#);
        for (of, is_declared) in [("tools", true), ("prompts", false), ("resources", false)] {
            let method = format!("notifications/{of}/list_changed");
            let found = undeclared_change(&capabilities, &method);
            assert_eq!(found.is_none(), is_declared, "{of}");
        }
        assert!(undeclared_change(&raw("{}"), "notifications/tools/list_changed").is_some());
        assert_eq!(undeclared_change(&raw("{}"), "notifications/message"), None);
    }

    #[test]
    fn what_has_no_response_is_taken_with_202_and_no_body() {
        let of = |status, name: &str, value: &str| {
            let headers = [Header {
                name: name.to_owned(),
                value: value.to_owned(),
            }];
            let found = judge_taken(status, &headers);
            found.iter().map(Finding::id).collect::<Vec<_>>()
        };
        for status in [202, 400, 404, 500] {
            assert_eq!(of(status, "content-length", "0"), [""; 0], "{status}");
        }
        for status in [200, 204] {
            assert_eq!(
                of(status, "content-length", "0"),
                ["not-accepted"],
                "{status}"
            );
        }
        assert_eq!(of(202, "Content-Length", "8"), ["accepted-with-body"]);
        assert_eq!(of(400, "Content-Length", "8"), [""; 0]);
        assert_eq!(of(200, "Content-Type", "text/event-stream"), [""; 0]);
    }

    #[test]
    fn the_keys_of_meta_follow_their_grammar() {
        let of = |meta: &str| {
            let mut found = Vec::new();
            judge_meta(&raw(meta), &mut found);
            found.iter().map(Finding::id).collect::<Vec<_>>()
        };
        for good in [
            "progressToken",
            "ui",
            "openai/outputTemplate",
            "io.modelcontextprotocol/serverInfo",
            "com.example-1/a_b.c-d",
            "com.example/",
            "",
            "1",
        ] {
            assert_eq!(of(&format!(r#"{{"{good}":1}}"#)), [""; 0], "{good}");
        }
        for bad in [
            "a b", "$schema", "_a", "a-", "1a/b", "a..b/c", "a-/b", "a/b/c", "/a", "ü",
        ] {
            assert_eq!(of(&format!(r#"{{"{bad}":1}}"#)), ["bad-meta-key"], "{bad}");
        }
        assert_eq!(of("[]"), ["bad-type"]);
        let trace = |value: &str| of(&format!(r#"{{"traceparent":{value}}}"#));
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(trace(&format!("\"{good}\"")), [""; 0]);
        for bad in [
            good.to_uppercase(),
            good[1..].to_owned(),
            format!("{good}-x"),
            "x".to_owned(),
        ] {
            assert_eq!(trace(&format!("\"{bad}\"")), ["bad-trace-context"], "{bad}");
        }
        assert_eq!(trace("7"), ["bad-trace-context"]);
    }
}
