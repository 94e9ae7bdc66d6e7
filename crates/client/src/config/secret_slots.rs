//! The names under which the secrets of a configuration are stored.

use sonde_auth::Secret;

/// Secrets of a form, each under the name by which it is stored. `None` keeps the stored secret.
pub type SecretInputs = Vec<(String, Option<Secret>)>;

/// The secret of an environment variable.
pub fn env_secret(name: &str) -> String {
    format!("env:{name}")
}

/// The secret of a header.
pub fn header_secret(name: &str) -> String {
    format!("header:{name}")
}

/// The secret of an argument, by the name in its placeholder ([`arg_place`]).
pub fn arg_secret(name: &str) -> String {
    format!("arg:{name}")
}

/// Returns the placeholder of a secret in an argument: `${secret:NAME}`. It is filled in when the command is started.
pub fn arg_place(name: &str) -> String {
    format!("{ARG_BEGIN}{name}}}")
}

const ARG_BEGIN: &str = "${secret:";

/// Returns the names of the secrets whose placeholders are in an argument.
pub fn secrets_in(arg: &str) -> impl Iterator<Item = &str> {
    let places = arg.match_indices(ARG_BEGIN);
    places.filter_map(move |(at, begin)| {
        arg[at + begin.len()..]
            .split_once('}')
            .map(|(name, _)| name)
    })
}

/// Secrets of the way to an address.
pub mod proxy {
    /// The password of its user.
    pub const PASSWORD: &str = "proxy:password";
}

/// Secrets of signing in.
#[expect(missing_docs, reason = "the names are the documentation")]
pub mod auth {
    pub use sonde_auth::slots::*;
    pub const TOKEN: &str = "auth:token";
}

/// Returns true for the name of a sign-in secret.
pub fn signs_in(name: &str) -> bool {
    name.starts_with("auth:")
}
