//! Turns a server's configuration into the settings for signing in.

use std::collections::VecDeque;

use sonde_auth::{Secret, SecretError, Settings};
use sonde_wire::http::HttpSpec;
use url::Url;

use crate::{
    config::{AuthConfig, SignInConfig, Transport, network, secret_slots::proxy},
    core::Core,
};

/// Reasons for having no settings.
#[derive(Debug)]
pub(crate) enum SettingsError {
    /// Sign-in is off for this server, because of its transport or by the user's choice.
    NotEnabled,
    /// The keyring did not return a secret.
    Secret {
        name: &'static str,
        error: Option<SecretError>,
    },
}

/// Collects the settings for signing in to a server, with their secrets.
pub(crate) async fn settings(
    core: &Core,
    transport: &Transport,
) -> Result<Settings, SettingsError> {
    let Transport::Http {
        url,
        headers,
        network,
        auth: AuthConfig::SignIn { options },
        ..
    } = transport
    else {
        return Err(SettingsError::NotEnabled);
    };
    // The user's own header wins, whatever it says.
    let own = headers
        .iter()
        .any(|header| header.name.eq_ignore_ascii_case("authorization"));
    let Some(address) = http_address(url).filter(|url| !own && url.password().is_none()) else {
        return Err(SettingsError::NotEnabled);
    };
    let reader = SecretReader { core };
    let password = reader
        .optional_secret(network.proxy.has_password(), proxy::PASSWORD)
        .await?;
    let mut spec = HttpSpec::new(url.as_str());
    network::apply(network, password.as_ref(), &mut spec);
    Ok(Settings {
        network: spec.network,
        sign_in: reader.sign_in(options).await?,
        with_user: core.with_user,
        ..Settings::new(address)
    })
}

/// WebSockets are opened by an HTTP request, so they are signed in to like everything else.
fn http_address(url: &str) -> Option<Url> {
    let url = url.trim();
    let http = match url.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("ws") => format!("http:{rest}"),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("wss") => format!("https:{rest}"),
        _ => url.to_owned(),
    };
    Url::parse(&http).ok().filter(Url::has_host)
}

struct SecretReader<'a> {
    core: &'a Core,
}

impl SecretReader<'_> {
    /// Fills the secrets into the sign-in options.
    async fn sign_in(&self, options: &SignInConfig) -> Result<SignInConfig<Secret>, SettingsError> {
        let mut names = Vec::new();
        let _ = options.clone().map_secrets(&mut |name, _| names.push(name));
        let mut secrets = VecDeque::with_capacity(names.len());
        for name in names {
            secrets.push_back(self.secret(name).await?);
        }
        let options = options.clone().trimmed();
        // Both walks have the same order, so none is missing.
        let mut next = |_, _| secrets.pop_front().unwrap_or_else(|| Secret::new(""));
        Ok(options.map_secrets(&mut next))
    }

    async fn optional_secret(
        &self,
        wanted: bool,
        name: &'static str,
    ) -> Result<Option<Secret>, SettingsError> {
        match wanted {
            true => self.secret(name).await.map(Some),
            false => Ok(None),
        }
    }

    async fn secret(&self, name: &'static str) -> Result<Secret, SettingsError> {
        match self
            .core
            .services
            .secrets
            .get(&self.core.server, name)
            .await
        {
            Ok(Some(secret)) => Ok(secret),
            Ok(None) => Err(SettingsError::Secret { name, error: None }),
            Err(error) => Err(SettingsError::Secret {
                name,
                error: Some(error),
            }),
        }
    }
}
