use std::time::Duration;

use serde_json::json;

use super::rows;
use crate::{
    expect::{Baseline, Judgement, judge},
    format::{Step, Suite},
    observed::{End, Observed, ObservedFinding, ObservedLog, ObservedProgress, SchemaOutcome},
    report::Failure,
    snapshot::{SnapshotState, file_name},
};

fn step(lines: &str) -> Step {
    let text = format!(
        "sonde: 1\nsteps:\n  - {}\n",
        lines.trim().replace('\n', "\n    ")
    );
    let suite = Suite::read("a.sonde.yaml", &text);
    suite
        .unwrap_or_else(|problems| panic!("{lines}\n{problems}"))
        .steps
        .remove(0)
}

const RESULT: &str = r#"{
    "content": [{ "type": "text", "text": "created" }, { "type": "resource_link", "uri": "shop://1" },
        { "type": "text", "text": "{\"n\": 1.0}" }],
    "structuredContent": { "id": "ord_12345678", "total": 9007199254740993, "none": null, "empty": "", "on": true,
        "lines": [{ "sku": "A", "qty": 2 }, { "sku": "B", "qty": 1.50 }], "a/b": 1 },
    "isError": false
}"#;

fn observed() -> Observed {
    Observed {
        end: End::Result(RESULT.to_owned()),
        duration: Some(Duration::from_millis(1_500)),
        progress: [1, 2, 3]
            .map(|n| ObservedProgress {
                progress: json!(n),
                total: Some(json!(3)),
                message: Some(format!("step {n}")),
            })
            .to_vec(),
        logs: vec![
            ObservedLog {
                level: "info".to_owned(),
                logger: Some("db".to_owned()),
                data: json!("INSERT 1"),
            },
            ObservedLog {
                level: "info".to_owned(),
                logger: None,
                data: json!({ "n": 1 }),
            },
        ],
        stderr: Some(vec!["one".to_owned(), "two".to_owned()]),
        findings: vec![ObservedFinding {
            rule: "bad-progress".to_owned(),
            message: "Wrong.".to_owned(),
        }],
        schema: SchemaOutcome::Valid,
        is_complete: true,
        ..Observed::default()
    }
}

/// Failures of a step by these lines.
fn failures(lines: &str, observed: &Observed) -> Vec<Failure> {
    judged(&step(lines), observed, None).failures
}

fn judged(step: &Step, observed: &Observed, stored: Option<&str>) -> Judgement {
    judge(
        step,
        observed,
        &Baseline {
            snapshot: &|_| Ok(stored.map(str::to_owned)),
            duration: Ok(Some(Duration::from_millis(500))),
            hide: &|text| text.replace("hush", "‹secret›"),
        },
    )
}

