//! What Sonde says about itself to a server: who it is, and which capabilities of a client it declares.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sonde_mcp::{
    ClientCapabilities, ElicitationCapability, Era, Implementation, Revision, Root,
    RootsCapability, SamplingCapability, SessionOptions,
};
use ts_rs::TS;

use super::{
    config::ProtocolMode,
    roots::{RootFolder, told},
};
use crate::{Error, Explorer, limits::NAME};

/// The preset with everything that Sonde can serve, which is what a server without a setting gets.
const SONDE: &str = "sonde";
/// The preset without any capability.
const NOTHING: &str = "nothing";
/// The most extensions that a server is told of.
const EXTENSIONS: usize = 50;
/// The longest settings of an extension, in bytes.
const SETTINGS: usize = 64 * 1024;

/// What is declared to one server. What is `None` is not declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Declaration {
    /// The preset that filled it in, by its id; it may have been changed since.
    pub preset: String,
    /// `clientInfo.name`; `None` means that of Sonde.
    pub name: Option<String>,
    /// `clientInfo.version`; `None` means that of Sonde.
    pub version: Option<String>,
    /// `roots`.
    pub roots: Option<RootsDeclaration>,
    /// `sampling`.
    pub sampling: Option<SamplingDeclaration>,
    /// `elicitation`. With neither mode, which means forms.
    pub elicitation: Option<ElicitationDeclaration>,
    /// `extensions`.
    pub extensions: Vec<ExtensionDeclaration>,
}

/// The parts of `roots`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RootsDeclaration {
    /// `listChanged`, which only a handshake has.
    pub list_changed: bool,
    /// The capability is declared although the server has no roots; then it gets an empty list.
    pub without_any: bool,
}

/// The parts of `sampling` (2025-11-25 on).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SamplingDeclaration {
    /// `context`.
    pub context: bool,
    /// `tools`.
    pub tools: bool,
}

/// The modes of `elicitation` (2025-11-25 on).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ElicitationDeclaration {
    /// `form`.
    pub form: bool,
    /// `url`.
    pub url: bool,
}

/// An extension that is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ExtensionDeclaration {
    /// Its identifier.
    pub name: String,
    /// Its settings, a JSON object as it was typed.
    pub settings: String,
}

impl Default for Declaration {
    fn default() -> Self {
        Self {
            roots: Some(RootsDeclaration {
                list_changed: true,
                without_any: false,
            }),
            sampling: Some(SamplingDeclaration {
                context: false,
                tools: true,
            }),
            elicitation: Some(ElicitationDeclaration {
                form: true,
                url: true,
            }),
            ..Self::empty(SONDE)
        }
    }
}

impl Declaration {
    fn empty(preset: &str) -> Self {
        Self {
            preset: preset.to_owned(),
            name: None,
            version: None,
            roots: None,
            sampling: None,
            elicitation: None,
            extensions: Vec::new(),
        }
    }

    /// Who a session says that it is.
    pub(crate) fn client(&self) -> Implementation {
        Implementation::new(
            self.name.as_deref().unwrap_or("Sonde"),
            self.version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")),
        )
    }

    /// What a session declares. `served` are extensions that the host serves: they are part of what Sonde can.
    pub(crate) fn capabilities(
        &self,
        roots: Vec<Root>,
        served: &[(String, String)],
    ) -> ClientCapabilities {
        let own = || self.extensions.iter();
        let served = served
            .iter()
            .filter(|(name, _)| self.preset == SONDE && own().all(|one| one.name != *name));
        let typed = own().map(|one| (one.name.clone(), one.settings.clone()));
        ClientCapabilities {
            elicitation: self
                .elicitation
                .map(|ElicitationDeclaration { form, url }| ElicitationCapability { form, url }),
            sampling: self.sampling.map(|SamplingDeclaration { context, tools }| {
                SamplingCapability { context, tools }
            }),
            roots: self
                .roots
                .filter(|declared| declared.without_any || !roots.is_empty())
                .map(|declared| RootsCapability {
                    list: roots,
                    list_changed: declared.list_changed,
                }),
            extensions: served.cloned().chain(typed).collect(),
        }
    }

