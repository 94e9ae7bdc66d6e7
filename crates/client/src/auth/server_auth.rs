//! The authentication of a server that is signed in to: its token manager, and the history of its
//! steps.
//!
//! Secrets are registered with the log of their server before anything that may contain them is kept.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, Weak},
};

use sonde_auth::{
    AuthObserver, AuthSnapshot, HttpExchange, Secret, Settings, Spec, StepState, TokenManager,
    Trace,
};

use sonde_findings::{Finding, rules};

use super::{
    exchange::{self, AuthExchange},
    status::{self, AuthStatus, AuthStep},
};
use crate::{
    changes::Change,
    clock,
    config::{ServerId, Transport},
    core::Core,
    limits::{LINE, SIGN_IN_BYTES},
    lock,
    log::{SecretText, WireLog},
    text::cut,
};

/// Number of steps kept.
const MAX_STEPS: usize = 100;

/// The authentication of one server.
#[derive(Clone)]
pub(crate) struct ServerAuth {
    pub(crate) tokens: TokenManager,
    history: Arc<History>,
    /// Configuration that this was set up with; `None` forces a new setup at the next connect.
    transport: Option<Transport>,
}

/// The authentication of a server, once that matters.
#[derive(Default)]
pub(crate) struct AuthSlot {
    present: Mutex<Option<ServerAuth>>,
}

impl AuthSlot {
    /// Returns the authentication, created again where its configuration changed.
    pub(crate) fn open(
        &self,
        core: &Arc<Core>,
        transport: &Transport,
        settings: Settings,
    ) -> ServerAuth {
        let mut present = lock(&self.present);
        if let Some(auth) = &*present
            && auth.transport.as_ref() == Some(transport)
        {
            return auth.clone();
        }
        // Step numbers continue, since the window identifies steps by them.
        let history = match &*present {
            Some(auth) => Arc::clone(&auth.history),
            None => Arc::new(History {
                core: Arc::downgrade(core),
                log: Arc::clone(&core.log),
                progress: Mutex::default(),
            }),
        };
        core.log.set_secrets_in_use(texts(settings.secrets()));
        let observer = Arc::new(Observer {
            epoch: history.next_epoch(),
            history: Arc::clone(&history),
        });
        let auth = ServerAuth {
            tokens: TokenManager::new(
                &core.server,
                settings,
                Arc::clone(&core.services.credentials),
                Arc::clone(&history) as Arc<dyn Trace>,
                observer,
                Arc::new(clock::millis),
            ),
            history,
            transport: Some(transport.clone()),
        };
        if let Some(old) = present.replace(auth.clone()) {
            // Otherwise the old sign-in would keep the port, and its token would stay in use.
            let close = async move { old.tokens.close().await };
            core.tasks.spawn(close);
        }
        auth
    }

    pub(crate) fn get(&self) -> Option<ServerAuth> {
        lock(&self.present).clone()
    }

    /// Sets signing in up again at the next connect, with its present history, whatever the configuration: a secret of
    /// the server changed, or signing in was closed.
    pub(crate) fn invalidate(&self) {
        if let Some(auth) = &mut *lock(&self.present) {
            auth.transport = None;
        }
    }
}

impl ServerAuth {
    /// Returns the HTTP exchange of a step.
    pub(crate) fn exchange(&self, step: u64) -> Option<AuthExchange> {
        let progress = lock(&self.history.progress);
        let found = progress.exchanges.iter().rev().find(|(of, _)| *of == step);
        found.map(|(_, exchange)| exchange.clone())
    }

    /// Reports the finding that waits for the protocol version, if it applies in this one.
    pub(crate) fn judge_by(&self, revision: &str) {
        let found = lock(&self.history.progress).no_metadata.take();
        if let Some(finding) = found.filter(|finding| finding.rule.applies_in(revision)) {
            let text = format!("Sign-in: {}", finding.message());
            self.history.log.note_found(text, vec![finding]);
        }
    }
}

/// The steps of a server's sign-ins, and how far the present one is.
struct History {
    core: Weak<Core>,
    log: Arc<WireLog>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    /// Number of the token manager that reports. Reports of replaced managers are dropped.
    epoch: u64,
    snapshot: AuthSnapshot,
    steps: VecDeque<AuthStep>,
    exchanges: VecDeque<(u64, AuthExchange)>,
    last: u64,
    /// Findings of the steps under way, each with its step.
    found: Vec<(u64, Finding)>,
    /// The last discovery found no protected resource metadata, which only some protocol versions require.
    no_metadata: Option<Finding>,
}

impl History {
    /// Another token manager reports from now on.
    fn next_epoch(&self) -> u64 {
        let mut progress = lock(&self.progress);
        progress.epoch += 1;
        progress.snapshot = AuthSnapshot::default();
        progress.epoch
    }

