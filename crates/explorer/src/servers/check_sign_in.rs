//! Checks of the sign-in settings of a configuration.

use sonde_auth::Secret;
use url::Url;

use super::{
    config::{AuthConfig, GrantConfig, InKeyring, SignInConfig},
    secret_slots::{SecretInputs, auth},
};

/// The field that is wrong and what is wrong with it.
pub(super) type FieldError = (&'static str, String);

/// Checks and tidies what was typed. Secrets that were pasted lose what surrounds them.
pub(super) fn check_sign_in(
    config: &mut AuthConfig,
    secrets: &mut SecretInputs,
) -> Result<(), FieldError> {
    match config {
        AuthConfig::Off => Ok(()),
        AuthConfig::Token { .. } => check_token(secrets),
        AuthConfig::SignIn { options } => check_options(options, secrets),
    }
}

fn check_token(secrets: &mut SecretInputs) -> Result<(), FieldError> {
    let Some(given) = trimmed(secrets, auth::TOKEN) else {
        return Ok(());
    };
    let token = match given
        .expose()
        .split_once(' ')
        .unwrap_or((given.expose(), ""))
    {
        (scheme, rest) if scheme.eq_ignore_ascii_case("bearer") => rest.trim().to_owned(),
        _ => given.expose().to_owned(),
    };
    if token.is_empty() {
        return field_error("auth.token", "Enter the token.");
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return field_error(
            "auth.token",
            "A token cannot contain spaces, line breaks or non-ASCII characters.",
        );
    }
    *given = Secret::new(token);
    Ok(())
}

fn check_options(options: &mut SignInConfig, secrets: &mut SecretInputs) -> Result<(), FieldError> {
    for text in [
        &mut options.client_id,
        &mut options.issuer,
        &mut options.metadata_url,
        &mut options.scopes,
    ] {
        *text = text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned);
    }
    if let Some(issuer) = &options.issuer {
        address("auth.issuer", issuer)?;
    }
    if let Some(url) = &options.metadata_url {
        let url = address("auth.metadata_url", url)?;
        if url.scheme() != "https" || url.path() == "/" {
            return field_error(
                "auth.metadata_url",
                "It must start with https:// and have a path (SEP-991).",
            );
        }
    }
    if let Some(scopes) = &options.scopes
        && !scopes
            .chars()
            .all(|c| c == ' ' || (c.is_ascii_graphic() && !matches!(c, '"' | '\\')))
    {
        return field_error(
            "auth.scopes",
            "Scopes are separated by blanks and have no quotes, backslashes or other characters \
             than ASCII.",
        );
    }
    if options.redirect_port.is_some_and(|port| port < 1024) {
        return field_error("auth.redirect_port", "Choose a port from 1024 to 65535.");
    }
    drop_empty(&mut options.client_secret, secrets, auth::CLIENT_SECRET);
    let has_client = options.client_id.is_some();
    if options.client_secret.is_some() && !has_client {
        return field_error(
            "auth.client_id",
            "Enter the id that this secret belongs to.",
        );
    }
    let needs_client = |ok: bool| match ok {
        true => Ok(()),
        false => field_error("auth.client_id", "Enter the client's id."),
    };
    match &mut options.grant {
        GrantConfig::Browser => Ok(()),
        GrantConfig::ClientSecret => {
            needs_client(has_client)?;
            match options.client_secret.is_some() {
                true => Ok(()),
                false => field_error("auth.client_secret", "Enter the client's secret."),
            }
        }
        GrantConfig::PrivateKey {
            algorithm,
            audience,
            ..
        } => {
            needs_client(has_client)?;
            if let Some(key) = trimmed(secrets, auth::PRIVATE_KEY)
                && !key.expose().contains("-----BEGIN ")
            {
                return field_error(
                    "auth.key",
                    "Paste the whole key; it begins with -----BEGIN PRIVATE KEY-----.",
                );
            }
            if let Some(name) = algorithm
                && !name.is_empty()
                && !["ES256", "ES384", "RS256", "PS256", "EdDSA"].contains(&name.as_str())
            {
                return field_error("auth.algorithm", "Choose an algorithm from the list.");
            }
            if let Some(audience) = audience {
                *audience = audience.trim().to_owned();
            }
            Ok(())
        }
        GrantConfig::Enterprise {
            idp_token_endpoint,
            idp_client_id,
            idp_client_secret,
            ..
        } => {
            needs_client(has_client)?;
            *idp_token_endpoint = idp_token_endpoint.trim().to_owned();
            *idp_client_id = idp_client_id.trim().to_owned();
            address("auth.idp_token_endpoint", idp_token_endpoint)?;
            if idp_client_id.is_empty() {
                return field_error(
                    "auth.idp_client_id",
                    "Enter the id under which the identity provider knows this client.",
                );
            }
            drop_empty(idp_client_secret, secrets, auth::IDP_CLIENT_SECRET);
            match is_empty(secrets, auth::ID_TOKEN) {
                true => field_error("auth.id_token", "Enter the ID token."),
                false => Ok(()),
            }
        }
        GrantConfig::Workload { .. } => match is_empty(secrets, auth::ASSERTION) {
            true => field_error("auth.assertion", "Enter the assertion."),
            false => Ok(()),
        },
    }
}

