//! Parameters for starting a stdio server. The preview shows them, and the start uses them.

use std::{ffi::OsString, path::PathBuf};

use sonde_auth::SecretError;
use sonde_wire::stdio::{self, StdioSpec};

use super::{
    env_secret,
    secret_slots::{arg_place, arg_secret, proxy, secrets_in},
    server_config::{ConfigValue, NamedValue},
};
use crate::Services;

/// A command with everything that decides how it runs.
pub struct Launch {
    /// All but the watchdog.
    pub spec: StdioSpec,
    /// Source of its PATH, as one plain sentence.
    pub path_source: String,
    /// The values among its variables and arguments that are secrets.
    pub secrets: Vec<String>,
}

/// The keyring did not give out a secret.
#[derive(Clone, Debug)]
pub struct MissingSecret {
    /// The name under which it is stored.
    pub name: String,
    /// Error of the keyring; `None` if the keyring has no such secret.
    pub error: Option<SecretError>,
}

impl MissingSecret {
    /// Explains in one plain sentence which secret is missing.
    pub fn sentence(&self) -> String {
        let what = match self.name.split_once(':').unwrap_or(("", &self.name)) {
            _ if self.name == proxy::PASSWORD => "password of the proxy".to_owned(),
            ("header", name) => format!("secret value of the header `{name}`"),
            ("arg", name) => format!("secret for `{}` among the arguments", arg_place(name)),
            (_, name) => format!("secret value of the variable `{name}`"),
        };
        match self.error {
            None => format!("The {what} is not in the keyring."),
            Some(_) => format!("The {what} could not be read."),
        }
    }
}

/// Collects everything that a command of this server is started with, for a `preview` or the start.
///
/// # Errors
/// If a secret of a variable or an argument is missing.
pub async fn launch(
    services: &Services,
    server: &str,
    command: &str,
    args: &[String],
    env: &[NamedValue],
    cwd: Option<&str>,
    preview: bool,
) -> Result<Launch, MissingSecret> {
    let mut secrets = Vec::new();
    let mut pairs = Vec::with_capacity(env.len());
    for var in env {
        let value = match &var.value {
            ConfigValue::Plain(value) => value.clone(),
            ConfigValue::Secret(_) => {
                let value = services.secret(server, &env_secret(&var.name)).await?;
                secrets.push(value.clone());
                value
            }
        };
        pairs.push((var.name.clone(), value));
    }
    let mut filled_in = Vec::new();
    for name in args.iter().flat_map(|arg| secrets_in(arg)) {
        let value = services.secret(server, &arg_secret(name)).await?;
        secrets.push(value.clone());
        filled_in.push((arg_place(name), value));
    }
    let (path, path_source) = path_of(env, services.from_desktop, preview).await;
    Ok(Launch {
        spec: StdioSpec {
            args: args.to_vec(),
            filled_in,
            env: pairs,
            cwd: working_folder(cwd),
            path,
            ..StdioSpec::new(command)
        },
        path_source,
        secrets,
    })
}

/// Returns the PATH for a server with these variables, and its source. The PATH is `None` where the variables set it or
/// where that of this process applies. A desktop starts the app without the additions of the user's shell profile; then
/// the login shell is asked.
pub async fn path_of(
    env: &[NamedValue],
    from_desktop: bool,
    preview: bool,
) -> (Option<OsString>, String) {
    let (path, sentence) = if env.iter().any(|var| stdio::is_path(&var.name)) {
        (None, "From this server's own environment variables.")
    } else if !from_desktop {
        (None, "From the environment in which Sonde was started.")
    } else {
        match stdio::login_shell_path(preview).await {
            Some(found) if found.interactive => {
                (Some(found.path), "From your login shell, as in a terminal.")
            }
            Some(found) => (
                Some(found.path),
                "From your login shell, but not as in a terminal, because the interactive shell \
                 did not respond. Programs installed by a version manager may be missing.",
            ),
            None => (
                None,
                "From the desktop environment, because the login shell did not respond. Programs \
                 installed by a version manager may be missing.",
            ),
        }
    };
    (path, sentence.to_owned())
}

/// Returns the folder in which a server runs: the configured one, with `~` for the home folder, or else the home
/// folder.
pub fn working_folder(cwd: Option<&str>) -> Option<PathBuf> {
    let home = std::env::home_dir();
    match cwd {
        None | Some("~") => home,
        Some(cwd) => match (cwd.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(PathBuf::from(cwd)),
        },
    }
}

impl Services {
    /// The value of a secret of a server.
    pub async fn secret(&self, server: &str, name: &str) -> Result<String, MissingSecret> {
        let error = match self.secrets.get(server, name).await {
            Ok(Some(secret)) => return Ok(secret.expose().to_owned()),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        Err(MissingSecret {
            name: name.to_owned(),
            error,
        })
    }
}
