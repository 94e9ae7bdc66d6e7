//! Completion: the values that a server suggests for an argument that is being typed.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use ts_rs::TS;

use crate::{
    limits::{COMPLETION_VALUE, COMPLETION_VALUES},
    members::{elements, member, members, quoted, string},
};

pub(crate) const METHOD: &str = "completion/complete";

/// Owner of an argument (server/utilities/completion, Reference Types).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CompletionReference {
    /// A prompt.
    Prompt {
        /// Its name; from the window, its key in the list where it has one.
        name: String,
    },
    /// A resource template.
    ResourceTemplate {
        /// Its `uriTemplate`.
        uri: String,
    },
}

/// Request for the values of an argument that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionRequest {
    /// Owner of the argument.
    pub reference: CompletionReference,
    /// Name of the argument, or of the template's variable.
    pub argument: String,
    /// Text typed so far; may be empty.
    pub value: String,
    /// Other arguments with the values that they already have. Not sent to servers of protocol versions
    /// without this member (before 2025-06-18).
    pub resolved: Vec<(String, String)>,
}

/// Suggestions of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Completion {
    /// At most 100 values, best first, each of at most 4 KiB.
    pub values: Vec<String>,
    /// Number of values in all, if the server says so.
    pub total: Option<u64>,
    /// The server has more values than these.
    pub has_more: bool,
}

/// Reasons for having no suggestions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompletionFailure {
    /// Another request took its place, or the result is no longer wanted.
    #[error("the request was cancelled")]
    Cancelled,
    /// The server answered with a JSON-RPC error.
    #[error("the server answered “{message}” ({code})")]
    Refused {
        /// JSON-RPC error code.
        code: i64,
        /// The server's message.
        message: String,
    },
    /// There was no usable response; the reason, without the full stop.
    #[error("{0}")]
    Failed(String),
}

