//! Saving and importing presentations.

use super::{
    add::{ImportedPresentation, ServersByName, outline},
    list::GONE,
    presentation::Presentation,
};
use crate::{
    Error, Explorer,
    changes::Change,
    core::{Core, State},
    files,
    servers::Chosen,
};

impl Explorer {
    /// Adds a presentation (one without an `id`) at the end, or replaces it whole. Steps without an `id` get
    /// one. Returns the presentation's id.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` beyond the limits (`PRESENTATIONS` and those after it) and without a title, with
    /// `title` as detail.
    pub async fn save_presentation(&self, presentation: Presentation) -> Result<String, Error> {
        let core = &self.core;
        let id = core.state(|state| {
            let id = state.presentations.put(presentation)?;
            core.store_presentations(state);
            Ok::<_, Error>(id)
        })?;
        core.observer.changed(Change::Presentations);
        Ok(id)
    }

    /// Adds the presentation of a text with the chosen servers among its candidates. For other servers, equal ones in
    /// the list are used; steps without a server show that. It replaces the presentation `replace`, if given, which can
    /// be undone.
    ///
    /// # Errors
    /// `InvalidInput` if the text contains no such presentation or servers, or if there is no room for another;
    /// `NotFound` if `replace` does not exist. Then nothing was added.
    pub async fn import_presentation(
        &self,
        text: String,
        chosen: Vec<Chosen>,
        replace: Option<String>,
    ) -> Result<ImportedPresentation, Error> {
        let (file, found) = self.presentation_of(&text)?;
        let replace = replace.unwrap_or_default();
        let outline = Presentation {
            id: replace.clone(),
            ..outline(&file, &ServersByName::new())
        };
        self.core.state(|state| {
            if !replace.is_empty() && state.presentations.get(&replace).is_none() {
                return Err(GONE);
            }
            state.presentations.check(&outline)
        })?;
        let added = self.import_servers(text, chosen.clone()).await?;
        let mut servers = ServersByName::new();
        for (index, (name, known)) in (0..).zip(found) {
            let new = chosen.iter().position(|one| one.index == index);
            if let Some(server) = new.and_then(|place| added.get(place).cloned()).or(known) {
                servers.insert(name, server);
            }
        }
        self.core.add_presentation(&file, &servers, &replace, true)
    }
}

impl Core {
    /// Saves the presentations as they are now, with the names that are known now. Called with the state
    /// locked, so that versions are written in order.
    pub(crate) fn store_presentations(&self, state: &mut State) {
        let State {
            presentations,
            servers,
            saved_inputs,
            ..
        } = state;
        for presentation in presentations.iter_mut() {
            presentation.look_up(servers, saved_inputs);
        }
        let bytes = files::to_bytes(presentations, &files::PRESENTATIONS);
        self.presentations_file.put(bytes);
    }
}
