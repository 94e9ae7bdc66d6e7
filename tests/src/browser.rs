//! The user's browser as a plain HTTP client: it opens addresses, fills the login form and follows redirects one by
//! one.

use anyhow::{Context as _, Result, bail, ensure};
use reqwest::{Client, Response, Url, header::LOCATION, redirect::Policy};

/// Limit of redirects in a row.
const REDIRECTS: usize = 5;

/// A browser without a window.
#[derive(Clone, Debug)]
pub struct Browser(Client);

/// The page shown in the browser.
#[derive(Clone, Debug)]
pub struct Page {
    /// Address of the page.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: String,
    /// The source of the page.
    pub body: String,
}

/// Actions of the user in the login form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// Signs in with this name and password.
    SignIn(&'a str, &'a str),
    /// Presses "Reject".
    Refuse,
}

impl Browser {
    /// Creates a browser as after its start.
    pub fn new() -> Result<Self> {
        // The first provider installed in a process stays: installing it again is not an error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .build()?;
        Ok(Self(client))
    }

    /// Opens an address and follows its redirects.
    pub async fn get(&self, address: &str) -> Result<Page> {
        self.show(self.0.get(address).send().await?).await
    }

    /// Sends a form and follows the redirects of its response.
    pub async fn post(&self, address: &str, fields: &[(&str, &str)]) -> Result<Page> {
        self.show(self.submit(address, fields).await?).await
    }

    /// Opens the address of a sign-in, fills its form and returns the last page.
    pub async fn sign_in(&self, address: &str, answer: Answer<'_>) -> Result<Page> {
        let sent = self.answer_form(address, answer).await?;
        self.show(sent).await
    }

    async fn answer_form(&self, address: &str, answer: Answer<'_>) -> Result<Response> {
        let page = self.get(address).await?;
        ensure!(
            page.status == 200 && page.body.contains("type=password"),
            "no login form at {address}: {} {}",
            page.status,
            page.body
        );
        let form = Url::parse(&page.url)?;
        let (_, id) = form
            .query_pairs()
            .find(|(name, _)| name == "form")
            .context("the login form has an id")?;
        let mut fields = vec![("form", &*id)];
        match answer {
            Answer::SignIn(user, password) => fields.extend([
                ("username", user),
                ("password", password),
                ("answer", "allow"),
            ]),
            Answer::Refuse => fields.push(("answer", "deny")),
        }
        self.submit(form.join("/login")?.as_str(), &fields).await
    }

    async fn submit(&self, address: &str, fields: &[(&str, &str)]) -> Result<Response> {
        let mut body = Url::parse("form:?")?;
        body.query_pairs_mut().extend_pairs(fields);
        let request = self
            .0
            .post(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body.query().unwrap_or_default().to_owned());
        Ok(request.send().await?)
    }

    async fn show(&self, mut answer: Response) -> Result<Page> {
        for _ in 0..REDIRECTS {
            let Some(next) = redirect(&answer)? else {
                let header = answer.headers().get("content-type");
                return Ok(Page {
                    url: answer.url().to_string(),
                    status: answer.status().as_u16(),
                    content_type: header
                        .and_then(|value| value.to_str().ok())
                        .unwrap_or_default()
                        .to_owned(),
                    body: answer.text().await?,
                });
            };
            answer = self.0.get(next).send().await?;
        }
        bail!("{} redirects without end", answer.url())
    }
}

/// Returns the target of a response that redirects.
fn redirect(answer: &Response) -> Result<Option<String>> {
    if !answer.status().is_redirection() {
        return Ok(None);
    }
    let location = answer
        .headers()
        .get(LOCATION)
        .context("a redirect says where to")?;
    Ok(Some(answer.url().join(location.to_str()?)?.to_string()))
}
