//! A session in memory: the test is the server, and handles the events when it wants to.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json, value::RawValue};
use sonde_mcp::{
    CatalogEvent, CatalogItem, EraChoice, Event, OperationEvent, OperationId, Outcome, Phase,
    Revision, SessionHandle, StreamOptions, Timeouts,
};
use sonde_wire::{
    Body, Carrier, Command, Direction, Entry, EntryKind, Label, MessageKind, Peer, Seq, Tap as _,
    Wire, queue,
};
use tokio::time::timeout;

use super::{
    attempts::Attempts, client_info::introduction, connect::open_session,
    connect_options::ConnectPlan, connect_tap::ConnectTap, event_loop::apply,
    server_requests::AnswerInput, state::SessionPhase, steps::Step,
};
use crate::{
    Connection, Error,
    catalogs::{CatalogKind, SchemaCheck, judge_schemas},
    config::{Declaration, RootFolder, ServerConfig, Transport},
    log::LogNoResponse,
    operations::{AnswerKind, AskedPage, OperationInput, OperationNumber},
    testing::{self, Notices},
};

const ELICITATION: &str = r#"{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","url":"https://a","message":"m","elicitationId":"e"}}"#;

const HOUR: Duration = Duration::from_secs(3_600);

struct Scene {
    connection: Connection,
    notices: Arc<Notices>,
    plan: ConnectPlan,
    tap: Arc<ConnectTap>,
    handle: SessionHandle,
    events: queue::Receiver<Event>,
    far: Peer,
}

fn config(roots: &[&str]) -> ServerConfig {
    let mut config = ServerConfig::new("S", Transport::Demo { http: false });
    config.roots = roots
        .iter()
        .map(|folder| RootFolder {
            folder: (*folder).to_owned(),
            name: None,
        })
        .collect();
    config
}

impl Scene {
    /// A session that is opening. These roots are stored when the connect begins, and those when the
    /// transport is open.
    async fn opening(roots: &[&str], saved: &[&str]) -> Scene {
        let (connection, notices) = testing::connection(config(roots));
        let transport = Transport::Demo { http: false };
        let core = &connection.core;
        let (generation, (cancel, done)) = core.state(|state| {
            let steps = Step::of(&transport, false);
            let begun = state.session.begin(&state.config, &steps);
            (state.session.generation, begun)
        });
        let plan = ConnectPlan {
            generation,
            attempts: Attempts::new(&transport, EraChoice::Handshake, None),
            transport,
            timeouts: Timeouts::default(),
            streams: StreamOptions::default(),
            log_level: None,
            declaration: Declaration::default(),
            cancel,
            done,
        };
        connection.configure(config(saved)).await;
        let tap = ConnectTap::new(core, false);
        let (wire, far) = Wire::pair(Carrier::Pipe);
        let (sender, events) = queue::channel(256);
        let (handle, _) = open_session(
            core,
            &plan,
            wire,
            tap.clone(),
            introduction(plan.declaration.client()),
            sender,
        );
        Scene {
            connection,
            notices,
            plan,
            tap,
            handle,
            events,
            far,
        }
    }

    async fn ready(&mut self) {
        let initialize = self.sent().await;
        assert_eq!(initialize["method"], "initialize");
        let version = &initialize["params"]["protocolVersion"];
        let server = json!({ "name": "s", "version": "1" });
        let result =
            json!({ "protocolVersion": version, "capabilities": {}, "serverInfo": server });
        self.say(json!({ "jsonrpc": "2.0", "id": initialize["id"], "result": result }).to_string())
            .await;
        while !matches!(self.handle_event().await, Kind::Ready) {}
        assert_eq!(self.sent().await["method"], "notifications/initialized");
    }

    async fn say(&mut self, text: impl Into<String>) {
        assert!(self.far.deliver(Seq(0), text).await);
    }

    async fn sent(&mut self) -> Value {
        let command = timeout(HOUR, self.far.commands.recv()).await;
        match command.expect("something is sent within an hour") {
            Some(Command::Send(outgoing)) => serde_json::from_str(&outgoing.text.unwrap()).unwrap(),
            other => panic!("unexpected command {other:?}"),
        }
    }

    /// Takes the next event into the models.
    async fn handle_event(&mut self) -> Kind {
        let event = self.event().await;
        self.apply(event).await
    }

