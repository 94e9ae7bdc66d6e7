//! `sonde list`: lists what a server offers, or the servers.

use std::sync::Arc;

use serde_json::{Value, json};
use sonde_client::catalogs::{CatalogKind, Listed, summary};
use sonde_mcp::{CatalogItem, ItemDetail};

use crate::{
    Context,
    console::{BOLD, DIM, print, print_json, quoted, styled, visible},
    exit::{Exit, Failed, Result},
    servers::{NamedServers, ServerArgs, all},
    session::with_session,
};

/// List the tools of a server, or its prompts, resources and templates; without a server, the servers
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde list [OPTIONS] [SERVER] [tools|prompts|resources|templates|skills|all]...\n       \
                      sonde list [OPTIONS] [KIND]... -- COMMAND...",
    after_help = "\
Examples:
  sonde list                                The servers of sonde.servers.yaml and of Sonde's list
  sonde list everything                     The tools of one
  sonde list everything prompts resources
  sonde list everything --long              With parameters and whole descriptions
  sonde list everything --json | jq -r '.tools[].name'"
)]
pub(crate) struct List {
    /// Server, and kinds to list
    #[arg(value_name = "SERVER KIND")]
    words: Vec<String>,
    /// Show whole descriptions and parameters
    #[arg(long, short)]
    long: bool,
    /// Print the definitions exactly as received
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// Kinds of lists, as they are typed.
const KINDS: [(&str, &[CatalogKind]); 6] = [
    ("tools", &[CatalogKind::Tools]),
    ("prompts", &[CatalogKind::Prompts]),
    ("resources", &[CatalogKind::Resources]),
    ("templates", &[CatalogKind::ResourceTemplates]),
    ("skills", &[CatalogKind::Skills]),
    ("all", &ALL),
];

/// The lists that servers of the specification have.
pub(super) const ALL: [CatalogKind; 4] = [
    CatalogKind::Tools,
    CatalogKind::Prompts,
    CatalogKind::Resources,
    CatalogKind::ResourceTemplates,
];

impl List {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        if self.words.is_empty() && self.server.is_named() {
            return self.servers(context);
        }
        let (server, words) = self.server.resolve(&self.words)?;
        let mut kinds = Vec::new();
        for word in &words {
            let found = KINDS.iter().find(|kind| kind.0.eq_ignore_ascii_case(word));
            let (_, found) = found.ok_or_else(|| {
                Failed::usage(format!(
                    "`{word}` is not a list. There are tools, prompts, resources, templates, skills and all."
                ))
            })?;
            kinds.extend(*found);
        }
        if kinds.is_empty() {
            kinds.push(CatalogKind::Tools);
        }
        with_session(context, &self.server, &server, async |session| {
            session.note_version();
            let mut lists = Vec::new();
            for kind in kinds {
                lists.push((kind, session.list_with_notes(kind).await?));
            }
            self.print(&lists);
            Ok(session.exit())
        })
        .await
    }

    fn print(&self, lists: &[(CatalogKind, Arc<Listed>)]) {
        if self.json {
            return print_json(&as_json(lists));
        }
        for (kind, listed) in lists {
            if lists.len() > 1 {
                print(&styled(BOLD, format_args!("{}:", kind.noun())));
            }
            if listed.items.is_empty() {
                print(&styled(DIM, format_args!("No {}.", kind.noun())));
            }
            let width = listed.items.iter().map(|item| name(item).chars().count());
            let width = width.max().unwrap_or_default().min(40);
            for item in listed.items.iter() {
                let name = visible(name(item));
                if self.long {
                    print(&styled(BOLD, name));
                    details(item);
                } else {
                    print(&row(&name, width, &visible(&summary(item))));
                }
            }
        }
    }

