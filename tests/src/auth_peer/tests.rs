use serde_json::Value;

use super::{
    AuthPeer, Iss,
    browser::{self, Page},
};
use crate::http_peer::Gate;

const BACK: &str = "http://127.0.0.1:1/callback";
/// The verifier of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn json(page: &Page) -> Value {
    serde_json::from_str(&page.body).unwrap()
}

fn error(page: &Page) -> (u16, String) {
    let error = json(page)["error"].as_str().unwrap().to_owned();
    (page.status, error)
}

/// A client of the peer that makes every request by hand.
struct Guest {
    peer: AuthPeer,
    client: String,
}

impl Guest {
    async fn start() -> Self {
        let peer = AuthPeer::start().await;
        let asked = format!(r#"{{"redirect_uris":["{BACK}"]}}"#);
        let url = format!("{}/register", peer.issuer());
        let page = browser::send("POST", &url, &[], &asked).await.unwrap();
        let client = json(&page)["client_id"].as_str().unwrap().to_owned();
        Self { peer, client }
    }

    /// Returns the query of the address that the browser is sent to, as pairs.
    async fn authorize(&self, scope: &str) -> Vec<(String, String)> {
        let mut url = url::Url::parse(&format!("{}/authorize", self.peer.issuer())).unwrap();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client)
            .append_pair("redirect_uri", BACK)
            .append_pair("state", "mine")
            .append_pair("scope", scope)
            .append_pair("resource", &self.peer.url())
            .append_pair("code_challenge", CHALLENGE)
            .append_pair("code_challenge_method", "S256");
        let page = browser::visit(url.as_str()).await.unwrap();
        assert_eq!(page.status, 302, "{}", page.body);
        let back = url::Url::parse(page.header("Location").unwrap()).unwrap();
        back.query_pairs().into_owned().collect()
    }

    async fn post(&self, path: &str, body: &str) -> anyhow::Result<Page> {
        let url = format!("{}{path}", self.peer.issuer());
        browser::send("POST", &url, &[], body).await
    }

    async fn token(&self, form: &[(&str, &str)]) -> anyhow::Result<Page> {
        let resource = self.peer.url();
        let body = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", &self.client)
            .append_pair("resource", &resource)
            .extend_pairs(form)
            .finish();
        self.post("/token", &body).await
    }

    async fn redeem(&self, code: &str, verifier: &str) -> Page {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", verifier),
        ];
        self.token(&form).await.unwrap()
    }

    async fn refresh(&self, token: &str) -> anyhow::Result<Page> {
        self.token(&[("grant_type", "refresh_token"), ("refresh_token", token)])
            .await
    }

    /// Signs in to an access and a refresh token.
    async fn sign_in(&self, scope: &str) -> (String, String) {
        let back = self.authorize(scope).await;
        tokens(&self.redeem(&back[0].1, VERIFIER).await)
    }

    async fn call(&self, tool: &str, token: Option<&str>) -> Page {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let bearer = bearer.as_deref().map(|bearer| ("Authorization", bearer));
        let headers = Vec::from_iter(bearer);
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#
        );
        browser::send("POST", &self.peer.url(), &headers, &body)
            .await
            .unwrap()
    }
}

fn tokens(page: &Page) -> (String, String) {
    assert_eq!(page.status, 200, "{}", page.body);
    let answer = json(page);
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    (text("access_token"), text("refresh_token"))
}

#[tokio::test]
async fn a_code_is_good_once_and_for_the_right_verifier() {
    let guest = Guest::start().await;
    let back = guest.authorize("read").await;
    assert_eq!(back[1], ("state".to_owned(), "mine".to_owned()));
    assert_eq!(back[2].1, guest.peer.issuer());
    let code = &back[0].1;
    assert!(code.starts_with(super::CANARY));
    let (access, _) = tokens(&guest.redeem(code, VERIFIER).await);
    assert_eq!(guest.call("read", Some(&access)).await.status, 200);
    assert_eq!(guest.peer.served()[0].token, access);
    let refused = (400, "invalid_grant".to_owned());
    assert_eq!(error(&guest.redeem(code, VERIFIER).await), refused);

    let code = &guest.authorize("read").await[0].1;
    let wrong = guest.redeem(code, "something else").await;
    assert_eq!(error(&wrong), refused);

    guest.peer.configure(|options| options.iss = Iss::Silent);
    let back = guest.authorize("read").await;
    assert!(back.iter().all(|(name, _)| name != "iss"));
}

