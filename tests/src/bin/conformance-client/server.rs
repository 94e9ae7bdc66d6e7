//! The server of a scenario, as a user would enter it in the form.

use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Deserialize;
use sonde_client::{
    Connection, ConnectionOptions, Services,
    config::{
        AuthConfig, Declaration, GrantConfig, HttpKind, NetworkConfig, ProtocolMode, RequestRules,
        SecretInput, ServerConfig, ServerInput, SignInConfig, Transport,
    },
};

use crate::{Task, skills};

/// Name of the server in its log.
const SERVER: &str = "suite";

/// Address of this client's document, which the suite never fetches.
const DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

/// Data for signing in that a scenario may give.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    client_id: Option<String>,
    client_secret: Option<String>,
    issuer: Option<String>,
    private_key_pem: Option<String>,
    signing_algorithm: Option<String>,
    idp_client_id: Option<String>,
    idp_client_secret: Option<String>,
    idp_id_token: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<String>,
}

/// Creates a connection with a user to the suite's server.
pub(crate) async fn connection(task: &Task) -> Result<Connection> {
    let ServerInput { config, secrets } = typed(task)?.into();
    let services = Arc::new(Services {
        extensions: vec![(skills::EXTENSION.to_owned(), "{}".to_owned())],
        ..Services::in_memory()
    });
    for (name, secret) in secrets {
        let secret = secret.context("each secret is given")?;
        services.secrets.put(SERVER, &name, secret).await?;
    }
    Ok(Connection::new(ConnectionOptions {
        with_user: true,
        ..ConnectionOptions::new(SERVER, config, services)
    }))
}

fn typed(task: &Task) -> Result<ServerConfig<SecretInput>> {
    let era = match task.scenario.as_str() {
        _ if task.automatic => ProtocolMode::Automatic,
        // This scenario is about the server's response to an unsupported version.
        "request-metadata" => ProtocolMode::Stateless,
        _ => ProtocolMode::Fixed {
            revision: task.revision.clone(),
        },
    };
    let kind = if task.automatic {
        HttpKind::Automatic
    } else {
        HttpKind::Streamable
    };
    let options = Box::new(sign_in(task)?);
    Ok(ServerConfig {
        name: task.scenario.clone(),
        transport: Transport::Http {
            url: task.url.clone(),
            headers: Vec::new(),
            kind,
            network: NetworkConfig::default(),
            auth: AuthConfig::SignIn { options },
        },
        idle_seconds: None,
        hard_seconds: None,
        protocol: era,
        stream_attempts: None,
        roots: Vec::new(),
        request_rules: RequestRules::default(),
        declaration: Declaration::default(),
    })
}

fn sign_in(task: &Task) -> Result<SignInConfig<SecretInput>> {
    let given: Given = match &task.context {
        Some(context) => serde_json::from_str(context).context("reading the context")?,
        None => Given::default(),
    };
    let secret = |value: String| SecretInput::Set { value };
    let grant = if let Some(key) = given.private_key_pem {
        GrantConfig::PrivateKey {
            key: secret(key),
            algorithm: given.signing_algorithm,
            audience: None,
        }
    } else if let Some(id_token) = given.idp_id_token {
        GrantConfig::Enterprise {
            idp_token_endpoint: given.idp_token_endpoint.context("no identity provider")?,
            idp_client_id: given.idp_client_id.unwrap_or_default(),
            idp_client_secret: given.idp_client_secret.map(secret),
            id_token: secret(id_token),
        }
    } else if let Some(assertion) = given.valid_jwt {
        GrantConfig::Workload {
            assertion: secret(assertion),
        }
    } else if task.scenario == "auth/client-credentials-basic" {
        GrantConfig::ClientSecret
    } else {
        GrantConfig::Browser
    };
    Ok(SignInConfig {
        grant,
        client_id: given.client_id,
        client_secret: given.client_secret.map(secret),
        issuer: given.issuer,
        metadata_url: Some(DOCUMENT.to_owned()),
        ..SignInConfig::default()
    })
}
