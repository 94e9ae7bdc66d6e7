//! Presets of a declaration (everything, nothing, or a known host's), and a preview of the declaration as sent.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sonde_lint::hosts::{Host, hosts};
use sonde_mcp::{Era, Revision, SessionOptions};
use ts_rs::TS;

use super::{
    Declaration, ElicitationCapability, NOTHING, ProtocolMode, RootFolder, RootsDeclaration,
    SamplingCapability, declared_roots,
};
use crate::{Error, Explorer};

/// A declaration to begin with: Sonde's, an empty one, or a host's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct DeclarationPreset {
    /// Names it in [`Declaration::preset`].
    pub id: String,
    /// Its name.
    pub name: String,
    /// Declaration that it fills in.
    pub declaration: Declaration,
    /// Facts about the host, if the preset is a host's.
    pub host: Option<HostFacts>,
}

/// Known facts about a host that runs servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct HostFacts {
    /// The oldest protocol version that it offers.
    pub oldest: String,
    /// The newest.
    pub newest: String,
    /// The protocol mode that comes nearest to it.
    pub protocol: ProtocolMode,
    /// Capabilities that the host declares, or may declare, and the preset leaves off, each with the reason.
    pub left_off: Vec<String>,
    /// Address of the source.
    pub source: String,
    /// Date of the source, `YYYY-MM-DD`.
    pub date: String,
}

impl DeclarationPreset {
    /// Returns the preset of a host; `None` if its offers are unknown.
    fn of(host: &Host) -> Option<Self> {
        let offers = host.offers.as_ref()?;
        let part = |capability: &str, part: &str| {
            let declared = offers
                .capabilities
                .get(capability)
                .and_then(|it| it.get(part));
            declared.is_some_and(|value| *value != Value::Bool(false))
        };
        let is_there = |capability: &str| offers.capabilities.contains_key(capability);
        let declaration = Declaration {
            roots: is_there("roots").then(|| RootsDeclaration {
                list_changed: part("roots", "listChanged"),
                without_any: true,
            }),
            sampling: is_there("sampling").then(|| SamplingCapability {
                context: part("sampling", "context"),
                tools: part("sampling", "tools"),
            }),
            elicitation: is_there("elicitation").then(|| ElicitationCapability {
                form: part("elicitation", "form"),
                url: part("elicitation", "url"),
            }),
            ..Declaration::empty(&host.id)
        };
        let protocol = match Revision::parse(&offers.newest) {
            Some(newest) if newest.era() == Era::Stateless => ProtocolMode::Automatic,
            Some(Revision::NEWEST_HANDSHAKE) => ProtocolMode::Handshake,
            _ => ProtocolMode::Fixed {
                revision: offers.newest.clone(),
            },
        };
        let source = offers.source();
        Some(Self {
            declaration,
            host: Some(HostFacts {
                protocol,
                oldest: offers.oldest.clone(),
                newest: offers.newest.clone(),
                left_off: offers.left_off.clone(),
                source: source.url.clone(),
                date: source.date.clone(),
            }),
            id: host.id.clone(),
            name: host.name.clone(),
        })
    }
}

static PRESETS: LazyLock<Vec<DeclarationPreset>> = LazyLock::new(|| {
    let preset = |name: &str, declaration: Declaration| DeclarationPreset {
        id: declaration.preset.clone(),
        name: name.to_owned(),
        declaration,
        host: None,
    };
    // By name, as users look for them.
    let mut hosts: Vec<_> = hosts().iter().filter_map(DeclarationPreset::of).collect();
    hosts.sort_by_key(|host| host.name.to_lowercase());
    [
        preset("Everything Sonde can", Declaration::default()),
        preset("Nothing", Declaration::empty(NOTHING)),
    ]
    .into_iter()
    .chain(hosts)
    .collect()
});

/// Returns the presets; those of hosts come last.
#[must_use]
pub fn declaration_presets() -> &'static [DeclarationPreset] {
    &PRESETS
}

/// Declaration as a server receives it, as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeclarationPreview {
    /// `params` of `initialize`, if a handshake may be sent.
    pub handshake: Option<String>,
    /// Declaration in `_meta` of each request, if stateless requests may be sent.
    pub stateless: Option<String>,
}

impl Explorer {
    /// Returns the declaration that a server with these settings would receive.
    ///
    /// # Errors
    /// `InvalidInput` for a declaration that cannot be sent.
    pub async fn preview_declaration(
        &self,
        mut declaration: Declaration,
        roots: Vec<RootFolder>,
        protocol: ProtocolMode,
    ) -> Result<DeclarationPreview, Error> {
        let mut problems = Vec::new();
        declaration.check(&mut problems);
        if !problems.is_empty() {
            return Err(problems.into());
        }
        let options = SessionOptions {
            capabilities: declaration
                .capabilities(declared_roots(&roots), &self.core.services.extensions),
            ..SessionOptions::new(declaration.client())
        };
        let said = |revision| Some(sonde_mcp::declaration(revision, &options));
        let (handshake, stateless) = match &protocol {
            ProtocolMode::Automatic => (
                said(Revision::NEWEST_HANDSHAKE),
                said(Revision::NEWEST_STATELESS),
            ),
            ProtocolMode::Handshake => (said(Revision::NEWEST_HANDSHAKE), None),
            ProtocolMode::Stateless => (None, said(Revision::NEWEST_STATELESS)),
            ProtocolMode::Fixed { revision } => match Revision::parse(revision) {
                Some(fixed) if fixed.era() == Era::Stateless => (None, said(fixed)),
                Some(fixed) => (said(fixed), None),
                None => (None, None),
            },
        };
        Ok(DeclarationPreview {
            handshake,
            stateless,
        })
    }
}

#[cfg(test)]
mod tests {
    use sonde_mcp::RootsCapability;

    use super::*;

    #[test]
    fn every_host_has_its_facts_and_declares_nothing_that_is_not_among_them() {
        let offering = || {
            hosts()
                .iter()
                .filter_map(|host| Some((host, host.offers.as_ref()?)))
        };
        assert!(offering().count() > 10);
        for (host, offers) in offering() {
            for revision in [&offers.oldest, &offers.newest] {
                assert!(Revision::parse(revision).is_some(), "{}", host.name);
            }
            for (capability, parts) in &offers.capabilities {
                let known: &[&str] = match capability.as_str() {
                    "roots" => &["listChanged"],
                    "sampling" => &["context", "tools"],
                    "elicitation" => &["form", "url"],
                    other => panic!("{}: {other}", host.name),
                };
                let parts = parts.as_object().unwrap();
                assert!(parts.keys().all(|part| known.contains(&part.as_str())));
            }
        }
        let ids: std::collections::HashSet<_> =
            declaration_presets().iter().map(|one| &one.id).collect();
        assert_eq!(ids.len(), offering().count() + 2);

        let preset = |id: &str| {
            declaration_presets()
                .iter()
                .find(|one| one.id == id)
                .unwrap()
        };
        let claude = preset("claude_code");
        let told = claude.declaration.capabilities(Vec::new(), &[]);
        assert_eq!(told.elicitation, Some(ElicitationCapability::default()));
        assert_eq!(told.roots, Some(RootsCapability::default()));
        assert_eq!(told.sampling, None);
        let mode = |id: &str| preset(id).host.clone().unwrap().protocol;
        assert_eq!(mode("claude_code"), ProtocolMode::Handshake);
        assert_eq!(mode("claude"), ProtocolMode::Automatic);
        assert_eq!(mode("goose"), ProtocolMode::from(Revision::R2025Mar));
    }
}
