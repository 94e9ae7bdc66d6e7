//! The list and its file.

use std::{io, path::Path};

use serde_json::{Map, Value, json};

use super::ServerEntry;
use crate::{
    files,
    ipc::{EraDraft, ServerDraft, ServerId, TransportDraft},
};

/// The version of the file that this app writes.
const VERSION: u64 = 1;

/// The servers in list order.
#[derive(Debug, Default)]
pub(crate) struct ServerList {
    entries: Vec<ServerEntry>,
    /// Entries of the file that could not be read: kept and written back as they are.
    unreadable: Vec<Value>,
    /// The other members of the file.
    file: Map<String, Value>,
}

impl ServerList {
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, ServerEntry> {
        self.entries.iter()
    }

    pub(crate) fn get(&self, id: &str) -> Option<&ServerEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut ServerEntry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    /// The ids in order.
    pub(crate) fn order(&self) -> Vec<ServerId> {
        self.entries.iter().map(|entry| entry.id.clone()).collect()
    }

    pub(crate) fn push(&mut self, entry: ServerEntry) {
        self.entries.push(entry);
    }

    /// Adds an entry behind another one, or at the end.
    pub(crate) fn insert_behind(&mut self, id: &str, entry: ServerEntry) {
        let index = self
            .entries
            .iter()
            .position(|entry| entry.id == id)
            .map_or(self.entries.len(), |index| index + 1);
        self.entries.insert(index, entry);
    }

    pub(crate) fn remove(&mut self, id: &str) -> Option<ServerEntry> {
        let index = self.entries.iter().position(|entry| entry.id == id)?;
        Some(self.entries.remove(index))
    }

    /// Moves an entry to this place; beyond the end means the end.
    pub(crate) fn reorder(&mut self, id: &str, index: usize) -> bool {
        let Some(entry) = self.remove(id) else {
            return false;
        };
        let index = index.min(self.entries.len());
        self.entries.insert(index, entry);
        true
    }

    /// The file's text.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut file = self.file.clone();
        // A newer app's number stays: its fields are still there.
        let version = file
            .get("version")
            .and_then(Value::as_u64)
            .unwrap_or(0)
            .max(VERSION);
        file.insert("version".to_owned(), json!(version));
        let servers = self
            .entries
            .iter()
            .map(ServerEntry::write)
            .chain(self.unreadable.iter().cloned())
            .collect();
        file.insert("servers".to_owned(), Value::Array(servers));
        format!("{:#}\n", Value::Object(file)).into_bytes()
    }

    fn first_start() -> Self {
        let mut list = Self::default();
        list.push(ServerEntry::new(ServerDraft {
            name: "Demo server".to_owned(),
            transport: TransportDraft::Demo { http: false },
            idle_seconds: None,
            hard_seconds: None,
            era: EraDraft::default(),
            stream_attempts: None,
        }));
        list
    }

    fn parse(text: &[u8]) -> Result<(Self, Vec<String>), String> {
        let Value::Object(mut file) =
            serde_json::from_slice(text).map_err(|error| error.to_string())?
        else {
            return Err("it holds no JSON object".to_owned());
        };
        let Some(Value::Array(servers)) = file.remove("servers") else {
            return Err("it has no list `servers`".to_owned());
        };
        let mut list = Self {
            file,
            ..Self::default()
        };
        let mut problems = Vec::new();
        for (index, server) in servers.into_iter().enumerate() {
            let read = match &server {
                Value::Object(stored) => ServerEntry::read(stored.clone()),
                _ => Err("it is no object".to_owned()),
            };
            match read {
                Ok(entry) if list.get(&entry.id).is_none() => list.push(entry),
                Ok(_) => {
                    problems.push(format!("Server {}: its id is taken.", index + 1));
                    list.unreadable.push(server);
                }
                Err(problem) => {
                    problems.push(format!("Server {}: {problem}.", index + 1));
                    list.unreadable.push(server);
                }
            }
        }
        Ok((list, problems))
    }
}

/// What became of the file.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) list: ServerList,
    /// The list differs from the file: save it.
    pub(crate) changed: bool,
    /// The file must not be written, since what it holds is not known.
    pub(crate) locked: bool,
    /// What the user should know: code, title, detail.
    pub(crate) notice: Option<(&'static str, String, Option<String>)>,
}

