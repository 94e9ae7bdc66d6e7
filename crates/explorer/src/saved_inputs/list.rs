//! The saved inputs of all servers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{
    Error, files,
    limits::{NAME, SAVED_INPUT, SAVED_INPUT_BYTES, SAVED_INPUTS},
    servers::ServerId,
};

/// A saved input has this id no more.
pub(crate) const GONE: Error = Error::NotFound("This saved input is no longer there.");

/// Arguments of an operation under a name, kept with their server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedInput {
    /// Its id; empty for a new one.
    pub id: String,
    /// Server of the operation.
    pub server: ServerId,
    /// The method, for example `tools/call`.
    pub method: String,
    /// The key of a tool, the name of a prompt, the URI of a resource.
    pub target: String,
    /// Its name.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// Kept in memory only and never exported, since it may contain a secret: set by the window for forms with private
    /// fields, and by the backend for known secrets.
    #[serde(default)]
    pub private: bool,
    /// For an answer to a form: digest of the form's schema. A rule sends the answer only to that form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub schema_digest: Option<String>,
}

impl SavedInput {
    /// True if both are offered for the same target.
    pub(crate) fn has_target_of(&self, other: &Self) -> bool {
        (&self.server, &self.method, &self.target) == (&other.server, &other.method, &other.target)
    }

    fn bytes(&self) -> usize {
        self.method.len() + self.target.len() + self.name.len() + self.arguments.len()
    }
}

/// Saved inputs of all servers. Inputs of one target are in the order in which they are offered.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedInputList {
    pub(super) inputs: Vec<SavedInput>,
}

