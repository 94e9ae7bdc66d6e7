//! `sonde diff`: compares what two servers offer, or one server at two times.

use std::{collections::BTreeSet, path::Path};

use serde_json::{Map, Value, json};
use sonde_suite::listing::{ChangeClass, ChangeKind, ListChange, changes};

use super::{list::ALL, snapshot};
use crate::{
    Context,
    arguments::without_bom,
    console::{BOLD, DIM, GREEN, RED, YELLOW, print, print_text, quoted, styled},
    exit::{Exit, Failed, Result},
    servers::{Server, ServerArgs, protocol},
    session::with_session,
    units::count,
};

/// Compare the lists of two servers, of a snapshot and a server, or of two protocol versions
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde diff [OPTIONS] BEFORE AFTER\n       \
                      sonde diff [OPTIONS] SNAPSHOT -- COMMAND...\n       \
                      sonde diff [OPTIONS] --revisions VERSION,VERSION SERVER",
    after_help = "\
Classes of changes:
  breaking   Calls that worked may fail, or be confirmed differently
  additive   Nothing that worked is different
  routing    A model may choose differently, since the words are others
  cosmetic   Only people see it

Examples:
  sonde diff shop.snapshot.json shop
  sonde diff shop-1.4 shop-1.5 --fail-on breaking,routing
  sonde diff shop --revisions 2025-11-25,2026-07-28
  sonde diff shop.snapshot.json -- node server.js"
)]
pub(crate) struct Diff {
    /// Servers, or files that `sonde snapshot` wrote
    #[arg(value_name = "BEFORE AFTER")]
    words: Vec<String>,
    /// Two protocol versions of one server
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "VERSION",
        conflicts_with = "revision"
    )]
    revisions: Vec<String>,
    /// Classes that fail the gate
    #[arg(long, value_enum, value_delimiter = ',', default_value = "breaking")]
    fail_on: Vec<FailOn>,
    /// Print the changes as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    Breaking,
    Additive,
    Routing,
    Cosmetic,
    Any,
    Never,
}

impl FailOn {
    fn fails(self, class: ChangeClass) -> bool {
        match self {
            Self::Any => true,
            Self::Never => false,
            Self::Breaking => class == ChangeClass::Breaking,
            Self::Additive => class == ChangeClass::Additive,
            Self::Routing => class == ChangeClass::Routing,
            Self::Cosmetic => class == ChangeClass::Cosmetic,
        }
    }
}

/// A change with the name of its list.
type Change = (&'static str, ListChange);

impl Diff {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let is_file = |word: &String| Path::new(word).is_file();
        if self.server.log.is_some() && !self.words.iter().any(is_file) {
            return Err(Failed::usage(
                "`--log` is for one connection, and `sonde diff` opens two.",
            ));
        }
        // One limit for both sides.
        let context = Context {
            console: context.console.clone(),
            stop: context.stop.within(self.server.timeout),
        };
        let [before, after] = self.sides(&context).await?;
        let found = compare(&before, &after);
        match self.json {
            true => print_text(&as_json(&found)),
            false => show(&found),
        }
        let fails = |(_, one): &Change| self.fail_on.iter().any(|on| on.fails(one.kind.class()));
        Ok(match found.iter().any(fails) {
            true => Exit::GateFailed,
            false => Exit::Success,
        })
    }

    /// The snapshots of both sides.
    async fn sides(&self, context: &Context) -> Result<[Value; 2]> {
        if !self.revisions.is_empty() {
            let [one, two] = &self.revisions[..] else {
                return Err(Failed::usage("Name two protocol versions."));
            };
            let server = self.server.only(&self.words)?;
            let mut sides = [Value::Null, Value::Null];
            for (side, revision) in sides.iter_mut().zip([one, two]) {
                let mut server = server.clone();
                server.entry.config.protocol = protocol(revision)?;
                *side = self.read_lists(context, &server).await?;
            }
            return Ok(sides);
        }
        match (&self.words[..], self.server.is_named()) {
            ([before, after], true) => Ok([
                self.side(context, before).await?,
                self.side(context, after).await?,
            ]),
            ([before], false) => {
                let (server, _) = self.server.resolve(&[])?;
                Ok([
                    self.side(context, before).await?,
                    self.read_lists(context, &server).await?,
                ])
            }
            _ => Err(Failed::usage(
                "Name two sides: servers, or files with snapshots.",
            )),
        }
    }

    async fn side(&self, context: &Context, word: &str) -> Result<Value> {
        if !Path::new(word).is_file() {
            let server = self.server.named(word);
            let server =
                server.map_err(|failed| failed.more([format!("There is no file {word}.")]))?;
            return self.read_lists(context, &server).await;
        }
        let bad = |problem: String| Failed::usage(format!("{word} cannot be used: {problem}."));
        let text = std::fs::read_to_string(word).map_err(|error| bad(error.to_string()))?;
        let text = without_bom(&text);
        let read: Value = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        match read.get("sonde-snapshot") {
            // A missing list would compare like an empty one.
            Some(version) if *version == 1 => {
                let mut kinds = ALL.iter();
                match kinds.find(|kind| !read[kind.member()].is_array()) {
                    Some(kind) => Err(bad(format!("it has no list of {}", kind.noun()))),
                    None => Ok(read),
                }
            }
            Some(_) => Err(bad("a newer version of Sonde wrote it".to_owned())),
            None => Err(bad(
                "it is not a file that `sonde snapshot` wrote".to_owned()
            )),
        }
    }

    async fn read_lists(&self, context: &Context, server: &Server) -> Result<Value> {
        let text = with_session(context, &self.server, server, snapshot::text).await?;
        serde_json::from_str(&text)
            .map_err(|error| Failed::incomplete(format!("The lists are not valid JSON: {error}.")))
    }
}

