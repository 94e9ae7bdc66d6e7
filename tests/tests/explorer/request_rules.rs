//! Requests of a server that a rule answers.

use sonde_ipc::*;
use sonde_tests::{
    app::{App, draft, granted, of_kinds, one_text},
    client::stdio,
};

const PROTOCOLS: [ProtocolMode; 2] = [ProtocolMode::Handshake, ProtocolMode::Stateless];

fn demo(protocol: ProtocolMode, request_rules: RequestRules) -> ServerDraft {
    ServerDraft {
        protocol,
        roots: vec![RootFolder {
            folder: "/work".to_owned(),
            name: None,
        }],
        request_rules,
        ..draft("Demo", Transport::Demo { http: false })
    }
}

fn rule(action: RuleAction, delay_seconds: u32) -> RequestRule {
    RequestRule {
        action,
        delay_seconds,
    }
}

/// Creates the rule for forms with a saved answer.
fn forms(input: &str) -> RequestRules {
    RequestRules {
        form: rule(
            RuleAction::Saved {
                input: input.to_owned(),
            },
            0,
        ),
        ..RequestRules::default()
    }
}

/// An answer that fits the form of `hail_pilot`.
const FITTING: &str = r#"{"ship":"Aurora","length":12,"flag":"Norway","tug":true}"#;

/// Saves an answer to the form of `hail_pilot`, which has this digest.
async fn save(app: &App, server: &str, form: &str, content: &str) -> String {
    let answer = SavedInput {
        server: server.to_owned(),
        method: "elicitation/create".to_owned(),
        target: "ship, length, flag, tug".to_owned(),
        name: "The Aurora".to_owned(),
        arguments: content.to_owned(),
        schema_digest: Some(form.to_owned()),
        ..SavedInput::default()
    };
    app.save_input(answer).await.unwrap()
}

/// Returns the digest of the form of `hail_pilot`, after declining it by hand.
async fn form(app: &App, server: &str) -> String {
    let call = app.call(server, "hail_pilot", "{}").await;
    let open = app.asked(call).await;
    app.answer(&open, AnswerInput::Decline).await;
    app.finished(call).await;
    open.schema_digest.unwrap()
}

/// Runs a tool to its end; returns the run and the request that a rule answered.
async fn answered(app: &App, server: &str, tool: &str) -> (OperationView, AnsweredRequest) {
    let call = app.call(server, tool, "{}").await;
    let view = app
        .until("the answer is kept", |seen| {
            let view = seen.operations.get(&call)?;
            (view.state == OperationState::Finished && !view.answered.is_empty())
                .then(|| view.clone())
        })
        .await;
    let one = view.answered[0].clone();
    (view, one)
}