/// Reads the file, or makes the list of a first start. A file that cannot be understood is renamed,
/// never overwritten. Blocks.
pub(crate) fn load(path: &Path) -> Loaded {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Loaded {
                list: ServerList::first_start(),
                changed: true,
                locked: false,
                notice: None,
            };
        }
        Err(error) => {
            return Loaded {
                list: ServerList::first_start(),
                changed: false,
                locked: true,
                notice: Some((
                    "servers_file_unreadable",
                    "The server list could not be read, so changes will not be saved.".to_owned(),
                    Some(format!("{}: {error}", path.display())),
                )),
            };
        }
    };
    match ServerList::parse(&text) {
        Ok((list, problems)) => Loaded {
            list,
            changed: false,
            locked: false,
            notice: (!problems.is_empty()).then(|| {
                (
                    "servers_entries_unreadable",
                    format!(
                        "{} of the saved servers could not be read; they stay in the file as they are.",
                        problems.len()
                    ),
                    Some(problems.join("\n")),
                )
            }),
        },
        Err(problem) => match files::set_aside(path) {
            Ok(aside) => Loaded {
                list: ServerList::first_start(),
                changed: true,
                locked: false,
                notice: Some((
                    "servers_file_damaged",
                    "The server list was damaged. It is kept aside, and a new list was begun."
                        .to_owned(),
                    Some(format!("{}\n{problem}", aside.display())),
                )),
            },
            Err(error) => Loaded {
                list: ServerList::first_start(),
                changed: false,
                locked: true,
                notice: Some((
                    "servers_file_damaged",
                    "The server list is damaged and could not be set aside, so changes will not \
                     be saved."
                        .to_owned(),
                    Some(format!("{}: {error}\n{problem}", path.display())),
                )),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_start_has_the_demo_server() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = load(&folder.path().join("servers.json"));
        assert!(loaded.changed && !loaded.locked && loaded.notice.is_none());
        let entries: Vec<_> = loaded.list.iter().collect();
        assert_eq!(entries.len(), 1);
        assert_eq!(
            entries[0].config.transport,
            TransportDraft::Demo { http: false }
        );
        assert!(entries[0].is_confirmed());
    }

    #[test]
    fn a_damaged_file_is_kept_aside_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        for (number, text) in ["{\"servers\": [", "[]", "{}", "\u{0}"].iter().enumerate() {
            std::fs::write(&path, text).unwrap();
            let loaded = load(&path);
            assert_eq!(loaded.notice.as_ref().unwrap().0, "servers_file_damaged");
            assert!(!path.exists());
            let aside = folder
                .path()
                .join(format!("servers.damaged-{}.json", number + 1));
            assert_eq!(std::fs::read_to_string(aside).unwrap(), *text);
        }
    }

    #[test]
    fn what_cannot_be_read_is_written_back_and_hides_nothing() {
        let text = r#"{"version": 7, "theme": "x", "servers": [
            {"id": "a", "name": "A", "transport": {"type": "demo"}},
            {"id": "b", "name": "B", "transport": {"type": "carrier-pigeon"}},
            17,
            {"id": "a", "name": "C", "transport": {"type": "demo", "http": true}}
        ]}"#;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        std::fs::write(&path, text).unwrap();
        let loaded = load(&path);
        assert_eq!(
            loaded.notice.as_ref().unwrap().0,
            "servers_entries_unreadable"
        );
        assert_eq!(loaded.list.order(), ["a"]);
        let written: Value = serde_json::from_slice(&loaded.list.to_bytes()).unwrap();
        assert_eq!(written["version"], 7);
        assert_eq!(written["theme"], "x");
        assert_eq!(written["servers"].as_array().unwrap().len(), 4);
        assert_eq!(written["servers"][1]["transport"]["type"], "carrier-pigeon");
    }

    #[test]
    fn order_follows_moves_and_copies() {
        let mut list = ServerList::first_start();
        let first = list.order()[0].clone();
        for name in ["x", "y"] {
            let mut entry = list.get(&first).unwrap().clone();
            entry.id = name.to_owned();
            list.push(entry);
        }
        assert!(list.reorder("y", 0));
        assert_eq!(list.order(), ["y", first.as_str(), "x"]);
        assert!(list.reorder("y", 99));
        let mut copy = list.get("x").unwrap().clone();
        copy.id = "x2".to_owned();
        list.insert_behind("x", copy);
        assert_eq!(list.order(), [first.as_str(), "x", "x2", "y"]);
        assert!(!list.reorder("gone", 0));
    }
}
