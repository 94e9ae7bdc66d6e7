//! Diagnoses with a real failure in each step, and their report.

use std::sync::{Arc, Mutex, atomic::AtomicUsize};

use DiagnosisStepCode::{
    Authorization, Command, Dns, Handshake, Hosts, Http, Lists, Ping, Process, Schemas, Settings,
    Shutdown, Stdout, Tcp, Tls,
};
use serde_json::{Value, json};
use sonde_explorer::SavePlace;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, Desktop, denied, options, with_token},
    auth_peer::AuthPeer,
    client::{http, scripted, stdio},
    http_peer::{HttpPeer, Reply},
    mcp_peer,
    port::Port,
    self_signed::self_signed,
    stdio_peer::{self, Step, first_results},
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// Diagnoses a server and waits for the end.
async fn diagnose(app: &App, server: &str) -> Diagnosis {
    let before = app.seen().diagnoses.get(server).map_or(0, |one| one.number);
    app.diagnose(server.to_owned()).await.unwrap();
    let server = server.to_owned();
    let diagnosis = app
        .until("the end of the diagnosis", |seen| {
            let diagnosis = seen.diagnoses.get(&server)?;
            let over = diagnosis.number > before && diagnosis.state != DiagnosisState::Running;
            over.then(|| diagnosis.clone())
        })
        .await;
    for step in &diagnosis.steps {
        println!(
            "{:?} {:?} {:?}: {} -> {} {:?} {:?}",
            step.code, step.outcome, step.millis, step.tried, step.found, step.fix, step.detail
        );
    }
    diagnosis
}

/// Diagnoses a server that was never connected.
async fn diagnosed(app: &App, transport: TransportDraft) -> Diagnosis {
    let server = app.add("Peer", transport).await;
    diagnose(app, &server).await
}

/// Fails to connect, and then finds out why: one step failed, all before it passed or say why not, and none after
/// it counts as passed.
async fn failing(app: &App, transport: TransportDraft, at: DiagnosisStepCode) -> DiagnosisStep {
    let server = app.add("Bad", transport).await;
    app.fails(&server).await;
    let diagnosis = diagnose(app, &server).await;
    assert_eq!(diagnosis.state, DiagnosisState::Done);
    for step in &diagnosis.steps {
        match step.code.cmp(&at) {
            std::cmp::Ordering::Less => assert!(
                matches!(step.outcome, StepOutcome::Pass | StepOutcome::NotEvaluated),
                "{step:?}"
            ),
            std::cmp::Ordering::Equal => assert_eq!(step.outcome, StepOutcome::Fail, "{step:?}"),
            std::cmp::Ordering::Greater => {
                assert_eq!(step.outcome, StepOutcome::NotEvaluated, "{step:?}");
                assert!(step.found.starts_with("Not reached: "), "{step:?}");
                assert_eq!(step.tried, "", "{step:?}");
            }
        }
        assert!(!step.found.is_empty(), "{step:?}");
    }
    let found = diagnosis.steps.into_iter().find(|step| step.code == at);
    let found = found.unwrap();
    assert!(!found.fix.is_empty(), "{found:?}");
    found
}

fn outcomes(diagnosis: &Diagnosis) -> Vec<(DiagnosisStepCode, StepOutcome)> {
    let steps = diagnosis.steps.iter();
    steps.map(|step| (step.code, step.outcome)).collect()
}

fn step(diagnosis: &Diagnosis, code: DiagnosisStepCode) -> &DiagnosisStep {
    let mut steps = diagnosis.steps.iter();
    steps.find(|step| step.code == code).unwrap()
}

/// Returns true if the details of a step have this text.
fn details(step: &DiagnosisStep, text: &str) -> bool {
    step.detail.iter().any(|line| line.contains(text))
}

