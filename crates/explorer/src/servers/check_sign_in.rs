//! What a form may say about signing in.

use url::Url;

use crate::ipc::{AuthDraft, GrantDraft, SecretInput, SignInDraft};

/// The field that is wrong and what is wrong with it.
pub(super) type FieldError = (&'static str, String);

/// Checks and tidies what was typed. Secrets that were pasted lose what surrounds them.
pub(super) fn check_sign_in(auth: &mut AuthDraft) -> Result<(), FieldError> {
    match auth {
        AuthDraft::Off => Ok(()),
        AuthDraft::Token { token } => {
            trim(token);
            let SecretInput::Set { value } = token else {
                return Ok(());
            };
            let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
            if scheme.eq_ignore_ascii_case("bearer") {
                *value = rest.trim().to_owned();
            }
            if value.is_empty() {
                return field_error("auth.token", "Enter the token.");
            }
            if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
                return field_error(
                    "auth.token",
                    "A token cannot contain spaces, line breaks or non-ASCII characters.",
                );
            }
            Ok(())
        }
        AuthDraft::SignIn { options } => check_options(options),
    }
}

fn check_options(options: &mut SignInDraft) -> Result<(), FieldError> {
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
    if let Some(secret) = &mut options.client_secret {
        trim(secret);
        if is_empty(secret) {
            options.client_secret = None;
        }
    }
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
        GrantDraft::Browser => Ok(()),
        GrantDraft::ClientSecret => {
            needs_client(has_client)?;
            match options.client_secret {
                Some(_) => Ok(()),
                None => field_error("auth.client_secret", "Enter the client's secret."),
            }
        }
        GrantDraft::PrivateKey {
            key,
            algorithm,
            audience,
        } => {
            needs_client(has_client)?;
            trim(key);
            if let SecretInput::Set { value } = key
                && !value.contains("-----BEGIN ")
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
        GrantDraft::Enterprise {
            idp_token_endpoint,
            idp_client_id,
            idp_client_secret,
            id_token,
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
            if let Some(secret) = idp_client_secret {
                trim(secret);
                if is_empty(secret) {
                    *idp_client_secret = None;
                }
            }
            trim(id_token);
            match is_empty(id_token) {
                true => field_error("auth.id_token", "Enter the ID token."),
                false => Ok(()),
            }
        }
        GrantDraft::Workload { assertion } => {
            trim(assertion);
            match is_empty(assertion) {
                true => field_error("auth.assertion", "Enter the assertion."),
                false => Ok(()),
            }
        }
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

fn trim(secret: &mut SecretInput) {
    if let SecretInput::Set { value } = secret {
        *value = value.trim().to_owned();
    }
}

fn is_empty(secret: &SecretInput) -> bool {
    matches!(secret, SecretInput::Set { value } if value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(value: &str) -> SecretInput {
        SecretInput::Set {
            value: value.to_owned(),
        }
    }

    fn sign_in(change: impl FnOnce(&mut SignInDraft)) -> Result<(), &'static str> {
        let mut options = SignInDraft::default();
        change(&mut options);
        let options = Box::new(options);
        check_sign_in(&mut AuthDraft::SignIn { options }).map_err(|(field, _)| field)
    }

    #[test]
    fn a_pasted_token_loses_its_scheme() {
        let mut auth = AuthDraft::Token {
            token: set(" Bearer abc\n"),
        };
        check_sign_in(&mut auth).unwrap();
        assert_eq!(auth, AuthDraft::Token { token: set("abc") });
        for bad in ["", "a b", "Bearer ", "é"] {
            let mut auth = AuthDraft::Token { token: set(bad) };
            assert_eq!(
                check_sign_in(&mut auth).unwrap_err().0,
                "auth.token",
                "{bad}"
            );
        }
    }

    #[test]
    fn each_field_is_named() {
        assert_eq!(sign_in(|_| ()), Ok(()));
        let client = |options: &mut SignInDraft| options.client_id = Some("c".to_owned());
        assert_eq!(
            sign_in(|options| options.issuer = Some("auth.example".to_owned())),
            Err("auth.issuer")
        );
        assert_eq!(
            sign_in(|options| options.metadata_url = Some("http://a/b".to_owned())),
            Err("auth.metadata_url")
        );
        assert_eq!(
            sign_in(|options| options.scopes = Some("a \"b\"".to_owned())),
            Err("auth.scopes")
        );
        assert_eq!(
            sign_in(|options| options.redirect_port = Some(80)),
            Err("auth.redirect_port")
        );
        assert_eq!(
            sign_in(|options| options.client_secret = Some(set("x"))),
            Err("auth.client_id")
        );
        assert_eq!(
            sign_in(|options| {
                client(options);
                options.grant = GrantDraft::ClientSecret;
                options.client_secret = Some(set(" "));
            }),
            Err("auth.client_secret")
        );
        assert_eq!(
            sign_in(|options| {
                client(options);
                options.grant = GrantDraft::PrivateKey {
                    key: set("abc"),
                    algorithm: None,
                    audience: None,
                };
            }),
            Err("auth.key")
        );
        assert_eq!(
            sign_in(|options| options.grant = GrantDraft::Workload {
                assertion: set(" ")
            }),
            Err("auth.assertion")
        );
    }
}
