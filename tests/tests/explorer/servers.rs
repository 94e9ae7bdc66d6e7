//! The server list: saved data, secrets, and confirmations.

use std::sync::Arc;

use sonde_auth::{MemoryStore, SecretStore as _, doubles::LockableKeyring, doubles::NoKeyring};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, State, denied, draft, entry, granted},
    client::{http, scripted, stdio, typed, welcome},
    http_peer::{HttpPeer, Reply},
    stdio_peer::Step,
};

fn secret(value: Option<&str>) -> ConfigValue<SecretInput> {
    ConfigValue::Secret(match value {
        Some(value) => typed(value.to_owned()),
        None => SecretInput::Keep,
    })
}

fn with_header(value: ConfigValue<SecretInput>) -> ServerDraft {
    let mut transport = http("https://example.com/mcp");
    if let Transport::Http { headers, .. } = &mut transport {
        headers.push(named("Authorization", value));
    }
    draft("Remote", transport)
}

fn named(name: &str, value: ConfigValue<SecretInput>) -> NamedValue<SecretInput> {
    let name = name.to_owned();
    NamedValue { name, value }
}

/// Returns true if one of the first entries of a server's log contains this text.
async fn logged(app: &App, server: &str, text: &str) -> bool {
    let mut entries = app.log(server, LogFilter::default()).await.into_iter();
    let mut found = false;
    while let Some(row) = entries.next().filter(|_| !found) {
        let entry = entry(server, row.seq);
        let body = app.read_bytes(entry).await.unwrap_or_default();
        let detail = app.log_detail(server.to_owned(), row.seq).await.unwrap();
        found =
            String::from_utf8_lossy(&body).contains(text) || format!("{detail:?}").contains(text);
    }
    found
}

#[tokio::test]
async fn the_list_comes_back_and_secrets_stay_out_of_it() {
    let store = Arc::new(MemoryStore::default());
    let app = App::keeping(store.clone()).await;
    let file = app.folder.path().join("servers.json");
    let demo = app.first().await;
    let remote = app
        .add_draft(with_header(secret(Some("Bearer hush"))))
        .await;
    let copy = app.duplicate_server(remote.clone()).await.unwrap();
    let local = app.add("Local", stdio("server", &["a b"])).await;
    app.move_server(local.clone(), None, 0).await.unwrap();
    let settings = Settings {
        theme: Theme::Dark,
        zoom: 150,
        selected_server: Some(local.clone()),
        ..Settings::default()
    };
    app.update_settings(settings.clone()).await.unwrap();
    let call = "tools/call".to_owned();
    let typed = Some("{\"x\":1".to_owned());
    let saved = app.save_draft(
        local.clone(),
        call.clone(),
        "tool".into(),
        typed.clone(),
        false,
    );
    saved.await.unwrap();
    let order = vec![local.clone(), demo.clone(), remote.clone(), copy.clone()];
    app.holds("the order", |seen| {
        seen.order == order && seen.servers.len() == 4
    })
    .await;
    assert!(!format!("{:?}", app.seen()).contains("hush"));
    let app = app.again().await;
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        !text.contains("hush") && text.contains("Authorization"),
        "{text}"
    );
    let stored = |id: &str| store.get(id, "header:Authorization").unwrap();
    assert!(stored(&copy).unwrap().expose() == "Bearer hush");

    app.holds("the order", |seen| seen.order == order).await;
    let seen = app.seen();
    assert_eq!(seen.settings, settings);
    assert_eq!(seen.servers[&copy].config.name, "Remote (copy)");
    assert_eq!(seen.servers[&local].address, "server \"a b\"");
    assert_eq!(
        granted(app.load_draft(local.clone(), call.clone(), "tool".into())).await,
        typed
    );

    // Keeping, replacing and dropping a secret.
    let update = |draft| app.update_server(remote.clone(), draft);
    update(with_header(secret(None))).await.unwrap();
    assert!(stored(&remote).is_some());
    update(with_header(secret(Some("new")))).await.unwrap();
    assert!(stored(&remote).unwrap().expose() == "new");
    update(draft("R", http("http://a/"))).await.unwrap();
    assert!(stored(&remote).is_none());
    denied(update(with_header(secret(None))), ErrorCode::InvalidInput).await;
    let error = app.add_server(with_header(secret(None))).await.unwrap_err();
    assert!(error.message.contains("`Authorization`"), "{error:?}");

    app.holds("the changed server", |seen| {
        let view = seen.servers.get(&remote);
        view.is_some_and(|view| view.config.name == "R")
    })
    .await;
    let before = app.seen();
    granted(app.save_draft(copy.clone(), call.clone(), "t".into(), typed.clone(), false)).await;
    let deletion = app.remove_server(copy.clone()).await.unwrap();
    assert!(stored(&copy).is_none() && store.is_empty());
    let is_gone = |seen: &State| !seen.servers.contains_key(&copy) && seen.order.len() == 3;
    app.holds("it is gone", is_gone).await;
    app.undo_deletion(deletion).await.unwrap();
    app.holds("it is back in its place", |seen| {
        seen.order == before.order && seen.servers == before.servers
    })
    .await;
    assert!(stored(&copy).unwrap().expose() == "Bearer hush");
    assert_eq!(
        granted(app.load_draft(copy.clone(), call, "t".into())).await,
        typed
    );
    let list = std::fs::read_to_string(&file).unwrap();
    assert!(list.contains(&copy));

    let deletion = app.remove_server(copy.clone()).await.unwrap();
    app.forget_deletion(deletion).await.unwrap();
    denied(app.undo_deletion(deletion), ErrorCode::NotFound).await;
    app.holds("it is gone", is_gone).await;
    for error in [
        app.remove_server(copy.clone()).await.unwrap_err(),
        app.explorer.connect(copy.clone(), None).await.unwrap_err(),
        app.move_server(copy.clone(), None, 0).await.unwrap_err(),
    ] {
        assert_eq!(error.code, ErrorCode::NotFound);
    }
}

