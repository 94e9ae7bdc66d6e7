//! Checks of the sign-in settings of a configuration.

use sonde_auth::Secret;
use url::Url;

use super::{
    ServerField,
    check_state::Check,
    config::{AuthConfig, GrantConfig, SignInConfig, trim},
    secret_slots::auth,
};

const ALGORITHMS: [&str; 5] = ["ES256", "ES384", "RS256", "PS256", "EdDSA"];

/// Checks and normalizes the settings. Pasted secrets lose their surroundings, such as `Bearer`.
pub(super) fn check_sign_in(config: &mut AuthConfig, check: &mut Check<'_>) {
    match config {
        AuthConfig::Off => {}
        AuthConfig::Token { .. } => check_token(check),
        AuthConfig::SignIn { options } => check_options(options, check),
    }
}

fn check_token(check: &mut Check<'_>) {
    if let Some(typed) = check.typed(auth::TOKEN) {
        let text = typed.expose().trim();
        // As it is copied from a header.
        let token = match text.split_once(char::is_whitespace) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            None if text.eq_ignore_ascii_case("bearer") => "",
            _ => text,
        };
        // RFC 6750, section 2.1.
        let is_valid = token.bytes().all(|byte| byte.is_ascii_graphic());
        *typed = Secret::new(token);
        if !is_valid {
            let message = "A token cannot contain spaces, line breaks or non-ASCII characters.";
            check.refuse(ServerField::Token, message);
        }
    }
    check.require(auth::TOKEN, ServerField::Token, "Enter the token.");
}

fn check_options(options: &mut SignInConfig, check: &mut Check<'_>) {
    drop_other_choices(options);
    trim(&mut options.client_id);
    trim(&mut options.issuer);
    trim(&mut options.metadata_url);
    check.drop_missing(&mut options.client_secret, auth::CLIENT_SECRET);
    let has_secret = options.client_secret.is_some();
    if options.client_id.is_none() {
        let needs_client = !matches!(
            options.grant,
            GrantConfig::Browser | GrantConfig::Workload { .. }
        );
        let message = match has_secret {
            true => "Enter the client ID that this secret belongs to.",
            false => "Enter the client ID.",
        };
        if needs_client || has_secret {
            check.refuse(ServerField::ClientId, message);
        }
    }
    check_grant(&mut options.grant, has_secret, check);
    if let Some(issuer) = &options.issuer {
        check_address(ServerField::Issuer, issuer, check);
    }
    if let Some(url) = &options.metadata_url {
        check_document(url, check);
    }
    if let Some(scopes) = &mut options.scopes {
        *scopes = scopes.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_scope = |c: char| c == ' ' || (c.is_ascii_graphic() && !matches!(c, '"' | '\\'));
        if !scopes.chars().all(is_scope) {
            let message = "Scopes are separated by spaces and cannot contain quotes, backslashes or \
                           non-ASCII characters.";
            check.refuse(ServerField::Scopes, message);
        }
    }
    trim(&mut options.scopes);
    if options.redirect_port.is_some_and(|port| port < 1024) {
        check.refuse(
            ServerField::RedirectPort,
            "Choose a port from 1024 to 65535.",
        );
    }
}

/// Drops the options that the form shows only for other grants.
fn drop_other_choices(options: &mut SignInConfig) {
    if !matches!(options.grant, GrantConfig::Browser) {
        options.metadata_url = None;
        options.redirect_port = None;
        options.without_pkce_promise = false;
    }
    if matches!(
        options.grant,
        GrantConfig::PrivateKey { .. } | GrantConfig::Workload { .. }
    ) {
        options.client_secret = None;
    }
}

