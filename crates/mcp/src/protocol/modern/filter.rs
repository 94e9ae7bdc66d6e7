//! What a subscription asks for (subscriptions, Notification Filter).

use serde_json::value::RawValue;

use crate::members::members;

/// The lists whose changes are to be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
}

impl Filter {
    /// What a server declares to tell.
    pub(crate) fn of(capabilities: &RawValue) -> Self {
        let changes = |raw: Option<&RawValue>| {
            raw.and_then(|raw| members(raw.get(), &["listChanged"]).ok())
                .is_some_and(|read| is_true(read.values[0]))
        };
        let [tools, prompts, resources] =
            members(capabilities.get(), &["tools", "prompts", "resources"])
                .map_or([false; 3], |read| read.values.map(changes));
        Filter {
            tools,
            prompts,
            resources,
        }
    }

    /// What a server acknowledges.
    pub(crate) fn read(raw: &RawValue) -> Self {
        let [tools, prompts, resources] = members(
            raw.get(),
            &[
                "toolsListChanged",
                "promptsListChanged",
                "resourcesListChanged",
            ],
        )
        .map_or([false; 3], |read| read.values.map(is_true));
        Filter {
            tools,
            prompts,
            resources,
        }
    }

    /// Whether this holds something that `other` does not.
    pub(crate) fn exceeds(&self, other: &Filter) -> bool {
        self.tools && !other.tools
            || self.prompts && !other.prompts
            || self.resources && !other.resources
    }

    /// The parameters of `subscriptions/listen`.
    pub(crate) fn params(&self) -> String {
        let flags: Vec<&str> = [
            (self.tools, r#""toolsListChanged":true"#),
            (self.prompts, r#""promptsListChanged":true"#),
            (self.resources, r#""resourcesListChanged":true"#),
        ]
        .into_iter()
        .filter_map(|(wanted, flag)| wanted.then_some(flag))
        .collect();
        format!(r#"{{"notifications":{{{}}}}}"#, flags.join(","))
    }
}

fn is_true(raw: Option<&RawValue>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}