impl SavedInputList {
    /// The file's text, without private inputs.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let inputs = self.iter().filter(|one| !one.private).cloned().collect();
        files::to_bytes(&Self { inputs }, &files::SAVED_INPUTS)
    }

    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, SavedInput> {
        self.inputs.iter()
    }

    /// Returns the saved inputs of a server, in order.
    pub fn of<'a>(&'a self, server: &'a str) -> impl Iterator<Item = &'a SavedInput> {
        self.inputs.iter().filter(move |one| one.server == server)
    }

    /// Returns the saved input with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&SavedInput> {
        self.inputs.iter().find(|one| one.id == id)
    }

    /// Adds a saved input without an id at the end, or replaces the one with its id. Returns its id.
    ///
    /// # Errors
    /// `InvalidInput` and `ArgumentsNotJson`; `NotFound` when there is none with its id.
    pub(crate) fn put(&mut self, mut input: SavedInput) -> Result<String, Error> {
        input.name = input.name.trim().to_owned();
        self.check(&input)?;
        if input.id.is_empty() {
            input.id = uuid::Uuid::new_v4().to_string();
            self.inputs.push(input.clone());
        } else {
            let known = self.inputs.iter_mut().find(|one| one.id == input.id);
            *known.ok_or(GONE)? = input.clone();
        }
        Ok(input.id)
    }

    fn check(&self, input: &SavedInput) -> Result<(), Error> {
        if input.name.is_empty() {
            return Err(Error::invalid_field("name", "Enter a name."));
        }
        if input.name.chars().count() > NAME {
            let message = format!("A name has at most {NAME} characters.");
            return Err(Error::invalid_field("name", message));
        }
        if input.bytes() > SAVED_INPUT {
            let kib = SAVED_INPUT / 1024;
            return Err(Error::invalid(format!(
                "A saved input has at most {kib} KiB."
            )));
        }
        // Text that cannot be parsed could be exported but not imported.
        if let Err(error) = serde_json::from_str::<Value>(&input.arguments) {
            return Err(Error::NotJson {
                message: "The arguments are not valid JSON.".to_owned(),
                detail: Some(error.to_string()),
            });
        }
        let others = || self.of(&input.server).filter(|one| one.id != input.id);
        if others().count() >= SAVED_INPUTS
            || others().map(SavedInput::bytes).sum::<usize>() + input.bytes() > SAVED_INPUT_BYTES
        {
            return Err(Error::invalid(
                "No more inputs can be saved for this server. Delete some first.",
            ));
        }
        Ok(())
    }

    /// Moves a saved input to this place among the saved inputs of its target; beyond the end means the end. Returns
    /// its server.
    pub(super) fn reorder(&mut self, id: &str, index: usize) -> Option<ServerId> {
        let (_, moved) = self.remove(id)?;
        let same = |one: &&SavedInput| one.has_target_of(&moved);
        let behind = self.inputs.iter().filter(same).nth(index);
        let place =
            behind.and_then(|behind| self.inputs.iter().position(|one| one.id == behind.id));
        let server = moved.server.clone();
        self.insert(place.unwrap_or(self.inputs.len()), moved);
        Some(server)
    }

    /// Removes a saved input and returns it with its index.
    pub(crate) fn remove(&mut self, id: &str) -> Option<(usize, SavedInput)> {
        let index = self.inputs.iter().position(|one| one.id == id)?;
        Some((index, self.inputs.remove(index)))
    }

    /// Inserts a saved input at this index; an index beyond the end means the end.
    pub(crate) fn insert(&mut self, index: usize, input: SavedInput) {
        self.inputs.insert(index.min(self.inputs.len()), input);
    }

    /// Removes and returns the saved inputs of a server.
    pub(crate) fn take(&mut self, server: &str) -> Vec<SavedInput> {
        self.inputs
            .extract_if(.., |one| one.server == server)
            .collect()
    }

    /// Restores the saved inputs of a server.
    pub(crate) fn restore(&mut self, inputs: Vec<SavedInput>) {
        self.inputs.extend(inputs);
    }

    /// Gives a copy of a server copies of its saved inputs. Returns the ids of each and of its copy.
    pub(crate) fn copy(&mut self, from: &str, to: &str) -> Vec<(String, String)> {
        let (ids, copies): (Vec<_>, Vec<_>) = self
            .of(from)
            .map(|one| {
                let copy = SavedInput {
                    id: uuid::Uuid::new_v4().to_string(),
                    server: to.to_owned(),
                    ..one.clone()
                };
                ((one.id.clone(), copy.id.clone()), copy)
            })
            .unzip();
        self.inputs.extend(copies);
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(server: &str, target: &str, name: &str) -> SavedInput {
        SavedInput {
            server: server.to_owned(),
            method: "tools/call".to_owned(),
            target: target.to_owned(),
            name: name.to_owned(),
            arguments: "{}".to_owned(),
            ..SavedInput::default()
        }
    }

    fn names(list: &SavedInputList, server: &str) -> Vec<String> {
        list.of(server).map(|one| one.name.clone()).collect()
    }

    #[test]
    fn the_file_has_no_private_inputs() {
        let mut list = SavedInputList::default();
        list.put(input("s", "x", "a")).unwrap();
        let text = list.to_bytes();
        list.put(SavedInput {
            private: true,
            ..input("s", "x", "login")
        })
        .unwrap();
        assert_eq!(list.to_bytes(), text);
    }

    #[test]
    fn places_are_those_among_the_inputs_of_one_target() {
        let mut list = SavedInputList::default();
        let mut put = |server, target, name| list.put(input(server, target, name)).unwrap();
        let a = put("s", "x", "a");
        put("s", "y", "other target");
        let b = put("s", "x", " b ");
        put("t", "x", "other server");
        let c = put("s", "x", "c");
        let of_x = |list: &SavedInputList| -> String {
            let of_x = list.of("s").filter(|one| one.target == "x");
            of_x.map(|one| one.name.as_str()).collect()
        };
        assert_eq!(of_x(&list), "abc");
        for (id, index, order) in [
            (&c, 0, "cab"),
            (&c, 1, "acb"),
            (&a, 99, "cba"),
            (&b, 1, "cba"),
        ] {
            assert_eq!(list.reorder(id, index).as_deref(), Some("s"));
            assert_eq!(of_x(&list), order);
        }
        assert_eq!(list.reorder("gone", 0), None);
        let (index, removed) = list.remove(&b).unwrap();
        assert_eq!(of_x(&list), "ca");
        list.insert(index, removed);
        assert_eq!(of_x(&list), "cba");

        list.copy("s", "copy");
        assert_eq!(names(&list, "copy"), names(&list, "s"));
        assert!(list.of("copy").all(|one| one.id != a && one.id != b));
        let taken = list.take("s");
        assert_eq!(names(&list, "s").len(), 0);
        list.restore(taken);
        assert_eq!(of_x(&list), "cba");
    }

    #[test]
    fn what_is_no_input_is_refused_in_words() {
        let mut list = SavedInputList::default();
        let id = list.put(input("s", "x", "a")).unwrap();
        let with = |change: &dyn Fn(&mut SavedInput)| {
            let mut input = input("s", "x", "a");
            change(&mut input);
            input
        };
        let long = "x".repeat(SAVED_INPUT);
        for (refused, words) in [
            (with(&|one| one.name = " ".to_owned()), "Enter a name"),
            (with(&|one| one.name = "n".repeat(NAME + 1)), "at most 256"),
            (
                with(&|one| one.arguments = "{".to_owned()),
                "not valid JSON",
            ),
            (
                with(&|one| one.arguments = "[".repeat(1000)),
                "not valid JSON",
            ),
            (with(&|one| one.arguments = format!("{long:?}")), "256 KiB"),
            (with(&|one| one.id = "gone".to_owned()), "no longer there"),
        ] {
            let error = list.put(refused).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        let arguments = r#"{"a":9007199254740993,"a":1e400}"#;
        let changed = SavedInput {
            id: id.clone(),
            arguments: arguments.to_owned(),
            ..input("s", "x", "b")
        };
        assert_eq!(list.put(changed).unwrap(), id);
        assert_eq!(list.get(&id).unwrap().arguments, arguments);
        assert_eq!(list.iter().count(), 1);
    }

    #[test]
    fn there_is_room_for_so_many_of_a_server() {
        let mut list = SavedInputList::default();
        for number in 0..SAVED_INPUTS {
            list.put(input("s", "x", &number.to_string())).unwrap();
        }
        assert!(list.put(input("s", "x", "one more")).is_err());
        let first = list.iter().next().unwrap().clone();
        list.put(first).unwrap();
        let large = SavedInput {
            arguments: format!("{:?}", "x".repeat(SAVED_INPUT - 1024)),
            ..input("t", "x", "large")
        };
        let taken = (0..100).take_while(|_| list.put(large.clone()).is_ok());
        assert_eq!(taken.count(), SAVED_INPUT_BYTES / SAVED_INPUT);
    }
}