#[tokio::test]
async fn an_edited_server_gets_its_former_configuration_back_with_its_secrets() {
    let keyring = Arc::new(LockableKeyring::default());
    let app = App::keeping(keyring.clone()).await;
    let server = app
        .add_draft(with_header(secret(Some("Bearer former"))))
        .await;
    let stored = || keyring.get(&server, "header:Authorization").unwrap();
    let unchanged = with_header(secret(None));
    assert_eq!(
        granted(app.update_server(server.clone(), unchanged)).await,
        None
    );

    // One that is replaced, and one that is removed with its header.
    for edited in [
        with_header(secret(Some("Bearer other"))),
        draft("Elsewhere", http("http://a/")),
    ] {
        let deletion = granted(app.update_server(server.clone(), edited))
            .await
            .unwrap();
        assert!(stored().is_none_or(|secret| secret.expose() != "Bearer former"));
        app.undo_deletion(deletion).await.unwrap();
        assert_eq!(stored().unwrap().expose(), "Bearer former");
        app.holds("the former name", |seen| {
            let view = seen.servers.get(&server);
            view.is_some_and(|view| view.config.name == "Remote")
        })
        .await;
    }
    assert!(app.seen().notices.is_empty());

    // Of a keyring that is locked nothing comes back, and the new value must not take its place.
    keyring.lock(true);
    let app = app.again().await;
    let edited = with_header(secret(Some("Bearer other")));
    let deletion = granted(app.update_server(server.clone(), edited))
        .await
        .unwrap();
    app.undo_deletion(deletion).await.unwrap();
    app.until("what is lost", |seen| {
        let mut notices = seen.notices.values();
        let lost = notices.find(|notice| notice.code == "former_secrets_lost")?;
        assert_eq!(lost.detail.as_deref(), Some("`Authorization`"));
        Some(())
    })
    .await;
    keyring.lock(false);
    app.shutdown().await;
    assert!(stored().is_none_or(|secret| secret.expose() != "Bearer other"));
}

#[tokio::test]
async fn what_another_client_asks_for_is_never_sent_as_it_stands() {
    let app = App::start().await;
    let text = r#"{"mcpServers": {"S": {"url": "http://127.0.0.1:9/mcp",
        "headers": {"Authorization": "Bearer ${input:token}"}}}}"#;
    let server = granted(app.import_servers(text.to_owned(), vec![0.into()]))
        .await
        .remove(0);
    let missing = |seen: &State| Some(seen.servers.get(&server)?.missing_inputs.clone());
    let named = app.until("the server", missing).await;
    assert_eq!(named, ["${input:token}"]);
    for refused in [
        app.explorer.connect(server.clone(), None).await,
        app.restart(server.clone()).await,
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.code, ErrorCode::InputsMissing);
        assert!(error.message.contains("${input:token}"), "{error:?}");
    }
    assert!(app.seen().sessions[&server].phase == SessionPhase::Idle);
    let filled = with_header(secret(Some("Bearer hush")));
    app.update_server(server.clone(), filled).await.unwrap();
    app.until("nothing is missing", |seen| {
        missing(seen).filter(Vec::is_empty)
    })
    .await;
}

