//! Servers that a command can name: of a file, of the app's list, by URL, or by a command.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sonde_auth::{CredentialStore, Keyring, MemoryStore, Secret, SecretCache, SecretStore};
use sonde_client::{DemoProgram, Services, clock};
use sonde_explorer::servers::{
    ConfigValue, HttpKind, NamedValue, ProtocolMode, RootFolder, ServerConfig, ServerEntry,
    ServerInput, ServerList, Transport, arg_place, arg_secret, env_secret, header_secret,
    looks_secret, saved_list, servers_in,
};
use sonde_suite::{
    format::Client,
    problem::{Problem, Problems},
    servers::Servers,
    variables::{Lookup, Variables},
};
use sonde_validation::Validator;

use crate::{
    exit::{Failed, Result},
    units::duration,
};

/// Options that name a server and say how to reach it.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerArgs {
    /// File with servers: sonde.servers.yaml, or the mcp.json of any client
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address of the server, in place of its name
    #[arg(long, conflicts_with = "config")]
    url: Option<String>,
    /// Header for --url; ${NAME} is taken from the environment
    #[arg(long, short = 'H', value_name = "NAME: VALUE", requires = "url")]
    header: Vec<String>,
    /// Command of the server with its arguments, in place of its name
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["url", "config"])]
    command: Vec<String>,
    /// Protocol version, or `handshake` or `stateless`
    #[arg(long, value_name = "VERSION")]
    pub(crate) revision: Option<String>,
    /// Folder that the server may work in (root); can be repeated
    #[arg(long, value_name = "FOLDER")]
    root: Vec<PathBuf>,
    /// Longest time for all of it, for example 30s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Save every message to a file, as the window's wire log does
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// The file of servers beside suites.
const SERVERS_FILE: &str = "sonde.servers.yaml";

/// A server that the options give in place of a name.
pub(crate) enum Given {
    Url {
        url: String,
        headers: Vec<(String, String)>,
    },
    Command {
        command: String,
        args: Vec<String>,
    },
}

/// A server with the secrets that are not in the keyring.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) entry: ServerEntry,
    secrets: Vec<(String, Secret)>,
    /// Of the app's list: its secrets and tokens are in the keyring.
    pub(crate) in_app: bool,
}

impl ServerArgs {
    /// True if the words of the command begin with the name of a server.
    pub(crate) fn is_named(&self) -> bool {
        self.url.is_none() && self.command.is_empty()
    }

    /// Finds the server, and returns it with the other words of the command.
    pub(crate) fn resolve(&self, words: &[String]) -> Result<(Server, Vec<String>)> {
        if !self.is_named() {
            return Ok((self.given()?, words.to_vec()));
        }
        let Some((name, rest)) = words.split_first() else {
            return Err(Failed::usage(
                "Name a server, or give its address with --url or its command after --.",
            ));
        };
        Ok((self.named(name)?, rest.to_vec()))
    }

    /// The server of this name.
    pub(crate) fn named(&self, name: &str) -> Result<Server> {
        let server = if is_url(name) {
            Server::at(name, &self.header)?
        } else if let Some(file) = &self.config {
            in_file(file, name)?
        } else if let Some(server) = above(Path::new("."), name)? {
            server
        } else {
            in_app(name)?
        };
        self.adjust(server)
    }

    /// The server of `--url` or of the command.
    fn given(&self) -> Result<Server> {
        let server = match &self.url {
            Some(url) => Server::at(url, &self.header)?,
            None => Server::started(&self.command)?,
        };
        self.adjust(server)
    }

    /// The server of `--url` or of the command, in place of those of suites.
    pub(crate) fn replacement(&self) -> Result<Option<Given>> {
        if let Some(url) = &self.url {
            let header = |text: &String| {
                let (name, value) = text.split_once(':').ok_or_else(|| {
                    Failed::usage(format!(
                        "`{text}` is not a header. Write it as 'NAME: VALUE'."
                    ))
                })?;
                let value = fill(value.trim())?.unwrap_or_else(|| value.trim().to_owned());
                Ok((name.trim().to_owned(), value))
            };
            let headers = self.header.iter().map(header).collect::<Result<_>>()?;
            return Ok(Some(Given::Url {
                url: url.clone(),
                headers,
            }));
        }
        Ok(self
            .command
            .split_first()
            .map(|(command, args)| Given::Command {
                command: command.clone(),
                args: args.to_vec(),
            }))
    }

