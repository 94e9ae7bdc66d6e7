//! Adding servers from pasted text and from the files of other clients.

use std::{fmt, path::PathBuf};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use sonde_client::canonical::hex;
use ts_rs::TS;
use url::Url;

use super::{
    ServerConfig, ServerId, address,
    check::check,
    clients::{CLIENTS, Folders, read_file},
    export::portable,
    import::{
        self, ServerInText, ServersInText,
        link::LONGEST_LINK,
        presentation::{FileInput, FileStep, InputPreview, PreparedValue, PresentationFile},
    },
};
use crate::{Error, Explorer, blocking, changes::Change};

/// Beginning of the address of a file.
const FILE: &str = "file:";

/// One server found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportCandidate {
    /// The configuration, without values that look like secrets. An unchanged import includes the secrets.
    pub config: ServerConfig,
    /// Remarks, also on parts that were left out, as plain sentences.
    pub remarks: Vec<String>,
    /// A server with the same command or URL already exists.
    pub duplicate_of: Option<ServerId>,
}

/// Preview of the servers in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportPreview {
    /// Kind of the text, in a few words.
    pub recognized: String,
    /// The servers in it, in order.
    pub candidates: Vec<ImportCandidate>,
    /// Entries that could not be understood, as plain sentences with the entry's name.
    pub problems: Vec<String>,
    /// The presentation that the servers are for, where the text is one.
    pub presentation: Option<PresentationPreview>,
    /// The text with its secrets masked; `None` if it contains none literally.
    pub masked: Option<String>,
}

/// A server of a text to add.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Chosen {
    /// Its place among the candidates.
    pub index: u32,
    /// New name; `None` keeps the name in the text.
    pub name: Option<String>,
}

impl From<u32> for Chosen {
    fn from(index: u32) -> Self {
        Self { index, name: None }
    }
}

/// A presentation in a text, before it is imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PresentationPreview {
    /// Its title.
    pub title: String,
    /// Its steps, in order.
    pub steps: Vec<FileStep<InputPreview>>,
    /// The presentation of the list that has the same title, which it can replace.
    pub same_title: Option<String>,
}

/// Names of servers in a text, each with the equal server of the list.
pub(crate) type KnownServers = Vec<(String, Option<ServerId>)>;

impl From<PresentationFile> for PresentationPreview {
    fn from(file: PresentationFile) -> Self {
        let input = |input: FileInput| InputPreview {
            name: input.name,
            values: values_of(&input.arguments),
        };
        let steps = file.steps.into_iter().map(|step| FileStep {
            title: step.title,
            server: step.server,
            method: step.method,
            target: step.target,
            inputs: step.inputs.into_iter().map(input).collect(),
            notes: step.notes,
        });
        Self {
            title: file.title,
            steps: steps.collect(),
            same_title: None,
        }
    }
}

/// Returns all values of arguments. They are sent as written, so none may be missing here.
fn values_of(arguments: &str) -> Vec<PreparedValue> {
    let whole = |text: &str| PreparedValue {
        name: String::new(),
        text: text.trim().to_owned(),
    };
    match serde_json::from_str::<Members>(arguments) {
        Ok(Members(members)) => members,
        Err(_) => vec![whole(arguments)],
    }
}

/// The members of an object, including repeated ones.
struct Members(Vec<PreparedValue>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    let text = serde_json::from_str::<String>(value.get());
                    let text = text.unwrap_or_else(|_| value.get().to_owned());
                    members.push(PreparedValue { name, text });
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// A configuration file of another client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstalledConfiguration {
    /// The client's name.
    pub client: String,
    /// Path of the file.
    pub path: String,
    /// Names exactly this content, for [`Explorer::import_installed`].
    pub fingerprint: String,
    /// Its content, if it could be read.
    pub preview: Option<ImportPreview>,
    /// Reason why it could not be read, one plain sentence.
    pub problem: Option<String>,
}

impl Explorer {
    /// Reads a URL, a command line, a configuration of another client, or a presentation. Adds nothing, and
    /// runs nothing.
    ///
    /// # Errors
    /// `InvalidInput` when the text as a whole holds no servers.
    pub async fn preview_import(&self, text: String) -> Result<ImportPreview, Error> {
        let import = import::read(&text).map_err(Error::invalid)?;
        let masked = masked(&text, &import.servers);
        Ok(ImportPreview {
            masked,
            ..self.preview_of(import)
        })
    }

