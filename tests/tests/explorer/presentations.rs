//! Saved inputs and presentations: stored, restored, and moved to another computer.

use std::{fs, sync::Arc};

use sonde_auth::doubles::LockableKeyring;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, Desktop, denied, draft, granted, options, saved, with_token},
    client::{http, scripted, stdio},
    stdio_peer::Step,
};

const METHOD: &str = "tools/call";

fn step(server: &str, target: &str, title: &str, inputs: &[&str]) -> PresentationStep {
    let offers = |id: &&str| StepInput {
        id: (*id).to_owned(),
        ..StepInput::default()
    };
    PresentationStep {
        server: server.to_owned(),
        method: METHOD.to_owned(),
        target: target.to_owned(),
        title: title.to_owned(),
        inputs: inputs.iter().map(offers).collect(),
        notes: format!("About {title}."),
        ..PresentationStep::default()
    }
}

fn presentation(title: &str, steps: Vec<PresentationStep>) -> Presentation {
    Presentation {
        title: title.to_owned(),
        steps,
        ..Presentation::default()
    }
}

async fn save(app: &App, input: SavedInput) -> String {
    app.save_input(input).await.unwrap()
}

/// Waits until a server has saved inputs with these names, in this order.
async fn named(app: &App, server: &str, names: &[&str]) {
    app.holds(&format!("{names:?}"), |seen| {
        let inputs = seen.saved_inputs.get(server).map_or(&[][..], Vec::as_slice);
        inputs
            .iter()
            .map(|one| &*one.name)
            .eq(names.iter().copied())
    })
    .await;
}

async fn of_title(app: &App, title: &str) -> Presentation {
    app.until(title, |seen| {
        let mut all = seen.presentations.iter();
        all.find(|one| one.title == title).cloned()
    })
    .await
}

/// Waits until a condition about a presentation is true.
async fn holds(app: &App, title: &str, what: impl Fn(&Presentation) -> bool) {
    app.holds(title, |seen| {
        let mut all = seen.presentations.iter();
        all.any(|one| one.title == title && what(one))
    })
    .await;
}

#[tokio::test]
async fn saved_inputs_survive_a_restart_and_go_with_their_server() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = App::with_data(&folder).await;
    let server = app.add("Shop", http("http://a/")).await;
    let pear = save(
        &app,
        saved(&server, "buy", "A pear", r#"{"n":9007199254740993}"#),
    )
    .await;
    let apple = save(&app, saved(&server, "buy", "An apple", "{}")).await;
    let login = SavedInput {
        private: true,
        ..saved(&server, "login", "Me", r#"{"password":"hush-hush"}"#)
    };
    save(&app, login).await;
    app.move_input(apple.clone(), 0).await.unwrap();
    let renamed = SavedInput {
        id: pear.clone(),
        // What it is for stays.
        ..saved("elsewhere", "sell", "Two pears", r#"{"n":2}"#)
    };
    assert_eq!(save(&app, renamed).await, pear);
    named(&app, &server, &["An apple", "Two pears", "Me"]).await;

    for (refused, code) in [
        (saved("gone", "buy", "x", "{}"), ErrorCode::NotFound),
        (saved(&server, "buy", "x", "{"), ErrorCode::ArgumentsNotJson),
        (saved(&server, "buy", " ", "{}"), ErrorCode::InvalidInput),
    ] {
        let error = app.save_input(refused).await.unwrap_err();
        assert_eq!(error.code, code);
    }

    let copy = app.duplicate_server(server.clone()).await.unwrap();
    named(&app, &copy, &["An apple", "Two pears", "Me"]).await;
    app.shutdown().await;
    for file in fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains("hush-hush"), "{}", path.display());
        }
    }

    let app = App::with_data(&folder).await;
    for one in [&server, &copy] {
        named(&app, one, &["An apple", "Two pears"]).await;
    }
    let kept = app.seen().saved_inputs[&server][1].clone();
    assert_eq!(
        (&kept.id, &*kept.target, &*kept.arguments),
        (&pear, "buy", r#"{"n":2}"#)
    );
    let deletion = app.delete_input(apple.clone()).await.unwrap();
    named(&app, &server, &["Two pears"]).await;
    app.undo_deletion(deletion).await.unwrap();
    named(&app, &server, &["An apple", "Two pears"]).await;
    // With the server they go and come back.
    let input_gone = app.delete_input(apple).await.unwrap();
    let server_gone = app.remove_server(server.clone()).await.unwrap();
    named(&app, &server, &[]).await;
    denied(app.undo_deletion(input_gone), ErrorCode::NotFound).await;
    app.undo_deletion(server_gone).await.unwrap();
    named(&app, &server, &["Two pears"]).await;
    app.undo_deletion(input_gone).await.unwrap();
    named(&app, &server, &["An apple", "Two pears"]).await;
}

