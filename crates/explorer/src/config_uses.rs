//! Uses of configurations by connections apart from the users' sessions: runs of checks, comparisons and diagnoses.

use std::collections::HashMap;

use tokio_util::sync::{CancellationToken, DropGuard};

use crate::servers::ServerId;

/// Uses of each server's configuration.
///
/// Connections read secrets when they open. A connection that still has a former configuration would send new secrets
/// to its address, so its use must end before they are stored.
#[derive(Default)]
pub(crate) struct ConfigUses {
    by_server: HashMap<ServerId, Vec<ConfigUse>>,
}

struct ConfigUse {
    cancel: CancellationToken,
    ended: CancellationToken,
}

impl ConfigUses {
    /// Adds a use of a server's configuration, which lasts until the guard is dropped. `cancel` is cancelled when it
    /// must end.
    pub(crate) fn add(&mut self, server: ServerId, cancel: &CancellationToken) -> DropGuard {
        let uses = self.by_server.entry(server).or_default();
        uses.retain(|one| !one.ended.is_cancelled());
        let ended = CancellationToken::new();
        uses.push(ConfigUse {
            cancel: cancel.clone(),
            ended: ended.clone(),
        });
        ended.drop_guard()
    }

    /// Cancels all uses of a server's configuration. Returns tokens that are cancelled when they have ended.
    pub(crate) fn cancel(&self, server: &str) -> Vec<CancellationToken> {
        let uses = self.by_server.get(server).into_iter().flatten();
        let uses = uses.filter(|one| !one.ended.is_cancelled());
        let ends = uses.map(|one| {
            one.cancel.cancel();
            one.ended.clone()
        });
        ends.collect()
    }
}