#[tokio::test]
async fn a_damaged_list_is_told_and_kept() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("servers.json"), "{ half").unwrap();
    std::fs::write(folder.path().join("settings.json"), "[").unwrap();
    let app = App::with_data(&folder).await;
    for code in ["servers_file_damaged", "settings_file_damaged"] {
        let notice = app
            .until("the notice", |seen| {
                seen.notices.values().find(|one| one.code == code).cloned()
            })
            .await;
        app.dismiss_notice(notice.id).await.unwrap();
    }
    app.holds("they are gone", |seen| seen.notices.is_empty())
        .await;
    for (aside, text) in [
        ("servers.damaged-1.json", "{ half"),
        ("settings.damaged-1.json", "["),
    ] {
        let aside = folder.path().join(aside);
        assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
    }
    app.shutdown().await;
    let text = std::fs::read_to_string(folder.path().join("servers.json")).unwrap();
    assert!(text.contains("\"demo\""), "a new list was begun: {text}");
}

#[tokio::test]
async fn a_list_that_cannot_be_saved_is_told_and_still_works() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    // A folder in the way of the file: it can be neither read nor replaced.
    std::fs::create_dir(folder.path().join("servers.json")).unwrap();
    let app = App::with_data(&folder).await;
    let notice = app
        .until("the notice", |seen| seen.notices.values().next().cloned())
        .await;
    assert_eq!(notice.code, "servers_file_unreadable");
    app.add("New", http("http://a/")).await;
    app.holds("both servers", |seen| seen.servers.len() == 2)
        .await;
    app.shutdown().await;
    assert!(folder.path().join("servers.json").is_dir());
}

#[tokio::test]
async fn a_keyring_that_refuses_is_told_and_asked_again() {
    let store = Arc::new(LockableKeyring::default());
    store.lock(true);
    let app = App::keeping(store.clone()).await;
    let server = app.add_draft(with_header(secret(Some("hush-hush")))).await;
    app.until("the notice", |seen| {
        let mut notices = seen.notices.values();
        let notice = notices.find(|one| one.code == "secrets_not_saved")?;
        let unsaved = &seen.servers.get(&server)?.unsaved_secrets;
        (notice.server.as_ref() == Some(&server) && unsaved == &["header:Authorization"])
            .then_some(())
    })
    .await;
    assert!(store.contents().is_empty());

    store.lock(false);
    app.add("Another", http("http://a/")).await;
    app.holds("all is saved", |seen| {
        let unsaved = |view: &ServerView| !view.unsaved_secrets.is_empty();
        seen.notices.is_empty() && !seen.servers.values().any(unsaved)
    })
    .await;
    assert!(!store.contents().is_empty());
    assert!(!format!("{:?}", app.seen()).contains("hush"));

    // Locked again: what is stored cannot be read, and the failure says so.
    store.lock(true);
    app.explorer.connect(server.clone(), None).await.unwrap();
    let session = app.phase(&server, SessionPhase::Failed).await;
    assert_eq!(session.failure.unwrap().code, "secret_missing");

    let app = App::keeping(Arc::new(NoKeyring)).await;
    let server = app.add("Plain", scripted([Step::Exit { code: 1 }])).await;
    app.fails(&server).await;
}

