//! Secrets of suites in the keyring.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use sonde_auth::SecretCache;

use crate::{format::Suite, variables::Lookup};

/// Owner of suites' secrets in the keyring. Other owners are server ids, which are never words.
pub const SECRETS_OWNER: &str = "suites";

/// Names of the secrets that suites use.
pub fn secret_names<'a>(suites: impl IntoIterator<Item = &'a Suite>) -> BTreeSet<String> {
    let secrets = suites.into_iter().flat_map(|suite| &suite.secrets);
    secrets.map(|name| name.value.clone()).collect()
}

/// Reads secrets from the keyring, except those that `env` has. Secrets that cannot be read are left out.
pub async fn stored_secrets(
    secrets: &SecretCache,
    env: &Lookup,
    names: BTreeSet<String>,
) -> Lookup {
    let mut stored = HashMap::new();
    for name in names {
        if env(&name).is_none()
            && let Ok(Some(secret)) = secrets.get(SECRETS_OWNER, &name).await
        {
            stored.insert(name, secret);
        }
    }
    Arc::new(move |name| Some(stored.get(name)?.expose().to_owned()))
}
