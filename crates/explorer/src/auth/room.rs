//! One room for each server that is signed in to: its gatekeeper, and the story of its steps.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use sonde_auth::{
    Desk, Exchange, Gatekeeper, GrantType, Secret, Settings, Spec, Standing, StepState, Trace,
};

use super::{exchange, view};
use crate::{
    bus::Key,
    calls::cut,
    clock,
    core::Core,
    ipc::{AuthExchange, AuthStepState, AuthStepView, AuthView, ServerId},
    log::{SecretText, WireLog},
    servers::Transport,
};

/// How many steps are kept.
const STEPS: usize = 100;
/// How long a sentence may be in characters: a server may write half of it.
const LONGEST: usize = 1_000;

/// A server's room.
#[derive(Clone)]
pub(crate) struct Room {
    pub(crate) gatekeeper: Gatekeeper,
    story: Arc<Story>,
    /// The configuration that it was set up with; `None` when what it looked like no longer tells.
    transport: Option<Transport>,
}

/// The rooms of all servers.
#[derive(Default)]
pub(crate) struct Rooms {
    rooms: Mutex<HashMap<ServerId, Room>>,
}

impl Rooms {
    /// The room of a server, made anew where its configuration changed.
    pub(crate) fn open(
        &self,
        core: &Arc<Core>,
        server: &str,
        transport: &Transport,
        settings: Settings,
        log: &Arc<WireLog>,
    ) -> Room {
        let mut rooms = self.lock();
        if let Some(room) = rooms.get(server)
            && room.transport.as_ref() == Some(transport)
        {
            return room.clone();
        }
        // Steps go on counting, so that the window does not take one for another.
        let story = match rooms.get(server) {
            Some(room) => Arc::clone(&room.story),
            None => Arc::new(Story {
                core: Arc::downgrade(core),
                server: server.to_owned(),
                log: Arc::clone(log),
                pages: Mutex::default(),
            }),
        };
        for secret in secrets_of(&settings) {
            log.keep_secret(SecretText::from(secret.expose()));
        }
        let seat = Arc::new(Seat {
            epoch: story.next_epoch(),
            story: Arc::clone(&story),
        });
        let room = Room {
            gatekeeper: Gatekeeper::new(
                server,
                settings,
                Arc::clone(&core.vault),
                Arc::clone(&story) as Arc<dyn Trace>,
                seat,
                Arc::new(clock::millis),
            ),
            story,
            transport: Some(transport.clone()),
        };
        if let Some(old) = rooms.insert(server.to_owned(), room.clone()) {
            // Its sign-in would hold the port, and its token would be what this server uses.
            let close = async move { old.gatekeeper.close().await };
            core.tasks.spawn(close);
        }
        room
    }

