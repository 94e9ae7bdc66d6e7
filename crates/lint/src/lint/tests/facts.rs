//! Facts about hosts, collected by hand independently of `hosts.json`: the verdicts must agree with this collection.

use super::*;

/// A fact of the collection: a limit up to which a tool works.
#[derive(Clone, Copy, Debug)]
enum Fact {
    /// Characters of the name with the prefix of the host.
    Length(usize),
    /// A character that a name must not have.
    NoCharacter(char),
    /// A keyword that must not be at the root.
    NoRootKeyword(&'static str),
    /// A schema that is not accepted as it is.
    NoSchema(&'static str),
    /// Characters of the description.
    Description(usize),
    /// Tools of the list.
    Tools(usize),
}

use Fact::{Description, Length, NoCharacter, NoRootKeyword, NoSchema, Tools};
use Verdict::{Degraded, Fails, MayFail};

const NO_ITEMS: &str = r#"{"type":"object","properties":{"a":{"type":"array"}}}"#;
const BOOLEAN: &str = r#"{"type":"object","properties":{"a":true}}"#;
const TYPE_LIST: &str = r#"{"type":"object","properties":{"a":{"type":["string","null"]}}}"#;
const NO_ROOT: &str = r#"{"properties":{"a":{"type":"string"}}}"#;
const PATTERN: &str = r#"{"type":"object","properties":{"a":{"type":"string","pattern":"x"}}}"#;
const REFERENCE: &str = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}"##;
const FORMAT: &str = r#"{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}"#;
const MORE: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
const ODD_PARAMETER: &str = r#"{"type":"object","properties":{"a.b":{"type":"string"}}}"#;
const UNDEFINED: &str = r#"{"type":"object","properties":{},"required":["a"]}"#;
const NULL: &str = r#"{"type":"null"}"#;

/// Verdicts about tools beyond a limit, by host and limit.
const FACTS: [(&str, Fact, Verdict); 63] = [
    ("openai_api", Length(64), Fails),
    ("openai_api", NoCharacter('.'), Fails),
    ("openai_api", Tools(128), Fails),
    ("openai_api", NoSchema(NO_ROOT), Fails),
    ("openai_api", NoRootKeyword("oneOf"), Fails),
    ("openai_api", NoRootKeyword("anyOf"), Fails),
    ("openai_api", NoRootKeyword("allOf"), Fails),
    ("openai_api", NoRootKeyword("enum"), MayFail),
    ("openai_api", NoRootKeyword("not"), MayFail),
    ("openai_api", NoSchema(NO_ITEMS), Fails),
    ("openai_api", Description(1_024), Degraded),
    ("anthropic_api", Length(128), Fails),
    ("anthropic_api", Length(64), Degraded),
    ("anthropic_api", NoCharacter('.'), Fails),
    ("anthropic_api", NoRootKeyword("oneOf"), Fails),
    ("anthropic_api", NoRootKeyword("allOf"), Fails),
    ("anthropic_api", NoRootKeyword("anyOf"), Fails),
    ("gemini_api", Length(128), Fails),
    ("gemini_api", NoCharacter('/'), Fails),
    ("gemini_api", NoSchema(TYPE_LIST), Degraded),
    ("gemini_api", NoSchema(ODD_PARAMETER), Fails),
    ("bedrock", Length(64), Fails),
    ("bedrock", NoCharacter('.'), Fails),
    ("claude", Length(64), Fails),
    ("claude", NoRootKeyword("anyOf"), MayFail),
    ("claude_code", Length(128), Fails),
    ("claude_code", Length(64), Degraded),
    ("claude_code", NoSchema(BOOLEAN), Fails),
    ("claude_code", Description(2_048), Degraded),
    ("vs_code", NoCharacter('.'), Degraded),
    ("vs_code", Length(64), Degraded),
    ("vs_code", Tools(128), Fails),
    ("vs_code", Tools(64), Degraded),
    ("vs_code", NoRootKeyword("oneOf"), Degraded),
    ("vs_code", NoRootKeyword("anyOf"), Degraded),
    ("vs_code", NoRootKeyword("allOf"), Degraded),
    ("vs_code", NoRootKeyword("not"), Degraded),
    ("vs_code", NoRootKeyword("if"), Degraded),
    ("vs_code", NoRootKeyword("then"), Degraded),
    ("vs_code", NoRootKeyword("else"), Degraded),
    ("vs_code", NoSchema(NO_ITEMS), Fails),
    ("vs_code", NoSchema(UNDEFINED), Degraded),
    ("vs_code", NoSchema(PATTERN), Degraded),
    ("vs_code", Description(1_024), Degraded),
    ("codex", NoCharacter('.'), Degraded),
    ("codex", Length(64), Degraded),
    ("codex", NoSchema(PATTERN), Degraded),
    ("codex", NoSchema(BOOLEAN), Degraded),
    ("codex", NoSchema(NULL), Fails),
    ("gemini_cli", NoCharacter('/'), Degraded),
    ("gemini_cli", Length(63), Degraded),
    ("gemini_cli", NoSchema(MORE), Degraded),
    ("windsurf", Tools(100), MayFail),
    ("zed", Length(64), Degraded),
    ("zed", NoSchema(FORMAT), Degraded),
    ("cline", NoCharacter('.'), Degraded),
    ("cline", Length(64), Degraded),
    ("opencode", NoRootKeyword("anyOf"), MayFail),
    ("copilot_cli", NoCharacter('.'), Fails),
    ("chatgpt_directory", Length(64), Fails),
    ("claude_directory", Length(64), Fails),
    ("cursor", Tools(80), Degraded),
    ("zed", NoSchema(REFERENCE), Degraded),
];

/// The verdicts within a limit and beyond it.
fn verdicts(host: &'static hosts::Host, fact: Fact) -> (Verdict, Verdict) {
    let plain = tool("x", PLAIN);
    let of = |tool: Tool<'_>| Judgement::new(host, "shop", &tool).verdict;
    let named = |name: &str| of(Tool { name, ..plain });
    let shaped = |schema: &str| {
        of(Tool {
            input_schema: Some(schema),
            ..plain
        })
    };
    let described = |length: usize| {
        let text = "x".repeat(length);
        of(Tool {
            description: Some(&text),
            ..plain
        })
    };
    let listed = |count: usize| {
        let names: Vec<String> = (0..count).map(|one| format!("tool_{one}")).collect();
        let tools: Vec<_> = names.iter().map(|name| Tool { name, ..plain }).collect();
        let lint = Lint::new("shop", &tools, &Others::default(), None);
        let (place, _) = hosts::find(&host.id).unwrap();
        let reasons = lint.totals()[place].list.iter();
        let worst = reasons.map(|one| one.verdict).max();
        worst.unwrap_or(Verdict::Works)
    };
    match fact {
        Length(most) => {
            let prefix = host.prefix.as_ref().map_or(0, |one| one.of("shop").len());
            let name = "x".repeat(most - prefix + 1);
            (named(&name[1..]), named(&name))
        }
        NoCharacter(odd) => (named("a_b"), named(&format!("a{odd}b"))),
        NoRootKeyword(keyword) => {
            let value = match keyword {
                "not" | "if" | "then" | "else" => "{}",
                _ => "[{}]",
            };
            let schema = format!(r#"{{"type":"object","properties":{{}},"{keyword}":{value}}}"#);
            (shaped(PLAIN), shaped(&schema))
        }
        NoSchema(schema) => (shaped(PLAIN), shaped(schema)),
        Description(most) => (described(most), described(most + 1)),
        Tools(most) => (listed(most), listed(most + 1)),
    }
}

#[test]
fn verdicts_agree_with_what_was_collected_of_the_hosts() {
    for (id, fact, expected) in FACTS {
        let (_, host) = hosts::find(id).unwrap();
        let (within, beyond) = verdicts(host, fact);
        assert_eq!(beyond, expected, "{id} {fact:?}");
        assert!(within < beyond, "{id} {fact:?}: {within:?} within it");
    }
}