    /// Applies the options that hold for any server.
    fn adjust(&self, mut server: Server) -> Result<Server> {
        let config = &mut server.entry.config;
        if let Some(revision) = &self.revision {
            config.protocol = protocol(revision)?;
        }
        for root in &self.root {
            let folder = std::path::absolute(root)
                .ok()
                .and_then(|path| path.into_os_string().into_string().ok());
            let folder = folder.ok_or_else(|| {
                Failed::usage(format!("The folder {} cannot be used.", root.display()))
            })?;
            config.roots.push(RootFolder { folder, name: None });
        }
        if let Some(timeout) = self.timeout {
            let seconds = u32::try_from(timeout.as_secs() + 1).unwrap_or(u32::MAX);
            config.idle_seconds = Some(seconds);
            config.hard_seconds = Some(seconds);
        }
        Ok(server)
    }
}

/// Reads a protocol version.
pub(crate) fn protocol(revision: &str) -> Result<ProtocolMode> {
    Ok(match revision {
        "auto" => ProtocolMode::Automatic,
        "handshake" => ProtocolMode::Handshake,
        "stateless" => ProtocolMode::Stateless,
        name => {
            let known = sonde_mcp::Revision::ALL;
            match known.iter().find(|one| one.as_str() == name) {
                Some(revision) => (*revision).into(),
                None => {
                    let names: Vec<_> = known.iter().map(|one| one.as_str()).collect();
                    return Err(Failed::usage(format!(
                        "`{name}` is no protocol version. Known are {}, auto, handshake and stateless.",
                        names.join(", ")
                    )));
                }
            }
        }
    })
}

