//! Shared parts of a token manager: settings, clock, state, observer.

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    snapshot::AuthObserver,
    state::{Activity, State},
    token::NewToken,
};
use crate::{
    ClientKind, Clock, CredentialStore, GrantConfig, Problem, Secret, Settings, Spec, Trace,
    flow::{address_policy::Source, client::Client, dpop::DpopSigner, http_client::HttpClient},
    store::Grant,
    trace::Step,
};

/// A token manager's settings, surroundings and state.
pub(super) struct Shared {
    /// The server's id in the list.
    pub(super) server: String,
    pub(super) settings: Settings,
    pub(super) store: Arc<CredentialStore>,
    pub(super) trace: Arc<dyn Trace>,
    pub(super) clock: Clock,
    pub(super) state: State,
    pub(super) tasks: TaskTracker,
    /// Cancelled when the token manager ends.
    pub(super) closing: CancellationToken,
    pub(super) observer: Arc<dyn AuthObserver>,
}

impl Shared {
    /// Returns the time in milliseconds since the Unix epoch.
    pub(super) fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Sends a snapshot to the observer.
    pub(super) fn notify(&self) {
        let mut snapshot = self.state.snapshot();
        snapshot.secrets.extend(self.settings.secrets().cloned());
        self.observer.changed(snapshot);
    }

    /// Notes that a job started this activity.
    pub(super) fn busy(&self, activity: Activity) {
        self.state.busy(activity);
        self.notify();
    }

    /// Reports the problem for which no job starts after a rejection. `token_usable`: the token is still good for
    /// other requests.
    pub(super) fn fail(&self, problem: Problem, token_usable: bool) {
        self.state.failed(problem, token_usable);
        self.notify();
    }

    /// Counts a request as waiting until the guard is dropped.
    pub(super) fn park(self: &Arc<Self>) -> Parked {
        self.state.park();
        self.notify();
        Parked {
            shared: Arc::clone(self),
        }
    }

    /// Begins a step of the sign-in history.
    pub(super) fn step(
        &self,
        code: &'static str,
        title: &str,
        spec: impl Into<Option<Spec>>,
    ) -> Step {
        Step::begin(&self.trace, code, title, spec)
    }

    /// True if no user is involved: a new token is requested the same way as the first.
    pub(super) fn is_non_interactive(&self) -> bool {
        !matches!(self.settings.sign_in.grant, GrantConfig::Browser)
    }

    /// Creates a client with the connection settings of the server's own requests.
    pub(super) fn http_client(&self) -> HttpClient {
        HttpClient::new(&self.settings.server, &self.settings.network)
    }

    /// Returns the client that a token was issued to, with the secret that the user entered last if its authorization
    /// server may see that.
    pub(super) async fn client_of(&self, grant: &Grant) -> Client {
        let mut client = grant.client();
        if client.kind == ClientKind::Preregistered
            && let (Some(old), Some(entered)) =
                (&mut client.secret, &self.settings.sign_in.client_secret)
            && self.trusted_issuer().await.as_ref() == Some(&grant.issuer)
        {
            old.clone_from(entered);
        }
        client
    }

    /// Returns the source of a token's endpoints, or an estimate from the latest challenge.
    pub(super) fn source_of(&self, grant: &Grant) -> Source {
        let server = &self.settings.server;
        (grant.source).unwrap_or_else(|| Source::answer(server, self.state.challenge().peer))
    }

    /// Hides these secrets of a job from now on.
    pub(super) fn hold<'a>(&self, secrets: impl IntoIterator<Item = &'a str>) {
        let secrets = secrets.into_iter().map(Secret::new);
        secrets.for_each(|secret| self.state.hold(secret));
        self.notify();
    }

    /// Prepares a stored token for use; also returns true if it is only in memory. All its secrets are hidden from now
    /// on.
    pub(super) fn prepare_stored(&self, grant: Grant) -> (NewToken, bool) {
        let secrets = grant.secrets();
        secrets.for_each(|secret| self.trace.add_secret(secret));
        let in_memory = self.store.is_unsaved(&grant.key());
        let signer = self.signer_for(&grant);
        (NewToken { grant, signer }, in_memory)
    }

    fn signer_for(&self, grant: &Grant) -> Option<Arc<DpopSigner>> {
        let key = grant.dpop_key.as_deref()?;
        match DpopSigner::restore(key, Arc::clone(&self.clock)) {
            Ok(signer) => Some(Arc::new(signer)),
            Err(problem) => {
                tracing::warn!(%problem, "a stored key cannot be used");
                None
            }
        }
    }
}

/// A waiting request, counted until this is dropped.
pub(super) struct Parked {
    shared: Arc<Shared>,
}

impl Drop for Parked {
    fn drop(&mut self) {
        self.shared.state.unpark();
        self.shared.notify();
    }
}
