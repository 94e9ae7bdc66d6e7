//! The transport of one connect: a process, an address, or the demo server.

use std::{path::PathBuf, sync::Arc, time::Duration};

use sonde_wire::{
    Command, Header, Incoming, SpawnError, Tap, Wire, WireError, http, http_sse, open_by_scheme,
    stdio::{self, ProcessInfo, StdioSpec, Watchdog},
};

use super::{attempts::TransportKind, connect_tap::ConnectTap, state::ServerProcess, steps::Step};
use crate::{
    auth::settings,
    changes::{NoticeLevel, WATCHDOG_NOT_STARTED},
    config::{
        AuthConfig, ConfigValue, Launch, MissingSecret, Transport, header_secret, launch, network,
        secret_slots, working_folder,
    },
    core::Core,
    log::{SecretText, Secrets},
};

/// Longest wait for the demo server's address.
const DEMO: Duration = Duration::from_secs(10);
/// Longest wait for the demo server's end.
const DEMO_END: Duration = Duration::from_secs(5);

/// An open transport.
pub(super) struct OpenTransport {
    pub(super) wire: Wire,
    /// A process that runs the server behind an address; the connection ends with it.
    pub(super) sidecar: Option<Wire>,
}

/// Reasons for having no transport.
pub(super) enum OpenError {
    Spawn {
        error: SpawnError,
        /// Source of the PATH, one plain sentence.
        path_source: String,
    },
    Wire(WireError),
    Secret(MissingSecret),
    /// This build has no demo server.
    NoDemo,
    /// The demo server did not report its address.
    DemoSilent,
}

/// Opens the transport of a server. Cancel-safe: a process that was started and is not returned is
/// ended by its own transport.
pub(super) async fn open(
    core: &Arc<Core>,
    transport: &Transport,
    carrier: TransportKind,
    tap: &Arc<ConnectTap>,
) -> Result<OpenTransport, OpenError> {
    let mut sidecar = None;
    let wire = match transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let Launch {
                mut spec,
                path_source,
                secrets,
            } = launch(
                &core.services,
                &core.server,
                command,
                args,
                env,
                cwd.as_deref(),
                false,
            )
            .await
            .map_err(OpenError::Secret)?;
            let known = Secrets {
                values: secrets.into_iter().map(SecretText::from).collect(),
                headers: Vec::new(),
            };
            core.log.set_secrets(known);
            spec.watchdog = watchdog(core).await;
            start(core, spec, path_source, tap, None).await?
        }
        Transport::Http {
            url,
            headers,
            network,
            auth,
            ..
        } => {
            let mut known = Secrets::default();
            let password = core.proxy_password(network).await;
            let password = password.map_err(OpenError::Secret)?;
            if let Some(password) = &password {
                known.values = network::secrets(network, password);
            }
            let mut sent = Vec::with_capacity(headers.len());
            for header in headers {
                let value = match &header.value {
                    ConfigValue::Plain(value) => value.clone(),
                    ConfigValue::Secret(_) => {
                        let value = secret(core, &header_secret(&header.name)).await?;
                        known.values.push(SecretText::from(value.clone()));
                        known.headers.push(header.name.clone());
                        value
                    }
                };
                sent.push(Header {
                    name: header.name.clone(),
                    value,
                });
            }
            if matches!(auth, AuthConfig::Token { .. }) {
                let value = secret(core, secret_slots::auth::TOKEN).await?;
                known.values.push(SecretText::from(value.clone()));
                let own = sent.iter().any(|header| is_authorization(&header.name));
                if !own {
                    sent.push(Header {
                        name: "Authorization".to_owned(),
                        value: format!("Bearer {value}"),
                    });
                }
            }
            core.log.set_secrets(known);
            let authenticator = authenticator(core, transport).await?;
            let mut spec = http::HttpSpec {
                authenticator,
                headers: sent,
                ..http::HttpSpec::new(url.as_str())
            };
            network::apply(network, password.as_ref(), &mut spec);
            open_address(spec, carrier, tap.clone()).map_err(OpenError::Wire)?
        }
        Transport::Demo { http } => {
            core.log.set_secrets(Secrets::default());
            let demo = core.services.demo.clone().ok_or(OpenError::NoDemo)?;
            let mut args = demo.args;
            if *http {
                args.push("--http".to_owned());
            }
            let spec = StdioSpec {
                args,
                cwd: working_folder(None),
                watchdog: watchdog(core).await,
                ..StdioSpec::new(demo.program.to_string_lossy())
            };
            let path_source = String::new();
            if *http {
                let line = tap.next_non_message();
                let server = start(core, spec, path_source, tap, Some(Step::StartDemo)).await?;
                sidecar = Some(server);
                let address = tokio::time::timeout(DEMO, line)
                    .await
                    .ok()
                    .and_then(Result::ok)
                    .and_then(|line| Some(line.strip_prefix("listening ")?.trim().to_owned()))
                    .ok_or(OpenError::DemoSilent)?;
                core.with_session(|session| session.steps.reach(Step::Reach));
                let spec = http::HttpSpec::new(address);
                http::open(spec, tap.clone()).map_err(OpenError::Wire)?
            } else {
                start(core, spec, path_source, tap, None).await?
            }
        }
    };
    Ok(OpenTransport { wire, sidecar })
}

