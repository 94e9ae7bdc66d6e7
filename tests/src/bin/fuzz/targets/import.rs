//! Configurations of other clients: a candidate can be shown before it runs, has no more content than the text, and
//! keeps no value in the configuration that has to be a secret.

use std::{future::Future, sync::LazyLock};

use sonde_explorer::{
    Explorer, Options,
    servers::{ConfigValue, ImportCandidate, PresentationPreview, Transport},
};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::seen::Seen;

pub(crate) const WORDS: &[&[u8]] = &[
    b"claude mcp add --transport http -e API_TOKEN=hush-hush name -- npx -y pkg",
    b"code --add-mcp '{\"command\":\"x\"}'",
    b"sonde://add?name=a&config=",
    b"vscode:mcp/install?%7B%22url%22",
    b"[mcp_servers.a]\ncommand = \"x\"\n",
    b"extensions:\n  a:\n    type: stdio\n    cmd: x\n",
    b"\"packages\":[{\"registryType\":\"npm\",\"identifier\":\"x\"}]",
    b"\"variables\":{\"a\":{\"value\":\"{a}\"}}",
    b"--api-key sk-0000000000000000",
    b"${secret:a}",
    b"export A=b\n",
    b"{\"mcpServers\":{\"a\":{\"command\":\"npx\"}}}",
    b"\"servers\":",
    b"\"context_servers\":",
    b"\"mcp\":",
    b"\"command\":",
    b"\"args\":[",
    b"\"env\":{",
    b"\"cwd\":",
    b"\"url\":\"https://a/mcp\"",
    b"\"headers\":{",
    b"\"type\":\"sse\"",
    b"\"transport\":\"stdio\"",
    b"\"name\":",
    b"\"path\":",
    b"\"API_TOKEN\":\"sk-0000000000000000\"",
    b"\"PASSWORD\":\"hunter222\"",
    b"\"Authorization\":\"Bearer hush-hush\"",
    b"\"PATH\":\"/opt:/usr/bin\"",
    b"\"LD_PRELOAD\":",
    b"\"BASH_ENV\":\"Basic cmd\"",
    b"${HOME}",
    b"<your key>",
    b"\"~/x\"",
    b"{\"sonde\":1,\"name\":\"x\",\"servers\":{\"a\":{\"demo\":\"http\"}},\"steps\":[",
    b"{\"title\":\"x\",\"name\":\"n\",\"server\":\"a\",\"call\":\"t\",\"notes\":\"\",\"with\":{}}",
    b"\"timeout\":\"1s\"",
    b"// comment\n",
    b"/* comment */",
    b"\xef\xbb\xbf",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\u0000",
];

/// Variables that influence what runs, so a user who confirms a command has to see them.
const STEERING: [&str; 4] = ["PATH", "LD_PRELOAD", "BASH_ENV", "NODE_OPTIONS"];

/// An app that imports into memory and a folder of its own.
struct App {
    runtime: Runtime,
    explorer: Explorer,
    _folder: TempDir,
}

static APP: LazyLock<App> = LazyLock::new(|| {
    let open = || -> anyhow::Result<App> {
        let folder = tempfile::tempdir()?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(2)
            .build()?;
        let mut options = Options::new(folder.path());
        options.secrets = std::sync::Arc::new(sonde_auth::MemoryStore::default());
        Ok(App {
            explorer: runtime.block_on(Explorer::open(options)),
            runtime,
            _folder: folder,
        })
    };
    open().unwrap_or_else(|error| panic!("no app to import into: {error:#}"))
});

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let text = String::from_utf8_lossy(input).into_owned();
    APP.runtime.block_on(import(&APP.explorer, text, seen));
}

