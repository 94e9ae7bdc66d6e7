//! Calls without state.

use super::{http::broken, stateless::options, *};
use crate::{
    ClientCapabilities, ElicitationCapability, EraChoice, Lost, RootsCapability,
    SamplingCapability, TimeoutKind,
};

const INPUT: &str = r#"{"resultType":"input_required","requestState":"a\u0062 c","inputRequests":{"z":{"method":"elicitation/create","params":{"message": "?"}},"a":{"method":"roots/list"}}}"#;

fn header<'a>(outgoing: &'a Outgoing, name: &str) -> Vec<&'a str> {
    outgoing
        .headers
        .iter()
        .filter(|header| header.name == name)
        .map(|header| header.value.as_str())
        .collect()
}

impl Bench {
    /// Starts a call and returns what was sent.
    pub(super) async fn start(
        &mut self,
        call: u64,
        request: OperationRequest,
    ) -> (Outgoing, Value) {
        self.start_with(call, request, OperationOptions::default())
            .await
    }

    async fn start_with(
        &mut self,
        call: u64,
        request: OperationRequest,
        options: OperationOptions,
    ) -> (Outgoing, Value) {
        self.handle
            .start_operation(OperationId(call), request, options)
            .await
            .unwrap();
        let sent = self.message().await;
        assert!(matches!(
            self.call_event(call).await,
            OperationEvent::Sent { .. }
        ));
        sent
    }

    /// Reads a list with these tools.
    async fn list(&mut self, tools: &str) {
        self.loading().await;
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], "tools/list");
        let result = format!(
            r#"{{"resultType":"complete","ttlMs":60000,"cacheScope":"public","tools":[{tools}]}}"#
        );
        self.reply(&outgoing, 200, answer(&message["id"], &result))
            .await;
        self.listed().await;
    }
}

pub(super) fn tool(name: &str, arguments: &str) -> OperationRequest {
    OperationRequest::tool(name, Some(arguments.to_owned()))
}

fn other(method: &str, params: Option<&str>) -> OperationRequest {
    OperationRequest::other(method, params.map(str::to_owned))
}

