//! Saved data: access by others, and failure to write it.

use std::{fs, path::Path, sync::Arc};

use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted},
    client::http,
};

const METHOD: &str = "tools/call";

/// Changes every saved file.
async fn change(app: &App, text: &str) {
    let server = app.add(text, http("http://a/")).await;
    save_draft(app, &server, text).await;
    select(app, &server).await;
}

async fn save_draft(app: &App, server: &str, text: &str) {
    let (method, text) = (METHOD.to_owned(), Some(text.to_owned()));
    granted(app.save_draft(server.to_owned(), method, "tool".to_owned(), text, false)).await;
}

async fn select(app: &App, server: &str) {
    let settings = Settings {
        selected_server: Some(server.to_owned()),
        ..Settings::default()
    };
    app.update_settings(settings).await.unwrap();
}

async fn notice(app: &App, code: &str) -> Notice {
    app.until(code, |seen| {
        seen.notices.values().find(|one| one.code == code).cloned()
    })
    .await
}

async fn no_notice(app: &App, code: &str) {
    app.holds(&format!("no {code}"), |seen| {
        seen.notices.values().all(|one| one.code != code)
    })
    .await;
}

fn file(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_saved_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let lock = folder.path().join("instance.lock");
    fs::write(&lock, "").unwrap();
    for (path, mode) in [(folder.path(), 0o755), (&lock, 0o644)] {
        set_mode(path, mode);
    }
    let app = App::with_data(&folder).await;
    change(&app, "x").await;
    app.shutdown().await;
    assert!(app.seen().notices.is_empty());

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.path()), 0o700);
    let entries = fs::read_dir(folder.path()).unwrap();
    let files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 4, "{files:?}");
    for path in files {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }

    // A folder that is there for all is not taken from them.
    set_mode(folder.path(), 0o1777);
    let app = App::with_data(&folder).await;
    let told = notice(&app, "data_folder_not_private").await;
    assert!(told.title.starts_with("Other users of this computer may"));
    let detail = told.detail.unwrap();
    assert!(detail.contains(&*folder.path().to_string_lossy()));
    assert!(detail.ends_with("it is a folder for all users"), "{detail}");
    assert_eq!(mode(folder.path()), 0o777);
}

/// Not even root can write a file in the place of a folder.
#[tokio::test]
async fn what_cannot_be_saved_is_told_kept_and_saved_later() {
    const FILES: [&str; 3] = ["servers", "drafts", "settings"];
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = App::with_data(&folder).await;
    let path = |name: &str| folder.path().join(format!("{name}.json"));
    for name in FILES {
        let _ = fs::remove_file(path(name));
        fs::create_dir(path(name)).unwrap();
    }
    change(&app, "typed").await;
    for name in FILES {
        let told = notice(&app, &format!("{name}_not_saved")).await;
        assert_eq!(told.level, NoticeLevel::Error);
        assert!(
            told.title
                .contains("could not be saved. Sonde keeps trying")
        );
        let detail = told.detail.unwrap();
        let place = format!("{}: ", path(name).display());
        assert!(detail.len() > place.len() && detail.starts_with(&place));
    }
    // Once there is a place for them, nobody needs to change anything.
    for name in FILES {
        fs::remove_dir(path(name)).unwrap();
    }
    for name in FILES {
        no_notice(&app, &format!("{name}_not_saved")).await;
    }
    assert!(file(&folder, "servers.json").contains("typed"));
    assert!(file(&folder, "drafts.json").contains("typed"));
    assert!(file(&folder, "settings.json").contains("selected_server"));
}

#[tokio::test]
async fn a_second_instance_overwrites_nothing() {
    const FILES: [&str; 3] = ["servers.json", "drafts.json", "settings.json"];
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let first = App::with_data(&folder).await;
    let server = first.add("Mine", http("http://a/")).await;
    let second = App::with_data(&folder).await;
    notice(&second, "second_instance").await;
    assert!(second.seen().servers.contains_key(&server), "it reads them");
    save_draft(&first, &server, "mine").await;
    select(&first, &server).await;
    first.shutdown().await;
    let saved = FILES.map(|name| file(&folder, name));

    change(&second, "other").await;
    save_draft(&second, &server, "other").await;
    second.shutdown().await;
    assert_eq!(FILES.map(|name| file(&folder, name)), saved);
    // The next instance writes again.
    let third = App::with_data(&folder).await;
    third.add("Kept", http("http://c/")).await;
    let list = file(&folder, "servers.json");
    let named = ["Kept", "Mine", "other"].map(|name| list.contains(&format!("\"{name}\"")));
    assert_eq!(named, [true, true, false], "{list}");
}

#[tokio::test]
async fn files_of_a_newer_version_are_left_and_that_is_told() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    const NEWER: &str = r#"{"version": 1000}"#;
    const FILES: [&str; 5] = [
        "servers",
        "settings",
        "drafts",
        "saved_inputs",
        "presentations",
    ];
    for name in FILES {
        fs::write(folder.path().join(format!("{name}.json")), NEWER).unwrap();
    }
    let app = App::with_data(&folder).await;
    for name in FILES {
        let told = notice(&app, &format!("{name}_file_newer")).await;
        assert!(told.title.ends_with("so changes will not be saved."));
    }
    change(&app, "x").await;
    app.shutdown().await;
    for name in FILES {
        assert_eq!(file(&folder, &format!("{name}.json")), NEWER);
    }
}

/// The presentation of the demo server is for those who have none yet.
#[tokio::test]
async fn a_damaged_file_of_presentations_gets_none_of_the_demo_server() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    fs::write(folder.path().join("presentations.json"), "{").unwrap();
    let app = App::with_data(&folder).await;
    notice(&app, "presentations_file_damaged").await;
    assert!(app.seen().presentations.is_empty());
    app.shutdown().await;
}
