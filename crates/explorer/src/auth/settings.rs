//! From a server's configuration to what signing in goes by.

use sonde_auth::{Dpop, GrantType, Secret, SecretError, Settings};
use sonde_wire::http::HttpSpec;
use url::Url;

use crate::{
    core::Core,
    ipc::{AuthDraft, DpopDraft, GrantDraft, SecretInput, SignInDraft, TransportDraft},
    servers::{network, secret_slots::auth},
};

/// Why there are no settings.
#[derive(Debug)]
pub(crate) enum NoSettings {
    /// This server is not signed in to: its transport, or the user, does not want it.
    NotWanted,
    /// The keyring did not give out a secret: its name and what was said.
    Secret {
        name: &'static str,
        error: Option<SecretError>,
    },
}

/// What signing in to a server goes by, and the secrets in it.
pub(crate) async fn settings(
    core: &Core,
    server: &str,
    transport: &TransportDraft,
) -> Result<Settings, NoSettings> {
    let TransportDraft::Http {
        url,
        headers,
        network,
        auth: AuthDraft::SignIn { options },
        ..
    } = transport
    else {
        return Err(NoSettings::NotWanted);
    };
    // The user's own header wins, whatever it says.
    let own = headers
        .iter()
        .any(|header| header.name.eq_ignore_ascii_case("authorization"));
    let Some(address) = http_address(url).filter(|url| !own && url.password().is_none()) else {
        return Err(NoSettings::NotWanted);
    };
    let mut spec = HttpSpec::new(url.as_str());
    network::apply(network, &mut spec);
    let find = Find { core, server };
    let SignInDraft {
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
        grant: find.grant(grant).await?,
        client_id: filled(client_id),
        client_secret: find.maybe(auth::CLIENT_SECRET, client_secret).await?,
        issuer: filled(issuer),
        metadata_url: filled(metadata_url),
        scopes: filled(scopes),
        redirect_port: *redirect_port,
        without_pkce_promise: *without_pkce_promise,
        dpop: match dpop {
            DpopDraft::Automatic => Dpop::Automatic,
            DpopDraft::Always => Dpop::Always,
            DpopDraft::Never => Dpop::Never,
        },
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

fn filled(text: &Option<String>) -> Option<String> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

struct Find<'a> {
    core: &'a Core,
    server: &'a str,
}

impl Find<'_> {
    async fn grant(&self, draft: &GrantDraft) -> Result<GrantType, NoSettings> {
        Ok(match draft {
            GrantDraft::Browser => GrantType::Browser,
            GrantDraft::ClientSecret => GrantType::ClientSecret,
            GrantDraft::PrivateKey {
                key,
                algorithm,
                audience,
            } => GrantType::PrivateKey {
                key: self.secret(auth::PRIVATE_KEY, key).await?,
                algorithm: filled(algorithm),
                audience: filled(audience),
            },
            GrantDraft::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
                id_token,
            } => GrantType::Enterprise {
                token_endpoint: idp_token_endpoint.trim().to_owned(),
                client_id: idp_client_id.trim().to_owned(),
                client_secret: self
                    .maybe(auth::IDP_CLIENT_SECRET, idp_client_secret)
                    .await?,
                id_token: self.secret(auth::ID_TOKEN, id_token).await?,
            },
            GrantDraft::Workload { assertion } => GrantType::Workload {
                assertion: self.secret(auth::ASSERTION, assertion).await?,
            },
        })
    }

    async fn maybe(
        &self,
        name: &'static str,
        input: &Option<SecretInput>,
    ) -> Result<Option<Secret>, NoSettings> {
        match input {
            Some(input) => self.secret(name, input).await.map(Some),
            None => Ok(None),
        }
    }

    async fn secret(&self, name: &'static str, input: &SecretInput) -> Result<Secret, NoSettings> {
        if let SecretInput::Set { value } = input {
            return Ok(Secret::new(value.as_str()));
        }
        match self.core.secrets.get(self.server, name).await {
            Ok(Some(secret)) => Ok(secret),
            Ok(None) => Err(NoSettings::Secret { name, error: None }),
            Err(error) => Err(NoSettings::Secret {
                name,
                error: Some(error),
            }),
        }
    }
}
