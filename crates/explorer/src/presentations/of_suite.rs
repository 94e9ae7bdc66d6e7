//! Presentations of suites in a server's folder.

use sonde_suite::format::Suite;

use super::add::{ImportedPresentation, ServersByName};
use crate::{
    Error, Explorer,
    core::{Core, State},
    servers::{PresentationFile, ServerId, places_of},
};

impl Explorer {
    /// Creates a presentation from a suite in the folder of a server's checks. It replaces a presentation with the same
    /// title that uses only this server, which can be undone.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a suite that cannot be read or has nothing to show, and if there is no room for
    /// another presentation.
    pub async fn present_suite(
        &self,
        server: ServerId,
        file: String,
    ) -> Result<ImportedPresentation, Error> {
        let (suite, own) = self.suite_of_checks(server.clone(), file).await?;
        self.core.present(&suite, &server, !own)
    }
}

impl Core {
    fn present(
        &self,
        suite: &Suite,
        server: &ServerId,
        imported: bool,
    ) -> Result<ImportedPresentation, Error> {
        let mut file = PresentationFile::of_suite(suite, "");
        if file.title.is_empty() {
            suite.stem().clone_into(&mut file.title);
        }
        if let Some(problem) = file.problem() {
            return Err(Error::invalid(problem));
        }
        let (servers, replace) = self.state(|state| {
            let servers = servers_of(&file, suite, server, state);
            let mut all = state.presentations.iter();
            let same = all.find(|one| {
                one.title == file.title && one.steps.iter().all(|step| step.server == *server)
            });
            (servers, same.map(|one| one.id.clone()))
        });
        self.add_presentation(&file, &servers, &replace.unwrap_or_default(), imported)
    }
}

/// Returns the servers of a suite's steps: the only one of the list with the name, or else, for the suite's own server,
/// `server`.
fn servers_of(
    file: &PresentationFile,
    suite: &Suite,
    server: &ServerId,
    state: &State,
) -> ServersByName {
    let entries: Vec<_> = state.servers.iter().collect();
    let names: Vec<_> = entries.iter().map(|one| one.config.name.as_str()).collect();
    let own = suite.server_name().unwrap_or_default();
    let find = |name: &String| {
        let listed = match places_of(name, &names)[..] {
            [place] => Some(entries[place].id.clone()),
            _ => None,
        };
        let found = listed.or_else(|| (name == own).then(|| server.clone()))?;
        Some((name.clone(), found))
    };
    file.steps
        .iter()
        .map(|step| &step.server)
        .filter_map(find)
        .collect()
}