/// Expectations of a call with the result above: one that holds, one that does not, and a part of the failure's words.
const EXPECTATIONS: &str = r#"
error: false | error: true | expected true, found false
rpc-error: false | rpc-error: true | expected a JSON-RPC error, found the result
text: { contains: created } | text: created | text: expected "created", found
text: { contains: [created, n] } | text: { contains: [created, gone] } | contains "gone"
text: { not-contains: x } | text: { not-contains: created } | a value without
text: { matches: '^cr.*' } | text: { matches: '^x' } | matches "^x"
text: { not-matches: '^x' } | text: { not-matches: ed } | does not match
text: { starts: cre } | text: { starts: x } | begins with "x"
text: { ends: '}' } | text: { ends: x } | ends with "x"
text: { count: '> 5' } | text: { count: 2 } | a count of 2, found 18
content: { count: 1..3 } | content: { count: '< 3' } | content.count: expected < 3, found 3
content: { types: [text, resource_link, text] } | content: { types: [text] } | found text, resource_link, text
schema: valid | schema: invalid | one that it permits
at: { /id: { matches: '^ord_[a-z0-9]{8}$' } } | at: { /id: ord_1 } | /id: expected "ord_1"
at: { /total: 9007199254740993 } | at: { /total: 9007199254740992 } | found 9007199254740993
at: { /total: 9007199254740993.0 } | at: { /total: '9007199254740993' } | expected "9007
at: { /total: '> 9007199254740992' } | at: { /total: '> 9007199254740993' } | a number > 9007
at: { /total: { min: 1, max: 1e16 } } | at: { /total: { max: 1 } } | a number <= 1
at: { /lines/1/qty: 1.5 } | at: { /lines/1/qty: 1.51 } | found 1.50
at: { /none: null } | at: { /none: { absent: true } } | expected nothing, found null
at: { /gone: { absent: true } } | at: { /gone: null } | expected null, found nothing
at: { /none: { present: true } } | at: { /gone: { present: true } } | expected a value, found nothing
at: { /empty: '' } | at: { /empty: null } | expected null, found ""
at: { /a~1b: 1 } | at: { /a~1b: 2 } | /a~1b
at: { /on: true } | at: { /on: { type: string } } | the type string, found true
at: { /total: { type: integer } } | at: { /lines/1/qty: { type: integer } } | the type integer
at: { /lines: { count: 2, type: array } } | at: { /lines: { count: 3 } } | a count of 3, found 2
at: { '$.lines[?@.qty > 1]': { count: 2 } } | at: { '$.lines[?@.qty > 1.6]': { count: 2 } } | 2 nodes, found 1
at: { '$.lines[*].sku': { one-of: [A, B] } } | at: { '$.lines[*].sku': A } | expected "A", found "B"
at: { '$.gone': { absent: true } } | at: { '$.gone': 1 } | found nothing
at: { /lines: { contains: { sku: A, qty: 2.0 } } } | at: { /lines: { contains: { sku: A } } } | something that contains
at: { /lines/0: { contains: { sku: A } } } | at: { /lines/0: { not-contains: { sku: A } } } | a value without
at: { /lines/0: { equals: { qty: 2, sku: A } } } | at: { /lines/0: { equals: { sku: A } } } | {"sku":"A"}
result: { contains: { isError: false } } | result: { count: 2 } | a count of 2, found 3
duration: < 2s | duration: < 1s | duration: expected < 1s, found 1.5s
duration: 1s..2s | duration: { max: 1s } | expected <= 1s
duration: { factor: 3 } | duration: { factor: 2.9 } | at most 2.9 times the baseline of 500.0ms, found 1.5s
progress: { count: '>= 3' } | progress: { count: 4 } | progress.count: expected 4, found 3
progress: { last: 3.0, total: 3 } | progress: { last: 2 } | progress.last
progress: { increasing: true } | progress: { increasing: false } | progress.increasing
progress: { message: step 3 } | progress: { message: { contains: x } } | progress.message
logs: [{ level: info, logger: db, data: { contains: INSERT } }] | logs: [{ level: error }] | expected such a message, found info: "INSERT 1"
logs: [{ level: error, count: 0 }] | logs: [{ level: info, count: 0 }] | logs.count: expected 0, found 2
logs: [{ data: { contains: { n: 1 } } }] | logs: [{ data: { contains: { n: 2 } } }] | such a message
stderr: { contains: two, not-contains: Traceback } | stderr: { not-contains: one } | stderr
findings: { except: [bad-progress] } | findings: none | found bad-progress: Wrong.
cancelled: false | cancelled: true | cancelled: expected true, found false
"#;

#[test]
fn each_expectation_holds_and_fails() {
    let observed = observed();
    for [holds, fails, words] in rows(EXPECTATIONS) {
        let judged_by =
            |expect: &str| failures(&format!("call: a\nexpect: {{ {expect} }}"), &observed);
        assert_eq!(judged_by(holds), [], "{holds}");
        let failures = judged_by(fails);
        assert_eq!(failures.len(), 1, "{fails}: {failures:?}");
        assert!(
            failures[0].words.contains(words),
            "{fails}: {}",
            failures[0].words
        );
        assert_eq!(failures[0].span.line, 4, "{fails}");
        assert!(failures[0].span.column > 12, "{fails}");
    }
}

