//! The commands that add servers from pasted text and from the files of other clients.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use ts_rs::TS;
use url::Url;

use super::{
    ServerId, address,
    clients::{CLIENTS, Folders, read_file},
    config::ServerConfig,
    export::portable,
    import::{self, Import, link::LONGEST_LINK, presentation::PresentationFile},
};
use crate::{Error, Explorer, changes::Change};

/// How the address of a file begins.
const FILE: &str = "file:";

/// One server found in a text.
#[derive(Clone, Debug)]
pub struct ImportCandidate {
    /// The configuration; values that look like secrets are none of it. When it is imported
    /// unchanged, the secrets come with it.
    pub config: ServerConfig,
    /// What is remarkable or was left out, as plain sentences.
    pub remarks: Vec<String>,
    /// A server with the same command or URL already exists.
    pub duplicate_of: Option<ServerId>,
}

/// What a text contains.
#[derive(Clone, Debug)]
pub struct ImportPreview {
    /// What the text is, in a few words.
    pub recognized: &'static str,
    /// The servers in it, in order.
    pub candidates: Vec<ImportCandidate>,
    /// Entries that could not be understood, as plain sentences with the entry's name.
    pub problems: Vec<String>,
    /// The presentation that the servers are for, where the text is one.
    pub presentation: Option<PresentationPreview>,
}

/// A presentation in a text, before it is imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PresentationPreview {
    /// Its title.
    pub title: String,
    /// Its steps, in order.
    pub steps: Vec<StepPreview>,
}

/// A step of a presentation in a text, before it is imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StepPreview {
    /// What the audience reads.
    pub title: String,
    /// The name of its server in the text.
    pub server: String,
    /// The method, for example `tools/call`.
    pub method: String,
    /// What it calls, as the server names it.
    pub target: String,
    /// The names of the saved inputs that it offers.
    pub inputs: Vec<String>,
}

/// The names of servers in a text, each with the server of the list that is the same.
pub(crate) type KnownServers = Vec<(String, Option<ServerId>)>;

impl From<PresentationFile> for PresentationPreview {
    fn from(file: PresentationFile) -> Self {
        let steps = file.steps.into_iter().map(|step| StepPreview {
            title: step.title,
            server: step.server,
            method: step.method,
            target: step.target,
            inputs: step.inputs.into_iter().map(|input| input.name).collect(),
        });
        Self {
            title: file.title,
            steps: steps.collect(),
        }
    }
}

/// A configuration file of another client.
#[derive(Clone, Debug)]
pub struct InstalledConfiguration {
    /// The client's name.
    pub client: &'static str,
    /// Where the file is.
    pub path: String,
    /// Names exactly this content, for [`Explorer::import_installed`].
    pub fingerprint: String,
    /// What is in it, or why that cannot be said, one plain sentence.
    pub preview: Result<ImportPreview, String>,
}

impl Explorer {
    /// Reads a URL, a command line, a configuration of another client, or a presentation. Adds nothing, and
    /// runs nothing.
    ///
    /// # Errors
    /// `InvalidInput` when the text as a whole holds no servers.
    pub async fn preview_import(&self, text: String) -> Result<ImportPreview, Error> {
        let import = import::read(&text).map_err(Error::invalid)?;
        Ok(self.preview_of(import))
    }

    /// Adds the candidates with these indexes of the same text.
    ///
    /// # Errors
    /// `InvalidInput` when the text holds no such candidates; then nothing was added.
    pub async fn import_servers(
        &self,
        text: String,
        chosen: Vec<u32>,
    ) -> Result<Vec<ServerId>, Error> {
        let import = import::read(&text).map_err(Error::invalid)?;
        let mut inputs = Vec::new();
        for index in chosen {
            let found = usize::try_from(index)
                .ok()
                .and_then(|index| import.found.get(index));
            inputs.push(
                found.ok_or_else(|| Error::invalid("The text does not contain this server."))?,
            );
        }
        let mut added = Vec::new();
        for found in inputs {
            let (input, other) = (found.input.clone(), found.other_fields.clone());
            added.push(self.add_with(input, other).await?);
        }
        Ok(added)
    }

    /// The presentation of a text, with its servers in order.
    ///
    /// # Errors
    /// `InvalidInput` when the text contains no presentation.
    pub(crate) fn presentation_of(
        &self,
        text: &str,
    ) -> Result<(PresentationFile, KnownServers), Error> {
        let import = import::read(text).map_err(Error::invalid)?;
        let file = import.presentation.clone();
        let file = file.ok_or_else(|| Error::invalid("The text contains no presentation."))?;
        let keys: Vec<_> = import.found.iter().map(|found| found.key.clone()).collect();
        let candidates = self.preview_of(import).candidates.into_iter();
        let known = candidates.map(|candidate| candidate.duplicate_of);
        Ok((file, keys.into_iter().zip(known).collect()))
    }

