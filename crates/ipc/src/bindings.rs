//! Generation of the TypeScript types of this crate.

use std::collections::BTreeMap;

use sonde_explorer::servers::{self, DeclarationPreset, SecretInput};
use sonde_mcp::Revision;
use ts_rs::{Config, TS, TypeVisitor};

use super::{Batch, IpcError, commands};

/// Returns the text of `ui/src/ipc/bindings.ts`.
#[must_use]
pub fn bindings() -> String {
    // Counters, times and sizes stay far below 2^53. JSON numbers of servers never become TypeScript numbers but cross
    // as text.
    let cfg = Config::new().with_large_int("number");
    let mut text =
        String::from("// Generated from crates/ipc by `cargo xtask bindings`. Do not edit.\n\n");
    text.push_str("export type ServerId = string;\nexport type OperationNumber = number;\n");
    text.push_str("export type DeletionNumber = number;\n\n");
    text.push_str(&protocol_versions());
    let mut types = Declarations::new(&cfg);
    types.add::<IpcError>();
    types.add::<Batch>();
    types.add::<DeclarationPreset>();
    types.add::<SecretInput>();
    let commands = commands::declaration(&mut types);
    text.extend(types.by_name.into_values());
    text.push_str(&secret_names());
    text.push_str(&declaration_presets());
    text.push_str(&commands);
    text
}

/// Declarations of types, including all types that they name.
pub(crate) struct Declarations<'a> {
    pub(crate) cfg: &'a Config,
    by_name: BTreeMap<String, String>,
}

impl<'a> Declarations<'a> {
    fn new(cfg: &'a Config) -> Self {
        Self {
            cfg,
            by_name: BTreeMap::new(),
        }
    }

    /// Adds a type; for a type that is not declared, such as a list, the types that it contains.
    pub(crate) fn add<T: TS + 'static>(&mut self) {
        self.visit::<T>();
        T::visit_generics(self);
    }
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the language have no file of their own.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.cfg);
        if !self.by_name.contains_key(&name) {
            let docs = T::docs().unwrap_or_default();
            let declared = format!("{docs}export {}\n\n", T::decl(self.cfg));
            self.by_name.insert(name, declared);
            T::visit_dependencies(self);
        }
    }
}

/// Returns a constant with the protocol versions that the window offers; there is no other table in it.
fn protocol_versions() -> String {
    let names: Vec<String> = Revision::ALL
        .iter()
        .rev()
        .map(|revision| format!("{:?}", revision.as_str()))
        .collect();
    format!(
        "/**\n * The protocol versions that Sonde speaks, newest first.\n */\n\
         export const PROTOCOL_VERSIONS: readonly string[] = [{}];\n\n",
        names.join(", ")
    )
}

/// Returns a constant with the presets of declarations, for the same reason.
fn declaration_presets() -> String {
    // A list of structs of strings always serialises; if it did not, the TypeScript would not compile.
    let presets = serde_json::to_string_pretty(servers::declaration_presets()).unwrap_or_default();
    format!(
        "/**\n * What can be declared to a server, to begin with; those that are no host first.\n */\n\
         export const DECLARATION_PRESETS: readonly DeclarationPreset[] = {presets};\n\n"
    )
}

/// Returns a constant with names of secrets: a value typed under such a name is hidden, as an imported one is.
fn secret_names() -> String {
    let names: Vec<String> = servers::SECRET_NAMES
        .iter()
        .map(|name| format!("{name:?}"))
        .collect();
    format!(
        "/**\n * Parts of a name that mark its value as secret: its end where they begin with `_`, else anything of its letters and digits.\n */\n\
         export const SECRET_NAMES: readonly string[] = [{}];\n\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    /// `cargo xtask bindings` sets `SONDE_WRITE_BINDINGS`; otherwise this test compares.
    #[test]
    fn typescript_matches_rust() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/ipc/bindings.ts");
        let expected = super::bindings();
        if std::env::var_os("SONDE_WRITE_BINDINGS").is_some() {
            std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
            std::fs::write(path, &expected).unwrap();
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == expected,
            "ui/src/ipc/bindings.ts is out of date: run `cargo xtask bindings`"
        );
    }
}
