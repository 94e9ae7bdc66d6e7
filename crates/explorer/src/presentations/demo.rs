//! The presentation of the demo server: a first start has it, and it can be imported again.

use sonde_suite::{format::Suite, problem::Problems};

use super::add::ServersByName;
use crate::{
    Error, Explorer,
    core::Core,
    servers::{PresentationFile, Transport},
};

/// The presentation as an exported file.
const FILE: &str = include_str!("demo.sonde.yaml");
/// Name of the demo server in the file.
const SERVER: &str = "Demo server";

fn file() -> Result<PresentationFile, Problems> {
    Ok(PresentationFile::of_suite(
        &Suite::read("demo.sonde.yaml", FILE)?,
        SERVER,
    ))
}

impl Explorer {
    /// The presentation of the demo server as a text to import.
    ///
    /// # Errors
    /// None to expect.
    pub async fn demo_presentation(&self) -> Result<String, Error> {
        Ok(FILE.to_owned())
    }
}

impl Core {
    /// Adds the presentation of the demo server, if that is in the list.
    pub(crate) fn add_demo_presentation(&self) {
        let server = self.state(|state| {
            let mut servers = state.servers.iter();
            let demo = servers.find(|one| matches!(one.config.transport, Transport::Demo { .. }));
            demo.map(|one| one.id.clone())
        });
        let Some(server) = server else { return };
        let servers = ServersByName::from([(SERVER.to_owned(), server)]);
        let added = match file() {
            Ok(file) => self
                .add_presentation(&file, &servers, "", false)
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = added {
            tracing::error!(
                error,
                "the presentation of the demo server could not be added"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_of_the_demo_server_and_has_words_for_the_speaker() {
        let file = file().unwrap();
        let [(name, _)] = &file.servers[..] else {
            panic!("{:?}", file.servers)
        };
        assert_eq!(name, SERVER);
        assert!(file.steps.len() >= 6);
        for step in &file.steps {
            assert_eq!(step.server, SERVER);
            assert!(!step.title.is_empty() && !step.notes.is_empty());
        }
    }
}
