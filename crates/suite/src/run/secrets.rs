//! Secrets of suites in the keyring.

use std::{collections::HashMap, sync::Arc};

use sonde_auth::SecretCache;

use crate::{format::Suite, variables::Lookup};

/// Owner of the secrets of suites. A server's id, which owns its secrets, is never a word.
pub const SECRETS_OWNER: &str = "suites";

/// Reads the secrets that suites name from the keyring, those apart that `env` has. One that cannot be read is missing.
pub async fn stored_secrets<'a>(
    secrets: &SecretCache,
    env: &Lookup,
    suites: impl IntoIterator<Item = &'a Suite>,
) -> Lookup {
    let mut stored = HashMap::new();
    let names = suites.into_iter().flat_map(|suite| &suite.secrets);
    for name in names.map(|name| &name.value) {
        if env(name).is_some() || stored.contains_key(name) {
            continue;
        }
        if let Ok(Some(secret)) = secrets.get(SECRETS_OWNER, name).await {
            stored.insert(name.clone(), secret);
        }
    }
    Arc::new(move |name| Some(stored.get(name)?.expose().to_owned()))
}