    pub(crate) fn get(&self, server: &str) -> Option<Room> {
        self.lock().get(server).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Room> {
        self.lock().values().cloned().collect()
    }

    /// A secret of the server changed: the next connect opens a new room, whatever the rest looks
    /// like.
    pub(crate) fn renovate(&self, server: &str) {
        if let Some(room) = self.lock().get_mut(server) {
            room.transport = None;
        }
    }

    /// The server left the list.
    pub(crate) fn remove(&self, server: &str) -> Option<Room> {
        self.lock().remove(server)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    /// The request of a step and its answer.
    pub(crate) fn exchange(&self, step: u64) -> Option<AuthExchange> {
        let pages = self.story.lock();
        let found = pages.exchanges.iter().rev().find(|(of, _)| *of == step);
        found.map(|(_, exchange)| exchange.clone())
    }
}

/// What a user has entered for signing in and nobody else may see.
fn secrets_of(settings: &Settings) -> Vec<&Secret> {
    let of_grant = match &settings.grant {
        GrantType::Browser | GrantType::ClientSecret => [None, None],
        GrantType::PrivateKey { key, .. } => [Some(key), None],
        GrantType::Enterprise {
            client_secret,
            id_token,
            ..
        } => [Some(id_token), client_secret.as_ref()],
        GrantType::Workload { assertion } => [Some(assertion), None],
    };
    of_grant
        .into_iter()
        .chain([settings.client_secret.as_ref()])
        .flatten()
        .collect()
}

/// The steps of a server's sign-ins, and where the present one stands.
struct Story {
    core: Weak<Core>,
    server: ServerId,
    log: Arc<WireLog>,
    pages: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    /// Whose standing it is: a gatekeeper that was replaced is not listened to any more.
    epoch: u64,
    standing: Standing,
    steps: VecDeque<AuthStepView>,
    exchanges: VecDeque<(u64, AuthExchange)>,
    last: u64,
}

impl Story {
    fn lock(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody else tells the story from now on.
    fn next_epoch(&self) -> u64 {
        let mut pages = self.lock();
        pages.epoch += 1;
        pages.standing = Standing::default();
        pages.epoch
    }

    /// Changes the story and brings what the window sees up to date. Both under one lock, so that
    /// no older view replaces a newer one.
    fn change<T>(&self, change: impl FnOnce(&mut Pages) -> Option<T>) -> Option<T> {
        let mut pages = self.lock();
        let changed = change(&mut pages)?;
        let core = self.core.upgrade()?;
        let view = self.view(&pages);
        let listed = core.state(|state| {
            let listed = state.servers.get(&self.server).is_some();
            if listed {
                state.auth.insert(self.server.clone(), view);
            }
            listed
        });
        if listed {
            core.bus
                .touch_later(Key::Auth(self.server.clone()), &core.tasks);
        }
        Some(changed)
    }

    fn view(&self, pages: &Pages) -> AuthView {
        let standing = &pages.standing;
        AuthView {
            server: self.server.clone(),
            state: view::state(standing),
            grant: standing.account.as_ref().map(view::grant),
            prompt: standing.prompt.as_ref().map(view::prompt),
            problem: standing
                .problem
                .as_ref()
                .map(|problem| view::problem(problem, &self.log)),
            waiting: standing.waiting,
            steps: pages.steps.iter().cloned().collect(),
            wrong_token: standing.wrong_token,
        }
    }
}

/// The place from which one gatekeeper tells its part of the story.
struct Seat {
    story: Arc<Story>,
    epoch: u64,
}

impl Desk for Seat {
    fn show(&self, standing: Standing) {
        if let Some(account) = &standing.account {
            // The tokens in use are the last to be forgotten.
            self.story.learn(account.access_token.expose());
            if let Some(token) = &account.refresh_token {
                self.story.learn(token.expose());
            }
        }
        self.story.change(|pages| {
            let newer = pages.epoch == self.epoch && standing.number > pages.standing.number;
            newer.then(|| pages.standing = standing)
        });
    }
}

impl Trace for Story {
    fn learn(&self, secret: &str) {
        self.log.keep_secret(SecretText::from(secret));
    }

    fn begin(&self, code: &'static str, title: &str, spec: Option<Spec>) -> u64 {
        let now = clock::millis();
        let step = self.change(|pages| {
            pages.last += 1;
            let step = pages.last;
            if pages.steps.len() == STEPS
                && let Some(oldest) = pages.steps.pop_front()
            {
                pages.exchanges.retain(|(of, _)| *of != oldest.step);
            }
            pages.steps.push_back(AuthStepView {
                step,
                at: now,
                millis: None,
                code: code.to_owned(),
                title: title.to_owned(),
                state: AuthStepState::Running,
                sentence: String::new(),
                has_exchange: false,
                spec: spec.map(view::link),
            });
            Some(step)
        });
        // Without an app there is nobody to look at it either.
        step.unwrap_or_default()
    }

    fn exchange(&self, step: u64, exchange: Exchange) {
        let exchange = exchange::redacted(exchange, &self.log);
        let mut pages = self.lock();
        if let Some(view) = pages.steps.iter_mut().find(|view| view.step == step) {
            view.has_exchange = true;
            // A redirect or a nonce: the last word counts.
            pages.exchanges.retain(|(of, _)| *of != step);
            pages.exchanges.push_back((step, exchange));
        }
    }

    fn end(&self, step: u64, state: StepState, sentence: &str) {
        let mut sentence = sentence.to_owned();
        self.log.hide(&mut sentence);
        let sentence = cut(&sentence, LONGEST);
        let title = self.change(|pages| {
            let view = pages.steps.iter_mut().find(|view| view.step == step)?;
            view.millis = Some(clock::millis().saturating_sub(view.at));
            view.state = match state {
                StepState::Done => AuthStepState::Done,
                StepState::Warning => AuthStepState::Warning,
                StepState::Failed => AuthStepState::Failed,
            };
            view.sentence.clone_from(&sentence);
            Some(view.title.clone())
        });
        if let Some(title) = title {
            self.log.note(format!("Sign-in: {title}. {sentence}"));
        }
    }
}