    /// What a declaration must be; white space around what was typed goes.
    ///
    /// # Errors
    /// `InvalidInput` with one plain sentence; `detail` is `declaration`.
    pub(super) fn check(&mut self) -> Result<(), Error> {
        let refuse = |message: String| {
            Err(Error::InvalidInput {
                message,
                detail: Some("declaration".to_owned()),
            })
        };
        let long = |text: &str| text.chars().count() > NAME;
        for text in [&mut self.name, &mut self.version] {
            let typed = text.take().map(|typed| typed.trim().to_owned());
            *text = typed.filter(|typed| !typed.is_empty());
            if text.as_deref().is_some_and(long) {
                return refuse(format!(
                    "The name and the version of the client have at most {NAME} characters."
                ));
            }
        }
        if long(&self.preset) {
            return refuse("This is no preset of client capabilities.".to_owned());
        }
        // A row in which nothing was typed is none.
        self.extensions
            .retain(|one| !one.name.trim().is_empty() || !one.settings.trim().is_empty());
        if self.extensions.len() > EXTENSIONS {
            return refuse(format!("At most {EXTENSIONS} extensions are allowed."));
        }
        let mut seen = std::collections::HashSet::new();
        for ExtensionDeclaration { name, settings } in &mut self.extensions {
            *name = name.trim().to_owned();
            if name.is_empty() || long(name) {
                return refuse(format!(
                    "Each extension needs a name of at most {NAME} characters."
                ));
            }
            if !seen.insert(name.clone()) {
                return refuse(format!("The extension `{name}` is there twice."));
            }
            if settings.trim().is_empty() {
                *settings = "{}".to_owned();
            }
            if settings.len() > SETTINGS
                || serde_json::from_str::<Map<String, Value>>(settings).is_err()
            {
                return refuse(format!(
                    "The settings of the extension `{name}` must be a JSON object of at most 64 KiB."
                ));
            }
        }
        Ok(())
    }
}

/// A declaration to begin with: that of Sonde, none at all, or that of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct DeclarationPreset {
    /// Names it in [`Declaration::preset`].
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it fills in.
    pub declaration: Declaration,
    /// Where it is a host, what is known about it.
    pub host: Option<HostFacts>,
}

/// What is known about a host that runs servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct HostFacts {
    /// The oldest protocol version that it offers.
    pub oldest: String,
    /// The newest.
    pub newest: String,
    /// The protocol mode that comes nearest to it.
    pub protocol: ProtocolMode,
    /// What it declares, or may declare, and the preset leaves off, each with the reason.
    pub left_off: Vec<String>,
    /// Where this stands.
    pub source: String,
    /// The day of that, `YYYY-MM-DD`.
    pub date: String,
}

/// A host in `hosts.json`.
#[derive(Deserialize)]
struct Host {
    id: String,
    name: String,
    oldest: String,
    newest: String,
    /// As it stands on the wire.
    capabilities: Map<String, Value>,
    left_off: Vec<String>,
    source: String,
    date: String,
}

impl From<Host> for DeclarationPreset {
    fn from(host: Host) -> Self {
        let part = |capability: &str, part: &str| {
            let declared = host
                .capabilities
                .get(capability)
                .and_then(|it| it.get(part));
            declared.is_some_and(|value| *value != Value::Bool(false))
        };
        let is_there = |capability: &str| host.capabilities.contains_key(capability);
        let declaration = Declaration {
            roots: is_there("roots").then(|| RootsDeclaration {
                list_changed: part("roots", "listChanged"),
                without_any: true,
            }),
            sampling: is_there("sampling").then(|| SamplingDeclaration {
                context: part("sampling", "context"),
                tools: part("sampling", "tools"),
            }),
            elicitation: is_there("elicitation").then(|| ElicitationDeclaration {
                form: part("elicitation", "form"),
                url: part("elicitation", "url"),
            }),
            ..Declaration::empty(&host.id)
        };
        let protocol = match Revision::parse(&host.newest) {
            Some(newest) if newest.era() == Era::Modern => ProtocolMode::Automatic,
            Some(Revision::NEWEST_LEGACY) => ProtocolMode::Handshake,
            _ => ProtocolMode::Fixed {
                revision: host.newest.clone(),
            },
        };
        Self {
            declaration,
            host: Some(HostFacts {
                protocol,
                oldest: host.oldest,
                newest: host.newest,
                left_off: host.left_off,
                source: host.source,
                date: host.date,
            }),
            id: host.id,
            name: host.name,
        }
    }
}

static PRESETS: LazyLock<Vec<DeclarationPreset>> = LazyLock::new(|| {
    let preset = |name: &str, declaration: Declaration| DeclarationPreset {
        id: declaration.preset.clone(),
        name: name.to_owned(),
        declaration,
        host: None,
    };
    // A test reads it as well.
    let hosts: Vec<Host> = serde_json::from_str(include_str!("hosts.json")).unwrap_or_default();
    [
        preset("Everything Sonde can", Declaration::default()),
        preset("Nothing", Declaration::empty(NOTHING)),
    ]
    .into_iter()
    .chain(hosts.into_iter().map(Into::into))
    .collect()
});

/// The presets, those that are no host first.
#[must_use]
pub fn declaration_presets() -> &'static [DeclarationPreset] {
    &PRESETS
}

