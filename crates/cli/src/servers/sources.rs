//! Places that servers are looked for in: the app's list, files of clients, the servers file of suites.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};

use sonde_auth::Secret;
use sonde_client::log::SecretText;
use sonde_explorer::servers::{
    ServerList, ServersInText, Transport, address, places_of, saved_list, servers_in,
};
use sonde_suite::{
    format::Client,
    node::Node,
    problem::{Problem, Problems},
    run::{ListedLookup, ListedServer},
    servers::{Servers, names_in},
    variables::Variables,
};

use super::{
    placeholders::variable,
    server::{Server, app_services, data_folder},
};
use crate::exit::{Failed, Result};

/// The file of servers beside suites.
pub(crate) const SERVERS_FILE: &str = "sonde.servers.yaml";

/// The servers of the app's list.
pub(crate) fn app_list() -> Result<Option<ServerList>> {
    match data_folder() {
        Some(folder) => saved_list(&folder).map_err(Failed::usage),
        None => Ok(None),
    }
}

pub(super) fn in_app(name: &str) -> Result<Server> {
    let list = app_list()?.unwrap_or_default();
    let names: Vec<_> = list.iter().map(|one| one.config.name.as_str()).collect();
    let place = find(name, &names, "Sonde's list")?;
    let entry = list.iter().nth(place).cloned();
    let entry = entry.ok_or_else(|| Failed::usage("The server is no longer in the list."))?;
    if !entry.is_confirmed() {
        return Err(Failed::usage(format!(
            "The command of `{}` was not confirmed yet. Connect to it once in Sonde's window.",
            entry.config.name
        )));
    }
    Ok(Server {
        entry,
        secrets: Vec::new(),
        hidden: Vec::new(),
        in_app: true,
    })
}

/// Finds servers of the app's list for suites. Their connections share a sign-in.
pub(crate) fn listed() -> ListedLookup {
    let services = app_services();
    Arc::new(move |name: &str| {
        let entry = in_app(name).map_err(sentences)?.entry;
        Ok(ListedServer {
            id: entry.id,
            config: entry.config,
            log_level: entry.log_level,
            services: Arc::clone(&services),
        })
    })
}

/// The nearest servers file of suites in a folder or above it.
pub(crate) fn servers_file(folder: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(folder).ok()?;
    let files = whole.ancestors().map(|folder| folder.join(SERVERS_FILE));
    files.into_iter().find(|file| file.is_file())
}

/// Finds a server in the nearest servers file, or else in the app's list.
pub(super) fn nearest(folder: &Path, name: &str) -> Result<Server> {
    let Some(file) = servers_file(folder) else {
        return in_app(name);
    };
    let servers = read_servers(&file)?;
    match servers.names().contains(&name) {
        true => of_suites(&file, &servers, name).map(|(server, _)| server),
        false => in_app(name).map_err(|failed| failed.more([servers.known()])),
    }
}

/// Reads `sonde.servers.yaml`.
pub(crate) fn read_servers(file: &Path) -> Result<Servers> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| Failed::not_read(&name, &error))?;
    Servers::read(&name, &text).map_err(|problems| {
        let lines = problems.to_string();
        Failed::usage("The servers cannot be read.").more(lines.lines().map(str::to_owned))
    })
}

/// A server of a servers file of suites, by its first transport, and the variables that mask what it has from the
/// environment.
fn of_suites(file: &Path, servers: &Servers, name: &str) -> Result<(Server, Variables)> {
    let mut variables = Variables::new(Arc::new(|name| env::var(name).ok()));
    let bad = |problems: Vec<Problem>| {
        let lines = Problems::new(&file.display().to_string(), problems).to_string();
        Failed::usage(format!("The server `{name}` cannot be used."))
            .more(lines.lines().map(str::to_owned))
    };
    // A port matters to a server that is started first, which is refused below.
    variables.set("port", "0".into());
    let vars = servers.vars(None).map_err(bad)?;
    variables.add_vars(&vars).map_err(bad)?;
    let found = servers.find(name, None, &mut variables).map_err(bad)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let plan = found
        .plan(name, None, &Client::default(), folder, &variables)
        .map_err(Failed::usage)?;
    if plan.start.is_some() {
        return Err(Failed::usage(format!(
            "The server `{name}` is started before it is reached, which only `sonde test` does."
        ))
        .more(["Start it, and give its address with --url.".to_owned()]));
    }
    let mut server = Server::of(plan.config);
    let secrets = plan.secrets.into_iter();
    server.secrets = secrets
        .map(|(name, value)| (name, Secret::new(value)))
        .collect();
    if let Transport::Http { url, .. } = &server.entry.config.transport {
        let in_address = variables.secrets().filter(|value| url.contains(value));
        server.hidden.extend(in_address.map(SecretText::from));
    }
    Ok((server, variables))
}

/// The servers of a client's file; `None` for a servers file of suites.
fn of_client(file: &Path) -> Result<Option<ServersInText>> {
    let text =
        std::fs::read_to_string(file).map_err(|error| Failed::not_read(file.display(), &error))?;
    // By its line also in a file that is no YAML, whose fault is reported then.
    if text.lines().any(|line| line.starts_with("sonde-servers:"))
        || Node::read(&text).is_ok_and(|root| root.get("sonde-servers").is_some())
    {
        return Ok(None);
    }
    if text.trim().is_empty() {
        return Err(Failed::usage(format!("{} is empty.", file.display())));
    }
    servers_in(&text, |name| variable(name).is_some())
        .map(Some)
        .map_err(|problem| Failed::usage(format!("{}: {problem}", file.display())))
}