#[tokio::test]
async fn a_presentation_keeps_its_steps_whatever_is_removed() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = App::with_data(&folder).await;
    let shop = app.add("Shop", http("http://a/")).await;
    let bank = app.add("Bank", http("http://b/")).await;
    let pear = save(&app, saved(&shop, "buy", "A pear", "{}")).await;
    let note = save(&app, saved(&bank, "pay", "A note", "{}")).await;
    let tour = presentation(
        "Tour",
        vec![
            step(&shop, "buy", "Buy", &[&pear]),
            step(&bank, "pay", "Pay", &[&note]),
        ],
    );
    let id = app.save_presentation(tour).await.unwrap();
    let mut shown = of_title(&app, "Tour").await;
    assert_eq!(shown.id, id);
    assert_eq!(shown.steps[0].server_name, "Shop");
    assert_eq!(shown.steps[0].inputs[0].name, "A pear");
    let ids: Vec<_> = shown.steps.iter().map(|one| one.id.clone()).collect();
    assert!(ids.iter().all(|id| !id.is_empty()));

    // Names follow.
    let renamed = draft("Corner shop", http("http://a/"));
    app.update_server(shop.clone(), renamed).await.unwrap();
    holds(&app, "Tour", |one| {
        one.steps[0].server_name == "Corner shop"
    })
    .await;
    let deletion = app.delete_input(note.clone()).await.unwrap();
    let removed = app.remove_server(shop.clone()).await.unwrap();
    holds(&app, "Tour", |one| {
        let [buy, pay] = &one.steps[..] else {
            return false;
        };
        buy.server_removed && pay.inputs[0].removed && !pay.server_removed
    })
    .await;
    app.shutdown().await;

    // The names that were known last are in the file.
    let app = App::with_data(&folder).await;
    shown = of_title(&app, "Tour").await;
    let [buy, pay] = &shown.steps[..] else {
        panic!("{shown:?}")
    };
    assert_eq!(
        (&*buy.server_name, buy.server_removed),
        ("Corner shop", true)
    );
    assert_eq!(
        (&*buy.inputs[0].name, buy.inputs[0].removed),
        ("A pear", true)
    );
    assert_eq!(
        (&*pay.inputs[0].name, pay.inputs[0].removed),
        ("A note", true)
    );
    assert_eq!(buy.notes, "About Buy.");
    for gone in [deletion, removed] {
        assert!(app.undo_deletion(gone).await.is_err());
    }

    // A deleted presentation comes back in its place; its saved inputs were never gone.
    let other = presentation("Other", Vec::new());
    app.save_presentation(other).await.unwrap();
    let before: Vec<_> = {
        of_title(&app, "Other").await;
        let seen = app.seen();
        seen.presentations
            .iter()
            .map(|one| one.title.clone())
            .collect()
    };
    let deletion = app.delete_presentation(id.clone()).await.unwrap();
    app.holds("it is gone", |seen| {
        seen.presentations.iter().all(|one| one.id != id)
    })
    .await;
    app.undo_deletion(deletion).await.unwrap();
    app.holds("it is back", |seen| {
        let titles = seen.presentations.iter().map(|one| &one.title);
        titles.eq(&before)
    })
    .await;
}