    /// Changes the history and brings what the window sees up to date. Both under one lock, so that
    /// no older state replaces a newer one.
    fn change<T>(&self, change: impl FnOnce(&mut Progress) -> Option<T>) -> Option<T> {
        let mut progress = lock(&self.progress);
        let changed = change(&mut progress)?;
        let core = self.core.upgrade()?;
        let status = self.status(core.server.clone(), &progress);
        core.state(|state| state.auth = Some(status));
        core.owner.changes_often(Change::Auth);
        Some(changed)
    }

    fn status(&self, server: ServerId, progress: &Progress) -> AuthStatus {
        let snapshot = &progress.snapshot;
        AuthStatus {
            server,
            state: snapshot.phase,
            grant: snapshot.token.as_ref().map(status::grant),
            prompt: snapshot.prompt.clone(),
            confirmation: snapshot.confirmation.clone(),
            problem: snapshot
                .problem
                .as_ref()
                .map(|problem| status::problem(problem, &self.log)),
            waiting: snapshot.waiting,
            steps: progress.steps.iter().cloned().collect(),
            wrong_token: snapshot.wrong_token,
        }
    }
}

/// Takes the reports of one token manager.
struct Observer {
    history: Arc<History>,
    epoch: u64,
}

impl AuthObserver for Observer {
    fn changed(&self, snapshot: AuthSnapshot) {
        self.history.change(|progress| {
            let newer = progress.epoch == self.epoch && snapshot.number > progress.snapshot.number;
            newer.then(|| {
                let secrets = texts(&snapshot.secrets);
                self.history.log.set_secrets_in_use(secrets);
                progress.snapshot = snapshot;
            })
        });
    }
}

fn texts<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Vec<SecretText> {
    let secrets = secrets.into_iter();
    secrets
        .map(|secret| SecretText::from(secret.expose()))
        .collect()
}

/// Forgets the oldest until all together are within the limit.
fn keep_newest(exchanges: &mut VecDeque<(u64, AuthExchange)>) {
    let mut held: usize = exchanges.iter().map(|(_, one)| one.weight()).sum();
    for (_, oldest) in exchanges {
        if held <= SIGN_IN_BYTES {
            return;
        }
        held -= oldest.weight();
        oldest.forget();
        held += oldest.weight();
    }
}

impl Trace for History {
    fn add_secret(&self, secret: &str) {
        self.log.keep_secret(SecretText::from(secret));
    }

    fn begin(&self, code: &'static str, title: &str, spec: Option<Spec>) -> u64 {
        let now = clock::millis();
        let step = self.change(|progress| {
            if code == "resource_metadata" {
                progress.no_metadata = None;
            }
            progress.last += 1;
            let step = progress.last;
            if progress.steps.len() == MAX_STEPS
                && let Some(oldest) = progress.steps.pop_front()
            {
                progress.exchanges.retain(|(of, _)| *of != oldest.step);
            }
            progress.steps.push_back(AuthStep {
                step,
                at: now,
                millis: None,
                code: code.to_owned(),
                title: title.to_owned(),
                state: StepState::Running,
                sentence: String::new(),
                has_exchange: false,
                spec: spec.map(Into::into),
            });
            Some(step)
        });
        // The connection is gone, so nobody reads the step.
        step.unwrap_or_default()
    }

    fn exchange(&self, step: u64, exchange: HttpExchange) {
        let exchange = exchange::redacted(exchange, &self.log);
        let mut progress = lock(&self.progress);
        if let Some(view) = progress.steps.iter_mut().find(|view| view.step == step) {
            view.has_exchange = true;
            // After a redirect or a new nonce, only the last exchange of the step is kept.
            progress.exchanges.retain(|(of, _)| *of != step);
            progress.exchanges.push_back((step, exchange));
            keep_newest(&mut progress.exchanges);
        }
    }

    fn add_finding(&self, step: u64, finding: Finding) {
        let mut progress = lock(&self.progress);
        if finding.rule == &rules::NO_RESOURCE_METADATA {
            progress.no_metadata = Some(finding);
        } else if progress.found.len() < MAX_STEPS {
            progress.found.push((step, finding));
        }
    }

    fn end(&self, step: u64, state: StepState, sentence: &str) {
        let mut sentence = sentence.to_owned();
        self.log.hide(&mut sentence);
        let sentence = cut(&sentence, LINE);
        let title = self.change(|progress| {
            let view = progress.steps.iter_mut().find(|view| view.step == step)?;
            view.millis = Some(clock::millis().saturating_sub(view.at));
            view.state = state;
            view.sentence.clone_from(&sentence);
            Some(view.title.clone())
        });
        let found = {
            let found = &mut lock(&self.progress).found;
            let (of_step, others) = std::mem::take(found)
                .into_iter()
                .partition::<Vec<_>, _>(|(of, _)| *of == step);
            *found = others;
            let found = of_step.into_iter().map(|(_, finding)| finding);
            found.collect::<Vec<_>>()
        };
        if let Some(title) = title {
            let text = format!("Sign-in: {title}. {sentence}");
            let is_sound = found.is_empty();
            self.log.note_found(text, found);
            if !is_sound && let Some(core) = self.core.upgrade() {
                core.owner.changes_often(Change::Issues);
            }
        }
    }
}
