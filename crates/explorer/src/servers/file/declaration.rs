//! Declaration to a server in version 1 of an entry of the file. It holds only chosen values; a capability that is
//! `null` is not declared.

use serde::{Deserialize, Serialize};

use crate::servers;

/// Declaration to a server.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Declaration {
    preset: String,
    name: Option<String>,
    version: Option<String>,
    roots: Option<Roots>,
    sampling: Option<Sampling>,
    elicitation: Option<Elicitation>,
    /// Not there in files of before tasks could be declared.
    #[serde(default)]
    tasks: Option<bool>,
    /// Not there in files of before requests could be tasks.
    #[serde(default)]
    request_tasks: Option<bool>,
    extensions: Vec<Extension>,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Roots {
    list_changed: bool,
    without_any: bool,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Sampling {
    context: bool,
    tools: bool,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Elicitation {
    form: bool,
    url: bool,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Extension {
    name: String,
    /// JSON text, so that it is sent as it was typed.
    settings: String,
}

impl Default for Declaration {
    fn default() -> Self {
        servers::Declaration::default().into()
    }
}

impl Declaration {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Declaration> for servers::Declaration {
    fn from(declaration: Declaration) -> Self {
        Self {
            tasks: (declaration.tasks).unwrap_or_else(|| declaration.preset == servers::SONDE),
            request_tasks: (declaration.request_tasks)
                .unwrap_or_else(|| declaration.preset == servers::SONDE),
            preset: declaration.preset,
            name: declaration.name,
            version: declaration.version,
            roots: declaration.roots.map(
                |Roots {
                     list_changed,
                     without_any,
                 }| servers::RootsDeclaration {
                    list_changed,
                    without_any,
                },
            ),
            sampling: declaration
                .sampling
                .map(|Sampling { context, tools }| servers::SamplingDeclaration { context, tools }),
            elicitation: declaration
                .elicitation
                .map(|Elicitation { form, url }| servers::ElicitationDeclaration { form, url }),
            extensions: declaration
                .extensions
                .into_iter()
                .map(
                    |Extension { name, settings }| servers::ExtensionDeclaration { name, settings },
                )
                .collect(),
        }
    }
}

impl From<servers::Declaration> for Declaration {
    fn from(declaration: servers::Declaration) -> Self {
        Self {
            preset: declaration.preset,
            name: declaration.name,
            version: declaration.version,
            roots: declaration.roots.map(
                |servers::RootsDeclaration {
                     list_changed,
                     without_any,
                 }| Roots {
                    list_changed,
                    without_any,
                },
            ),
            sampling: declaration
                .sampling
                .map(|servers::SamplingDeclaration { context, tools }| Sampling { context, tools }),
            elicitation: declaration
                .elicitation
                .map(|servers::ElicitationDeclaration { form, url }| Elicitation { form, url }),
            tasks: Some(declaration.tasks),
            request_tasks: Some(declaration.request_tasks),
            extensions: declaration
                .extensions
                .into_iter()
                .map(
                    |servers::ExtensionDeclaration { name, settings }| Extension { name, settings },
                )
                .collect(),
        }
    }
}