#[tokio::test]
async fn the_server_takes_living_tokens_of_the_right_scope_only() {
    let guest = Guest::start().await;
    let stranger = guest.call("read", None).await;
    assert_eq!(stranger.status, 401);
    let challenge = stranger.header("WWW-Authenticate").unwrap();
    assert!(!challenge.contains("error="), "{challenge}");
    let mut quoted = challenge.split('"');
    let address = quoted.find(|part| part.starts_with("http://")).unwrap();
    let metadata = json(&browser::visit(address).await.unwrap());
    assert_eq!(metadata["authorization_servers"][0], guest.peer.issuer());

    let (access, _) = guest.sign_in("read").await;
    let refused = guest.call("write", Some(&access)).await;
    assert_eq!(refused.status, 403);
    let challenge = refused.header("WWW-Authenticate").unwrap();
    assert!(challenge.contains(r#"error="insufficient_scope", scope="write""#));
    let (both, _) = guest.sign_in("read write").await;
    assert_eq!(guest.call("write", Some(&both)).await.status, 200);

    guest.peer.expire_all();
    for token in [&access, &both] {
        let refused = guest.call("read", Some(token)).await;
        assert_eq!(refused.status, 401);
        let challenge = refused.header("WWW-Authenticate").unwrap();
        assert!(challenge.contains("invalid_token"), "{challenge}");
    }
    assert_eq!(guest.peer.served().len(), 1);
}

#[tokio::test]
async fn a_refresh_token_used_twice_ends_its_family() {
    let guest = Guest::start().await;
    let (_, first) = guest.sign_in("read").await;
    let (access, second) = tokens(&guest.refresh(&first).await.unwrap());
    assert_ne!(first, second);
    assert_eq!(guest.call("read", Some(&access)).await.status, 200);
    let refused = (400, "invalid_grant".to_owned());
    assert_eq!(error(&guest.refresh(&first).await.unwrap()), refused);
    assert_eq!(guest.call("read", Some(&access)).await.status, 401);
    assert_eq!(error(&guest.refresh(&second).await.unwrap()), refused);
    assert_eq!(guest.peer.valid_refresh_tokens(), 0);
}

#[tokio::test]
async fn an_answer_that_is_held_or_dropped_was_given_all_the_same() {
    let guest = Guest::start().await;
    let (_, first) = guest.sign_in("read").await;
    guest.peer.configure(|options| options.drop_tokens = 1);
    assert!(guest.refresh(&first).await.is_err());
    let refused = (400, "invalid_grant".to_owned());
    assert_eq!(error(&guest.refresh(&first).await.unwrap()), refused);

    let (_, token) = guest.sign_in("read").await;
    let gate = Gate::new();
    guest
        .peer
        .configure(|options| options.hold_tokens = Some(gate.clone()));
    let issued = guest.peer.issued().len();
    let held = guest.refresh(&token);
    let release = async {
        guest.peer.refreshes_requested(3).await;
        while guest.peer.issued().len() == issued {
            tokio::task::yield_now().await;
        }
        gate.open();
    };
    let (held, ()) = tokio::join!(held, release);
    assert!(!tokens(&held.unwrap()).0.is_empty());
}

#[tokio::test]
async fn revoking_ends_the_family_and_strangers_may_not() {
    let guest = Guest::start().await;
    let (access, refresh) = guest.sign_in("read").await;
    let token: String = url::form_urlencoded::byte_serialize(refresh.as_bytes()).collect();
    for (client, status, works) in [("nobody", 401, 200), (&*guest.client, 200, 401)] {
        let revocation = format!("client_id={client}&token={token}");
        let revoked = guest.post("/revoke", &revocation).await.unwrap();
        let used = guest.call("read", Some(&access)).await;
        assert_eq!((revoked.status, used.status), (status, works), "{client}");
    }
}
