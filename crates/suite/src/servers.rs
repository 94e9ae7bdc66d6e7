//! `sonde.servers.yaml`, and the configuration of a server that a suite names.

use std::{path::Path, time::Duration};

use sonde_client::config::{
    ConfigValue, Declaration, ElicitationCapability, HttpKind, NamedValue, ProtocolMode,
    RootFolder, RootsDeclaration, SamplingCapability, ServerConfig, Transport, arg_place,
    arg_secret, env_secret, header_secret,
};

use crate::{
    format::{Capabilities, Client, SERVER_SHAPE, SERVERS_SHAPE, check, suggestion},
    node::{Node, NodeValue},
    problem::{Problem, Problems},
    scalars::duration,
    variables::Variables,
};

/// Longest wait until the address of a started server takes connections.
const READY: Duration = Duration::from_secs(10);

/// A file of servers.
#[derive(Clone, Debug)]
pub struct Servers {
    /// Name of the file, for messages.
    pub file: String,
    root: Node,
}

/// Moments at which a fresh connection is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Before each step.
    Step,
    /// For each file.
    #[default]
    File,
    /// Once per run.
    Run,
}

/// One server with its transports, its variables replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// The server as a child process.
    pub stdio: Option<Program>,
    /// The server at an address.
    pub http: Option<HttpServer>,
    /// The demo server: `stdio` or `http`.
    pub demo: Option<String>,
    /// Moment of a fresh connection.
    pub restart: Restart,
    /// Version of the protocol and longest silence, where the suite has none.
    pub client: Client,
}

/// A program to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Name or path.
    pub command: String,
    /// Arguments, one by one.
    pub args: Vec<String>,
    /// Its folder; `None` means that of the file.
    pub cwd: Option<String>,
    /// Environment variables on top of the inherited ones.
    pub env: Vec<(String, String)>,
}

/// A server at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpServer {
    /// Program that is started first.
    pub start: Option<Program>,
    /// The address.
    pub url: String,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// Longest wait until the address takes connections.
    pub ready: Duration,
    /// The HTTP transport.
    pub kind: HttpKind,
}

/// A configuration with the values of its secrets, each under the name that the configuration uses.
#[derive(Clone, Debug)]
pub struct ServerPlan {
    /// The configuration.
    pub config: ServerConfig,
    /// Secrets to be handed to the connection's services.
    pub secrets: Vec<(String, String)>,
    /// Program that is started before the connect.
    pub start: Option<Program>,
    /// Limit of waiting for it.
    pub ready: Duration,
}

impl ServerPlan {
    /// Creates a plan with a configuration only.
    pub(crate) fn new(config: ServerConfig) -> Self {
        Self {
            config,
            secrets: Vec::new(),
            start: None,
            ready: READY,
        }
    }
}

impl Servers {
    /// Reads `sonde.servers.yaml`.
    ///
    /// # Errors
    /// All faults with line and column.
    pub fn read(file: &str, text: &str) -> Result<Self, Problems> {
        let refuse = |list| Problems::new(file, list);
        let root = Node::read(text).map_err(|problem| refuse(vec![problem]))?;
        check(&root, &SERVERS_SHAPE, true).map_err(refuse)?;
        let file = file.to_owned();
        Ok(Self { file, root })
    }

