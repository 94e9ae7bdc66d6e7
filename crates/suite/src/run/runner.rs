//! Runs of suites: cases of the matrix, connections, order of the steps.

use std::{
    borrow::Cow,
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sonde_client::{Services, clock};
use tokio_util::sync::CancellationToken;

use super::{
    caution::Caution,
    listed::{ListedLookup, ListedServer},
    report::{Case, CaseReport, Event, StepReport, StopReason, Verdict},
    session::{NotOpen, Session},
    sidecar::free_port,
    step::{Attempt, Surroundings, attempt},
    stored::{Stored, Update},
};
use crate::{
    format::{Client, ServerRef, Step, Suite, skip_reason},
    node::Node,
    observed::End,
    problem::{Problem, Span, Spanned},
    servers::{Restart, Server, ServerPlan, Servers},
    variables::{Lookup, Variables},
};

/// Most lines of standard error that a report keeps of a step.
const STDERR: usize = 20;

/// Options of a run.
#[derive(Clone)]
pub struct RunOptions {
    /// Shared by the connections.
    pub services: Arc<Services>,
    /// The servers file.
    pub servers: Option<Arc<Servers>>,
    /// Folder of the servers file, in which its servers are started.
    pub servers_folder: PathBuf,
    /// Environment of the servers file.
    pub environment: Option<String>,
    /// Finds servers that the servers file does not have.
    pub listed: Option<ListedLookup>,
    /// Server of suites that name none.
    pub default_server: Option<ListedServer>,
    /// Server that replaces the one of the suites.
    pub server: Option<ListedServer>,
    /// Suites may describe their server. Otherwise, suites that do run only if the server is replaced.
    pub described: bool,
    /// Calls that are left out.
    pub caution: Caution,
    /// Protocol version that replaces the suites' version and matrix.
    pub revision: Option<String>,
    /// Transport that replaces the matrix.
    pub transport: Option<String>,
    /// Variables of the environment.
    pub env: Lookup,
    /// Stored secrets.
    pub secrets: Lookup,
    /// Snapshots to write.
    pub update: Update,
    /// Stops a case at its first failure.
    pub bail: bool,
    /// Reports which items of the server steps used.
    pub coverage: bool,
    /// Ends the run.
    pub cancel: CancellationToken,
}

impl RunOptions {
    /// Creates options with this process's environment, without servers and stored secrets; no snapshot is written.
    #[must_use]
    pub fn new(services: Arc<Services>) -> Self {
        Self {
            services,
            servers: None,
            servers_folder: PathBuf::from("."),
            environment: None,
            listed: None,
            default_server: None,
            server: None,
            described: true,
            caution: Caution::default(),
            revision: None,
            transport: None,
            env: Arc::new(|name| std::env::var(name).ok()),
            secrets: Arc::new(|_| None),
            update: Update::default(),
            bail: false,
            coverage: false,
            cancel: CancellationToken::new(),
        }
    }
}

/// Runs suites, and keeps the connections that they share (`restart: run`).
pub struct Runner {
    options: RunOptions,
    shared: HashMap<String, Session>,
}

/// Variables and connection of a case.
struct Running<'a> {
    suite: &'a Suite,
    folder: &'a Path,
    case: &'a Case,
    client: Client,
    variables: Variables,
    /// Servers that steps have named so far; `None` is the suite's server.
    servers: HashMap<Option<String>, Arc<CaseServer>>,
    /// Removed at the end of the case.
    _workdir: tempfile::TempDir,
}

impl Running<'_> {
    /// The reason for leaving a step out, with its variables replaced.
    fn skip(&self, step: &Step) -> Result<Option<String>, Vec<Problem>> {
        let Some(skip) = step.node.get("skip") else {
            return Ok(None);
        };
        let variables = self.variables.clone().allowing_unset_env();
        Ok(skip_reason(&variables.resolve(skip)?))
    }
}

impl Runner {
    /// Creates a runner.
    #[must_use]
    pub fn new(options: RunOptions) -> Self {
        let shared = HashMap::new();
        Self { options, shared }
    }

