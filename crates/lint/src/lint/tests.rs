mod facts;

use super::*;
use crate::{Judgement, hosts};

/// Creates a tool with this name and input schema.
fn tool<'a>(name: &'a str, schema: &'a str) -> Tool<'a> {
    Tool {
        name,
        title: Some("Tool"),
        description: Some("Does something that is said here."),
        input_schema: Some(schema),
        read_only: Some(true),
        destructive: Some(false),
        open_world: Some(false),
        raw: schema,
    }
}

const PLAIN: &str = r#"{"type":"object","properties":{"a":{"type":"string","description":"A."}}}"#;

fn verdict(id: &str, tool: &Tool<'_>) -> Verdict {
    let (_, host) = hosts::find(id).unwrap();
    Judgement::new(host, "shop", tool).verdict
}

fn lint(tools: &[Tool<'_>]) -> Lint {
    Lint::new("shop", tools, &Others::default(), None)
}

/// Returns the messages of all findings about tools by the rule with this id.
fn messages(lint: &Lint, rule: &str) -> Vec<String> {
    let all = lint.findings_of_tools().iter();
    all.filter(|one| one.1.id() == rule)
        .map(|one| one.1.message())
        .collect()
}

#[test]
fn a_plain_tool_works_wherever_enough_is_known_and_is_not_known_elsewhere() {
    let plain = tool("read_file", PLAIN);
    for id in [
        "claude",
        "claude_code",
        "vs_code",
        "codex",
        "gemini_cli",
        "zed",
        "openai_api",
        "anthropic_api",
        "gemini_api",
        "bedrock",
        "claude_directory",
        "chatgpt_directory",
    ] {
        assert_eq!(verdict(id, &plain), Verdict::Works, "{id}");
    }
    for id in ["cursor", "windsurf", "cline", "copilot_cli", "goose", "n8n"] {
        assert_eq!(verdict(id, &plain), Verdict::NotKnown, "{id}");
    }
    let lint = lint(&[plain]);
    assert_eq!(lint.findings_of_tools(), []);
    assert_eq!(lint.findings(), []);
}

/// Rows of a host, its verdict, the place in the input schema that it is about (`-` if there is none), and the schema.
#[test]
fn what_a_host_demands_of_a_schema_is_judged_where_it_stands() {
    let in_a = r#"{"type":"object","properties":{"a":@,"b":{"type":"string"}}}"#;
    for row in [
        r#"vs_code Fails /properties/a a={"type":"array"}"#,
        r#"openai_api Fails /properties/a a={"type":"array"}"#,
        r#"claude_code Works - a={"type":"array"}"#,
        r#"vs_code Works - a={"type":"array","items":{}}"#,
        r#"claude_code Fails /properties/a a=true"#,
        r#"codex Degraded /properties/a a=true"#,
        r#"vs_code Works - a=true"#,
        r#"gemini_api Degraded /properties/a/type a={"type":["string","null"]}"#,
        r#"vs_code Fails /properties/a/type a={"type":"text"}"#,
        r#"vs_code Degraded /properties/a/pattern a={"type":"string","pattern":"x"}"#,
        r#"codex Degraded /properties/a/pattern a={"type":"string","pattern":"x"}"#,
        r#"codex Works - a={"type":"string","title":"A"}"#,
        r##"zed Degraded /properties/a/$ref a={"$ref":"#/$defs/x"}"##,
        r#"vs_code Degraded /properties/a/items a={"type":"array","items":[{}]}"#,
        r#"gemini_cli Degraded /properties/a/default a={"anyOf":[{}],"default":1}"#,
        r#"gemini_api Fails /properties/a.b {"type":"object","properties":{"a.b":{"type":"string"}}}"#,
        r#"gemini_api Works - a={"type":"object","properties":{"a.b":{"type":"string"}}}"#,
        r#"claude_directory Fails /properties/a a={"enum":["list","delete"]}"#,
        r#"vs_code Degraded /required {"type":"object","required":["x"]}"#,
        r#"gemini_cli Degraded /additionalProperties {"type":"object","properties":{},"additionalProperties":false}"#,
        r#"codex Fails /type {"type":"null"}"#,
        r#"openai_api Fails  {"properties":{}}"#,
        "vs_code NotKnown - {",
    ] {
        let mut parts = row.splitn(4, ' ');
        let [host, expected, place, schema] = [(); 4].map(|()| parts.next().unwrap());
        let schema = match schema.strip_prefix("a=") {
            Some(of_a) => in_a.replace('@', of_a),
            None => schema.to_owned(),
        };
        let judged = Judgement::new(hosts::find(host).unwrap().1, "shop", &tool("x", &schema));
        assert_eq!(
            format!("{:?}", judged.verdict),
            expected,
            "{row}: {judged:?}"
        );
        let pointer = (place != "-").then(|| format!("/inputSchema{place}"));
        let first = judged.reasons.first();
        assert_eq!(first.and_then(|one| one.pointer.clone()), pointer, "{row}");
        for reason in &judged.reasons {
            assert!(
                reason.what.ends_with('.') && reason.fix.ends_with('.'),
                "{reason:?}"
            );
        }
        assert_eq!(expected == "NotKnown", judged.unknown.is_some(), "{row}");
    }
}

#[test]
fn what_a_host_demands_of_names_descriptions_and_hints_is_judged() {
    use Verdict::{Degraded, Fails, Works};
    let plain = tool("x", PLAIN);
    let named = |name| Tool { name, ..plain };
    let described = |description| Tool {
        description,
        ..plain
    };
    let hinted = |read_only, destructive| Tool {
        read_only,
        destructive,
        ..plain
    };
    let untitled = Tool {
        title: None,
        ..plain
    };
    let (long, longer) = ("x".repeat(1_500), "x".repeat(2_049));
    for (tool, host, expected) in [
        (named("a.b"), "copilot_cli", Fails),
        (named("a.b"), "vs_code", Degraded),
        (named("a.b"), "gemini_cli", Works),
        (named("1a"), "gemini_api", Fails),
        (named(""), "bedrock", Fails),
        (named("1a"), "gemini_cli", Works),
        (described(Some(" ")), "bedrock", Fails),
        (described(None), "bedrock", Works),
        (described(None), "vs_code", Degraded),
        (described(None), "chatgpt_directory", Fails),
        (described(Some(&long)), "vs_code", Degraded),
        (described(Some(&long)), "claude_code", Works),
        (described(Some(&longer)), "claude_code", Degraded),
        (untitled, "claude_directory", Fails),
        (hinted(None, Some(false)), "chatgpt_directory", Fails),
        (hinted(None, Some(false)), "claude_directory", Works),
        (hinted(None, None), "claude_directory", Fails),
        (hinted(Some(true), Some(true)), "claude_directory", Fails),
    ] {
        assert_eq!(verdict(host, &tool), expected, "{host} {tool:?}");
    }
}

/// The input schema that made 27 tools of one server unusable, as the report in `notion-340` describes it: only three
/// alternatives, without `properties` beside them.
const NOTION_CREATE_ATTACHMENT: &str = r#"{
    "type": "object",
    "anyOf": [
        {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
        {"type": "object", "properties": {"source_url": {"type": "string"}}, "required": ["source_url"]},
        {"type": "object", "properties": {"source_file_id": {"type": "string"}}, "required": ["source_file_id"]}
    ]
}"#;

#[test]
fn a_combination_at_the_root_fails_for_all_tools_and_is_named_with_its_hosts() {
    // Exactly one of the 27 tools had it, and all were refused.
    let others: Vec<String> = (0..26).map(|n| format!("notion-{n}")).collect();
    let mut tools: Vec<_> = others.iter().map(|name| tool(name, PLAIN)).collect();
    tools.push(Tool {
        read_only: Some(false),
        ..tool("notion-create-attachment", NOTION_CREATE_ATTACHMENT)
    });
    let lint = Lint::new("notion", &tools, &Others::default(), None);
    assert_eq!(
        messages(&lint, "host-root-keyword"),
        [
            "The input schema has `anyOf` at its root, which is not accepted by: Claude Code, OpenAI API, Anthropic API."
        ]
    );
    let may = messages(&lint, "may-fail-in-host");
    assert_eq!(may.len(), 1);
    assert!(may[0].ends_with("Claude, opencode."), "{may:?}");
    let totals = |id: &str| &lint.totals()[hosts::find(id).unwrap().0];
    for (id, takes_all) in [
        ("openai_api", true),
        ("anthropic_api", true),
        ("claude_code", false),
    ] {
        assert_eq!(
            (totals(id).tally.fails, totals(id).tally.may_fail),
            (1, 0),
            "{id}"
        );
        assert_eq!(totals(id).takes_all, takes_all.then_some(26), "{id}");
        assert_eq!(totals(id).refuses_all(), takes_all, "{id}");
    }
    // An uncertain violation affects no other tool.
    for id in ["claude", "opencode"] {
        assert_eq!(
            (totals(id).tally.fails, totals(id).tally.may_fail),
            (0, 1),
            "{id}"
        );
        assert!(!totals(id).refuses_all(), "{id}");
    }
    let of_attachment: Vec<_> = lint.findings_of(26).map(Finding::id).collect();
    assert_eq!(
        of_attachment,
        [
            "may-fail-in-host",
            "host-root-keyword",
            "duplicate-description"
        ]
    );
    assert_eq!(lint.findings_of(0).count(), 0);
    assert_eq!(
        (
            totals("vs_code").tally.degraded,
            totals("vs_code").takes_all
        ),
        (1, None)
    );
    // Every branch alone is refused as well, under any combining keyword.
    for keyword in ["oneOf", "allOf"] {
        let schema = NOTION_CREATE_ATTACHMENT.replace("anyOf", keyword);
        for id in ["openai_api", "anthropic_api", "claude_code"] {
            assert_eq!(verdict(id, &tool("x", &schema)), Verdict::Fails, "{id}");
        }
    }
    // Within one parameter the combination is harmless.
    let inner = r#"{"type":"object","properties":{"source":{"description":"A.","anyOf":[
        {"type":"object","properties":{"content":{"type":"string"}},"required":["content"]},
        {"type":"object","properties":{"source_url":{"type":"string"}},"required":["source_url"]}]}}}"#;
    assert_eq!(
        super::tests::lint(&[tool("x", inner)]).findings_of_tools(),
        []
    );
}

