//! Generation of the TypeScript types of this crate.

use std::collections::BTreeMap;

use serde::Serialize;
use sonde_explorer::servers::{
    self, Declaration, DeclarationPreset, NetworkConfig, RequestRules, SecretInput, SignInConfig,
};
use sonde_mcp::Revision;
use ts_rs::{Config, TS, TypeVisitor};

use super::{Batch, IpcError, commands};

/// Returns the text of `ui/src/ipc/bindings.ts`.
#[must_use]
pub fn bindings() -> String {
    // Counters, times and sizes stay far below 2^53. JSON numbers of servers never become TypeScript numbers but cross
    // as text.
    let cfg = Config::new().with_large_int("number");
    let mut text = String::from(
        "// Generated from crates/ipc by `cargo xtask bindings`, without its comments. Do not edit.\n\n",
    );
    text.push_str("export type ServerId = string;\nexport type OperationNumber = number;\n");
    text.push_str("export type DeletionNumber = number;\n\n");
    let versions: Vec<_> = Revision::ALL.iter().rev().map(|one| one.as_str()).collect();
    text.push_str(&constant("PROTOCOL_VERSIONS", "string[]", &versions));
    let mut types = Declarations::new(&cfg);
    types.add::<IpcError>();
    types.add::<Batch>();
    types.add::<DeclarationPreset>();
    types.add::<SecretInput>();
    let commands = commands::declaration(&mut types);
    text.extend(types.by_name.into_values());
    text.push_str(&constant(
        "SECRET_NAMES",
        "string[]",
        &servers::SECRET_NAMES,
    ));
    text.push_str(&constant(
        "DECLARATION_PRESETS",
        "DeclarationPreset[]",
        &servers::declaration_presets(),
    ));
    text.push_str(&default::<NetworkConfig>("plainNetwork"));
    text.push_str(&default::<SignInConfig>("plainSignIn"));
    text.push_str(&default::<RequestRules>("plainRules"));
    text.push_str(&default::<Declaration>("plainDeclaration"));
    text.push_str(&commands);
    without_comments(&text)
}

/// Removes the comments that `ts-rs` copies from the types, which have lines of their own.
fn without_comments(text: &str) -> String {
    let mut is_comment = false;
    text.split_inclusive('\n')
        .filter(|line| {
            is_comment |= line.starts_with("/**");
            let is_code = !is_comment;
            is_comment &= !line.ends_with("*/\n");
            is_code
        })
        .collect()
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
            self.by_name
                .insert(name, format!("export {}\n\n", T::decl(self.cfg)));
            T::visit_dependencies(self);
        }
    }
}

/// Declares a constant. `value` always serialises; if it did not, the TypeScript would not compile.
fn constant(name: &str, of: &str, value: &impl Serialize) -> String {
    let value = serde_json::to_string(value).unwrap_or_default();
    format!("export const {name}: Readonly<{of}> = {value};\n\n")
}

/// Declares a constant with the default of a type.
fn default<T: TS + Default + Serialize>(name: &str) -> String {
    constant(name, &T::ident(&Config::new()), &T::default())
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
