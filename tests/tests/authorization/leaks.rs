//! Secrets of a whole life of credentials (sign-in, step-up, refresh, refusals, sign-out) appear nowhere.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Once},
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, entry, granted, options},
    auth_peer::{AuthPeer, CANARY, browser},
    client::typed,
    guarded::{Guarded, guarded},
};

use super::listed;

/// Everything traced or printed by a panic since its first use, in any test of this program.
static TOLD: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Ear;

impl io::Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        TOLD.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_writer(|| Ear)
            .init();
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let _ = io::Write::write_all(&mut Ear, panic.to_string().as_bytes());
            usual(panic);
        }));
    });
}

/// Result of a search for secrets: the number of places searched, and the findings.
#[derive(Default)]
struct Search {
    places: usize,
    found: Vec<String>,
}

impl Search {
    fn look(&mut self, place: &str, text: &str) {
        self.places += 1;
        if let Some(at) = text.find(CANARY) {
            let start = text[..at].char_indices().rev().take(120).last();
            let start = start.map_or(0, |(start, _)| start);
            let end = (at + 40).min(text.len());
            let shown = text.get(start..end).unwrap_or_default();
            self.found.push(format!("{place}: …{shown}…"));
        }
    }

    fn json(&mut self, place: &str, value: &impl serde::Serialize) {
        self.look(place, &serde_json::to_string(value).unwrap());
    }

