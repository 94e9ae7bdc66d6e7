//! Tokens between the store and their use.

use super::{
    shared::Shared,
    token::{NewToken, TokenOrigin},
};
use crate::{
    ClientKind, Dpop,
    flow::metadata::{ResourceMatch, match_resource},
    store::{Assignment, Grant},
};

impl Shared {
    /// Reads the keyring when the first request needs it, and not again.
    pub(super) async fn load(&self) {
        if self.state.is_loaded() {
            return;
        }
        let stored = self.store.grant_for_server(&self.server).await;
        let (grant, withheld) = match stored {
            // A locked keyring returns nothing, so the index tells if there is a token.
            Ok(None) => (None, self.store.has_grant(&self.server).await),
            Ok(grant) => (grant, false),
            Err(error) => {
                tracing::warn!(server = self.server, %error, "a stored token cannot be read");
                (None, true)
            }
        };
        match grant.filter(|grant| self.matches_settings(grant)) {
            Some(grant) => {
                let (stored, in_memory) = self.prepare_stored(grant);
                self.state.loaded(stored, in_memory);
            }
            None => self.state.nothing_loaded(withheld),
        }
        self.notify();
    }

    /// True if a stored token fits the current settings. The server, the issuer, the client and the grant may have been
    /// edited since.
    pub(super) fn matches_settings(&self, grant: &Grant) -> bool {
        let settings = &self.settings;
        let named = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let client = match named(&settings.sign_in.client_id) {
            Some(id) => id == grant.client_id,
            None => self.is_non_interactive() || grant.client_kind != ClientKind::Preregistered,
        };
        let document = settings.sign_in.metadata_url.as_deref();
        let documented = grant.client_kind != ClientKind::MetadataDocument
            || document == Some(grant.client_id.as_str());
        let bound = match settings.sign_in.dpop {
            Dpop::Automatic => true,
            Dpop::Always => grant.is_dpop(),
            Dpop::Never => !grant.is_dpop(),
        };
        client
            && documented
            && bound
            && grant.grant_type == settings.sign_in.grant.name()
            && named(&settings.sign_in.issuer).is_none_or(|issuer| issuer == grant.issuer)
            && match_resource(&grant.resource, &settings.server) != ResourceMatch::Mismatch
    }

    /// Uses the token of another instance's sign-in, if this one has none.
    pub(super) async fn adopt_stored(&self) -> bool {
        if self.state.token().is_some() {
            return false;
        }
        let Some(key) = self.store.key_for_server(&self.server).await else {
            return false;
        };
        // The lock waits for a running sign-out or refresh of the token.
        let _lock = self.store.lock(&key).await;
        let stored = self.store.grant_for_server(&self.server).await;
        let stored = stored.ok().flatten();
        let Some(stored) = stored.filter(|one| self.matches_settings(one)) else {
            return false;
        };
        self.trace_stored("Another window or instance has already signed in.");
        let (stored, in_memory) = self.prepare_stored(stored);
        self.state.adopt_if_none(stored, in_memory);
        true
    }

    pub(super) fn trace_stored(&self, sentence: &str) {
        let step = self.step("read_again", "Reload the stored token", None);
        step.done(sentence);
    }

    /// Stores the token of a sign-in, then uses it. Waits for a refresh of the previous one.
    pub(super) async fn store_and_use(&self, new: NewToken) {
        let _lock = self.store.lock(&new.grant.key()).await;
        let in_memory = self.save(&new.grant, Assignment::Replace).await;
        self.state.adopt(new, TokenOrigin::SignIn, in_memory);
    }

    /// Stores a token. `true` if it is only in memory.
    pub(super) async fn save(&self, grant: &Grant, assignment: Assignment) -> bool {
        self.hold(grant.secrets());
        let step = self.step("saved", "Store the token", None);
        match self.store.put_grant(grant, assignment).await {
            Ok(()) => {
                step.done("Stored in the keyring.");
                false
            }
            Err(error) => {
                step.warn(format!(
                    "Stored in memory until Sonde quits, because {error}."
                ));
                true
            }
        }
    }
}
