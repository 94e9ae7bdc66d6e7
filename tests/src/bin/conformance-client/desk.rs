//! A session, and somebody in front of it: what the window offers, without the window.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json, value::RawValue};
use sonde_auth::TokenManager;
use sonde_explorer::{introduction, skills::EXTENSION};
use sonde_mcp::{
    CallEvent, CallId, CallOptions, CallRequest, CloseReason, Era, EraChoice, Event, NextAttempt,
    OpenFailure, Outcome, Phase, Question, Reply, Revision, SessionHandle, SessionOptions,
    StreamEvent, StreamKind, Tool, ToolCall,
};
use sonde_wire::{
    Tap,
    http::{self, HttpSpec},
};
use tokio::{sync::mpsc, task::JoinHandle, time};

use crate::{Task, form, transcript::Transcript};

/// As many as the app lets wait.
const EVENTS: usize = 256;

/// How long a user waits for the background stream before going on without it.
const LISTENER: Duration = Duration::from_secs(3);

/// An open session.
///
/// Wishes are made in the task that drains the events: at most two are under way, and the
/// session's queue holds more.
pub(crate) struct Desk {
    session: SessionHandle,
    actor: JoinHandle<()>,
    events: mpsc::Receiver<Event>,
    calls: u64,
    /// The tools as last listed, or why they could not be.
    tools: Option<Result<Arc<Vec<Tool>>, String>>,
    ready: bool,
    era: Option<Era>,
    listens: bool,
    expects_tools: bool,
    finished: HashMap<CallId, Outcome>,
    questions: VecDeque<Question>,
    /// Whether questions wait for [`Desk::answer`].
    patient: bool,
}

impl Desk {
    /// Connects, and waits until everything that a connect brings is there.
    pub(crate) async fn open(task: &Task, era: EraChoice, tokens: &TokenManager) -> Result<Desk> {
        let mut offer = None;
        loop {
            let mut desk = Desk::start(task, era, offer, tokens)?;
            match desk.settle().await {
                Ok(()) => return Ok(desk),
                // The server named another revision: the app connects once more with that.
                Err(Refused::Offer(revision)) if offer.is_none() => offer = Some(revision),
                Err(refused) => bail!("the connection was not made: {refused}"),
            }
        }
    }

    fn start(
        task: &Task,
        era: EraChoice,
        offer: Option<Revision>,
        tokens: &TokenManager,
    ) -> Result<Desk> {
        let tap: Arc<dyn Tap> = Arc::new(Transcript::default());
        let spec = HttpSpec {
            authenticator: Some(Arc::new(tokens.clone())),
            ..HttpSpec::new(task.url.as_str())
        };
        let wire = http::open(spec, tap.clone())?;
        let mut options = SessionOptions {
            era,
            offer,
            ..introduction()
        };
        options
            .capabilities
            .extensions
            .push((EXTENSION.to_owned(), "{}".to_owned()));
        let (reports, events) = mpsc::channel(EVENTS);
        let (session, actor) = sonde_mcp::open(wire, tap, options, reports);
        Ok(Desk {
            session,
            actor,
            events,
            calls: 0,
            tools: None,
            ready: false,
            era: None,
            listens: false,
            expects_tools: false,
            finished: HashMap::new(),
            questions: VecDeque::new(),
            patient: false,
        })
    }

    async fn settle(&mut self) -> Result<(), Refused> {
        while !(self.ready && (self.tools.is_some() || !self.expects_tools)) {
            self.next().await.map_err(Refused::from)?;
        }
        // What the server says on its own has nowhere to go before that stream is open, and a
        // user is slower than a stream.
        if self.era == Some(Era::Legacy) {
            let listening = async {
                while !self.listens {
                    self.next().await?;
                }
                Ok::<_, Ended>(())
            };
            if let Ok(ended) = time::timeout(LISTENER, listening).await {
                return ended.map_err(Refused::from);
            }
        }
        Ok(())
    }

    /// The tools as the server listed them; asks for them where a connect did not bring them.
    pub(crate) async fn tools(&mut self) -> Result<Arc<Vec<Tool>>> {
        if self.tools.is_none() {
            self.session.refresh_tools().await?;
            while self.tools.is_none() {
                self.next().await?;
            }
        }
        match &self.tools {
            Some(Ok(tools)) => Ok(tools.clone()),
            Some(Err(message)) => bail!("the tools were not listed: {message}"),
            None => bail!("the tools were not listed"),
        }
    }

    /// Starts a tool with these arguments (JSON text).
    pub(crate) async fn start_tool(&mut self, name: &str, arguments: String) -> Result<CallId> {
        self.begin(CallRequest::Tool(ToolCall {
            name: name.to_owned(),
            arguments: Some(arguments),
        }))
        .await
    }

    /// Runs a tool to its end.
    pub(crate) async fn run_tool(&mut self, name: &str, arguments: String) -> Result<Outcome> {
        let call = self.start_tool(name, arguments).await?;
        self.end_of(call).await
    }

