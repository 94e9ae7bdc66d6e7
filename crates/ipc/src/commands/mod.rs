//! The commands of the window: their table, their names, their TypeScript interface `Commands`, and their work beyond
//! the explorer's.

#[macro_use]
mod table;
mod app;
mod servers;
mod catalogs;
mod hosts;
mod pages;
mod saving;
mod file_name;

use sonde_explorer::Error;
use ts_rs::TS;

use super::{bindings::Declarations, *};
pub use app::AppReport;

macro_rules! declare {
    (
        by hand: $($by_hand:ident),*;
        $( $whose:ident {
            $( $(#[doc = $doc:literal])* $name:ident $(= $method:ident)? ( $($arg:ident : $ty:ty),* ) -> $out:ty; )*
        } )*
    ) => {
        /// Names of all commands.
        pub const COMMANDS: &[&str] =
            &[$(stringify!($by_hand),)* $($(stringify!($name)),*),*];

        /// Declares the interface of the commands, and adds its types.
        pub(crate) fn declaration(types: &mut Declarations<'_>) -> String {
            let mut text = String::from("export interface Commands {\n");
            $($(
                $( types.add::<$ty>(); )*
                types.add::<$out>();
                let args: Vec<String> =
                    vec![$(format!("{}: {}", camel(stringify!($arg)), <$ty as TS>::name(types.cfg))),*];
                let result = match <$out as TS>::name(types.cfg).as_str() {
                    "null" => "void".to_owned(),
                    other => other.to_owned(),
                };
                text.push_str(&format!(
                    "  {}: {{ args: {{ {} }}; result: {} }};\n",
                    stringify!($name), args.join("; "), result
                ));
            )*)*
            text.push_str("}\n");
            text
        }
    };
}

/// Converts a name to camelCase, as Tauri expects command arguments.
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

/// Defines commands that only call the explorer, the connection that the first argument names, or what the page shows.
macro_rules! pass_on {
    (
        by hand: $($by_hand:ident),*;
        explorer { $($explorer:tt)* }
        connection { $($connection:tt)* }
        run { $($run:tt)* }
        request { $($request:tt)* }
        logs { $($logs:tt)* }
        documents { $($documents:tt)* }
        backend { $($backend:tt)* }
    ) => {
        impl Backend {
            pass_on!(explorer: $($explorer)*);
            pass_on!(connection: $($connection)*);
            pass_on!(connection_of_operation: $($run)*);
            pass_on!(connection_of_request: $($request)*);
            pass_on!(logs: $($logs)*);
            pass_on!(documents: $($documents)*);
        }
    };
    (explorer: $(
        $(#[doc = $doc:literal])* $name:ident ( $($arg:ident : $ty:ty),* ) -> $out:ty;
    )*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Errors
            /// As the explorer's method of this name.
            pub async fn $name(&self, $($arg: $ty),*) -> Result<$out, IpcError> {
                Ok(self.explorer().$name($($arg),*).await?)
            }
        )*
    };
    (logs: $(
        $(#[doc = $doc:literal])* $name:ident = $method:ident ( $($arg:ident : $ty:ty),* ) -> $out:ty;
    )*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Errors
            /// `NotFound`.
            pub async fn $name(&self, $($arg: $ty),*) -> Result<$out, IpcError> {
                let found = self.logs().$method($($arg),*);
                Ok(found.ok_or(Error::NotFound("This log view was closed."))?)
            }
        )*
    };
    (documents: $(
        $(#[doc = $doc:literal])* $name:ident = $method:ident ( $($arg:ident : $ty:ty),* ) -> $out:ty;
    )*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Errors
            /// `NotFound`.
            pub async fn $name(&self, $($arg: $ty),*) -> Result<$out, IpcError> {
                let found = self.documents().$method($($arg),*).await;
                Ok(found.ok_or(Error::NotFound("This document was closed."))?)
            }
        )*
    };
    ($lookup:ident: $(
        $(#[doc = $doc:literal])*
        $name:ident ( $of:ident : $of_ty:ty $(, $arg:ident : $ty:ty)* ) -> $out:ty;
    )*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Errors
            /// As the connection's method of this name; `NotFound` if there is no such connection.
            pub async fn $name(&self, $of: $of_ty $(, $arg: $ty)*) -> Result<$out, IpcError> {
                Ok(pass_on!(@call self $lookup $name $of $($arg)*))
            }
        )*
    };
    (@call $self:ident connection $name:ident $server:ident $($arg:ident)*) => {
        $self.explorer().connection(&$server)?.$name($($arg),*).await?
    };
    (@call $self:ident $lookup:ident $name:ident $number:ident $($arg:ident)*) => {
        $self.explorer().$lookup($number)?.$name($number $(, $arg)*).await?
    };
}

commands!(declare);
commands!(pass_on);
