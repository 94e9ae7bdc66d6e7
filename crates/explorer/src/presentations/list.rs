//! The presentations in their order.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::presentation::Presentation;
use crate::{
    Error,
    limits::{NAME, NOTES, PRESENTATION_BYTES, PRESENTATIONS, STEP_INPUTS, STEPS},
    text::{cut, is_blank},
};

/// A presentation has this id no more.
pub(crate) const GONE: Error = Error::NotFound("This presentation is no longer there.");

/// The presentations in their order.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PresentationList {
    presentations: Vec<Presentation>,
}

impl PresentationList {
    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, Presentation> {
        self.presentations.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Presentation> {
        self.presentations.iter_mut()
    }

    /// Returns the presentation with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Presentation> {
        self.presentations.iter().find(|one| one.id == id)
    }

    /// Adds a presentation without an id at the end, or replaces the one with its id. Returns its id. The default title
    /// of a step is its target.
    ///
    /// # Errors
    /// `InvalidInput`, with `title` as detail if that is missing or too long; `NotFound` if no presentation has its id.
    pub(super) fn put(&mut self, mut presentation: Presentation) -> Result<String, Error> {
        presentation.title = presentation.title.trim().to_owned();
        for step in &mut presentation.steps {
            step.title = step.title.trim().to_owned();
            if is_blank(&step.title) {
                // Leaves room for the ellipsis.
                step.title = cut(&step.target, NAME - 1);
            }
        }
        self.check(&presentation)?;
        let mut ids = HashSet::new();
        for step in &mut presentation.steps {
            if step.id.is_empty() || !ids.insert(step.id.clone()) {
                step.id = new_id();
            }
        }
        let id = presentation.id.clone();
        if id.is_empty() {
            presentation.id = new_id();
            let id = presentation.id.clone();
            self.presentations.push(presentation);
            return Ok(id);
        }
        let known = self.presentations.iter_mut().find(|one| one.id == id);
        *known.ok_or(GONE)? = presentation;
        Ok(id)
    }

    /// Checks that a presentation can be added, or can replace the one with its id.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub(super) fn check(&self, presentation: &Presentation) -> Result<(), Error> {
        let Presentation {
            id, title, steps, ..
        } = presentation;
        if is_blank(title) {
            return Err(Error::invalid_field("title", "Enter a title."));
        }
        if title.chars().count() > NAME {
            let message = format!("A title has at most {NAME} characters.");
            return Err(Error::invalid_field("title", message));
        }
        if steps.len() > STEPS {
            return Err(Error::invalid(format!(
                "A presentation has at most {STEPS} steps."
            )));
        }
        for (number, step) in (1..).zip(steps) {
            let longer = if step.title.chars().count() > NAME {
                format!("The title of step {number} has more than {NAME} characters.")
            } else if step.notes.chars().count() > NOTES {
                format!("The notes of step {number} have more than {NOTES} characters.")
            } else if step.inputs.len() > STEP_INPUTS {
                format!("Step {number} offers more than {STEP_INPUTS} saved inputs.")
            } else {
                continue;
            };
            return Err(Error::invalid(longer));
        }
        let others = || self.presentations.iter().filter(|one| one.id != *id);
        if others().count() >= PRESENTATIONS
            || others().map(Presentation::bytes).sum::<usize>() + presentation.bytes()
                > PRESENTATION_BYTES
        {
            return Err(Error::invalid(
                "No more presentations can be saved. Delete some first.",
            ));
        }
        Ok(())
    }

    /// Removes a presentation and returns it with its index.
    pub(crate) fn remove(&mut self, id: &str) -> Option<(usize, Presentation)> {
        let index = self.presentations.iter().position(|one| one.id == id)?;
        Some((index, self.presentations.remove(index)))
    }

    /// Inserts a presentation at this index; an index beyond the end means the end.
    pub(crate) fn insert(&mut self, index: usize, presentation: Presentation) {
        self.presentations
            .insert(index.min(self.presentations.len()), presentation);
    }
}

