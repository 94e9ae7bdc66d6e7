//! A user with one server: actions and waits.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sonde_client::{
    Connection, Error,
    catalogs::{CatalogKind, Listed},
    operations::{OperationInput, OperationNumber, OperationOutcome},
    sessions::{AnswerInput, ConnectInput, OpenServerRequest, StreamPurpose, StreamState},
};
use sonde_findings::Severity;
use sonde_mcp::{CatalogItem, Era};
use tokio::{task::JoinHandle, time};

use crate::form;

/// Time limit of a user's wait for the background stream before continuing without it.
const LISTENER: Duration = Duration::from_secs(3);

/// A user with one server.
pub(crate) struct User {
    connection: Connection,
    /// Requests of the server wait for [`User::answer`].
    patient: Arc<AtomicBool>,
    answering: JoinHandle<()>,
}

/// A tool of the list.
pub(crate) struct Tool {
    key: String,
    item: CatalogItem,
}

impl Tool {
    pub(crate) fn name(&self) -> &str {
        &self.item.name
    }

    /// True if its definition breaks a rule.
    pub(crate) fn has_issues(&self) -> bool {
        let mut findings = self.item.findings.iter();
        findings.any(|finding| finding.severity() != Severity::Info)
    }

    /// Returns the input schema as received.
    pub(crate) fn input_schema(&self) -> Option<&str> {
        let schema = self.item.tool()?.input_schema.as_ref()?;
        Some(schema.get())
    }

    /// Returns the arguments that its form suggests.
    pub(crate) fn suggested(&self) -> Result<String> {
        let schema = match self.input_schema() {
            Some(schema) => serde_json::from_str(schema)?,
            None => Value::Null,
        };
        Ok(form::fill(&schema).to_string())
    }
}

/// A call that is over.
#[derive(Debug)]
pub(crate) struct Call {
    target: Option<String>,
    pub(crate) outcome: Option<OperationOutcome>,
    /// Result as received.
    result: Option<String>,
}

impl Call {
    /// Fails unless the call succeeded.
    pub(crate) fn succeeded(&self) -> Result<()> {
        match &self.outcome {
            Some(OperationOutcome::Result {
                is_error: false, ..
            }) => Ok(()),
            other => bail!("{:?} ended with {other:?}", self.target),
        }
    }
}

impl User {
    /// Connects, and waits until everything that a connect reads is there.
    pub(crate) async fn connect(connection: Connection) -> Result<User> {
        connection.connect(ConnectInput::default())?;
        if let Err(failure) = connection.wait_until_open().await {
            bail!("the connection failed ({}): {failure}", failure.code);
        }
        match connection.wait_for_catalog(CatalogKind::Tools).await {
            // A scenario that needs the tools will notice that they are missing.
            Ok(_) | Err(Error::NotListed(_)) => {}
            Err(error) => return Err(error.into()),
        }
        // The server's own messages can only arrive once that stream is open, and a user is slower than a stream.
        let listening = connection.wait_for(|state| {
            let details = state.session.connection.as_ref()?;
            let listens = details.streams.list().iter().any(|stream| {
                stream.purpose == StreamPurpose::Listener
                    && !matches!(stream.state, StreamState::Opening | StreamState::Waiting)
            });
            (listens || details.facts.era == Some(Era::Stateless)).then_some(())
        });
        let _ = time::timeout(LISTENER, listening).await;
        let patient = Arc::<AtomicBool>::default();
        let answering = answer_all(connection.clone(), patient.clone());
        Ok(User {
            connection,
            patient,
            answering: tokio::spawn(answering),
        })
    }

    /// Returns the tools as the server listed them; reads them if the connect did not.
    pub(crate) async fn tools(&self) -> Result<Vec<Tool>> {
        let kind = CatalogKind::Tools;
        let listed = self.connection.wait_for_catalog(kind).await?;
        let listed = match self.connection.catalog_revision(kind) {
            0 => self.connection.read_catalog(kind).await?,
            _ => listed,
        };
        let Listed { items, keys, .. } = &*listed;
        let tools = keys.iter().zip(items.iter()).map(|(key, item)| Tool {
            key: key.clone(),
            item: item.clone(),
        });
        Ok(tools.collect())
    }

