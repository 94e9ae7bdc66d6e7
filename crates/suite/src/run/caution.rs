//! Calls that a run leaves out, by the hints of their tools.

use serde_json::Value;
use sonde_client::{Connection, catalogs::CatalogKind};
use sonde_mcp::ToolAnnotations;

use crate::format::{Step, Verb};

/// Calls that a run leaves out, by the hints of their tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caution {
    /// Skip no call.
    #[default]
    None,
    /// Skip calls of tools that declare themselves destructive.
    Destructive,
    /// Calls of tools that do not rule it out. By the specification a tool without hints may be destructive.
    PerhapsDestructive,
}

impl Caution {
    /// True if a step, or a step that verifies it, makes such a call. `hints` looks up the hints of a tool by name.
    #[must_use]
    pub fn leaves_out(self, step: &Step, hints: &dyn Fn(&str) -> Option<ToolAnnotations>) -> bool {
        let is_left_out = |step: &Step| {
            let Some(tool) = called(step) else {
                return false;
            };
            let hints = hints(&tool).unwrap_or_default();
            let reads = hints.read_only == Some(true);
            match self {
                Self::None => false,
                Self::Destructive => !reads && hints.destructive == Some(true),
                Self::PerhapsDestructive => !reads && hints.destructive != Some(false),
            }
        };
        is_left_out(step) || step.verify.iter().any(is_left_out)
    }

    /// The reason for leaving a step out on this connection, if there is one.
    pub(super) fn reason(self, step: &Step, connection: &Connection) -> Option<&'static str> {
        let hints = |name: &str| listed_hints(connection, name);
        self.leaves_out(step, &hints).then_some(match self {
            Self::PerhapsDestructive => {
                "The tool may be destructive: its hints do not rule it out. Include destructive checks to run it."
            }
            _ => "The tool says that it is destructive. Include destructive checks to run it.",
        })
    }
}

/// The tool that a step calls; empty where its name is not known.
fn called(step: &Step) -> Option<String> {
    match &step.verb {
        Verb::Call(name) => Some(name.clone()),
        Verb::Raw { method, params, .. } if method == "tools/call" => {
            let params = params.as_deref().unwrap_or_default();
            let params: Value = serde_json::from_str(params).unwrap_or_default();
            Some(params["name"].as_str().unwrap_or_default().to_owned())
        }
        _ => None,
    }
}

/// The hints of a tool that a connection lists.
#[must_use]
pub fn listed_hints(connection: &Connection, name: &str) -> Option<ToolAnnotations> {
    connection.read(|state| {
        let listed = &state.catalogs.get(CatalogKind::Tools)?.listed;
        Some(listed.named(name)?.1.tool()?.annotations)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Suite;

    #[test]
    fn calls_are_left_out_by_their_hints() {
        let hints = |name: &str| {
            let (read_only, destructive) = match name {
                "reads" => (Some(true), Some(true)),
                "adds" => (None, Some(false)),
                "wipes" => (None, Some(true)),
                "silent" => (None, None),
                _ => return None,
            };
            Some(ToolAnnotations {
                read_only,
                destructive,
                ..ToolAnnotations::default()
            })
        };
        let left_out = |step: &str| {
            let suite = Suite::read("a", &format!("sonde: 1\nsteps:\n  - {step}\n")).unwrap();
            let step = &suite.steps[0];
            let all = [
                Caution::None,
                Caution::Destructive,
                Caution::PerhapsDestructive,
            ];
            all.map(|caution| caution.leaves_out(step, &hints))
        };
        assert_eq!(left_out("call: reads"), [false; 3]);
        assert_eq!(left_out("call: adds"), [false; 3]);
        assert_eq!(left_out("call: wipes"), [false, true, true]);
        assert_eq!(left_out("call: silent"), [false, false, true]);
        assert_eq!(left_out("call: unknown"), [false, false, true]);
        assert_eq!(left_out("list: tools"), [false; 3]);
        let raw = "raw: { method: tools/call, params: { name: wipes } }";
        assert_eq!(left_out(raw), [false, true, true]);
        let verified = "{ call: reads, verify: [{ call: wipes }] }";
        assert_eq!(left_out(verified), [false, true, true]);
    }
}
