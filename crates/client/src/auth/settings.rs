//! Turns a server's configuration into the settings for signing in.

use std::collections::VecDeque;

use sonde_auth::{Secret, Settings};
use url::Url;

use crate::{
    config::{AuthConfig, MissingSecret, SignInConfig, Transport, network},
    core::Core,
};

/// Collects the settings for signing in to a server, with their secrets. `None` where sign-in is off, because of the
/// transport or by the user's choice.
pub(crate) async fn settings(
    core: &Core,
    transport: &Transport,
) -> Result<Option<Settings>, MissingSecret> {
    let Transport::Http {
        url,
        headers,
        network,
        auth: AuthConfig::SignIn { options },
        ..
    } = transport
    else {
        return Ok(None);
    };
    // The user's own header wins, whatever it says.
    let own = headers
        .iter()
        .any(|header| header.name.eq_ignore_ascii_case("authorization"));
    let Some(address) = http_address(url).filter(|url| !own && url.password().is_none()) else {
        return Ok(None);
    };
    let password = core.proxy_password(network).await?;
    Ok(Some(Settings {
        network: network::network(network, password.as_ref()),
        sign_in: sign_in(core, options).await?,
        with_user: core.with_user,
        ..Settings::new(address)
    }))
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

/// Fills the secrets into the sign-in options.
async fn sign_in(
    core: &Core,
    options: &SignInConfig,
) -> Result<SignInConfig<Secret>, MissingSecret> {
    let mut names = Vec::new();
    let _ = options.clone().map_secrets(&mut |name, _| names.push(name));
    let mut secrets = VecDeque::with_capacity(names.len());
    for name in names {
        secrets.push_back(Secret::new(core.secret(name).await?));
    }
    // Both walks have the same order, so none is missing.
    let mut next = |_, _| secrets.pop_front().unwrap_or_else(|| Secret::new(""));
    Ok(options.clone().map_secrets(&mut next))
}