#[tokio::test]
async fn secrets_reach_the_process_and_nothing_else() {
    let app = App::start().await;
    let mut transport = scripted([
        Step::EmitEnvironment,
        Step::stderr("token is hush-hush-hush\n"),
        Step::Exit { code: 1 },
    ]);
    if let Transport::Stdio { env, .. } = &mut transport {
        env.push(named("SECRET_ONE", secret(Some("hush-hush-hush"))));
        env.push(named("PLAIN_ONE", ConfigValue::Plain("seen".into())));
    }
    let server = app.add("Env", transport).await;
    let mut session = app.fails(&server).await;
    // The script that the process plays is an argument of its command.
    session.address.clear();
    let shown = format!("{session:?}");
    assert!(!shown.contains("hush"), "{shown}");
    assert!(logged(&app, &server, r#""PLAIN_ONE":"seen""#).await);
    assert!(logged(&app, &server, "SECRET_ONE").await);
    assert!(!logged(&app, &server, "hush").await);
    assert_eq!(session.stderr_lines, 1);
    let lines = app.stderr_lines(server.clone(), 0, 10).await.unwrap();
    assert!(
        lines[0].starts_with("token is ") && !lines[0].contains("hush"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn a_server_that_quotes_a_token_gives_nothing_away() {
    let peer = HttpPeer::start(|_| {
        Reply::status(401)
            .header("Content-Type", "application/json")
            .body(r#"{"error":"no such token: hush-hush-hush"}"#)
    })
    .await;
    let app = App::start().await;
    let mut remote = with_header(secret(Some("hush-hush-hush")));
    if let Transport::Http { url, .. } = &mut remote.transport {
        *url = peer.url();
    }
    let server = app.add_draft(remote).await;
    let session = app.fails(&server).await;
    let detail = session.failure.as_ref().unwrap().detail.as_deref();
    assert!(detail.unwrap().contains("no such token: ‹secret "));
    assert!(!format!("{:?}", app.seen()).contains("hush"));
    assert!(!logged(&app, &server, "hush").await);
}

#[tokio::test]
async fn a_command_runs_only_after_it_was_seen() {
    let app = App::start().await;
    let server = app.add("Local", scripted([Step::Exit { code: 4 }])).await;
    let connect = async |app: &App, fingerprint: Option<&str>| {
        let fingerprint = fingerprint.map(str::to_owned);
        app.explorer.connect(server.clone(), fingerprint).await
    };
    let update = async |app: &App, code| {
        let draft = draft("Renamed", scripted([Step::Exit { code }]));
        app.update_server(server.clone(), draft).await
    };
    let refused = |begun: Result<(), IpcError>| {
        assert_eq!(begun.unwrap_err().code, ErrorCode::CommandNotConfirmed);
    };
    refused(connect(&app, None).await);
    refused(connect(&app, Some("guess")).await);
    refused(app.restart(server.clone()).await);
    let preview = app.preview_command(server.clone()).await.unwrap();
    assert!(preview.program.is_some());
    connect(&app, Some(&preview.fingerprint)).await.unwrap();
    app.phase(&server, SessionPhase::Failed).await;
    app.holds("confirmed", |seen| {
        let view = seen.servers.get(&server);
        view.is_some_and(|view| view.confirmed)
    })
    .await;
    let app = app.again().await;
    connect(&app, None).await.unwrap();
    app.phase(&server, SessionPhase::Failed).await;
    // A new name needs no new look; another command does.
    update(&app, 4).await.unwrap();
    connect(&app, None).await.unwrap();
    app.phase_of(&server, 2, SessionPhase::Failed).await;
    update(&app, 5).await.unwrap();
    refused(connect(&app, None).await);
    refused(connect(&app, Some(&preview.fingerprint)).await);
    app.end(&server).await;
}

#[tokio::test]
async fn a_changed_command_that_is_accepted_takes_the_place_of_the_one_that_runs() {
    let app = App::start().await;
    let serve = |name: &str| {
        scripted([
            Step::Expect,
            Step::emit(welcome("{}").replace("scripted", name)),
            Step::Hang,
        ])
    };
    let server = app.add("Shop", serve("older")).await;
    let before = app.opens(&server).await.generation;
    let update = draft("Shop", serve("newer"));
    app.update_server(server.clone(), update).await.unwrap();
    let preview = app.preview_command(server.clone()).await.unwrap();
    let confirmed = app
        .explorer
        .connect(server.clone(), Some(preview.fingerprint));
    confirmed.await.unwrap();
    app.holds("the newer command", |seen| {
        let session = &seen.sessions[&server];
        session.generation > before && session.phase == SessionPhase::Ready
    })
    .await;
}

#[tokio::test]
async fn the_preview_shows_what_will_run_and_hides_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start().await;
    let cwd = folder.path().display().to_string();
    let transport = |command: &str, args: &[&str], name: &str, value, cwd| TransportDraft::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![named(name, value)],
        cwd,
    };
    let preview = async |app: &App, transport| {
        let server = app.add("Local", transport).await;
        app.preview_command(server).await
    };
    let token = secret(Some("hush-hush"));
    let shown = transport("sh", &["x y"], "TOKEN", token, Some(cwd.clone()));
    let shown = preview(&app, shown).await.unwrap();
    assert!(!serde_json::to_string(&shown).unwrap().contains("hush"));
    assert!(shown.program.unwrap().ends_with("/sh"));
    assert_eq!(shown.argv, ["sh", "x y"]);
    assert_eq!(shown.cwd, cwd);
    assert!(!shown.path.is_empty());
    assert!(shown.warnings.is_empty());

    let nowhere = ConfigValue::Plain("/nowhere".to_owned());
    let missing = transport("no-such-program", &[], "PATH", nowhere, None);
    let shown = preview(&app, missing).await.unwrap();
    assert_eq!(shown.program, None);
    assert_eq!(shown.path, "/nowhere");
    assert!(shown.path_source.contains("own environment"));
    assert!(shown.warnings[0].contains("was not found"), "{shown:?}");
    let demo = Transport::Demo { http: false };
    denied(preview(&app, demo), ErrorCode::InvalidInput).await;
}

#[tokio::test]
async fn import_shows_no_secret_and_stores_it() {
    let store = Arc::new(MemoryStore::default());
    let app = App::keeping(store.clone()).await;
    let text = r#"{
        // from another client
        "mcpServers": {
            "gh": {"command": "docker", "args": ["run", "x"], "env": {"GITHUB_TOKEN": "ghp_hush"}},
            "bad": {},
            "web": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer hush"}},
        }
    }"#;
    let preview = app.preview_import(text.to_owned()).await.unwrap();
    assert!(!serde_json::to_string(&preview).unwrap().contains("hush"));
    assert_eq!((preview.candidates.len(), preview.problems.len()), (2, 1));
    let mut candidates = preview.candidates.iter();
    assert!(candidates.all(|one| one.duplicate_of.is_none()));
    let import = |chosen: [u32; 2]| {
        let chosen = chosen.map(Chosen::from).to_vec();
        app.import_servers(text.to_owned(), chosen)
    };
    denied(import([1, 9]), ErrorCode::InvalidInput).await;
    let added = import([1, 0]).await.unwrap();
    for (server, name, value) in [
        (&added[0], "header:Authorization", "Bearer hush"),
        (&added[1], "env:GITHUB_TOKEN", "ghp_hush"),
    ] {
        let stored = store.get(server, name).unwrap();
        assert!(stored.unwrap().expose() == value, "{name}");
    }
    let preview = app.preview_import(text.to_owned()).await.unwrap();
    assert_eq!(preview.candidates[0].duplicate_of.as_ref(), Some(&added[1]));
    app.shutdown().await;
    let text = app.file("servers.json");
    assert!(!text.contains("hush"), "{text}");
}

#[tokio::test]
async fn groups_survive_a_restart_and_come_back_with_their_servers() {
    let app = App::start().await;
    let demo = app.first().await;
    let one = app.add("One", stdio("server", &[])).await;
    let two = app.add("Two", stdio("server", &[])).await;
    let group = granted(app.add_server_group(" Work ".into(), vec![two.clone()])).await;
    granted(app.update_server_group(group.clone(), None, Some(true))).await;
    granted(app.move_server(demo.clone(), Some(group.clone()), 0)).await;
    let there = ServerGroupView {
        group: ServerGroup {
            id: group.clone(),
            name: "Work".to_owned(),
            collapsed: true,
        },
        servers: vec![demo.clone(), two.clone()],
    };
    let order = [one.clone(), demo, two];
    let is_there =
        |seen: &State| seen.groups == std::slice::from_ref(&there) && seen.order == order;
    app.holds("the group", is_there).await;
    let refused = app.add_server_group("  ".into(), Vec::new());
    denied(refused, ErrorCode::InvalidInput).await;
    let refused = app.move_server(one, Some("gone".to_owned()), 0);
    denied(refused, ErrorCode::NotFound).await;
    denied(app.remove_server_group("gone".into()), ErrorCode::NotFound).await;
    let app = app.again().await;
    app.holds("the group of before", is_there).await;
    let deletion = app.remove_server_group(group).await.unwrap();
    app.holds("no group, and all servers", |seen| {
        seen.groups.is_empty() && seen.order.len() == 3
    })
    .await;
    app.undo_deletion(deletion).await.unwrap();
    app.holds("the group again", is_there).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_removed_server_is_freed_once_it_cannot_come_back() {
    let app = App::start().await;
    let server = app.join("Demo", Transport::Demo { http: false }).await;
    app.run_tool(&server, "say_hello", r#"{"name":"Ada"}"#)
        .await;
    let connection = app.connection(&server);
    let log = Arc::downgrade(connection.log());
    assert!(!app.log(&server, LogFilter::default()).await.is_empty());
    let deletion = app.remove_server(server).await.unwrap();
    app.forget_deletion(deletion).await.unwrap();
    connection.wait_for_tasks().await;
    drop(connection);
    assert_eq!(log.strong_count(), 0);
}