impl CompletionRequest {
    /// `params` as one line of JSON text; `context`: the revision has `context.arguments`.
    pub(crate) fn encode(&self, context: bool) -> String {
        let (kind, member, name) = match &self.reference {
            CompletionReference::Prompt { name } => ("ref/prompt", "name", name),
            CompletionReference::ResourceTemplate { uri } => ("ref/resource", "uri", uri),
        };
        let mut params = format!(
            r#"{{"ref":{{"type":"{kind}","{member}":{}}},"argument":{{"name":{},"value":{}}}"#,
            quoted(name),
            quoted(&self.argument),
            quoted(&self.value),
        );
        if context && !self.resolved.is_empty() {
            let resolved: Vec<String> = self
                .resolved
                .iter()
                .map(|(name, value)| format!("{}:{}", quoted(name), quoted(value)))
                .collect();
            params.push_str(r#","context":{"arguments":{"#);
            params.push_str(&resolved.join(","));
            params.push_str("}}");
        }
        params.push('}');
        params
    }
}

/// Reads a result; `None` if it has no `completion` with values.
pub(crate) fn read(result: &RawValue, findings: &mut Vec<Finding>) -> Option<Completion> {
    let read = member(result, "completion").and_then(|raw| {
        members(raw.get(), &["values", "total", "hasMore"])
            .ok()
            .and_then(|read| {
                let values = elements(read.values[0]?.get(), COMPLETION_VALUES).ok()?;
                Some((values, read.values[1], read.values[2]))
            })
    });
    let Some((values, total, has_more)) = read else {
        findings.push(Finding::new(&rules::BAD_COMPLETION));
        return None;
    };
    if values.count > COMPLETION_VALUES {
        let many = Finding::new(&rules::TOO_MANY_COMPLETIONS).with("count", values.count);
        findings.push(many.with("limit", COMPLETION_VALUES));
    }
    let texts: Vec<Option<String>> = values.first.iter().map(|raw| string(raw)).collect();
    let odd = texts.iter().filter(|text| text.is_none()).count();
    if odd > 0 {
        findings.push(Finding::new(&rules::BAD_COMPLETION_VALUE).with("count", odd));
    }
    let all = texts.len();
    let kept: Vec<String> = texts
        .into_iter()
        .flatten()
        .filter(|text| text.len() <= COMPLETION_VALUE)
        .collect();
    let long = all - odd - kept.len();
    if long > 0 {
        let long = Finding::new(&rules::LONG_COMPLETION_VALUE).with("count", long);
        findings.push(long.with("limit", COMPLETION_VALUE));
    }
    let total = total.and_then(|raw| raw.get().parse::<u64>().ok());
    let given = values.count as u64;
    if total.is_some_and(|total| total < given) {
        findings.push(Finding::new(&rules::COMPLETION_TOTAL));
    }
    if let Some(total) = total.filter(|total| *total > given)
        && has_more.is_some_and(|raw| raw.get() == "false")
    {
        let more = Finding::new(&rules::COMPLETION_MORE);
        findings.push(more.with("total", total).with("count", given));
    }
    Some(Completion {
        has_more: has_more.is_some_and(|raw| raw.get() == "true")
            || total.is_some_and(|total| total > given)
            || values.count > COMPLETION_VALUES,
        values: kept,
        total: total.filter(|total| *total >= given),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Option<Completion>, Vec<&'static str>) {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let mut findings = Vec::new();
        let completion = read(&raw, &mut findings);
        (completion, findings.iter().map(Finding::id).collect())
    }

    #[test]
    fn what_is_typed_is_sent_as_it_is() {
        let mut request = CompletionRequest {
            reference: CompletionReference::Prompt {
                name: "p\"".to_owned(),
            },
            argument: "berth".to_owned(),
            value: "a\n".to_owned(),
            resolved: vec![("harbour".to_owned(), "x".to_owned())],
        };
        assert_eq!(
            request.encode(true),
            r#"{"ref":{"type":"ref/prompt","name":"p\""},"argument":{"name":"berth","value":"a\n"},"context":{"arguments":{"harbour":"x"}}}"#
        );
        request.reference = CompletionReference::ResourceTemplate {
            uri: "x://{a}".to_owned(),
        };
        assert_eq!(
            request.encode(false),
            r#"{"ref":{"type":"ref/resource","uri":"x://{a}"},"argument":{"name":"berth","value":"a\n"}}"#
        );
        request.resolved.clear();
        assert_eq!(request.encode(true), request.encode(false));
    }

    #[test]
    fn suggestions_of_every_shape() {
        let (completion, codes) =
            read_text(r#"{"completion":{"values":["a","b"],"total":7,"hasMore":false}}"#);
        let completion = completion.unwrap();
        assert_eq!(completion.values, ["a", "b"]);
        assert_eq!((completion.total, completion.has_more), (Some(7), true));
        assert_eq!(codes, ["completion-more"]);
        for (text, values, codes) in [
            (r#"{"completion":{"values":[]}}"#, Some(0), &[][..]),
            (
                r#"{"completion":{"values":["a",3,null],"total":1}}"#,
                Some(1),
                &["bad-completion-value", "completion-total"],
            ),
            (
                r#"{"completion":{"values":["a"],"total":"x"}}"#,
                Some(1),
                &[],
            ),
            (
                r#"{"completion":{"values":["a"],"total":2,"hasMore":true}}"#,
                Some(1),
                &[],
            ),
            (r#"{"completion":{"values":{}}}"#, None, &["bad-completion"]),
            (r#"{"completion":[]}"#, None, &["bad-completion"]),
            ("{}", None, &["bad-completion"]),
        ] {
            let (completion, found) = read_text(text);
            assert_eq!(completion.map(|all| all.values.len()), values, "{text}");
            assert_eq!(found, codes, "{text}");
        }
    }

    #[test]
    fn too_many_and_too_long_values_are_left_out() {
        let many = vec![r#""v""#; 5_000].join(",");
        let (completion, codes) = read_text(&format!(r#"{{"completion":{{"values":[{many}]}}}}"#));
        let completion = completion.unwrap();
        assert_eq!(completion.values.len(), COMPLETION_VALUES);
        assert!(completion.has_more);
        assert_eq!(codes, ["too-many-completions"]);
        let long = "x".repeat(COMPLETION_VALUE + 1);
        let (completion, codes) =
            read_text(&format!(r#"{{"completion":{{"values":["{long}","ok"]}}}}"#));
        assert_eq!(completion.unwrap().values, ["ok"]);
        assert_eq!(codes, ["long-completion-value"]);
    }
}