/// Returns a unique id.
pub(super) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        presentations::{PresentationStep, StepInput},
        saved_inputs::{SavedInput, SavedInputList},
        servers::{ServerConfig, ServerEntry, ServerList, Transport},
    };

    fn step(title: &str) -> PresentationStep {
        PresentationStep {
            title: title.to_owned(),
            ..PresentationStep::default()
        }
    }

    fn presentation(title: &str, steps: Vec<PresentationStep>) -> Presentation {
        Presentation {
            title: title.to_owned(),
            steps,
            ..Presentation::default()
        }
    }

    #[test]
    fn it_is_replaced_whole_and_its_steps_keep_their_ids() {
        let mut list = PresentationList::default();
        let id = list
            .put(presentation(" Tour ", vec![step("a"), step(" b ")]))
            .unwrap();
        let ships = PresentationStep {
            target: "list_ships".to_owned(),
            ..step(" \u{feff}")
        };
        let other = list.put(presentation("Other", vec![ships])).unwrap();
        assert_eq!(list.get(&other).unwrap().steps[0].title, "list_ships");
        let mut tour = list.get(&id).unwrap().clone();
        assert_eq!((&*tour.title, &*tour.steps[1].title), ("Tour", "b"));
        let [a, b] = [0, 1].map(|place| tour.steps[place].id.clone());
        assert!(!a.is_empty() && a != b);
        tour.steps.reverse();
        // As when a step is copied.
        tour.steps.push(tour.steps[0].clone());
        assert_eq!(list.put(tour.clone()).unwrap(), id);
        let ids: Vec<_> = list
            .get(&id)
            .unwrap()
            .steps
            .iter()
            .map(|one| &one.id)
            .collect();
        assert_eq!((ids[0], ids[1]), (&b, &a));
        assert!(ids[2] != ids[0] && ids[2] != ids[1]);

        let (index, removed) = list.remove(&id).unwrap();
        assert_eq!(list.put(tour), Err(GONE));
        list.insert(index, removed);
        let titles: Vec<_> = list.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Tour", "Other"]);
    }

    #[test]
    fn what_is_no_presentation_is_refused_in_words() {
        let mut list = PresentationList::default();
        let notes = PresentationStep {
            notes: "n".repeat(NOTES + 1),
            ..step("a")
        };
        let inputs = PresentationStep {
            inputs: vec![StepInput::default(); STEP_INPUTS + 1],
            ..step("a")
        };
        for (refused, words) in [
            (presentation(" ", Vec::new()), "Enter a title"),
            (presentation("\u{200b}", Vec::new()), "Enter a title"),
            (
                presentation(&"t".repeat(NAME + 1), Vec::new()),
                "at most 256",
            ),
            (presentation("t", vec![step("a"); STEPS + 1]), "200 steps"),
            (
                presentation("t", vec![step(&"s".repeat(NAME + 1))]),
                "title of step 1",
            ),
            (presentation("t", vec![step("a"), notes]), "notes of step 2"),
            (presentation("t", vec![inputs]), "Step 1 offers"),
        ] {
            let error = list.put(refused).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        for number in 0..PRESENTATIONS {
            list.put(presentation(&number.to_string(), Vec::new()))
                .unwrap();
        }
        assert!(list.put(presentation("t", Vec::new())).is_err());
        let first = list.iter().next().unwrap().clone();
        list.put(first).unwrap();
    }

    #[test]
    fn what_was_removed_is_said_and_keeps_its_name() {
        let mut servers = ServerList::default();
        let config = ServerConfig::new("Shop", Transport::Demo { http: false });
        let entry = ServerEntry::new(config);
        let server = entry.id.clone();
        servers.push(entry);
        let mut inputs = SavedInputList::default();
        let input = |target: &str, name: &str| SavedInput {
            server: server.clone(),
            target: target.to_owned(),
            name: name.to_owned(),
            arguments: "{}".to_owned(),
            ..SavedInput::default()
        };
        let here = inputs.put(input("buy", "A pear")).unwrap();
        let elsewhere = inputs.put(input("sell", "A pear")).unwrap();
        let offers = |id: &str| StepInput {
            id: id.to_owned(),
            name: "old name".to_owned(),
            removed: false,
        };
        let mut tour = presentation(
            "Tour",
            vec![PresentationStep {
                server: server.clone(),
                target: "buy".to_owned(),
                inputs: vec![offers(&here), offers(&elsewhere), offers("gone")],
                ..step("Buy something")
            }],
        );
        let said = |tour: &Presentation| -> Vec<(String, bool)> {
            let inputs = tour.steps[0].inputs.iter();
            let inputs = inputs.map(|one| (one.name.clone(), one.removed));
            let server = (
                tour.steps[0].server_name.clone(),
                tour.steps[0].server_removed,
            );
            inputs.chain([server]).collect()
        };
        let of = |all: [(&str, bool); 4]| all.map(|(name, removed)| (name.to_owned(), removed));
        tour.look_up(&servers, &inputs);
        let old = ("old name", true);
        assert_eq!(
            said(&tour),
            of([("A pear", false), old, old, ("Shop", false)])
        );
        servers.remove(&server);
        tour.look_up(&servers, &inputs);
        assert_eq!(
            said(&tour),
            of([("A pear", true), old, old, ("Shop", true)])
        );
    }
}