#[tokio::test]
async fn what_contains_a_known_secret_is_neither_stored_nor_exported() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = with_downloads(&folder).await;
    let transport = || scripted([Step::Exit { code: 1 }]);
    let edited = |value: &str| draft("Env", with_token(transport(), value));
    let server = app.add("Env", transport()).await;
    let before = save(
        &app,
        saved(&server, "t", "early", r#"{"a":"hush-hush-hush"}"#),
    )
    .await;
    // It is known from then on, without a connection.
    granted(app.update_server(server.clone(), edited("hush-hush-hush"))).await;
    let after = save(
        &app,
        saved(&server, "t", "late", r#"{"b":"hush-hush-hush"}"#),
    )
    .await;
    let named_so = saved(&server, "t", "Say hush-hush-hush", "{}");
    let error = app.save_input(named_so).await.unwrap_err();
    assert_eq!(
        (error.code, error.detail.as_deref()),
        (ErrorCode::InvalidInput, Some("name"))
    );
    let plain = save(&app, saved(&server, "t", "plain", r#"{"c":1}"#)).await;
    named(&app, &server, &["early", "late", "plain"]).await;
    let private: Vec<_> = app.seen().saved_inputs[&server]
        .iter()
        .map(|one| one.private)
        .collect();
    assert_eq!(private, [false, true, false]);
    let mut only = step(&server, "t", "T", &[&before, &after, &plain]);
    only.notes = "Say hush-hush-hush.".to_owned();
    let id = granted(app.save_presentation(presentation("T", vec![only]))).await;
    let exported = app.export_presentation(id).await.unwrap();
    let text = fs::read_to_string(exported.path.unwrap()).unwrap();
    assert!(!text.contains("hush"), "{text}");
    let preview = app.preview_import(text).await.unwrap();
    let steps = preview.presentation.unwrap().steps;
    let offered: Vec<_> = steps[0].inputs.iter().map(|one| &*one.name).collect();
    assert_eq!(offered, ["plain"]);
    let notes = exported.notes.join("\n");
    for words in ["“early” may", "“late” may", "was replaced"] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    // The process ends at once; what it got stays known when another secret takes its place.
    app.fails(&server).await;
    granted(app.update_server(server.clone(), edited("another-secret"))).await;
    let used = r#"{"d":"hush-hush-hush"}"#;
    save(&app, saved(&server, "t", "latest", used)).await;
    named(&app, &server, &["early", "late", "plain", "latest"]).await;
    assert!(app.seen().saved_inputs[&server][3].private);
    app.shutdown().await;
    let text = fs::read_to_string(folder.path().join("saved_inputs.json")).unwrap();
    assert!(!text.contains("late") && text.contains("plain"), "{text}");
}

#[tokio::test]
async fn nothing_is_saved_or_exported_while_a_secret_cannot_be_read() {
    let keyring = Arc::new(LockableKeyring::default());
    let app = App::keeping(keyring.clone()).await;
    let transport = with_token(stdio("shop", &[]), "hush-hush-hush");
    let server = app.add("Shop", transport).await;
    let pear = save(&app, saved(&server, "buy", "A pear", "{}")).await;
    let tour = presentation("Tour", vec![step(&server, "buy", "Buy", &[&pear])]);
    let id = app.save_presentation(tour).await.unwrap();
    keyring.lock(true);
    let apple = saved(&server, "buy", "An apple", r#"{"a":"hush-hush-hush"}"#);
    let saved = app.save_input(apple).await;
    let exported = app.export_presentation(id).await;
    for error in [saved.unwrap_err(), exported.unwrap_err()] {
        assert_eq!(error.code, ErrorCode::KeyringUnavailable);
        assert!(error.message.contains("“Shop”"), "{}", error.message);
    }
}

/// Starts the app with a folder for saved files.
async fn with_downloads(folder: &Arc<tempfile::TempDir>) -> App {
    let mut options = options(folder.path());
    options.host = Arc::new(Desktop {
        downloads: Some(folder.path().join("Downloads")),
        ..Desktop::default()
    });
    App::open(options, folder.clone()).await
}

#[tokio::test]
async fn a_presentation_goes_to_another_computer_without_secrets() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = with_downloads(&folder).await;
    let demo = app.first().await;
    let text = "claude mcp add -e API_TOKEN=hush-env Files -- npx -y pkg --api-key hush-arg";
    let files = granted(app.import_servers(text.to_owned(), vec![0.into()]))
        .await
        .remove(0);
    let mut remote = draft("Files", http("https://a.example/mcp"));
    remote.idle_seconds = Some(90);
    let remote = app.add_draft(remote).await;
    let digits = r#"{ "n": 9007199254740993.0, "n": 1e400 }"#;
    let list = save(&app, saved(&files, "list", "All", digits)).await;
    let login = SavedInput {
        private: true,
        ..saved(&remote, "login", "Me", r#"{"password":"hush-typed"}"#)
    };
    let login = save(&app, login).await;
    let tour = presentation(
        "A tour: with/odd\\letters",
        vec![
            step(&demo, "say_hello", "Hello", &[]),
            step(&files, "list", "List", &[&list, "gone"]),
            step(&remote, "login", "Log in", &[&login]),
            step(&files, "list", "List once more", &[&list]),
        ],
    );
    let id = app.save_presentation(tour).await.unwrap();
    let exported = app.export_presentation(id.clone()).await.unwrap();
    let path = exported.path.unwrap();
    assert!(
        path.ends_with("A tour with odd letters.sonde.yaml"),
        "{path}"
    );
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("hush"), "{text}");
    let notes = exported.notes.join("\n");
    for words in [
        "Files: Secrets are not part of it. Sonde asks for `API_KEY`, `API_TOKEN` where it is imported.",
        "Files: It runs a command",
        "“Me” may contain a secret",
        "“” was removed",
    ] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    assert_eq!(exported.notes.len(), 4, "{notes}");
    app.shutdown().await;

    let elsewhere = Arc::new(tempfile::tempdir().unwrap());
    let app = with_downloads(&elsewhere).await;
    let demo = app.first().await;
    let preview = app.preview_import(text.clone()).await.unwrap();
    assert_eq!(preview.recognized, "A presentation");
    assert_eq!(preview.problems, Vec::<String>::new());
    let known: Vec<_> = preview
        .candidates
        .iter()
        .map(|one| (one.config.name.as_str(), one.duplicate_of.as_ref()))
        .collect();
    assert_eq!(
        known,
        [
            ("Demo server", Some(&demo)),
            ("Files", None),
            ("Files 2", None)
        ]
    );
    assert_eq!(preview.candidates[2].config.idle_seconds, Some(90));
    let shown = preview.presentation.unwrap();
    let targets: Vec<_> = shown.steps.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(targets, ["say_hello", "list", "login", "list"]);
    let [all] = &shown.steps[1].inputs[..] else {
        panic!("{shown:?}")
    };
    let values: Vec<_> = all
        .values
        .iter()
        .map(|one| (&*one.name, &*one.text))
        .collect();
    assert_eq!(values, [("n", "9007199254740993.0"), ("n", "1e400")]);
    assert_eq!((&*all.name, &shown.same_title), ("All", &None));
    assert_eq!(app.seen().servers.len(), 1);

    let renamed = Chosen {
        index: 2,
        name: Some("My web".to_owned()),
    };
    let chosen = vec![1.into(), renamed];
    let id = granted(app.import_presentation(text.clone(), chosen, None))
        .await
        .id;
    holds(&app, &shown.title, |one| {
        one.id == id && one.steps.iter().all(|step| !step.server_removed)
    })
    .await;
    let there = of_title(&app, &shown.title).await;
    let [hello, list, login, again] = &there.steps[..] else {
        panic!("{there:?}")
    };
    assert_eq!(hello.server, demo);
    assert_eq!((&list.server, &list.inputs), (&again.server, &again.inputs));
    assert_ne!(list.server, login.server);
    assert_eq!(app.seen().servers[&login.server].config.name, "My web");
    assert_eq!((&*list.title, &*list.notes), ("List", "About List."));
    assert!(login.inputs.is_empty() && !list.inputs[0].removed);
    let files = list.server.clone();
    named(&app, &files, &["All"]).await;
    assert_eq!(app.seen().saved_inputs[&files][0].arguments, digits);
    // Its secrets are asked for, and its command is confirmed, as of any server that is imported.
    let asked = &app.seen().servers[&files];
    assert_eq!(
        asked.missing_inputs,
        ["${input:API_KEY}", "${input:API_TOKEN}"]
    );
    assert!(!asked.confirmed);
    let refused = app.explorer.connect(files.clone(), None);
    denied(refused, ErrorCode::InputsMissing).await;

    // Once more: everything is there already.
    let preview = app.preview_import(text.clone()).await.unwrap();
    assert!(
        preview
            .candidates
            .iter()
            .all(|one| one.duplicate_of.is_some())
    );
    let servers = app.seen().order;
    let same = preview.presentation.unwrap().same_title;
    assert_eq!(same.as_ref(), Some(&there.id));
    let both = granted(app.import_presentation(text.clone(), Vec::new(), None)).await;
    assert_eq!(both.replaced, None);
    let ids = |presentations: &[Presentation]| -> Vec<String> {
        let all = presentations.iter();
        all.filter(|one| one.title.starts_with(&there.title))
            .map(|one| one.id.clone())
            .collect()
    };
    app.holds("both", |seen| {
        let second = seen.presentations.iter().find(|one| one.id == both.id);
        second.is_some_and(|one| one.title == format!("{} 2", there.title))
            && ids(&seen.presentations) == [&*there.id, &*both.id]
    })
    .await;
    // In the place of the first, which can be brought back.
    let new = granted(app.import_presentation(text.clone(), Vec::new(), same.clone())).await;
    app.holds("the new one", |seen| {
        ids(&seen.presentations) == [&*new.id, &*both.id]
    })
    .await;
    app.undo_deletion(new.replaced.unwrap()).await.unwrap();
    app.holds("all", |seen| ids(&seen.presentations).len() == 3)
        .await;
    let gone = Some("nowhere".to_owned());
    let refused = app.import_presentation(text, Vec::new(), gone);
    denied(refused, ErrorCode::NotFound).await;
    assert_eq!(app.seen().order, servers);
    named(&app, &files, &["All"]).await;
}

#[tokio::test]
async fn a_server_that_is_not_chosen_leaves_its_steps() {
    let app = App::start().await;
    let text = r#"sonde: 1
name: T
server: Web
servers: { Web: { url: "https://a.example/mcp" } }
steps:
  - { title: One, name: n, notes: n, call: t, with: { a: 1 } }
  - { title: Two, call: t }
  - { title: Three, server: nowhere, call: t }
"#;
    granted(app.import_presentation(text.to_owned(), Vec::new(), None)).await;
    let there = of_title(&app, "T").await;
    assert!(there.steps.iter().all(|step| step.server_removed));
    assert_eq!(there.steps[0].server_name, "Web");
    assert!(there.steps[0].inputs[0].removed && there.steps[0].inputs[0].name == "n");
    assert_eq!(there.steps[0].server, there.steps[1].server);
    assert_ne!(there.steps[0].server, there.steps[2].server);
    assert_eq!(app.seen().servers.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_has_a_presentation_of_the_demo_server() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = App::with_data(&folder).await;
    let server = app.first().await;
    let visit = of_title(&app, "A visit to the lighthouse").await;
    app.ready(&server).await;
    let saved = app.seen().saved_inputs[&server].clone();
    let mut offered = 0;
    for step in &visit.steps {
        assert!(step.server == server && !step.server_removed);
        for one in &step.inputs {
            assert!(!one.removed, "{}", one.name);
            let input = saved.iter().find(|input| input.id == one.id).unwrap();
            assert_eq!((&input.target, &input.method), (&step.target, &step.method));
            let (target, arguments) = (step.target.clone(), input.arguments.clone());
            let check = app.validate_arguments(server.clone(), target, arguments);
            assert_eq!(check.await.unwrap(), ArgumentCheck::default());
            offered += 1;
        }
    }
    assert_eq!(offered, saved.len());

    // Deleted, it does not come back with the next start.
    app.delete_presentation(visit.id).await.unwrap();
    app.shutdown().await;
    let app = App::with_data(&folder).await;
    app.first().await;
    assert!(app.seen().presentations.is_empty());
    assert_eq!(app.seen().saved_inputs[&server].len(), offered);

    // It is there to be imported, for the same server and with the same inputs.
    let text = app.demo_presentation().await.unwrap();
    let preview = app.preview_import(text.clone()).await.unwrap();
    assert_eq!(preview.candidates.len(), 1);
    assert_eq!(preview.candidates[0].duplicate_of.as_ref(), Some(&server));
    granted(app.import_presentation(text, Vec::new(), None)).await;
    let again = of_title(&app, "A visit to the lighthouse").await;
    assert!(again.steps.iter().all(|step| step.server == server));
    assert_eq!(app.seen().servers.len(), 1);
    assert_eq!(app.seen().saved_inputs[&server].len(), offered);
}