    /// Makes any other request and takes its result.
    pub(crate) async fn ask(&mut self, method: &str, params: Option<Value>) -> Result<Value> {
        let call = self
            .begin(CallRequest::Other {
                method: method.to_owned(),
                params: params.map(|params| params.to_string()),
            })
            .await?;
        let outcome = self.end_of(call).await?;
        Ok(serde_json::from_str(result(method, &outcome)?.get())?)
    }

    async fn begin(&mut self, request: CallRequest) -> Result<CallId> {
        self.calls += 1;
        let id = CallId(self.calls);
        self.session
            .request(id, request, CallOptions::default())
            .await?;
        Ok(id)
    }

    /// Waits for a call's last word.
    pub(crate) async fn end_of(&mut self, call: CallId) -> Result<Outcome> {
        loop {
            if let Some(outcome) = self.finished.remove(&call) {
                return Ok(outcome);
            }
            self.next().await?;
        }
    }

    /// Leaves questions open until [`Desk::answer`], or answers them at once (as it is at first).
    pub(crate) fn be_patient(&mut self, patient: bool) {
        self.patient = patient;
    }

    /// The next question that is open.
    pub(crate) async fn question(&mut self) -> Result<Question> {
        loop {
            if let Some(question) = self.questions.pop_front() {
                return Ok(question);
            }
            self.next().await?;
        }
    }

    /// Answers a form with its defaults, and refuses everything else.
    pub(crate) async fn answer(&mut self, question: &Question) -> Result<()> {
        let params: Value = match &question.params {
            Some(params) => serde_json::from_str(params.get())?,
            None => Value::Null,
        };
        let schema = &params["requestedSchema"];
        let reply = if question.method == "elicitation/create" && schema.is_object() {
            let content = form::fill(schema);
            Reply::Result(json!({"action": "accept", "content": content}).to_string())
        } else {
            Reply::Error {
                code: -32601,
                message: "Nobody is here to answer that.".to_owned(),
            }
        };
        Ok(self.session.answer(question.id, reply).await?)
    }

    /// Disconnects and waits for the end.
    pub(crate) async fn close(mut self) -> Result<()> {
        self.session.close();
        while self.events.recv().await.is_some() {}
        self.actor.await.context("the session's task failed")
    }

    /// Takes the next event; an error once the session is over.
    async fn next(&mut self) -> Result<(), Ended> {
        let Some(event) = self.events.recv().await else {
            return Err(Ended(None));
        };
        match event {
            Event::Phase(Phase::Ready) => self.ready = true,
            Event::Phase(Phase::Closed(reason)) => return Err(Ended(Some(reason))),
            Event::Negotiated(negotiated) => {
                eprintln!("= {} ({:?})", negotiated.revision, negotiated.era);
                self.era = Some(negotiated.era);
                self.expects_tools = negotiated.tools;
            }
            Event::Tools(listing) => self.tools = Some(Ok(listing.tools)),
            Event::ListFailed { message } => self.tools = Some(Err(message)),
            Event::Stream(report) => {
                eprintln!("~ {:?} {:?}", report.kind, report.event);
                if report.kind == StreamKind::Listener {
                    self.listens = !matches!(
                        report.event,
                        StreamEvent::Opening | StreamEvent::Waiting { .. }
                    );
                }
            }
            Event::Detection(step) => eprintln!("= {}", step.sentence),
            Event::Call(id, CallEvent::Finished(outcome)) => {
                self.finished.insert(id, outcome);
            }
            Event::Question(question) if self.patient => self.questions.push_back(question),
            Event::Question(question) => {
                if let Err(error) = self.answer(&question).await {
                    eprintln!("! no answer: {error:#}");
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The result of a call that went well.
pub(crate) fn result<'a>(what: &str, outcome: &'a Outcome) -> Result<&'a Arc<RawValue>> {
    match outcome {
        Outcome::Result {
            raw,
            is_error: false,
            ..
        } => Ok(raw),
        other => bail!("{what} ended with {other:?}"),
    }
}

/// The session is over.
#[derive(Debug, thiserror::Error)]
#[error("the session ended: {}", why(.0.as_ref()))]
struct Ended(Option<CloseReason>);

/// No session came of it.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the server named {0}")]
    Offer(Revision),
    #[error("the server lets nobody in")]
    SignIn,
    #[error("{}", why(.0.as_ref()))]
    Other(Option<CloseReason>),
}

impl From<Ended> for Refused {
    fn from(Ended(reason): Ended) -> Refused {
        match &reason {
            Some(CloseReason::OpenFailed(OpenFailure::Http {
                status: 401 | 403, ..
            })) => Refused::SignIn,
            Some(CloseReason::OpenFailed(failure)) => match failure.next_attempt() {
                Some(NextAttempt::Offer(revision)) => Refused::Offer(revision),
                _ => Refused::Other(reason),
            },
            _ => Refused::Other(reason),
        }
    }
}

fn why(reason: Option<&CloseReason>) -> String {
    reason.map_or_else(|| "no reason".to_owned(), |reason| format!("{reason:?}"))
}
