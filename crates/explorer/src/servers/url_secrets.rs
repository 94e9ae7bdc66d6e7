//! Secrets in the URLs of a configuration: keys in a query, a path or a fragment, and logins. Import reports them;
//! export omits them.

use std::ops::Range;

use url::form_urlencoded;

use super::secret_names::{is_placeholder, looks_secret, shape};

/// Names of query values that are secret in a URL, but not elsewhere.
const NAMES: [&str; 7] = ["key", "auth", "sig", "signature", "jwt", "pwd", "pass"];

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlSecret {
    /// Position in the text, in bytes.
    pub(crate) range: Range<usize>,
    /// Name of the value, or its part of the URL: `user`, `password`, or `key` for a bare key.
    pub(crate) name: String,
}

/// Returns the secrets of the URL of a server, in order. Some services hand out URLs with a key in the path.
pub(super) fn in_url(url: &str) -> Vec<UrlSecret> {
    let mut found = Vec::new();
    let begin = url.find(':').map_or(0, |colon| colon + 1);
    let slashes = url[begin..].bytes().take_while(|byte| is_slash(*byte));
    read(url, begin + slashes.count()..url.len(), true, &mut found);
    found
}

/// Returns the secrets of all URLs in a text, in order.
pub(crate) fn in_text(text: &str) -> Vec<UrlSecret> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("://") {
        let begin = from + at + "://".len();
        let ends = |c: char| c.is_whitespace() || "\"'`".contains(c);
        let end = text[begin..].find(ends).map_or(text.len(), |at| begin + at);
        if text[..begin - "://".len()].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            read(text, begin..end, false, &mut found);
        }
        from = end;
    }
    found
}

fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Finds the secrets after the scheme of a URL.
fn read(text: &str, url: Range<usize>, with_path: bool, found: &mut Vec<UrlSecret>) {
    let up_to = |from: usize, marks: &[char]| {
        let end = text[from..url.end].find(marks);
        end.map_or(url.end, |at| from + at)
    };
    let host = up_to(url.start, &['/', '\\', '?', '#']);
    let path = up_to(host, &['?', '#']);
    let query = up_to(path, &['#']);
    if let Some(at) = text[url.start..host].rfind('@') {
        sign_in(text, url.start..url.start + at, found);
    }
    if with_path {
        let mut add = |range: Range<usize>| add(text, range, "key", shape, found);
        let mut begin = host;
        for (at, _) in text[host..path].match_indices(['/', '\\']) {
            add(begin..host + at);
            begin = host + at + 1;
        }
        add(begin..path);
    }
    for part in [path..query, query..url.end] {
        let mut begin = part.start;
        for pair in text[part].split('&') {
            let end = begin + pair.len();
            // The first value begins with its separator.
            pairs(
                text,
                begin + usize::from(pair.starts_with(['?', '#']))..end,
                found,
            );
            begin = end + 1;
        }
    }
}

/// Finds a login: a password, or a token in place of the user name.
fn sign_in(text: &str, range: Range<usize>, found: &mut Vec<UrlSecret>) {
    let whole = &text[range.clone()];
    // A placeholder for the name contains a colon.
    let behind = match whole.starts_with("${") {
        true => whole.find('}').unwrap_or_default(),
        false => 0,
    };
    let colon = whole[behind..].find(':');
    let name = colon.map(|at| range.start + behind + at);
    add(
        text,
        range.start..name.unwrap_or(range.end),
        "user",
        shape,
        found,
    );
    if let Some(colon) = name {
        add(text, colon + 1..range.end, "password", |_| true, found);
    }
}

/// Finds secrets in the named values of a query.
fn pairs(text: &str, range: Range<usize>, found: &mut Vec<UrlSecret>) {
    for (name, value) in form_urlencoded::parse(text[range.clone()].as_bytes()) {
        let Some(equals) = text[range.clone()].find('=') else {
            // A key without a name.
            add(text, range.clone(), "key", shape, found);
            continue;
        };
        let lower = name.to_ascii_lowercase();
        let telling = NAMES.contains(&lower.as_str()) && !value.is_empty();
        let secret = |_: &str| telling || looks_secret(&name, &value);
        add(
            text,
            range.start + equals + 1..range.end,
            &name,
            secret,
            found,
        );
    }
}

fn add(
    text: &str,
    range: Range<usize>,
    name: &str,
    is_secret: impl Fn(&str) -> bool,
    found: &mut Vec<UrlSecret>,
) {
    let value = &text[range.clone()];
    if !value.is_empty() && !is_placeholder(value) && is_secret(value) {
        let name = name.to_owned();
        found.push(UrlSecret { range, name });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<'a>(text: &'a str, found: &[UrlSecret]) -> Vec<(String, &'a str)> {
        let found = found.iter();
        found
            .map(|one| (one.name.clone(), &text[one.range.clone()]))
            .collect()
    }

    #[test]
    fn secrets_are_seen_wherever_they_stand_in_a_url() {
        let long = "0123456789abcdef0123456789abcdef";
        for (url, name, secret) in [
            ("https://a.example/mcp?api_key=hush", "api_key", "hush"),
            (
                "https://a.example/mcp?x=1&api%5Fkey=hush&y=2",
                "api_key",
                "hush",
            ),
            ("https://a.example/mcp?key=hush", "key", "hush"),
            ("https://a.example/mcp?KEY=hush", "KEY", "hush"),
            ("https://a.example?token=hu%20sh#x", "token", "hu%20sh"),
            (
                "https://a.example/mcp#access_token=hush",
                "access_token",
                "hush",
            ),
            ("wss://me:hush@a.example/", "password", "hush"),
            ("https:\\\\me:hu@sh@a.example\\mcp", "password", "hu@sh"),
            ("https:me:hush@a.example/mcp", "password", "hush"),
            (
                "https://ghp_0123456789abcdef@a.example/",
                "user",
                "ghp_0123456789abcdef",
            ),
            (&format!("https://a.example/s/{long}/mcp"), "key", long),
            (&format!("https://a.example/mcp?{long}"), "key", long),
        ] {
            let found = in_url(url);
            assert_eq!(named(url, &found), [(name.to_owned(), secret)], "{url}");
        }
        for url in [
            "https://a.example/mcp?api_key=${input:KEY}&token=<TOKEN>&key=",
            "https://${input:USER}@a.example/mcp",
            "https://${input:USER}:${input:PASSWORD}@a.example/mcp",
            "https://me@a.example/mcp?region=eu&max_tokens=4096",
            "https://a.example/u/6ba7b810-9dad-11d1-80b4-00c04fd430c8/mcp?q=@x:y",
            "https://a.example:8080/",
            "no url",
            "",
        ] {
            assert_eq!(in_url(url), [], "{url}");
        }
    }

    #[test]
    fn secrets_are_seen_in_the_urls_of_a_text() {
        for (text, secrets) in [
            ("postgresql://me:hush@db/x", &["hush"][..]),
            (
                "--url=https://a/?token=one and 'https://a/?token=two'",
                &["one", "two"],
            ),
            (
                "https://github.com/a/b/tree/0123456789abcdef0123456789abcdef01234567",
                &[],
            ),
            ("://token=x", &[]),
        ] {
            let found: Vec<_> = in_text(text)
                .into_iter()
                .map(|one| &text[one.range])
                .collect();
            assert_eq!(found, secrets, "{text}");
        }
    }
}
