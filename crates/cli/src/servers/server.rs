//! A server with its secrets, and the services for its connection.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};

use sonde_auth::{CredentialStore, Keyring, MemoryStore, Secret, SecretCache, SecretStore};
use sonde_client::{DemoProgram, Services, clock, log::SecretText};
use sonde_explorer::servers::{
    ConfigValue, HttpKind, NamedValue, ServerConfig, ServerEntry, ServerInText, Transport,
    arg_place, arg_secret, env_secret, header_secret, looks_secret,
};
use sonde_suite::run::ListedServer;
use sonde_validation::Validator;

use super::{env_file, placeholders::fill};
use crate::exit::{Failed, Result};

/// A server with the secrets that are not in the keyring.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) entry: ServerEntry,
    pub(super) secrets: Vec<(String, Secret)>,
    /// Values from the environment in its address, which logs hide.
    pub(crate) hidden: Vec<SecretText>,
    /// Of the app's list: its secrets and tokens are in the keyring.
    pub(crate) in_app: bool,
}

impl Server {
    /// A server at an address.
    pub(super) fn at(url: &str, headers: &[String]) -> Result<Self> {
        let parsed = url::Url::parse(url)
            .map_err(|error| Failed::usage(format!("`{url}` is not a URL: {error}.")))?;
        if !is_url(url) {
            return Err(Failed::usage(format!(
                "`{url}` cannot be reached: use http, https, ws or wss."
            )));
        }
        let mut server = Self::of(ServerConfig::new(
            parsed.host_str().unwrap_or("server"),
            Transport::Http {
                url: url.to_owned(),
                headers: Vec::new(),
                kind: HttpKind::Automatic,
                network: Default::default(),
                auth: Default::default(),
            },
        ));
        for header in headers {
            server.add_header(header)?;
        }
        Ok(server)
    }

    /// Adds a header.
    fn add_header(&mut self, text: &str) -> Result<()> {
        let (name, value, is_secret) = header(text)?;
        let value = match is_secret {
            true => {
                self.secrets
                    .push((header_secret(&name), Secret::new(value)));
                ConfigValue::SECRET
            }
            false => ConfigValue::Plain(value),
        };
        if let Transport::Http { headers, .. } = &mut self.entry.config.transport {
            headers.push(NamedValue { name, value });
        }
        Ok(())
    }

    /// A server that a command starts, in the folder of the shell.
    pub(super) fn started(words: &[String]) -> Result<Self> {
        let Some((command, args)) = words.split_first() else {
            return Err(Failed::usage("Write the command of the server after --."));
        };
        let name = Path::new(command).file_stem();
        Ok(Self::of(ServerConfig::new(
            name.map_or_else(
                || command.clone(),
                |name| name.to_string_lossy().into_owned(),
            ),
            Transport::Stdio {
                command: command.clone(),
                args: args.to_vec(),
                env: Vec::new(),
                cwd: here(),
            },
        )))
    }

    pub(super) fn of(config: ServerConfig) -> Self {
        Self {
            entry: ServerEntry::new(config),
            secrets: Vec::new(),
            hidden: Vec::new(),
            in_app: false,
        }
    }

    /// A server of a client's configuration. Its placeholders are filled in from the environment, and its file of
    /// variables is read.
    pub(super) fn imported(found: ServerInText) -> Result<Self> {
        let mut server = Self::of(found.input.config);
        let given = found.input.secrets.into_iter();
        server.secrets = given
            .filter_map(|(name, secret)| Some((name, secret?)))
            .collect();
        let secrets = &mut server.secrets;
        let mut hide = |values: &mut Vec<NamedValue>, stored: fn(&str) -> String| {
            for one in values {
                if let ConfigValue::Plain(text) = &one.value
                    && let Some(filled) = fill(text, false)?
                {
                    secrets.push((stored(&one.name), Secret::new(filled)));
                    one.value = ConfigValue::SECRET;
                }
            }
            Ok::<_, Failed>(())
        };
        match &mut server.entry.config.transport {
            Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                hide(env, env_secret)?;
                if let Some(path) = &found.env_file {
                    let path = fill(path, false)?.unwrap_or_else(|| path.clone());
                    let mut variables = env_file::read(Path::new(&path))?;
                    variables.retain(|name, _| env.iter().all(|one| one.name != *name));
                    for (name, value) in variables {
                        secrets.push((env_secret(&name), Secret::new(value)));
                        let value = ConfigValue::SECRET;
                        env.push(NamedValue { name, value });
                    }
                }
                for (place, arg) in args.iter_mut().enumerate() {
                    if let Some(filled) = fill(arg, false)? {
                        let name = format!("argument-{place}");
                        *arg = arg_place(&name);
                        secrets.push((arg_secret(&name), Secret::new(filled)));
                    }
                }
                for text in std::iter::once(command).chain(cwd.as_mut()) {
                    if let Some(filled) = fill(text, false)? {
                        *text = filled;
                    }
                }
                // A file in a repository means the folder that the command is used in.
                if cwd.is_none() {
                    *cwd = here();
                }
            }
            Transport::Http { url, headers, .. } => {
                hide(headers, header_secret)?;
                let query = url.split_once('?').map_or("", |(_, query)| query);
                for pair in query.split('&') {
                    let value = pair.split_once('=').map_or(pair, |(_, value)| value);
                    server
                        .hidden
                        .extend(fill(value, false)?.map(SecretText::from));
                }
                if let Some(filled) = fill(url, false)? {
                    *url = filled;
                }
            }
            Transport::Demo { .. } => {}
        }
        Ok(server)
    }

    /// The server with the services for its connections, for suites.
    pub(super) async fn into_listed(self) -> ListedServer {
        ListedServer {
            services: self.services().await,
            id: self.entry.id,
            config: self.entry.config,
            log_level: self.entry.log_level,
        }
    }

    /// The services for its connection.
    pub(crate) async fn services(&self) -> Arc<Services> {
        let store: Arc<dyn SecretStore> = match self.in_app {
            true => Arc::new(Keyring::new()),
            false => Arc::new(MemoryStore::default()),
        };
        let secrets = Arc::new(SecretCache::new(store));
        for (name, secret) in &self.secrets {
            // A store in memory takes everything.
            let _ = secrets.put(&self.entry.id, name, secret.clone()).await;
        }
        let hidden = self.hidden.clone();
        services(secrets, hidden, data_folder().filter(|_| self.in_app))
    }
}