fn field_error<T>(field: &'static str, message: &str) -> Result<T, FieldError> {
    Err((field, message.to_owned()))
}

fn address(field: &'static str, text: &str) -> Result<Url, FieldError> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => field_error(field, "Enter an address that begins with https://."),
    }
}

/// Trims the entered value of this secret in place and returns it.
fn trimmed<'a>(secrets: &'a mut SecretInputs, name: &str) -> Option<&'a mut Secret> {
    let (_, secret) = secrets.iter_mut().find(|(one, _)| one == name)?;
    let secret = secret.as_mut()?;
    *secret = Secret::new(secret.expose().trim());
    Some(secret)
}

/// Nothing was handed in, where something should be.
fn is_empty(secrets: &mut SecretInputs, name: &str) -> bool {
    trimmed(secrets, name).is_some_and(|secret| secret.expose().is_empty())
}

/// A secret that may be missing is, when nothing was handed in.
fn drop_empty(wanted: &mut Option<InKeyring>, secrets: &mut SecretInputs, name: &str) {
    if is_empty(secrets, name) {
        *wanted = None;
        secrets.retain(|(one, _)| one != name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> SecretInputs {
        vec![(name.to_owned(), Some(Secret::new(value)))]
    }

    fn sign_in(
        mut secrets: SecretInputs,
        change: impl FnOnce(&mut SignInConfig),
    ) -> Result<(), &'static str> {
        let mut options = SignInConfig::default();
        change(&mut options);
        let mut config = AuthConfig::SignIn {
            options: Box::new(options),
        };
        check_sign_in(&mut config, &mut secrets).map_err(|(field, _)| field)
    }

    #[test]
    fn a_pasted_token_loses_its_scheme() {
        let mut secrets = set(auth::TOKEN, " Bearer abc\n");
        check_sign_in(&mut AuthConfig::TOKEN.clone(), &mut secrets).unwrap();
        assert_eq!(secrets, set(auth::TOKEN, "abc"));
        for bad in ["", "a b", "Bearer ", "é"] {
            let mut secrets = set(auth::TOKEN, bad);
            assert_eq!(
                check_sign_in(&mut AuthConfig::TOKEN.clone(), &mut secrets)
                    .unwrap_err()
                    .0,
                "auth.token",
                "{bad}"
            );
        }
    }

    #[test]
    fn each_field_is_named() {
        let none = SecretInputs::new;
        assert_eq!(sign_in(none(), |_| ()), Ok(()));
        let client = |options: &mut SignInConfig| options.client_id = Some("c".to_owned());
        assert_eq!(
            sign_in(none(), |options| options.issuer =
                Some("auth.example".to_owned())),
            Err("auth.issuer")
        );
        assert_eq!(
            sign_in(none(), |options| {
                options.metadata_url = Some("http://a/b".to_owned());
            }),
            Err("auth.metadata_url")
        );
        assert_eq!(
            sign_in(none(), |options| options.scopes =
                Some("a \"b\"".to_owned())),
            Err("auth.scopes")
        );
        assert_eq!(
            sign_in(none(), |options| options.redirect_port = Some(80)),
            Err("auth.redirect_port")
        );
        assert_eq!(
            sign_in(set(auth::CLIENT_SECRET, "x"), |options| {
                options.client_secret = Some(InKeyring::Keep);
            }),
            Err("auth.client_id")
        );
        assert_eq!(
            sign_in(set(auth::CLIENT_SECRET, " "), |options| {
                client(options);
                options.grant = GrantConfig::ClientSecret;
                options.client_secret = Some(InKeyring::Keep);
            }),
            Err("auth.client_secret")
        );
        assert_eq!(
            sign_in(set(auth::PRIVATE_KEY, "abc"), |options| {
                client(options);
                options.grant = GrantConfig::PrivateKey {
                    key: InKeyring::Keep,
                    algorithm: None,
                    audience: None,
                };
            }),
            Err("auth.key")
        );
        assert_eq!(
            sign_in(set(auth::ASSERTION, " "), |options| {
                options.grant = GrantConfig::Workload {
                    assertion: InKeyring::Keep,
                };
            }),
            Err("auth.assertion")
        );
    }
}
