//! A configuration by somebody else, and the command that the user sees before it runs.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use sonde_auth::doubles::LockableKeyring;
use sonde_ipc::*;
use sonde_tests::app::{App, denied, draft, granted};
use sonde_tests::client::typed;

/// Two folders with a program `tool` that writes its own path into a file, and ends.
struct Tools {
    folder: tempfile::TempDir,
}

impl Tools {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tools = Self { folder };
        for name in ["hidden", "seen"] {
            let file = PathBuf::from(tools.tool(name));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let script = format!(
                "#!/bin/sh\necho \"$0\" >'{}'\nexit 3\n",
                tools.mark().display()
            );
            fs::write(&file, script).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        tools
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn tool(&self, name: &str) -> String {
        self.path(&format!("{name}/tool"))
    }

    fn mark(&self) -> PathBuf {
        self.folder.path().join("mark")
    }

    /// Returns the path of the tool that ran.
    fn ran(&self) -> String {
        fs::read_to_string(self.mark()).unwrap().trim().to_owned()
    }
}

fn configuration(server: Value) -> String {
    json!({ "mcpServers": { "tool": server } }).to_string()
}

async fn import(app: &App, server: Value) -> ServerId {
    let text = configuration(server);
    let added = app.import_servers(text, vec![0.into()]).await.unwrap();
    added[0].clone()
}

async fn preview(app: &App, server: &str) -> CommandPreview {
    app.preview_command(server.to_owned()).await.unwrap()
}

fn variable<'a>(preview: &'a CommandPreview, name: &str) -> &'a CommandVariable {
    let found = preview.env.iter().find(|one| one.name == name);
    found.unwrap()
}

/// Creates a server with secret variables as the form sends them.
fn with_secrets(command: &str, secrets: &[(&str, &str)]) -> ServerDraft {
    let env = secrets.iter().map(|(name, value)| NamedValue {
        name: (*name).to_owned(),
        value: ConfigValue::Secret(typed((*value).to_owned())),
    });
    let transport = Transport::Stdio {
        command: command.to_owned(),
        args: Vec::new(),
        env: env.collect(),
        cwd: None,
    };
    draft("tool", transport)
}

#[tokio::test]
async fn a_path_that_looks_like_a_key_is_shown_and_searched() {
    let tools = Tools::new();
    let path = format!(
        "sk-0000000000000:{}:{}:/bin",
        tools.path("hidden"),
        tools.path("seen")
    );
    let app = App::start().await;
    let env = json!({ "PATH": path });
    let server = import(&app, json!({ "command": "tool", "env": env })).await;
    let shown = preview(&app, &server).await;
    assert_eq!(shown.program, Some(tools.tool("hidden")));
    assert_eq!(shown.path, path);
    assert_eq!(variable(&shown, "PATH").value, Some(path));
    assert_eq!(
        shown.warnings,
        ["It sets `PATH`. It decides which program files are found and run."]
    );
    app.fails(&server).await;
    assert_eq!(tools.ran(), tools.tool("hidden"));
}

/// Only Windows treats both names as the same.
#[tokio::test]
async fn a_path_of_another_case_is_another_variable() {
    let tools = Tools::new();
    let app = App::start().await;
    for order in [["Path", "PATH"], ["PATH", "Path"]] {
        let env: serde_json::Map<_, _> = order
            .iter()
            .map(|name| {
                let folder = if *name == "PATH" { "hidden" } else { "seen" };
                let path = format!("{}:/bin", tools.path(folder));
                ((*name).to_owned(), Value::from(path))
            })
            .collect();
        let server = import(&app, json!({ "command": "tool", "env": env })).await;
        let shown = preview(&app, &server).await;
        assert_eq!(shown.program, Some(tools.tool("hidden")));
        assert_eq!(shown.env.len(), 2);
        app.fails(&server).await;
        assert_eq!(tools.ran(), tools.tool("hidden"));
    }
}