    /// The cases in which a suite runs.
    #[must_use]
    pub fn cases(&self, suite: &Suite) -> Vec<Case> {
        let values = |chosen: &Option<String>, all: &[String]| -> Vec<Option<String>> {
            match (chosen, all) {
                (Some(chosen), _) => vec![Some(chosen.clone())],
                (None, []) => vec![None],
                (None, all) => all.iter().cloned().map(Some).collect(),
            }
        };
        let revisions = values(&self.options.revision, &suite.matrix.revisions);
        let transports = values(&self.options.transport, &suite.matrix.transports);
        let of_revision = |revision: Option<String>| {
            transports.iter().map(move |transport| Case {
                revision: revision.clone(),
                transport: transport.clone(),
            })
        };
        revisions.into_iter().flat_map(of_revision).collect()
    }

    /// Runs a case of a suite. `folder` is that of its file; `wanted` chooses steps by index.
    pub async fn run(
        &mut self,
        suite: &Suite,
        folder: &Path,
        case: &Case,
        wanted: &(dyn Fn(usize, &Step) -> bool + Sync),
        tell: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> CaseReport {
        tell(Event::CaseStarted(case));
        let began = clock::micros();
        let mut report = CaseReport {
            case: case.clone(),
            ..CaseReport::default()
        };
        let cancel = self.options.cancel.clone();
        let mut open = HashMap::new();
        let stopped = tokio::select! {
            ran = self.run_steps(suite, folder, &mut report, &mut open, wanted, tell) => ran.err(),
            () = cancel.cancelled() => Some(StopReason::Cancelled),
        };
        for session in open.into_values() {
            session.close().await;
        }
        report.stopped = stopped;
        report.duration = Duration::from_micros(clock::micros() - began);
        tell(Event::CaseFinished(&report));
        report
    }

    /// Ends the connections that suites share.
    pub async fn close(self) {
        for session in self.shared.into_values() {
            session.close().await;
        }
    }

    async fn run_steps(
        &mut self,
        suite: &Suite,
        folder: &Path,
        report: &mut CaseReport,
        open: &mut HashMap<String, Session>,
        wanted: &(dyn Fn(usize, &Step) -> bool + Sync),
        tell: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> Result<(), StopReason> {
        let case = report.case.clone();
        let mut running = self.begin(suite, folder, &case)?;
        let mut stored = Stored::new(folder, suite.stem());
        let services = Arc::clone(&self.options.services);
        let (update, bail) = (self.options.update, self.options.bail);
        let covers = self.options.coverage;
        let caution = self.options.caution;
        let mut stopped = Ok(());
        // Variables without a value, since the step that captures them did not pass.
        let mut lost_names: Vec<&str> = Vec::new();
        for (index, step) in suite.steps.iter().enumerate() {
            if !wanted(index, step) {
                continue;
            }
            let mut result = StepReport {
                index,
                title: step.title(),
                group: step.group.clone(),
                span: step.node.span,
                verdict: Verdict::Passed,
                failures: Vec::new(),
                attempts: 0,
                duration: None,
                snapshots: Vec::new(),
                unjudged: None,
                entries: (0, 0),
                stderr: Vec::new(),
            };
            let skip = match running.skip(step) {
                Ok(skip) => skip,
                Err(problems) => {
                    stopped = Err(StopReason::Files(problems));
                    break;
                }
            };
            if let Some(reason) = skip {
                result.verdict = Verdict::Skipped(reason);
            } else if let Some(name) = lost_variable(step, &lost_names) {
                result.verdict = Verdict::Incomplete(format!(
                    "`{name}` has no value, since the step that captures it did not pass."
                ));
            } else {
                let found = match self.session(&mut running, open, step).await {
                    Ok(found) => found,
                    Err(why) => {
                        stopped = Err(why);
                        break;
                    }
                };
                let (session, server) = found;
                // If there are several servers, the report names the suite's.
                if step.server.is_none() || report.server.is_none() {
                    report.server = session.facts();
                }
                if let Some(reason) = left_out(caution, step, session, &running.variables) {
                    result.verdict = Verdict::Skipped(reason);
                    lost_names.extend(step.captured_names());
                    tell(Event::StepFinished(&result));
                    report.steps.push(result);
                    continue;
                }
                let mut around = Surroundings {
                    services: &services,
                    stored: &mut stored,
                    update,
                    caution,
                };
                let variables = &mut running.variables;
                let ran = run_step(step, session, variables, &mut around, &mut result, tell).await;
                session.settle().await;
                let end = session.end();
                if covers && let Some(facts) = session.facts() {
                    let coverage = report.coverage.entry(facts.title()).or_default();
                    session.add_coverage(coverage).await;
                }
                if let Err(mut problems) = ran {
                    for problem in &mut problems {
                        problem.message = running.variables.mask(&problem.message);
                    }
                    stopped = Err(StopReason::Files(problems));
                    break;
                }
                let restarts = server.restart() == Restart::Step;
                if let Some(why) = end {
                    let why = session.hide(&why, &running.variables);
                    result.verdict = Verdict::Broken(why.clone());
                    if !restarts {
                        stopped = Err(StopReason::Died(why));
                    }
                }
                if restarts && let Some(session) = open.remove(&server.key) {
                    session.close().await;
                }
            }
            match result.verdict {
                Verdict::Passed => {
                    lost_names.retain(|name| !step.captured_names().any(|one| one == *name))
                }
                _ => lost_names.extend(step.captured_names()),
            }
            let failed = matches!(
                result.verdict,
                Verdict::Failed | Verdict::Broken(_) | Verdict::TimedOut(_)
            );
            tell(Event::StepFinished(&result));
            report.steps.push(result);
            if stopped.is_err() {
                break;
            }
            if failed && bail {
                stopped = Err(StopReason::Bailed);
                break;
            }
        }
        stopped
    }

    /// Collects the variables of a case.
    fn begin<'a>(
        &self,
        suite: &'a Suite,
        folder: &'a Path,
        case: &'a Case,
    ) -> Result<Running<'a>, StopReason> {
        let options = &self.options;
        let mut variables = Variables::new(Arc::clone(&options.env));
        let files = StopReason::Files;
        variables
            .add_secrets(&suite.secrets, &options.secrets)
            .map_err(files)?;
        let broken = |error: std::io::Error| {
            let message = format!("The folder for ${{workdir}} could not be made: {error}.");
            StopReason::Files(vec![Problem::new(Span::default(), message)])
        };
        let workdir = tempfile::tempdir().map_err(broken)?;
        let path = workdir.path().display().to_string();
        variables.set("workdir", path.into());
        variables.add_vars(&suite.vars).map_err(files)?;
        if let Some(servers) = &options.servers {
            let vars = servers
                .vars(options.environment.as_deref())
                .map_err(files)?;
            let added = variables.add_vars(&vars);
            added.map_err(|problems| files(servers.of_this(problems)))?;
        }
        let mut client = suite.client.clone();
        client.revision = case.revision.clone().or(client.revision);
        Ok(Running {
            suite,
            folder,
            case,
            client,
            variables,
            servers: HashMap::new(),
            _workdir: workdir,
        })
    }

