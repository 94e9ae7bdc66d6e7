//! Actions of the user in each scenario. Scenarios without a name here are explored: every tool is run with the
//! arguments that its form suggests.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use sonde_client::{
    Connection,
    operations::{LostCode, OperationOutcome},
};

use crate::{
    Task, skills,
    user::{User, params},
};

/// Connects, plays the scenario and disconnects.
pub(crate) async fn play(connection: Connection, task: &Task) -> Result<()> {
    let user = User::connect(connection).await?;
    let played = act(&user, task).await;
    user.disconnect().await?;
    played
}

async fn act(user: &User, task: &Task) -> Result<()> {
    match task.scenario.as_str() {
        "initialize" | "request-metadata" => user.tools().await.map(drop),
        "json-schema-ref-no-deref" => validated(user).await,
        "http-standard-headers" => {
            every_tool(user).await?;
            every_resource(user).await?;
            every_prompt(user).await
        }
        "http-custom-headers" => given_calls(user, task).await,
        "http-invalid-tool-headers" => allowed_tools(user).await,
        "json-schema-2020-12-preservation" => echo_schema(user).await,
        "sep-2322-client-request-state" => interleaved(user).await,
        "sep-2640-client-no-prefetch" => skills::list(user).await.map(drop),
        name if name.starts_with("sep-2640-") => skills::load(user).await,
        _ => every_tool(user).await,
    }
}

/// Checks each form's suggestions against the tool's schema, as the app does while a user types.
async fn validated(user: &User) -> Result<()> {
    for tool in &user.tools().await? {
        let arguments = tool.suggested()?;
        user.validate(tool, arguments).await;
    }
    Ok(())
}

/// Runs every tool with the suggestions of its form.
async fn every_tool(user: &User) -> Result<()> {
    for tool in &user.tools().await? {
        let arguments = tool.suggested()?;
        user.run_tool(tool, &arguments).await?.succeeded()?;
    }
    Ok(())
}

async fn every_resource(user: &User) -> Result<()> {
    let list = user.ask("resources/list", None).await?;
    for resource in list["resources"].as_array().context("no resources")? {
        user.ask("resources/read", params("uri", &resource["uri"]))
            .await?;
    }
    Ok(())
}

async fn every_prompt(user: &User) -> Result<()> {
    let list = user.ask("prompts/list", None).await?;
    for prompt in list["prompts"].as_array().context("no prompts")? {
        user.ask("prompts/get", params("name", &prompt["name"]))
            .await?;
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
    /// Kept as written, with digits and key order.
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// Makes the calls that the scenario lists, exactly as written.
async fn given_calls(user: &User, task: &Task) -> Result<()> {
    let context = task.context.as_deref().context("no context")?;
    let calls: Calls = serde_json::from_str(context).context("reading the context")?;
    for call in calls.tool_calls {
        let tool = user.tool(&call.name).await?;
        user.run_tool(&tool, call.arguments.get())
            .await?
            .succeeded()?;
    }
    Ok(())
}

/// Tries every tool. The client must refuse exactly those whose definition forbids clients to call them; this code does
/// not know which they are.
async fn allowed_tools(user: &User) -> Result<()> {
    let mut ran = 0;
    for tool in &user.tools().await? {
        let arguments = tool.suggested()?;
        let call = user.run_tool(tool, &arguments).await?;
        match &call.outcome {
            Some(OperationOutcome::Lost {
                code: LostCode::Forbidden,
                reason,
            }) => {
                ensure!(
                    tool.has_issues(),
                    "{} is refused ({reason}), but its definition shows no problem",
                    tool.name()
                );
                eprintln!("= {} is refused: {reason}", tool.name());
            }
            _ => {
                call.succeeded()?;
                ran += 1;
            }
        }
    }
    ensure!(ran > 0, "every tool was refused");
    Ok(())
}

/// Sends the schema of one tool, as received, as the argument of the other.
async fn echo_schema(user: &User) -> Result<()> {
    let tool = user.tool("json_schema_2020_12_tool").await?;
    let schema = tool.input_schema().context("the tool has no schema")?;
    let arguments = format!(r#"{{"schema":{schema}}}"#);
    let echo = user.tool("json_schema_echo").await?;
    user.run_tool(&echo, &arguments).await?.succeeded()
}

/// Runs another tool while one waits for an answer, then the others.
async fn interleaved(user: &User) -> Result<()> {
    user.be_patient(true);
    let echo = user.tool("test_mrtr_echo_state").await?;
    let waiting = user.start_tool(&echo, "{}").await?;
    let request = user.server_request().await;
    if request.operation.is_some_and(|call| call != waiting) {
        bail!("the request is about another call: {request:?}");
    }
    let other = user.tool("test_mrtr_unrelated").await?;
    user.run_tool(&other, "{}").await?.succeeded()?;
    user.answer(&request).await?;
    user.end_of(waiting).await?.succeeded()?;
    user.be_patient(false);
    for name in ["test_mrtr_no_state", "test_mrtr_no_result_type"] {
        let tool = user.tool(name).await?;
        user.run_tool(&tool, "{}").await?.succeeded()?;
    }
    Ok(())
}