impl Server {
    /// A server at an address.
    fn at(url: &str, headers: &[String]) -> Result<Self> {
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

    /// Adds a header. A secret in it has to come from the environment, since others can see arguments.
    fn add_header(&mut self, text: &str) -> Result<()> {
        let Some((name, value)) = text.split_once(':') else {
            return Err(Failed::usage(format!(
                "`{text}` is not a header. Write it as 'NAME: VALUE'."
            )));
        };
        let (name, value) = (name.trim().to_owned(), value.trim());
        let filled = fill(value)?;
        if filled.is_none() && looks_secret(&name, value) {
            return Err(Failed::usage(format!(
                "The value of the header `{name}` is a secret, and others can see it in the command line."
            ))
            .more([format!(
                "Put it into an environment variable and write: --header '{name}: ${{VARIABLE}}' in single quotes."
            )]));
        }
        let value = match filled {
            Some(secret) => {
                self.secrets
                    .push((header_secret(&name), Secret::new(secret)));
                ConfigValue::SECRET
            }
            None => ConfigValue::Plain(value.to_owned()),
        };
        if let Transport::Http { headers, .. } = &mut self.entry.config.transport {
            headers.push(NamedValue { name, value });
        }
        Ok(())
    }

    /// A server that a command starts, in the folder of the shell.
    fn started(words: &[String]) -> Result<Self> {
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

    fn of(config: ServerConfig) -> Self {
        Self {
            entry: ServerEntry::new(config),
            secrets: Vec::new(),
            in_app: false,
        }
    }

    /// A server of a client's configuration. Its placeholders are filled in from the environment.
    fn imported(input: ServerInput) -> Result<Self> {
        let mut server = Self::of(input.config);
        let given = input.secrets.into_iter();
        server.secrets = given
            .filter_map(|(name, secret)| Some((name, secret?)))
            .collect();
        let secrets = &mut server.secrets;
        let mut hide = |values: &mut Vec<NamedValue>, stored: fn(&str) -> String| {
            for one in values {
                if let ConfigValue::Plain(text) = &one.value
                    && let Some(filled) = fill(text)?
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
                for (place, arg) in args.iter_mut().enumerate() {
                    if let Some(filled) = fill(arg)? {
                        let name = format!("argument-{place}");
                        *arg = arg_place(&name);
                        secrets.push((arg_secret(&name), Secret::new(filled)));
                    }
                }
                for text in std::iter::once(command).chain(cwd.as_mut()) {
                    if let Some(filled) = fill(text)? {
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
                if let Some(filled) = fill(url)? {
                    *url = filled;
                }
            }
            Transport::Demo { .. } => {}
        }
        Ok(server)
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
        services(secrets, data_folder().filter(|_| self.in_app))
    }
}

/// Services with nothing stored.
pub(crate) fn fresh_services() -> Arc<Services> {
    services(
        Arc::new(SecretCache::new(Arc::new(MemoryStore::default()))),
        None,
    )
}

fn services(secrets: Arc<SecretCache>, folder: Option<PathBuf>) -> Arc<Services> {
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

fn is_url(text: &str) -> bool {
    let schemes = ["http://", "https://", "ws://", "wss://"];
    schemes.iter().any(|scheme| text.starts_with(scheme))
}

fn here() -> Option<String> {
    env::current_dir().ok()?.into_os_string().into_string().ok()
}

/// The app's data folder (`dev.sonde.app`), which `SONDE_DATA_DIR` replaces.
pub(crate) fn data_folder() -> Option<PathBuf> {
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

/// The servers of the app's list.
pub(crate) fn app_list() -> Result<Option<ServerList>> {
    match data_folder() {
        Some(folder) => saved_list(&folder).map_err(Failed::usage),
        None => Ok(None),
    }
}

fn in_app(name: &str) -> Result<Server> {
    let list = app_list()?.unwrap_or_default();
    let names: Vec<_> = list.iter().map(|one| one.config.name.as_str()).collect();
    let place = find(name, &names, "Sonde's list")?;
    let entry = list.iter().nth(place).cloned();
    let entry = entry.ok_or_else(|| Failed::usage("The server is no longer in the list."))?;
    if !entry.is_confirmed() {
        return Err(Failed::usage(format!(
            "The command of `{}` was not confirmed yet. Connect to it once in Sonde's window.",
            entry.config.name
        )));
    }
    Ok(Server {
        entry,
        secrets: Vec::new(),
        in_app: true,
    })
}

/// The nearest servers file of suites in a folder or above it.
pub(crate) fn servers_file(folder: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(folder).ok()?;
    let files = whole.ancestors().map(|folder| folder.join(SERVERS_FILE));
    files.into_iter().find(|file| file.is_file())
}

/// A server of the nearest servers file of suites; `None` where it has none of this name.
fn above(folder: &Path, name: &str) -> Result<Option<Server>> {
    let Some(file) = servers_file(folder) else {
        return Ok(None);
    };
    let servers = read_servers(&file)?;
    match servers.names().contains(&name) {
        true => of_suites(&file, &servers, name).map(Some),
        false => Ok(None),
    }
}

/// Reads `sonde.servers.yaml`.
pub(crate) fn read_servers(file: &Path) -> Result<Servers> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failed::usage(format!("{name} cannot be read: {error}.")))?;
    Servers::read(&name, &text).map_err(|problems| {
        let lines = problems.to_string();
        Failed::usage("The servers cannot be read.").more(lines.lines().map(str::to_owned))
    })
}

/// A server of a servers file of suites, by its first transport.
fn of_suites(file: &Path, servers: &Servers, name: &str) -> Result<Server> {
    let environment: Lookup = Arc::new(|name| env::var(name).ok());
    let mut variables = Variables::new(environment);
    let bad = |problems: Vec<Problem>| {
        let lines = Problems::new(&file.display().to_string(), problems).to_string();
        Failed::usage(format!("The server `{name}` cannot be used."))
            .more(lines.lines().map(str::to_owned))
    };
    // A port matters to a server that is started first, which is refused below.
    variables.set("port", "0".into());
    let vars = servers.vars(None).map_err(bad)?;
    variables.add_vars(&vars).map_err(bad)?;
    let found = servers.find(name, None, &variables).map_err(bad)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let plan = found
        .plan(name, None, &Client::default(), folder, &variables)
        .map_err(Failed::usage)?;
    if plan.start.is_some() {
        return Err(Failed::usage(format!(
            "The server `{name}` is started before it is reached, which only `sonde test` does."
        ))
        .more(["Start it, and give its address with --url.".to_owned()]));
    }
    let mut server = Server::of(plan.config);
    let secrets = plan.secrets.into_iter();
    server.secrets = secrets
        .map(|(name, value)| (name, Secret::new(value)))
        .collect();
    Ok(server)
}

fn in_file(file: &Path, name: &str) -> Result<Server> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failed::usage(format!("{} cannot be read: {error}.", file.display())))?;
    if text.lines().any(|line| line.starts_with("sonde-servers:")) {
        return of_suites(file, &read_servers(file)?, name);
    }
    let mut found = servers_in(&prefer_environment(&text))
        .map_err(|problem| Failed::usage(format!("{}: {problem}", file.display())))?;
    let names: Vec<_> = found
        .servers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let place = find(name, &names, &file.display().to_string())
        .map_err(|failed| failed.more(std::mem::take(&mut found.problems)))?;
    Server::imported(found.servers.swap_remove(place).1)
}

/// `${NAME:-default}` of a variable that is set is `${NAME}`.
fn prefer_environment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        out.push_str("${");
        rest = after;
        if let Some((name, fallback)) = after.split_once(":-")
            && let Some((_, end)) = fallback.split_once('}')
            && is_variable(name)
            && env::var_os(name).is_some()
        {
            out.push_str(name);
            out.push('}');
            rest = end;
        }
    }
    out + rest
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The index of the name: exactly, or without regard to case, spaces and punctuation.
fn find(name: &str, names: &[&str], list: &str) -> Result<usize> {
    let same = |text: &str| {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect::<String>()
    };
    let exact: Vec<_> = (0..names.len()).filter(|at| names[*at] == name).collect();
    let found = match exact.is_empty() {
        false => exact,
        true => (0..names.len())
            .filter(|at| same(names[*at]) == same(name))
            .collect(),
    };
    match found[..] {
        [place] => Ok(place),
        [] => {
            let known = match names {
                [] => format!("{list} is empty."),
                names => format!("{list} has: {}.", names.join(", ")),
            };
            Err(Failed::usage(format!("There is no server `{name}`.")).more([known]))
        }
        _ => Err(Failed::usage(format!(
            "{} servers in {list} are called `{name}`.",
            found.len()
        ))),
    }
}

/// Replaces `${NAME}` and `${env:NAME}` by the environment, and `${input:NAME}` by `SONDE_INPUT_NAME`. `None` for a
/// text without placeholders; a variable that is not set is an error, never an empty text.
fn fill(text: &str) -> Result<Option<String>> {
    let mut out = String::new();
    let mut rest = text;
    let mut filled = false;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((place, end)) = after.split_once('}') else {
            out.push_str("${");
            rest = after;
            continue;
        };
        let name = match place.split_once(':') {
            Some(("env", name)) => name.to_owned(),
            Some(("input", name)) => {
                let upper = name.to_uppercase();
                let name = upper.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                format!("SONDE_INPUT_{name}")
            }
            _ => place.to_owned(),
        };
        if !is_variable(&name) {
            out.push_str("${");
            rest = after;
            continue;
        }
        let value = env::var(&name).map_err(|_| {
            Failed::usage(format!(
                "The environment variable {name} is not set, and `{text}` needs it."
            ))
        })?;
        out.push_str(&value);
        filled = true;
        rest = end;
    }
    out.push_str(rest);
    Ok(filled.then_some(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_found_without_regard_to_case_and_spaces() {
        let names = ["Everything", "Demo server", "demo-server"];
        assert_eq!(find("everything", &names, "list").unwrap(), 0);
        assert_eq!(find("Demo server", &names, "list").unwrap(), 1);
        assert!(find("DEMO SERVER", &names, "list").is_err());
        let failed = find("other", &names, "list").unwrap_err();
        assert!(failed.more[0].contains("Everything, Demo server"));
    }

    #[test]
    fn placeholders_come_from_the_environment_or_fail() {
        assert_eq!(fill("plain $HOME {x} ${").unwrap(), None);
        assert_eq!(fill("${secret:a-b}").unwrap(), None);
        let path = env::var("PATH").unwrap();
        assert_eq!(fill("a${PATH}b").unwrap(), Some(format!("a{path}b")));
        assert_eq!(fill("${env:PATH}").unwrap(), Some(path));
        let failed = fill("${input:api key}").unwrap_err();
        assert!(failed.message.contains("SONDE_INPUT_API_KEY"));
        let text = r#"{"a": "${PATH:-x}", "b": "${SONDE_NOT_SET:-y}"}"#;
        assert_eq!(
            prefer_environment(text),
            r#"{"a": "${PATH}", "b": "${SONDE_NOT_SET:-y}"}"#
        );
    }

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
