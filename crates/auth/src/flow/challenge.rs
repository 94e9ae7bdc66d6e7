//! `WWW-Authenticate`: the demands of a server that rejects a request (RFC 9110, section 11.6.1).

use std::net::IpAddr;

use sonde_wire::http::Rejection;
use url::Url;

use crate::limits::{first_entries, words};

/// One challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme, as written.
    pub scheme: String,
    /// Parameters in order; names in lower case.
    pub params: Vec<(String, String)>,
}

impl Challenge {
    fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Merged content of all challenges of a rejection, and its sender.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChallengeInfo {
    /// URL of the protected resource metadata (RFC 9728, section 5.1).
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that the request needs.
    pub(crate) scope: Option<String>,
    /// The server named more scopes than are requested.
    pub(crate) more_scopes: bool,
    /// `invalid_token`, `insufficient_scope`, `use_dpop_nonce`, ….
    pub(crate) error: Option<String>,
    /// The server's `error_description`.
    pub(crate) description: Option<String>,
    /// There was a `Bearer` challenge.
    pub(crate) bearer: bool,
    /// There was a `DPoP` challenge.
    pub(crate) dpop: bool,
    /// Address of the sender; `None` if the response came through a proxy.
    pub(crate) peer: Option<IpAddr>,
    /// The requested URL, which differs from the server's after a redirect.
    pub(crate) url: Option<Url>,
}

impl ChallengeInfo {
    pub(crate) fn read(rejection: &Rejection) -> Self {
        let mut info = ChallengeInfo {
            peer: rejection.peer,
            url: Some(rejection.url.clone()),
            ..ChallengeInfo::default()
        };
        for challenge in (rejection.challenges.iter()).flat_map(|header| parse(header)) {
            info.bearer |= challenge.is("Bearer");
            info.dpop |= challenge.is("DPoP");
            if !challenge.is("Bearer") && !challenge.is("DPoP") {
                continue;
            }
            let take = |field: &mut Option<String>, name: &str| {
                if field.is_none() {
                    *field = challenge.param(name).map(words);
                }
            };
            take(&mut info.resource_metadata, "resource_metadata");
            if info.scope.is_none()
                && let Some(scope) = challenge.param("scope")
            {
                let used: Vec<&str> = first_entries(scope.split_ascii_whitespace()).collect();
                info.more_scopes = used.len() < scope.split_ascii_whitespace().count();
                info.scope = Some(match info.more_scopes {
                    true => used.join(" "),
                    false => scope.to_owned(),
                });
            }
            take(&mut info.error, "error");
            take(&mut info.description, "error_description");
        }
        info
    }

    /// True if the challenge demands nothing.
    pub(crate) fn is_empty(&self) -> bool {
        *self
            == Self {
                peer: self.peer,
                url: self.url.clone(),
                ..Self::default()
            }
    }

    pub(crate) fn is_error(&self, error: &str) -> bool {
        self.error.as_deref() == Some(error)
    }
}

/// Parses the challenges of one header. Lenient: unreadable text is skipped up to the next
/// comma outside of quotes.
#[must_use]
pub fn parse(header: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    let mut rest = Cursor { text: header };
    loop {
        rest.skip(|c| c == ',' || c.is_ascii_whitespace());
        if rest.text.is_empty() {
            return challenges;
        }
        let word = rest.token();
        if word.is_empty() {
            rest.next_item();
            continue;
        }
        let mut ahead = rest;
        ahead.skip(|c| c.is_ascii_whitespace());
        if ahead.take('=') && !ahead.text.starts_with('=') {
            ahead.skip(|c| c.is_ascii_whitespace());
            let value = ahead.value();
            rest = ahead;
            if let Some(challenge) = challenges.last_mut() {
                challenge.params.push((word.to_ascii_lowercase(), value));
            }
            continue;
        }
        challenges.push(Challenge {
            scheme: word.to_owned(),
            params: Vec::new(),
        });
        // A scheme is followed by parameters or by one token68, which is ignored here.
        let mut inside = ahead;
        let next = inside.token();
        let mut after = inside;
        after.skip(|c| c.is_ascii_whitespace());
        rest = if !next.is_empty() && after.text.starts_with('=') && !is_padding(after.text) {
            ahead
        } else if next.is_empty() || rest.text.starts_with(',') {
            rest
        } else {
            let mut skipped = ahead;
            skipped.next_item();
            skipped
        };
    }
}

/// True for `=` signs that end a token68 rather than separate a value.
fn is_padding(text: &str) -> bool {
    let after = text.trim_start_matches('=');
    after.is_empty() || after.trim_start().starts_with(',')
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
}

impl<'a> Cursor<'a> {
    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.text = self.text.trim_start_matches(what);
    }

