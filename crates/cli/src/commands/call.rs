//! `sonde call`: runs a tool.

use sonde_client::{
    catalogs::{CatalogKind, Listed},
    operations::OperationInput,
};
use sonde_suite::format::nearest;

use crate::{
    Context,
    arguments::{JsonArguments, from_words, unknown},
    console::quoted,
    content::{ask, print_content},
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
    session::{Session, with_session},
};

/// Run a tool and print its result
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde call [OPTIONS] SERVER TOOL [NAME=VALUE]...\n       \
                      sonde call [OPTIONS] TOOL [NAME=VALUE]... -- COMMAND...",
    after_help = "\
Examples:
  sonde call everything echo message=hi
  sonde call everything get-sum a=2 b:=40
  sonde call shop create_order -j '{\"id\": 9007199254740993}'
  sonde call shop create_order -j @order.json
  sonde call echo message=hi -- npx -y @modelcontextprotocol/server-everything
  sonde call https://example.com/mcp search query=gulls \\
      --header 'Authorization: Bearer ${TOKEN}' --json

Values get the type that the tool's schema has for them; name:=json sends JSON as it is, and a list is filled by
repeating name=value."
)]
pub(crate) struct Call {
    /// Server, tool and arguments
    #[arg(required = true, value_name = "SERVER TOOL NAME=VALUE")]
    words: Vec<String>,
    #[command(flatten)]
    json_arguments: JsonArguments,
    /// Print the result exactly as received
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

impl Call {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let (server, words) = self.server.resolve(&self.words)?;
        let Some((tool, words)) = words.split_first() else {
            return Err(Failed::usage("Name the tool to run.")
                .more(["`sonde list` shows them.".to_owned()]));
        };
        let given = self.json_arguments.read(words)?;
        with_session(context, &self.server, &server, async |session| {
            session.note_version();
            let listed = session.list(CatalogKind::Tools).await?;
            let input = input(session, &listed, tool, words, given)?;
            let sent = input.clone();
            let asked = ask(session, input, self.json, async |run, content, _| {
                print_content(session, run, content).await
            });
            match asked.await {
                Err(failed) if failed.exit != Exit::Interrupted => {
                    Err(failed.more(misfits(session, sent).await))
                }
                done => done,
            }
        })
        .await
    }
}

/// The call of a tool that is in the list.
pub(super) fn input(
    session: &Session,
    listed: &Listed,
    tool: &str,
    words: &[String],
    given: Option<String>,
) -> Result<OperationInput> {
    let Some((key, item)) = listed.named(tool) else {
        let names = listed.items.iter().map(|item| item.name.as_str());
        return Err(Failed::usage(format!("The server has no tool `{tool}`."))
            .more([names_like(tool, names)]));
    };
    let schema = item.tool().and_then(|tool| tool.input_schema.as_ref());
    let schema = schema.map(|schema| schema.get());
    if let Some(words) = unknown(words, schema) {
        session.console.note(&quoted(&words));
    }
    let arguments = match given {
        Some(json) => Some(json),
        None => from_words(words, schema)?,
    };
    // Some tools require an object even without arguments.
    let arguments = arguments.unwrap_or_else(|| "{}".to_owned());
    Ok(OperationInput::tool(key, Some(arguments)))
}

/// The names that a typing error may have meant, or the first of all.
pub(super) fn names_like<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 20;
    let parts = |text: &str| {
        let lower = text.to_lowercase();
        let kept: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
        kept
    };
    let wanted = parts(name);
    let all: Vec<_> = names.collect();
    let mut alike: Vec<_> = all
        .iter()
        .filter(|one| {
            let one = parts(one);
            !wanted.is_empty() && (one.contains(&wanted) || wanted.contains(&one))
        })
        .copied()
        .collect();
    if alike.is_empty() {
        alike.extend(nearest(name, all.iter().copied()));
    }
    let (shown, words) = match alike.is_empty() {
        false => (alike, "Did you mean"),
        true if all.is_empty() => return "It has none.".to_owned(),
        true => (all, "It has"),
    };
    let more = match shown.len() > MOST {
        true => ", …",
        false => "",
    };
    format!(
        "{words}: {}{more}",
        shown[..shown.len().min(MOST)].join(", ")
    )
}

/// Places at which the arguments of a failed call do not fit the schema of the tool.
async fn misfits(session: &Session, sent: OperationInput) -> Vec<String> {
    let (Some(key), Some(arguments)) = (sent.target, sent.arguments) else {
        return Vec::new();
    };
    let check = session.connection.validate_arguments(key, arguments).await;
    let problems = check.map(|check| check.problems).unwrap_or_default();
    let problems = problems.iter();
    problems
        .map(|problem| format!("argument: {}", problem.words()))
        .collect()
}
