//! Somebody in front of the app: what a user does and waits for.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sonde_headless::{Error, Headless};
use sonde_ipc::{
    AnswerInput, CatalogKind, CatalogRow, Era, OperationNumber, OperationOutcome, OperationView,
    ServerRequestView, StreamPurpose, StreamState,
};
use tokio::task::JoinHandle;

use crate::form;

/// Time limit of a user's wait for the background stream, before going on without it.
const LISTENER: Duration = Duration::from_secs(3);

/// A user with one server.
pub(crate) struct User {
    app: Arc<Headless>,
    server: String,
    /// Requests of the server wait for [`User::answer`].
    patient: Arc<AtomicBool>,
    answering: JoinHandle<()>,
}

impl User {
    /// Connects, and waits until everything that a connect brings is there.
    pub(crate) async fn connect(app: Arc<Headless>, server: &str) -> Result<User> {
        app.connect(server).await?;
        match app.ready(server).await {
            // Who needs the tools will miss them.
            Ok(_) | Err(Error::NotListed(..)) => {}
            Err(error) => return Err(error.into()),
        }
        // What the server says on its own has nowhere to go before that stream is open, and a user
        // is slower than a stream.
        let listening = app.wait_within(LISTENER, "the background stream", |state| {
            let connection = state.connections.get(server)?;
            let listens = connection.streams.iter().any(|stream| {
                stream.purpose == StreamPurpose::Listener
                    && !matches!(stream.state, StreamState::Opening | StreamState::Waiting)
            });
            (listens || connection.era == Some(Era::Stateless)).then_some(())
        });
        match listening.await {
            Ok(()) | Err(Error::TimedOut { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let patient = Arc::<AtomicBool>::default();
        let answering = answer_all(app.clone(), server.to_owned(), patient.clone());
        Ok(User {
            app,
            server: server.to_owned(),
            patient,
            answering: tokio::spawn(answering),
        })
    }

    /// The tools as the server listed them; asks for them where a connect did not bring them.
    pub(crate) async fn tools(&self) -> Result<Vec<CatalogRow>> {
        let state = self.app.state();
        let tools = state.tools(&self.server);
        if let Some(error) = tools.and_then(|tools| tools.error.as_ref()) {
            bail!("{error}");
        }
        if tools.is_none_or(|tools| tools.revision == 0) {
            self.app.refresh(&self.server, CatalogKind::Tools).await?;
        }
        Ok(self.app.tools(&self.server).await?)
    }

    /// The tool of this name.
    pub(crate) async fn tool(&self, name: &str) -> Result<CatalogRow> {
        let tools = self.tools().await?;
        let tool = tools.iter().find(|tool| tool.name == name);
        tool.cloned()
            .with_context(|| format!("{name} is not listed"))
    }

    /// The input schema of a tool as received.
    pub(crate) async fn input_schema(&self, tool: &CatalogRow) -> Result<Option<String>> {
        let detail = self
            .app
            .backend()
            .tool_detail(self.server.clone(), tool.key.clone())
            .await
            .map_err(Error::from)?;
        Ok(detail.input_schema)
    }

    /// Returns the arguments that the form of a tool suggests.
    pub(crate) async fn suggested(&self, tool: &CatalogRow) -> Result<String> {
        let schema = match self.input_schema(tool).await? {
            Some(schema) => serde_json::from_str(&schema)?,
            None => Value::Null,
        };
        Ok(form::fill(&schema).to_string())
    }

    /// Lets a tool's schema judge arguments. A schema may be of no use without the parts that it
    /// refers to, so what it says is only told.
    pub(crate) async fn validate(&self, tool: &CatalogRow, arguments: String) {
        let said = self
            .app
            .backend()
            .validate_arguments(self.server.clone(), tool.key.clone(), arguments)
            .await;
        eprintln!("= {}: {said:?}", tool.name);
    }

    /// Starts a tool with these arguments (JSON text).
    pub(crate) async fn start_tool(
        &self,
        tool: &CatalogRow,
        arguments: &str,
    ) -> Result<OperationNumber> {
        let started = self
            .app
            .start_tool(&self.server, &tool.key, Some(arguments));
        Ok(started.await?)
    }

    /// Runs a tool to its end.
    pub(crate) async fn run_tool(
        &self,
        tool: &CatalogRow,
        arguments: &str,
    ) -> Result<OperationView> {
        let call = self.start_tool(tool, arguments).await?;
        self.end_of(call).await
    }

    /// Makes any other request and takes its result.
    pub(crate) async fn ask(&self, method: &str, params: Option<Value>) -> Result<Value> {
        let params = params.map(|params| params.to_string());
        let call = self
            .app
            .start_request(&self.server, method, params.as_deref())
            .await?;
        succeeded(&self.end_of(call).await?)?;
        Ok(serde_json::from_str(&self.app.result(call).await?)?)
    }

    /// Waits for a call's last word.
    pub(crate) async fn end_of(&self, call: OperationNumber) -> Result<OperationView> {
        Ok(self.app.finished(call).await?)
    }

    /// Leaves requests of the server open until [`User::answer`], or answers them at once (as it is
    /// at first).
    pub(crate) fn be_patient(&self, patient: bool) {
        self.patient.store(patient, Ordering::SeqCst);
    }

    /// The first request of the server that is open.
    pub(crate) async fn server_request(&self) -> Result<ServerRequestView> {
        Ok(self.app.server_request(&self.server, 0).await?)
    }

    /// Answers a form with its defaults, and refuses everything else.
    pub(crate) async fn answer(&self, request: &ServerRequestView) -> Result<()> {
        answer(&self.app, request).await
    }

    /// Disconnects and waits for the end.
    pub(crate) async fn disconnect(self) -> Result<()> {
        self.answering.abort();
        match self.app.disconnect(&self.server).await?.failure {
            Some(failure) => bail!("the end was not orderly: {failure:?}"),
            None => Ok(()),
        }
    }
}

/// Answers what the server asks, until the app ends.
async fn answer_all(app: Arc<Headless>, server: String, patient: Arc<AtomicBool>) {
    let mut last = 0;
    loop {
        let request = match app.server_request(&server, last).await {
            Ok(request) => request,
            // Nobody has asked yet.
            Err(Error::TimedOut { .. }) => continue,
            Err(_) => return,
        };
        last = request.request;
        if patient.load(Ordering::SeqCst) {
            continue;
        }
        if let Err(error) = answer(&app, &request).await {
            eprintln!("! no answer: {error:#}");
        }
    }
}

async fn answer(app: &Headless, request: &ServerRequestView) -> Result<()> {
    let answer = match &request.schema {
        Some(schema) => AnswerInput::Accept {
            content: form::fill(&serde_json::from_str(schema)?).to_string(),
        },
        None => AnswerInput::Error {
            code: -32601,
            message: "Nobody is here to answer that.".to_owned(),
        },
    };
    Ok(app.answer(request.request, answer).await?)
}

/// Fails unless a call ended well.
pub(crate) fn succeeded(call: &OperationView) -> Result<()> {
    match &call.outcome {
        Some(OperationOutcome::Result {
            is_error: false, ..
        }) => Ok(()),
        other => bail!("{:?} ended with {other:?}", call.target),
    }
}

/// The `params` of a request with one member.
pub(crate) fn params(name: &str, value: &Value) -> Option<Value> {
    Some(json!({ name: value }))
}
