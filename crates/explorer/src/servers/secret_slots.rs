//! Where a configuration has secrets, and the names under which they are stored.

use sonde_auth::Secret;

use crate::ipc::{
    AuthDraft, GrantDraft, SecretInput, ServerDraft, SignInDraft, TransportDraft, ValueView,
};

/// The secret of an environment variable.
pub(crate) fn env_secret(name: &str) -> String {
    format!("env:{name}")
}

/// The secret of a header.
pub(crate) fn header_secret(name: &str) -> String {
    format!("header:{name}")
}

/// Secrets of signing in.
pub(crate) mod auth {
    pub(crate) const TOKEN: &str = "auth:token";
    pub(crate) const CLIENT_SECRET: &str = "auth:client_secret";
    pub(crate) const PRIVATE_KEY: &str = "auth:private_key";
    pub(crate) const IDP_CLIENT_SECRET: &str = "auth:idp_client_secret";
    pub(crate) const ID_TOKEN: &str = "auth:id_token";
    pub(crate) const ASSERTION: &str = "auth:assertion";
}

/// Every place for a secret that is in use.
fn slots(transport: &mut TransportDraft) -> Vec<(String, &mut SecretInput)> {
    fn input(value: &mut ValueView) -> Option<&mut SecretInput> {
        match value {
            ValueView::Secret { input } => Some(input),
            ValueView::Plain { .. } => None,
        }
    }
    match transport {
        TransportDraft::Stdio { env, .. } => env
            .iter_mut()
            .filter_map(|var| Some((env_secret(&var.name), input(&mut var.value)?)))
            .collect(),
        TransportDraft::Http { headers, auth, .. } => headers
            .iter_mut()
            .filter_map(|header| Some((header_secret(&header.name), input(&mut header.value)?)))
            .chain(auth_slots(auth))
            .collect(),
        TransportDraft::Demo { .. } => Vec::new(),
    }
}

fn auth_slots(auth: &mut AuthDraft) -> Vec<(String, &mut SecretInput)> {
    let found: Vec<(&str, Option<&mut SecretInput>)> = match auth {
        AuthDraft::Off => Vec::new(),
        AuthDraft::Token { token } => vec![(auth::TOKEN, Some(token))],
        AuthDraft::SignIn { options } => {
            let SignInDraft {
                grant,
                client_secret,
                ..
            } = &mut **options;
            let mut found = vec![(auth::CLIENT_SECRET, client_secret.as_mut())];
            match grant {
                GrantDraft::Browser | GrantDraft::ClientSecret => {}
                GrantDraft::PrivateKey { key, .. } => found.push((auth::PRIVATE_KEY, Some(key))),
                GrantDraft::Enterprise {
                    idp_client_secret,
                    id_token,
                    ..
                } => {
                    found.push((auth::IDP_CLIENT_SECRET, idp_client_secret.as_mut()));
                    found.push((auth::ID_TOKEN, Some(id_token)));
                }
                GrantDraft::Workload { assertion } => {
                    found.push((auth::ASSERTION, Some(assertion)))
                }
            }
            found
        }
    };
    found
        .into_iter()
        .filter_map(|(name, input)| Some((name.to_owned(), input?)))
        .collect()
}

/// The secrets of a transport by the name under which they are stored.
pub(crate) fn secret_names(transport: &TransportDraft) -> Vec<String> {
    let mut transport = transport.clone();
    slots(&mut transport)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// Separates a draft from its secrets: `None` keeps what is stored.
pub(super) fn take_secrets(mut draft: ServerDraft) -> (ServerDraft, Vec<(String, Option<Secret>)>) {
    let secrets = slots(&mut draft.transport)
        .into_iter()
        .map(|(name, input)| {
            let secret = match std::mem::replace(input, SecretInput::Keep) {
                SecretInput::Keep => None,
                SecretInput::Set { value } => Some(Secret::new(value)),
            };
            (name, secret)
        })
        .collect();
    (draft, secrets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipc::NetworkDraft;

    #[test]
    fn every_secret_of_signing_in_has_a_place_of_its_own() {
        let set = |value: &str| SecretInput::Set {
            value: value.to_owned(),
        };
        let draft = ServerDraft {
            name: "x".to_owned(),
            transport: TransportDraft::Http {
                url: "https://example.org/mcp".to_owned(),
                headers: Vec::new(),
                kind: crate::ipc::HttpKind::Automatic,
                network: NetworkDraft::default(),
                auth: AuthDraft::SignIn {
                    options: Box::new(SignInDraft {
                        client_secret: Some(set("a")),
                        grant: GrantDraft::Enterprise {
                            idp_token_endpoint: "https://idp.example/token".to_owned(),
                            idp_client_id: "me".to_owned(),
                            idp_client_secret: None,
                            id_token: set("b"),
                        },
                        ..SignInDraft::default()
                    }),
                },
            },
            idle_seconds: None,
            hard_seconds: None,
            era: crate::ipc::EraDraft::Automatic,
            stream_attempts: None,
        };
        let (clean, secrets) = take_secrets(draft);
        assert_eq!(
            secrets,
            [
                (auth::CLIENT_SECRET.to_owned(), Some(Secret::new("a"))),
                (auth::ID_TOKEN.to_owned(), Some(Secret::new("b"))),
            ]
        );
        assert_eq!(
            secret_names(&clean.transport),
            [auth::CLIENT_SECRET, auth::ID_TOKEN]
        );
        assert!(!format!("{clean:?}").contains("Set"), "{clean:?}");
    }
}
