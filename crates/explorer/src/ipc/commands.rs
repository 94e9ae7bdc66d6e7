//! The names of the commands, and the `Commands` interface through which the window calls them.

use ts_rs::{Config, TS};

use super::*;

macro_rules! declare {
    (
        by hand: $($by_hand:ident),*;
        $( $(#[doc = $doc:literal])* $name:ident ( $($arg:ident : $ty:ty),* ) -> $out:ty; )*
    ) => {
        /// The names of all commands.
        pub const COMMANDS: &[&str] = &[$(stringify!($by_hand),)* $(stringify!($name)),*];

        pub(super) fn declaration(cfg: &Config) -> String {
            let mut text = String::from("export interface Commands {\n");
            $(
                $( text.push_str(concat!("  /**", $doc, " */\n")); )*
                #[allow(unused_mut, reason = "commands without arguments push nothing")]
                let mut args: Vec<String> = Vec::new();
                $( args.push(format!("{}: {}", camel(stringify!($arg)), <$ty as TS>::name(cfg))); )*
                let result = match <$out as TS>::name(cfg).as_str() {
                    "null" => "void".to_owned(),
                    other => other.to_owned(),
                };
                text.push_str(&format!(
                    "  {}: {{ args: {{ {} }}; result: {} }};\n",
                    stringify!($name), args.join("; "), result
                ));
            )*
            text.push_str("}\n");
            text
        }
    };
}

/// Tauri takes command arguments in camelCase.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

commands!(declare);
