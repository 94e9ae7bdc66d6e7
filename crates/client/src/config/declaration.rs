//! Declaration of Sonde to a server: its identity, and the client capabilities that it declares.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sonde_mcp::{
    ClientCapabilities, ElicitationCapability, Implementation, Root, RootsCapability,
    SamplingCapability,
};
use ts_rs::TS;

use super::field_problem::{FieldProblem, ServerField, trim};
use crate::limits::NAME;

/// Preset with everything that Sonde can serve; the default of a server.
pub const SONDE: &str = "sonde";
/// The preset without any capability.
pub const NOTHING: &str = "nothing";
/// Limit of declared extensions.
const EXTENSIONS: usize = 50;
/// The longest settings of an extension, in bytes.
const SETTINGS: usize = 64 * 1024;

/// Declaration to one server. Capabilities that are `None` are not declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Declaration {
    /// The preset that filled it in, by its id; it may have been changed since.
    pub preset: String,
    /// `clientInfo.name`; `None` means Sonde's.
    pub name: Option<String>,
    /// `clientInfo.version`; `None` means Sonde's.
    pub version: Option<String>,
    /// `roots`.
    pub roots: Option<RootsDeclaration>,
    /// `sampling`.
    pub sampling: Option<SamplingCapability>,
    /// `elicitation`. With neither mode, which means forms.
    pub elicitation: Option<ElicitationCapability>,
    /// The extension `io.modelcontextprotocol/tasks` (2026-07-28).
    pub tasks: bool,
    /// Sampling and elicitation, where they are declared, may be asked for as tasks (`tasks`, 2025-11-25).
    pub request_tasks: bool,
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
            sampling: Some(SamplingCapability {
                context: false,
                tools: true,
            }),
            elicitation: Some(ElicitationCapability::ALL),
            tasks: true,
            request_tasks: true,
            ..Self::empty(SONDE)
        }
    }
}

impl Declaration {
    /// Returns a declaration without any capability.
    pub fn empty(preset: &str) -> Self {
        Self {
            preset: preset.to_owned(),
            name: None,
            version: None,
            roots: None,
            sampling: None,
            elicitation: None,
            tasks: false,
            request_tasks: false,
            extensions: Vec::new(),
        }
    }

    /// Returns the client information of a session.
    pub fn client(&self) -> Implementation {
        Implementation::new(
            self.name.as_deref().unwrap_or("Sonde"),
            self.version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")),
        )
    }

    /// Returns the capabilities of a session. `served` are extensions that the host serves: the Sonde preset declares
    /// them too.
    pub fn capabilities(
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
            elicitation: self.elicitation,
            sampling: self.sampling,
            roots: self
                .roots
                .filter(|declared| declared.without_any || !roots.is_empty())
                .map(|declared| RootsCapability {
                    list: roots,
                    list_changed: declared.list_changed,
                }),
            tasks: self.tasks,
            request_tasks: self.request_tasks,
            extensions: served.cloned().chain(typed).collect(),
        }
    }

    /// Trims the typed texts and checks the declaration.
    pub fn check(&mut self, problems: &mut Vec<FieldProblem>) {
        let long = |text: &str| text.chars().count() > NAME;
        let too_long = format!("Enter at most {NAME} characters.");
        for (field, text) in [
            (ServerField::ClientName, &mut self.name),
            (ServerField::ClientVersion, &mut self.version),
        ] {
            trim(text);
            if text.as_deref().is_some_and(long) {
                problems.push(field.problem(&too_long));
            }
        }
        if long(&self.preset) {
            problems.push(
                ServerField::Preset.problem("There is no such preset of client capabilities."),
            );
        }
        let mut seen = std::collections::HashSet::new();
        for (row, ExtensionDeclaration { name, settings }) in self.extensions.iter_mut().enumerate()
        {
            *name = name.trim().to_owned();
            if name.is_empty() && settings.trim().is_empty() {
                continue;
            }
            let mut refuse = |message: &str| {
                problems.push(ServerField::ExtensionName.problem_in(row, message));
            };
            if name.is_empty() {
                refuse("Enter the name of the extension.");
            } else if long(name) {
                refuse(&too_long);
            } else if !seen.insert(name.clone()) {
                refuse("This extension is listed twice.");
            }
            if settings.trim().is_empty() {
                *settings = "{}".to_owned();
            }
            let is_object = serde_json::from_str::<Map<String, Value>>(settings).is_ok();
            if !is_object || settings.len() > SETTINGS {
                let message = "Enter a JSON object of at most 64 KiB, for example {}.";
                problems.push(ServerField::ExtensionSettings.problem_in(row, message));
            }
        }
        // Rows that were left empty are dropped.
        self.extensions
            .retain(|one| !one.name.is_empty() || !one.settings.trim().is_empty());
        if self.extensions.len() > EXTENSIONS {
            let message = format!("At most {EXTENSIONS} extensions are allowed.");
            problems.push(ServerField::ExtensionName.problem_in(EXTENSIONS, message));
        }
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
        assert!(all.tasks && all.request_tasks);
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
        let problems = |declaration: &mut Declaration| {
            let mut problems = Vec::new();
            declaration.check(&mut problems);
            problems
        };
        assert_eq!(problems(&mut good), []);
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
        let twice = vec![
            extension("", ""),
            extension("a", "{}"),
            extension("a ", "{}"),
        ];
        let name = ServerField::ExtensionName;
        for (extensions, field, row, words) in [
            (vec![extension(" ", "{}")], name, 0, "Enter the name"),
            (
                vec![extension("a", "[]")],
                ServerField::ExtensionSettings,
                0,
                "JSON object",
            ),
            (
                vec![extension("a", "{")],
                ServerField::ExtensionSettings,
                0,
                "JSON object",
            ),
            (twice, name, 2, "twice"),
        ] {
            let found = problems(&mut with(&extensions));
            let [problem] = &found[..] else {
                panic!("{found:?}")
            };
            assert_eq!((problem.field, problem.row), (field, Some(row)));
            assert!(problem.message.contains(words), "{problem:?}");
        }
        let many: Vec<_> = (0..=EXTENSIONS)
            .map(|number| extension(&number.to_string(), ""))
            .collect();
        assert!(problems(&mut with(&many))[0].message.contains("At most"));
        let mut long = with(&[]);
        long.name = Some("a".repeat(NAME + 1));
        assert_eq!(problems(&mut long)[0].field, ServerField::ClientName);
    }
}