fn check_grant(grant: &mut GrantConfig, has_secret: bool, check: &mut Check<'_>) {
    match grant {
        GrantConfig::Browser => {}
        GrantConfig::ClientSecret => {
            if !has_secret {
                check.refuse(ServerField::ClientSecret, "Enter the client secret.");
            }
        }
        GrantConfig::PrivateKey {
            algorithm,
            audience,
            ..
        } => {
            trim(algorithm);
            trim(audience);
            let unknown = |name: &str| !ALGORITHMS.contains(&name);
            if algorithm.as_deref().is_some_and(unknown) {
                check.refuse(ServerField::Algorithm, "Choose an algorithm from the list.");
            }
            let message =
                "Enter the private key: PEM text that starts with -----BEGIN PRIVATE KEY-----.";
            check.require(auth::PRIVATE_KEY, ServerField::Key, message);
            let typed = check.typed(auth::PRIVATE_KEY);
            if let Some(problem) = typed.and_then(|key| key_problem(key.expose())) {
                check.refuse(ServerField::Key, problem);
            }
        }
        GrantConfig::Enterprise {
            idp_token_endpoint,
            idp_client_id,
            idp_client_secret,
            ..
        } => {
            *idp_token_endpoint = idp_token_endpoint.trim().to_owned();
            *idp_client_id = idp_client_id.trim().to_owned();
            let field = ServerField::IdpTokenEndpoint;
            if idp_token_endpoint.is_empty() {
                check.refuse(field, "Enter the identity provider’s token endpoint.");
            } else {
                check_address(field, idp_token_endpoint, check);
            }
            if idp_client_id.is_empty() {
                let message = "Enter the identity provider client ID.";
                check.refuse(ServerField::IdpClientId, message);
            }
            check.drop_missing(idp_client_secret, auth::IDP_CLIENT_SECRET);
            check.require(auth::ID_TOKEN, ServerField::IdToken, "Enter your ID token.");
        }
        GrantConfig::Workload { .. } => {
            check.require(
                auth::ASSERTION,
                ServerField::Assertion,
                "Enter the assertion.",
            );
        }
    }
}

/// Problem of a private key that was typed.
fn key_problem(pem: &str) -> Option<String> {
    if pem.is_empty() || pem.contains("-----BEGIN PRIVATE KEY-----") {
        return None;
    }
    let kind = pem
        .split_once("-----BEGIN ")
        .and_then(|(_, rest)| rest.split_once("-----"));
    let kind = kind.map(|(kind, _)| kind);
    let message = match kind {
        _ if pem.contains("ENCRYPTED") => {
            "This key is encrypted. Decrypt it first: openssl pkcs8 -in key.pem -out open.pem."
        }
        Some("RSA PRIVATE KEY" | "EC PRIVATE KEY") => {
            "This key is not in PKCS #8 format. Convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem."
        }
        Some(kind) => {
            return Some(format!(
                "This is not a private key but “{}”.",
                kind.to_lowercase()
            ));
        }
        None => "This is not PEM text: it must start with -----BEGIN PRIVATE KEY-----.",
    };
    Some(message.to_owned())
}

/// Checks the URL of a client ID metadata document, which must be https, with a path.
fn check_document(url: &str, check: &mut Check<'_>) {
    let field = ServerField::MetadataUrl;
    let Some(parsed) = check_address(field, url, check) else {
        return;
    };
    if parsed.scheme() != "https" {
        check.refuse(field, "It must start with https://, not with http://.");
    } else if parsed.path() == "/" {
        check.refuse(
            field,
            "It must have a path, as in https://example.com/client.json.",
        );
    }
}

