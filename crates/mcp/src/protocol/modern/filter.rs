//! What a subscription asks for (subscriptions, Notification Filter).

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::{
    limits::RESOURCE_SUBSCRIPTIONS,
    members::{elements, has_true, is_true, members, quoted, string},
};

/// The lists whose changes are to be told, and the resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
    /// URIs of the resources whose changes are to be told.
    pub(crate) updates: BTreeSet<String>,
}

impl Filter {
    /// The lists whose changes a server declares to tell.
    pub(crate) fn of(capabilities: &RawValue) -> Self {
        let changes = |raw: Option<&RawValue>| has_true(raw, "listChanged");
        let [tools, prompts, resources] =
            members(capabilities.get(), &["tools", "prompts", "resources"])
                .map_or([false; 3], |read| read.values.map(changes));
        Filter {
            tools,
            prompts,
            resources,
            updates: BTreeSet::new(),
        }
    }

    /// What a server acknowledges.
    pub(crate) fn read(raw: &RawValue) -> Self {
        let [tools, prompts, resources, updates] = members(
            raw.get(),
            &[
                "toolsListChanged",
                "promptsListChanged",
                "resourcesListChanged",
                "resourceSubscriptions",
            ],
        )
        .map_or([None; 4], |read| read.values);
        // One more than was asked for says as much as a million.
        let uris = updates
            .and_then(|raw| elements(raw.get(), RESOURCE_SUBSCRIPTIONS + 1).ok())
            .map(|uris| uris.first.into_iter().filter_map(string).collect());
        Filter {
            tools: is_true(tools),
            prompts: is_true(prompts),
            resources: is_true(resources),
            updates: uris.unwrap_or_default(),
        }
    }

    /// The same lists with these resources.
    pub(crate) fn with_updates(&self, updates: BTreeSet<String>) -> Self {
        Filter {
            updates,
            ..self.clone()
        }
    }

    /// Whether nothing is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether this holds something that `other` does not.
    pub(crate) fn exceeds(&self, other: &Filter) -> bool {
        self.tools && !other.tools
            || self.prompts && !other.prompts
            || self.resources && !other.resources
            || !self.updates.is_subset(&other.updates)
    }

    /// The parameters of `subscriptions/listen`.
    pub(crate) fn params(&self) -> String {
        let mut wanted: Vec<String> = [
            (self.tools, r#""toolsListChanged":true"#),
            (self.prompts, r#""promptsListChanged":true"#),
            (self.resources, r#""resourcesListChanged":true"#),
        ]
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .map(|(_, flag)| flag.to_owned())
        .collect();
        if !self.updates.is_empty() {
            let uris: Vec<String> = self.updates.iter().map(|uri| quoted(uri)).collect();
            wanted.push(format!(r#""resourceSubscriptions":[{}]"#, uris.join(",")));
        }
        format!(r#"{{"notifications":{{{}}}}}"#, wanted.join(","))
    }
}