    fn servers(&self, context: &Context) -> Result<Exit> {
        let NamedServers {
            servers,
            problems,
            notes,
        } = all(self.server.config.as_deref())?;
        for note in &notes {
            context.console.note(&format!("note: {}", quoted(note)));
        }
        for problem in &problems {
            context.console.say(&visible(problem));
        }
        let exit = match problems.is_empty() {
            true => Exit::Success,
            false => Exit::Incomplete,
        };
        if self.json {
            let servers = servers.into_iter();
            let servers =
                servers.map(|(name, address)| json!({ "name": name, "address": address }));
            print_json(&servers.collect::<Value>().to_string());
            return Ok(exit);
        }
        let width = servers.iter().map(|(name, _)| name.chars().count()).max();
        let width = width.unwrap_or_default();
        for (name, address) in &servers {
            print(&row(&visible(name), width, &visible(address)));
        }
        if servers.is_empty() && problems.is_empty() {
            print(
                "There are no servers here. Name one with --config, --url or a command after --.",
            );
        }
        Ok(exit)
    }
}

/// A name and the text beside it, as a row of two columns.
fn row(name: &str, width: usize, text: &str) -> String {
    match text.trim_end() {
        "" => styled(BOLD, name),
        text => format!("{}  {text}", styled(BOLD, format_args!("{name:<width$}"))),
    }
}

/// Lists as the server has them, each under its member.
pub(super) fn as_json(lists: &[(CatalogKind, Arc<Listed>)]) -> String {
    let members = lists.iter().map(|(kind, listed)| {
        let items: Vec<_> = listed.items.iter().map(|item| item.raw.get()).collect();
        format!("\"{}\":[{}]", kind.member(), items.join(","))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The name of an item in a command.
fn name(item: &CatalogItem) -> &str {
    match item.detail {
        ItemDetail::Tool(_) | ItemDetail::Prompt { .. } => &item.name,
        _ => &item.key,
    }
}

fn details(item: &CatalogItem) {
    let indented = |text: &str| {
        for line in text.lines() {
            print(&visible(&format!("  {line}")));
        }
    };
    if let Some(title) = &item.title {
        indented(title);
    }
    if let Some(description) = &item.description {
        indented(description);
    }
    for parameter in parameters(item) {
        print(&styled(DIM, visible(&format!("    {parameter}"))));
    }
}

/// The parameters of a tool or prompt, a line each.
fn parameters(item: &CatalogItem) -> Vec<String> {
    let line = |name: &str, kind: &str, required: bool, description: Option<&str>| {
        let needed = if required { "" } else { ", optional" };
        let first = description.and_then(|text| text.lines().next());
        let said = first.map(|text| format!(": {text}")).unwrap_or_default();
        format!("{name} ({kind}{needed}){said}")
    };
    match &item.detail {
        ItemDetail::Prompt { arguments } => arguments
            .iter()
            .map(|one| line(&one.name, "text", one.required, one.description.as_deref()))
            .collect(),
        ItemDetail::Tool(tool) => {
            let schema = tool.input_schema.as_ref();
            let schema: Value = schema
                .and_then(|schema| serde_json::from_str(schema.get()).ok())
                .unwrap_or_default();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let properties = schema["properties"]
                .as_object()
                .cloned()
                .unwrap_or_default();
            properties
                .iter()
                .map(|(name, field)| {
                    let kind = match &field["type"] {
                        Value::String(kind) => kind.clone(),
                        Value::Array(kinds) => {
                            let kinds = kinds.iter().filter_map(Value::as_str);
                            kinds.collect::<Vec<_>>().join(" or ")
                        }
                        _ => "any".to_owned(),
                    };
                    let is_required = required.iter().any(|one| one == name);
                    line(name, &kind, is_required, field["description"].as_str())
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_not_padded() {
        let rows = [("a", ""), ("a", " \n"), ("abc", "first")]
            .map(|(name, text)| anstream::adapter::strip_str(&row(name, 3, text)).to_string());
        assert_eq!(rows, ["a", "a", "abc  first"]);
    }
}