/// What a server is told about the client, as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeclarationPreview {
    /// The `params` of `initialize`, where a handshake may come.
    pub handshake: Option<String>,
    /// What stands in `_meta` of each request, where stateless requests may come.
    pub stateless: Option<String>,
}

impl Explorer {
    /// What a server with these settings would be told about the client.
    ///
    /// # Errors
    /// `InvalidInput` for a declaration that cannot be sent.
    pub async fn preview_declaration(
        &self,
        mut declaration: Declaration,
        roots: Vec<RootFolder>,
        protocol: ProtocolMode,
    ) -> Result<DeclarationPreview, Error> {
        declaration.check()?;
        let options = SessionOptions {
            capabilities: declaration.capabilities(told(&roots), &self.core.extensions),
            ..SessionOptions::new(declaration.client())
        };
        let said = |revision| Some(sonde_mcp::declaration(revision, &options));
        let (handshake, stateless) = match &protocol {
            ProtocolMode::Automatic => {
                (said(Revision::NEWEST_LEGACY), said(Revision::NEWEST_MODERN))
            }
            ProtocolMode::Handshake => (said(Revision::NEWEST_LEGACY), None),
            ProtocolMode::Stateless => (None, said(Revision::NEWEST_MODERN)),
            ProtocolMode::Fixed { revision } => match Revision::parse(revision) {
                Some(fixed) if fixed.era() == Era::Modern => (None, said(fixed)),
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
    use super::*;

    fn root() -> Vec<Root> {
        vec![Root {
            uri: "file:///a".to_owned(),
            name: None,
        }]
    }

    #[test]
    fn without_a_setting_everything_is_declared_that_sonde_can_serve() {
        let served = [("x/y".to_owned(), "{}".to_owned())];
        let declaration = Declaration::default();
        let all = declaration.capabilities(root(), &served);
        assert_eq!(all.elicitation, Some(ElicitationCapability::ALL));
        let sampling = all.sampling.unwrap();
        assert!(sampling.tools && !sampling.context);
        assert!(all.roots.unwrap().list_changed);
        assert_eq!(all.extensions, served);
        assert_eq!(declaration.capabilities(Vec::new(), &[]).roots, None);
        assert_eq!(declaration.client().name, "Sonde");

        let nothing = Declaration::empty(NOTHING);
        assert_eq!(
            nothing.capabilities(root(), &served),
            ClientCapabilities::default()
        );
    }

    #[test]
    fn what_is_typed_is_checked_and_goes_before_what_the_host_serves() {
        let extension = |name: &str, settings: &str| ExtensionDeclaration {
            name: name.to_owned(),
            settings: settings.to_owned(),
        };
        let with = |extensions: &[ExtensionDeclaration]| Declaration {
            name: Some("  ".to_owned()),
            version: Some(" 2.1 ".to_owned()),
            extensions: extensions.to_vec(),
            ..Declaration::default()
        };
        let mut good = with(&[
            extension(" x/y ", r#"{"n": 1.50}"#),
            extension("z", " "),
            extension(" ", ""),
        ]);
        good.check().unwrap();
        let client = good.client();
        assert_eq!((&*client.name, &*client.version), ("Sonde", "2.1"));
        let served = [("x/y".to_owned(), "{}".to_owned())];
        let told = good.capabilities(Vec::new(), &served).extensions;
        assert_eq!(
            told,
            [
                ("x/y".to_owned(), r#"{"n": 1.50}"#.to_owned()),
                ("z".to_owned(), "{}".to_owned())
            ]
        );
        for (extensions, words) in [
            (vec![extension(" ", "{}")], "needs a name"),
            (vec![extension("a", "[]")], "JSON object"),
            (vec![extension("a", "{")], "JSON object"),
            (vec![extension("a", "{}"), extension("a ", "{}")], "twice"),
            (vec![extension("a", "{}"); EXTENSIONS + 1], "At most"),
        ] {
            let error = with(&extensions).check().unwrap_err();
            assert_eq!(error.detail().as_deref(), Some("declaration"));
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn every_host_has_its_facts_and_declares_nothing_that_is_not_among_them() {
        let hosts: Vec<Host> = serde_json::from_str(include_str!("hosts.json")).unwrap();
        assert!(hosts.len() > 10);
        for host in &hosts {
            for revision in [&host.oldest, &host.newest] {
                assert!(Revision::parse(revision).is_some(), "{}", host.name);
            }
            assert!(host.source.starts_with("https://"), "{}", host.name);
            assert_eq!(host.date.len(), 10, "{}", host.name);
            for (capability, parts) in &host.capabilities {
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
        assert_eq!(ids.len(), hosts.len() + 2);

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
