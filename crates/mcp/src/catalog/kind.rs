//! The kinds of catalogs, and what each is called on the wire.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::members::{has_true, members};

/// A kind of catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CatalogKind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

impl CatalogKind {
    /// All kinds.
    pub const ALL: [CatalogKind; 4] = [
        CatalogKind::Tools,
        CatalogKind::Resources,
        CatalogKind::ResourceTemplates,
        CatalogKind::Prompts,
    ];

    /// The method that lists it.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools/list",
            CatalogKind::Resources => "resources/list",
            CatalogKind::ResourceTemplates => "resources/templates/list",
            CatalogKind::Prompts => "prompts/list",
        }
    }

    /// The member of a page that holds the items.
    pub(crate) fn member(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools",
            CatalogKind::Resources => "resources",
            CatalogKind::ResourceTemplates => "resourceTemplates",
            CatalogKind::Prompts => "prompts",
        }
    }

    /// What its items are called in a sentence.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            CatalogKind::Tools => "tools",
            CatalogKind::Resources => "resources",
            CatalogKind::ResourceTemplates => "resource templates",
            CatalogKind::Prompts => "prompts",
        }
    }

    /// The kinds that a `list_changed` notification is about. A server has no other word for a
    /// change of its templates than the one for its resources.
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

/// Whether a server's `capabilities` declare this one.
pub(crate) fn declared(capabilities: &RawValue, name: &'static str) -> bool {
    members(capabilities.get(), &[name]).is_ok_and(|read| read.values[0].is_some_and(is_declared))
}

/// Whether a server's `capabilities` declare subscriptions to resources.
pub(crate) fn declares_subscriptions(capabilities: &RawValue) -> bool {
    members(capabilities.get(), &["resources"])
        .is_ok_and(|read| has_true(read.values[0], "subscribe"))
}

/// The kinds that a server's `capabilities` declare. A capability is declared by any value but
/// `null` and `false`; the schema wants an object.
pub(crate) fn declared_catalogs(capabilities: &RawValue) -> BTreeSet<CatalogKind> {
    let declared = |raw: Option<&RawValue>| raw.is_some_and(is_declared);
    let [tools, resources, prompts] =
        members(capabilities.get(), &["tools", "resources", "prompts"])
            .map_or([false; 3], |read| read.values.map(declared));
    let kinds = [
        (CatalogKind::Tools, tools),
        (CatalogKind::Resources, resources),
        (CatalogKind::ResourceTemplates, resources),
        (CatalogKind::Prompts, prompts),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, declared)| declared.then_some(kind))
        .collect()
}

fn is_declared(raw: &RawValue) -> bool {
    !matches!(raw.get(), "null" | "false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_declare_kinds() {
        use CatalogKind::{Prompts, ResourceTemplates, Resources, Tools};
        for (capabilities, kinds) in [
            (r#"{"tools":{},"logging":{}}"#, &[Tools][..]),
            (
                r#"{"prompts":{"listChanged":true},"resources":true}"#,
                &[Resources, ResourceTemplates, Prompts],
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
            assert_eq!(told.count(), 1, "{kind:?}");
        }
        assert!(CatalogKind::changed_by("notifications/resources/updated").is_empty());
    }
}
