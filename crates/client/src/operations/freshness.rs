//! Cache lifetime that the server gives a result (Caching, 2026-07-28 on).

use sonde_mcp::Freshness;

/// Caching hints of the server for a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFreshness {
    /// Hints as the server gave them.
    pub said: Freshness,
    /// End of the cache lifetime, in milliseconds since the Unix epoch; `None` if the server gives none.
    pub until: Option<u64>,
    /// Fingerprint of the token used for the request: a private result is never reused with another token.
    token: Option<String>,
}

impl ResultFreshness {
    /// Creates the hints of a result received at `at`, in milliseconds since the Unix epoch, with this token.
    pub(crate) fn new(said: Freshness, at: u64, token: Option<String>) -> Self {
        Self {
            until: said.millis().map(|millis| at.saturating_add(millis)),
            said,
            token,
        }
    }

    /// Returns true if the result is still fresh at `now` and may be reused with this token.
    pub(super) fn holds(&self, now: u64, token: Option<&str>) -> bool {
        let same = self.said.is_public() || self.token.as_deref() == token;
        same && self.until.is_some_and(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ttl: &str, scope: &str, token: Option<&str>) -> ResultFreshness {
        let said = Freshness {
            ttl_ms: Some(ttl.to_owned()),
            scope: Some(scope.to_owned()),
        };
        ResultFreshness::new(said, 1_000, token.map(str::to_owned))
    }

    #[test]
    fn a_result_is_kept_for_as_long_as_the_server_says() {
        let kept = of("500", "public", None);
        assert!(kept.holds(1_499, None) && !kept.holds(1_500, None));
        assert!(!of("0", "public", None).holds(1_000, None));
        assert!(!of("-1", "public", None).holds(1_000, None));
    }

    #[test]
    fn a_private_result_is_for_one_token() {
        let private = of("500", "private", Some("a"));
        assert!(private.holds(1_000, Some("a")));
        assert!(!private.holds(1_000, Some("b")) && !private.holds(1_000, None));
        assert!(of("500", "public", Some("a")).holds(1_000, Some("b")));
        assert!(!of("500", "odd", Some("a")).holds(1_000, Some("b")));
    }
}