/// Servers that can be named.
pub(crate) struct NamedServers {
    /// Names and addresses.
    pub(crate) servers: Vec<(String, String)>,
    /// Sentences about servers that cannot be read.
    pub(crate) problems: Vec<String>,
    /// Sentences about servers without an address.
    pub(crate) notes: Vec<String>,
}

/// Returns the servers of a file, or by default of the nearest servers file and of the app's list.
pub(crate) fn all(config: Option<&Path>) -> Result<NamedServers> {
    let mut notes = Vec::new();
    let mut of_suites = |file: &Path| -> Result<Vec<_>> {
        let servers = read_servers(file)?;
        let names = servers.names().into_iter();
        let named = names.map(|name| {
            // A server that needs an unset variable has no address.
            let found = of_suites(file, &servers, name);
            let masked = found.map(|(server, variables)| {
                variables.mask(&address(&server.entry.config.transport))
            });
            let masked = masked.unwrap_or_else(|failed| {
                notes.push(sentences(failed));
                String::new()
            });
            (name.to_owned(), masked)
        });
        Ok(named.collect())
    };
    if let Some(file) = config {
        return match of_client(file)? {
            Some(found) => {
                let servers = found.servers.into_iter();
                let named = servers.map(|one| (one.name, address(&one.input.config.transport)));
                Ok(NamedServers {
                    servers: named.collect(),
                    problems: found.problems,
                    notes,
                })
            }
            None => Ok(NamedServers {
                servers: of_suites(file)?,
                problems: Vec::new(),
                notes,
            }),
        };
    }
    let mut servers = match servers_file(Path::new(".")) {
        Some(file) => of_suites(&file)?,
        None => Vec::new(),
    };
    let list = app_list()?.unwrap_or_default();
    let list = list.iter().map(|one| &one.config);
    servers.extend(list.map(|config| (config.name.clone(), address(&config.transport))));
    Ok(NamedServers {
        servers,
        problems: Vec::new(),
        notes,
    })
}

pub(super) fn in_file(file: &Path, name: &str) -> Result<Server> {
    let Some(mut found) = of_client(file)? else {
        return of_suites(file, &read_servers(file)?, name).map(|(server, _)| server);
    };
    let names: Vec<_> = found.servers.iter().map(|one| one.name.as_str()).collect();
    let place = find(name, &names, &file.display().to_string())
        .map_err(|failed| failed.more(std::mem::take(&mut found.problems)))?;
    Server::imported(found.servers.swap_remove(place))
}

/// Finds servers of a client's file for suites, and those of the app's list; `None` for a servers file of suites.
pub(crate) async fn listed_in(file: &Path) -> Result<Option<ListedLookup>> {
    let Some(found) = of_client(file)? else {
        return Ok(None);
    };
    let list = file.display().to_string();
    let problems = found.problems;
    let names: Vec<_> = found.servers.iter().map(|one| one.name.clone()).collect();
    let mut servers = Vec::new();
    for one in found.servers {
        servers.push(match Server::imported(one) {
            Ok(server) => Ok(server.into_listed().await),
            Err(failed) => Err(sentences(failed)),
        });
    }
    let in_list = listed();
    Ok(Some(Arc::new(move |name: &str| {
        match find(name, &names, &list) {
            Ok(place) => servers[place].clone(),
            Err(failed) => in_list(name).map_err(|_| sentences(failed.more(problems.clone()))),
        }
    })))
}

fn sentences(failed: Failed) -> String {
    let sentences = std::iter::once(failed.message).chain(failed.more);
    sentences.collect::<Vec<_>>().join(" ")
}

/// The index of the name: exactly, or without regard to case, spaces and punctuation.
fn find(name: &str, names: &[impl AsRef<str>], list: &str) -> Result<usize> {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    let found = places_of(name, &names);
    match found[..] {
        [place] => Ok(place),
        [] => {
            let known = names_in(list, &names);
            Err(Failed::usage(format!("There is no server `{name}`.")).more([known]))
        }
        _ => Err(Failed::usage(format!(
            "{} servers in {list} are called `{name}`.",
            found.len()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_file_is_recognized_as_yaml_and_as_json() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("servers");
        for (text, is_client) in [
            ("sonde-servers: 1\nservers: [", false),
            (r#"{ "sonde-servers": 1, "servers": {} }"#, false),
            (
                r#"{ "mcpServers": { "sonde-servers": { "command": "a" } } }"#,
                true,
            ),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(of_client(&file).unwrap().is_some(), is_client, "{text}");
        }
    }

    #[test]
    fn a_server_is_found_without_regard_to_case_and_spaces() {
        let names = ["Everything", "Demo server", "demo-server"];
        assert_eq!(find("everything", &names, "list").unwrap(), 0);
        assert_eq!(find("Demo server", &names, "list").unwrap(), 1);
        assert!(find("DEMO SERVER", &names, "list").is_err());
        let failed = find("other", &names, "list").unwrap_err();
        assert!(failed.more[0].contains("Everything, Demo server"));
    }
}
