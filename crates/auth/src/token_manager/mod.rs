//! The credentials of one server's requests.
//!
//! A [`TokenManager`] holds the token of a server while the app runs. Requests ask it for credentials; a rejected one
//! waits here while *one* job gets a new token for all of them: a refresh, a sign-in, or a sign-in for more scopes. The
//! job is a task of its own, so that it survives the request that started it.

// State, and snapshots for its observer.
mod snapshot;
mod token;

mod job;
mod state;

mod shared;

// Calls of requests.
mod authenticator;
mod run_job;

// Work of a job.
mod stored;

mod refresh;

mod sign_in;
mod sign_in_context;

mod authorization_code;

mod issuer_confirmation;
mod non_interactive;

// Commands of the user.
mod commands;

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use self::snapshot::{
    AuthObserver, AuthSnapshot, IssuerConfirmation, Phase, Prompt, TokenFacts, TokenInfo,
};
use self::{shared::Shared, state::State};
use crate::{Clock, CredentialStore, Settings, Trace};

/// Uses, refreshes and requests the token of one server. Cheap to clone; all clones share one state.
#[derive(Clone)]
pub struct TokenManager {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for TokenManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenManager")
            .field("server", &self.shared.server)
            .finish_non_exhaustive()
    }
}

impl TokenManager {
    /// Creates a token manager for a server of the list. Nothing is read or sent yet. Its jobs run on the runtime of
    /// their callers.
    #[must_use]
    pub fn new(
        server: impl Into<String>,
        settings: Settings,
        store: Arc<CredentialStore>,
        trace: Arc<dyn Trace>,
        observer: Arc<dyn AuthObserver>,
        clock: Clock,
    ) -> Self {
        let shared = Arc::new(Shared {
            server: server.into(),
            settings,
            store,
            trace,
            clock,
            state: State::default(),
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            observer,
        });
        Self { shared }
    }
}