    async fn event(&mut self) -> Event {
        let event = timeout(HOUR, self.events.recv()).await;
        event.expect("something happens within an hour").unwrap()
    }

    async fn apply(&self, event: Event) -> Kind {
        let kind = match &event {
            Event::Phase(Phase::Ready) => Kind::Ready,
            Event::ServerRequest(_) => Kind::Asked,
            Event::ServerRequestClosed(..) => Kind::Closed,
            _ => Kind::Other,
        };
        apply(
            &self.connection.core,
            &self.plan,
            &self.tap,
            &self.handle,
            event,
        )
        .await;
        kind
    }

    /// The next event of this kind, which is not in the models yet.
    async fn until_closed(&mut self) -> Event {
        loop {
            let event = self.event().await;
            if matches!(event, Event::ServerRequestClosed(..)) {
                return event;
            }
            self.apply(event).await;
        }
    }

    async fn run(&mut self) -> OperationNumber {
        let operation = OperationInput {
            method: "x/y".to_owned(),
            ..OperationInput::default()
        };
        let run = self.connection.start_operation(operation).await;
        assert_eq!(self.sent().await["method"], "x/y");
        run.unwrap()
    }

    /// The server asks, and the user sees it.
    async fn asked(&mut self) -> u64 {
        self.say(ELICITATION).await;
        while !matches!(self.handle_event().await, Kind::Asked) {}
        self.connection
            .read(|state| state.server_requests.iter().next().unwrap().number)
    }

    async fn accept(&self, request: u64) -> Result<(), Error> {
        let result = r#"{"action":"accept"}"#.to_owned();
        self.connection
            .answer_server_request(request, AnswerInput::Raw { result })
            .await
    }

    /// Returns how the requests of a run were answered, and for each of its pages whether it is completed.
    fn kept(&self, run: OperationNumber) -> (Vec<AnswerKind>, Vec<bool>) {
        self.connection.read(|state| {
            let asked = &state.operations.get(run).unwrap().request_history;
            let answers = asked.answered.iter().map(|one| one.answer);
            let pages = asked.pages.iter().map(|page| page.completed);
            (answers.collect(), pages.collect())
        })
    }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Ready,
    Asked,
    Closed,
    Other,
}