fn check_address(field: ServerField, text: &str, check: &mut Check<'_>) -> Option<Url> {
    let message = match Url::parse(text) {
        Err(_) => "This is not a complete URL. It must start with https://.".to_owned(),
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            format!("It must start with https://, not with {}://.", url.scheme())
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            "This URL cannot contain a user name or password.".to_owned()
        }
        Ok(url) if url.fragment().is_some() => "This URL cannot have a fragment (`#`).".to_owned(),
        Ok(url) => return Some(url),
    };
    check.refuse(field, message);
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::{FieldProblem, InKeyring, config::secret_slots::SecretInputs};

    const KEEP: InKeyring = InKeyring::Keep;

    fn set(name: &str, value: &str) -> SecretInputs {
        vec![(name.to_owned(), Some(Secret::new(value)))]
    }

    fn run(
        config: &mut AuthConfig,
        secrets: &mut SecretInputs,
        stored: &[String],
    ) -> Vec<FieldProblem> {
        let mut check = Check::new(secrets, stored);
        check_sign_in(config, &mut check);
        check.end().err().unwrap_or_default()
    }

    fn token(typed: &str) -> (SecretInputs, Vec<ServerField>) {
        let mut secrets = set(auth::TOKEN, typed);
        let found = run(&mut AuthConfig::TOKEN.clone(), &mut secrets, &[]);
        (secrets, found.iter().map(|problem| problem.field).collect())
    }

    #[test]
    fn a_pasted_token_loses_its_scheme() {
        for good in [" Bearer abc\n", "bearer  abc", "abc"] {
            assert_eq!(token(good), (set(auth::TOKEN, "abc"), vec![]));
        }
        for bad in [" ", "a b", "Bearer ", "DPoP abc", "é"] {
            assert_eq!(token(bad).1, [ServerField::Token], "{bad}");
        }
        assert_eq!(token("a,b\"c").1, []);
        let kept = |stored: &[String]| {
            let mut secrets = vec![(auth::TOKEN.to_owned(), None)];
            run(&mut AuthConfig::TOKEN.clone(), &mut secrets, stored).len()
        };
        assert_eq!((kept(&[auth::TOKEN.to_owned()]), kept(&[])), (0, 1));
    }

    /// The options as they are saved, and the problems.
    fn sign_in(
        mut secrets: SecretInputs,
        options: SignInConfig,
    ) -> (SignInConfig, Vec<FieldProblem>) {
        let mut config = AuthConfig::SignIn {
            options: Box::new(options),
        };
        let found = run(&mut config, &mut secrets, &[]);
        let AuthConfig::SignIn { options } = config else {
            panic!()
        };
        (*options, found)
    }

    fn fields(secrets: SecretInputs, options: SignInConfig) -> Vec<ServerField> {
        let found = sign_in(secrets, options).1;
        found.iter().map(|problem| problem.field).collect()
    }

    fn with(grant: GrantConfig) -> SignInConfig {
        SignInConfig {
            grant,
            client_id: Some("c".to_owned()),
            ..SignInConfig::default()
        }
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    const KEY: GrantConfig = GrantConfig::PrivateKey {
        key: KEEP,
        algorithm: None,
        audience: None,
    };
    const WORKLOAD: GrantConfig = GrantConfig::Workload { assertion: KEEP };

    fn enterprise(endpoint: &str, client: &str) -> GrantConfig {
        GrantConfig::Enterprise {
            idp_token_endpoint: endpoint.to_owned(),
            idp_client_id: client.to_owned(),
            idp_client_secret: None,
            id_token: KEEP,
        }
    }

    #[test]
    fn each_grant_needs_its_fields() {
        use ServerField as Field;
        let nobody = |grant| SignInConfig {
            client_id: None,
            ..with(grant)
        };
        let secret = |options| SignInConfig {
            client_secret: Some(KEEP),
            ..options
        };
        let none = SecretInputs::new;
        let pem = || set(auth::PRIVATE_KEY, "-----BEGIN PRIVATE KEY-----\n");
        let id_token = || set(auth::ID_TOKEN, "a.b.c");
        let whole = || enterprise("https://idp/token", "desk");
        for (secrets, options, expected) in [
            (none(), SignInConfig::default(), &[][..]),
            (
                set(auth::CLIENT_SECRET, "s"),
                secret(nobody(GrantConfig::Browser)),
                &[Field::ClientId],
            ),
            (
                none(),
                nobody(GrantConfig::ClientSecret),
                &[Field::ClientId, Field::ClientSecret],
            ),
            (
                set(auth::CLIENT_SECRET, " "),
                secret(with(GrantConfig::ClientSecret)),
                &[Field::ClientSecret],
            ),
            (
                set(auth::CLIENT_SECRET, "s"),
                secret(with(GrantConfig::ClientSecret)),
                &[],
            ),
            (pem(), with(KEY), &[]),
            (pem(), nobody(KEY), &[Field::ClientId]),
            (set(auth::PRIVATE_KEY, " "), with(KEY), &[Field::Key]),
            (id_token(), with(whole()), &[]),
            (id_token(), nobody(whole()), &[Field::ClientId]),
            (
                none(),
                with(enterprise("", " ")),
                &[Field::IdpTokenEndpoint, Field::IdpClientId, Field::IdToken],
            ),
            (
                set(auth::ASSERTION, " "),
                nobody(WORKLOAD),
                &[Field::Assertion],
            ),
            (set(auth::ASSERTION, "a"), nobody(WORKLOAD), &[]),
        ] {
            let case = format!("{options:?}");
            assert_eq!(fields(secrets, options), expected, "{case}");
        }
    }

    #[test]
    fn urls_and_scopes_are_checked() {
        let issuer = |url: &str| SignInConfig {
            issuer: some(url),
            ..SignInConfig::default()
        };
        let document = |url: &str| SignInConfig {
            metadata_url: some(url),
            ..SignInConfig::default()
        };
        let scopes = |scopes: &str| SignInConfig {
            scopes: some(scopes),
            ..SignInConfig::default()
        };
        let port = SignInConfig {
            redirect_port: Some(80),
            ..SignInConfig::default()
        };
        for (options, field, words) in [
            (
                issuer("login.example.com"),
                ServerField::Issuer,
                "not a complete URL",
            ),
            (issuer("ftp://a/"), ServerField::Issuer, "ftp://"),
            (issuer("https://a/#b"), ServerField::Issuer, "fragment"),
            (document("http://a/c"), ServerField::MetadataUrl, "https://"),
            (document("https://a/"), ServerField::MetadataUrl, "path"),
            (
                document("https://me:pw@a/c"),
                ServerField::MetadataUrl,
                "password",
            ),
            (scopes("\"files\""), ServerField::Scopes, "quotes"),
            (port, ServerField::RedirectPort, "1024"),
        ] {
            let found = sign_in(Vec::new(), options).1;
            let [problem] = &found[..] else {
                panic!("{found:?}")
            };
            assert_eq!(problem.field, field);
            assert!(problem.message.contains(words), "{problem:?}");
        }
        assert_eq!(
            fields(Vec::new(), issuer("http://localhost:8080/realm")),
            []
        );
    }

    #[test]
    fn a_key_in_another_form_says_how_to_convert_it() {
        for (kind, words) in [
            ("EC PRIVATE KEY", "openssl pkcs8 -topk8"),
            ("ENCRYPTED PRIVATE KEY", "encrypted"),
            ("PUBLIC KEY", "public key"),
        ] {
            let pem = format!("-----BEGIN {kind}-----\nMC4CAQ==\n-----END {kind}-----\n");
            let found = sign_in(set(auth::PRIVATE_KEY, &pem), with(KEY)).1;
            assert_eq!(found[0].field, ServerField::Key);
            assert!(found[0].message.contains(words), "{found:?}");
        }
        assert!(key_problem("MC4CAQ==").unwrap().contains("PEM"));
    }

    #[test]
    fn only_what_belongs_to_the_choice_is_saved() {
        let typed = |grant| SignInConfig {
            client_secret: Some(KEEP),
            issuer: some(" https://i "),
            metadata_url: some("https://a/b"),
            scopes: some(" a   b\n"),
            redirect_port: Some(7000),
            without_pkce_promise: true,
            ..with(grant)
        };
        let secret = || set(auth::CLIENT_SECRET, " s ");
        let shared = |grant| SignInConfig {
            issuer: some("https://i"),
            scopes: some("a b"),
            ..with(grant)
        };
        let saved = |grant| sign_in(secret(), typed(grant)).0;
        assert_eq!(saved(KEY), shared(KEY));
        assert_eq!(saved(WORKLOAD), shared(WORKLOAD));
        let client = GrantConfig::ClientSecret;
        let expected = SignInConfig {
            client_secret: Some(KEEP),
            ..shared(client.clone())
        };
        assert_eq!(saved(client), expected);
        let browser = SignInConfig {
            issuer: some("https://i"),
            scopes: some("a b"),
            ..typed(GrantConfig::Browser)
        };
        assert_eq!(saved(GrantConfig::Browser), browser);
        let blank = SignInConfig {
            client_id: some(" "),
            scopes: some("\n"),
            client_secret: Some(KEEP),
            ..SignInConfig::default()
        };
        let saved = sign_in(set(auth::CLIENT_SECRET, ""), blank).0;
        assert_eq!(saved, SignInConfig::default());
    }
}
