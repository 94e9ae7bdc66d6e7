//! A presentation as one file for another computer: its steps, their saved inputs, and the configurations of
//! their servers, without secrets.

use std::collections::HashSet;
use std::sync::Arc;

use super::list::GONE;
use crate::{
    Error, Explorer,
    log::Redaction,
    saved_inputs::SavedInput,
    servers::{
        FileInput, FileStep, LONGEST, PresentationFile, ServerEntry, ServerId, Transport,
        has_secret, portable,
    },
};

/// A presentation as the text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentationText {
    /// Its title.
    pub title: String,
    /// Content of the file, JSON.
    pub text: String,
    /// Omissions and remaining work, as plain sentences.
    pub notes: Vec<String>,
}

/// A server of the steps.
struct OfFile {
    id: ServerId,
    /// No other one has this name in the file.
    name: String,
    /// `None` for one that was removed.
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
            let mut servers: Vec<OfFile> = Vec::new();
            for step in &found.steps {
                if servers.iter().any(|one| one.id == step.server) {
                    continue;
                }
                let log = state
                    .connections
                    .get(&step.server)
                    .map(|one| Arc::clone(one.log()));
                servers.push(OfFile {
                    id: step.server.clone(),
                    name: free_name(&step.server_name, &servers),
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
        let mut file = PresentationFile::new(presentation.title.clone());
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
            file.servers.insert(server.name.clone(), written);
        }
        for step in presentation.steps {
            let Some(server) = servers.iter().find(|one| one.id == step.server) else {
                continue;
            };
            let mut written = FileStep {
                title: step.title,
                server: server.name.clone(),
                method: step.method,
                target: step.target,
                inputs: Vec::new(),
                notes: step.notes,
            };
            for offered in step.inputs {
                match inputs.iter().find(|one| one.id == offered.id) {
                    Some(input) if !is_secret(input, server) => written.inputs.push(FileInput {
                        name: input.name.clone(),
                        arguments: input.arguments.clone(),
                    }),
                    Some(_) => notes.push(format!(
                        "The saved input “{}” may contain a secret, so it is not part of the file.",
                        offered.name
                    )),
                    None => notes.push(format!(
                        "The saved input “{}” was removed, so it is not part of the file.",
                        offered.name
                    )),
                }
            }
            file.steps.push(written);
        }
        // Texts always have a JSON form.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
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
            // It names the file.
            title: hidden(presentation.title),
            text: shown,
            notes,
        })
    }
}

fn is_secret(input: &SavedInput, server: &OfFile) -> bool {
    let mut redactions = server.redactions.iter();
    // What an import of a server would take for a secret, as the key in a URL.
    let arguments = serde_json::from_str(&input.arguments);
    input.private
        || redactions.any(|one| one.text(&input.arguments) != input.arguments)
        || arguments.is_ok_and(|arguments| has_secret("", &arguments))
}

/// The name, with a number where another server of the file has it.
fn free_name(name: &str, others: &[OfFile]) -> String {
    let is_free = |name: &String| others.iter().all(|one| one.name != *name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}
