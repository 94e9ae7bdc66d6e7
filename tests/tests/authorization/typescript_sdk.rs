//! Signing in to the guarded example of the TypeScript SDK, whose authorization server forgets everything when it ends.

use sonde_client::auth::AuthState;
use sonde_tests::{guarded::Program, http_server::HttpServer};

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
    assert_eq!(server.browse().await.1.status, 200);
    server.tools().await;
    let greet = (r#"{"name":"Ada"}"#, "Hello, Ada!");
    assert_eq!(server.said("greet", greet.0).await, greet.1);

    // Its tokens, its clients and its sessions are gone. To a token that it does not know it answers
    // 500, so that nobody can tell why but the user.
    peer.kill().await.unwrap();
    peer.revive().await.unwrap();
    server.sign_in().await.unwrap();
    let (first, page) = server.browse().await;
    assert_eq!(page.status, 400, "it knows no client");
    let again = server.register_again(first.attempt);
    again.await.unwrap();
    server
        .until("the prompt of another client", |state| {
            let prompt = state.auth.as_ref()?.prompt.as_ref()?;
            (prompt.attempt > first.attempt).then_some(())
        })
        .await;
    assert_eq!(server.browse().await.1.status, 200);
    server.auth(AuthState::SignedIn).await;
    server.end_session().await;
    server.begin();
    server.tools().await;
    assert_eq!(server.said("greet", greet.0).await, greet.1);
}