    /// Adds the chosen candidates of the same text, under the names that were chosen for them.
    ///
    /// # Errors
    /// `InvalidInput` when the text holds no such candidates, or for a name that no server can have; then nothing was
    /// added.
    pub async fn import_servers(
        &self,
        text: String,
        chosen: Vec<Chosen>,
    ) -> Result<Vec<ServerId>, Error> {
        let mut inputs = Vec::new();
        for (found, name) in chosen_of(&text, chosen)? {
            let mut input = found.input;
            if let Some(name) = name {
                input.config.name = name;
            }
            inputs.push((check(input, &[])?, found.other_fields));
        }
        let mut added = Vec::new();
        for (input, other) in inputs {
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
        let names: Vec<_> = import.servers.iter().map(|one| one.name.clone()).collect();
        let candidates = self.preview_of(import).candidates.into_iter();
        let known = candidates.map(|candidate| candidate.duplicate_of);
        Ok((file, names.into_iter().zip(known).collect()))
    }

    /// Reads the configuration files of other clients that are on this computer. Adds nothing, runs
    /// nothing, and writes to none of them.
    ///
    /// # Errors
    /// `Internal` when the reading itself failed.
    pub async fn installed_configurations(&self) -> Result<Vec<InstalledConfiguration>, Error> {
        let home = self.core.client_home.clone();
        let read = blocking(move || {
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
        let found = read
            .await?
            .into_iter()
            .map(|(client, path, fingerprint, import)| {
                let (preview, problem) = match import {
                    Ok(import) => (Some(self.preview_of(import)), None),
                    Err(problem) => (None, Some(problem)),
                };
                InstalledConfiguration {
                    client: client.to_owned(),
                    path: path.display().to_string(),
                    fingerprint,
                    preview,
                    problem,
                }
            });
        Ok(found.collect())
    }

    /// Adds the chosen candidates of a file of another client, as long as it still has the content of this
    /// fingerprint.
    ///
    /// # Errors
    /// `InvalidInput` if it has changed, or is none of those files; then nothing was added.
    pub async fn import_installed(
        &self,
        path: String,
        fingerprint: String,
        chosen: Vec<Chosen>,
    ) -> Result<Vec<ServerId>, Error> {
        let home = self.core.client_home.clone();
        let read = blocking(move || {
            let (_, path) = places(home)
                .into_iter()
                .find(|(_, one)| one.display().to_string() == path)?;
            read_file(&path).ok().flatten()
        });
        match read
            .await?
            .filter(|text| self::fingerprint(text) == fingerprint)
        {
            Some(text) => self.import_servers(text, chosen).await,
            None => Err(Error::invalid(
                "The file has changed since it was read. Look at it again.",
            )),
        }
    }

    /// Stores a `sonde:` link, or the `file:` address of a file, with which the app was opened, until the user reviews
    /// it. A newer one replaces it; neither has an effect by itself. Other and too long texts are ignored.
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

    /// Removes and returns the stored link, or the text of the file, to show it to the user.
    ///
    /// # Errors
    /// `InvalidInput` for a file that is gone, is not a plain text file of a reasonable size, or cannot be read.
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
        match blocking(move || read_file(&path)).await? {
            Ok(None) => Err(Error::invalid("The file that was opened is gone.")),
            Ok(text) => Ok(text),
            Err(message) => Err(Error::invalid(message)),
        }
    }

    fn preview_of(&self, import: ServersInText) -> ImportPreview {
        let mut presentation = import.presentation.clone().map(PresentationPreview::from);
        let present: Vec<_> = self.core.state(|state| {
            if let Some(presentation) = &mut presentation {
                let mut all = state.presentations.iter();
                let same = all.find(|one| one.title.trim() == presentation.title.trim());
                presentation.same_title = same.map(|one| one.id.clone());
            }
            state
                .servers
                .iter()
                .map(|entry| {
                    // The text may be an export of this list, which has no secrets.
                    let exported = import.presentation.as_ref();
                    let exported = exported.map(|_| portable(&entry.config).0);
                    (entry.id.clone(), address(&entry.config.transport), exported)
                })
                .collect()
        });
        let candidates = import
            .servers
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
            recognized: import.recognized.to_owned(),
            candidates,
            problems: import.problems,
            presentation,
            masked: None,
        }
    }
}

/// Replacement of a secret. Its length does not reveal the secret's length.
const DOTS: &str = "••••••••";

/// Shortest secret that is hidden, in bytes: shorter values occur in a text for other reasons too.
const SHORTEST_SECRET: usize = 4;

/// Returns the text without the secrets that were found in it; `None` if nothing was replaced. Secrets that are written
/// in another way, for example with escapes, stay.
fn masked(text: &str, found: &[ServerInText]) -> Option<String> {
    let secrets = found.iter().flat_map(|found| &found.input.secrets);
    let values = secrets.filter_map(|(_, secret)| Some(secret.as_ref()?.expose()));
    let mut values: Vec<_> = values
        .filter(|value| value.len() >= SHORTEST_SECRET)
        .collect();
    // One may be a part of another.
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let masked = values
        .iter()
        .fold(text.to_owned(), |text, value| text.replace(value, DOTS));
    (masked != text).then_some(masked)
}

/// The chosen candidates of a text, each with the name that was chosen for it.
///
/// # Errors
/// `InvalidInput` when the text holds no such candidates.
fn chosen_of(
    text: &str,
    chosen: Vec<Chosen>,
) -> Result<Vec<(ServerInText, Option<String>)>, Error> {
    let import = import::read(text).map_err(Error::invalid)?;
    let mut found: Vec<_> = import.servers.into_iter().map(Some).collect();
    let mut one = |index: u32| found.get_mut(usize::try_from(index).ok()?)?.take();
    let chosen = chosen.into_iter().map(|Chosen { index, name }| {
        let found = one(index);
        let found = found.ok_or_else(|| Error::invalid("The text does not contain this server."));
        Ok((found?, name))
    });
    chosen.collect()
}

/// Returns the paths of all possible files of other clients, with the client's name.
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

/// Returns the fingerprint of a content; it is never stored.
fn fingerprint(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(arguments: &str) -> Vec<(String, String)> {
        let values = values_of(arguments).into_iter();
        values.map(|one| (one.name, one.text)).collect()
    }

    #[test]
    fn every_value_that_would_be_sent_is_in_the_preview() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(
            values(
                r#" { "n": 9007199254740993.0, "n": 1e400, "s": "a\u202e\"b\"", "o": {"x": 1, "x": [2]}, "": null } "#
            ),
            [
                pair("n", "9007199254740993.0"),
                pair("n", "1e400"),
                pair("s", "a\u{202e}\"b\""),
                pair("o", r#"{"x": 1, "x": [2]}"#),
                pair("", "null"),
            ]
        );
        assert_eq!(values("{}"), []);
        for arguments in ["[1, 2]", "\"text\"", "17", "null"] {
            assert_eq!(values(arguments), [pair("", arguments)]);
        }
    }

    #[test]
    fn secrets_of_a_text_are_masked_and_nothing_else() {
        let seen = |text: &str| masked(text, &import::read(text).unwrap().servers);
        assert_eq!(
            seen("API_TOKEN=sk-01234567 npx -y @scope/server --api-key sk-0123456789").as_deref(),
            Some("API_TOKEN=•••••••• npx -y @scope/server --api-key ••••••••")
        );
        assert_eq!(seen("npx -y @scope/server /home/ada"), None);
    }

    #[test]
    fn a_candidate_is_chosen_once() {
        let text = r#"{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}"#;
        let named = Chosen {
            index: 1,
            name: Some("mine".to_owned()),
        };
        let chosen = chosen_of(text, vec![named, 0.into()]).unwrap();
        let chosen: Vec<_> = chosen
            .into_iter()
            .map(|(found, name)| (found.name, name))
            .collect();
        let expected = [
            ("b".to_owned(), Some("mine".to_owned())),
            ("a".to_owned(), None),
        ];
        assert_eq!(chosen, expected);
        for indexes in [vec![2], vec![0, 0]] {
            let indexes = indexes.into_iter().map(Chosen::from).collect();
            assert!(chosen_of(text, indexes).is_err());
        }
    }
}
