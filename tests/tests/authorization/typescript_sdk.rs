//! Signing in to the guarded example of the TypeScript SDK, whose authorization server forgets everything when it ends.

use sonde_ipc::*;
use sonde_tests::{browser::Browser, http_server::HttpServer};

use super::app::App;

/// The user opens the prompt, and the browser goes as far as it gets. Answers the prompt and the status of the last page.
async fn browse(app: &mut App, server: &str) -> (SignInPrompt, u16) {
    let (prompt, opened) = app.open(server).await;
    let page = Browser::new().unwrap().get(&opened).await.unwrap();
    (prompt, page.status)
}

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_client_that_the_server_forgot_is_registered_again() {
    let mut peer = HttpServer::guarded().await.unwrap();
    let mut app = App::start().await;
    // By that name it knows itself.
    let server = app
        .add_at(&peer.url().replace("127.0.0.1", "localhost"))
        .await;
    app.connect(&server).await;
    assert_eq!(browse(&mut app, &server).await.1, 200);
    app.ready(&server).await;
    let greet = (r#"{"name":"Ada"}"#, "Hello, Ada!");
    assert_eq!(app.said(&server, "greet", greet.0).await, greet.1);

    // Its tokens, its clients and its sessions are gone. To a token that it does not know it answers
    // 500, so that nobody can tell why but the user.
    peer.kill().await.unwrap();
    peer.revive().await.unwrap();
    app.explorer.sign_in(server.clone()).await.unwrap();
    let (first, status) = browse(&mut app, &server).await;
    assert_eq!(status, 400, "it knows no client");
    let again = app.explorer.register_again(server.clone(), first.attempt);
    again.await.unwrap();
    app.until("the prompt of another client", |seen| {
        let prompt = seen.auth.get(&server)?.prompt.as_ref()?;
        (prompt.attempt > first.attempt).then_some(())
    })
    .await;
    assert_eq!(browse(&mut app, &server).await.1, 200);
    app.auth(&server, AuthState::SignedIn).await;
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    app.connect(&server).await;
    app.ready(&server).await;
    assert_eq!(app.said(&server, "greet", greet.0).await, greet.1);
}
