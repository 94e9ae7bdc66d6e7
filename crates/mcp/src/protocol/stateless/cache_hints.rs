//! Caching hints of a result: lifetime and scope (caching).

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use crate::{members::string, text::brief};

/// The methods whose complete results have the hints.
const METHODS: [&str; 6] = [
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// `ttlMs`, `cacheScope` and `resultType` of a result.
pub(crate) type CacheHints<'a> = [Option<&'a RawValue>; 3];

/// Checks the hints of a result, the response to `method`.
pub(crate) fn judge_cache_hints(
    method: &str,
    [ttl, scope, kind]: CacheHints<'_>,
) -> Option<Finding> {
    let kind = kind.and_then(string);
    if !METHODS.contains(&method) || kind.is_some_and(|kind| kind != "complete") {
        return None;
    }
    let problem = match (ttl.map(RawValue::get), scope) {
        (None, None) => "has neither `ttlMs` nor `cacheScope`".to_owned(),
        (None, _) => "has no `ttlMs`".to_owned(),
        (Some(ttl), _) if !is_whole(ttl) => {
            let ttl = brief(ttl);
            format!("has the `ttlMs` {ttl}, which is not a whole number of milliseconds")
        }
        (_, None) => "has no `cacheScope`".to_owned(),
        (_, Some(scope)) if !matches!(scope.get(), "\"public\"" | "\"private\"") => {
            let scope = brief(scope.get());
            format!("has the `cacheScope` {scope}, which is neither `public` nor `private`")
        }
        _ => return None,
    };
    Some(Finding::new(&rules::BAD_CACHE_HINTS).with("problem", problem))
}

/// Hints of a list's pages. Each problem is reported once for a list.
#[derive(Debug, Default)]
pub(crate) struct PageHints {
    /// The first `cacheScope`, as JSON text.
    scope: Option<String>,
    is_bad: bool,
    differ: bool,
}

impl PageHints {
    /// Adds new findings about the hints of the next page.
    pub(crate) fn judge(&mut self, method: &str, page: CacheHints<'_>, found: &mut Findings) {
        if !self.is_bad
            && let Some(bad) = judge_cache_hints(method, page)
        {
            self.is_bad = true;
            found.push(bad);
        }
        let [_, Some(scope), _] = page else {
            return;
        };
        let first = self.scope.get_or_insert_with(|| brief(scope.get()));
        // "Same `cacheScope` on all pages" (caching).
        if !self.differ && *first != brief(scope.get()) {
            self.differ = true;
            found.push(Finding::new(&rules::DIFFERENT_CACHE_SCOPES));
        }
    }
}

/// Also a number that is written as `1.0` or `1e3`.
fn is_whole(text: &str) -> bool {
    serde_json::from_str::<f64>(text).is_ok_and(|number| number >= 0.0 && number.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::members;

    fn hints(result: &RawValue) -> CacheHints<'_> {
        let read = members(result.get(), &["ttlMs", "cacheScope", "resultType"]);
        read.unwrap().values
    }

    #[test]
    fn hints_are_judged_where_they_belong() {
        let of = |method, result: &str| {
            let result = RawValue::from_string(result.to_owned()).unwrap();
            judge_cache_hints(method, hints(&result)).map(|found| found.message())
        };
        for good in [
            r#"{"ttlMs":0,"cacheScope":"public"}"#,
            r#"{"ttlMs":1e3,"cacheScope":"private","resultType":"complete"}"#,
            r#"{"resultType":"input_required"}"#,
        ] {
            assert_eq!(of("resources/read", good), None, "{good}");
        }
        assert_eq!(of("tools/call", "{}"), None);
        for (bad, said) in [
            ("{}", "has neither `ttlMs` nor `cacheScope`"),
            (r#"{"cacheScope":"public"}"#, "has no `ttlMs`"),
            (r#"{"ttlMs":1}"#, "has no `cacheScope`"),
            (r#"{"ttlMs":-1,"cacheScope":"public"}"#, "`ttlMs` -1,"),
            (r#"{"ttlMs":1.5,"cacheScope":"public"}"#, "`ttlMs` 1.5,"),
            (r#"{"ttlMs":"1","cacheScope":"public"}"#, "`ttlMs` \"1\","),
            (
                r#"{"ttlMs":1,"cacheScope":"shared"}"#,
                "`cacheScope` \"shared\",",
            ),
        ] {
            let found = of("tools/list", bad).unwrap();
            assert!(found.contains(said), "{bad}: {found}");
        }
    }

    #[test]
    fn what_is_wrong_with_pages_is_told_once_for_their_list() {
        let of = |pages: &[&str]| {
            let (mut list, mut found) = (PageHints::default(), Findings::default());
            for page in pages {
                let page = RawValue::from_string((*page).to_owned()).unwrap();
                list.judge("tools/list", hints(&page), &mut found);
            }
            found.into_vec().iter().map(Finding::id).collect::<Vec<_>>()
        };
        let public = r#"{"ttlMs":1,"cacheScope":"public"}"#;
        let private = r#"{"ttlMs":2,"cacheScope":"private"}"#;
        assert_eq!(of(&[public, public]), [""; 0]);
        assert_eq!(of(&["{}", r#"{"ttlMs":1}"#]), ["bad-cache-hints"]);
        assert_eq!(
            of(&[public, private, public, private]),
            ["different-cache-scopes"]
        );
    }
}
