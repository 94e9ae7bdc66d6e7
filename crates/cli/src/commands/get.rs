//! `sonde get`: gets a prompt.

use serde_json::Value;
use sonde_client::{catalogs::CatalogKind, operations::OperationInput};
use sonde_mcp::ItemDetail;

use super::call::names_like;
use crate::{
    Context,
    arguments::JsonArguments,
    console::{BOLD, print, styled, visible},
    content::{ask, print_blocks},
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
    session::{Session, with_session},
};

/// Get a prompt and print its messages
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde get [OPTIONS] SERVER PROMPT [NAME=VALUE]...\n       \
                      sonde get [OPTIONS] PROMPT [NAME=VALUE]... -- COMMAND...",
    after_help = "\
Examples:
  sonde get everything args-prompt city=Oslo
  sonde get shop summary --json | jq '.messages[0].content.text'"
)]
pub(crate) struct Get {
    /// Server, prompt and arguments
    #[arg(required = true, value_name = "SERVER PROMPT NAME=VALUE")]
    words: Vec<String>,
    #[command(flatten)]
    json_arguments: JsonArguments,
    /// Print the result exactly as received
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

impl Get {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let (server, words) = self.server.resolve(&self.words)?;
        let Some((prompt, words)) = words.split_first() else {
            return Err(Failed::usage("Name the prompt.")
                .more(["`sonde list SERVER prompts` shows them.".to_owned()]));
        };
        let given = self.json_arguments.read(words)?;
        let input = OperationInput {
            method: "prompts/get".to_owned(),
            target: Some(prompt.clone()),
            arguments: match given {
                Some(json) => Some(json),
                None => texts(words)?,
            },
            ..OperationInput::default()
        };
        with_session(context, &self.server, &server, async |session| {
            session.note_version();
            let asked = ask(session, input, self.json, async |run, content, prompt| {
                let mut first = 0;
                for message in prompt.iter().flat_map(|prompt| &prompt.messages) {
                    let own = content.iter().skip(first as usize);
                    let own: Vec<_> = own.take(message.blocks as usize).cloned().collect();
                    print(&styled(BOLD, format_args!("{}:", visible(&message.role))));
                    print_blocks(session, run, &own, first).await?;
                    first += message.blocks;
                }
                Ok(())
            });
            match asked.await {
                Err(failed) if failed.exit == Exit::ErrorResponse => {
                    Err(failed.more(advice(session, prompt).await))
                }
                done => done,
            }
        })
        .await
    }
}

/// The arguments of a prompt, or the names of other prompts if there is none of this name.
async fn advice(session: &Session, prompt: &str) -> Option<String> {
    let listed = session.list(CatalogKind::Prompts).await.ok()?;
    let Some((_, item)) = listed.named(prompt) else {
        let names = listed.items.iter().map(|item| item.name.as_str());
        let alike = names_like(prompt, names);
        return Some(format!("The server lists no prompt `{prompt}`. {alike}"));
    };
    let ItemDetail::Prompt { arguments } = &item.detail else {
        return None;
    };
    let names: Vec<_> = arguments.iter().map(|one| one.name.as_str()).collect();
    Some(match names.is_empty() {
        true => "The prompt has no arguments.".to_owned(),
        false => format!("The prompt has the arguments: {}.", names.join(", ")),
    })
}

/// Converts the arguments; all arguments of a prompt are strings.
fn texts(words: &[String]) -> Result<Option<String>> {
    let members = words.iter().map(|word| match word.split_once('=') {
        Some((name, value)) if let Some(name) = name.strip_suffix(':') => {
            Err(Failed::usage(format!(
                "`{word}` is JSON, and arguments of prompts are texts. Write it as {name}={value}."
            )))
        }
        Some((name, value)) => Ok(format!("{}:{}", Value::from(name), Value::from(value))),
        None => Err(Failed::usage(format!(
            "`{word}` is not an argument. Write it as name=value."
        ))),
    });
    let members = members.collect::<Result<Vec<_>>>()?;
    Ok((!members.is_empty()).then(|| format!("{{{}}}", members.join(","))))
}