#[tokio::test(start_paused = true)]
async fn any_request_goes_out_as_written_in_both_eras() {
    let typed = "{ \"z\": 1.0e+2,\n \"uri\": \"file:///x\", \"_meta\": { \"mine\": [1 ] } }";
    let mut bench = Bench::ready().await;
    let (outgoing, _) = bench.start(1, other("resources/read", Some(typed))).await;
    assert_eq!(
        outgoing.text.as_deref().unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{ \"z\": 1.0e+2, \
         \"uri\": \"file:///x\", \"_meta\": { \"mine\": [1 ] ,\"progressToken\":2} }}"
    );
    bench.say(answer(2, r#"{ "contents": [] }"#)).await;
    let Outcome::Result { raw, is_error, .. } = bench.finished(1).await else {
        panic!("it has a result");
    };
    assert_eq!((raw.get(), is_error), (r#"{ "contents": [] }"#, false));

    let mut bench = Bench::stateless(Carrier::Http, "{}").await;
    let (outgoing, message) = bench.start(1, other("resources/read", Some(typed))).await;
    let text = outgoing.text.as_deref().unwrap();
    assert!(
        text.contains("{ \"z\": 1.0e+2, \"uri\": \"file:///x\", \"_meta\": { \"mine\": [1 ] ,")
    );
    let meta = &message["params"]["_meta"];
    assert_eq!(meta["progressToken"], message["id"]);
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"],
        Revision::NEWEST_STATELESS.as_str()
    );
    assert_eq!(header(&outgoing, "Mcp-Method"), ["resources/read"]);
    assert_eq!(header(&outgoing, "Mcp-Name"), ["file:///x"]);

    bench.operate(2, other("x", Some("{"))).await;
    assert!(matches!(bench.has_lost(2).await, Lost::NotSent { .. }));
}

#[tokio::test(start_paused = true)]
async fn the_log_level_travels_with_every_request() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let level = "io.modelcontextprotocol/logLevel";
    let (_, before) = bench.start(1, other("a", None)).await;
    assert!(before["params"]["_meta"].get(level).is_none());
    let notice = Some(crate::LogLevel::Notice);
    bench.handle.set_log_level(notice).await.unwrap();
    let (_, after) = bench.start(2, other("b", None)).await;
    assert_eq!(after["params"]["_meta"][level], "notice");
    bench.handle.set_log_level(None).await.unwrap();
    let (_, back) = bench.start(3, other("c", None)).await;
    assert!(back["params"]["_meta"].get(level).is_none());
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_ping_asks_what_every_server_knows() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    bench.handle.ping().await.unwrap();
    let (_, message) = bench.message().await;
    assert_eq!(message["method"], "server/discover");
    bench
        .say(answer(&message["id"], &super::stateless::discovery("{}")))
        .await;
    assert!(matches!(bench.event().await, Event::Pong { .. }));
}

#[tokio::test(start_paused = true)]
async fn requests_of_a_stateless_server_are_not_answered() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let seq = bench.request("\"x\"", "ping", "{}").await;
    bench.quiet().await;
    assert_eq!(bench.notes.codes(seq), ["request-in-stateless-era"]);
}

#[tokio::test(start_paused = true)]
async fn tools_ask_for_headers_over_http() {
    let good = r#"{"name":"good","description":"d","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"}}}}"#;
    let bad = r#"{"name":"bad","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}}"#;
    let tools = format!("{good},{bad}");
    for carrier in [Carrier::Http, Carrier::Pipe] {
        let http = carrier == Carrier::Http;
        let mut bench = Bench::stateless(carrier, r#"{"tools":{}}"#).await;
        bench.loading().await;
        let (outgoing, message) = bench.message().await;
        let result = format!(r#"{{"tools":[{tools}],"ttlMs":5,"cacheScope":"public"}}"#);
        bench
            .reply(&outgoing, 200, answer(&message["id"], &result))
            .await;
        let listing = bench.listed().await;
        assert_eq!(listing.items[1].findings[0].id(), "invalid-x-mcp-header");
        assert!(listing.items[0].findings.is_empty());
        let freshness = listing.freshness.as_ref().unwrap();
        assert_eq!(freshness.ttl_ms.as_deref(), Some("5"));
        assert_eq!(freshness.scope.as_deref(), Some("public"));

        let (outgoing, _) = bench
            .start(1, tool("good", r#"{"n":42.0,"region":"é"}"#))
            .await;
        let region: &[&str] = if http { &["=?base64?w6k=?="] } else { &[] };
        assert_eq!(header(&outgoing, "Mcp-Param-Region"), region);
        let n: &[&str] = if http { &["42"] } else { &[] };
        assert_eq!(header(&outgoing, "Mcp-Param-N"), n);

        bench.operate(2, tool("bad", "{}")).await;
        if http {
            assert!(matches!(
                bench.finished(2).await,
                Outcome::Lost(Lost::Forbidden { reason }) if reason.contains("`n`")
            ));
            let force = OperationOptions {
                force: true,
                ..OperationOptions::default()
            };
            let (outgoing, _) = bench.start_with(3, tool("bad", r#"{"n":1}"#), force).await;
            assert!(header(&outgoing, "Mcp-Param-N").is_empty());
        } else {
            assert_eq!(bench.sent().await["params"]["name"], "bad");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn refused_headers_are_built_anew_once() {
    let mut bench = Bench::stateless(Carrier::Http, r#"{"tools":{}}"#).await;
    bench
        .list(r#"{"name":"t","inputSchema":{"type":"object"}}"#)
        .await;
    let (outgoing, first) = bench.start(1, tool("t", r#"{"r":"eu"}"#)).await;
    assert!(header(&outgoing, "Mcp-Param-R").is_empty());
    bench
        .reply(&outgoing, 400, refusal(&first["id"], -32020, "null"))
        .await;
    assert_eq!(bench.step().await.0, "headers-refused");
    bench.list(r#"{"name":"t","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"R"}}}}"#).await;
    let (outgoing, second) = bench.message().await;
    assert_eq!(outgoing.label.cause, Some(sonde_wire::Cause::Retry));
    assert_eq!(header(&outgoing, "Mcp-Param-R"), ["eu"]);
    assert_eq!(second["params"]["arguments"]["r"], "eu");
    bench.again(1, 1).await;
    bench
        .reply(&outgoing, 400, refusal(&second["id"], -32020, "null"))
        .await;
    bench.fails_with(1, -32020).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_the_tools_keeps_its_limit() {
    let mut bench = Bench::stateless(Carrier::Http, r#"{"tools":{}}"#).await;
    bench.list("").await;
    let limits = limited(10, Some(20));
    let (outgoing, message) = bench.start_with(1, tool("t", "{}"), limits).await;
    bench
        .reply(&outgoing, 400, refusal(&message["id"], -32020, "null"))
        .await;
    assert_eq!(bench.step().await.0, "headers-refused");
    bench.loading().await;
    // The user waits longer.
    let begin = tokio::time::Instant::now();
    bench.handle.extend(OperationId(1), secs(30)).await.unwrap();
    let event = bench.call_event(1).await;
    assert!(matches!(event, OperationEvent::Extended { hard, .. } if hard == secs(30)));
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Hard);
    assert!(begin.elapsed() >= secs(30));
}

#[tokio::test(start_paused = true)]
async fn a_refused_revision_is_replaced_once_and_other_errors_end_the_call() {
    let mut bench = Bench::stateless(Carrier::Http, "{}").await;
    let (outgoing, first) = bench.start(1, tool("t", "{}")).await;
    let data = format!(r#"{{"supported":["{}"]}}"#, Revision::NEWEST_STATELESS);
    bench
        .reply(&outgoing, 400, refusal(&first["id"], -32022, &data))
        .await;
    assert_eq!(bench.step().await.0, "other-revision");
    let (outgoing, second) = bench.message().await;
    assert_ne!(first["id"], second["id"]);
    bench.again(1, 1).await;
    bench
        .reply(&outgoing, 400, refusal(&second["id"], -32022, &data))
        .await;
    bench.fails_with(1, -32022).await;

    let (outgoing, third) = bench.start(2, tool("t", "{}")).await;
    let data = r#"{"requiredCapabilities":{"sampling":{}}}"#;
    bench
        .reply(&outgoing, 400, refusal(&third["id"], -32021, data))
        .await;
    let Outcome::ProtocolError {
        code: -32021,
        data: Some(kept),
        ..
    } = bench.finished(2).await
    else {
        panic!("the error stays");
    };
    assert_eq!(kept.get(), data);
}

#[tokio::test(start_paused = true)]
async fn closing_the_stream_is_the_cancellation_over_http() {
    let mut bench = Bench::stateless(Carrier::Http, "{}").await;
    let (outgoing, _) = bench.start(1, tool("t", "{}")).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    bench
        .handle
        .cancel(OperationId(1), Some("enough".into()))
        .await
        .unwrap();
    bench.abandons(outgoing.exchange).await;
    bench.cancelling(1).await;
    bench.over(outgoing.exchange, StreamEnd::Abandoned).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
    bench.quiet().await;

    let limits = OperationOptions {
        idle: Some(secs(3)),
        ..OperationOptions::default()
    };
    let (outgoing, _) = bench.start_with(2, tool("t", "{}"), limits).await;
    assert_eq!(bench.timed_out(2).await, TimeoutKind::Idle);
    bench.abandons(outgoing.exchange).await;
    bench.quiet().await;

    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let (_, message) = bench.start(1, tool("t", "{}")).await;
    bench.cancel(1).await;
    let cancelled = bench.sent().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], message["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_broken_stream_loses_the_call_and_nothing_is_sent_again() {
    for end in [StreamEnd::Complete, broken()] {
        let mut bench = Bench::stateless(Carrier::Http, "{}").await;
        let (outgoing, _) = bench.start(1, tool("t", "{}")).await;
        bench.head(outgoing.exchange, 200, &[SSE]).await;
        bench.over(outgoing.exchange, end).await;
        assert!(matches!(bench.has_lost(1).await, Lost::StreamLost { .. }));
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn results_of_unknown_kinds_are_no_results() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    for (call, result, valid) in [
        (1, r#"{"content":[]}"#, true),
        (2, r#"{"resultType":"complete","content":[]}"#, true),
        (3, r#"{"resultType":"task","taskId":"1"}"#, false),
        (4, r#"{"resultType":"sometimes","content":[]}"#, false),
        (5, r#"{"resultType":"input_required"}"#, false),
    ] {
        let (_, message) = bench.start(call, tool("t", "{}")).await;
        bench.say(answer(&message["id"], result)).await;
        let outcome = bench.finished(call).await;
        if valid {
            assert!(matches!(outcome, Outcome::Result { .. }), "{result}");
        } else {
            assert!(matches!(outcome, Outcome::BadShape { .. }), "{result}");
        }
    }
    let (_, message) = bench.start(6, other("tools/list", None)).await;
    bench.say(answer(&message["id"], INPUT)).await;
    assert!(matches!(bench.finished(6).await, Outcome::BadShape { .. }));
}

fn willing() -> SessionOptions {
    let mut options = options(EraChoice::Automatic);
    options.capabilities = ClientCapabilities {
        elicitation: Some(ElicitationCapability {
            form: true,
            url: false,
        }),
        ..ClientCapabilities::default()
    };
    options
}

#[tokio::test(start_paused = true)]
async fn what_the_server_asks_for_is_sent_with_the_same_request() {
    let mut bench = Bench::stateless_with(Carrier::Http, "{}", willing()).await;
    let call = tool("t", "{ \"n\": 9007199254740993 }");
    let (outgoing, first) = bench.start(1, call).await;
    bench
        .reply(&outgoing, 200, answer(&first["id"], INPUT))
        .await;
    bench.input_required(1, 1).await;
    let (z, a) = (bench.server_request().await, bench.server_request().await);
    assert_eq!(
        (z.key.as_deref(), z.method.as_str(), z.declared),
        (Some("z"), "elicitation/create", true)
    );
    assert_eq!(z.params.as_ref().unwrap().get(), r#"{"message": "?"}"#);
    assert_eq!(
        (a.key.as_deref(), a.method.as_str(), a.declared),
        (Some("a"), "roots/list", false)
    );
    assert_eq!(a.operation, Some(OperationId(1)));

    // Another call meanwhile has none of it.
    let (_, between) = bench.start(2, tool("u", "{}")).await;
    assert!(between["params"].get("requestState").is_none());
    assert!(between["params"].get("inputResponses").is_none());

    // The user may think for longer than the idle limit.
    tokio::time::sleep(secs(50)).await;
    bench.answer(&a, "{\"roots\": [ ]}").await;
    bench
        .answer(&z, "{\"action\":\"accept\",\n\"content\":{\"n\":1.0}}")
        .await;
    let (outgoing, second) = bench.message().await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(outgoing.label.cause, Some(sonde_wire::Cause::Retry));
    assert_eq!(header(&outgoing, "Mcp-Name"), ["t"]);
    let text = outgoing.text.as_deref().unwrap();
    assert!(
        text.contains("\"params\":{\"name\":\"t\",\"arguments\":{ \"n\": 9007199254740993 },\"inputResponses\":{\"z\":{\"action\":\"accept\",\"content\":{\"n\":1.0}},\"a\":{\"roots\": [ ]}},\"requestState\":\"a\\u0062 c\",\"_meta\":"),
        "{text}"
    );
    assert_eq!(second["params"]["_meta"]["progressToken"], second["id"]);
    let event = bench.call_event(1).await;
    assert!(matches!(event, OperationEvent::Extended { .. }));
    bench.again(1, 1).await;
    assert!(matches!(bench.event().await, Event::RootsAnswered(_)));

    // The next round has no state, so none is sent.
    let stateless = r#"{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}}}"#;
    bench
        .reply(&outgoing, 200, answer(&second["id"], stateless))
        .await;
    bench.input_required(1, 2).await;
    let k = bench.server_request().await;
    bench.answer(&k, "{}").await;
    let (outgoing, third) = bench.message().await;
    assert!(third["params"].get("requestState").is_none());
    assert_eq!(third["params"]["inputResponses"].to_string(), r#"{"k":{}}"#);
    bench.again(1, 2).await;
    bench
        .reply(&outgoing, 200, answer(&third["id"], r#"{"content":[]}"#))
        .await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
}

#[tokio::test(start_paused = true)]
async fn an_address_and_a_conversation_are_asked_for_inside_a_result() {
    let mut options = willing();
    options.capabilities.elicitation = Some(ElicitationCapability::ALL);
    options.capabilities.sampling = Some(SamplingCapability {
        context: false,
        tools: true,
    });
    let mut bench = Bench::stateless_with(Carrier::Http, "{}", options).await;
    let (outgoing, first) = bench.start(1, tool("t", "{}")).await;
    let meta = &first["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(
        meta.to_string(),
        r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}"#
    );
    let asks = r#"{"resultType":"input_required","inputRequests":{
        "u":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"http://a.example"}},
        "s":{"method":"sampling/createMessage","params":{"messages":[]}}}}"#;
    bench
        .reply(
            &outgoing,
            200,
            answer(&first["id"], &asks.replace('\n', "")),
        )
        .await;
    bench.input_required(1, 1).await;
    let (u, s) = (bench.server_request().await, bench.server_request().await);
    assert!(u.declared && s.declared);
    let ids = |request: &ServerRequest| -> Vec<_> {
        request
            .findings
            .iter()
            .map(sonde_findings::Finding::id)
            .collect()
    };
    // No `elicitationId`: this version has none.
    assert_eq!(ids(&u), ["insecure-elicitation-url"]);
    assert_eq!(ids(&s), ["missing-max-tokens"]);
}

#[tokio::test(start_paused = true)]
async fn folders_are_named_inside_a_round_without_asking() {
    let mut options = willing();
    options.capabilities.roots = Some(RootsCapability {
        list: vec![crate::Root {
            uri: "file:///a".into(),
            name: None,
        }],
        list_changed: false,
    });
    let mut bench = Bench::stateless_with(Carrier::Http, "{}", options).await;
    let (outgoing, first) = bench.start(1, tool("t", "{}")).await;
    // The user is asked for the form alone.
    bench
        .reply(&outgoing, 200, answer(&first["id"], INPUT))
        .await;
    bench.input_required(1, 1).await;
    let z = bench.server_request().await;
    assert_eq!(z.key.as_deref(), Some("z"));
    bench.answer(&z, r#"{"action":"decline"}"#).await;
    let (outgoing, second) = bench.message().await;
    assert_eq!(
        second["params"]["inputResponses"]["a"].to_string(),
        r#"{"roots":[{"uri":"file:///a"}]}"#
    );
    bench.again(1, 1).await;
    // It counts once it goes out, and not as long as the operation waits for the user.
    assert!(matches!(
        bench.event().await,
        Event::RootsAnswered(Reply::Result(list)) if list == r#"{"roots":[{"uri":"file:///a"}]}"#
    ));
    // With nothing else to ask for, the request goes out again at once.
    let only = r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}"#;
    bench
        .reply(&outgoing, 200, answer(&second["id"], only))
        .await;
    bench.input_required(1, 2).await;
    let (_, third) = bench.message().await;
    assert!(third["params"]["inputResponses"]["k"]["roots"].is_array());
}

#[tokio::test(start_paused = true)]
async fn a_refused_server_request_and_a_cancelled_operation_send_nothing() {
    for cancel in [false, true] {
        let mut bench = Bench::stateless_with(Carrier::Pipe, "{}", willing()).await;
        let (_, first) = bench.start(1, tool("t", "{}")).await;
        bench.say(answer(&first["id"], INPUT)).await;
        bench.event().await;
        let (z, _) = (bench.server_request().await, bench.server_request().await);
        if cancel {
            bench.cancel(1).await;
        } else {
            let reply = Reply::Error {
                code: -1,
                message: "no".into(),
            };
            bench.handle.answer(z.id, reply).await.unwrap();
        }
        let first = if cancel {
            ServerRequestEnd::Obsolete
        } else {
            ServerRequestEnd::Answered
        };
        for expected in [first, ServerRequestEnd::Obsolete] {
            assert!(matches!(
                bench.event().await,
                Event::ServerRequestClosed(_, end) if end == expected
            ));
        }
        assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_in_which_the_user_is_asked_counts_for_no_limit() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let limits = limited(50, Some(100));
    let (_, first) = bench.start_with(1, tool("t", "{}"), limits).await;
    tokio::time::sleep(secs(30)).await;
    bench.say(answer(&first["id"], INPUT)).await;
    bench.event().await;
    let asked = [bench.server_request().await, bench.server_request().await];
    tokio::time::sleep(secs(600)).await;
    bench.quiet().await;
    for request in asked {
        bench.answer(&request, "{}").await;
    }
    bench.message().await;
    let left = bench.call_event(1).await;
    assert!(
        matches!(left, OperationEvent::Extended { hard, .. } if hard == secs(70)),
        "{left:?}"
    );
    bench.again(1, 1).await;
    assert!(matches!(bench.event().await, Event::RootsAnswered(_)));
    let since = tokio::time::Instant::now();
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Idle);
    assert_eq!(since.elapsed(), secs(50));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_only_wants_patience_gets_it_up_to_a_limit() {
    let mut patient = willing();
    patient.rounds = 2;
    let mut bench = Bench::stateless_with(Carrier::Http, "{}", patient).await;
    let (mut outgoing, mut message) = bench.start(1, tool("t", "{}")).await;
    let wait = r#"{"resultType":"input_required","requestState":"s"}"#;
    for round in 1..=2 {
        bench
            .respond(outgoing.exchange, 200, answer(&message["id"], wait))
            .await;
        assert!(
            matches!(bench.call_event(1).await, OperationEvent::InputRequired { round: r } if r == round)
        );
        (outgoing, message) = bench.message().await;
        assert_eq!(message["params"]["requestState"], "s");
        assert!(message["params"].get("inputResponses").is_none());
        assert!(matches!(
            bench.call_event(1).await,
            OperationEvent::Again { .. }
        ));
    }
    bench
        .reply(&outgoing, 200, answer(&message["id"], wait))
        .await;
    bench.input_required(1, 3).await;
    assert!(matches!(
        bench.has_lost(1).await,
        Lost::TooManyRounds { limit: 2 }
    ));
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn an_empty_cursor_is_a_cursor_here() {
    let mut bench = Bench::stateless(Carrier::Pipe, r#"{"tools":{}}"#).await;
    bench.loading().await;
    let (_, first) = bench.message().await;
    bench
        .say(answer(
            &first["id"],
            r#"{"tools":[],"nextCursor":"","ttlMs":0,"cacheScope":"private"}"#,
        ))
        .await;
    let (_, second) = bench.message().await;
    assert_eq!(second["params"]["cursor"], "");
    bench
        .say(answer(
            &second["id"],
            r#"{"tools":[],"ttlMs":0,"cacheScope":"private"}"#,
        ))
        .await;
    assert!(
        matches!(bench.event().await, Event::Catalog { event: CatalogEvent::Listed(listing), .. } if listing.pages == 2 && listing.findings.is_empty())
    );
}

#[tokio::test(start_paused = true)]
async fn more_requests_for_input_than_a_person_can_answer_end_the_call() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let (outgoing, message) = bench.start(1, tool("t", "{}")).await;
    let requests: Vec<String> = (0..200_000)
        .map(|key| format!(r#""{key}":{{"method":"roots/list"}}"#))
        .collect();
    let result = format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#,
        requests.join(",")
    );
    bench
        .reply(&outgoing, 200, answer(&message["id"], &result))
        .await;
    let Outcome::BadShape { problem, .. } = bench.finished(1).await else {
        panic!("it is no answer");
    };
    assert_eq!(problem, "`inputRequests` has more than 64 entries");
}

#[tokio::test(start_paused = true)]
async fn what_needs_the_handshake_is_told_before_it_fails() {
    let failure = |id: &Value| {
        let words = "Cannot send 'roots/list': this transport context has no back-channel for \
                     server-initiated requests.";
        refusal(id, -32600, "null").replace("no", words)
    };
    let mut bench = Bench::stateless(Carrier::Http, "{}").await;
    let (outgoing, message) = bench.start(1, tool("t", "{}")).await;
    bench.reply(&outgoing, 200, failure(&message["id"])).await;
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::NeedsHandshake
    ));
    bench.fails_with(1, -32600).await;

    // After a handshake it is a failure like any other.
    let mut bench = Bench::ready().await;
    let (_, message) = bench.start(1, tool("t", "{}")).await;
    bench.say(failure(&message["id"])).await;
    bench.fails_with(1, -32600).await;
}

#[tokio::test(start_paused = true)]
async fn a_notification_of_the_user_goes_out_as_written_and_is_over() {
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    let notification = OperationRequest::notification("x/y", Some("{ \"a\": 1.0 }".to_owned()));
    bench.operate(1, notification).await;
    assert!(matches!(bench.finished(1).await, Outcome::Sent));
    let (outgoing, _) = bench.message().await;
    assert_eq!(
        **outgoing.text.as_ref().unwrap(),
        r#"{"jsonrpc":"2.0","method":"x/y","params":{ "a": 1.0 }}"#
    );
    assert_eq!(outgoing.label.operation, Some(1));
    bench.quiet().await;
}