    /// Names of the servers, in order.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let entries = self.servers().map_or(&[][..], Node::entries).iter();
        entries.map(|entry| entry.key.as_str()).collect()
    }

    /// A sentence with the names of the servers.
    #[must_use]
    pub fn known(&self) -> String {
        names_in(&self.file, &self.names())
    }

    /// True if the file, or an environment of it, has a server of this name.
    #[must_use]
    pub fn has(&self, name: &str, environment: Option<&str>) -> bool {
        let found = self.nodes(name, environment);
        found.is_ok_and(|nodes| !nodes.is_empty())
    }

    /// Returns a server and its changes in an environment, as far as they exist.
    fn nodes(&self, name: &str, environment: Option<&str>) -> Result<Vec<&Node>, Vec<Problem>> {
        let changed = self.environment(environment)?;
        let changed = changed.and_then(|one| one.get("servers"));
        let lists = [self.servers(), changed].into_iter().flatten();
        Ok(lists.filter_map(|servers| servers.get(name)).collect())
    }

    fn servers(&self) -> Option<&Node> {
        self.root.get("servers")
    }

    fn environment(&self, name: Option<&str>) -> Result<Option<&Node>, Vec<Problem>> {
        let Some(name) = name else { return Ok(None) };
        let known = self.root.entries_of("environments").iter();
        let found = known.clone().find(|entry| entry.key == name);
        found.map(|entry| Some(&entry.value)).ok_or_else(|| {
            let near = suggestion(name, known.map(|entry| entry.key.as_str()));
            let message = format!("There is no environment `{name}`{near}");
            self.of_this(vec![Problem::new(self.root.span, message)])
        })
    }

    /// Values of `vars` of an environment.
    ///
    /// # Errors
    /// `environment` is not known.
    pub fn vars(&self, environment: Option<&str>) -> Result<Vec<(String, Node)>, Vec<Problem>> {
        let environment = self.environment(environment)?;
        Ok(environment.map_or_else(Vec::new, |one| one.pairs_of("vars")))
    }

    /// Problems of this file.
    pub(crate) fn of_this(&self, problems: Vec<Problem>) -> Vec<Problem> {
        let problems = problems.into_iter();
        problems.map(|one| one.of_file(&self.file)).collect()
    }

    /// Finds a server. The environment's transports replace the server's transports of the same kind. Values of the
    /// environment that may be secrets are masked.
    ///
    /// # Errors
    /// It is not known, or a variable is not set.
    pub fn find(
        &self,
        name: &str,
        environment: Option<&str>,
        variables: &mut Variables,
    ) -> Result<Server, Vec<Problem>> {
        let nodes = self.nodes(name, environment)?;
        if nodes.is_empty() {
            let near = suggestion(name, self.names().into_iter());
            let message = format!("There is no server `{name}` in {}{near}", self.file);
            return Err(self.of_this(vec![Problem::new(self.root.span, message)]));
        }
        let mut server = Server::default();
        for node in nodes {
            let node = variables
                .resolve(node)
                .map_err(|problems| self.of_this(problems))?;
            let stdio = node.get("stdio").map(|node| program(node, "command"));
            server.stdio = stdio.or(server.stdio);
            server.http = node.get("http").map(http).or(server.http);
            server.restart = restart(&node).unwrap_or(server.restart);
        }
        server.mask_env(variables);
        Ok(server)
    }
}

/// A sentence with the names in a list of servers.
#[must_use]
pub fn names_in(list: &str, names: &[&str]) -> String {
    match names {
        [] => format!("{list} is empty."),
        _ => format!("{list} has: {}.", names.join(", ")),
    }
}

impl Server {
    /// Reads a server that a suite has in place of a name. Values of the environment that may be secrets are masked.
    ///
    /// # Errors
    /// Its shape is wrong, or a variable is not set.
    pub fn read(node: &Node, variables: &mut Variables) -> Result<Self, Vec<Problem>> {
        let node = variables.resolve(node)?;
        check(&node, &SERVER_SHAPE, false)?;
        let mut server = Self::in_place(&node);
        server.restart = restart(&node).unwrap_or_default();
        server.mask_env(variables);
        Ok(server)
    }

    /// Masks values of the environment in headers, in the user and query of an address, and where the name of the
    /// variable or the text before the value suggests a secret.
    fn mask_env(&self, variables: &mut Variables) {
        // Texts with their names.
        let mut texts = Vec::new();
        let mut secret_texts = Vec::new();
        let mut public = "";
        let started = self.http.as_ref().and_then(|http| http.start.as_ref());
        for program in self.stdio.iter().chain(started) {
            let mut option = "";
            for arg in &program.args {
                texts.push((option, arg.as_str()));
                option = if arg.starts_with('-') { arg } else { "" };
            }
            let env = program.env.iter();
            texts.extend(env.map(|(name, value)| (name.as_str(), value.as_str())));
        }
        if let Some(http) = &self.http {
            secret_texts.extend(http.headers.iter().map(|(_, value)| value.as_str()));
            secret_texts.push(&http.url);
            let (address, _) = http.url.split_once('?').unwrap_or((&http.url, ""));
            texts.push(("", address.splitn(4, '/').nth(3).unwrap_or_default()));
            public = match address.split_once('@') {
                Some((user, rest)) if user.matches('/').count() == 2 => rest,
                _ => address,
            };
        }
        variables.mask_env(|variable, value| {
            let suggests_secret = |(name, text): &(&str, &str)| {
                let before = text.split_once(value).map(|(before, _)| before);
                before.is_some_and(|before| [variable, name, before].into_iter().any(is_secret))
            };
            let is_within = |text: &&str| text.contains(value);
            texts.iter().any(suggests_secret)
                || (!public.contains(value) && secret_texts.iter().any(is_within))
        });
    }

