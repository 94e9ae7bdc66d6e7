//! Signing in to the guarded example of the TypeScript SDK, whose authorization server forgets everything when it ends.

use sonde_client::auth::{AuthState, SignInPrompt};
use sonde_tests::{
    browser::Browser,
    guarded::{Guarded, Program},
    http_server::HttpServer,
};

/// Opens the prompt, and follows the browser's redirects. Returns the prompt and the status of the last page.
async fn browse(server: &Guarded) -> (SignInPrompt, u16) {
    let (prompt, opened) = server.open().await;
    let page = Browser::new().unwrap().get(&opened).await.unwrap();
    (prompt, page.status)
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_client_that_the_server_forgot_is_registered_again() {
    let mut peer = HttpServer::guarded().await.unwrap();
    let app = Program::start();
    // By that name it knows itself.
    let server = app
        .add_at(&peer.url().replace("127.0.0.1", "localhost"))
        .await;
    server.begin();
    assert_eq!(browse(&server).await.1, 200);
    server.tools().await;
    let greet = (r#"{"name":"Ada"}"#, "Hello, Ada!");
    assert_eq!(server.said("greet", greet.0).await, greet.1);

    // Its tokens, its clients and its sessions are gone. To a token that it does not know it answers
    // 500, so that nobody can tell why but the user.
    peer.kill().await.unwrap();
    peer.revive().await.unwrap();
    server.sign_in().await.unwrap();
    let (first, status) = browse(&server).await;
    assert_eq!(status, 400, "it knows no client");
    let again = server.register_again(first.attempt);
    again.await.unwrap();
    server
        .until("the prompt of another client", |state| {
            let prompt = state.auth.as_ref()?.prompt.as_ref()?;
            (prompt.attempt > first.attempt).then_some(())
        })
        .await;
    assert_eq!(browse(&server).await.1, 200);
    server.auth(AuthState::SignedIn).await;
    server.end_session().await;
    server.begin();
    server.tools().await;
    assert_eq!(server.said("greet", greet.0).await, greet.1);
}