#[test]
fn boolean_schemas_and_arrays_without_items_are_named_with_their_hosts() {
    let schema = r#"{"type":"object","properties":{"data":true,"list":{"type":"array"}}}"#;
    let lint = lint(&[tool("x", schema)]);
    assert_eq!(
        messages(&lint, "host-boolean-schema"),
        [
            "The schema of a parameter is only `true` or `false`, which is not accepted by: Claude Code."
        ]
    );
    assert_eq!(
        messages(&lint, "host-array-without-items"),
        [
            "An array of the input schema has no `items`, which is not accepted by: VS Code, OpenAI API."
        ]
    );
}

#[test]
fn names_are_measured_with_the_prefix_of_each_host() {
    let name = "x".repeat(120);
    let lint = lint(&[tool(&name, PLAIN)]);
    assert_eq!(
        messages(&lint, "host-name-length"),
        [
            "The name, with what hosts put before it, is too long for: Claude (120 of 64), Claude Code (131 of 128), \
             OpenAI API (120 of 64), Amazon Bedrock (120 of 64)."
        ]
    );
    // The limit of the length includes the name of the server.
    let short = Lint::new("s", &[tool(&name, PLAIN)], &Others::default(), None);
    assert!(!messages(&short, "host-name-length")[0].contains("Claude Code"));
    let name = "x".repeat(60);
    assert_eq!(verdict("vs_code", &tool(&name, PLAIN)), Verdict::Degraded);
    assert_eq!(verdict("openai_api", &tool(&name, PLAIN)), Verdict::Works);
    // A name of allowed characters may begin with a wrong one.
    let (_, gemini) = hosts::find("gemini_api").unwrap();
    let begins = Judgement::new(gemini, "shop", &tool("1st", PLAIN));
    assert_eq!(
        begins.reasons[0].what,
        "The name begins with '1'; it has to begin with one of A-Za-z_."
    );
    assert_eq!(
        messages(
            &super::tests::lint(&[tool("1st", PLAIN)]),
            "host-name-characters"
        ),
        ["The name contains '1' at its beginning, which is not accepted by: Gemini API."]
    );
    let odd = super::tests::lint(&[tool("a.b", PLAIN)]);
    assert_eq!(
        messages(&odd, "host-name-characters"),
        [
            "The name contains '.', which is not accepted by: Claude, Copilot CLI, OpenAI API, Anthropic API, \
             Amazon Bedrock."
        ]
    );
    assert!(messages(&odd, "may-fail-in-host")[0].ends_with("Claude Code."));
}

