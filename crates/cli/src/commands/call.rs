//! `sonde call`: runs a tool.

use sonde_client::{
    catalogs::{CatalogKind, Listed},
    operations::{OperationInput, OperationNumber, OperationOutcome},
};

use crate::{
    Context,
    arguments::{from_words, json_option},
    content::{outcome, print_answer, print_content, text_of},
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
    /// Arguments as JSON, sent exactly as written; @FILE reads a file, - standard input
    #[arg(long, short = 'j', value_name = "JSON")]
    json_arguments: Option<String>,
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
        let given = self
            .json_arguments
            .as_deref()
            .map(json_option)
            .transpose()?;
        if given.is_some() && !words.is_empty() {
            return Err(Failed::usage(
                "Give the arguments either as name=value or with --json-arguments, not both.",
            ));
        }
        with_session(context, &self.server, &server, async |session| {
            let listed = session.list(CatalogKind::Tools).await?;
            let input = input(&listed, tool, words, given)?;
            let arguments = input.arguments.clone();
            let run = session.run(input).await?;
            match self.print(session, run).await? {
                Exit::Success => Ok(Exit::Success),
                exit => {
                    hint(session, &listed, tool, arguments).await;
                    Ok(exit)
                }
            }
        })
        .await
    }

    async fn print(&self, session: &Session, run: OperationNumber) -> Result<Exit> {
        let outcome = outcome(session, run)?;
        if self.json {
            print_answer(session, run)?;
        }
        if let Some(failed) = session.failure(&outcome) {
            crate::tell(&session.console, &failed);
            return Ok(failed.exit);
        }
        let OperationOutcome::Result {
            is_error, content, ..
        } = &outcome
        else {
            return Ok(Exit::Incomplete);
        };
        if !is_error {
            if !self.json {
                print_content(session, run, content).await?;
            }
            return Ok(Exit::Success);
        }
        let mut said = Vec::new();
        for (index, block) in (0..).zip(content) {
            said.extend(text_of(session, run, index, block).await?);
        }
        let lines = said.iter().flat_map(|text| text.lines());
        let failed = Failed::new(Exit::ErrorResponse, "The tool reported a failure.")
            .more(lines.map(crate::console::visible));
        crate::tell(&session.console, &failed);
        Ok(failed.exit)
    }
}

/// The call of a tool that is in the list.
pub(super) fn input(
    listed: &Listed,
    tool: &str,
    words: &[String],
    given: Option<String>,
) -> Result<OperationInput> {
    let found = (0..)
        .map_while(|place| listed.item(place))
        .find(|(_, item)| item.name == tool);
    let Some((key, item)) = found else {
        let names = listed.items.iter().map(|item| item.name.as_str());
        return Err(Failed::usage(format!("The server has no tool `{tool}`."))
            .more([names_like(tool, names)]));
    };
    let schema = item.tool().and_then(|tool| tool.input_schema.as_ref());
    let arguments = match given {
        Some(json) => Some(json),
        None => from_words(words, schema.map(|schema| schema.get()))?,
    };
    // A tool gets an object even where there is nothing to say.
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
    let alike: Vec<_> = all
        .iter()
        .filter(|one| {
            let one = parts(one);
            !wanted.is_empty() && (one.contains(&wanted) || wanted.contains(&one))
        })
        .copied()
        .collect();
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

/// Says where the arguments of a call that failed do not fit the tool's schema.
async fn hint(session: &Session, listed: &Listed, tool: &str, arguments: Option<String>) {
    let key = (0..)
        .map_while(|place| listed.item(place))
        .find(|(_, item)| item.name == tool)
        .map(|(key, _)| key.to_owned());
    let (Some(key), Some(arguments)) = (key, arguments) else {
        return;
    };
    let check = session.connection.validate_arguments(key, arguments).await;
    for problem in check.map(|check| check.problems).unwrap_or_default() {
        let place = match problem.instance_path.as_str() {
            "" => String::new(),
            path => format!("{path}: "),
        };
        session
            .console
            .say(&format!("  argument: {place}{}", problem.message));
    }
}
