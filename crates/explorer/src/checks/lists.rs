//! Comparison of the lists of two servers, of two versions of the protocol, or of now with the accepted definitions.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use sonde_client::{Connection, ConnectionOptions, State, catalogs::Listed};
use sonde_record::text::cut;
use sonde_suite::listing::changes;

use super::{
    folder::WORDS,
    running::check_revision,
    types::{ListComparison, ListMoment, ListSide, ListedChange},
};
use crate::{
    Error, Explorer,
    baselines::AcceptedTool,
    blocking,
    catalogs::CatalogKind,
    servers::{ProtocolMode, ServerEntry},
    sessions::{ConnectInput, SessionPhase},
};

/// Lists that are compared.
const LISTS: [CatalogKind; 4] = [
    CatalogKind::Tools,
    CatalogKind::Prompts,
    CatalogKind::Resources,
    CatalogKind::ResourceTemplates,
];
/// Changes of a comparison that are shown.
const CHANGES: usize = 1_000;
/// Longest time for reading the lists of one side.
const WAIT: Duration = Duration::from_mins(1);

/// Lists of one side. `Err` has the reason why a list was not read.
struct Lists {
    label: String,
    lists: Vec<Result<Vec<Value>, String>>,
    /// The tools, if they are the accepted ones.
    accepted: Option<Vec<AcceptedTool>>,
}

impl Explorer {
    /// Compares the lists of two sides. An open session is used if there is one and no other protocol version is
    /// requested; otherwise a separate connection reads the lists.
    ///
    /// # Errors
    /// `NotFound`; `CommandNotConfirmed`; `InvalidInput` for an unknown version of the protocol, and where a side cannot be
    /// reached or no list can be compared.
    pub async fn compare_lists(
        &self,
        left: ListSide,
        right: ListSide,
    ) -> Result<ListComparison, Error> {
        let (left, right) = (self.lists(left).await?, self.lists(right).await?);
        blocking(move || compare(left, right)).await?
    }

    async fn lists(&self, side: ListSide) -> Result<Lists, Error> {
        let core = &self.core;
        let entry = core.server(&side.server)?;
        if side.when == ListMoment::Accepted {
            // A list that was just read is accepted while it is judged.
            let is_judged = |state: &State| (state.session.judging == 0).then_some(());
            let connection = core.connection(&side.server)?;
            let _ = tokio::time::timeout(WAIT, connection.wait_for(is_judged)).await;
            let (core, server) = (Arc::clone(core), side.server);
            let tools = blocking(move || core.baselines.tools(&core, &server)).await?;
            let not_kept = || Err("Only definitions of tools can be accepted.".to_owned());
            let name = &entry.config.name;
            let first = match tools.is_empty() {
                true => Err(format!("No tool of “{name}” has been accepted yet.")),
                false => Ok(tools.iter().map(|tool| tool.item.clone()).collect()),
            };
            let mut lists = vec![first];
            lists.resize_with(LISTS.len(), not_kept);
            return Ok(Lists {
                label: format!("{name}, as accepted"),
                lists,
                accepted: Some(tools),
            });
        }
        let connection = core.connection(&side.server)?;
        let is_open = connection.read(|state| state.session.phase == SessionPhase::Ready);
        if is_open && side.revision.is_none() {
            return Ok(read(&connection, &entry.config.name).await);
        }
        let cancel = core.services.closing.child_token();
        let (entry, _in_use) = core.state(|state| state.use_config(&entry.id, &cancel))?;
        entry.check_confirmed()?;
        let own = self.own_connection(entry.clone(), side.revision)?;
        let opened = async {
            own.connect(ConnectInput::default())?;
            let opened = own.wait_until_open().await;
            opened.map_err(|failure| Error::invalid(failure.to_string()))?;
            own.read(State::version_not_spoken)
                .map_or(Ok(()), |words| Err(Error::invalid(words)))
        };
        let read = async {
            opened.await?;
            Ok(read(&own, &entry.config.name).await)
        };
        let read = tokio::time::timeout(WAIT, cancel.run_until_cancelled(read)).await;
        own.close().await;
        let changed = || Error::invalid("The server was changed while its lists were read.");
        let read = read.map(|read| read.unwrap_or_else(|| Err(changed())));
        read.unwrap_or_else(|_| {
            let name = &entry.config.name;
            Err(Error::invalid(format!(
                "The lists of “{name}” were not read within a minute."
            )))
        })
    }

