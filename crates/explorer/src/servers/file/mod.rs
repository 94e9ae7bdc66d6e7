//! The file of the server list, by version.
//!
//! Parts that this version of the app does not know survive a change: unknown members, and entries that cannot be read,
//! are written back as they were.

use std::{io, path::Path};

use serde_json::{Map, Value, json};

use super::{ServerConfig, ServerEntry, ServerGroup, ServerList, Transport};
use crate::files::{self, DataFile, Read, SERVERS, Unparsed};

/// The list of a first start.
pub(crate) fn first_list() -> ServerList {
    let mut list = ServerList::default();
    list.push(ServerEntry::new(ServerConfig::new(
        "Demo server",
        Transport::Demo { http: false },
    )));
    list
}

/// Reads the file, like [`files::read`].
pub(crate) fn load(path: &Path) -> Read<ServerList> {
    let read = files::read(path, &SERVERS, parse);
    let (saved, problems) = read.saved.unzip();
    let problems = problems.unwrap_or_default();
    let unreadable = (!problems.is_empty()).then(|| {
        (
            "servers_entries_unreadable".to_owned(),
            format!(
                "{} of the saved servers could not be read; they stay in the file as they are.",
                problems.len()
            ),
            Some(problems.join("\n")),
        )
    });
    Read {
        saved,
        locked: read.locked,
        notice: read.notice.or(unreadable),
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
    match parse(&text, &SERVERS) {
        Ok((list, _)) => Ok(Some(list)),
        Err(Unparsed::Damaged(problem)) => Err(bad(format!("it is damaged ({problem})."))),
        Err(Unparsed::Newer(_)) => Err(bad("a newer version of Sonde wrote it.".to_owned())),
    }
}

/// Parses the list, and returns the problems of single entries.
fn parse(text: &[u8], file: &DataFile) -> Result<(ServerList, Vec<String>), Unparsed> {
    let mut file: Map<String, Value> = files::parse(text, file)?;
    let Some(Value::Array(servers)) = file.remove("servers") else {
        return Err(Unparsed::Damaged("it has no `servers` list".to_owned()));
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
    file.insert("version".to_owned(), json!(SERVERS.version));
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

    fn parsed(text: &str) -> Option<(ServerList, Vec<String>)> {
        parse(text.as_bytes(), &SERVERS).ok()
    }

    fn read(text: &str) -> ServerList {
        parsed(text).unwrap().0
    }

    fn written(list: &ServerList) -> Value {
        serde_json::from_slice(&to_bytes(list)).unwrap()
    }

    #[test]
    fn a_text_without_a_list_of_servers_is_damaged() {
        let damaged = [
            "{\"servers\": [",
            "[]",
            "{}",
            "\u{0}",
            "{\"version\": \"1\", \"servers\": []}",
        ];
        for text in damaged {
            assert!(parsed(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_written_back_and_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        let text = r#"{"theme": "x", "servers": [
            {"id": "a", "name": "A", "transport": {"type": "demo"}},
            {"id": "b", "name": "B", "transport": {"type": "carrier-pigeon"}},
            17,
            {"id": "a", "name": "C", "transport": {"type": "demo", "http": true}}
        ]}"#;
        std::fs::write(&path, text).unwrap();
        let loaded = load(&path);
        assert_eq!(loaded.notice.unwrap().0, "servers_entries_unreadable");
        let list = loaded.saved.unwrap();
        assert_eq!(list.order(), ["a"]);
        let written = written(&list);
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
        );
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
        let mut list = read(text);
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
        let odd = read(r#"{"servers": [], "groups": {"of": "tomorrow"}}"#);
        assert_eq!(written(&odd)["groups"], json!({"of": "tomorrow"}));
    }

    #[test]
    fn what_an_import_kept_is_saved() {
        let text = r#"{"servers": [{"id": "a", "name": "A", "transport": {"type": "demo"},
            "other_fields": {"container": "mcpServers", "fields": {"timeout": 60.50}}}]}"#;
        let list = read(text);
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
        let list = read(text);
        assert_eq!(list.order().len(), 11);
        // Everything is understood: no member is only carried along.
        let mut bare = ServerList::default();
        for entry in list.iter() {
            bare.push(entry.clone());
        }
        files::assert_kept(text, &to_bytes(&bare));
    }
}
