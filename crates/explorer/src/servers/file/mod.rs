//! The file of the server list, by version.
//!
//! Parts that this version of the app does not know survive a change: unknown members, and entries that cannot be read,
//! are written back as they were.

use std::{io, path::Path};

use serde_json::{Map, Value, json};

use super::{ServerConfig, ServerEntry, ServerGroup, ServerList, Transport};
use crate::files::{SERVERS, Told};

/// The version that is written.
const VERSION: u64 = SERVERS.version;

/// Result of loading the file.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) list: ServerList,
    /// The list differs from the file: save it.
    pub(crate) changed: bool,
    /// The file must not be written, since its content could not be read.
    pub(crate) locked: bool,
    pub(crate) notice: Option<Told>,
}

impl Loaded {
    /// The list of a first start.
    fn new(changed: bool, locked: bool) -> Self {
        let mut list = ServerList::default();
        list.push(ServerEntry::new(ServerConfig::new(
            "Demo server",
            Transport::Demo { http: false },
        )));
        Self {
            list,
            changed,
            locked,
            notice: None,
        }
    }

    fn telling(self, code: &str, title: impl Into<String>, detail: String) -> Self {
        Self {
            notice: Some((code.to_owned(), title.into(), Some(detail))),
            ..self
        }
    }
}

/// Reasons why a file gives no list.
enum BadFile {
    Damaged(String),
    /// A newer version of the app wrote it.
    Newer(u64),
}

/// Reads the file, or makes the list of a first start. A file that cannot be understood is never
/// overwritten: a damaged one is renamed, one of a newer version is left as it is. Blocks.
pub(crate) fn load(path: &Path) -> Loaded {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Loaded::new(true, false),
        Err(error) => {
            return Loaded::new(false, true).telling(
                "servers_file_unreadable",
                "The server list could not be read, so changes will not be saved.",
                format!("{}: {error}", path.display()),
            );
        }
    };
    let problem = match parse(&text) {
        Ok((list, problems)) => {
            let loaded = Loaded {
                list,
                changed: false,
                locked: false,
                notice: None,
            };
            return match problems.len() {
                0 => loaded,
                count => loaded.telling(
                    "servers_entries_unreadable",
                    format!(
                        "{count} of the saved servers could not be read; they stay in the file as \
                         they are."
                    ),
                    problems.join("\n"),
                ),
            };
        }
        Err(BadFile::Newer(version)) => {
            return Loaded::new(false, true).telling(
                "servers_file_newer",
                "The server list was saved by a newer version of Sonde. It is left as it is, so \
                 changes will not be saved.",
                format!("{}: version {version}, known is {VERSION}", path.display()),
            );
        }
        Err(BadFile::Damaged(problem)) => problem,
    };
    match sonde_files::set_aside(path) {
        Ok(aside) => Loaded::new(true, false).telling(
            "servers_file_damaged",
            "The server list was damaged. It was set aside and a new list was created.",
            format!("{}\n{problem}", aside.display()),
        ),
        Err(error) => Loaded::new(false, true).telling(
            "servers_file_damaged",
            "The server list is damaged and could not be set aside, so changes will not be saved.",
            format!("{}: {error}\n{problem}", path.display()),
        ),
    }
}

/// Reads the saved list of a data folder for other programs than the app: nothing is written, and a damaged file stays
/// in place. `None` if no list was saved yet. Blocks.
///
/// # Errors
/// One plain sentence.
pub fn saved_list(data_folder: &Path) -> Result<Option<ServerList>, String> {
    let path = SERVERS.path(data_folder);
    let bad = |problem: String| format!("{} cannot be read: {problem}", path.display());
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(bad(format!("{error}."))),
    };
    match parse(&text) {
        Ok((list, _)) => Ok(Some(list)),
        Err(BadFile::Damaged(problem)) => Err(bad(format!("{problem}."))),
        Err(BadFile::Newer(_)) => Err(bad("a newer version of Sonde wrote it.".to_owned())),
    }
}

