//! Scopes to request.

use std::collections::HashSet;

/// Returns the scopes of a text in order, each once.
pub(crate) fn split(text: &str) -> Vec<String> {
    union(&[], text.split_ascii_whitespace())
}

/// Returns the earlier scopes, then the new ones.
pub(crate) fn union<'a>(
    before: &'a [String],
    more: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut known: HashSet<&str> = before.iter().map(String::as_str).collect();
    let mut all = before.to_vec();
    // A server may name any number of scopes.
    all.extend(
        more.into_iter()
            .filter(|scope| known.insert(scope))
            .map(str::to_owned),
    );
    all
}

/// Returns the scopes that are not among the earlier ones.
pub(crate) fn beyond(before: &[String], scopes: &[String]) -> Vec<String> {
    let known: HashSet<&String> = before.iter().collect();
    let new = scopes.iter().filter(|scope| !known.contains(scope));
    new.cloned().collect()
}

/// Sources of a request's scopes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sources<'a> {
    /// The user's own choice.
    pub(crate) wanted: Option<&'a str>,
    /// `scope` of the server's challenge.
    pub(crate) challenged: Option<&'a str>,
    /// `scopes_supported` of the protected resource.
    pub(crate) resource: Option<&'a [String]>,
    /// `scopes_supported` of the authorization server.
    pub(crate) server: Option<&'a [String]>,
    /// Scopes of earlier requests.
    pub(crate) before: &'a [String],
    /// A refresh token would be useful.
    pub(crate) offline: bool,
}

/// Selects the scopes: those of the challenge, else those of the resource, else none (authorization, Scope Selection
/// Strategy). A step-up keeps the earlier scopes. `offline_access` is added if the authorization server lists it
/// (SEP-2207).
pub(crate) fn select(sources: Sources<'_>) -> Vec<String> {
    let fresh = match (sources.wanted, sources.challenged, sources.resource) {
        (Some(wanted), challenged, _) => {
            let wanted = split(wanted);
            match challenged.filter(|_| !sources.before.is_empty()) {
                Some(more) => union(&wanted, more.split_ascii_whitespace()),
                None => wanted,
            }
        }
        (None, Some(challenged), _) => split(challenged),
        (None, None, Some(supported)) => supported.to_vec(),
        (None, None, None) => Vec::new(),
    };
    let mut all = union(sources.before, fresh.iter().map(String::as_str));
    let offered = sources
        .server
        .is_some_and(|scopes| scopes.iter().any(|scope| scope == OFFLINE));
    if sources.offline && sources.wanted.is_none() && offered && !all.is_empty() {
        all = union(&all, [OFFLINE]);
    }
    all
}

/// The scope of refresh tokens.
pub(crate) const OFFLINE: &str = "offline_access";

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text)
    }

    #[test]
    fn the_challenge_comes_before_the_resource_and_nobody_last() {
        let supported = words("a b c");
        let sources = Sources {
            challenged: Some("b  b"),
            resource: Some(&supported),
            ..Sources::default()
        };
        assert_eq!(select(sources), ["b"]);
        let sources = Sources {
            challenged: None,
            ..sources
        };
        assert_eq!(select(sources), ["a", "b", "c"]);
        assert!(select(Sources::default()).is_empty());
    }

    #[test]
    fn a_step_up_keeps_what_was_there() {
        let before = words("read");
        let sources = Sources {
            challenged: Some("write read"),
            before: &before,
            ..Sources::default()
        };
        assert_eq!(select(sources), ["read", "write"]);
        let sources = Sources {
            wanted: Some("read admin"),
            ..sources
        };
        assert_eq!(select(sources), ["read", "admin", "write"]);
    }

    #[test]
    fn offline_access_is_asked_for_only_where_it_is_offered() {
        let server = words("openid offline_access");
        let sources = Sources {
            challenged: Some("read"),
            server: Some(&server),
            offline: true,
            ..Sources::default()
        };
        assert_eq!(select(sources), ["read", "offline_access"]);
        let sources = Sources {
            server: None,
            ..sources
        };
        assert_eq!(select(sources), ["read"]);
    }
}