#[tokio::test(start_paused = true)]
async fn roots_that_are_saved_while_a_server_connects_are_told() {
    let roots = |answer: &Value| answer["result"]["roots"].to_string();
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    // Before there is a session, and while it shakes hands.
    let mut scene = Scene::opening(&["/a"], &["/b"]).await;
    scene.connection.configure(config(&["/c"])).await;
    scene.say(list).await;
    let initialize = scene.sent().await;
    assert!(initialize["params"]["capabilities"]["roots"].is_object());
    assert_eq!(roots(&scene.sent().await), r#"[{"uri":"file:///b"}]"#);
    let id = &initialize["id"];
    let result = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": { "name": "s", "version": "1" } });
    let response = json!({ "jsonrpc": "2.0", "id": id, "result": result });
    scene.say(response.to_string()).await;
    assert_eq!(scene.sent().await["method"], "notifications/initialized");
    let told = scene.sent().await;
    assert_eq!(told["method"], "notifications/roots/list_changed");
    scene.say(list).await;
    assert_eq!(roots(&scene.sent().await), r#"[{"uri":"file:///c"}]"#);

    // The first of a server are declared.
    let mut scene = Scene::opening(&[], &["/b"]).await;
    let initialize = scene.sent().await;
    assert!(initialize["params"]["capabilities"]["roots"].is_object());
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_kept_once_it_was_sent() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let run = scene.run().await;
    let request = scene.asked().await;
    scene.accept(request).await.unwrap();
    assert!(matches!(
        scene.accept(request).await,
        Err(Error::NotFound(_))
    ));
    assert_eq!(scene.kept(run), (vec![], vec![]));
    assert_eq!(scene.sent().await["result"]["action"], "accept");
    while scene.handle_event().await != Kind::Closed {}
    assert_eq!(scene.kept(run), (vec![AnswerKind::Accept], vec![false]));
    assert!(matches!(
        scene.accept(request).await,
        Err(Error::NotFound(_))
    ));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_came_too_late_is_not_kept_as_given() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let run = scene.run().await;
    let request = scene.asked().await;
    scene
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}"#)
        .await;
    // The session knows it, and the window does not yet.
    let closed = scene.until_closed().await;
    scene.accept(request).await.unwrap();
    scene.apply(closed).await;
    assert_eq!(scene.kept(run), (vec![], vec![]));
    let titles = scene.notices.titles();
    let [.., title] = &titles[..] else {
        panic!("the user is told");
    };
    assert!(
        title.ends_with("came too late and was not sent."),
        "{title}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_may_belong_to_each_of_several_runs() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let runs = [scene.run().await, scene.run().await];
    let request = scene.asked().await;
    let (operation, candidates) = scene.connection.read(|state| {
        let open = state.server_requests.get(request).unwrap();
        (open.operation, open.candidates.clone())
    });
    assert_eq!((operation, candidates), (None, runs.to_vec()));
    // The user may take longer than either waits in silence: both clocks begin again.
    for run in runs {
        scene.connection.core.with_operation(run, |record| {
            record.deadline.as_mut().unwrap().idle_at = 0;
        });
    }
    scene.accept(request).await.unwrap();
    while scene.handle_event().await != Kind::Closed {}
    for run in runs {
        assert_eq!(scene.kept(run), (vec![AnswerKind::Accept], vec![false]));
        let deadline = scene
            .connection
            .read(|state| state.operations.get(run).unwrap().deadline);
        assert!(deadline.unwrap().idle_at > 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_is_completed_by_the_connect_that_asked_for_it() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let runs = [scene.run().await, scene.run().await];
    let params = r#"{"mode":"url","url":"https://a","message":"m","elicitationId":"e"}"#;
    let core = &scene.connection.core;
    for (run, generation) in runs.into_iter().zip([0, scene.plan.generation]) {
        let page = AskedPage::of(params, true, scene.tap.log()).unwrap();
        core.with_operation(run, |record| {
            record.generation = generation;
            record.request_history.require(vec![page]);
        });
    }
    scene
        .apply(Event::ElicitationCompleted("e".to_owned()))
        .await;
    let completed = runs.map(|run| scene.kept(run).1);
    assert_eq!(completed, [vec![false], vec![true]]);
}

/// The session knows whether the protocol version has the error for addresses.
#[tokio::test(start_paused = true)]
async fn pages_are_required_where_the_session_says_so() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let runs = [scene.run().await, scene.run().await];
    let data = r#"{"elicitations":[{"mode":"url","url":"https://a","message":"m"}]}"#;
    let data = Some(Arc::from(RawValue::from_string(data.to_owned()).unwrap()));
    for (run, said) in runs.into_iter().zip([true, false]) {
        let operation = |event| Event::Operation(OperationId(run), event);
        if said {
            let required = OperationEvent::UrlsRequired(data.clone());
            scene.apply(operation(required)).await;
        }
        let error = Outcome::ProtocolError {
            code: -32042,
            message: "m".to_owned(),
            data: data.clone(),
            seq: Seq(0),
        };
        let finished = OperationEvent::Finished(error);
        scene.apply(operation(finished)).await;
    }
    let pages = runs.map(|run| scene.kept(run).1.len());
    assert_eq!(pages, [1, 0]);
}

#[tokio::test(start_paused = true)]
async fn the_wire_log_says_that_a_request_outside_of_a_run_timed_out() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let refreshed = scene.connection.refresh_catalog(CatalogKind::Resources);
    refreshed.await.unwrap();
    let asked = scene.sent().await;
    assert_eq!(asked["method"], "resources/list");
    let label = Label {
        kind: Some(MessageKind::Request),
        id: Some(asked["id"].to_string().into()),
        ..Label::default()
    };
    let tap = Arc::clone(&scene.tap);
    let Seq(request) = tap.log().record(Entry {
        label,
        ..Entry::new(Direction::Out, EntryKind::Message, Body::Empty)
    });
    let why = || tap.log().row(request).unwrap().no_response;
    while why().is_none() {
        scene.handle_event().await;
    }
    assert_eq!(why(), Some(LogNoResponse::TimedOut));
}

#[tokio::test(start_paused = true)]
async fn a_run_keeps_the_protocol_version_that_it_is_judged_by() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let run = scene.run().await;
    let finished = OperationEvent::Finished(Outcome::Cancelled);
    let operation = Event::Operation(OperationId(run), finished);
    scene.apply(operation).await;
    let kept = scene
        .connection
        .read(|state| state.operations.get(run)?.revision.clone());
    assert_eq!(kept.as_deref(), Some(Revision::NEWEST_HANDSHAKE.as_str()));
}

fn tool(name: &str, input: &str, output: Option<&str>) -> CatalogItem {
    let raw = |text: &str| Arc::<RawValue>::from(RawValue::from_string(text.to_owned()).unwrap());
    CatalogItem {
        key: name.to_owned(),
        name: name.to_owned(),
        title: None,
        description: None,
        detail: sonde_mcp::ItemDetail::Tool(sonde_mcp::Tool {
            input_schema: Some(raw(input)),
            output_schema: output.map(raw),
            ..sonde_mcp::Tool::default()
        }),
        raw: raw("{}"),
        findings: Vec::new(),
    }
}

fn listing(items: Vec<CatalogItem>) -> sonde_mcp::Listing {
    sonde_mcp::Listing {
        items: Arc::new(items.into()),
        pages: 1,
        error: None,
        is_whole: true,
        diff: None,
        findings: Vec::new(),
        freshness: None,
    }
}

#[tokio::test]
async fn an_invalid_schema_is_an_issue_once_the_list_is_read() {
    let mut scene = Scene::opening(&[], &[]).await;
    scene.ready().await;
    let (good, bad) = (r#"{"type":"object"}"#, r#"{"type":"objekt"}"#);
    let items = vec![
        tool("good", good, Some(good)),
        tool("bad", bad, None),
        tool("both", bad, Some(bad)),
    ];
    let event = CatalogEvent::Listed(listing(items));
    let kind = CatalogKind::Tools;
    scene.apply(Event::Catalog { kind, event }).await;
    let core = scene.connection.core.clone();
    let listed = || {
        scene.connection.read(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools).unwrap();
            (catalog.listed.clone(), catalog.revision)
        })
    };
    // Whichever of the two is first, the other finds that it is done.
    judge_schemas(core.clone()).await;
    let (judged, revision) = listed();
    let found: Vec<_> = judged.found.rules().map(|one| one.count).collect();
    assert_eq!((found, revision), (vec![3], 2));
    let of_tool = |index: u32| {
        let (_, item) = judged.item(index).unwrap();
        let findings = item.findings.iter();
        findings.map(|one| one.message()).collect::<Vec<_>>()
    };
    assert!(of_tool(0).is_empty());
    let words = "The schema in `inputSchema` cannot be used: /type ";
    assert!(of_tool(1)[0].starts_with(words), "{:?}", of_tool(1));
    assert!(of_tool(2)[1].starts_with("The schema in `outputSchema` cannot be used"));

    let check = || {
        scene.connection.read(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools).unwrap();
            catalog.schema_check().cloned()
        })
    };
    let all = SchemaCheck {
        judged: 3,
        left_out: Vec::new(),
    };
    assert_eq!(check(), Some(all));

    // What cannot be read is not taken for right, and what is left after too many problems neither.
    let unknown = r#"{"$schema":"https://example.com/dialect","type":"object"}"#;
    let few = CatalogEvent::Listed(listing(vec![
        tool("good", good, None),
        tool("unknown", unknown, None),
    ]));
    scene.apply(Event::Catalog { kind, event: few }).await;
    assert_eq!(check(), None, "it is another list");
    judge_schemas(core.clone()).await;
    let partly = check().unwrap();
    assert_eq!((partly.judged, partly.left_out.len()), (1, 1), "{partly:?}");
    let many = (0..1_500).map(|number| tool(&number.to_string(), bad, None));
    let many = CatalogEvent::Listed(listing(many.collect()));
    scene.apply(Event::Catalog { kind, event: many }).await;
    judge_schemas(core.clone()).await;
    let partly = check().unwrap();
    assert_eq!(
        (partly.judged, partly.left_out.len()),
        (1_000, 1),
        "{partly:?}"
    );

    // A list that is read again has what it had; one of a server that is not connected is left alone.
    let again = CatalogEvent::Listed(listing(vec![tool("bad", bad, None)]));
    core.state(|state| state.session.phase = SessionPhase::Idle);
    scene.apply(Event::Catalog { kind, event: again }).await;
    judge_schemas(core).await;
    assert_eq!(listed().0.found.rules().count(), 0);
}