/// Parses the list, and returns the problems of single entries.
fn parse(text: &[u8]) -> Result<(ServerList, Vec<String>), BadFile> {
    let damaged = |problem: &str| BadFile::Damaged(problem.to_owned());
    let Value::Object(mut file) =
        serde_json::from_slice(text).map_err(|error| damaged(&error.to_string()))?
    else {
        return Err(damaged("it contains no JSON object"));
    };
    match file.get("version").map(Value::as_u64) {
        None | Some(Some(..=VERSION)) => {}
        Some(Some(newer)) => return Err(BadFile::Newer(newer)),
        Some(None) => return Err(damaged("its `version` is not a number")),
    }
    let Some(Value::Array(servers)) = file.remove("servers") else {
        return Err(damaged("it has no `servers` list"));
    };
    let mut list = ServerList::default();
    let mut problems = Vec::new();
    let groups = file.get("groups").cloned().unwrap_or_default();
    if let Ok(groups) = serde_json::from_value::<Vec<ServerGroup>>(groups) {
        file.remove("groups");
        for group in groups {
            if list.group(&group.id).is_none() {
                list.add_group(group);
            }
        }
    }
    for (index, server) in servers.into_iter().enumerate() {
        let problem = match serde_json::from_value::<ServerEntry>(server.clone()) {
            Ok(entry) if list.get(&entry.id).is_none() => {
                if let Value::Object(members) = server {
                    list.unknown.entries.insert(entry.id.clone(), members);
                }
                list.push(entry);
                continue;
            }
            Ok(_) => "its id is taken".to_owned(),
            Err(error) => error.to_string(),
        };
        problems.push(format!("Server {}: {problem}.", index + 1));
        list.unknown.unreadable.push(server);
    }
    list.unknown.file = file;
    Ok((list, problems))
}

/// The file's text.
pub(crate) fn to_bytes(list: &ServerList) -> Vec<u8> {
    let mut file = list.unknown.file.clone();
    file.insert("version".to_owned(), json!(VERSION));
    if !list.groups().is_empty() {
        file.insert("groups".to_owned(), json!(list.groups()));
    }
    let servers = list
        .iter()
        .map(|entry| with_unknown(list.unknown.entries.get(&entry.id), entry))
        .chain(list.unknown.unreadable.iter().cloned())
        .collect();
    file.insert("servers".to_owned(), Value::Array(servers));
    format!("{:#}\n", Value::Object(file)).into_bytes()
}