    fn take(&mut self, c: char) -> bool {
        match self.text.strip_prefix(c) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        let at = self.text.find(end).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(at);
        self.text = rest;
        word
    }

    /// Reads a token, and the few other characters that a token68 or a careless server may use.
    fn token(&mut self) -> &'a str {
        self.until(|c| c.is_ascii_whitespace() || matches!(c, ',' | '=' | '"'))
    }

    fn value(&mut self) -> String {
        if !self.take('"') {
            return self
                .until(|c| c == ',' || c.is_ascii_whitespace())
                .to_owned();
        }
        let mut value = String::new();
        let mut chars = self.text.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.text = &self.text[at + 1..];
                    return value;
                }
                '\\' => value.extend(chars.next().map(|(_, c)| c)),
                c => value.push(c),
            }
        }
        // The closing quote is missing: the value is the rest of the text.
        self.text = "";
        value
    }

    fn next_item(&mut self) {
        let mut quoted = false;
        let mut escaped = false;
        let end = self.text.find(|c: char| {
            let here = !quoted && c == ',';
            if !escaped && c == '"' {
                quoted = !quoted;
            }
            escaped = quoted && c == '\\' && !escaped;
            here
        });
        self.text = &self.text[end.unwrap_or(self.text.len())..];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::{ENTRIES, WORDS};

    fn info(headers: &[&str]) -> ChallengeInfo {
        ChallengeInfo::read(&Rejection {
            status: 401,
            challenges: headers.iter().map(|text| (*text).to_owned()).collect(),
            dpop_nonce: None,
            token_id: 0,
            retries: 0,
            peer: None,
            url: Url::parse("https://mcp.example/mcp").unwrap(),
        })
    }

    #[test]
    fn parameters_come_in_any_shape() {
        for header in [
            r#"Bearer resource_metadata="https://a/x,y", scope="read write", error="invalid_token""#,
            r#"bearer scope="read write",error=invalid_token,resource_metadata = "https://a/x,y""#,
            r#"Basic realm="a \"b\", Bearer x=1", BEARER error="invalid_token" , scope="read write",,resource_metadata="https://a/x,y""#,
            r#"Negotiate YWJj==, Bearer SCOPE="read write", Error="invalid\_token", resource_metadata="https://a/x,y"#,
        ] {
            let found = info(&[header]);
            assert_eq!(
                found.resource_metadata.as_deref(),
                Some("https://a/x,y"),
                "{header}"
            );
            assert_eq!(found.scope.as_deref(), Some("read write"), "{header}");
            assert!(found.is_error("invalid_token"), "{header}");
            assert!(found.bearer && !found.dpop);
        }
    }

    #[test]
    fn several_headers_and_schemes_count_together() {
        let found = info(&[
            "Basic realm=x",
            "Bearer",
            r#"DPoP error="use_dpop_nonce", algs="ES256""#,
        ]);
        assert!(found.bearer && found.dpop && found.is_error("use_dpop_nonce"));
        assert_eq!(info(&["Basic realm=\"x\", error=\"no\""]).error, None);
    }

    #[test]
    fn scopes_and_words_without_end_are_used_in_part() {
        let (scopes, words) = (vec!["s"; 20_000].join(" "), "w".repeat(30_000));
        let found = info(&[&format!(
            r#"Bearer error_description="{words}", scope="{scopes}""#
        )]);
        assert!(found.more_scopes);
        assert_eq!(found.scope.unwrap().split(' ').count(), ENTRIES);
        assert_eq!(found.description.unwrap().len(), WORDS + "…".len());
        assert!(!info(&[r#"Bearer scope="read  write""#]).more_scopes);
    }

    #[test]
    fn the_first_word_counts() {
        let found = info(&[r#"Bearer scope="a", Bearer scope="b""#]);
        assert_eq!(found.scope.as_deref(), Some("a"));
    }

    proptest! {
        #[test]
        fn anything_is_read_without_a_fault(text in r#"[A-Za-z=",\\ \t;é]{0,80}"#) {
            for challenge in parse(&text) {
                prop_assert!(!challenge.scheme.is_empty());
            }
        }
    }
}
