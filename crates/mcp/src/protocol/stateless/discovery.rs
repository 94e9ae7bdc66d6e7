//! The answer to `server/discover`.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::judge_cache_hints;
use crate::{
    ServerInfo,
    limits::{NAME, NAMES},
    members::{elements, member, members, string},
    server_info,
    text::cut,
    trust,
};
use sonde_findings::{Finding, rules};

/// Self-description of a server.
#[derive(Debug)]
pub(crate) struct Discovered {
    /// Protocol versions as the server lists them.
    pub(crate) supported: Vec<String>,
    pub(crate) server: Option<Box<ServerInfo>>,
    pub(crate) capabilities: Arc<RawValue>,
    pub(crate) instructions: Option<String>,
    /// `_meta` as received.
    pub(crate) meta: Option<Arc<RawValue>>,
    /// Harmless oddities of the result.
    pub(crate) findings: Vec<Finding>,
}

impl Discovered {
    /// Creates an empty description, for a server that was not probed or did not describe itself.
    pub(crate) fn nothing() -> Self {
        Discovered {
            supported: Vec::new(),
            server: None,
            capabilities: Arc::from(
                RawValue::from_string("{}".to_owned())
                    .unwrap_or_else(|_| RawValue::NULL.to_owned()),
            ),
            instructions: None,
            meta: None,
            findings: Vec::new(),
        }
    }
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
    let mut findings = Vec::new();
    let capabilities = match capabilities.filter(|raw| raw.get().starts_with('{')) {
        Some(raw) => raw.to_owned(),
        None => {
            findings.push(Finding::new(&rules::BAD_CAPABILITIES));
            RawValue::from_string("{}".to_owned()).ok()?
        }
    };
    let named = member(meta, "io.modelcontextprotocol/serverInfo");
    if named.is_none() && top.is_some() {
        findings.push(Finding::new(&rules::MISPLACED_SERVER_INFO));
    }
    if named.is_none() && top.is_none() {
        findings.push(Finding::new(&rules::MISSING_SERVER_INFO));
    }
    if kind.is_none() {
        findings.push(Finding::new(&rules::MISSING_RESULT_TYPE));
    }
    findings.extend(judge_cache_hints(super::DISCOVER, [ttl, scope, kind]));
    let server = named
        .or(top)
        .and_then(|raw| server_info::read(raw, &mut findings))
        .map(Box::new);
    let instructions = instructions.and_then(|raw| trust::read_instructions(raw, &mut findings));
    Some(Discovered {
        supported,
        server,
        capabilities: Arc::from(capabilities),
        instructions,
        meta: meta.map(|raw| Arc::from(raw.to_owned())),
        findings,
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
        assert_eq!(odd.server.unwrap().name.as_deref(), Some("s"));
        let codes: Vec<_> = odd.findings.iter().map(|finding| finding.id()).collect();
        assert_eq!(
            codes,
            [
                "bad-capabilities",
                "misplaced-server-info",
                "missing-result-type",
                "bad-cache-hints",
                "bad-instructions"
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
        let all = read(r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","supportedVersions":["a"],"capabilities":{"tools":{ }},"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"2"}}}"#).unwrap();
        assert_eq!(all.server.unwrap().name.as_deref(), Some("m"));
        assert_eq!(all.capabilities.get(), r#"{"tools":{ }}"#);
        assert_eq!(all.instructions.as_deref(), Some("i"));
        assert!(all.meta.unwrap().get().contains("serverInfo"));
        assert!(all.findings.is_empty());
    }
}