/// Returns an entry with its unknown members from the file.
fn with_unknown(before: Option<&Map<String, Value>>, server: &ServerEntry) -> Value {
    let mut all = before.cloned().unwrap_or_default();
    if let Value::Object(now) = json!(server) {
        for (name, value) in now {
            match all.get_mut(&name) {
                // Unknown members of another kind of transport mean nothing here.
                Some(Value::Object(old))
                    if name == "transport" && old.get("type") == value.get("type") =>
                {
                    if let Value::Object(new) = value {
                        old.extend(new);
                    }
                }
                _ => {
                    all.insert(name, value);
                }
            }
        }
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Loaded {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        std::fs::write(&path, text).unwrap();
        load(&path)
    }

    fn written(list: &ServerList) -> Value {
        serde_json::from_slice(&to_bytes(list)).unwrap()
    }

    #[test]
    fn a_first_start_has_the_demo_server() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = load(&folder.path().join("servers.json"));
        assert!(loaded.changed && !loaded.locked && loaded.notice.is_none());
        let entries: Vec<_> = loaded.list.iter().collect();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].config.transport, Transport::Demo { http: false });
        assert!(entries[0].is_confirmed());
    }

    #[test]
    fn a_damaged_file_is_kept_aside_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        let damaged = [
            "{\"servers\": [",
            "[]",
            "{}",
            "\u{0}",
            "{\"version\": \"1\", \"servers\": []}",
        ];
        for (number, text) in damaged.iter().enumerate() {
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
    fn a_file_of_a_newer_version_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        let text = r#"{"version": 2, "groups": []}"#;
        std::fs::write(&path, text).unwrap();
        let loaded = load(&path);
        assert!(loaded.locked && !loaded.changed);
        let (code, _, detail) = loaded.notice.unwrap();
        assert_eq!(code, "servers_file_newer");
        assert!(detail.unwrap().contains("version 2"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_written_back_and_hides_nothing() {
        let loaded = read(
            r#"{"theme": "x", "servers": [
            {"id": "a", "name": "A", "transport": {"type": "demo"}},
            {"id": "b", "name": "B", "transport": {"type": "carrier-pigeon"}},
            17,
            {"id": "a", "name": "C", "transport": {"type": "demo", "http": true}}
        ]}"#,
        );
        assert_eq!(
            loaded.notice.as_ref().unwrap().0,
            "servers_entries_unreadable"
        );
        assert_eq!(loaded.list.order(), ["a"]);
        let written = written(&loaded.list);
        assert_eq!(written["version"], 1);
        assert_eq!(written["theme"], "x");
        assert_eq!(written["servers"].as_array().unwrap().len(), 4);
        assert_eq!(written["servers"][1]["transport"]["type"], "carrier-pigeon");
    }

    #[test]
    fn fields_of_a_newer_version_survive_a_change() {
        let mut list = read(
            r#"{"servers": [{
            "id": "a", "name": "A", "colour": "red", "idle_seconds": 5,
            "transport": {"type": "stdio", "command": "x", "sandbox": {"net": 9007199254740993}}
        }]}"#,
        )
        .list;
        let entry = list.get_mut("a").unwrap();
        assert_eq!(entry.config.idle_seconds, Some(5));
        entry.config.name = "B".to_owned();
        let saved = &written(&list)["servers"][0];
        assert_eq!(saved["name"], "B");
        assert_eq!(saved["colour"], "red");
        assert_eq!(
            saved["transport"]["sandbox"]["net"].to_string(),
            "9007199254740993"
        );
        let entry = list.get_mut("a").unwrap();
        entry.config.transport = Transport::Demo { http: false };
        let saved = &written(&list)["servers"][0];
        assert_eq!(saved["transport"], json!({"type": "demo", "http": false}));
        assert_eq!(saved["colour"], "red");
    }

    #[test]
    fn groups_are_saved_and_one_that_is_gone_is_none() {
        let text = r#"{"servers": [
            {"id": "a", "name": "A", "group": "g", "transport": {"type": "demo"}},
            {"id": "b", "name": "B", "group": "gone", "transport": {"type": "demo"}},
            {"id": "c", "name": "C", "transport": {"type": "demo"}}],
            "groups": [{"id": "g", "name": "Work", "collapsed": true}, {"id": "g", "name": "Twice"}]}"#;
        let mut list = read(text).list;
        assert_eq!(list.order(), ["b", "c", "a"]);
        let saved = written(&list);
        assert_eq!(
            saved["groups"],
            json!([{"id": "g", "name": "Work", "collapsed": true}])
        );
        assert_eq!(saved["servers"][2]["group"], "g");
        assert!(saved["servers"][0]["group"].is_null());
        list.remove_group("g").unwrap();
        let saved = written(&list);
        assert!(saved.get("groups").is_none() && saved["servers"][2]["group"].is_null());
        // What is no list of groups stays as it is.
        let odd = read(r#"{"servers": [], "groups": {"of": "tomorrow"}}"#).list;
        assert_eq!(written(&odd)["groups"], json!({"of": "tomorrow"}));
    }

    #[test]
    fn what_an_import_kept_is_saved() {
        let text = r#"{"servers": [{"id": "a", "name": "A", "transport": {"type": "demo"},
            "other_fields": {"container": "mcpServers", "fields": {"timeout": 60.50}}}]}"#;
        let list = read(text).list;
        let kept = list.get("a").unwrap().other_fields.clone().unwrap();
        assert_eq!(kept.fields["timeout"].to_string(), "60.50");
        let mut bare = ServerList::default();
        bare.push(list.get("a").unwrap().clone());
        let other = &written(&bare)["servers"][0]["other_fields"];
        assert_eq!(other["container"], "mcpServers");
        assert_eq!(other["fields"]["timeout"].to_string(), "60.50");
    }

    #[test]
    fn files_of_the_first_version_lose_nothing() {
        let text = include_str!("../../../tests/files/servers-1.json");
        let loaded = read(text);
        assert_eq!(loaded.notice, None);
        assert!(!loaded.changed && !loaded.locked);
        assert_eq!(loaded.list.order().len(), 11);
        // Everything is understood: no member is only carried along.
        let mut bare = ServerList::default();
        for entry in loaded.list.iter() {
            bare.push(entry.clone());
        }
        crate::files::assert_kept(text, &to_bytes(&bare));
    }
}
