//! Filters of subscriptions (subscriptions, Notification Filter).

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::{
    limits::{RESOURCE_SUBSCRIPTIONS, WATCHED_TASKS},
    members::{elements, has_true, is_true, members, quoted, string},
};

/// Notifications that a subscription asks for: changes of lists, updates of resources, statuses of tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
    /// URIs of resources whose updates are requested.
    pub(crate) updates: BTreeSet<String>,
    /// Ids of tasks whose status is requested (tasks extension).
    pub(crate) tasks: BTreeSet<String>,
}

impl Filter {
    /// Returns the list changes that a server declares.
    pub(crate) fn of(capabilities: &RawValue) -> Self {
        let changes = |raw: Option<&RawValue>| has_true(raw, "listChanged");
        let [tools, prompts, resources] =
            members(capabilities.get(), &["tools", "prompts", "resources"])
                .map_or([false; 3], |read| read.values.map(changes));
        Filter {
            tools,
            prompts,
            resources,
            ..Filter::default()
        }
    }

    /// Reads the filter that a server acknowledges.
    pub(crate) fn read(raw: &RawValue) -> Self {
        let [tools, prompts, resources, updates, tasks] = members(
            raw.get(),
            &[
                "toolsListChanged",
                "promptsListChanged",
                "resourcesListChanged",
                "resourceSubscriptions",
                "taskIds",
            ],
        )
        .map_or([None; 5], |read| read.values);
        // One more than requested proves as much as a million more.
        let strings = |raw: Option<&RawValue>, most: usize| {
            let all = elements(raw?.get(), most + 1).ok()?;
            Some(all.first.into_iter().filter_map(string).collect())
        };
        Filter {
            tools: is_true(tools),
            prompts: is_true(prompts),
            resources: is_true(resources),
            updates: strings(updates, RESOURCE_SUBSCRIPTIONS).unwrap_or_default(),
            tasks: strings(tasks, WATCHED_TASKS).unwrap_or_default(),
        }
    }

    /// Returns the filter with these resources instead.
    pub(crate) fn with_updates(&self, updates: BTreeSet<String>) -> Self {
        Filter {
            updates,
            ..self.clone()
        }
    }

    /// Returns the filter with these tasks instead.
    pub(crate) fn with_tasks(&self, tasks: BTreeSet<String>) -> Self {
        Filter {
            tasks,
            ..self.clone()
        }
    }

    /// Returns true if a subscription with this filter covers `wanted`: an additional task does no harm,
    /// since the server reports nothing about a task that is over.
    pub(crate) fn serves(&self, wanted: &Filter) -> bool {
        wanted.tasks.is_subset(&self.tasks)
            && self.with_tasks(BTreeSet::new()) == wanted.with_tasks(BTreeSet::new())
    }

    /// Returns true if the filter is empty.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Returns true if this filter has anything that `other` lacks.
    pub(crate) fn exceeds(&self, other: &Filter) -> bool {
        self.tools && !other.tools
            || self.prompts && !other.prompts
            || self.resources && !other.resources
            || !self.updates.is_subset(&other.updates)
            || !self.tasks.is_subset(&other.tasks)
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
        for (member, of) in [
            ("resourceSubscriptions", &self.updates),
            ("taskIds", &self.tasks),
        ] {
            if !of.is_empty() {
                let names: Vec<String> = of.iter().map(|name| quoted(name)).collect();
                wanted.push(format!(r#""{member}":[{}]"#, names.join(",")));
            }
        }
        format!(r#"{{"notifications":{{{}}}}}"#, wanted.join(","))
    }
}