#[tokio::test]
async fn what_decides_what_runs_is_no_secret_whatever_its_value_looks_like() {
    let names = [
        "PATH",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "SHELLOPTS",
        "PS4",
        "IFS",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PYTHONPATH",
        "PERL5OPT",
        "RUBYOPT",
        "RUBYLIB",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "GIT_SSH_COMMAND",
        "DOTNET_STARTUP_HOOKS",
        "npm_config_script_shell",
    ];
    let values = [
        "Basic $(touch /tmp/x)",
        "sk-0000000000000000",
        "npm_0000000000000000",
        "0123456789abcdef0123456789abcdef",
    ];
    let app = App::start().await;
    for value in values {
        let env: serde_json::Map<_, _> = names
            .iter()
            .map(|name| ((*name).to_owned(), value.into()))
            .collect();
        let imported = json!({ "command": "/bin/sh", "env": env });
        let found = app.preview_import(configuration(imported.clone()));
        let found = found.await.unwrap().candidates.remove(0).config.transport;
        let Transport::Stdio { env: found, .. } = found else {
            unreachable!()
        };
        let server = import(&app, imported).await;
        let shown = preview(&app, &server).await;
        for name in names {
            let plain = ConfigValue::Plain(value.to_owned());
            let of_name = |one: &&NamedValue| one.name == name;
            assert_eq!(found.iter().find(of_name).unwrap().value, plain, "{name}");
            let variable = variable(&shown, name);
            assert_eq!(variable.value.as_deref(), Some(value), "{name}");
            let effect = variable.effect.as_deref().unwrap();
            let warned = |warning: &&String| {
                warning.contains(&format!("`{name}`")) && warning.ends_with(effect)
            };
            assert!(shown.warnings.iter().any(|one| warned(&one)), "{name}");
        }
    }
}

#[tokio::test]
async fn a_path_that_is_kept_as_a_secret_is_searched_and_shown_as_it_is_now() {
    let tools = Tools::new();
    let path = |name| format!("{}:/bin", tools.path(name));
    let app = App::start().await;
    let with_path = |name| with_secrets("tool", &[("PATH", &path(name))]);
    let server = app.add_draft(with_path("seen")).await;
    let shown = preview(&app, &server).await;
    assert_eq!(shown.program, Some(tools.tool("seen")));
    assert_eq!(variable(&shown, "PATH").value, Some(path("seen")));
    app.fails(&server).await;
    assert_eq!(tools.ran(), tools.tool("seen"));

    // Another one is another command.
    granted(app.update_server(server.clone(), with_path("hidden"))).await;
    let refused = app.explorer.connect(server.clone(), None);
    denied(refused, ErrorCode::CommandNotConfirmed).await;
    let shown = preview(&app, &server).await;
    assert_eq!(shown.program, Some(tools.tool("hidden")));
    app.connect(&server).await;
    app.phase_of(&server, 2, SessionPhase::Failed).await;
    assert_eq!(tools.ran(), tools.tool("hidden"));
}

#[tokio::test]
async fn nothing_is_shown_for_confirmation_as_long_as_a_secret_of_it_is_unknown() {
    let tools = Tools::new();
    let keyring = Arc::new(LockableKeyring::default());
    let app = App::keeping(keyring.clone()).await;
    let path = tools.path("hidden");
    let draft = with_secrets("tool", &[("PATH", &path)]);
    let server = app.add_draft(draft).await;
    keyring.lock(true);
    let error = app.preview_command(server.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::KeyringUnavailable);
    assert_eq!(
        error.message,
        "The secret value of the variable `PATH` is not in the keyring."
    );
    keyring.lock(false);
    let shown = preview(&app, &server).await;
    assert_eq!(shown.program, Some(tools.tool("hidden")));
}

#[tokio::test]
async fn an_imported_secret_can_be_seen_until_its_command_is_confirmed() {
    let app = App::start().await;
    let env = json!({ "SETTINGS": "Basic $(touch /tmp/x)", "LEVEL": "1", "USER": "ada" });
    let server = import(&app, json!({ "command": "true", "env": env })).await;
    let reveal = async |app: &App, name: &str| {
        let revealed = app.reveal_variable(server.clone(), name.to_owned());
        revealed.await
    };
    let refused = |revealed: Result<String, IpcError>| {
        assert_eq!(revealed.unwrap_err().code, ErrorCode::InvalidInput);
    };
    let shown = preview(&app, &server).await;
    let inherits = |name: &str| shown.inherited.iter().any(|one| one == name);
    assert_eq!(inherits("HOME"), std::env::var_os("HOME").is_some());
    assert!(!inherits("USER") && !inherits("PATH"));
    assert_eq!(variable(&shown, "SETTINGS").value, None);
    assert!(shown.revealable);
    let value = reveal(&app, "SETTINGS").await.unwrap();
    assert_eq!(value, "Basic $(touch /tmp/x)");
    refused(reveal(&app, "LEVEL").await);
    refused(reveal(&app, "env:SETTINGS").await);
    refused(reveal(&app, "HOME").await);

    app.fails(&server).await;
    refused(reveal(&app, "SETTINGS").await);
    // Nor when another command has to be confirmed, or a copy of it.
    let mut draft = with_secrets("false", &[]);
    if let Transport::Stdio { env, .. } = &mut draft.transport {
        env.push(NamedValue {
            name: "SETTINGS".to_owned(),
            value: ConfigValue::Secret(SecretInput::Keep),
        });
    }
    granted(app.update_server(server.clone(), draft)).await;
    let shown = preview(&app, &server).await;
    assert!(!shown.revealable);
    refused(reveal(&app, "SETTINGS").await);
    let copy = app.duplicate_server(server.clone()).await.unwrap();
    let revealed = app.reveal_variable(copy, "SETTINGS".to_owned());
    refused(revealed.await);
}