    /// The connection for a step, and its server.
    async fn session<'a>(
        &'a mut self,
        running: &mut Running<'_>,
        open: &'a mut HashMap<String, Session>,
        step: &Step,
    ) -> Result<(&'a mut Session, Arc<CaseServer>), StopReason> {
        let named = step.server.as_ref().map(|name| name.value.clone());
        let server = match running.servers.get(&named) {
            Some(server) => Arc::clone(server),
            None => {
                let server = Arc::new(self.server(running, step)?);
                running.servers.insert(named, Arc::clone(&server));
                server
            }
        };
        let key = &server.key;
        let sessions = match server.restart() {
            Restart::Run => &mut self.shared,
            Restart::File | Restart::Step => open,
        };
        // A shared connection that died during an earlier suite is replaced.
        let is_dead = |session: &Session| session.end().is_some();
        if server.restart() == Restart::Run
            && sessions.get(key).is_some_and(is_dead)
            && let Some(dead) = sessions.remove(key)
        {
            dead.close().await;
        }
        if !sessions.contains_key(key) {
            let plan = Self::plan(&server, running)?;
            let services = &self.options.services;
            let refuse = |NotOpen { words, why }| {
                let words = running.variables.mask(&words);
                StopReason::NotConnected { words, why }
            };
            let listed = server.listed();
            let session =
                Session::prepare(plan, listed, &running.client, &running.variables, services);
            // In its place before it connects, so that it is closed even if the run is cancelled.
            let session = session.await.map_err(refuse)?;
            let session = sessions.entry(key.clone()).insert_entry(session);
            if let Err(why) = session.get().connect().await {
                session.remove().close().await;
                return Err(refuse(why));
            }
        }
        let gone = || StopReason::Died("The connection ended.".to_owned());
        let session = sessions.get_mut(key).ok_or_else(gone)?;
        Ok((session, server))
    }

    /// Finds the server of a step by its name.
    fn server(&self, running: &mut Running<'_>, step: &Step) -> Result<CaseServer, StopReason> {
        let options = &self.options;
        let of_list = |server: ListedServer| {
            let name = server.config.name.clone();
            let key = name.clone();
            let source = ServerSource::Listed(Box::new(server));
            CaseServer { name, key, source }
        };
        if let Some(server) = &options.server {
            return Ok(of_list(server.clone()));
        }
        // Each server that is started gets a port of its own.
        let port = free_port().unwrap_or_default();
        running.variables.set("port", port.to_string().into());
        let (suite, case, client) = (running.suite, running.case, &running.client);
        let own_folder = running.folder;
        let variables = &mut running.variables;
        let mut described = |name: &str, folder: &Path, read: &Read<'_>| {
            let server = read(variables).map_err(StopReason::Files)?;
            let known =
                read(&mut variables.clone().with_equal_case_values()).map_err(StopReason::Files)?;
            Ok(CaseServer {
                name: name.to_owned(),
                key: format!("{name} {case:?} {client:?} {folder:?} {known:?}"),
                source: ServerSource::Described(Box::new(server), folder.to_owned()),
            })
        };
        let missing =
            |span: Span, message: String| StopReason::Files(vec![Problem::new(span, message)]);
        let mut in_place = |name: &str, node: &Node| {
            if !options.described {
                let message = "The suite describes a server of its own. It runs here on a server of the list: choose \
                               one. `sonde test` runs it as it is.";
                return Err(missing(node.span, message.to_owned()));
            }
            described(name, own_folder, &|variables| Server::read(node, variables))
        };
        let name = match (&step.server, &suite.server) {
            (Some(name), _) | (None, Some(ServerRef::Named(name))) => name,
            (None, Some(ServerRef::Inline(node))) => return in_place(suite.stem(), node),
            (None, None) => {
                let listed = options.default_server.clone();
                return listed.map(of_list).ok_or_else(|| {
                    missing(Span::default(), "The suite names no server.".to_owned())
                });
            }
        };
        let Spanned { value: name, span } = name;
        if let Some((_, node)) = suite.servers.iter().find(|(known, _)| known == name) {
            return in_place(&format!("{}/{name}", suite.stem()), node);
        }
        let environment = options.environment.as_deref();
        match (&options.servers, &options.listed) {
            (Some(file), listed) if file.has(name, environment) || listed.is_none() => {
                described(name, &options.servers_folder, &|variables| {
                    file.find(name, environment, variables)
                })
            }
            (file, Some(listed)) => {
                let server = listed(name).map_err(|message| {
                    let known = file.iter().map(|file| file.known());
                    let sentences: Vec<_> = [message].into_iter().chain(known).collect();
                    missing(*span, sentences.join(" "))
                })?;
                Ok(of_list(server))
            }
            _ => {
                let message = format!(
                    "The server `{name}` is looked for in a servers file, and there is none."
                );
                Err(missing(*span, message))
            }
        }
    }

    fn plan(server: &CaseServer, running: &Running<'_>) -> Result<ServerPlan, StopReason> {
        let transport = running.case.transport.as_deref();
        let (client, variables) = (&running.client, &running.variables);
        let plan = match &server.source {
            ServerSource::Described(described, folder) => {
                described.plan(&server.name, transport, client, folder, variables)
            }
            ServerSource::Listed(listed) => listed.plan(transport, client, variables),
        };
        plan.map_err(|message| StopReason::Files(vec![Problem::new(Span::default(), message)]))
    }
}

