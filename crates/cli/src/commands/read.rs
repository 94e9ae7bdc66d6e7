//! `sonde read`: reads a resource.

use std::path::PathBuf;

use sonde_client::operations::{OperationInput, RESOURCES_READ};

use crate::{
    Context,
    content::{ask, write_contents},
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
    session::with_session,
};

/// Read a resource and print its contents
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde read [OPTIONS] SERVER URI\n       \
                      sonde read [OPTIONS] URI -- COMMAND...",
    after_help = "\
Examples:
  sonde read everything demo://resource/static/document/architecture.md
  sonde read shop shop://logo --output logo.png
  sonde read shop shop://orders --json | jq '.contents[0].text'"
)]
pub(crate) struct Read {
    /// Server and URI of the resource
    #[arg(required = true, value_name = "SERVER URI")]
    words: Vec<String>,
    /// Write the contents to a file
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Print the result exactly as received
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

impl Read {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let (server, words) = self.server.resolve(&self.words)?;
        let [uri] = &words[..] else {
            return Err(Failed::usage("Name one resource by its URI.")
                .more(["`sonde list SERVER resources` shows them.".to_owned()]));
        };
        let input = OperationInput {
            method: RESOURCES_READ.to_owned(),
            target: Some(uri.clone()),
            ..OperationInput::default()
        };
        with_session(context, &self.server, &server, async |session| {
            session.note_version();
            ask(session, input, self.json, async |run, content, _| {
                write_contents(session, run, content, self.output.as_deref()).await
            })
            .await
        })
        .await
    }
}
