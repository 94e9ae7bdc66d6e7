//! `sonde snapshot`: writes what a server offers to a file.

use std::path::PathBuf;

use serde_json::Value;

use super::list::ALL;
use crate::{
    Context,
    console::{pretty, print_text},
    exit::{Exit, Failed, Result},
    report::check_outputs,
    servers::ServerArgs,
    session::{Session, with_session},
};

/// Write all lists of a server as JSON, to compare them later
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde snapshot [OPTIONS] SERVER\n       sonde snapshot [OPTIONS] -- COMMAND...",
    after_help = "\
The definitions keep the server's order of keys and the digits of numbers, so that a difference in git is one of the
server.

Examples:
  sonde snapshot shop --output shop.snapshot.json
  sonde diff shop.snapshot.json shop"
)]
pub(crate) struct Snapshot {
    /// Server
    #[arg(value_name = "SERVER")]
    words: Vec<String>,
    /// Write it to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write it as JSON, as without this option
    #[arg(long = "json")]
    _json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

impl Snapshot {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let written = self.output.iter().chain(&self.server.log);
        check_outputs(written, self.server.config.iter())?;
        let server = self.server.only(&self.words)?;
        with_session(context, &self.server, &server, async |session| {
            let text = text(session).await?;
            match &self.output {
                Some(path) => std::fs::write(path, text + "\n")
                    .map_err(|error| Failed::not_written(path, &error))?,
                None => print_text(&text),
            }
            Ok(Exit::Success)
        })
        .await
    }
}

/// The snapshot of a connected server, as indented JSON.
pub(super) async fn text(session: &Session) -> Result<String> {
    session.require_version()?;
    let mut lists = Vec::new();
    for kind in ALL {
        lists.push((kind, session.list_with_notes(kind).await?));
    }
    if session.exit() != Exit::Success {
        // Items after the cut would seem to be removed.
        return Err(Failed::incomplete(
            "Lists that are not complete are neither stored nor compared.",
        ));
    }
    let (name, version, revision) = session.identity();
    let (capabilities, instructions) = session.connection.read(|state| {
        let session = &state.session;
        let identity = session.identity.as_ref();
        let capabilities = identity.map(|one| one.capabilities.clone());
        (
            capabilities.unwrap_or_default(),
            session.instructions.clone(),
        )
    });
    let mut members = vec![
        ("sonde-snapshot", "1".to_owned()),
        ("server", Value::from(name).to_string()),
        (
            "version",
            version.map_or(Value::Null, Value::from).to_string(),
        ),
        ("revision", Value::from(revision).to_string()),
    ];
    // A cut object is invalid JSON.
    if serde_json::from_str::<Value>(&capabilities).is_ok() {
        members.push(("capabilities", capabilities));
    }
    if let Some(instructions) = instructions {
        members.push((
            "instructions",
            Value::from(instructions.as_str()).to_string(),
        ));
    }
    for (kind, listed) in &lists {
        let items: Vec<_> = listed.items.iter().map(|item| item.raw.get()).collect();
        members.push((kind.member(), format!("[{}]", items.join(","))));
    }
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    Ok(pretty(&format!("{{{}}}", members.join(","))))
}