    /// Takes a server as written, its variables with it.
    #[must_use]
    pub fn in_place(node: &Node) -> Self {
        Self {
            stdio: node.get("command").map(|_| program(node, "command")),
            http: node.get("url").map(|_| http(node)),
            demo: node.text_of("demo"),
            restart: Restart::default(),
            client: Client {
                revision: node.text_of("revision"),
                timeout: node
                    .text_of("timeout")
                    .and_then(|text| duration(&text).ok()),
                ..Client::default()
            },
        }
    }

    /// Names of its transports.
    #[must_use]
    pub fn transports(&self) -> Vec<&'static str> {
        let stdio = self.stdio.is_some() || self.demo.as_deref() == Some("stdio");
        let http = self.http.is_some() || self.demo.as_deref() == Some("http");
        let both = [(stdio, "stdio"), (http, "http")].into_iter();
        both.filter(|(has, _)| *has).map(|(_, name)| name).collect()
    }

    /// Makes the configuration for a transport, or for the first that there is. `folder` is that of the file.
    ///
    /// # Errors
    /// It has no such transport, or a root of the client cannot be declared; one sentence.
    pub fn plan(
        &self,
        name: &str,
        transport: Option<&str>,
        client: &Client,
        folder: &Path,
        variables: &Variables,
    ) -> Result<ServerPlan, String> {
        let has = self.transports();
        let transport = match transport {
            Some(transport) if has.contains(&transport) => transport,
            Some(other) => return Err(format!("The server `{name}` has no transport {other}.")),
            None => has
                .first()
                .copied()
                .ok_or_else(|| format!("The server `{name}` has no transport."))?,
        };
        let mut secrets = Vec::new();
        let mut named = |pairs: &[(String, String)], slot: fn(&str) -> String| {
            let pairs = pairs.iter().map(|(name, value)| {
                let value = if variables.mask(value) == *value && !is_secret(name) {
                    ConfigValue::Plain(value.clone())
                } else {
                    secrets.push((slot(name), value.clone()));
                    ConfigValue::SECRET
                };
                let name = name.clone();
                NamedValue { name, value }
            });
            pairs.collect::<Vec<_>>()
        };
        let within = |cwd: Option<&str>| folder.join(cwd.unwrap_or(".")).display().to_string();
        let (transport, start, ready) = match (transport, &self.stdio, &self.http) {
            ("stdio", Some(program), _) => {
                let env = named(&program.env, env_secret);
                let args = program.args.iter().enumerate().map(|(place, arg)| {
                    if variables.mask(arg) == *arg {
                        return arg.clone();
                    }
                    let name = format!("argument-{place}");
                    secrets.push((arg_secret(&name), arg.clone()));
                    arg_place(&name)
                });
                let transport = Transport::Stdio {
                    command: program.command.clone(),
                    args: args.collect(),
                    env,
                    cwd: Some(within(program.cwd.as_deref())),
                };
                (transport, None, READY)
            }
            ("http", _, Some(http)) => {
                let transport = Transport::Http {
                    url: http.url.clone(),
                    headers: named(&http.headers, header_secret),
                    kind: http.kind,
                    network: Default::default(),
                    auth: Default::default(),
                };
                let start = http.start.clone().map(|program| Program {
                    cwd: Some(within(program.cwd.as_deref())),
                    ..program
                });
                (transport, start, http.ready)
            }
            (transport, _, _) => {
                let http = transport == "http";
                (Transport::Demo { http }, None, READY)
            }
        };
        let mut config = ServerConfig::new(name, transport);
        for client in [&self.client, client] {
            apply(client, variables, &mut config)?;
        }
        Ok(ServerPlan {
            config,
            secrets,
            start,
            ready,
        })
    }
}