/// Returns the source of credentials, for servers that support sign-in.
async fn authenticator(
    core: &Arc<Core>,
    transport: &Transport,
) -> Result<Option<Arc<dyn http::Authenticator>>, OpenError> {
    let settings = settings(core, transport).await;
    let Some(settings) = settings.map_err(OpenError::Secret)? else {
        return Ok(None);
    };
    let auth = core.auth.open(core, transport, settings);
    auth.tokens.start_connect();
    Ok(Some(Arc::new(auth.tokens)))
}

fn is_authorization(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization")
}

/// Opens the transport of an address. Nothing is sent yet.
fn open_address(
    spec: http::HttpSpec,
    carrier: TransportKind,
    tap: Arc<dyn Tap>,
) -> Result<Wire, WireError> {
    match carrier {
        TransportKind::HttpSse => http_sse::open(spec, tap),
        TransportKind::StreamableHttp | TransportKind::WebSocket | TransportKind::Stdio => {
            open_by_scheme(spec, tap)
        }
    }
}

async fn start(
    core: &Arc<Core>,
    spec: StdioSpec,
    path_source: String,
    tap: &Arc<ConnectTap>,
    next: Option<Step>,
) -> Result<Wire, OpenError> {
    let cwd = spec.cwd.clone();
    let args = spec.args.clone();
    let (wire, info) = stdio::spawn(spec, tap.clone())
        .await
        .map_err(|error| OpenError::Spawn { error, path_source })?;
    let process = process(info, &args, cwd);
    core.with_session(|session| {
        session.process = Some(process);
        let steps = &mut session.steps;
        steps.reach(next.unwrap_or(if steps.has(Step::Detect) {
            Step::Detect
        } else {
            Step::FirstAnswer
        }));
    });
    Ok(wire)
}

fn process(info: ProcessInfo, args: &[String], cwd: Option<PathBuf>) -> ServerProcess {
    let program = info.program.display().to_string();
    let mut argv = vec![program.clone()];
    argv.extend(args.iter().cloned());
    ServerProcess {
        pid: info.pid,
        program,
        argv,
        cwd: cwd
            .or_else(|| std::env::current_dir().ok())
            .map(|folder| folder.display().to_string())
            .unwrap_or_default(),
    }
}

/// Ends the process behind an HTTP transport.
pub(super) async fn end(sidecar: Wire) {
    let Wire {
        commands,
        mut incoming,
        ..
    } = sidecar;
    let _ = commands.send(Command::Close).await;
    let ended = async {
        while let Some(item) = incoming.recv().await {
            if matches!(item, Incoming::Closed(_)) {
                break;
            }
        }
    };
    if tokio::time::timeout(DEMO_END, ended).await.is_err() {
        tracing::warn!("the demo server did not end in time");
    }
}

/// Starting the watchdog starts a process: not a job for a runtime thread.
async fn watchdog(core: &Arc<Core>) -> Option<Arc<Watchdog>> {
    let services = Arc::clone(&core.services);
    let started = tokio::task::spawn_blocking(move || services.watchdog()).await;
    match started.ok()? {
        Ok(watchdog) => watchdog,
        Err(error) => {
            core.notice(
                NoticeLevel::Warning,
                WATCHDOG_NOT_STARTED,
                "If Sonde is killed, server processes may keep running: the watchdog that would end them could not be \
                 started.",
                Some(error),
            );
            None
        }
    }
}

async fn secret(core: &Core, name: &str) -> Result<String, OpenError> {
    core.secret(name).await.map_err(OpenError::Secret)
}
