//! Checks of the window: kept from runs, edited beside an editor, run over separate connections.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::FutureExt as _;
use serde_json::json;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, Desktop, denied, granted, options, saved, with_token},
    client::scripted,
    stdio_peer::{Step, first_results},
};

const DEMO: TransportDraft = Transport::Demo { http: false };

/// Starts the app with the demo server.
async fn start() -> (App, ServerId) {
    let app = App::start().await;
    let server = app.add("Lighthouse", DEMO).await;
    (app, server)
}

/// Starts the app, with a user who chooses a folder of these files for the demo server's suites.
async fn start_with(files: &[(&str, &str)]) -> (App, ServerId, PathBuf) {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let suites = folder.path().join("suites");
    fs::create_dir(&suites).unwrap();
    for (name, text) in files {
        fs::write(suites.join(name), text).unwrap();
    }
    let data = folder.path().join("data");
    let mut options = options(&data);
    options.host = Arc::new(Desktop {
        folder: Some(suites.clone()),
        ..Desktop::default()
    });
    let app = App::open(options, folder).await;
    let server = app.add("Lighthouse", DEMO).await;
    assert!(granted(app.choose_checks_folder(server.clone())).await);
    let suites = fs::canonicalize(suites).unwrap();
    (app, server, suites)
}

async fn checks(app: &App, server: &str) -> Checks {
    app.open_checks(server.to_owned()).await.unwrap();
    // The command returns when the state has it; the event comes after it.
    app.explorer
        .explorer()
        .read(|state| state.checks().get(server).cloned())
        .unwrap()
}

async fn run(app: &App, server: &str, choice: CheckChoice, destructive: bool) -> Checks {
    let before = app
        .seen()
        .checks
        .get(server)
        .and_then(|one| one.last.clone());
    granted(app.run_checks(server.to_owned(), choice, destructive, None, None)).await;
    let before = before.map_or(0, |last| last.at);
    app.until("the end of the run", |seen| {
        let checks = seen.checks.get(server)?;
        let is_over = checks.run.is_none() && !has(checks, CheckState::Waiting);
        let is_new = all(checks).any(|one| one.result.as_ref().is_some_and(|one| one.at >= before));
        (is_over && is_new).then(|| checks.clone())
    })
    .await
}

fn all(checks: &Checks) -> impl Iterator<Item = &Check> {
    checks.suites.iter().flat_map(|suite| &suite.checks)
}

fn has(checks: &Checks, state: CheckState) -> bool {
    all(checks).any(|one| one.result.as_ref().is_some_and(|one| one.state == state))
}

fn states(checks: &Checks) -> Vec<(&str, CheckState)> {
    all(checks)
        .filter_map(|one| Some((one.name.as_str(), one.result.as_ref()?.state)))
        .collect()
}

fn result(checks: &Checks, name: &str) -> CheckResult {
    let check = all(checks).find(|one| one.name == name);
    check.unwrap().result.clone().unwrap()
}

fn id(checks: &Checks, name: &str) -> CheckId {
    all(checks).find(|one| one.name == name).unwrap().id.clone()
}