/// A server of a case.
struct CaseServer {
    name: String,
    /// Equal for servers that may share a connection.
    key: String,
    source: ServerSource,
}

impl CaseServer {
    fn restart(&self) -> Restart {
        match &self.source {
            ServerSource::Described(server, _) => server.restart,
            ServerSource::Listed(_) => Restart::File,
        }
    }

    fn listed(&self) -> Option<&ListedServer> {
        match &self.source {
            ServerSource::Described(..) => None,
            ServerSource::Listed(listed) => Some(listed),
        }
    }
}

/// Reads the definition of a server with these variables.
type Read<'a> = dyn Fn(&mut Variables) -> Result<Server, Vec<Problem>> + 'a;

/// A server, and where its definition comes from.
enum ServerSource {
    /// Of a file, with the folder in which it is started.
    Described(Box<Server>, PathBuf),
    /// Of the app's list, of a client's file, of the command line.
    Listed(Box<ListedServer>),
}

/// Returns the variable that the step uses, among those that have no value.
fn lost_variable<'a>(step: &Step, lost_names: &[&'a str]) -> Option<&'a str> {
    lost_names.iter().copied().find(|name| step.needs(name))
}

/// The reason for leaving a step out, if there is one.
fn left_out(
    caution: Caution,
    step: &Step,
    session: &Session,
    variables: &Variables,
) -> Option<String> {
    if caution == Caution::None {
        return None;
    }
    let with_values = |step: &Step| {
        let resolved = variables.step(step);
        resolved.map_or_else(|_| step.clone(), Cow::into_owned)
    };
    let step = Step {
        verify: step.verify.iter().map(with_values).collect(),
        ..with_values(step)
    };
    let reason = caution.reason(&step, &session.connection);
    reason.map(str::to_owned)
}