#[tokio::test]
async fn a_secret_argument_reaches_its_process_and_nothing_else() {
    const CANARY: &str = "sk-canary7f3a9c51e2";
    let app = App::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let script = folder.path().join("server.sh");
    fs::write(
        &script,
        format!("printf '%s' \"$2\" >'{}'\nexit 3\n", mark.display()),
    )
    .unwrap();
    let args = json!([script, "--api-key", CANARY]);
    let server = import(&app, json!({ "command": "/bin/sh", "args": args })).await;
    let shown = preview(&app, &server).await;
    assert_eq!(shown.argv[3], CANARY);
    assert_eq!(shown.secret_arguments, ["${secret:api-key}"]);
    let reveal = async |app: &App| {
        let name = "${secret:api-key}".to_owned();
        app.reveal_variable(server.clone(), name).await
    };
    assert_eq!(reveal(&app).await.unwrap(), CANARY);

    // What the form saves unchanged keeps it.
    let draft = app.seen().servers[&server].config.clone();
    granted(app.update_server(server.clone(), draft.into())).await;
    app.fails(&server).await;
    assert_eq!(fs::read_to_string(&mark).unwrap(), CANARY);
    assert_eq!(preview(&app, &server).await.argv[3], "${secret:api-key}");
    denied(reveal(&app), ErrorCode::InvalidInput).await;
    let rows = format!("{:?}", app.log(&server, LogFilter::default()).await);
    assert!(rows.contains("${secret:api-key}"), "{rows}");
    let seen = format!("{rows} {:?}", app.seen());
    assert!(!seen.contains("canary7f3a9c51e2"), "{seen}");
    let folder = app.folder.clone();
    app.shutdown().await;
    let saved = fs::read_to_string(folder.path().join("servers.json")).unwrap();
    assert!(!saved.contains("canary7f3a9c51e2"), "{saved}");
}

/// Only Sonde decides where a secret is filled in, and none without a value is.
#[tokio::test]
async fn a_place_for_a_secret_is_neither_imported_nor_saved_without_one() {
    let app = App::start().await;
    let foreign = configuration(json!({ "command": "x", "args": ["${secret:api-key}"] }));
    let found = app.preview_import(foreign).await.unwrap();
    assert_eq!((found.candidates.len(), found.problems.len()), (0, 1));
    let transport = Transport::Stdio {
        command: "x".to_owned(),
        args: vec!["--key=${secret:key}".to_owned()],
        env: Vec::new(),
        cwd: None,
    };
    let error = app.add_server(draft("tool", transport)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert_eq!(error.message, "Enter the value of the secret `key`.");
}

/// The displayed program is the one that runs, even if only the folder makes the difference.
#[tokio::test]
async fn a_relative_command_is_shown_where_it_runs() {
    let tools = Tools::new();
    let app = App::start().await;
    let server = import(
        &app,
        json!({ "command": "./tool", "cwd": tools.path("hidden"), "env": { "PATH": tools.path("seen") } }),
    )
    .await;
    let shown = preview(&app, &server).await;
    let program = shown.program.unwrap();
    assert_eq!(
        Path::new(&program).canonicalize().unwrap(),
        Path::new(&tools.tool("hidden")).canonicalize().unwrap()
    );
    app.fails(&server).await;
    assert_eq!(tools.ran(), program);
}
