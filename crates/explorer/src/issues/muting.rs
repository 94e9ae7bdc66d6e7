//! Muting rules for a server.

use std::sync::Arc;

use sonde_findings::rules;

use crate::{
    Error, Explorer,
    changes::Change,
    core::Core,
    lock,
    servers::{MutedRule, ServerId},
};

impl Explorer {
    /// Mutes a rule for a server: its findings no longer count. `reason` is stored with it, at most 500 characters. A
    /// rule that is already muted gets the new reason.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` where no rule has this name.
    pub async fn mute_rule(
        &self,
        server: ServerId,
        rule: String,
        reason: String,
    ) -> Result<(), Error> {
        if rules::find(&rule).is_none() {
            return Err(Error::invalid("There is no such rule."));
        }
        self.change_muted(&server, |muted| {
            let new = MutedRule::new(&rule, &reason);
            match muted.iter_mut().find(|one| one.rule == rule) {
                Some(known) => *known = new,
                None => muted.push(new),
            }
        })
        .await
    }

    /// Findings of a rule count again.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn unmute_rule(&self, server: ServerId, rule: String) -> Result<(), Error> {
        self.change_muted(&server, |muted| muted.retain(|one| one.rule != rule))
            .await
    }

    async fn change_muted(
        &self,
        server: &str,
        change: impl FnOnce(&mut Vec<MutedRule>),
    ) -> Result<(), Error> {
        self.core.mute(server, change)?;
        self.core
            .observer
            .changed(Change::Issues(server.to_owned()));
        self.core.save_servers().await;
        Ok(())
    }
}

impl Core {
    /// The wire log gets to know of changes in the order in which they are made.
    fn mute(&self, server: &str, change: impl FnOnce(&mut Vec<MutedRule>)) -> Result<(), Error> {
        let _turn = lock(&self.muting);
        let (log, muted) = self.state(|state| {
            let (connection, entry) = state.entry(server)?;
            change(&mut entry.muted_rules);
            Ok::<_, Error>((Arc::clone(connection.log()), entry.muted()))
        })?;
        log.set_muted(muted);
        Ok(())
    }
}