/// Expectations of a call with the result above that have nothing to look at, and a part of the failure's words.
const UNJUDGED: &str = r#"
at: { /total: { not-contains: 9 } } | a value without
text: { not-contains: 1 } | a value without
at: { /lines: { not-matches: Z } } | does not match
at: { '$.nobody[*]': { not-contains: x } } | found nothing
at: { '$.nobody[*]': { type: string } } | found nothing
at: { /nothing: { count: 0 } } | found nothing
contents: { count: 0 } | a result without it
"#;

#[test]
fn an_expectation_with_nothing_to_look_at_fails() {
    for [fails, words] in rows(UNJUDGED) {
        let failures = failures(&format!("call: a\nexpect: {{ {fails} }}"), &observed());
        assert_eq!(failures.len(), 1, "{fails}: {failures:?}");
        assert!(failures[0].words.contains(words), "{}", failures[0].words);
    }
    let nothing = Observed {
        end: End::Cancelled,
        duration: None,
        progress: observed().progress[..1].to_vec(),
        stderr: None,
        is_complete: false,
        ..observed()
    };
    for (fails, words) in [
        ("duration: < 9s", "duration: expected < 9s, found nothing"),
        (
            "progress: { increasing: true }",
            "fewer than two notifications",
        ),
        (
            "stderr: { not-contains: x }",
            "stderr: expected a value without",
        ),
        (
            "stderr: { not-contains: x }",
            "stderr: expected all lines of the step, found some that were dropped",
        ),
        (
            "findings: { except: [bad-progress] }",
            "some that were dropped",
        ),
    ] {
        let lines = format!("call: a\nexpect: {{ cancelled: true, {fails} }}");
        let failures = failures(&lines, &nothing);
        let mut told = failures.iter().map(|failure| &failure.words);
        assert!(
            told.any(|told| told.contains(words)),
            "{fails}: {failures:?}"
        );
    }
    let list = step("list: tools\nexpect: { snapshot: tools, allow: [additive] }");
    let listed = Observed {
        end: End::Result(r#"{ "tools": [{ "name": "a" }] }"#.to_owned()),
        ..observed()
    };
    let failures = judged(&list, &listed, Some("{ \"prompts\": [] }")).failures;
    assert_eq!(failures.len(), 1, "{failures:?}");
}

#[test]
fn json_within_a_text_is_judged_by_path() {
    let mut observed = observed();
    observed.end = End::Result(
        r#"{ "contents": [{ "uri": "a", "text": "{\"status\": \"open\", \"n\": 1.0}" }] }"#
            .to_owned(),
    );
    let judged_by = |expect: &str| failures(&format!("read: a\nexpect: {{ {expect} }}"), &observed);
    let holds = "contents: { count: 1 }, text: { json: { /status: open, /n: 1 } }, at: { /contents/0/uri: a }";
    assert_eq!(judged_by(holds), []);
    let shut = &judged_by("text: { json: { /status: shut } }")[0];
    assert_eq!(shut.words, r#"/status: expected "shut", found "open"."#);
    let two = judged_by("text: { json: { /n: 1 } }, contents: { count: 2 }");
    assert_eq!(two.len(), 1);
    observed.end = End::Result(
        r#"{ "messages": [{ "role": "user", "content": { "type": "text", "text": "Dear" } }] }"#
            .to_owned(),
    );
    let prompt = "get: a\nexpect: { messages: { count: 1, types: [text] }, text: Dear }";
    assert_eq!(failures(prompt, &observed), []);
}

#[test]
fn the_end_of_a_request_is_judged_without_expectations() {
    let ended = |end: End| {
        let failures = failures("call: a", &Observed { end, ..observed() }).into_iter();
        failures.map(|one| one.words).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ended(End::Result(RESULT.to_owned())), "");
    assert_eq!(
        ended(End::Result(
            r#"{ "content": [{ "type": "text", "text": "no" }], "isError": true }"#.to_owned()
        )),
        "error: expected a result without error, found an error of the tool: no."
    );
    let refused = || End::RpcError {
        code: -32_602,
        message: "bad".to_owned(),
        data: Some("[1]".to_owned()),
    };
    assert_eq!(
        ended(refused()),
        "response: expected a result, found the error -32602: bad."
    );
    assert!(ended(End::Lost("the server left".to_owned())).contains("found none: the server left"));
    assert!(ended(End::Cancelled).contains("found that it was cancelled"));
    let refusal = "call: a\nexpect: { rpc-error: { code: -32602, message: { contains: bad }, data: { contains: 1 } } }";
    let observed = Observed {
        end: refused(),
        ..observed()
    };
    assert_eq!(failures(refusal, &observed), []);
    let other = failures(&refusal.replace("-32602", "-1"), &observed);
    assert_eq!(other[0].words, "rpc-error.code: expected -1, found -32602.");
}

#[test]
fn cancellations_and_answers_are_judged() {
    let cancels = "call: a\ncancel: { after: 1s }\nexpect: { cancelled: true, late-result: false }";
    let mut observed = observed();
    observed.end = End::Cancelled;
    assert_eq!(failures(cancels, &observed), []);
    observed.late_result = true;
    assert_eq!(failures(cancels, &observed)[0].path, "late-result");

    observed = self::observed();
    observed.unused_answers = vec![0];
    observed.unanswered = vec!["roots/list (folders)".to_owned()];
    let answers = "call: a\nanswers:\n  - sampling: {}\n    reply: { text: hi }\n";
    let both = failures(answers, &observed);
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(both[0].span.line, 5);
    assert!(both[1].words.contains("none for roots/list (folders)"));
    let declines = format!("{answers}  - default: decline\n");
    assert_eq!(failures(&declines, &observed).len(), 1);
}

#[test]
fn results_are_compared_with_their_snapshot() {
    let lines = "call: a\nexpect:\n  result: { snapshot: order }\n  ignore: [/content, /structuredContent/lines/*/qty]\n  \
                 replace: { 'ord_[a-z0-9]{8}': ord_ID }\n";
    let step = step(lines);
    let mut observed = observed();
    let first = judged(&step, &observed, None);
    let snapshot = &first.snapshots[0];
    assert_eq!(
        (snapshot.state, first.failures.len()),
        (SnapshotState::Missing, 0)
    );
    assert!(
        snapshot.text.contains(r#""id": "ord_ID""#) && snapshot.text.contains("9007199254740993")
    );
    assert!(!snapshot.text.contains("qty") && !snapshot.text.contains("created"));
    observed.end = End::Result(
        RESULT
            .replace("12345678", "abcdefgh")
            .replace("\"qty\": 2", "\"qty\": 3"),
    );
    let second = judged(&step, &observed, Some(&snapshot.text));
    assert_eq!(
        (second.failures.len(), second.snapshots[0].state),
        (0, SnapshotState::Same)
    );
    let whole = judged(&step, &observed, Some(RESULT));
    assert_eq!(whole.failures, [], "stored before anything was left out");
    observed.end = End::Result(
        RESULT
            .replace("\"B\"", "\"hush\"")
            .replace("\"empty\": \"\", ", ""),
    );
    let third = judged(&step, &observed, Some(&snapshot.text));
    let words: Vec<_> = third
        .failures
        .iter()
        .map(|failure| failure.words.as_str())
        .collect();
    assert_eq!(
        words,
        [
            "result/structuredContent/empty: expected \"\", found nothing.",
            "result/structuredContent/lines/1/sku: expected \"B\", found \"‹secret›\".",
        ]
    );
    assert_eq!(third.failures[0].snapshot.as_deref(), Some("order"));
    assert_eq!(third.snapshots[0].state, SnapshotState::Different);
    assert!(
        judged(&step, &observed, Some("{")).failures[0]
            .words
            .contains("not JSON")
    );
}

/// Exclusions from a snapshot: each with a result, another that equals it, and one that does not.
const LEFT_OUT: &str = r#"
ignore: [/l/0] | [1, "a", "b"] | [2, "a", "b"] | [1, "b"]
ignore: [/l/0, /l/1] | [1, 2, "a"] | [3, 4, "a"] | [1, 2, "b"]
ignore: [/l/0, /l/1] | [1, 2] | [] | [1, 2, 3]
ignore: [/l/1, /l/2] | ["a", 1, 2] | ["a"] | ["a", 1, 2, 3]
ignore: [/l/3] | [1, null, null, 5] | [1, null, null, 6] | [1]
ignore: ['/l/*'] | [1, 2] | [3] | {}
replace: { id: the id } | ["id"] | ["id"] | ["the"]
"#;

#[test]
fn a_result_equals_its_own_snapshot() {
    for [left_out, result, equal, other] in rows(LEFT_OUT) {
        let lines = format!("call: a\nexpect: {{ result: {{ snapshot: a }}, {left_out} }}");
        let judged = |list: &str, stored: Option<&str>| {
            let observed = Observed {
                end: End::Result(format!(r#"{{ "l": {list} }}"#)),
                ..observed()
            };
            judged(&step(&lines), &observed, stored)
        };
        let stored = judged(result, None).snapshots.remove(0).text;
        for same in [result, equal] {
            let failures = judged(same, Some(&stored)).failures;
            assert_eq!(failures, [], "{left_out}: {same}");
        }
        let failures = judged(other, Some(&stored)).failures;
        assert_ne!(failures, [], "{left_out}: {other}");
    }
}

#[test]
fn a_secret_is_hidden_before_a_text_is_cut() {
    let before = format!("{}hush{}", "x".repeat(100), "y".repeat(38));
    for (expected, actual) in [
        ("b".to_owned(), "x".repeat(197) + "hush"),
        (format!("{before}a"), format!("{before}b")),
    ] {
        let result = json!({ "content": [{ "text": actual }] });
        let observed = Observed {
            end: End::Result(result.to_string()),
            ..observed()
        };
        let lines = format!("call: a\nexpect: {{ text: {expected} }}");
        let words = &failures(&lines, &observed)[0].words;
        assert!(!words.contains("hu…") && !words.contains("sh"), "{words}");
    }
}

#[test]
fn a_difference_far_within_a_text_is_shown() {
    let step = step(
        "call: a\nexpect: { text: { equals: '${long}' } }"
            .replace("${long}", &"x".repeat(900))
            .as_str(),
    );
    let mut observed = observed();
    let text = format!("{}yx", "x".repeat(898));
    let result = serde_json::json!({ "content": [{ "text": text }] });
    observed.end = End::Result(result.to_string());
    let words = judged(&step, &observed, None).failures.remove(0).words;
    assert!(
        words.contains("xxxx\", found") && words.ends_with("xyx\"."),
        "{words}"
    );
    assert!(words.len() < 300, "{words}");
}

#[test]
fn a_request_that_ends_before_its_cancellation_fails() {
    let mut observed = observed();
    observed.ended_before_cancel = true;
    let failed = failures("call: a\ncancel: { after: 5s }", &observed);
    assert_eq!(failed[0].path, "cancel");
}

#[test]
fn json_in_a_text_is_compared_and_ignored_by_its_parts() {
    let result = |text: &str| serde_json::json!({ "content": [{ "text": text }] }).to_string();
    let mut observed = observed();
    observed.end = End::Result(result(
        r#"{"at": 1, "items": [{"id": 1, "n": 12345678901234567890}]}"#,
    ));
    let plain = step("call: a\nexpect: { result: { snapshot: order } }");
    let stored = judged(&plain, &observed, None).snapshots.remove(0).text;
    observed.end = End::Result(result(
        r#"{"at": 2, "items": [{"id": 2, "n": 12345678901234567891}]}"#,
    ));
    let of = |step: &Step, observed: &Observed| -> Vec<_> {
        let failures = judged(step, observed, Some(&stored)).failures.into_iter();
        failures.map(|failure| failure.pointer.unwrap()).collect()
    };
    let text = "/content/0/text";
    let [at, id, n] = ["at", "items/0/id", "items/0/n"].map(|end| format!("{text}/{end}"));
    assert_eq!(of(&plain, &observed), [at.as_str(), &id, &n]);
    let ignores = |pointers: &str| {
        step(&format!(
            "call: a\nexpect: {{ result: {{ snapshot: order }}, ignore: [{pointers}] }}"
        ))
    };
    let ignored = ignores(&format!("{at}, /content/*/text/items/*/id"));
    assert_eq!(of(&ignored, &observed), [n.as_str()]);
    assert!(of(&ignores(text), &observed).is_empty());
    // Only its white space differs: a text is not equal to another one.
    observed.end = End::Result(result(
        r#"{"at":1,"items":[{"id":1,"n":12345678901234567890}]}"#,
    ));
    assert_eq!(of(&plain, &observed), [text]);
}

#[test]
fn a_snapshot_of_a_result_holds_in_every_version_of_the_protocol() {
    let step = step("call: a\nexpect: { result: { snapshot: order } }");
    let mut observed = observed();
    observed.end = End::Result(r#"{"content": []}"#.to_owned());
    let stored = judged(&step, &observed, None).snapshots.remove(0).text;
    let newer = r#"{"resultType": "complete", "content": [], "ttlMs": 5, "cacheScope": "private"}"#;
    observed.end = End::Result(newer.to_owned());
    let judged = judged(&step, &observed, Some(&stored));
    assert_eq!(judged.failures, []);
    assert_eq!(judged.snapshots[0].text, stored);
}

#[test]
fn each_snapshot_has_a_file_of_its_own_in_the_folder() {
    let names = ["b", "b/c", "b-c", "../../b", "..", "b\\c", "C:b", "", "é\0"];
    let mut files: Vec<_> = names.iter().map(|name| file_name("a", name)).collect();
    for file in &files {
        assert!(file.starts_with("a.") && file.ends_with(".json"), "{file}");
        assert!(!file.contains(['/', '\\', ':', '\0']), "{file}");
    }
    files.sort();
    files.dedup();
    assert_eq!(files.len(), names.len());
}

#[test]
fn no_part_of_a_snapshot_has_a_secret() {
    let step = step("call: a\nexpect: { result: { snapshot: order } }");
    let observed = Observed {
        end: End::Result(
            r#"{ "content": [], "structuredContent": { "hush": { "n": 40991, "t": "a hush" } } }"#
                .to_owned(),
        ),
        ..observed()
    };
    let baseline = Baseline {
        snapshot: &|_| Ok(None),
        duration: Ok(None),
        hide: &|text| {
            text.replace("hush", "‹secret›")
                .replace("40991", "‹secret›")
        },
    };
    let judged = judge(&step, &observed, &baseline);
    let text = &judged.snapshots[0].text;
    assert!(!text.contains("hush") && !text.contains("40991"), "{text}");
    assert!(text.contains("\"‹secret›\": {"), "{text}");
    serde_json::from_str::<serde_json::Value>(text).unwrap();
}

#[test]
fn schemas_of_the_suite_are_left_to_the_validator() {
    let judged = judged(
        &step("call: a\nexpect: { at: { /id: { schema: { type: number } } } }"),
        &observed(),
        None,
    );
    assert_eq!(judged.failures, []);
    assert_eq!(judged.schemas[0].schema, r#"{"type":"number"}"#);
    assert_eq!(judged.schemas[0].value, r#""ord_12345678""#);
}
