//! Signing in to a server of the official Python SDK, through its login form: `tests/peers/auth_server.py`.

use sonde_client::{
    auth::{AuthState, SignInPrompt},
    sessions::SessionPhase,
};
use sonde_tests::{
    auth_server::{AuthServer, PASSWORD, USER},
    browser::{Answer, Browser},
    guarded::{Guarded, Program},
};

const SIGNS_IN: Answer<'static> = Answer::SignIn(USER, PASSWORD);

/// Starts the server, and a user who begins to connect to it.
async fn begin() -> (AuthServer, Guarded) {
    let peer = AuthServer::start(3600, "canary-python-sdk-").await.unwrap();
    let app = Program::start();
    let server = app.add_at(peer.url()).await;
    server.begin();
    (peer, server)
}

/// Opens the prompt and signs in as the user. Returns the prompt.
async fn sign_in(server: &Guarded) -> SignInPrompt {
    let (prompt, opened) = server.open().await;
    let page = Browser::new().unwrap().sign_in(&opened, SIGNS_IN).await;
    assert_eq!(page.unwrap().status, 200);
    prompt
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_token_is_refreshed_extended_and_replaced() {
    let (peer, server) = begin().await;
    let count = async |name: &str| peer.count(name).await.unwrap();
    sign_in(&server).await;
    assert_eq!(server.tools().await.keys.len(), 3);
    assert!(server.said("whoami", "{}").await.contains(USER));

    // Twice: the second time with the refresh token that came in place of the first.
    for refreshes in [1, 2] {
        peer.expire().await.unwrap();
        assert!(server.said("whoami", "{}").await.contains(USER));
        assert_eq!(count("refreshes").await, refreshes);
    }
    assert_eq!(
        (count("logins").await, count("token_refusals").await),
        (1, 0)
    );

    // A tool that needs a further scope.
    let note = r#"{"text":"the lamp is lit"}"#;
    let call = server.start_tool("write_note", note).await;
    let prompt = sign_in(&server).await;
    assert_eq!(prompt.scopes, ["read", "write"]);
    assert_eq!(prompt.new_scopes, ["write"]);
    assert_eq!(server.text(call).await, "noted: the lamp is lit");
    assert_eq!(count("insufficient_scope").await, 1);

    // Nothing that Sonde has is good for anything any more.
    peer.forget().await.unwrap();
    let call = server.start_tool("whoami", "{}").await;
    sign_in(&server).await;
    assert!(server.text(call).await.contains(USER));
    assert_eq!(
        (count("logins").await, count("registrations").await),
        (3, 1)
    );
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_wrong_password_is_between_the_user_and_the_form() {
    let (peer, server) = begin().await;
    let browser = Browser::new().unwrap();
    let (_, opened) = server.open().await;
    let wrong = browser.sign_in(&opened, Answer::SignIn(USER, "wrong"));
    let wrong = wrong.await.unwrap();
    assert_eq!(wrong.status, 401);
    assert!(wrong.url.starts_with(peer.issuer()), "{wrong:?}");
    // The form has not sent the browser back.
    server.auth(AuthState::Browser).await;
    let (_, rest) = wrong.body.split_once("name=form value=").unwrap();
    let (form, _) = rest.split_once('>').unwrap();
    let fields = [
        ("form", form),
        ("username", USER),
        ("password", PASSWORD),
        ("answer", "allow"),
    ];
    let again = browser.post(&wrong.url, &fields).await.unwrap();
    assert_eq!(again.status, 200, "{again:?}");
    server.tools().await;
    assert_eq!(peer.count("wrong_passwords").await.unwrap(), 1);
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_refusal_is_told_and_can_be_overcome() {
    let (peer, server) = begin().await;
    let (_, opened) = server.open().await;
    let browser = Browser::new().unwrap();
    let page = browser.sign_in(&opened, Answer::Refuse).await;
    assert!(page.unwrap().url.starts_with("http://127.0.0.1:"));
    assert_eq!(server.problem().await.code, "access_denied");
    assert_eq!(peer.count("token_requests").await.unwrap(), 0);

    server.phase(SessionPhase::Failed).await;
    server.begin();
    sign_in(&server).await;
    server.tools().await;
}