    /// Reads the configuration files of other clients that are on this computer. Adds nothing, runs
    /// nothing, and writes to none of them.
    ///
    /// # Errors
    /// `Internal` when the reading itself failed.
    pub async fn installed_configurations(&self) -> Result<Vec<InstalledConfiguration>, Error> {
        let home = self.core.client_home.clone();
        let read = tokio::task::spawn_blocking(move || {
            let mut files = Vec::new();
            for (client, path) in places(home) {
                match read_file(&path) {
                    Ok(None) => {}
                    Ok(Some(text)) => {
                        files.push((client, path, fingerprint(&text), import::read(&text)));
                    }
                    Err(problem) => files.push((client, path, String::new(), Err(problem))),
                }
            }
            files
        });
        let found = read.await.map_err(Error::internal)?;
        let found =
            found.into_iter().map(
                |(client, path, fingerprint, import)| InstalledConfiguration {
                    client,
                    path: path.display().to_string(),
                    fingerprint,
                    preview: import.map(|import| self.preview_of(import)),
                },
            );
        Ok(found.collect())
    }

    /// Adds the candidates with these indexes of a file of another client, as long as it still has the
    /// content of this fingerprint.
    ///
    /// # Errors
    /// `InvalidInput` when it has changed, or is none of those files; then nothing was added.
    pub async fn import_installed(
        &self,
        path: String,
        fingerprint: String,
        chosen: Vec<u32>,
    ) -> Result<Vec<ServerId>, Error> {
        let home = self.core.client_home.clone();
        let read = tokio::task::spawn_blocking(move || {
            let (_, path) = places(home)
                .into_iter()
                .find(|(_, one)| one.display().to_string() == path)?;
            read_file(&path).ok().flatten()
        });
        let text = read.await.map_err(Error::internal)?;
        match text.filter(|text| self::fingerprint(text) == fingerprint) {
            Some(text) => self.import_servers(text, chosen).await,
            None => Err(Error::invalid(
                "The file has changed since it was read. Look at it again.",
            )),
        }
    }

    /// Keeps a `sonde:` link, or the `file:` address of a file, with which the app was opened until the user looks
    /// at it. A newer one takes its place; nothing comes of either by itself. What is neither, or too long, is not
    /// kept.
    pub fn offer_import(&self, link: String) {
        let known = link.starts_with("sonde:") || link.starts_with(FILE);
        if !known || link.len() > LONGEST_LINK {
            tracing::warn!(
                length = link.len(),
                "what the app was opened with is neither a link nor a file"
            );
            return;
        }
        self.core.state(|state| state.offer = Some(link));
        self.core.observer.changed(Change::Offer);
    }

    /// The link that waits, or the text of the file, for whoever shows it to the user.
    ///
    /// # Errors
    /// `InvalidInput` for a file that is gone, is no plain text file of a reasonable size, or cannot be read.
    pub async fn take_offer(&self) -> Result<Option<String>, Error> {
        let offer = self.core.state(|state| state.offer.take());
        self.core.observer.changed(Change::Offer);
        let Some(address) = offer.as_deref().filter(|offer| offer.starts_with(FILE)) else {
            return Ok(offer);
        };
        let path = Url::parse(address)
            .ok()
            .and_then(|url| url.to_file_path().ok())
            .ok_or_else(|| Error::invalid("Sonde was opened with no file of this computer."))?;
        let read = tokio::task::spawn_blocking(move || read_file(&path));
        match read.await.map_err(Error::internal)? {
            Ok(None) => Err(Error::invalid("The file that was opened is gone.")),
            Ok(text) => Ok(text),
            Err(message) => Err(Error::invalid(message)),
        }
    }

    fn preview_of(&self, import: Import) -> ImportPreview {
        let present: Vec<_> = self.core.state(|state| {
            state
                .servers
                .iter()
                .map(|entry| {
                    // A presentation may have gone out from here, without the secrets.
                    let exported = import.presentation.as_ref();
                    let exported = exported.map(|_| portable(&entry.config).0);
                    (entry.id.clone(), address(&entry.config.transport), exported)
                })
                .collect()
        });
        let candidates = import
            .found
            .into_iter()
            .map(|found| {
                let config = found.input.config;
                let address = address(&config.transport);
                let exported = portable(&config).0;
                let same = present
                    .iter()
                    .find(|(.., other)| other.as_ref() == Some(&exported))
                    .or_else(|| present.iter().find(|(_, other, _)| *other == address));
                ImportCandidate {
                    duplicate_of: same.map(|(id, ..)| id.clone()),
                    config,
                    remarks: found.remarks,
                }
            })
            .collect();
        ImportPreview {
            recognized: import.recognized,
            candidates,
            problems: import.problems,
            presentation: import.presentation.map(Into::into),
        }
    }
}

/// All files of other clients that there may be, with the client's name.
fn places(home: Option<PathBuf>) -> Vec<(&'static str, PathBuf)> {
    let Some(folders) = Folders::find(home.as_deref()) else {
        return Vec::new();
    };
    let of_client = |client: &'static super::clients::ClientFacts| {
        let paths = client.paths(&folders);
        paths.into_iter().map(|path| (client.name, path))
    };
    CLIENTS.iter().flat_map(of_client).collect()
}

/// Names a content; it stands in no file.
fn fingerprint(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