async fn keep(
    app: &App,
    operation: OperationNumber,
    change: impl FnOnce(&mut NewCheck),
) -> CheckId {
    let mut draft = app.check_draft(operation).await.unwrap();
    change(&mut draft);
    app.keep_check(draft).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kept_run_is_compared_accepted_and_counted() {
    let (app, server) = start().await;
    app.ready(&server).await;
    let arguments = r#"{"message":"${vars.x} 9007199254740993 \"ahoy\""}"#;
    let operation = app.run_tool(&server, "echo", arguments).await.operation;
    let draft = app.check_draft(operation).await.unwrap();
    assert_eq!(
        (draft.outcome, draft.no_findings),
        (CheckOutcome::Done, true)
    );
    let text = app.preview_check(draft.clone()).await.unwrap();
    assert!(text.contains("snapshot: echo"), "{text}");
    let runs = app.seen().operations.len();
    let kept = keep(&app, operation, |draft| draft.name = "Echo".to_owned()).await;
    let refused = app.preview_check(NewCheck {
        name: " ".to_owned(),
        ..draft
    });
    denied(refused, ErrorCode::InvalidInput).await;

    let ran = run(&app, &server, CheckChoice::All, false).await;
    assert!(ran.own_folder);
    assert_eq!(states(&ran), [("Echo", CheckState::Passed)]);
    let last = ran.last.unwrap();
    assert_eq!((last.passed, last.failed, last.other), (1, 0, 0));
    assert!(last.version.is_some() && last.revision.is_some());
    assert_eq!(
        app.seen().operations.len(),
        runs,
        "a run leaves no operation"
    );
    assert_eq!(kept, id(&checks(&app, &server).await, "Echo"));

    // The stored value is another one now.
    let stored = Path::new(&ran.folder).join("__snapshots__/checks.echo.json");
    let text = fs::read_to_string(&stored).unwrap();
    assert!(text.contains("9007199254740993"));
    fs::write(&stored, text.replace("9007199254740993", "1")).unwrap();
    let ran = run(&app, &server, CheckChoice::All, false).await;
    let failed = result(&ran, "Echo");
    assert_eq!(failed.state, CheckState::Failed);
    assert!(failed.differs && failed.failures[0].differs);
    let compared = granted(app.check_comparison(server.clone(), kept.clone())).await;
    assert!(compared.before.contains("${vars.x} 1 ") && compared.now.contains("740993"));
    let undone = app.accept_check(server.clone(), kept.clone());
    app.undo_deletion(undone.await.unwrap()).await.unwrap();
    assert_ne!(fs::read_to_string(&stored).unwrap(), text);
    let failed_again = checks(&app, &server).await;
    assert_eq!(result(&failed_again, "Echo"), failed);
    app.accept_check(server.clone(), kept.clone())
        .await
        .unwrap();
    assert_eq!(fs::read_to_string(&stored).unwrap(), text);
    let accepted = checks(&app, &server).await;
    assert_eq!(states(&accepted), [("Echo", CheckState::Passed)]);
    let last = accepted.last.unwrap();
    assert_eq!((last.passed, last.failed), (1, 0), "the totals say so too");
    let refused = app.accept_check(server.clone(), kept.clone());
    denied(refused, ErrorCode::NotFound).await;

    // Ignored from now on, and judged by that without a request.
    fs::write(&stored, text.replace("9007199254740993", "2")).unwrap();
    let refused = app.run_checks(server.clone(), CheckChoice::Failed, false, None, None);
    denied(refused, ErrorCode::InvalidInput).await;
    let ran = run(&app, &server, CheckChoice::All, false).await;
    for failure in result(&ran, "Echo").failures {
        let kept = id(&checks(&app, &server).await, "Echo");
        let pointer = failure.path.unwrap();
        granted(app.ignore_in_check(server.clone(), kept, pointer)).await;
    }
    let ignored = checks(&app, &server).await;
    assert_eq!(states(&ignored), [("Echo", CheckState::Passed)]);
    assert_ne!(id(&ignored, "Echo"), kept);
    let suite = fs::read_to_string(Path::new(&ran.folder).join("checks.sonde.yaml")).unwrap();
    assert!(suite.contains("ignore: [/"), "{suite}");
    let report = app.checks_report(server.clone()).await.unwrap();
    assert!(report.contains("| Echo | passed |"), "{report}");

    // Over a start of the app.
    app.shutdown().await;
    let again = App::open(options(app.folder.path()), Arc::clone(&app.folder)).await;
    assert_eq!(
        states(&checks(&again, &server).await),
        [("Echo", CheckState::Passed)]
    );
}

const BY_HAND: &str = "\
# Ours.
sonde: 1
name: By hand   # as people write it

vars: { big: 9007199254740993 }

steps:
  # The first one.
  - name: first
    call: echo
    with: { message: \"a\" }   # one

  - name: second
    ping: true
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_by_hand_between_two_of_the_window_loses_nothing() {
    let (app, server, folder) = start_with(&[("hand.sonde.yaml", BY_HAND)]).await;
    let file = folder.join("hand.sonde.yaml");
    let shown = checks(&app, &server).await;
    let (first, second) = (id(&shown, "first"), id(&shown, "second"));
    granted(app.set_check_on(server.clone(), second.clone(), false)).await;
    let off = "    ping: true\n    skip: true\n";
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        BY_HAND.replace("    ping: true\n", off)
    );

    // By hand: a comment, another step in front, another value in the first one.
    let by_hand = "  # Mine.\n  - name: mine\n    list: tools # all\n";
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace(
        "  # The first one.\n",
        &format!("{by_hand}  # The first one.\n"),
    );
    let text = text.replace("\"a\" }   # one", "\"b\" }   # two");
    fs::write(&file, &text).unwrap();
    // The step that was changed is another one now, and its file is read again.
    let refused = app.set_check_on(server.clone(), first, false);
    denied(refused, ErrorCode::NotFound).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    granted(app.set_check_on(server.clone(), second.clone(), true)).await;
    let text = text.replace(off, "    ping: true\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    granted(app.move_check(server.clone(), second.clone(), 0)).await;
    let moved = "  - name: second\n    ping: true\n";
    let text = text.replace(moved, "");
    let text = text.replace("  # Mine.\n", &format!("{moved}  # Mine.\n"));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let mine = id(&checks(&app, &server).await, "mine");
    let removed = app.remove_check(server.clone(), mine).await.unwrap();
    assert!(!fs::read_to_string(&file).unwrap().contains("name: mine"));
    app.undo_deletion(removed).await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // Undone after another change by hand: only the step comes back.
    let removed = app.remove_check(server.clone(), second).await.unwrap();
    let changed = fs::read_to_string(&file)
        .unwrap()
        .replace("# Ours.", "# Ours, and yours.");
    fs::write(&file, changed).unwrap();
    app.undo_deletion(removed).await.unwrap();
    let back = fs::read_to_string(&file).unwrap();
    assert!(
        back.starts_with("# Ours, and yours.") && back.contains(moved),
        "{back}"
    );
    for line in text.lines().filter(|line| *line != "# Ours.") {
        assert!(back.contains(line), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_no_suite_says_where_and_hides_no_other() {
    let bad = "sonde: 1\nsteps:\n  - call: echo\n    wiht: {}\n";
    let good = "sonde: 1\nsteps:\n  - ping: true\n";
    let files = [("bad.sonde.yaml", bad), ("good.sonde.yaml", good)];
    let (app, server, _) = start_with(&files).await;
    let shown = checks(&app, &server).await;
    let problem = &shown.suites[0].problems[0];
    assert_eq!((problem.line, problem.column), (4, 5), "{problem:?}");
    assert!(problem.message.contains("wiht"), "{problem:?}");
    let ran = run(&app, &server, CheckChoice::All, false).await;
    assert_eq!(states(&ran), [("ping", CheckState::Passed)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_destroy_runs_only_when_it_is_included() {
    let suite = "sonde: 1\nsteps:\n  - call: wipe_logbook\n  - call: echo\n  - call: no_such_tool\n    expect: { rpc-error: true }\n  - ping: true\n    skip: true\n";
    let (app, server, _) = start_with(&[("a.sonde.yaml", suite)]).await;
    let ran = run(&app, &server, CheckChoice::All, false).await;
    use CheckState::{Passed, Skipped};
    let names = [
        "call wipe_logbook",
        "call echo",
        "call no_such_tool",
        "ping",
    ];
    let expected = |states: [CheckState; 4]| names.into_iter().zip(states).collect::<Vec<_>>();
    assert_eq!(states(&ran), expected([Skipped, Passed, Skipped, Skipped]));
    let report = app.checks_report(server.clone()).await.unwrap();
    let head = "1 passed, 0 failed, 1 off, 2 skipped\n";
    assert!(report.contains(head), "{report}");
    let reason = result(&ran, "call wipe_logbook").reason.unwrap();
    assert!(reason.contains("destructive"), "{reason}");
    let ran = run(&app, &server, CheckChoice::All, true).await;
    // It asks before it wipes, and the suite has no answer.
    assert_eq!(
        states(&ran),
        expected([CheckState::Failed, Passed, Passed, Skipped])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suites_run_on_the_servers_of_the_list_alone() {
    let program = "sonde: 1\nserver: { command: touch, args: [made-by-suite] }\nsteps:\n  - name: program\n    ping: true\n";
    let named = "sonde: 1\nserver: light house\nsteps:\n  - name: named\n    ping: true\n";
    let unknown = "sonde: 1\nserver: nobody\nsteps:\n  - name: unknown\n    ping: true\n  - name: off\n    ping: true\n    skip: true\n";
    let other = "sonde: 1\nserver: Other\nsteps:\n  - name: other\n    ping: true\n";
    let (app, server, folder) = start_with(&[
        ("a.sonde.yaml", program),
        ("b.sonde.yaml", named),
        ("c.sonde.yaml", unknown),
        ("d.sonde.yaml", other),
    ])
    .await;
    let other = app.add("Other", scripted([Step::AwaitEof])).await;
    let ran = run(&app, &server, CheckChoice::All, false).await;
    use CheckState::{Broken, Passed};
    let expected = [
        ("program", Broken),
        ("named", Passed),
        ("unknown", Broken),
        ("other", Broken),
    ];
    // One that is switched off has no result where nothing could run.
    assert_eq!(states(&ran), expected);
    assert!(!folder.join("made-by-suite").exists());
    let reason = |name| result(&ran, name).reason.unwrap();
    assert!(reason("program").contains("on a server of the list"));
    assert!(reason("unknown").contains("no server `nobody`"));
    assert!(reason("other").contains("was not confirmed"));
    // Replaced, all run on the one; one whose command was not confirmed runs nothing.
    let run_on = |on: &ServerId| {
        let (on, choice) = (Some(on.clone()), CheckChoice::All);
        app.run_checks(server.clone(), choice, false, on, None)
    };
    denied(run_on(&other), ErrorCode::CommandNotConfirmed).await;
    run_on(&server).await.unwrap();
    let all_pass = |seen: &sonde_tests::app::State| {
        let checks = seen.checks.get(&server)?;
        let passed =
            all(checks).filter(|one| one.result.as_ref().is_some_and(|one| one.state == Passed));
        (checks.run.is_none() && passed.count() == 4).then_some(())
    };
    app.until("all to pass", all_pass).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_of_a_verifying_step_is_ignored_where_it_is_compared() {
    let suite = |word: &str, ignore: &str| {
        format!(
            "sonde: 1\nsteps:\n  - name: all\n    ping: true\n    verify:\n      - call: echo\n        with: \
             {{ message: {word} }}\n        expect: {{ result: {{ snapshot: said }}{ignore} }}\n"
        )
    };
    let (app, server, folder) = start_with(&[("a.sonde.yaml", &suite("ahoy", ""))]).await;
    let ran = run(&app, &server, CheckChoice::All, false).await;
    granted(app.accept_check(server.clone(), id(&ran, "all"))).await;
    fs::write(folder.join("a.sonde.yaml"), suite("ohoy", "")).unwrap();
    let ran = run(&app, &server, CheckChoice::All, false).await;
    let differs = result(&ran, "all").failures.remove(0);
    assert!(differs.differs, "{differs:?}");
    let (check, path) = (id(&ran, "all"), differs.path.unwrap());
    let now = || fs::read_to_string(folder.join("a.sonde.yaml")).unwrap();
    let ignore = || app.ignore_in_check(server.clone(), check.clone(), path.clone());
    let ignored = ignore().await.unwrap();
    let without = suite("ohoy", ", ignore: [/content/0/text]");
    assert_eq!(now(), without);
    let passed = [("all", CheckState::Passed)];
    assert_eq!(states(&checks(&app, &server).await), passed);
    app.undo_deletion(ignored).await.unwrap();
    assert_eq!(now(), suite("ohoy", ""));
    let failed = [("all", CheckState::Failed)];
    assert_eq!(states(&checks(&app, &server).await), failed);
    // Not in a file that was changed since.
    let ignored = ignore().await.unwrap();
    let by_hand = without + "# Mine.\n";
    fs::write(folder.join("a.sonde.yaml"), &by_hand).unwrap();
    let refused = app.undo_deletion(ignored).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidInput);
    assert_eq!(now(), by_hand);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_value_is_no_verdict_in_any_case_of_a_matrix_until_it_is_accepted() {
    let suite = "sonde: 1\nmatrix: { revision: [\"2025-11-25\", \"2026-07-28\"] }\nsteps:\n  \
                 - call: echo\n    expect: { result: { snapshot: new } }\n  - name: old\n    ping: true\n";
    let (app, server, folder) = start_with(&[("a.sonde.yaml", suite)]).await;
    let cases = |checks: &Checks, name: &str| {
        let cases = result(checks, name).cases.into_iter();
        cases.map(|one| (one.label, one.state)).collect::<Vec<_>>()
    };
    let both = |state| ["2025-11-25", "2026-07-28"].map(|label| (label.to_owned(), state));
    let ran = run(&app, &server, CheckChoice::All, false).await;
    assert_eq!(cases(&ran, "call echo"), both(CheckState::Incomplete));
    let missing = result(&ran, "call echo");
    assert!(missing.baseline_missing && missing.reason.unwrap().contains("No baseline"));
    let stored = folder.join("__snapshots__");
    assert!(!stored.exists(), "nothing is stored by a run");
    let old = cases(&ran, "old");
    assert_eq!(old[0], both(CheckState::Passed)[0]);
    assert_ne!(old[1].1, CheckState::Passed, "this version has no ping");
    granted(app.accept_check(server.clone(), id(&ran, "call echo"))).await;
    let seen = checks(&app, &server).await;
    assert_eq!(cases(&seen, "call echo"), both(CheckState::Passed));
    assert!(stored.exists());
    let report = app.checks_report(server.clone()).await.unwrap();
    let head =
        "| check | result | 2025-11-25 | 2026-07-28 | time |\n| --- | --- | --- | --- | --- |";
    assert!(report.contains(head), "{report}");
    assert!(
        report.contains("| call echo | passed | passed | passed |"),
        "{report}"
    );
}

#[tokio::test]
async fn a_suite_is_presented_and_takes_the_place_of_its_last_presentation() {
    let suite = "sonde: 1
name: Greetings
server: shop
steps:
  - { title: Greet, name: Ada, notes: Say the name., call: echo, with: { message: Ada } }
  - { title: Greet, name: Bo, call: echo, with: { message: Bo } }
  - { title: Greet, name: Bo, call: echo, with: { message: Bob } }
  - { title: Greet, name: known in a run only, call: echo, with: { message: '${answer}' } }
  - { list: tools }
  - { server: nowhere, call: other }
";
    let (app, server, _) = start_with(&[
        ("a.sonde.yaml", suite),
        ("b.sonde.yaml", "sonde: 1\nsteps: []\n"),
    ])
    .await;
    let of = |all: &[Presentation], id: &str| all.iter().find(|one| one.id == id).cloned();
    let present = |file: &str| app.present_suite(server.clone(), file.to_owned());
    let first = present("a.sonde.yaml").await.unwrap();
    let shown = app
        .until("the presentation", |seen| {
            of(&seen.presentations, &first.id)
        })
        .await;
    assert_eq!(
        (&*shown.title, shown.imported, first.replaced),
        ("Greetings", true, None)
    );
    let [greet, other] = &shown.steps[..] else {
        panic!("{shown:?}")
    };
    assert_eq!((&greet.server, &*greet.notes), (&server, "Say the name."));
    let inputs: Vec<_> = greet
        .inputs
        .iter()
        .map(|one| (&*one.name, one.removed))
        .collect();
    assert_eq!(inputs, [("Ada", false), ("Bo", false), ("Bo 2", false)]);
    assert!(other.server_removed && other.server_name == "nowhere");

    // Once more: it is replaced only where all of it is of this server.
    let second = present("a.sonde.yaml").await.unwrap();
    assert_eq!(second.replaced, None);
    denied(present("gone.sonde.yaml"), ErrorCode::NotFound).await;
    let empty = present("b.sonde.yaml").await.unwrap();
    let again = present("b.sonde.yaml").await.unwrap();
    assert!(again.replaced.is_some());
    app.until("one of two", |seen| {
        let all = &seen.presentations;
        (of(all, &empty.id).is_none() && of(all, &again.id).is_some()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_when_it_is_stopped() {
    let suite = "sonde: 1\nsteps:\n  - name: quick\n    ping: true\n  - name: slow\n    call: blow_fuse\n    with: { after_ms: 60000 }\n    send-anyway: true\n  - name: never\n    ping: true\n";
    let (app, server, _) = start_with(&[("a.sonde.yaml", suite)]).await;
    granted(app.run_checks(server.clone(), CheckChoice::All, true, None, None)).await;
    let refused = app.run_checks(server.clone(), CheckChoice::All, true, None, None);
    denied(refused, ErrorCode::InvalidInput).await;
    let never = id(&checks(&app, &server).await, "never");
    let refused = app.ignore_in_check(server.clone(), never, "/a".to_owned());
    let refused = refused.await.unwrap_err();
    assert!(refused.message.contains("are running"), "{refused:?}");
    for state in [CheckState::Running, CheckState::Passed] {
        app.holds("the slow one to run, and the quick one to pass", |seen| {
            seen.checks
                .get(&server)
                .is_some_and(|checks| has(checks, state))
        })
        .await;
    }
    app.stop_checks(server.clone()).await.unwrap();
    let over = app
        .until("the end", |seen| {
            let checks = seen.checks.get(&server)?;
            checks.run.is_none().then(|| checks.clone())
        })
        .await;
    assert_eq!(result(&over, "quick").state, CheckState::Passed);
    assert!(all(&over).filter(|one| one.result.is_none()).count() == 2);
    denied(app.stop_checks(server.clone()), ErrorCode::NotFound).await;

    // The end of the app is one, too.
    granted(app.run_checks(server.clone(), CheckChoice::All, true, None, None)).await;
    let before = result(&over, "quick").at;
    app.until("the quick one to pass again", |seen| {
        let quick = result(seen.checks.get(&server)?, "quick");
        (quick.state == CheckState::Passed && quick.at > before).then_some(())
    })
    .await;
    app.shutdown().await;
    let data = app.folder.path().join("data");
    let again = App::open(options(&data), Arc::clone(&app.folder)).await;
    let kept = checks(&again, &server).await;
    assert!(result(&kept, "quick").at > before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_a_server_are_in_no_file_of_its_checks() {
    const SECRET: &str = "hunter2-of-the-server";
    let app = App::start().await;
    let tools = json!([{ "name": "leak", "inputSchema": { "type": "object" } }]);
    let said = json!({ "content": [{ "type": "text", "text": format!("Bearer {SECRET}") }] });
    let transport = scripted([Step::tools(&tools, said)]);
    let server = app.join("Leaky", with_token(transport, SECRET)).await;
    let operation = app.run_tool(&server, "leak", "{}").await.operation;
    keep(&app, operation, |_| ()).await;
    let ran = run(&app, &server, CheckChoice::All, false).await;
    assert_eq!(states(&ran), [("leak", CheckState::Passed)], "{ran:#?}");
    let stored = Path::new(&ran.folder).join("__snapshots__/checks.leak.json");
    let text = fs::read_to_string(&stored).unwrap();
    assert!(text.contains("‹secret›"), "{text}");
    // One that differs is kept to be compared.
    fs::write(&stored, "{}").unwrap();
    let ran = run(&app, &server, CheckChoice::All, false).await;
    let failed = result(&ran, "leak");
    assert!(
        failed.differs && !format!("{failed:?}").contains(SECRET),
        "{failed:?}"
    );
    let with_secret = app
        .run_tool(&server, "leak", &format!(r#"{{"a":"{SECRET}"}}"#))
        .await;
    let refused = app.check_draft(with_secret.operation).await.unwrap_err();
    assert!(refused.message.contains("secret"), "{refused:?}");
    app.shutdown().await;
    let mut looked = 0;
    let mut folders = vec![app.folder.path().join("checks")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    looked += 1;
                    let text = fs::read_to_string(&path).unwrap();
                    assert!(!text.contains(SECRET), "{}", path.display());
                }
            }
        }
    }
    assert!(looked >= 2, "results and suite");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_server_takes_its_checks_along_unless_it_comes_back() {
    let (app, server) = start().await;
    app.ready(&server).await;
    let operation = app.run_tool(&server, "echo", "{}").await.operation;
    keep(&app, operation, |_| ()).await;
    run(&app, &server, CheckChoice::All, false).await;
    let folder = PathBuf::from(checks(&app, &server).await.folder);
    let removed = app.remove_server(server.clone()).await.unwrap();
    app.holds("the server to go", |seen| {
        !seen.checks.contains_key(&server)
    })
    .await;
    app.undo_deletion(removed).await.unwrap();
    assert_eq!(
        states(&checks(&app, &server).await),
        [("echo", CheckState::Passed)]
    );
    let removed = app.remove_server(server.clone()).await.unwrap();
    // In a thread without a runtime nothing deletes the files before the app ends.
    let forget = || app.forget_deletion(removed).now_or_never();
    let forgotten = std::thread::scope(|scope| scope.spawn(forget).join());
    forgotten.unwrap().unwrap().unwrap();
    app.shutdown().await;
    assert!(!folder.exists());
    let results = app.folder.path().join(format!("checks/{server}.json"));
    assert!(!results.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_are_compared_between_servers_versions_and_moments() {
    let (app, server) = start().await;
    let side = |server: &ServerId, revision: Option<&str>, when| ListSide {
        server: server.clone(),
        revision: revision.map(str::to_owned),
        when,
    };
    let compare = async |left, right| app.compare_lists(left, right).await.unwrap();
    let now = side(&server, None, ListMoment::Now);
    // Not connected: a connection of its own reads them, and the session stays closed.
    let same = compare(now.clone(), now.clone()).await;
    assert_eq!((same.changes.len(), same.unread.len()), (0, 0), "{same:#?}");
    let copy = app.duplicate_server(server.clone()).await.unwrap();
    app.ready(&server).await;
    let accepted = side(&server, None, ListMoment::Accepted);
    let since = compare(accepted, now.clone()).await;
    assert_eq!(since.changes, [], "{since:#?}");
    assert!(
        since
            .unread
            .iter()
            .any(|why| why.contains("definitions of"))
    );
    let old = side(&copy, Some("2025-06-18"), ListMoment::Now);
    let versions = compare(old.clone(), now.clone()).await;
    assert!(versions.left.contains("2025-06-18"), "{}", versions.left);
    let unknown = side(&copy, None, ListMoment::Accepted);
    let refused = app.compare_lists(unknown, now.clone());
    denied(refused, ErrorCode::InvalidInput).await;
    let mut results = first_results("endless", &json!({ "tools": {} }), &json!([]));
    let endless = json!({ "tools": [], "nextCursor": "again" });
    results.insert("tools/list".to_owned(), endless);
    let until = None;
    let endless = scripted([Step::Serve { results, until }]);
    let endless = side(&app.join("Endless", endless).await, None, ListMoment::Now);
    let cut = compare(endless.clone(), endless).await;
    assert_eq!(cut.unread, ["Endless: tools/list is not complete."]);
    let other = app.add("Other", scripted([Step::AwaitEof])).await;
    let refused = app.compare_lists(now.clone(), side(&other, None, ListMoment::Now));
    denied(refused, ErrorCode::CommandNotConfirmed).await;
    let refused = app.compare_lists(now, side(&server, Some("1999-01-01"), ListMoment::Now));
    denied(refused, ErrorCode::InvalidInput).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saved_input_becomes_a_check_and_a_check_fills_the_form() {
    let suite = "sonde: 1\nserver: Lighthouse\nvars: { who: Ada }\nsteps:\n\
        \x20 - { call: echo, with: { message: 'hi ${vars.who}, ${answer}' } }\n\
        \x20 - { call: echo, name: known, with: { message: 'hi ${vars.who}' } }\n\
        \x20 - { call: echo, name: bare }\n\
        \x20 - { list: tools }\n";
    let (app, server, _) = start_with(&[("hello.sonde.yaml", suite)]).await;
    app.ready(&server).await;
    let found = checks(&app, &server).await;
    let tools: Vec<_> = all(&found).map(|one| one.tool.as_deref()).collect();
    assert_eq!(tools, [Some("echo"), Some("echo"), Some("echo"), None]);
    for (name, arguments) in [
        ("call echo", r#"{"message":"hi ${vars.who}, ${answer}"}"#),
        ("known", r#"{"message":"hi Ada"}"#),
        ("bare", "{}"),
    ] {
        let filled = app.check_arguments(server.clone(), id(&found, name)).await;
        assert_eq!(filled.unwrap(), arguments, "{name}");
    }

    let text = r#"{"message":"${vars.x} 9007199254740993"}"#;
    let input = |private| SavedInput {
        private,
        ..saved(&server, "echo", "digits", text)
    };
    let saved = app.save_input(input(false)).await.unwrap();
    let added = app.add_input_to_checks(saved).await.unwrap();
    assert_eq!(
        granted(app.check_arguments(server.clone(), added.clone())).await,
        text
    );
    let choice = CheckChoice::Some {
        checks: vec![added],
    };
    let ran = run(&app, &server, choice, false).await;
    assert_eq!(result(&ran, "digits").state, CheckState::Passed);

    let private = app.save_input(input(true)).await.unwrap();
    denied(app.add_input_to_checks(private), ErrorCode::InvalidInput).await;
}