/// A server over TLS with this certificate, each of whose connections is handled like this.
async fn tls<F: Future<Output = ()> + Send + 'static>(
    config: tokio_rustls::rustls::ServerConfig,
    serve: impl Fn(TlsStream<TcpStream>) -> F + Send + Sync + Copy + 'static,
) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let accepted = acceptor.accept(stream);
            tokio::spawn(async move {
                if let Ok(stream) = accepted.await {
                    serve(stream).await;
                }
            });
        }
    });
    (port, serving)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_does_not_become_a_server_fails_at_its_step() {
    let app = App::start().await;
    let found = failing(&app, stdio("no-such-program-anywhere", &[]), Command).await;
    let program = "no-such-program-anywhere";
    assert!(found.found.contains(program), "{found:?}");
    assert!(!found.detail.is_empty(), "it says where it was looked for");

    let dies = scripted([
        Step::stderr("Error: Cannot find module 'left-pad'\n"),
        Step::Exit { code: 3 },
    ]);
    let found = failing(&app, dies, Stdout).await;
    assert!(found.found.contains("exit code 3"), "{found:?}");
    assert!(details(&found, "stderr: Error"), "{found:?}");

    let refuses = scripted([
        Step::Expect,
        Step::line(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not today"}}"#),
        Step::AwaitEof,
    ]);
    let found = failing(&app, refuses, Handshake).await;
    assert!(found.found.contains("not today"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_does_not_lead_to_a_server_fails_at_its_step() {
    let app = App::start().await;
    let found = failing(&app, http("http://no-such-host.invalid/mcp"), Dns).await;
    assert!(found.found.contains("no-such-host.invalid"), "{found:?}");

    let nobody = Port::reserve().unwrap();
    let url = format!("http://{}/mcp", nobody.address());
    let found = failing(&app, http(url), Tcp).await;
    assert!(found.found.contains("refused"), "{found:?}");

    let (_, config) = self_signed("localhost");
    let (port, serving) = tls(config, |_| std::future::ready(())).await;
    let url = format!("https://localhost:{port}/mcp");
    let found = failing(&app, http(url), Tls).await;
    serving.abort();
    let fixes = found.fix.join(" ");
    assert!(fixes.contains("CA file"), "{found:?}");

    // It accepts connections and never says a word.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/mcp", listener.local_addr().unwrap());
    let mut silent = http(url);
    if let Transport::Http { network, .. } = &mut silent {
        network.connect_seconds = Some(1);
    }
    failing(&app, silent, Tls).await;

    let peer = HttpPeer::start(|_| Reply::status(404).body("nothing")).await;
    let found = failing(&app, http(peer.url()), Http).await;
    assert!(found.found.contains("404"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_401_the_metadata_is_read_and_nobody_is_registered() {
    let app = App::start().await;
    let nothing = HttpPeer::start(|_| Reply::status(401).body("")).await;
    let found = failing(&app, http(nothing.url()), Authorization).await;
    assert!(details(&found, "protected resource metadata"), "{found:?}");

    let peer = AuthPeer::start().await;
    let server = app.add("Guarded", http(peer.url())).await;
    let diagnosis = diagnose(&app, &server).await;
    let found = step(&diagnosis, Authorization);
    assert_eq!(found.outcome, StepOutcome::Fail);
    assert!(found.found.contains(peer.issuer()), "{found:?}");
    for title in [
        "Get the protected resource metadata: pass",
        "Get the authorization server metadata: pass",
    ] {
        assert!(details(found, title), "{title}: {found:?}");
    }
    assert_eq!(peer.auth_server_requests_to("/register").len(), 0);
    assert_eq!(app.seen().auth.get(&server).map(|auth| auth.state), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_a_server_that_connects_is_found_step_by_step() {
    let app = App::start().await;
    let tool = |name: &str, schema: Value| json!({ "name": name, "inputSchema": schema });
    let broken = json!({ "type": "object", "properties": { "a": { "type": "nonsense" } } });
    let branches = json!({ "type": "object", "anyOf": [{ "required": ["a"] }] });
    let bad = json!([
        tool("fine", json!({ "type": "object" })),
        tool("broken", broken),
        tool("branches", branches),
    ]);
    let mut results = first_results("odd", &json!({ "tools": {} }), &json!([]));
    let list = json!({ "tools": bad, "nextCursor": "again" });
    results.insert("tools/list".to_owned(), list);
    let serve = Step::Serve {
        results,
        until: None,
    };
    let odd = scripted([Step::line("Welcome!"), serve]);
    let server = app.add("Odd", odd).await;
    app.opens(&server).await;
    let diagnosis = diagnose(&app, &server).await;
    use StepOutcome::{Fail, Pass};
    assert_eq!(
        outcomes(&diagnosis),
        [
            (Settings, Pass),
            (Command, Pass),
            (Process, Pass),
            (Stdout, Fail),
            (Handshake, Pass),
            (Lists, Fail),
            (Schemas, Fail),
            (Hosts, Fail),
            (Ping, Pass),
            (Shutdown, Pass),
        ]
    );
    assert!(step(&diagnosis, Stdout).detail[0].contains("Welcome!"));
    assert!(
        step(&diagnosis, Lists).detail[0].contains("nextCursor"),
        "{diagnosis:?}"
    );
    assert!(step(&diagnosis, Schemas).detail[0].starts_with("broken: "));
    assert!(details(step(&diagnosis, Hosts), "branches"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_ends_while_its_tools_are_read_is_lost() {
    let app = App::start().await;
    let mut results = first_results("mortal", &json!({ "tools": {} }), &json!([]));
    results.remove("tools/list");
    let dies = scripted([
        Step::Serve {
            results,
            until: Some("tools/list".to_owned()),
        },
        Step::Exit { code: 3 },
    ]);
    let server = app.add("Mortal", dies).await;
    app.fails(&server).await;
    let diagnosis = diagnose(&app, &server).await;
    assert_eq!(diagnosis.state, DiagnosisState::Lost);
    assert_eq!(step(&diagnosis, Handshake).outcome, StepOutcome::Pass);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_exits_only_when_it_is_asked_to_terminate_fails_at_the_end() {
    let app = App::start().await;
    let script = r#"trap 'exit 0' TERM; "$@"; while :; do sleep 0.1; done"#;
    let served = stdio_peer::script([Step::tools(&json!([]), json!({}))]);
    let program = stdio_peer::program();
    let of_shell = ["-c", script, "sh", &program, &served[0]];
    let server = app.add("Lingering", stdio("sh", &of_shell)).await;
    app.opens(&server).await;
    let diagnosis = diagnose(&app, &server).await;
    let found = step(&diagnosis, Shutdown);
    assert_eq!(found.outcome, StepOutcome::Fail, "{found:?}");
    let ended = "so Sonde ended it: it exited with code 0";
    assert!(found.found.contains(ended), "{found:?}");
    assert!(!found.fix.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_healthy_server_passes_and_the_session_of_the_user_is_not_touched() {
    use StepOutcome::{NotEvaluated, Pass};
    let app = App::start().await;
    let server = app.join("Demo", Transport::Demo { http: false }).await;
    let log = app.log(&server, LogFilter::default()).await;
    let before = app.seen().sessions[&server].clone();
    let diagnosis = diagnose(&app, &server).await;
    let all = [
        Process, Stdout, Handshake, Lists, Schemas, Hosts, Ping, Shutdown,
    ];
    assert_eq!(outcomes(&diagnosis), all.map(|code| (code, Pass)));
    assert!(step(&diagnosis, Handshake).found.contains("2025-11-25"));
    assert!(diagnosis.steps.iter().all(|step| step.millis.is_some()));
    let after = &app.seen().sessions[&server];
    let untouched = (SessionPhase::Ready, before.generation);
    assert_eq!((after.phase, after.generation), untouched);
    let now = app.log(&server, LogFilter::default()).await;
    assert_eq!(now.len(), log.len(), "its frames are none of the user's");
    assert_eq!(app.seen().operations.len(), 0);

    let peer = mcp_peer::listing(json!([])).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    assert_eq!(
        outcomes(&diagnosis),
        [
            (Settings, Pass),
            // An IP address.
            (Dns, NotEvaluated),
            (Tcp, Pass),
            (Http, Pass),
            (Authorization, NotEvaluated),
            (Handshake, Pass),
            (Lists, Pass),
            (Schemas, NotEvaluated),
            (Hosts, NotEvaluated),
            (Ping, Pass),
            // There is no session.
            (Shutdown, NotEvaluated),
        ]
    );
    let requests = peer.requests();
    assert!(!requests.iter().any(|one| one.body.contains("tools/call")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_that_nobody_could_check_do_not_pass() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut options = options(&folder.path().join("data"));
    options.validation_worker = Some("/no/such/worker".into());
    let app = App::open(options, folder).await;
    let peer =
        mcp_peer::listing(json!([{ "name": "a", "inputSchema": { "type": "object" } }])).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    let found = step(&diagnosis, Schemas);
    assert_eq!(found.outcome, StepOutcome::NotEvaluated);
    assert_eq!(
        found.found,
        "Of 1 tool, the schemas of 0 were judged, and they compile."
    );
    assert!(found.detail[0].contains("does not start"), "{found:?}");
    // A tool without a schema leaves nothing to compile.
    let peer = mcp_peer::listing(json!([{ "name": "a" }])).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    let found = step(&diagnosis, Schemas);
    assert_eq!(found.outcome, StepOutcome::Fail, "{found:?}");
    assert_eq!(found.detail, ["a: The tool has no `inputSchema`."]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heuristic_fails_no_step_and_a_list_that_is_too_long_does() {
    let app = App::start().await;
    let tool = |name: String| json!({ "name": name, "inputSchema": { "type": "object" } });
    let peer = mcp_peer::listing(json!([tool("x".repeat(58))])).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    let found = step(&diagnosis, Hosts);
    assert_eq!(found.outcome, StepOutcome::Pass);
    assert_eq!(
        found.detail[0],
        "Heuristic: tools may fail in Cursor (1 tool)."
    );
    assert!(found.detail[1].starts_with("Heuristic: Cursor: xxx"));

    let tools: Vec<_> = (0..129)
        .map(|number| tool(format!("tool_{number}")))
        .collect();
    let peer = mcp_peer::listing(json!(tools)).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    let found = step(&diagnosis, Hosts);
    assert_eq!(found.outcome, StepOutcome::Fail);
    assert_eq!(
        found.found,
        "Tools fail in VS Code (the list), OpenAI API (the list)."
    );
    let line = "VS Code: There are 129 tools, 128 are accepted.";
    assert!(found.detail.iter().any(|one| one == line), "{found:?}");

    // A schema that is too large to be judged.
    let large = "x".repeat(300 << 10);
    let schema = json!({ "type": "object", "description": large });
    let peer = mcp_peer::listing(json!([{ "name": "large", "inputSchema": schema }])).await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    let found = step(&diagnosis, Hosts);
    assert_eq!(found.outcome, StepOutcome::NotEvaluated, "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_a_session_over_http_ended_is_what_the_server_says_of_it() {
    use StepOutcome::{Fail, NotEvaluated, Pass};
    let app = App::start().await;
    let refused = [(405, NotEvaluated), (500, Fail), (404, Fail)];
    for (status, expected) in [(204, Pass), (200, Pass)].into_iter().chain(refused) {
        let peer = HttpPeer::start(move |request| {
            if request.method == "DELETE" {
                return Reply::status(status).body("");
            }
            let sessions = AtomicUsize::new(0);
            mcp_peer::numbered_session(request, &sessions)
                .unwrap_or_else(|| mcp_peer::obliging(request))
        })
        .await;
        let diagnosis = diagnosed(&app, http(peer.url())).await;
        let found = step(&diagnosis, Shutdown);
        assert_eq!(found.outcome, expected, "{status}: {found:?}");
        assert!(found.found.contains(&format!("HTTP {status}")), "{found:?}");
        assert_eq!(found.fix.is_empty(), expected != Fail, "{found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_that_is_trusted_passes() {
    let app = App::start().await;
    let peer = mcp_peer::listing(json!([])).await;
    let (pem, config) = self_signed("localhost");
    let ca_file = app.folder.path().join("ca.pem");
    std::fs::write(&ca_file, pem).unwrap();
    let behind = peer.address();
    let (port, serving) = tls(config, move |mut outside| async move {
        let inside = TcpStream::connect(behind).await;
        let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside.unwrap()).await;
    })
    .await;
    let mut trusted = http(format!("https://localhost:{port}/mcp"));
    if let Transport::Http { network, .. } = &mut trusted {
        network.ca_file = Some(ca_file.display().to_string());
    }
    let server = app.add("Trusted", trusted).await;
    let diagnosis = diagnose(&app, &server).await;
    for code in [Settings, Dns, Tcp, Tls, Http, Handshake] {
        let found = step(&diagnosis, code);
        assert_eq!(found.outcome, StepOutcome::Pass, "{found:?}");
    }
    assert_eq!(
        step(&diagnosis, Tls).found,
        "The certificate is valid and trusted. The time counts with HTTP."
    );
    serving.abort();
}

/// The server sends a megabyte in the error, thousands of lines beside it, and a tool list that never ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hostile_server_makes_a_diagnosis_neither_large_nor_endless() {
    let app = App::start().await;
    let refuses = scripted([
        Step::StderrMany {
            count: 5_000,
            text: format!("{}\n", "y".repeat(2_000)),
        },
        Step::Expect,
        Step::EmitLong {
            before: r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"<img src=x>"#
                .to_owned(),
            size: 1 << 20,
            after: "\"}}\n".to_owned(),
        },
        Step::AwaitEof,
    ]);
    failing(&app, refuses, Handshake).await;
    let tool = |number: u32| {
        let name = format!("{number}{}", "z".repeat(500));
        json!({ "name": name, "inputSchema": { "type": number } })
    };
    let tools: Vec<_> = (0..2_000).map(tool).collect();
    let list = json!({ "tools": tools, "nextCursor": "again" });
    let peer = HttpPeer::start(move |request| {
        mcp_peer::reply(request, "peer", &json!({ "tools": {} }), |method| {
            (method == "tools/list").then(|| list.clone())
        })
    })
    .await;
    let diagnosis = diagnosed(&app, http(peer.url())).await;
    assert_eq!(diagnosis.state, DiagnosisState::Done);
    assert_eq!(step(&diagnosis, Lists).outcome, StepOutcome::Fail);
    assert_eq!(step(&diagnosis, Schemas).outcome, StepOutcome::Fail);
    for diagnosis in app.seen().diagnoses.values() {
        let size = serde_json::to_string(diagnosis).unwrap().len();
        assert!(size < 128 << 10, "{size} bytes");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_diagnosis_can_be_cancelled_and_runs_nothing_that_nobody_has_seen() {
    let app = App::start().await;
    let file = app.folder.path().join("pid");
    let silent = scripted([Step::WritePid { file: file.clone() }, Step::AwaitEof]);
    let server = app.add("Silent", silent).await;
    denied(app.diagnose(server.clone()), ErrorCode::CommandNotConfirmed).await;
    app.connect(&server).await;
    app.end(&server).await;
    app.diagnose(server.clone()).await.unwrap();
    app.holds("the process", |seen| {
        let diagnosis = seen.diagnoses.get(&server);
        diagnosis.is_some_and(|one| outcomes(one).contains(&(Stdout, StepOutcome::Running)))
    })
    .await;
    app.cancel_diagnosis(server.clone()).await.unwrap();
    let diagnosis = app
        .until("the end", |seen| {
            let diagnosis = seen.diagnoses.get(&server)?;
            (diagnosis.state == DiagnosisState::Cancelled).then(|| diagnosis.clone())
        })
        .await;
    assert!(step(&diagnosis, Handshake).found.contains("stopped"));
    let mut steps = diagnosis.steps.iter();
    assert!(steps.all(|step| step.outcome != StepOutcome::Running));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_is_saved_without_secrets_and_without_anything_that_runs() {
    const SECRET: &str = "correct-horse-battery";
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (names, into) = (Arc::clone(&asked), folder.path().to_owned());
    let mut options = options(&folder.path().join("data"));
    options.host = Arc::new(Desktop {
        choose_file: Some(Box::new(move |name| {
            names.lock().unwrap().push(name.to_owned());
            SavePlace::File(into.join(name))
        })),
        ..Desktop::default()
    });
    let app = App::open(options, folder).await;
    let leaky = scripted([
        Step::stderr(format!("<script>bad token {SECRET}</script>\n")),
        Step::Exit { code: 1 },
    ]);
    let server = app.add("Leaky", with_token(leaky, SECRET)).await;
    app.fails(&server).await;
    diagnose(&app, &server).await;
    for format in [ReportFormat::Markdown, ReportFormat::Html] {
        let saved = app.save_diagnosis(server.clone(), format).await.unwrap();
        let page = std::fs::read_to_string(saved.unwrap()).unwrap();
        for said in ["Diagnosis of Leaky", "bad token"] {
            assert!(page.contains(said) && !page.contains(SECRET), "{page}");
        }
        let html = format == ReportFormat::Html;
        assert!(!html || !page.contains("<script"), "{page}");
    }
    const KEY: &str = "sk-proj-7hGq2LzXw9Rb4Tn8";
    let peer = HttpPeer::start(|_| Reply::status(404).body("nothing")).await;
    let keyed = http(format!("{}?api_key={KEY}", peer.url()));
    let keyed = app.add("Keyed", keyed).await;
    diagnose(&app, &keyed).await;
    for format in [ReportFormat::Markdown, ReportFormat::Html] {
        let page = app.save_diagnosis(keyed.clone(), format).await;
        let page = std::fs::read_to_string(page.unwrap().unwrap()).unwrap();
        assert!(page.contains("api_key=") && !page.contains(KEY), "{page}");
    }
    let saved = app.save_diagnosis_log(server.clone()).await.unwrap();
    let frames = std::fs::read_to_string(saved.unwrap()).unwrap();
    let is_hidden = frames.contains("bad token") && !frames.contains(SECRET);
    assert!(is_hidden, "{frames}");
    let names = asked.lock().unwrap().join(" ");
    assert!(names.contains(".md") && names.contains(".html") && names.contains(".mcplog"));
    let _ = app.remove_server(server.clone()).await.unwrap();
    denied(app.save_diagnosis_log(server), ErrorCode::NotFound).await;
}
