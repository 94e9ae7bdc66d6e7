//! Signing in without a window: whoever sits here opens each address and follows it at once.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use anyhow::{Context, Result};
use reqwest::{Client, Url, header::LOCATION, redirect};
use serde::Deserialize;
use sonde_auth::{
    AuthObserver, AuthSnapshot, CredentialStore, GrantType, HttpExchange, MemoryStore, Secret,
    SecretCache, Settings, Spec, StepState, TokenManager, Trace,
};
use sonde_explorer::clock;
use sonde_wire::http::Network;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::Task;

/// Where the suite would find this client's document, if it looked.
const DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

/// What a scenario may tell about signing in.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    client_id: Option<String>,
    client_secret: Option<String>,
    issuer: Option<String>,
    private_key_pem: Option<String>,
    signing_algorithm: Option<String>,
    idp_client_id: Option<String>,
    idp_client_secret: Option<String>,
    idp_id_token: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<String>,
}

/// A token manager and the task that plays its user.
pub(crate) struct SignIn {
    pub(crate) tokens: TokenManager,
    user: JoinHandle<()>,
    front: Arc<Front>,
}

impl SignIn {
    pub(crate) fn prepare(task: &Task) -> Result<SignIn> {
        let settings = settings(task)?;
        let (addresses, to_open) = mpsc::channel(16);
        let front = Arc::new(Front {
            addresses,
            steps: AtomicU64::new(0),
            shown: Mutex::default(),
        });
        let clock: sonde_auth::Clock = Arc::new(|| clock::now_millis() as u64);
        let secrets = Arc::new(SecretCache::new(Arc::new(MemoryStore::default())));
        let store = Arc::new(CredentialStore::new(secrets, None, Arc::clone(&clock)));
        let tokens = TokenManager::new(
            "server",
            settings,
            store,
            Arc::clone(&front) as Arc<dyn Trace>,
            Arc::clone(&front) as Arc<dyn AuthObserver>,
            clock,
        );
        let browser = Network::default()
            .client(&Url::parse(&task.url)?)?
            .redirect(redirect::Policy::none())
            .build()?;
        let user = tokio::spawn(user(tokens.clone(), browser, to_open));
        Ok(SignIn {
            tokens,
            user,
            front,
        })
    }

    /// Ends what is under way. Says what went wrong last, if anything did.
    pub(crate) async fn end(self) -> Option<String> {
        self.tokens.close().await;
        self.user.abort();
        let shown = self.front.shown.lock();
        let snapshot = shown.unwrap_or_else(PoisonError::into_inner);
        snapshot.problem.as_ref().map(ToString::to_string)
    }
}

/// What the scenario tells, typed into the form.
fn settings(task: &Task) -> Result<Settings> {
    let given: Given = match &task.context {
        Some(context) => serde_json::from_str(context).context("reading the context")?,
        None => Given::default(),
    };
    let secret = |text: &Option<String>| text.as_deref().map(Secret::new);
    let grant = match (
        task.scenario.as_str(),
        secret(&given.private_key_pem),
        secret(&given.idp_id_token),
        secret(&given.valid_jwt),
    ) {
        (_, Some(key), _, _) => GrantType::PrivateKey {
            key,
            algorithm: given.signing_algorithm,
            audience: None,
        },
        (_, _, Some(id_token), _) => GrantType::Enterprise {
            token_endpoint: given.idp_token_endpoint.context("no identity provider")?,
            client_id: given.idp_client_id.unwrap_or_default(),
            client_secret: secret(&given.idp_client_secret),
            id_token,
        },
        (_, _, _, Some(assertion)) => GrantType::Workload { assertion },
        ("auth/client-credentials-basic", ..) => GrantType::ClientSecret,
        _ => GrantType::Browser,
    };
    Ok(Settings {
        grant,
        client_secret: secret(&given.client_secret),
        client_id: given.client_id,
        issuer: given.issuer,
        metadata_url: Some(DOCUMENT.to_owned()),
        ..Settings::new(Url::parse(&task.url)?)
    })
}

/// Opens every address that is shown, and takes back where it leads.
async fn user(tokens: TokenManager, browser: Client, mut addresses: mpsc::Receiver<u64>) {
    while let Some(attempt) = addresses.recv().await {
        if let Err(error) = visit(&tokens, &browser, attempt).await {
            eprintln!("! nobody could sign in: {error:#}");
            tokens.cancel().await;
        }
    }
}

async fn visit(tokens: &TokenManager, browser: &Client, attempt: u64) -> Result<()> {
    let address = tokens.open_prompt(attempt)?;
    let answer = browser.get(&address).send().await?;
    let location = answer
        .headers()
        .get(LOCATION)
        .context("the page leads nowhere")?
        .to_str()?;
    let location = Url::parse(&address)?.join(location)?;
    tokens.paste_redirect(attempt, location.as_str())?;
    Ok(())
}

/// What the window would show.
struct Front {
    addresses: mpsc::Sender<u64>,
    steps: AtomicU64,
    shown: Mutex<AuthSnapshot>,
}

impl AuthObserver for Front {
    fn changed(&self, snapshot: AuthSnapshot) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shown.prompt.as_ref().map(|prompt| prompt.attempt);
        if let Some(prompt) = &snapshot.prompt
            && before != Some(prompt.attempt)
        {
            let _ = self.addresses.try_send(prompt.attempt);
        }
        *shown = snapshot;
    }
}

impl Trace for Front {
    fn add_secret(&self, _: &str) {}

    fn begin(&self, code: &'static str, title: &str, _: Option<Spec>) -> u64 {
        eprintln!("# {code}: {title}");
        self.steps.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn exchange(&self, step: u64, exchange: HttpExchange) {
        let status = exchange.status.unwrap_or_default();
        eprintln!("# {step}: {} {status}", exchange.method);
    }

    fn end(&self, step: u64, state: StepState, sentence: &str) {
        eprintln!("# {step}: {state:?}: {sentence}");
    }
}
