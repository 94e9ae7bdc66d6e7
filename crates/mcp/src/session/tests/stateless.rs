//! Detection of a server's protocol.

use sonde_wire::Cause;

use super::*;
use crate::{Era, EraChoice, NextAttempt, OpenFailure, RequestProblem};

pub(super) fn options(era: EraChoice) -> SessionOptions {
    let mut options = SessionOptions::new(client());
    options.era = era;
    options
}

/// A DiscoverResult of a server with these capabilities.
pub(super) fn discovery(capabilities: &str) -> String {
    format!(
        r#"{{"resultType":"complete","supportedVersions":["{}"],"capabilities":{capabilities},"instructions":"i","ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"1"}}}}}}"#,
        Revision::NEWEST_STATELESS
    )
}

impl Bench {
    /// Returns the probe as it was sent.
    pub(super) async fn probed(&mut self) -> (Outgoing, Value) {
        self.detects("discover", None).await;
        self.message().await
    }

    /// The next message with everything around it.
    pub(super) async fn message(&mut self) -> (Outgoing, Value) {
        let outgoing = self.outgoing().await;
        let text = outgoing.text.as_deref().expect("a message has text");
        let message = serde_json::from_str(text).expect("it is JSON");
        (outgoing, message)
    }

    pub(super) async fn step(&mut self) -> (&'static str, Option<Era>) {
        match self.event().await {
            Event::Detection(step) => (step.code, step.verdict),
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects this step of the detection.
    pub(super) async fn detects(&mut self, code: &str, verdict: Option<Era>) {
        assert_eq!(self.step().await, (code, verdict));
    }

    /// A stateless session whose server has these capabilities.
    pub(super) async fn stateless(carrier: Carrier, capabilities: &str) -> Bench {
        Bench::stateless_with(carrier, capabilities, options(EraChoice::Automatic)).await
    }

    pub(super) async fn stateless_with(
        carrier: Carrier,
        capabilities: &str,
        options: SessionOptions,
    ) -> Bench {
        let mut bench = Bench::on(carrier, options, 1_000);
        let (outgoing, message) = bench.probed().await;
        let text = answer(&message["id"], &discovery(capabilities));
        bench.reply(&outgoing, 200, text).await;
        bench
            .detects("discover-answered", Some(Era::Stateless))
            .await;
        bench.negotiated().await;
        bench
    }

    /// Answers as a pipe or, where the session speaks HTTP, as a response with this status.
    pub(super) async fn reply(&mut self, to: &Outgoing, status: u16, text: String) -> u64 {
        if to.label.method.is_none() || self.is_pipe {
            return self.say(text).await;
        }
        self.head(to.exchange, status, &[JSON]).await;
        let seq = self.say_on(to.exchange, text).await;
        self.over(to.exchange, StreamEnd::Complete).await;
        seq
    }

    /// Expects statistics next; true if the request failed.
    async fn round_trip(&mut self) -> bool {
        match self.events.recv().await {
            Some(Event::RoundTrip { failed, .. }) => failed,
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn fails(&mut self) -> OpenFailure {
        match self.hang_up().await {
            CloseReason::OpenFailed(failure) => failure,
            other => panic!("unexpected end {other:?}"),
        }
    }

    /// Expects the handshake, offering this revision.
    async fn shakes_hands(&mut self, offer: Revision) {
        self.opening().await;
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], "initialize");
        assert_eq!(message["params"]["protocolVersion"], offer.as_str());
        assert!(outgoing.headers.is_empty(), "nothing is settled yet");
        let result = welcome(offer, "{}");
        self.reply(&outgoing, 200, answer(&message["id"], &result))
            .await;
        let negotiated = self.become_ready().await;
        assert_eq!(
            (negotiated.era, negotiated.revision),
            (Era::Handshake, offer.as_str())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_stateless_server_says_what_it_speaks() {
    for carrier in [Carrier::Pipe, Carrier::Http] {
        let mut bench = Bench::on(carrier, options(EraChoice::Automatic), 1_000);
        let (outgoing, message) = bench.probed().await;
        let new = Revision::NEWEST_STATELESS.as_str();
        assert_eq!(message["method"], "server/discover");
        let meta = &message["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], new);
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "sonde");
        assert_eq!(
            meta["io.modelcontextprotocol/clientCapabilities"].to_string(),
            "{}"
        );
        let headers: Vec<_> = outgoing
            .headers
            .iter()
            .map(|header| (header.name.as_str(), header.value.as_str()))
            .collect();
        assert_eq!(
            headers,
            [
                ("MCP-Protocol-Version", new),
                ("Mcp-Method", "server/discover")
            ]
        );
        assert_eq!(outgoing.label.cause, Some(sonde_wire::Cause::Probe));
        bench
            .reply(&outgoing, 200, answer(&message["id"], &discovery("{}")))
            .await;
        bench
            .detects("discover-answered", Some(Era::Stateless))
            .await;
        let Event::Negotiated(negotiated) = bench.event().await else {
            panic!("no negotiation");
        };
        assert_eq!((negotiated.era, negotiated.revision), (Era::Stateless, new));
        assert_eq!(negotiated.supported, [new]);
        assert_eq!(
            negotiated.server.as_ref().unwrap().name.as_deref(),
            Some("s")
        );
        assert_eq!(negotiated.instructions.as_deref(), Some("i"));
        assert!(negotiated.catalogs.is_empty());
        assert!(matches!(bench.event().await, Event::Phase(Phase::Ready)));
        bench.quiet().await;
        bench.handle.close();
        assert!(matches!(bench.hang_up().await, CloseReason::Requested));
    }
}

#[tokio::test(start_paused = true)]
async fn any_other_answer_leads_to_the_handshake() {
    for code in [-32601, -32602, -32000, -32001] {
        for carrier in [Carrier::Pipe, Carrier::Http] {
            let mut bench = Bench::on(carrier, options(EraChoice::Automatic), 1_000);
            let (outgoing, message) = bench.probed().await;
            bench
                .reply(&outgoing, 400, refusal(&message["id"], code, "null"))
                .await;
            bench
                .detects("discover-refused", Some(Era::Handshake))
                .await;
            bench.shakes_hands(Revision::NEWEST_HANDSHAKE).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_web_page_instead_of_an_answer_leads_to_the_handshake_unless_it_says_nothing() {
    for (status, handshake) in [
        (400, true),
        (404, true),
        (405, true),
        (200, true),
        (401, false),
        (403, false),
        (503, false),
    ] {
        let mut bench = Bench::on(Carrier::Http, options(EraChoice::Automatic), 1_000);
        let (outgoing, _) = bench.probed().await;
        bench
            .head(outgoing.exchange, status, &[("content-type", "text/html")])
            .await;
        bench
            .take(Incoming::NonMessage {
                exchange: outgoing.exchange,
                content_type: Some("text/html".into()),
                snippet: "<p>".into(),
                seq: Seq(900),
            })
            .await;
        bench.over(outgoing.exchange, StreamEnd::Complete).await;
        // A refusal in response to a probe does not count as a failure.
        assert!(!bench.round_trip().await);
        let label = bench.label(900).await;
        assert_eq!(label.cause, Some(Cause::Probe));
        if handshake {
            assert_eq!(bench.step().await.1, Some(Era::Handshake), "{status}");
            bench.shakes_hands(Revision::NEWEST_HANDSHAKE).await;
        } else {
            bench.detects("discover-undecided", None).await;
            let failure = bench.fails().await;
            assert!(matches!(failure, OpenFailure::Http { status: got, .. } if got == status));
            assert_eq!(failure.next_attempt(), None, "{status}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn silence_on_a_pipe_leads_to_the_handshake_and_a_late_answer_is_dropped() {
    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Automatic), 1_000);
    let (_, asked) = bench.probed().await;
    bench.detects("discover-silent", Some(Era::Handshake)).await;
    bench.shakes_hands(Revision::NEWEST_HANDSHAKE).await;
    let seq = bench.say(answer(&asked["id"], &discovery("{}"))).await;
    bench.quiet().await;
    assert_eq!(bench.notes.codes(seq), ["late-response"]);
    let label = bench.label(seq).await;
    assert_eq!(label.cause, Some(Cause::Probe));
}

#[tokio::test(start_paused = true)]
async fn a_stateless_server_that_was_slow_to_start_is_asked_again_what_it_has() {
    let new = Revision::NEWEST_STATELESS;
    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Automatic), 1_000);
    let (_, asked) = bench.probed().await;
    bench.detects("discover-silent", Some(Era::Handshake)).await;
    bench.opening().await;
    let (_, message) = bench.message().await;
    assert_eq!(message["method"], "initialize");
    // By now it has started, and responds to both in their order.
    bench.say(answer(&asked["id"], &discovery("{}"))).await;
    let data = format!(r#"{{"supported":["{new}"]}}"#);
    bench.say(refusal(&message["id"], -32022, &data)).await;
    bench
        .detects("handshake-refused-as-stateless", Some(Era::Stateless))
        .await;
    let (_, asked) = bench.probed().await;
    bench
        .say(answer(&asked["id"], &discovery(r#"{"prompts":{}}"#)))
        .await;
    bench
        .detects("discover-answered", Some(Era::Stateless))
        .await;
    let Event::Negotiated(negotiated) = bench.event().await else {
        panic!("no negotiation");
    };
    assert_eq!(negotiated.capabilities.get(), r#"{"prompts":{}}"#);
}

#[tokio::test(start_paused = true)]
async fn silence_over_http_is_no_verdict() {
    let mut bench = Bench::on(Carrier::Http, options(EraChoice::Automatic), 1_000);
    let (outgoing, probe) = bench.probed().await;
    bench.gives_up(&probe["id"], NoResponse::TimedOut).await;
    bench.closing().await;
    assert!(matches!(bench.command().await, Command::Close));
    bench
        .take(Incoming::Closed(Closed::Requested { exit: None }))
        .await;
    let CloseReason::OpenFailed(failure) = bench.closed().await else {
        panic!("it never opened");
    };
    assert!(matches!(failure, OpenFailure::TimedOut), "{outgoing:?}");
    assert_eq!(failure.next_attempt(), None);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_ends_when_asked_is_worth_a_handshake_at_once() {
    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Automatic), 1_000);
    bench.probed().await;
    let exit = sonde_wire::ExitStatus::Code(1);
    bench.exits(exit).await;
    let CloseReason::OpenFailed(failure) = bench.closed().await else {
        panic!("it never opened");
    };
    assert!(matches!(failure, OpenFailure::EndedWhileAsked(_)));
    assert_eq!(failure.next_attempt(), Some(NextAttempt::Handshake));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_closes_its_output_when_asked_is_worth_a_handshake() {
    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Automatic), 1_000);
    bench.probed().await;
    bench.take(Incoming::OutputClosed).await;
    assert_eq!(
        bench.health().await.requests,
        Some(RequestProblem::OutputClosed)
    );
    bench.closing().await;
    let exit = sonde_wire::ExitStatus::Signal(9);
    bench.exits(exit).await;
    let CloseReason::OpenFailed(failure) = bench.closed().await else {
        panic!("it never opened");
    };
    assert!(matches!(failure, OpenFailure::OutputClosedWhileAsked(_)));
    assert_eq!(failure.next_attempt(), Some(NextAttempt::Handshake));
}

#[tokio::test(start_paused = true)]
async fn a_refused_revision_is_asked_for_once_more_in_the_servers_words() {
    let new = Revision::NEWEST_STATELESS;
    let data = format!(r#"{{"supported":["{new}"],"requested":"x"}}"#);
    let mut bench = Bench::on(Carrier::Http, options(EraChoice::Stateless), 1_000);
    let (outgoing, first) = bench.probed().await;
    bench
        .reply(&outgoing, 400, refusal(&first["id"], -32022, &data))
        .await;
    bench.detects("other-revision", Some(Era::Stateless)).await;
    let (outgoing, second) = bench.message().await;
    assert_ne!(first["id"], second["id"]);
    bench
        .reply(&outgoing, 400, refusal(&second["id"], -32022, &data))
        .await;
    bench.detects("discover-refused-twice", None).await;
    assert!(matches!(
        bench.fails().await,
        OpenFailure::Rejected { code: -32022, .. }
    ));
}

#[tokio::test(start_paused = true)]
async fn the_one_revision_in_common_may_need_a_handshake() {
    let [first, ..] = Revision::HANDSHAKE;
    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Automatic), 1_000);
    let (outgoing, message) = bench.probed().await;
    let data = format!(r#"{{"supported":["{first}"]}}"#);
    bench
        .reply(&outgoing, 200, refusal(&message["id"], -32022, &data))
        .await;
    bench
        .detects("handshake-revision-only", Some(Era::Handshake))
        .await;
    bench.shakes_hands(first).await;
}

#[tokio::test(start_paused = true)]
async fn a_chosen_era_is_kept_to() {
    // Without a fallback, a server that does not know the method is still used.
    let mut bench = Bench::on(Carrier::Http, options(EraChoice::Stateless), 1_000);
    let (outgoing, message) = bench.probed().await;
    bench
        .reply(&outgoing, 404, refusal(&message["id"], -32601, "null"))
        .await;
    bench
        .detects("discover-unknown", Some(Era::Stateless))
        .await;
    let Event::Negotiated(negotiated) = bench.event().await else {
        panic!("no negotiation");
    };
    assert!(
        negotiated.catalogs.contains(&CatalogKind::Tools),
        "nothing says that it has none"
    );
    assert!(matches!(bench.event().await, Event::Phase(Phase::Ready)));
    bench.loading().await;
    assert_eq!(bench.sent().await["method"], "tools/list");

    let mut bench = Bench::on(Carrier::Pipe, options(EraChoice::Stateless), 1_000);
    let (outgoing, message) = bench.probed().await;
    bench
        .reply(&outgoing, 200, refusal(&message["id"], -32600, "null"))
        .await;
    bench.detects("discover-refused", None).await;
    assert!(matches!(
        bench.fails().await,
        OpenFailure::Rejected { code: -32600, .. }
    ));

    // One fixed revision of the handshake, and another answer.
    let [first, second, ..] = Revision::HANDSHAKE;
    let mut bench = Bench::on(
        Carrier::Pipe,
        options(EraChoice::Fixed { revision: second }),
        1_000,
    );
    bench.opening().await;
    let (outgoing, message) = bench.message().await;
    assert_eq!(message["params"]["protocolVersion"], second.as_str());
    let result = format!(r#"{{"protocolVersion":"{first}","capabilities":{{}}}}"#);
    bench
        .reply(&outgoing, 200, answer(&message["id"], &result))
        .await;
    assert!(matches!(
        bench.fails().await,
        OpenFailure::UnknownRevision { answered } if answered == first.as_str()
    ));
}

#[tokio::test(start_paused = true)]
async fn a_handshake_refused_in_stateless_words_leads_back() {
    let new = Revision::NEWEST_STATELESS;
    for (era, back) in [(EraChoice::Automatic, true), (EraChoice::Handshake, false)] {
        let mut bench = Bench::on(Carrier::Http, options(era), 1_000);
        if era == EraChoice::Automatic {
            let (outgoing, message) = bench.probed().await;
            bench
                .reply(&outgoing, 400, refusal(&message["id"], -32600, "null"))
                .await;
            bench
                .detects("discover-refused", Some(Era::Handshake))
                .await;
        }
        bench.opening().await;
        let (outgoing, message) = bench.message().await;
        assert_eq!(message["method"], "initialize");
        let data = format!(r#"{{"supported":["{new}"]}}"#);
        bench
            .reply(&outgoing, 400, refusal(&message["id"], -32022, &data))
            .await;
        bench
            .detects("handshake-refused-as-stateless", Some(Era::Stateless))
            .await;
        if back {
            let Event::Negotiated(negotiated) = bench.event().await else {
                panic!("no negotiation");
            };
            assert_eq!(negotiated.revision, new.as_str());
        } else {
            assert!(matches!(
                bench.fails().await,
                OpenFailure::Rejected { code: -32022, .. }
            ));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_handshake_that_names_no_version_is_found() {
    let named = format!(r#"{{"supported":["{}"]}}"#, Revision::NEWEST_STATELESS);
    for (data, codes) in [("null", &["unnamed-versions"][..]), (&named, &[])] {
        let mut bench = Bench::on(Carrier::Http, options(EraChoice::Handshake), 1_000);
        bench.opening().await;
        let (outgoing, message) = bench.message().await;
        let refused = bench
            .reply(&outgoing, 400, refusal(&message["id"], -32022, data))
            .await;
        bench
            .detects("handshake-refused-as-stateless", Some(Era::Stateless))
            .await;
        assert_eq!(bench.notes.codes(refused), codes, "{data}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_without_posts_is_worth_the_oldest_transport() {
    for status in [400, 404, 405, 410] {
        let mut bench = Bench::on(Carrier::Http, options(EraChoice::Handshake), 1_000);
        bench.opening().await;
        let (outgoing, _) = bench.message().await;
        bench.head(outgoing.exchange, status, &[]).await;
        bench.over(outgoing.exchange, StreamEnd::Complete).await;
        let failure = bench.fails().await;
        assert_eq!(
            failure.next_attempt(),
            Some(NextAttempt::HttpSse),
            "{status}"
        );
    }
}