/// Reads a header: its name, its value, and true for a value from the environment. A secret has to come from there,
/// since others can see arguments.
fn header(text: &str) -> Result<(String, String, bool)> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(Failed::usage(format!(
            "`{text}` is not a header. Write it as 'NAME: VALUE'."
        )));
    };
    let (name, value) = (name.trim().to_owned(), value.trim());
    match fill(value, true)? {
        Some(filled) => Ok((name, filled, true)),
        None if looks_secret(&name, value) => Err(Failed::usage(format!(
            "The value of the header `{name}` is a secret, and others can see it in the command line."
        ))
        .more([format!(
            "Put it into an environment variable and write: --header '{name}: ${{VARIABLE}}' in single quotes."
        )])),
        None => Ok((name, value.to_owned(), false)),
    }
}

/// Services with everything that is stored for the app's list.
pub(super) fn app_services() -> Arc<Services> {
    services(Arc::new(stored()), Vec::new(), data_folder())
}

/// Secrets in the keyring.
pub(crate) fn stored() -> SecretCache {
    SecretCache::new(Arc::new(Keyring::new()))
}

/// Returns services without stored data.
pub(crate) fn fresh_services() -> Arc<Services> {
    services(
        Arc::new(SecretCache::new(Arc::new(MemoryStore::default()))),
        Vec::new(),
        None,
    )
}

fn services(
    secrets: Arc<SecretCache>,
    hidden: Vec<SecretText>,
    folder: Option<PathBuf>,
) -> Arc<Services> {
    let program = env::current_exe().ok();
    let credentials = CredentialStore::new(
        Arc::clone(&secrets),
        folder.as_deref(),
        Arc::new(clock::millis),
    );
    let validator = Validator::new(program.clone());
    Arc::new(Services {
        demo: demo_program(program.as_deref()),
        watchdog: program,
        hidden,
        ..Services::new(secrets, Arc::new(credentials), validator)
    })
}

/// The demo server's program, which the packages have beside this one.
fn demo_program(program: Option<&Path>) -> Option<DemoProgram> {
    let name = format!("sonde-demo{}", env::consts::EXE_SUFFIX);
    let program = program?.with_file_name(name);
    program.exists().then_some(DemoProgram {
        program,
        args: Vec::new(),
    })
}

pub(super) fn is_url(text: &str) -> bool {
    let schemes = ["http://", "https://", "ws://", "wss://"];
    schemes.iter().any(|scheme| text.starts_with(scheme))
}

fn here() -> Option<String> {
    env::current_dir().ok()?.into_os_string().into_string().ok()
}

/// The app's data folder (`dev.sonde.app`), which `SONDE_DATA_DIR` replaces.
pub(super) fn data_folder() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("SONDE_DATA_DIR") {
        return Some(folder.into());
    }
    let home = env::home_dir()?;
    let base = if cfg!(windows) {
        PathBuf::from(variable("APPDATA")?)
    } else if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").map_or_else(|| home.join(".local/share"), PathBuf::from)
    };
    Some(base.join("dev.sonde.app"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_refused_in_the_command_line() {
        let header = |text: &str| Server::at("https://a.example/mcp", &[text.to_owned()]);
        assert!(header("Authorization: Bearer abc").is_err());
        assert!(header("X-Team: qa").is_ok());
        assert!(header("no header").is_err());
        let server = header("Authorization: Bearer ${PATH}").unwrap();
        assert_eq!(server.secrets.len(), 1);
        assert!(Server::at("ftp://a/", &[]).is_err());
    }
}