fn compare(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    for kind in ALL {
        let list = kind.member();
        let items = |side: &Value| side[list].as_array().cloned().unwrap_or_default();
        let changed = changes(&items(before), &items(after), kind.key_member());
        found.extend(changed.into_iter().map(|change| (list, change)));
    }
    let mut capabilities = Vec::new();
    capability_changes(
        &before["capabilities"],
        &after["capabilities"],
        "",
        &mut capabilities,
    );
    found.extend(
        capabilities
            .into_iter()
            .map(|change| ("capabilities", change)),
    );
    if before.get("instructions") != after.get("instructions") {
        let change = ListChange {
            kind: ChangeKind::Description,
            item: String::new(),
            path: String::new(),
            words: "The instructions of the server are others.".to_owned(),
        };
        found.push(("instructions", change));
    }
    let rank = |(_, one): &Change| match one.kind.class() {
        ChangeClass::Breaking => 0,
        ChangeClass::Routing => 1,
        ChangeClass::Additive => 2,
        ChangeClass::Cosmetic => 3,
    };
    found.sort_by_key(rank);
    found
}

/// Capabilities that a server has not any more, or newly. One with the value `false` is none.
fn capability_changes(before: &Value, after: &Value, path: &str, found: &mut Vec<ListChange>) {
    let nothing = Map::new();
    let [before, after] = [before, after].map(|side| side.as_object().unwrap_or(&nothing));
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for name in names {
        let at = format!("{path}/{name}");
        let [old, new] = [before, after].map(|side| side.get(name).filter(|one| **one != false));
        let (kind, words) = match (old, new) {
            (Some(old), Some(new)) => {
                capability_changes(old, new, &at, found);
                continue;
            }
            (Some(_), None) => (ChangeKind::Removed, "is gone"),
            (None, Some(_)) => (ChangeKind::Added, "is new"),
            (None, None) => continue,
        };
        found.push(ListChange {
            kind,
            item: name.clone(),
            words: format!("The capability `{at}` {words}."),
            path: at,
        });
    }
}

fn as_json(found: &[Change]) -> String {
    let changes = found.iter().map(|(list, one)| {
        json!({
            "class": one.kind.class().as_str(),
            "list": list,
            "item": one.item,
            "path": one.path,
            "message": one.words,
        })
    });
    format!("{:#}", Value::from_iter(changes))
}

fn show(found: &[Change]) {
    let mut last = None;
    for (list, one) in found {
        let class = one.kind.class();
        if last != Some(class) {
            last = Some(class);
            let style = match class {
                ChangeClass::Breaking => RED,
                ChangeClass::Routing => YELLOW,
                ChangeClass::Additive => GREEN,
                ChangeClass::Cosmetic => DIM,
            };
            let alike = found.iter().filter(|other| other.1.kind.class() == class);
            let title = format!("{} ({})", class.as_str(), alike.count());
            print(&styled(style, styled(BOLD, title)));
        }
        print(&format!("  {list}: {}", quoted(&one.words)));
    }
    print(&match found.len() {
        0 => "No differences.".to_owned(),
        all => format!("\n{}.", count(all, "change")),
    });
}