#[test]
fn a_list_can_be_too_long_and_too_costly() {
    let names: Vec<String> = (0..129).map(|n| format!("tool_{n}")).collect();
    let of = |count: usize| {
        let tools: Vec<_> = names[..count]
            .iter()
            .map(|name| tool(name, PLAIN))
            .collect();
        let lint = lint(&tools);
        let all: Vec<_> = lint.findings().iter().map(|one| one.message()).collect();
        all
    };
    assert_eq!(of(100), [""; 0]);
    assert_eq!(of(101).len(), 1);
    assert_eq!(
        of(129)[0],
        "The server has 129 tools, more than are accepted by: VS Code, OpenAI API."
    );
    let large = format!(
        r#"{{"type":"object","description":"{}"}}"#,
        "x".repeat(100_000)
    );
    let costly = lint(&[tool("x", &large)]);
    assert!(
        costly
            .findings()
            .iter()
            .any(|one| one.id() == "costly-list")
    );
    assert_eq!(costly.costliest(10), [0]);
}

#[test]
fn what_did_not_change_is_not_judged_again_and_says_the_same() {
    let first = lint(&[tool("a", PLAIN), tool("b", r#"{"properties":{"x":true}}"#)]);
    let again = Lint::new(
        "shop",
        &[tool("b", r#"{"properties":{"x":true}}"#)],
        &Others::default(),
        Some(&first),
    );
    let fresh = lint(&[tool("b", r#"{"properties":{"x":true}}"#)]);
    assert_eq!(again.findings_of_tools(), fresh.findings_of_tools());
    assert_eq!(again.verdicts(0), fresh.verdicts(0));
    // Another name of the server changes the prefixes.
    let renamed = Lint::new(
        "long".repeat(40).as_str(),
        &[tool("a", PLAIN)],
        &Others::default(),
        Some(&first),
    );
    let (place, _) = hosts::find("claude_code").unwrap();
    assert_eq!(renamed.verdicts(0).unwrap()[place], Verdict::Fails);
}

#[test]
fn ten_thousand_broken_tools_keep_a_bounded_number_of_findings() {
    let names: Vec<String> = (0..10_000).map(|n| format!("tool.{n}")).collect();
    let schema = r#"{"type":"array","properties":{"data":true,"list":{"type":"array"}}}"#;
    let mut tools: Vec<_> = names.iter().map(|name| tool(name, schema)).collect();
    tools.push(tool("last", r#"{"type":"object","anyOf":[{}]}"#));
    let lint = lint(&tools);
    // Each rule keeps its first finding.
    assert_eq!(messages(&lint, "host-root-keyword").len(), 1);
    assert_eq!(lint.findings_of_tools().len(), FINDINGS + 1);
    assert!(
        lint.findings()
            .iter()
            .any(|one| one.id() == "more-findings")
    );
    let totals = &lint.totals()[hosts::find("openai_api").unwrap().0];
    assert_eq!(totals.tally.fails, 10_001);
}

#[test]
fn instructions_can_be_too_long() {
    let with = |length| {
        let lint = lint(&[tool("a", PLAIN)]).with_instructions(length);
        let (place, _) = hosts::find("claude_code").unwrap();
        let list = &lint.totals()[place].list;
        list.iter().map(|one| one.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(with(2_048), [""; 0]);
    assert_eq!(
        with(2_049),
        ["The instructions of the server have 2049 characters, 2048 are read."]
    );
}

#[test]
fn what_a_heuristic_says_is_apart_from_what_is_refused_for_sure() {
    let name = "x".repeat(58);
    let lint = lint(&[tool(&name, PLAIN), tool("a.b", PLAIN), tool("c", "{")]);
    let verdict = |tool: usize, id| lint.verdicts(tool).unwrap()[hosts::find(id).unwrap().0];
    assert_eq!(verdict(0, "cursor"), Verdict::MayFail);
    assert_eq!(verdict(1, "openai_api"), Verdict::Fails);
    assert_ne!(verdict(1, "claude_code"), Verdict::Fails);
    assert_eq!(lint.without_shape(), 1);
}