/// Applies the abilities that a suite declares. A configuration keeps what the suite does not mention.
///
/// # Errors
/// A root of the client cannot be declared; one sentence.
pub(crate) fn apply(
    client: &Client,
    variables: &Variables,
    config: &mut ServerConfig,
) -> Result<(), String> {
    if let Some(revision) = &client.revision {
        config.protocol = protocol(Some(revision));
    }
    let seconds = |time: Duration| u32::try_from(time.as_secs()).ok();
    config.idle_seconds = client.timeout.and_then(seconds).or(config.idle_seconds);
    let Some(declared) = &client.capabilities else {
        return Ok(());
    };
    config.declaration = declaration(declared);
    config.roots.clear();
    for root in declared.roots.iter().flatten() {
        let root = RootFolder {
            folder: variables.text(&root.value)?,
            name: None,
        };
        root.uri()
            .map_err(|why| format!("The root `{}` cannot be declared: {why}.", root.folder))?;
        config.roots.push(root);
    }
    Ok(())
}

/// Converts a revision of the format to the choice of the protocol.
#[must_use]
pub fn protocol(revision: Option<&str>) -> ProtocolMode {
    match revision {
        None | Some("auto") => ProtocolMode::Automatic,
        Some("legacy") => ProtocolMode::Handshake,
        Some("modern") => ProtocolMode::Stateless,
        Some(revision) => ProtocolMode::Fixed {
            revision: revision.to_owned(),
        },
    }
}

/// Converts a choice of the protocol to a revision of the format.
#[must_use]
pub fn revision(protocol: &ProtocolMode) -> &str {
    match protocol {
        ProtocolMode::Automatic => "auto",
        ProtocolMode::Handshake => "legacy",
        ProtocolMode::Stateless => "modern",
        ProtocolMode::Fixed { revision } => revision,
    }
}

/// True for a name that suggests a secret, such as of a header, an option or an environment variable.
fn is_secret(name: &str) -> bool {
    const PARTS: [&str; 6] = [
        "authorization",
        "cookie",
        "token",
        "secret",
        "password",
        "key",
    ];
    let name = name.to_ascii_lowercase();
    PARTS.iter().any(|part| name.contains(part))
}

fn declaration(declared: &Capabilities) -> Declaration {
    let elicitation = ElicitationCapability {
        form: declared.elicitation_form,
        url: declared.elicitation_url,
    };
    Declaration {
        elicitation: (elicitation.form || elicitation.url).then_some(elicitation),
        sampling: declared.sampling.then(SamplingCapability::default),
        roots: declared.roots.as_ref().map(|_| RootsDeclaration {
            list_changed: true,
            without_any: true,
        }),
        tasks: declared.tasks,
        ..Declaration::empty(sonde_client::config::NOTHING)
    }
}

fn restart(node: &Node) -> Option<Restart> {
    Some(match node.get("restart")?.text()? {
        "step" => Restart::Step,
        "run" => Restart::Run,
        _ => Restart::File,
    })
}

fn http(node: &Node) -> HttpServer {
    HttpServer {
        start: node.get("start").map(|_| program(node, "start")),
        url: node.text_of("url").unwrap_or_default(),
        headers: pairs(node, "headers"),
        ready: node
            .text_of("ready")
            .and_then(|text| duration(&text).ok())
            .unwrap_or(READY),
        kind: match node.text_of("kind").as_deref() {
            Some("streamable") => HttpKind::Streamable,
            Some("sse") => HttpKind::Sse,
            _ => HttpKind::Automatic,
        },
    }
}

fn program(node: &Node, key: &str) -> Program {
    let command = node.text_of(key).unwrap_or_default();
    let (command, args) = match node.get("args") {
        Some(args) => {
            let args = args.items().iter().filter_map(Node::text);
            (command, args.map(str::to_owned).collect())
        }
        None => {
            let mut words = words(&command).into_iter();
            (words.next().unwrap_or_default(), words.collect())
        }
    };
    Program {
        command,
        args,
        cwd: node.text_of("cwd"),
        env: pairs(node, "env"),
    }
}

/// Splits a command at its spaces; quotes keep them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn pairs(node: &Node, key: &str) -> Vec<(String, String)> {
    let entries = node.entries_of(key).iter();
    let value = |node: &Node| match &node.value {
        NodeValue::Text(text) => text.clone(),
        _ => node.json_text(),
    };
    entries
        .map(|entry| (entry.key.clone(), value(&entry.value)))
        .collect()
}
