//! What is clicked in each scenario. One that is not named here is explored: every tool is run
//! with what its form suggests.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use sonde_explorer::validate::Validator;
use sonde_mcp::{EraChoice, Lost, Outcome, Tool};

use crate::{
    Task,
    desk::{Desk, result},
    form,
    sign_in::SignIn,
    skills,
};

/// Connects, plays the scenario and disconnects.
pub(crate) async fn play(task: &Task) -> Result<()> {
    let era = match task.scenario.as_str() {
        _ if task.automatic => EraChoice::Automatic,
        // What a server says to a revision that it does not speak is what this one is about.
        "request-metadata" => EraChoice::Stateless,
        _ => EraChoice::Fixed(task.revision),
    };
    let sign_in = SignIn::prepare(task)?;
    let played = async {
        let mut desk = Desk::open(task, era, &sign_in.tokens).await?;
        let played = act(&mut desk, task).await;
        desk.close().await?;
        played
    }
    .await;
    match sign_in.end().await {
        Some(problem) => played.context(problem),
        None => played,
    }
}

async fn act(desk: &mut Desk, task: &Task) -> Result<()> {
    match task.scenario.as_str() {
        "initialize" | "request-metadata" => desk.tools().await.map(drop),
        "json-schema-ref-no-deref" => validated(desk).await,
        "http-standard-headers" => {
            every_tool(desk).await?;
            every_resource(desk).await?;
            every_prompt(desk).await
        }
        "http-custom-headers" => given_calls(desk, task).await,
        "http-invalid-tool-headers" => allowed_tools(desk).await,
        "json-schema-2020-12-preservation" => echo_schema(desk).await,
        "sep-2322-client-request-state" => interleaved(desk).await,
        "sep-2640-client-no-prefetch" => skills::list(desk).await.map(drop),
        name if name.starts_with("sep-2640-") => skills::load(desk).await,
        _ => every_tool(desk).await,
    }
}

/// Lets every tool's schema judge what its form suggests, as the app does while a user types. What
/// it says is not the point here: a schema may be of no use without the parts that it refers to.
async fn validated(desk: &mut Desk) -> Result<()> {
    let validator = Validator::new();
    for tool in desk.tools().await?.iter() {
        if let Some(schema) = &tool.input_schema {
            let said = validator
                .problems(schema.get().to_owned(), suggested(tool)?)
                .await;
            eprintln!("= {}: {said:?}", tool.name);
        }
    }
    Ok(())
}

/// Runs every tool with what its form suggests.
async fn every_tool(desk: &mut Desk) -> Result<()> {
    for tool in desk.tools().await?.iter() {
        let outcome = desk.run_tool(&tool.name, suggested(tool)?).await?;
        result(&tool.name, &outcome)?;
    }
    Ok(())
}

fn suggested(tool: &Tool) -> Result<String> {
    let schema = match &tool.input_schema {
        Some(schema) => serde_json::from_str(schema.get())?,
        None => Value::Null,
    };
    Ok(form::fill(&schema).to_string())
}

async fn every_resource(desk: &mut Desk) -> Result<()> {
    let list = desk.ask("resources/list", None).await?;
    for resource in list["resources"].as_array().context("no resources")? {
        let uri = &resource["uri"];
        desk.ask("resources/read", Some(json!({"uri": uri})))
            .await?;
    }
    Ok(())
}

async fn every_prompt(desk: &mut Desk) -> Result<()> {
    let list = desk.ask("prompts/list", None).await?;
    for prompt in list["prompts"].as_array().context("no prompts")? {
        let name = &prompt["name"];
        desk.ask("prompts/get", Some(json!({"name": name}))).await?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Calls<'a> {
    #[serde(borrow)]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    name: String,
    /// As written: digits and key order count.
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// Makes the calls that the scenario names, word for word.
async fn given_calls(desk: &mut Desk, task: &Task) -> Result<()> {
    let context = task.context.as_deref().context("no context")?;
    let calls: Calls = serde_json::from_str(context).context("reading the context")?;
    desk.tools().await?;
    for call in calls.tool_calls {
        let arguments = call.arguments.get().to_owned();
        let outcome = desk.run_tool(&call.name, arguments).await?;
        result(&call.name, &outcome)?;
    }
    Ok(())
}

/// Tries every tool. The session must refuse those whose definition forbids clients to call them,
/// and only those: nothing here knows which they are.
async fn allowed_tools(desk: &mut Desk) -> Result<()> {
    let mut ran = 0;
    for tool in desk.tools().await?.iter() {
        match desk.run_tool(&tool.name, suggested(tool)?).await? {
            Outcome::Lost(Lost::Forbidden { reason }) => {
                ensure!(
                    !tool.problems.is_empty(),
                    "{} is refused ({reason}), but its definition shows no problem",
                    tool.name
                );
                eprintln!("= {} is refused: {reason}", tool.name);
            }
            outcome => {
                result(&tool.name, &outcome)?;
                ran += 1;
            }
        }
    }
    ensure!(ran > 0, "every tool was refused");
    Ok(())
}

/// Sends the schema of one tool, as held, as the argument of the other.
async fn echo_schema(desk: &mut Desk) -> Result<()> {
    let tools = desk.tools().await?;
    let schema = tools
        .iter()
        .find(|tool| tool.name == "json_schema_2020_12_tool")
        .and_then(|tool| tool.input_schema.as_ref())
        .context("the tool with the schema is not listed")?;
    let arguments = format!(r#"{{"schema":{}}}"#, schema.get());
    let outcome = desk.run_tool("json_schema_echo", arguments).await?;
    result("json_schema_echo", &outcome).map(drop)
}

/// Runs another tool while one waits for an answer, then those that are left.
async fn interleaved(desk: &mut Desk) -> Result<()> {
    desk.tools().await?;
    desk.be_patient(true);
    let waiting = desk
        .start_tool("test_mrtr_echo_state", "{}".to_owned())
        .await?;
    let question = desk.question().await?;
    if question.call.is_some_and(|call| call != waiting) {
        bail!("the question is about another call: {question:?}");
    }
    let other = desk
        .run_tool("test_mrtr_unrelated", "{}".to_owned())
        .await?;
    result("test_mrtr_unrelated", &other)?;
    desk.answer(&question).await?;
    result("test_mrtr_echo_state", &desk.end_of(waiting).await?)?;
    desk.be_patient(false);
    for tool in ["test_mrtr_no_state", "test_mrtr_no_result_type"] {
        let outcome = desk.run_tool(tool, "{}".to_owned()).await?;
        result(tool, &outcome)?;
    }
    Ok(())
}