    /// Creates a connection that is separate from the user's session.
    fn own_connection(
        &self,
        entry: ServerEntry,
        revision: Option<String>,
    ) -> Result<Connection, Error> {
        let mut config = entry.config;
        if let Some(revision) = revision {
            check_revision(&revision)?;
            config.protocol = ProtocolMode::Fixed { revision };
        }
        let services = Arc::clone(&self.core.services);
        Ok(Connection::new(ConnectionOptions::new(
            entry.id, config, services,
        )))
    }
}

/// Reads all lists of an open connection that were not read yet.
async fn read(connection: &Connection, name: &str) -> Lists {
    let mut lists = Vec::new();
    for kind in LISTS {
        let list = kind.method();
        lists.push(match connection.wait_for_catalog(kind).await {
            Ok(listed) if listed.is_cut => Err(format!("{name}: {list} is not complete.")),
            Ok(listed) => Ok(items(&listed)),
            Err(error) => Err(format!("{name}: {list} could not be read. {error}")),
        });
    }
    let label = connection.read(|state| {
        let identity = state.session.identity.as_ref();
        let version = identity.and_then(|one| one.version.clone());
        let revision = identity.map(|one| format!("({})", one.revision));
        let parts = [Some(name.to_owned()), version, revision];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    Lists {
        label,
        lists,
        accepted: None,
    }
}

fn items(listed: &Listed) -> Vec<Value> {
    let items = listed.items.iter();
    items
        .filter_map(|item| serde_json::from_str(item.raw.get()).ok())
        .collect()
}

/// Removes from the tools of one side the members that are not stored of the accepted ones.
fn reduce(lists: &mut Lists, accepted: Option<Vec<AcceptedTool>>) {
    let (Some(accepted), Some(Ok(items))) = (accepted, lists.lists.first_mut()) else {
        return;
    };
    for tool in accepted {
        let same = |item: &&mut Value| item["name"] == tool.item["name"];
        items
            .iter_mut()
            .filter(same)
            .for_each(|item| tool.reduce(item));
    }
}

fn compare(mut left: Lists, mut right: Lists) -> Result<ListComparison, Error> {
    let (of_left, of_right) = (left.accepted.take(), right.accepted.take());
    reduce(&mut right, of_left);
    reduce(&mut left, of_right);
    let mut compared = ListComparison {
        left: left.label,
        right: right.label,
        ..ListComparison::default()
    };
    let mut found = Vec::new();
    let mut is_any_compared = false;
    let sides = left.lists.into_iter().zip(right.lists);
    for (kind, sides) in LISTS.into_iter().zip(sides) {
        match sides {
            (Ok(before), Ok(after)) => {
                is_any_compared = true;
                let of_list = changes(&before, &after, kind.key_member()).into_iter();
                found.extend(of_list.map(|change| ListedChange {
                    list: kind,
                    name: cut(&change.item, WORDS),
                    class: change.kind.class(),
                    words: cut(&change.words, WORDS),
                }));
            }
            (before, after) => {
                for why in [before.err(), after.err()].into_iter().flatten() {
                    if !compared.unread.contains(&why) {
                        compared.unread.push(why);
                    }
                }
            }
        }
    }
    if !is_any_compared {
        return Err(Error::invalid(compared.unread.join(" ")));
    }
    found.sort_by_key(|change| change.class as u8);
    compared.more = u32::try_from(found.len().saturating_sub(CHANGES)).unwrap_or(u32::MAX);
    found.truncate(CHANGES);
    compared.changes = found;
    Ok(compared)
}
