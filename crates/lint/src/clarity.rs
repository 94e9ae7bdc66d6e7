//! Clarity of a tool's definition for a model. All of it is heuristic.

use sonde_findings::{Finding, Findings, Location, rules};

use crate::{cost::Cost, shape::Shape, tool::Tool, words::words};

/// First words of tool names that suggest reading.
const READS: [&str; 14] = [
    "get", "list", "read", "search", "find", "fetch", "query", "describe", "show", "count",
    "check", "view", "lookup", "inspect",
];
/// First words of tool names that suggest a change.
const WRITES: [&str; 16] = [
    "create",
    "update",
    "delete",
    "remove",
    "write",
    "insert",
    "drop",
    "send",
    "edit",
    "rename",
    "upload",
    "publish",
    "purge",
    "destroy",
    "overwrite",
    "truncate",
];
/// Words that say nothing about what a tool does.
const FILLERS: [&str; 12] = [
    "a", "an", "the", "this", "to", "of", "for", "tool", "function", "that", "it", "and",
];
/// Beginnings of generated descriptions, in lower case.
const BOILERPLATE: [&str; 6] = [
    "this tool allows you to",
    "this tool lets you",
    "this tool can be used to",
    "this tool is used to",
    "a tool that allows you to",
    "use this tool to",
];
/// Limit in tokens of a definition without a finding.
const LARGE: u64 = 2_000;

/// Adds the findings about one tool.
pub(crate) fn judge(tool: &Tool<'_>, shape: Option<&Shape>, cost: Cost, found: &mut Findings) {
    let name = words(tool.name);
    let description = tool.description.map(str::trim).unwrap_or_default();
    if !description.is_empty() {
        let said: Vec<String> = words(description);
        let says_more = |word: &&String| !name.contains(word) && !FILLERS.contains(&word.as_str());
        if said.iter().take(100).filter(says_more).count() == 0 {
            found.push(Finding::new(&rules::VAGUE_DESCRIPTION).in_member("description"));
        }
        let start: String = description
            .chars()
            .take(40)
            .collect::<String>()
            .to_lowercase();
        if let Some(begin) = BOILERPLATE.iter().find(|begin| start.starts_with(**begin)) {
            let boilerplate = Finding::new(&rules::BOILERPLATE_DESCRIPTION);
            found.push(boilerplate.with("text", begin).in_member("description"));
        }
    }
    // The first verb counts: `get_update` reads.
    let verb = name.iter().find_map(|word| {
        let is = |verbs: &[&str]| verbs.contains(&word.as_str());
        (is(&READS) || is(&WRITES)).then(|| (word.clone(), is(&READS)))
    });
    match verb {
        Some((verb, true)) if tool.destructive == Some(true) && tool.read_only != Some(true) => {
            let finding = Finding::new(&rules::READS_BY_NAME).with("verb", verb);
            found.push(finding.in_member("annotations"));
        }
        Some((verb, false)) if tool.read_only == Some(true) => {
            let finding = Finding::new(&rules::CHANGES_BY_NAME).with("verb", verb);
            found.push(finding.in_member("annotations"));
        }
        _ => {}
    }
    if let Some(shape) = shape {
        if let Some(name) = shape.undescribed.first() {
            let finding = Finding::new(&rules::UNDESCRIBED_PARAMETER);
            found.push(
                finding
                    .with("count", shape.undescribed.len())
                    .with("name", name)
                    .in_member("inputSchema"),
            );
        }
        if let Some(place) = &shape.undefined_required.first {
            let finding = Finding::new(&rules::UNDEFINED_REQUIRED);
            found.push(finding.at(Location::Pointer(place.clone())));
        }
        if let Some(name) = &shape.dispatcher {
            let finding = Finding::new(&rules::DISPATCHER_PARAMETER).with("name", name);
            found.push(finding.in_member("inputSchema"));
        }
    }
    if cost.tokens > LARGE {
        found.push(Finding::new(&rules::LARGE_DEFINITION).with("tokens", cost.tokens));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tool: &Tool<'_>) -> Vec<&'static str> {
        let mut found = Findings::default();
        let shape = tool.input_schema.and_then(Shape::read);
        judge(tool, shape.as_ref(), Cost::of(tool), &mut found);
        found.into_vec().iter().map(Finding::id).collect()
    }

    #[test]
    fn descriptions_say_more_than_the_name() {
        let with = |name, description| {
            of(&Tool {
                name,
                description: Some(description),
                ..Tool::default()
            })
        };
        for (name, description) in [
            ("get_user", "Get the user"),
            ("search", "This tool"),
            ("getUser", "GetUser"),
        ] {
            assert_eq!(
                with(name, description),
                ["vague-description"],
                "{description}"
            );
        }
        for (name, description) in [
            ("echo", "Sends the text back."),
            ("x", "Reads a file and returns its lines."),
            ("get_user", "Get the user of an order"),
            ("x", "日本語の説明"),
            ("x", ""),
        ] {
            assert_eq!(with(name, description), [""; 0], "{description}");
        }
        let boilerplate = with("x", "This tool allows you to read files.");
        assert_eq!(boilerplate, ["boilerplate-description"]);
    }

    #[test]
    fn hints_agree_with_the_verb_of_the_name() {
        let with = |name, read_only, destructive| {
            of(&Tool {
                name,
                read_only,
                destructive,
                ..Tool::default()
            })
        };
        assert_eq!(with("list_files", None, Some(true)), ["reads-by-name"]);
        assert_eq!(with("deleteFile", Some(true), None), ["changes-by-name"]);
        for (name, read_only, destructive) in [
            ("list_files", Some(true), Some(true)),
            ("list_files", None, None),
            ("delete_file", Some(false), Some(true)),
            ("get_update", Some(true), None),
            ("github_list_deleted", Some(true), None),
            ("listener", None, Some(true)),
        ] {
            assert_eq!(with(name, read_only, destructive), [""; 0], "{name}");
        }
    }

    #[test]
    fn parameters_are_described_and_do_not_dispatch() {
        let with = |schema| {
            of(&Tool {
                name: "x",
                input_schema: Some(schema),
                ..Tool::default()
            })
        };
        let undescribed =
            r#"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#;
        assert_eq!(with(undescribed), ["undescribed-parameter"]);
        let dispatcher = r#"{"properties":{"operation":{"type":"string"}}}"#;
        assert_eq!(with(dispatcher), ["dispatcher-parameter"]);
        let right = r#"{"required":["a"],"properties":{"a":{"type":"string","description":"A."}}}"#;
        assert_eq!(with(right), [""; 0]);
        let large = format!(r#"{{"description":"{}"}}"#, "x".repeat(9_000));
        assert_eq!(with(&large), ["large-definition"]);
    }
}
