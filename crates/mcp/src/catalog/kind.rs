//! Kinds of catalogs, with their names on the wire.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;

use crate::members::{has_true, is_declared, member, members};

/// The extension whose servers list skills.
const SKILLS: &str = "io.modelcontextprotocol/skills";

/// A kind of catalog.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS,
)]
#[serde(rename_all = "snake_case")]
pub enum CatalogKind {
    /// `tools/list`.
    #[default]
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
    /// `skills/list` (extension `io.modelcontextprotocol/skills`).
    Skills,
}

impl CatalogKind {
    /// All kinds.
    pub const ALL: [CatalogKind; 5] = [
        CatalogKind::Tools,
        CatalogKind::Resources,
        CatalogKind::ResourceTemplates,
        CatalogKind::Prompts,
        CatalogKind::Skills,
    ];

    /// The method that lists it.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools/list",
            CatalogKind::Resources => "resources/list",
            CatalogKind::ResourceTemplates => "resources/templates/list",
            CatalogKind::Prompts => "prompts/list",
            CatalogKind::Skills => "skills/list",
        }
    }

    /// The member of a page that holds the items.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools",
            CatalogKind::Resources => "resources",
            CatalogKind::ResourceTemplates => "resourceTemplates",
            CatalogKind::Prompts => "prompts",
            CatalogKind::Skills => "skills",
        }
    }

    /// Returns the member that identifies an item.
    #[must_use]
    pub fn key_member(self) -> &'static str {
        match self {
            CatalogKind::Resources => "uri",
            CatalogKind::ResourceTemplates => "uriTemplate",
            CatalogKind::Tools | CatalogKind::Prompts | CatalogKind::Skills => "name",
        }
    }

    /// Returns the plural noun for the kind's items, as used in sentences.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools",
            CatalogKind::Resources => "resources",
            CatalogKind::ResourceTemplates => "resource templates",
            CatalogKind::Prompts => "prompts",
            CatalogKind::Skills => "skills",
        }
    }

    /// Returns the kinds that a `list_changed` notification is about. Templates share the notification of resources;
    /// skills have none.
    pub(crate) fn changed_by(method: &str) -> &'static [CatalogKind] {
        match method {
            "notifications/tools/list_changed" => &[CatalogKind::Tools],
            "notifications/resources/list_changed" => {
                &[CatalogKind::Resources, CatalogKind::ResourceTemplates]
            }
            "notifications/prompts/list_changed" => &[CatalogKind::Prompts],
            _ => &[],
        }
    }
}

/// Returns true if a server's `capabilities` declare this capability.
pub(crate) fn declared(capabilities: &RawValue, name: &'static str) -> bool {
    member(capabilities, name).is_some_and(is_declared)
}

/// Returns true if a server's `capabilities` declare subscriptions to resources.
pub(crate) fn declares_subscriptions(capabilities: &RawValue) -> bool {
    has_true(member(capabilities, "resources"), "subscribe")
}

/// The kinds that a server's `capabilities` declare.
pub(crate) fn declared_catalogs(capabilities: &RawValue) -> BTreeSet<CatalogKind> {
    let declared = |raw: Option<&RawValue>| raw.is_some_and(is_declared);
    let names = ["tools", "resources", "prompts", "extensions"];
    let read = members(capabilities.get(), &names).map_or([None; 4], |read| read.values);
    let [tools, resources, prompts, _] = read.map(declared);
    let skills = declared(member(read[3], SKILLS));
    let kinds = [
        (CatalogKind::Tools, tools),
        (CatalogKind::Resources, resources),
        (CatalogKind::ResourceTemplates, resources),
        (CatalogKind::Prompts, prompts),
        (CatalogKind::Skills, skills),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, declared)| declared.then_some(kind))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_declare_kinds() {
        use CatalogKind::{Prompts, ResourceTemplates, Resources, Skills, Tools};
        for (capabilities, kinds) in [
            (r#"{"tools":{},"logging":{}}"#, &[Tools][..]),
            (
                r#"{"prompts":{"listChanged":true},"resources":true}"#,
                &[Resources, ResourceTemplates, Prompts],
            ),
            (
                r#"{"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}"#,
                &[Skills],
            ),
            (
                r#"{"skills":{},"extensions":{"io.modelcontextprotocol/skills":null}}"#,
                &[],
            ),
            (r#"{"tools":null,"prompts":false}"#, &[]),
            ("{}", &[]),
        ] {
            let raw = RawValue::from_string(capabilities.to_owned()).unwrap();
            let expected = kinds.iter().copied().collect();
            assert_eq!(declared_catalogs(&raw), expected, "{capabilities}");
        }
    }

    #[test]
    fn each_kind_is_told_of_its_changes() {
        for kind in CatalogKind::ALL {
            let told = [
                "notifications/tools/list_changed",
                "notifications/resources/list_changed",
                "notifications/prompts/list_changed",
            ]
            .into_iter()
            .filter(|method| CatalogKind::changed_by(method).contains(&kind));
            // The extension has no such notification.
            let expected = usize::from(kind != CatalogKind::Skills);
            assert_eq!(told.count(), expected, "{kind:?}");
        }
        assert!(CatalogKind::changed_by("notifications/resources/updated").is_empty());
    }
}
