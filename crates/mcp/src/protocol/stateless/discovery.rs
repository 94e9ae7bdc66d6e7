//! The answer to `server/discover`.

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use super::judge_cache_hints;
use crate::{
    limits::{NAME, NAMES},
    members::{elements, member, members, string},
    protocol::Introduction,
    text::cut,
};

/// Result of `server/discover`.
#[derive(Debug)]
pub(crate) struct Discovered {
    /// Protocol versions as the server lists them.
    pub(crate) supported: Vec<String>,
    pub(crate) introduction: Introduction,
}

/// Reads a `DiscoverResult`; `None` if the result does not list the server's protocol versions.
pub(crate) fn discovered(result: &RawValue) -> Option<Discovered> {
    let [
        versions,
        capabilities,
        instructions,
        top,
        meta,
        ttl,
        scope,
        kind,
    ] = members(
        result.get(),
        &[
            "supportedVersions",
            "capabilities",
            "instructions",
            "serverInfo",
            "_meta",
            "ttlMs",
            "cacheScope",
            "resultType",
        ],
    )
    .ok()?
    .values;
    let supported = elements(versions?.get(), NAMES)
        .ok()?
        .first
        .into_iter()
        .filter_map(|name| Some(cut(&string(name)?, NAME)))
        .collect();
    let named = member(meta, "io.modelcontextprotocol/serverInfo");
    let info = named.or(top);
    let mut introduction = Introduction::read([capabilities, info, instructions, meta]);
    let findings = &mut introduction.findings;
    if named.is_none() && top.is_some() {
        findings.push(Finding::new(&rules::MISPLACED_SERVER_INFO));
    }
    if info.is_none() {
        findings.push(Finding::new(&rules::MISSING_SERVER_INFO));
    }
    if kind.is_none() {
        findings.push(Finding::new(&rules::MISSING_RESULT_TYPE));
    }
    findings.extend(judge_cache_hints(super::DISCOVER, [ttl, scope, kind]));
    Some(Discovered {
        supported,
        introduction,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Discovered> {
        discovered(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn only_a_list_of_versions_makes_it_one() {
        for other in ["{}", "[]", "null", r#"{"supportedVersions":"x"}"#] {
            assert!(read(other).is_none(), "{other}");
        }
        let odd = read(r#"{"supportedVersions":[3,"a"],"instructions":1,"serverInfo":{"name":"s","version":"1"}}"#).unwrap();
        assert_eq!(odd.supported, ["a"]);
        let odd = odd.introduction;
        assert_eq!(odd.server.unwrap().name.as_deref(), Some("s"));
        let codes: Vec<_> = odd.findings.iter().map(|finding| finding.id()).collect();
        assert_eq!(
            codes,
            [
                "bad-capabilities",
                "bad-instructions",
                "misplaced-server-info",
                "missing-result-type",
                "bad-cache-hints"
            ]
        );
    }

    #[test]
    fn of_versions_without_end_the_first_are_read() {
        let name = format!("\"{}\"", "x".repeat(1_000));
        let names = vec![name; 10_000].join(",");
        let text = format!(r#"{{"supportedVersions":[{names}]}}"#);
        let read = read(&text).unwrap().supported;
        assert_eq!(read.len(), NAMES);
        assert!(read.iter().all(|name| name.chars().count() == NAME + 1));
    }

    #[test]
    fn the_server_describes_itself_in_meta() {
        let all = read(r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","supportedVersions":["a"],"capabilities":{"tools":{ }},"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"2"}}}"#).unwrap().introduction;
        assert_eq!(all.server.unwrap().name.as_deref(), Some("m"));
        assert_eq!(all.capabilities.get(), r#"{"tools":{ }}"#);
        assert_eq!(all.instructions.as_deref(), Some("i"));
        assert!(all.meta.unwrap().get().contains("serverInfo"));
        assert!(all.findings.is_empty());
    }
}