/// Returns the console's entries about rules, each of which leads to its request and run.
async fn notes(app: &App, server: &str) -> Vec<String> {
    let filter = of_kinds(&[LogKind::Rule]);
    let rows = app.log(server, filter).await;
    for row in &rows {
        let request = row.partner.unwrap();
        assert!(row.operation.is_some() && request < row.seq, "{row:?}");
        let kind = granted(app.log_detail(server.to_owned(), request))
            .await
            .row
            .kind;
        assert!(matches!(kind, LogKind::Request | LogKind::Response));
    }
    rows.into_iter().map(|row| row.preview).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_is_answered_by_its_rule_which_is_told() {
    let app = App::start().await;
    for protocol in PROTOCOLS {
        let stateless = protocol == ProtocolMode::Stateless;
        let rules = RequestRules {
            form: rule(RuleAction::Decline, 1),
            page: rule(RuleAction::Cancel, 0),
            sampling: rule(RuleAction::Decline, 0),
            roots: RootsRule::default(),
        };
        let server = app
            .join_draft(demo(protocol.clone(), RequestRules::default()))
            .await;
        let form = form(&app, &server).await;
        let ruled = demo(protocol.clone(), rules);
        app.update_server(server.clone(), ruled).await.unwrap();

        let (view, one) = answered(&app, &server, "visit_office").await;
        assert!(one_text(&view).contains("changed your mind"), "{view:?}");
        assert_eq!(one.answer, AnswerKind::Cancel);
        let at_once = AnsweringRule {
            after_seconds: 0,
            saved_answer: None,
        };
        assert_eq!(one.rule, Some(at_once));
        let (view, one) = answered(&app, &server, "hail_pilot").await;
        assert!(one_text(&view).contains("would rather not say"), "{view:?}");
        assert_eq!(one.answer, AnswerKind::Decline);
        assert_eq!(one.rule.unwrap().after_seconds, 1);
        // Nobody was waited for.
        assert_eq!(view.waited, 0);
        let (view, one) = answered(&app, &server, "compose_verse").await;
        assert_eq!(one.answer, AnswerKind::Error);
        assert!(one.rule.is_some());
        // A stateless server is not told that its request is refused: its result is not asked for again.
        let cancelled = matches!(view.outcome, Some(OperationOutcome::Cancelled));
        assert_eq!(cancelled, stateless, "{view:?}");

        // The rules of a connected server change at once.
        let rules = RequestRules {
            roots: RootsRule {
                refuse: true,
                delay_seconds: 0,
            },
            ..forms(&save(&app, &server, &form, FITTING).await)
        };
        let changed = demo(protocol.clone(), rules);
        app.update_server(server.clone(), changed).await.unwrap();
        let (view, one) = answered(&app, &server, "hail_pilot").await;
        assert!(one_text(&view).contains("Aurora"), "{view:?}");
        assert_eq!(one.answer, AnswerKind::Accept);
        let by = one.rule.unwrap().saved_answer;
        assert_eq!(by.as_deref(), Some("The Aurora"));
        let (_, one) = answered(&app, &server, "list_folders").await;
        assert_eq!(one.answer, AnswerKind::Error);

        assert_eq!(
            notes(&app, &server).await,
            [
                "Answered by rule for pages: cancelled (elicitation/create)",
                "Answered by rule for forms: declined after 1 s (elicitation/create)",
                "Answered by rule for sampling: rejected (sampling/createMessage)",
                "Answered by rule for forms: answered with the saved answer “The Aurora” (elicitation/create)",
                "Answered by rule for roots: rejected (roots/list)",
            ]
        );
        assert!(app.seen().server_requests.is_empty());
        // Without a rule they are named by themselves.
        let plain = demo(protocol, RequestRules::default());
        app.update_server(server.clone(), plain).await.unwrap();
        let view = app.run_tool(&server, "list_folders", "{}").await;
        assert!(one_text(&view).contains("file:///work") && view.answered.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saved_answer_that_is_gone_or_does_not_fit_is_asked_about_and_says_why() {
    let app = App::start().await;
    let server = app
        .join_draft(demo(ProtocolMode::Handshake, forms("gone")))
        .await;
    let call = app.call(&server, "hail_pilot", "{}").await;
    let open = app.asked(call).await;
    let why = open.rule.as_ref().unwrap();
    assert!(why.ends_with("no longer there."), "{why}");
    app.answer(&open, AnswerInput::Decline).await;
    let view = app.finished(call).await;
    let by_hand = app
        .until("the answer", |seen| {
            seen.operations.get(&call)?.answered.first().cloned()
        })
        .await;
    assert!(by_hand.rule.is_none(), "{view:?}");

    let of_another = save(&app, &server, "0f3a", FITTING).await;
    let rules = demo(ProtocolMode::Handshake, forms(&of_another));
    app.update_server(server.clone(), rules).await.unwrap();
    let call = app.call(&server, "hail_pilot", "{}").await;
    let open = app.asked(call).await;
    let why = open.rule.as_ref().unwrap();
    assert!(why.contains("given to another form"), "{why}");
    app.answer(&open, AnswerInput::Decline).await;
    app.finished(call).await;

    let form = open.schema_digest.unwrap();
    let unfit = save(&app, &server, &form, r#"{"ship":7}"#).await;
    let rules = demo(ProtocolMode::Handshake, forms(&unfit));
    app.update_server(server.clone(), rules).await.unwrap();
    let call = app.call(&server, "hail_pilot", "{}").await;
    let why = app.asked(call).await.rule.unwrap();
    assert!(why.contains("does not match the schema"), "{why}");
    assert!(notes(&app, &server).await.is_empty());

    // A copy of the server answers with its copy of the saved answer.
    let copy = app.duplicate_server(server).await.unwrap();
    let (rule, copied) = app
        .until("the copy", |seen| {
            let config = &seen.servers.get(&copy)?.config;
            let saved = seen.saved_inputs.get(&copy)?.last()?;
            Some((config.request_rules.form.clone(), saved.id.clone()))
        })
        .await;
    assert_eq!(rule.action, RuleAction::Saved { input: copied });

    // The answer was for this server: another program under its name does not get it.
    let rules = app.seen().servers[&copy].config.request_rules.clone();
    let changed = ServerDraft {
        request_rules: rules,
        ..draft("Demo", stdio("another", &[]))
    };
    app.update_server(copy.clone(), changed).await.unwrap();
    app.holds("the rule is off", |seen| {
        let view = seen.servers.get(&copy);
        view.is_some_and(|view| view.config.request_rules.form.action == RuleAction::Ask)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_that_waits_can_be_answered_before_and_holds_nothing_up() {
    let app = App::start().await;
    for protocol in PROTOCOLS {
        let rules = RequestRules {
            form: rule(RuleAction::Decline, 600),
            ..RequestRules::default()
        };
        let server = app.join_draft(demo(protocol, rules)).await;
        let call = app.call(&server, "hail_pilot", "{}").await;
        let open = app
            .until("the request with its rule", |seen| {
                let mut open = seen.server_requests.values();
                open.find(|one| one.operation == Some(call) && one.rule.is_some())
                    .cloned()
            })
            .await;
        assert!(
            open.rule
                .as_ref()
                .unwrap()
                .contains("declined 600 s after it came")
        );
        app.answer(&open, AnswerInput::Cancel).await;
        app.finished(call).await;
        let one = app
            .until("the answer", |seen| {
                seen.operations.get(&call)?.answered.first().cloned()
            })
            .await;
        assert_eq!((one.answer, one.rule), (AnswerKind::Cancel, None));

        // One that waits ends with its request, and with the app.
        let call = app.call(&server, "hail_pilot", "{}").await;
        app.asked(call).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_user_agrees_to_open_a_page() {
    let app = App::start().await;
    let saved = RuleAction::Saved {
        input: "a".to_owned(),
    };
    let rules = RequestRules {
        page: rule(saved, 0),
        ..RequestRules::default()
    };
    let refused = app.add_server(demo(ProtocolMode::Handshake, rules)).await;
    assert_eq!(
        refused.unwrap_err().message,
        "Only you can agree to open a page."
    );
}
