//! Turns a server's configuration into the settings for signing in.

use sonde_auth::{GrantType, Secret, SecretError, Settings};
use sonde_wire::http::HttpSpec;
use url::Url;

use crate::{
    config::{
        AuthConfig, GrantConfig, SignInConfig, Transport, network,
        secret_slots::{auth, proxy},
    },
    core::Core,
};

/// Reasons for having no settings.
#[derive(Debug)]
pub(crate) enum SettingsError {
    /// Sign-in is off for this server, because of its transport or by the user's choice.
    NotEnabled,
    /// The keyring did not give out a secret: its name and what was said.
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
    let SignInConfig {
        grant,
        client_id,
        client_secret,
        issuer,
        metadata_url,
        scopes,
        redirect_port,
        without_pkce_promise,
        dpop,
    } = &**options;
    Ok(Settings {
        network: spec.network,
        grant: reader.grant(grant).await?,
        client_id: non_empty(client_id),
        client_secret: reader
            .optional_secret(client_secret.is_some(), auth::CLIENT_SECRET)
            .await?,
        issuer: non_empty(issuer),
        metadata_url: non_empty(metadata_url),
        scopes: non_empty(scopes),
        redirect_port: *redirect_port,
        without_pkce_promise: *without_pkce_promise,
        with_user: core.with_user,
        dpop: *dpop,
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

fn non_empty(text: &Option<String>) -> Option<String> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

struct SecretReader<'a> {
    core: &'a Core,
}

impl SecretReader<'_> {
    async fn grant(&self, grant: &GrantConfig) -> Result<GrantType, SettingsError> {
        Ok(match grant {
            GrantConfig::Browser => GrantType::Browser,
            GrantConfig::ClientSecret => GrantType::ClientSecret,
            GrantConfig::PrivateKey {
                algorithm,
                audience,
                ..
            } => GrantType::PrivateKey {
                key: self.secret(auth::PRIVATE_KEY).await?,
                algorithm: non_empty(algorithm),
                audience: non_empty(audience),
            },
            GrantConfig::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
                ..
            } => GrantType::Enterprise {
                token_endpoint: idp_token_endpoint.trim().to_owned(),
                client_id: idp_client_id.trim().to_owned(),
                client_secret: self
                    .optional_secret(idp_client_secret.is_some(), auth::IDP_CLIENT_SECRET)
                    .await?,
                id_token: self.secret(auth::ID_TOKEN).await?,
            },
            GrantConfig::Workload { .. } => GrantType::Workload {
                assertion: self.secret(auth::ASSERTION).await?,
            },
        })
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
