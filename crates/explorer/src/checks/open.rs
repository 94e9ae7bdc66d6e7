//! Opening the checks of a server, and choosing their folder.

use std::{path::PathBuf, sync::Arc};

use sonde_suite::{
    format::{Step, Suite},
    run::{Caution, listed_hints},
};

use super::{
    folder::{self, Folder},
    kept::Held,
    types::CheckProblem,
    view::view,
};
use crate::{Error, Explorer, blocking, changes::Change, core::Core, servers::ServerId};

pub(super) const NO_FILE: Error = Error::NotFound("The folder has no such file.");

impl Explorer {
    /// Reads the suites of a server's folder, again if they were read before. Results arrive as changes.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn open_checks(&self, server: ServerId) -> Result<(), Error> {
        self.with_checks(server, |_, _| Ok(())).await
    }

    /// Asks the user for the folder of a server's suites. False when they cancelled.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn choose_checks_folder(&self, server: ServerId) -> Result<bool, Error> {
        self.core.server(&server)?;
        let Some(chosen) = self.core.host.clone().choose_folder().await else {
            return Ok(false);
        };
        self.set_checks_folder(server, Some(chosen)).await?;
        Ok(true)
    }

    /// Switches back to the server's own folder. The files in the other folder stay.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` during a run.
    pub async fn use_own_checks_folder(&self, server: ServerId) -> Result<(), Error> {
        self.set_checks_folder(server, None).await
    }

    /// A suite of a server's folder, and true if that is the server's own.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a file that is not a suite.
    pub(crate) async fn suite_of_checks(
        &self,
        server: ServerId,
        file: String,
    ) -> Result<(Suite, bool), Error> {
        self.with_checks(server.clone(), move |core, held| {
            let folder = core.checks_folder(&server, held);
            let own = folder.own;
            let found = folder.file(&file).ok_or(NO_FILE)?;
            Ok((found.suite.map_err(not_a_suite)?, own))
        })
        .await
    }

    async fn set_checks_folder(
        &self,
        server: ServerId,
        chosen: Option<PathBuf>,
    ) -> Result<(), Error> {
        self.with_checks(server.clone(), move |core, held| {
            core.refuse_in_run(&server)?;
            let kept = held.value();
            // Resolved, since a link could later point to another folder unnoticed.
            let chosen = chosen.map(|path| std::fs::canonicalize(&path).unwrap_or(path));
            if kept.folder != chosen {
                kept.folder = chosen;
                kept.results.clear();
                kept.totals.clear();
                held.write();
            }
            Ok(())
        })
        .await
    }

    /// Changes the checks of a server on a blocking thread, then reads its folder. Changes run one after the other.
    pub(super) async fn with_checks<T: Send + 'static>(
        &self,
        server: ServerId,
        change: impl FnOnce(&Arc<Core>, &mut Held<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.core.server(&server)?;
        let core = Arc::clone(&self.core);
        let of = core.checks.of(&server);
        let of = of.ok_or_else(|| Error::NoServer(server.clone()))?;
        blocking(move || {
            let mut held = of.hold(&core, &server);
            let done = change(&core, &mut held);
            core.read_checks(&server, &mut held);
            core.observer.changed(Change::Checks(server));
            done
        })
        .await?
    }
}

fn not_a_suite(problems: Vec<CheckProblem>) -> Error {
    let first = problems.into_iter().next();
    Error::invalid(first.map_or_else(String::new, |problem| problem.message))
}

impl Core {
    /// Refuses a change after which a run could not keep its results.
    pub(super) fn refuse_in_run(&self, server: &str) -> Result<(), Error> {
        match self.state(|state| state.checks.is_running(server)) {
            true => Err(Error::invalid("The checks are running. Stop them first.")),
            false => Ok(()),
        }
    }

    /// Reads the folder of a server as it is now. Blocks.
    pub(super) fn checks_folder(&self, server: &str, held: &mut Held<'_>) -> Folder {
        match &held.value().folder {
            Some(folder) => folder::read(folder, false),
            None => folder::read(&self.checks.own_folder(server), true),
        }
    }

    /// Reads the folder of a server, and shows it as it is now. Blocks.
    fn read_checks(&self, server: &ServerId, held: &mut Held<'_>) {
        let folder = self.checks_folder(server, held);
        held.value().prune(&folder);
        let connection = self.state(|state| state.connections.get(server).cloned());
        let caution = Self::caution(folder.own);
        let may_destroy = |step: &Step| {
            caution.leaves_out(step, &|name| listed_hints(connection.as_ref()?, name))
        };
        let view = view(server, &folder, held.value(), &may_destroy);
        self.state(|state| {
            // The server may have been removed meanwhile.
            if state.servers.get(server).is_some() {
                let open = state.checks.of.entry(server.clone());
                open.or_default().show(view);
            }
        });
    }

    /// Returns the calls that run only if the user includes destructive ones: in the server's own folder, whose checks
    /// the user created from runs, calls of tools that declare themselves destructive; elsewhere, calls of tools that
    /// do not rule it out.
    pub(super) fn caution(own: bool) -> Caution {
        match own {
            true => Caution::Destructive,
            false => Caution::PerhapsDestructive,
        }
    }
}