    /// Returns the tool of this name.
    pub(crate) async fn tool(&self, name: &str) -> Result<Tool> {
        let mut tools = self.tools().await?.into_iter();
        tools
            .find(|tool| tool.name() == name)
            .with_context(|| format!("{name} is not listed"))
    }

    /// Checks arguments against a tool's schema. Problems are only printed, because a schema may be unusable without
    /// the documents that it refers to.
    pub(crate) async fn validate(&self, tool: &Tool, arguments: String) {
        let key = tool.key.clone();
        let said = self.connection.validate_arguments(key, arguments).await;
        eprintln!("= {}: {said:?}", tool.name());
    }

    /// Starts a tool with these arguments (JSON text).
    pub(crate) async fn start_tool(&self, tool: &Tool, arguments: &str) -> Result<OperationNumber> {
        let call = OperationInput::tool(&tool.key, Some(arguments.to_owned()));
        Ok(self.connection.start_operation(call).await?)
    }

    /// Runs a tool to its end.
    pub(crate) async fn run_tool(&self, tool: &Tool, arguments: &str) -> Result<Call> {
        let call = self.start_tool(tool, arguments).await?;
        self.end_of(call).await
    }

    /// Sends any other request and returns its result.
    pub(crate) async fn ask(&self, method: &str, params: Option<Value>) -> Result<Value> {
        let call = OperationInput {
            method: method.to_owned(),
            params: params.map(|params| params.to_string()),
            ..OperationInput::default()
        };
        let call = self.connection.start_operation(call).await?;
        let call = self.end_of(call).await?;
        call.succeeded()?;
        let result = call.result.context("a success has a result")?;
        Ok(serde_json::from_str(&result)?)
    }

    /// Waits for the end of a call.
    pub(crate) async fn end_of(&self, call: OperationNumber) -> Result<Call> {
        let ended = self.connection.wait_for_operation(call, |record| Call {
            target: record.target.clone(),
            outcome: record.outcome.clone(),
            result: record.result.as_ref().map(|json| json.get().to_owned()),
        });
        Ok(ended.await?)
    }

    /// Leaves requests of the server open until [`User::answer`], or answers them at once (the default).
    pub(crate) fn be_patient(&self, patient: bool) {
        self.patient.store(patient, Ordering::SeqCst);
    }

    /// Waits for the first open request of the server.
    pub(crate) async fn server_request(&self) -> OpenServerRequest {
        self.connection.wait_for_server_request(0).await
    }

    /// Answers a form with its defaults, and refuses other requests.
    pub(crate) async fn answer(&self, request: &OpenServerRequest) -> Result<()> {
        answer(&self.connection, request).await
    }

    /// Disconnects and waits for the end.
    pub(crate) async fn disconnect(self) -> Result<()> {
        self.answering.abort();
        self.connection.end_session().await;
        match self.connection.read(|state| state.session.failure.clone()) {
            Some(failure) => bail!("the end was not orderly: {failure:?}"),
            None => Ok(()),
        }
    }
}

/// Answers the server's requests until the program ends.
async fn answer_all(connection: Connection, patient: Arc<AtomicBool>) {
    let mut last = 0;
    loop {
        let request = connection.wait_for_server_request(last).await;
        last = request.number;
        if patient.load(Ordering::SeqCst) {
            continue;
        }
        if let Err(error) = answer(&connection, &request).await {
            eprintln!("! no answer: {error:#}");
        }
    }
}

async fn answer(connection: &Connection, request: &OpenServerRequest) -> Result<()> {
    let answer = match &request.schema {
        Some(schema) => AnswerInput::Accept {
            content: form::fill(&serde_json::from_str(schema)?).to_string(),
        },
        None => AnswerInput::Error {
            code: -32601,
            message: "Nobody is here to answer that.".to_owned(),
        },
    };
    let answered = connection.answer_server_request(request.number, answer);
    Ok(answered.await?)
}

/// Creates the `params` of a request with one member.
pub(crate) fn params(name: &str, value: &Value) -> Option<Value> {
    Some(json!({ name: value }))
}
