//! A presentation as a suite for another computer: its steps with their saved inputs, and the configurations of
//! their servers, without secrets.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use serde_json::{Map, Value, json};
use sonde_suite::{
    edit::{escaped, insert_json, suite_text},
    format::ITEM_METHODS,
};

use super::{list::GONE, presentation::PresentationStep};
use crate::{
    Error, Explorer,
    log::Redaction,
    saved_inputs::SavedInput,
    servers::{LONGEST, ServerEntry, ServerId, Transport, free_name, has_secret, portable},
};

/// A presentation as the text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentationText {
    /// Its title.
    pub title: String,
    /// Content of the file, a suite.
    pub text: String,
    /// Omissions and remaining work, as plain sentences.
    pub notes: Vec<String>,
}

/// A server of the steps.
struct StepServer {
    id: ServerId,
    /// Unique name in the file.
    name: String,
    /// `None` for a removed server.
    entry: Option<ServerEntry>,
    /// Its known secrets, in use or stored.
    redactions: Vec<Redaction>,
}

impl Explorer {
    /// A presentation with its saved inputs and servers as the text of one file, without secrets.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` when the text is longer than an import reads; `KeyringUnavailable` when
    /// a secret of its servers cannot be read.
    pub async fn export_presentation(
        &self,
        presentation: String,
    ) -> Result<PresentationText, Error> {
        let (presentation, mut servers, inputs) = self.core.state(|state| {
            let found = state.presentations.get(&presentation).ok_or(GONE)?;
            let mut found = found.clone();
            found.look_up(&state.servers, &state.saved_inputs);
            let mut servers: Vec<StepServer> = Vec::new();
            for step in &found.steps {
                if servers.iter().any(|one| one.id == step.server) {
                    continue;
                }
                let log = state
                    .connections
                    .get(&step.server)
                    .map(|one| Arc::clone(one.log()));
                servers.push(StepServer {
                    id: step.server.clone(),
                    name: free_name(&step.server_name, " ", |name| {
                        servers.iter().any(|one| one.name == name)
                    }),
                    entry: state.servers.get(&step.server).cloned(),
                    redactions: log.map(|log| log.redaction()).into_iter().collect(),
                });
            }
            let offered = found.steps.iter().flat_map(|step| &step.inputs);
            let offered = offered.filter(|one| !one.removed);
            let inputs: Vec<SavedInput> = offered
                .filter_map(|one| state.saved_inputs.get(&one.id).cloned())
                .collect();
            Ok::<_, Error>((found, servers, inputs))
        })?;
        for server in &mut servers {
            if let Some(entry) = &server.entry {
                let stored = self.core.stored_secrets(entry).await?;
                server.redactions.push(stored);
            }
        }
        let mut notes = Vec::new();
        let mut described = Map::new();
        for server in &servers {
            let Some(entry) = &server.entry else {
                notes.push(format!(
                    "The server “{}” was removed, so it is not part of the file.",
                    server.name
                ));
                continue;
            };
            let (written, remarks) = portable(&entry.config);
            let of_server = |remark: String| format!("{}: {remark}", server.name);
            notes.extend(remarks.into_iter().map(of_server));
            if matches!(entry.config.transport, Transport::Stdio { .. }) {
                notes.push(of_server(
                    "It runs a command, which has to be there on the other computer as well."
                        .to_owned(),
                ));
            }
            described.insert(server.name.clone(), written);
        }
        let mut keys = Map::new();
        keys.insert("name".to_owned(), presentation.title.as_str().into());
        if let Some(first) = servers.first() {
            keys.insert("server".to_owned(), first.name.as_str().into());
        }
        let secrets = secrets_in(&described);
        keys.insert("servers".to_owned(), described.into());
        if !secrets.is_empty() {
            keys.insert("secrets".to_owned(), json!(secrets));
        }
        let mut steps = Vec::new();
        for step in &presentation.steps {
            let Some(server) = servers.iter().find(|one| one.id == step.server) else {
                continue;
            };
            let mut offered = Vec::new();
            for input in &step.inputs {
                match inputs.iter().find(|one| one.id == input.id) {
                    Some(saved) if !is_secret(saved, server) => offered.push(saved),
                    Some(_) => notes.push(format!(
                        "The saved input “{}” may contain a secret, so it is not part of the file.",
                        input.name
                    )),
                    None => notes.push(format!(
                        "The saved input “{}” was removed, so it is not part of the file.",
                        input.name
                    )),
                }
            }
            let named = (server.name != servers[0].name).then_some(&*server.name);
            steps.extend(written(step, named, &offered));
        }
        let text = suite_text(&keys, &steps);
        let redactions = || servers.iter().flat_map(|one| &one.redactions);
        let hidden = |text: String| redactions().fold(text, |text, one| one.text(&text));
        let shown = hidden(text.clone());
        if shown != text {
            notes.push("A secret that stood in it was replaced.".to_owned());
        }
        if shown.len() > LONGEST {
            return Err(Error::invalid(
                "The file would be larger than 4 MiB. Offer fewer or smaller saved inputs.",
            ));
        }
        let mut said = HashSet::new();
        notes.retain(|note| said.insert(note.clone()));
        Ok(PresentationText {
            // The title becomes the file name.
            title: hidden(presentation.title),
            text: shown,
            notes,
        })
    }
}

/// Returns the steps of a suite for a step of a presentation, one per offered input. `server` is set if it differs from
/// the suite's.
fn written(
    step: &PresentationStep,
    server: Option<&str>,
    offered: &[&SavedInput],
) -> Vec<Map<String, Value>> {
    let verb = ITEM_METHODS
        .iter()
        .find(|(method, _)| *method == step.method);
    let Some((_, verb)) = verb else {
        return Vec::new();
    };
    let of_input = |(place, input): (usize, Option<&&SavedInput>)| {
        let mut keys = Map::new();
        let mut insert = |key: &str, text: &str| {
            keys.insert(key.to_owned(), escaped(text.into()));
        };
        insert("title", &step.title);
        if let Some(input) = input {
            insert("name", &input.name);
        }
        // The first one starts a new step of the presentation, even without a title or notes.
        if place == 0 {
            insert("notes", &step.notes);
        }
        if let Some(server) = server {
            insert("server", server);
        }
        insert(verb, &step.target);
        if let Some(input) = input.filter(|_| *verb != "read") {
            let mut arguments = Map::new();
            insert_json(&mut arguments, "with", &input.arguments);
            let arguments = arguments.into_iter();
            keys.extend(arguments.map(|(key, value)| (key, escaped(value))));
        }
        keys
    };
    match offered {
        [] => vec![of_input((0, None))],
        offered => offered.iter().map(Some).enumerate().map(of_input).collect(),
    }
}

/// Names of the secrets in the servers of a suite.
fn secrets_in(servers: &Map<String, Value>) -> BTreeSet<String> {
    let text = Value::from(servers.clone()).to_string();
    let places = text.split("${secrets.").skip(1);
    let names = places.filter_map(|place| place.split_once('}'));
    names.map(|(name, _)| name.to_owned()).collect()
}

fn is_secret(input: &SavedInput, server: &StepServer) -> bool {
    let mut redactions = server.redactions.iter();
    // Values that an import would treat as secrets, such as a key in a URL.
    let arguments = serde_json::from_str(&input.arguments);
    input.private
        || redactions.any(|one| one.text(&input.arguments) != input.arguments)
        || arguments.is_ok_and(|arguments| has_secret("", &arguments))
}
