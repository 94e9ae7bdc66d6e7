//! Import of servers from other clients and from links, and export to other clients.

use std::{fs, path::Path, sync::Arc};

use sonde_ipc::*;
use sonde_tests::app::{App, denied, granted, options};

async fn start(home: &Path) -> App {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut options = options(folder.path());
    options.client_home = Some(home.to_owned());
    App::open(options, folder).await
}

fn write(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn servers_of_other_clients_are_found_and_added_as_they_were_seen() {
    let home = tempfile::tempdir().unwrap();
    let claude = r#"{"mcpServers": {"notes": {"command": "touch", "args": ["ran"], "env": {"NOTES_TOKEN": "hush"}}}}"#;
    let codex = "[mcp_servers.web]\nurl = \"https://a.example/mcp\"\n";
    write(
        home.path(),
        ".config/Claude/claude_desktop_config.json",
        claude,
    );
    write(home.path(), ".codex/config.toml", codex);
    write(home.path(), ".gemini/settings.json", "{ broken");
    std::os::unix::fs::symlink(
        home.path().join(".codex/config.toml"),
        home.path().join(".cursor"),
    )
    .unwrap();
    fs::create_dir_all(home.path().join(".codeium/windsurf/mcp_config.json")).unwrap();
    let app = start(home.path()).await;
    let found = app.installed_configurations().await.unwrap();
    assert!(!serde_json::to_string(&found).unwrap().contains("hush"));
    let said: Vec<_> = found
        .iter()
        .map(|one| {
            let servers = one.preview.as_ref().map(|preview| preview.candidates.len());
            (one.client.as_str(), servers)
        })
        .collect();
    assert_eq!(
        said,
        [
            ("Claude Desktop", Some(1)),
            ("Windsurf", None),
            ("Codex", Some(1)),
            ("Gemini CLI", None),
        ]
    );
    let import = async |file: &InstalledConfiguration, chosen| {
        let (path, fingerprint) = (file.path.clone(), file.fingerprint.clone());
        app.import_installed(path, fingerprint, chosen).await
    };
    let added = import(&found[0], vec![0.into()]).await.unwrap();
    assert_eq!(added.len(), 1);
    assert!(!home.path().join("ran").exists());
    // What has changed since, and what is no file of a client, is not read.
    write(
        home.path(),
        ".codex/config.toml",
        "[mcp_servers.web]\ncommand = \"evil\"\n",
    );
    let mut elsewhere = found[0].clone();
    write(home.path(), "elsewhere.json", claude);
    elsewhere.path = home.path().join("elsewhere.json").display().to_string();
    for refused in [&found[2], &elsewhere] {
        denied(import(refused, vec![0.into()]), ErrorCode::InvalidInput).await;
    }
    // Nothing of it was changed.
    let path = home
        .path()
        .join(".config/Claude/claude_desktop_config.json");
    assert_eq!(fs::read_to_string(path).unwrap(), claude);
}

#[tokio::test]
async fn a_file_that_was_opened_is_read_when_it_is_looked_at() {
    let home = tempfile::tempdir().unwrap();
    let app = start(home.path()).await;
    let servers = r#"{"mcpServers":{"notes":{"command":"touch","args":["ran"]}}}"#;
    write(home.path(), "servers.json", servers);
    let file = home.path().join("servers.json");
    let address = url::Url::from_file_path(&file).unwrap().to_string();
    app.explorer.explorer().offer_import(address.clone());
    let text = app.take_offer().await.unwrap().unwrap();
    let found = app.preview_import(text).await.unwrap();
    assert_eq!(found.candidates[0].config.name, "notes");
    assert_eq!(app.take_offer().await.unwrap(), None);
    // What cannot be read says so.
    fs::remove_file(&file).unwrap();
    for address in [&address, "file://elsewhere/servers.json"] {
        app.explorer.explorer().offer_import(address.to_owned());
        let error = app.take_offer().await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{address}");
    }
}

#[tokio::test]
async fn a_link_waits_to_be_looked_at_and_does_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let app = start(home.path()).await;
    let link = "sonde://add?name=a&config=%7B%22url%22%3A%22http%3A%2F%2Fa%2F%22%7D";
    for nonsense in [
        "https://a.example/",
        "",
        &format!("sonde://{}", "x".repeat(70_000)),
    ] {
        app.explorer.explorer().offer_import(nonsense.to_owned());
    }
    assert_eq!(app.take_offer().await.unwrap(), None);
    for name in ["first", "second"] {
        let link = link.replace("name=a", &format!("name={name}"));
        app.explorer.explorer().offer_import(link);
    }
    app.holds("the offer", |seen| seen.offer).await;
    let before = app.seen().servers.len();
    let offered = app.take_offer().await.unwrap().unwrap();
    assert!(offered.contains("name=second"), "{offered}");
    app.holds("no offer", |seen| !seen.offer).await;
    assert_eq!(app.take_offer().await.unwrap(), None);
    let found = app.preview_import(offered).await.unwrap();
    assert_eq!(found.candidates[0].config.name, "second");
    assert_eq!(app.seen().servers.len(), before);
}

#[tokio::test]
async fn what_is_exported_holds_no_secret() {
    let home = tempfile::tempdir().unwrap();
    let app = start(home.path()).await;
    let text = "claude mcp add -e API_TOKEN=hush-env n -- npx -y pkg --api-key hush-arg";
    let server = granted(app.import_servers(text.to_owned(), vec![0.into()]))
        .await
        .remove(0);
    let exported = app.export_server(server.clone()).await.unwrap();
    assert_eq!(exported.len(), 11);
    for one in &exported {
        let text = one.text.as_ref().unwrap();
        assert!(!text.contains("hush"), "{text}");
        assert!(
            text.contains("API_TOKEN") && text.contains("API_KEY"),
            "{text}"
        );
    }
    let refused = app.save_export(server, "other".to_owned());
    denied(refused, ErrorCode::InvalidInput).await;
}
