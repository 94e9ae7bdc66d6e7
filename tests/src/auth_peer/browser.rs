//! A browser as far as signing in needs one: it follows redirects and shows nothing.

use anyhow::{Context as _, Result, bail};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use url::Url;

/// Limit of redirects to follow.
const MAX_REDIRECTS: usize = 5;

/// A page as received.
#[derive(Clone, Debug)]
pub struct Page {
    /// HTTP status.
    pub status: u16,
    /// The head as received.
    pub head: String,
    /// The text below the head.
    pub body: String,
}

impl Page {
    /// Returns the first header of this name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }
}

/// Reads one page over plain HTTP, without following redirects.
///
/// # Errors
/// If the address is not plain HTTP, nobody responds, or the response is not HTTP.
pub async fn visit(url: &str) -> Result<Page> {
    send("GET", url, &[("Accept", "text/html")], "").await
}

/// Sends any request over plain HTTP, without following redirects.
///
/// # Errors
/// As [`visit`].
pub async fn send(method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> Result<Page> {
    let parsed = Url::parse(url)?;
    if parsed.scheme() != "http" {
        bail!("only plain HTTP is understood, not {url}");
    }
    let host = parsed.host_str().context("no host")?;
    let port = parsed.port_or_known_default().context("no port")?;
    let mut stream = TcpStream::connect((host, port)).await?;
    let target = match parsed.query() {
        Some(query) => format!("{}?{query}", parsed.path()),
        None => parsed.path().to_owned(),
    };
    let mut request = format!(
        "{method} {target} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request.push_str(body);
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut complete = false;
    while !complete {
        complete = stream.read_buf(&mut answer).await? == 0 || is_complete(&answer);
    }
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").context("no head came")?;
    Ok(Page {
        status: head.split(' ').nth(1).context("no status")?.parse()?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// Follows redirects as a user's browser would, and returns the last page.
///
/// # Errors
/// As [`visit`], and if the redirects do not end.
pub async fn follow(url: &str) -> Result<Page> {
    let mut next = url.to_owned();
    for _ in 0..MAX_REDIRECTS {
        let page = visit(&next).await?;
        match page.header("Location") {
            Some(location) if (300..400).contains(&page.status) => {
                next = Url::parse(&next)?.join(location)?.into();
            }
            _ => return Ok(page),
        }
    }
    bail!("more than {MAX_REDIRECTS} redirects from {url}")
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (other, value) = line.split_once(':')?;
        other.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// True if everything that the head announces has arrived. Without an announcement, the end of the connection decides.
fn is_complete(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    header(head, "content-length")
        .and_then(|length| length.parse::<usize>().ok())
        .is_some_and(|length| body.len() >= length)
}
