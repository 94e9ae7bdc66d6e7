//! One item of `prompts/list`.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use super::{
    item::{CatalogItem, ItemDetail, PromptArgument},
    reading::{NAME_RULES, bad_type, check_meta, flag, repeated, required, text},
};
use crate::{
    limits::PROMPT_ARGUMENTS,
    members::{elements, members},
};

/// Reads one prompt; `None` when the item is no object.
pub(super) fn read(raw: &RawValue) -> Option<CatalogItem> {
    let read = members(
        raw.get(),
        &["name", "title", "description", "arguments", "_meta"],
    )
    .ok()?;
    let [name, title, description, arguments, meta] = read.values;
    let mut findings = Vec::new();
    repeated(read.repeated, &mut findings);
    let name = required(name, "name", "prompt", NAME_RULES, &mut findings);
    let title = text(title, "title", &mut findings);
    let description = text(description, "description", &mut findings);
    let arguments = arguments
        .map(|raw| read_arguments(raw, &mut findings))
        .unwrap_or_default();
    check_meta(meta, &mut findings);
    Some(CatalogItem {
        key: name.clone(),
        name,
        title,
        description,
        detail: ItemDetail::Prompt { arguments },
        raw: Arc::from(raw.to_owned()),
        findings,
    })
}

fn read_arguments(raw: &RawValue, findings: &mut Vec<Finding>) -> Vec<PromptArgument> {
    let Ok(items) = elements(raw.get(), PROMPT_ARGUMENTS) else {
        findings.push(bad_type("arguments", "an array"));
        return Vec::new();
    };
    let mut all = Findings::default();
    if items.count > PROMPT_ARGUMENTS {
        let cut = Finding::new(&rules::TOO_MANY_ARGUMENTS).with("count", items.count);
        all.push(cut.with("limit", PROMPT_ARGUMENTS));
    }
    let mut arguments = Vec::with_capacity(items.first.len());
    for (place, item) in items.first.into_iter().enumerate() {
        let Ok(read) = members(item.get(), &["name", "title", "description", "required"]) else {
            all.push(Finding::new(&rules::BAD_ARGUMENT).with("number", place + 1));
            continue;
        };
        let [name, title, description, must] = read.values;
        let mut found = Vec::new();
        arguments.push(PromptArgument {
            name: required(name, "name", "argument", NAME_RULES, &mut found),
            title: text(title, "arguments.title", &mut found),
            description: text(description, "arguments.description", &mut found),
            required: flag(must, "arguments.required", &mut found).unwrap_or(false),
        });
        all.extend(found);
    }
    findings.extend(all.into_vec());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Option<CatalogItem> {
        read(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn a_regular_prompt() {
        let text = r#"{"name":"p","title":"P","arguments":[{"name":"a","title":"A","description":"d","required":true},{"name":"b"}]}"#;
        let item = item(text).unwrap();
        assert_eq!(item.findings, []);
        assert_eq!((item.key.as_str(), item.raw.get()), ("p", text));
        let ItemDetail::Prompt { arguments } = item.detail else {
            panic!("it is a prompt");
        };
        let [first, second] = &arguments[..] else {
            panic!("it has two arguments");
        };
        assert_eq!((first.name.as_str(), first.required), ("a", true));
        assert_eq!(first.title.as_deref(), Some("A"));
        assert_eq!((second.name.as_str(), second.required), ("b", false));
    }

    #[test]
    fn what_is_wrong_hides_nothing_else() {
        let cases: &[(&str, &[&str], usize)] = &[
            ("{}", &["missing-name"], 0),
            (r#"{"name":7,"arguments":{}}"#, &["bad-name", "bad-type"], 0),
            (r#"{"name":"p","_meta":3}"#, &["bad-type"], 0),
            (
                r#"{"name":"p","arguments":[3,{"name":"a","required":"yes"},{}]}"#,
                &["bad-argument", "bad-type", "missing-name"],
                2,
            ),
        ];
        for (text, codes, count) in cases {
            let item = item(text).unwrap();
            let found: Vec<_> = item.findings.iter().map(|finding| finding.id()).collect();
            assert_eq!(found, *codes, "{text}");
            assert!(
                matches!(&item.detail, ItemDetail::Prompt { arguments } if arguments.len() == *count)
            );
        }
        assert!(item("[]").is_none());
    }
    #[test]
    fn a_million_arguments_are_cut_and_what_is_wrong_with_them_is_counted() {
        let arguments = vec!["1"; 1_000_000].join(",");
        let item = item(&format!(r#"{{"name":"p","arguments":[{arguments}]}}"#)).unwrap();
        assert_eq!(item.findings.len(), sonde_findings::FINDINGS);
        assert_eq!(
            item.findings[0].message(),
            "The prompt has 1000000 arguments; the first 1000 were read."
        );
        assert_eq!(item.findings[99].id(), "more-findings");
    }

    #[test]
    fn of_arguments_without_end_the_first_are_read() {
        let arguments = vec![r#"{"name":"a"}"#; 100_000].join(",");
        let item = item(&format!(r#"{{"name":"p","arguments":[{arguments}]}}"#)).unwrap();
        assert!(matches!(
            item.detail,
            ItemDetail::Prompt { arguments } if arguments.len() == PROMPT_ARGUMENTS
        ));
    }
}