/// Runs a step until it holds, as often as it may be repeated.
async fn run_step(
    step: &Step,
    session: &mut Session,
    variables: &mut Variables,
    around: &mut Surroundings<'_>,
    result: &mut StepReport,
    tell: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<(), Vec<Problem>> {
    let times = step.retry.map_or(1, |retry| retry.times.max(1));
    let first = session.unseen;
    loop {
        result.attempts += 1;
        tell(Event::StepStarted {
            index: result.index,
            title: &result.title,
            attempt: result.attempts,
        });
        let Attempt {
            observed,
            failures,
            snapshots,
            incomplete,
            unjudged,
            ..
        } = attempt(step, session, variables, around).await?;
        result.entries = (first, session.unseen);
        result.duration = observed.duration;
        let stderr = observed
            .stderr
            .unwrap_or_default()
            .into_iter()
            .rev()
            .take(STDERR)
            .rev();
        result.stderr = stderr.map(|line| session.hide(&line, variables)).collect();
        let open = incomplete.or(unjudged.clone());
        result.verdict = match (observed.end, failures.is_empty(), open) {
            (End::TimedOut(why), ..) => Verdict::TimedOut(why),
            (_, false, _) => Verdict::Failed,
            (_, true, Some(why)) => Verdict::Incomplete(why),
            (_, true, None) => Verdict::Passed,
        };
        result.failures = failures;
        result.snapshots = snapshots;
        result.unjudged = unjudged;
        let failed = matches!(result.verdict, Verdict::Failed | Verdict::TimedOut(_));
        if !failed || result.attempts >= times || session.end().is_some() {
            return Ok(());
        }
        tokio::time::sleep(step.retry.map_or(Duration::ZERO, |retry| retry.every)).await;
    }
}