async fn import(explorer: &Explorer, text: String, seen: &mut Seen) {
    let preview = match explorer.preview_import(text.clone()).await {
        Ok(preview) => preview,
        Err(error) => {
            let sentence = error.to_string();
            assert!(sentence.len() < 1000, "{sentence}");
            return seen.note(sentence.get(..12));
        }
    };
    let entries = preview.candidates.len() + preview.problems.len();
    assert!(entries > 0 || preview.presentation.is_some());
    assert!(entries <= text.len());
    seen.note_count("candidates", preview.candidates.len());
    seen.note_count("problems", preview.problems.len());
    let remarks = preview.candidates.iter().flat_map(|one| &one.remarks);
    for sentence in remarks.chain(&preview.problems) {
        assert!(sentence.len() < 1000, "{sentence}");
    }
    for candidate in &preview.candidates {
        configured(candidate, seen);
    }
    if let Some(presentation) = &preview.presentation {
        seen.note_count("steps", presentation.steps.len());
        let id = done(explorer.import_presentation(text.clone(), Vec::new(), None))
            .await
            .id;
        let exported = done(explorer.export_presentation(id.clone())).await;
        let again = done(explorer.preview_import(exported.text)).await;
        let titles = |of: &PresentationPreview| -> Vec<String> {
            let steps = of.steps.iter();
            steps.map(|step| step.title.trim().to_owned()).collect()
        };
        let again = again.presentation.as_ref().map(titles);
        assert_eq!(again, Some(titles(presentation)));
        done(explorer.delete_presentation(id)).await;
        // The demo server exists, with its saved inputs.
        let saved = explorer.read(|state| {
            let inputs = state.saved_inputs().iter();
            inputs.map(|one| one.id.clone()).collect::<Vec<_>>()
        });
        for input in saved {
            done(explorer.delete_input(input)).await;
        }
        explorer.forget_deletions();
    }
    // Storing takes longer, so one candidate is enough.
    if let Some(candidate) = preview.candidates.first() {
        let ids = done(explorer.import_servers(text, vec![0.into()])).await;
        assert_eq!(ids.len(), 1);
        if matches!(candidate.config.transport, Transport::Stdio { .. }) {
            let shown = done(explorer.preview_command(ids[0].clone())).await;
            assert!(!shown.fingerprint.is_empty() && !shown.argv.is_empty());
            assert_eq!(shown.env.len(), variables(candidate));
            seen.note(shown.program.is_some());
            seen.note_count("warnings", shown.warnings.len());
        }
        done(explorer.remove_server(ids[0].clone())).await;
    }
}

fn variables(candidate: &ImportCandidate) -> usize {
    match &candidate.config.transport {
        Transport::Stdio { env, .. } => env.len(),
        _ => 0,
    }
}

async fn done<T, E: std::fmt::Display>(work: impl Future<Output = Result<T, E>>) -> T {
    match work.await {
        Ok(done) => done,
        Err(error) => panic!("what was found cannot be imported: {error}"),
    }
}

fn configured(candidate: &ImportCandidate, seen: &mut Seen) {
    let config = &candidate.config;
    assert!(!config.name.trim().is_empty());
    let values = match &config.transport {
        Transport::Stdio { command, env, .. } => {
            assert!(!command.is_empty());
            env
        }
        Transport::Http { url, headers, .. } => {
            assert!(url::Url::parse(url).is_ok(), "{url}");
            headers
        }
        Transport::Demo { http } => return seen.note(*http),
    };
    let is_stdio = matches!(config.transport, Transport::Stdio { .. });
    seen.note(is_stdio);
    seen.note_count("values", values.len());
    for value in values {
        seen.note(value.value == ConfigValue::SECRET);
        if is_stdio && STEERING.contains(&value.name.as_str()) {
            assert_ne!(value.value, ConfigValue::SECRET, "{} is hidden", value.name);
        }
        if let ConfigValue::Plain(text) = &value.value {
            let secret = has_telling_name(&value.name) && is_filled_in(text);
            assert!(!secret, "{} is {text} for everybody to see", value.name);
        }
    }
}

/// True for a name that surely belongs to a secret.
fn has_telling_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["api_token", "password", "authorization"].contains(&name.as_str())
}

/// True for a value that is a placeholder.
fn is_filled_in(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ' ');
    let lower = value.trim().to_ascii_lowercase();
    let lower = lower
        .trim_start_matches("bearer ")
        .trim_start_matches("basic ");
    value.len() >= 8
        && value.chars().all(plain)
        && value.chars().any(|c| c.is_ascii_alphabetic())
        && !lower.starts_with("your")
        && lower != "changeme"
}