    fn files(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                self.files(&path);
            } else {
                let name = path.display().to_string();
                self.look("the name of a file", &name);
                let bytes = std::fs::read(&path).unwrap();
                self.look(&name, &String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// Searches all parts of every log entry of a server.
    async fn log(&mut self, app: &App, server: &str) {
        let explorer = &app.explorer;
        let view = granted(explorer.open_log(server.to_owned(), LogFilter::default())).await;
        let rows = granted(explorer.log_rows(view.view, view.epoch, 0, 10_000)).await;
        assert!(rows.len() > 10, "a whole life was logged");
        for row in rows {
            let seq = row.seq;
            self.json("a row of the log", &row);
            let detail = explorer.log_detail(server.to_owned(), seq).await.unwrap();
            self.json("the detail of a log entry", &detail);
            if detail.curl {
                let curl = explorer.log_curl(server.to_owned(), seq).await.unwrap();
                self.look("a curl command", &curl);
            }
            let source = entry(server, seq);
            if let Ok(bytes) = explorer.read_bytes(source.clone()).await {
                self.look("the body of a log entry", &String::from_utf8_lossy(&bytes));
            }
            if let Ok(view) = explorer.open_document(source, DocumentMode::Raw, 200).await {
                let rows = granted(explorer.document_rows(view.document, 0, 1_000)).await;
                self.json("a document", &rows);
            }
        }
    }

    /// Searches the bytes of every step of signing in.
    async fn steps(&mut self, server: &Guarded) -> usize {
        let mut exchanges = 0;
        for step in server
            .status()
            .steps
            .iter()
            .filter(|step| step.has_exchange)
        {
            let exchange = server.auth_exchange(step.step).await.unwrap();
            self.json(&format!("the exchange of {}", step.code), &exchange);
            exchanges += 1;
        }
        exchanges
    }
}

/// Starts the app with these secrets; also returns every batch that crosses to its window, as JSON.
async fn watched(secrets: Arc<dyn SecretStore>) -> (App, Arc<Mutex<Vec<String>>>) {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut options = options(folder.path());
    options.secrets = secrets;
    let crossed = Arc::<Mutex<Vec<String>>>::default();
    let crossing = crossed.clone();
    let observer = move |batch: &str| crossing.lock().unwrap().push(batch.to_owned());
    (App::observed(options, folder, observer).await, crossed)
}

#[tokio::test]
async fn nothing_leaks() {
    listen();
    let peer = AuthPeer::start().await;
    peer.configure(|options| {
        options.client_secrets = true;
        options.echo = true;
        options.escape = true;
    });
    let (app, crossed) = watched(Arc::new(MemoryStore::default())).await;
    let (id, server) = listed::join(&app, &peer).await;

    // Refresh, step-up, a wrong token on purpose.
    peer.expire_all();
    server.call("read", 1).await;
    let call = server.start_call("write", 2).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    server.send_wrong_token(true).await.unwrap();
    server.call("read", 3).await;
    // A refusal that repeats the refresh token, a failure, a lost answer.
    peer.configure(|options| options.refuse_refreshes = 1);
    peer.expire_all();
    let call = server.start_call("read", 4).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    peer.configure(|options| options.drop_tokens = 1);
    peer.expire_all();
    let call = server.start_call("read", 5).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    // A redirect that is pasted, and one that is not mine.
    peer.forget_tokens();
    let call = server.start_call("read", 6).await;
    let prompt = server.prompt().await;
    let page = browser::visit(&prompt.url).await.unwrap();
    let back = page.header("Location").unwrap();
    let foreign = back.replace("state=", "state=x");
    let attempt = prompt.attempt;
    let refused = app.paste_redirect(id.clone(), attempt, foreign).await;
    let refused = refused.map_or_else(|error| format!("{error:?}"), |()| String::new());
    granted(app.paste_redirect(id.clone(), attempt, back.to_owned())).await;
    server.finished(call, |_| ()).await;
    // A token of the user's own.
    let value = format!("{CANARY}-mine");
    let auth = AuthConfig::Token {
        token: typed(value),
    };
    let (_, own) = listed::add_typed(&app, guarded(&peer.url(), auth)).await;
    own.begin();
    own.phase(SessionPhase::Failed).await;

    let mut search = Search::default();
    search.look("an error", &refused);
    assert!(search.steps(&server).await >= 10);
    search.log(&app, &id).await;
    search.json("what is stored", &app.stored_secrets().await.unwrap());
    search.json("the report", &app.app_report().await.unwrap());
    search.files(app.folder.path());

    app.sign_out(id.clone()).await.unwrap();
    app.until("the revocation", |seen| {
        let steps = &seen.auth.get(&id)?.steps;
        let step = steps.iter().find(|step| step.code == "revocation")?;
        (step.state != AuthStepState::Running).then_some(())
    })
    .await;
    search.steps(&server).await;
    search.log(&app, &id).await;
    app.shutdown().await;
    search.files(app.folder.path());
    let crossed = crossed.lock().unwrap().clone();
    assert!(
        crossed.concat().contains("revocation"),
        "the window saw the whole life"
    );
    for batch in &crossed {
        search.look("a batch for the window", batch);
    }
    let told = TOLD.lock().unwrap().clone();
    assert!(!told.is_empty());
    search.look("what was traced", &String::from_utf8_lossy(&told));
    #[cfg(target_os = "linux")]
    for file in ["cmdline", "environ"] {
        let bytes = std::fs::read(format!("/proc/self/{file}")).unwrap();
        search.look(file, &String::from_utf8_lossy(&bytes));
    }
    assert!(search.places > 100, "{}", search.places);
    assert!(search.found.is_empty(), "{:#?}", search.found);
}

/// A keyring that breaks in the middle of its use.
struct Fragile;

impl sonde_auth::SecretStore for Fragile {
    fn get(&self, _: &str, _: &str) -> Result<Option<sonde_auth::Secret>, sonde_auth::SecretError> {
        Ok(None)
    }
    fn set(
        &self,
        _: &str,
        _: &str,
        secret: &sonde_auth::Secret,
    ) -> Result<(), sonde_auth::SecretError> {
        panic!("the keyring broke at {secret:?}")
    }
    fn remove(&self, _: &str, _: &str) -> Result<(), sonde_auth::SecretError> {
        panic!("the keyring broke")
    }
    fn describe(&self) -> String {
        "Secrets are stored in a keyring that breaks.".to_owned()
    }
}

#[tokio::test]
async fn a_panic_tells_no_secret() {
    listen();
    let peer = AuthPeer::start().await;
    let (app, crossed) = watched(Arc::new(Fragile)).await;
    let (_, server) = listed::join(&app, &peer).await;
    peer.expire_all();
    server.call("read", 1).await;
    let mut search = Search::default();
    let told = String::from_utf8_lossy(&TOLD.lock().unwrap()).into_owned();
    assert!(told.contains("the keyring broke at"));
    search.look("a panic", &told);
    for batch in &*crossed.lock().unwrap() {
        search.look("a batch for the window", batch);
    }
    assert!(search.found.is_empty(), "{:#?}", search.found);
}
