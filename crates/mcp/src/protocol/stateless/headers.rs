//! HTTP headers of this era (Streamable HTTP, Standard Request Headers and Custom Headers).
//! Transports without headers ignore them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sonde_wire::Header;

use crate::{
    Revision,
    members::{members, string},
    operation::target_member,
    protocol::request::Request,
};

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

pub(super) fn of_every_message(revision: Revision) -> Vec<Header> {
    vec![header("MCP-Protocol-Version", revision.as_str())]
}

/// The headers of a request, without those that a tool's definition asks for.
pub(super) fn of_request(revision: Revision, request: &Request<'_>) -> Vec<Header> {
    let mut headers = of_every_message(revision);
    headers.push(header("Mcp-Method", &encoded(request.method)));
    if let Some(name) = name(request) {
        headers.push(header("Mcp-Name", &encoded(&name)));
    }
    headers
}

/// Returns the value for `Mcp-Name`: the member of `params` that names the subject of the request.
fn name(request: &Request<'_>) -> Option<String> {
    if matches!(
        request.method,
        "resources/subscribe" | "resources/unsubscribe"
    ) {
        // Unknown to this era.
        return None;
    }
    let member = target_member(request.method)?;
    let [name] = members(request.params?, &[member]).ok()?.values;
    string(name?)
}

pub(super) fn header(name: &str, value: &str) -> Header {
    Header {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

/// Returns `text` as a header value: as it is if a header can carry it, in Base64 otherwise. A text that
/// already looks like Base64 is encoded too, so that it decodes to itself.
pub(super) fn encoded(text: &str) -> String {
    let visible = text.bytes().all(|byte| (0x20..=0x7e).contains(&byte));
    let padded = text.starts_with(' ') || text.ends_with(' ');
    let ambiguous = text.starts_with(PREFIX) && text.ends_with(SUFFIX);
    if !visible || padded || ambiguous {
        format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(text))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_no_header_can_carry_are_encoded() {
        for (text, value) in [
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("a\tb", "=?base64?YQli?="),
            ("\u{7f}", "=?base64?fw==?="),
            ("", ""),
            ("two words", "two words"),
            ("file:///a/file%20name.txt", "file:///a/file%20name.txt"),
            ("=?BASE64?x?=", "=?BASE64?x?="),
            ("=?base64?", "=?base64?"),
        ] {
            assert_eq!(encoded(text), value, "{text:?}");
        }
    }

    #[test]
    fn each_request_says_its_method_and_name() {
        let named = |method, params| {
            of_request(
                Revision::NEWEST_STATELESS,
                &Request {
                    method,
                    params,
                    progress: false,
                },
            )
            .into_iter()
            .map(|header| (header.name, header.value))
            .collect::<Vec<_>>()
        };
        let version = (
            "MCP-Protocol-Version".to_owned(),
            Revision::NEWEST_STATELESS.to_string(),
        );
        let both = r#"{"name":"é","uri":"file:///x","taskId":"7"}"#;
        for (method, params, name) in [
            ("tools/call", Some(both), Some("=?base64?w6k=?=")),
            ("prompts/get", Some(both), Some("=?base64?w6k=?=")),
            ("resources/read", Some(both), Some("file:///x")),
            ("tasks/get", Some(both), Some("7")),
            ("tasks/cancel", Some(both), Some("7")),
            ("tools/list", Some(both), None),
            ("tools/call", Some(r#"{"name":3}"#), None),
            ("tools/call", Some("[]"), None),
            ("tools/call", None, None),
        ] {
            let mut expected = vec![
                version.clone(),
                ("Mcp-Method".to_owned(), method.to_owned()),
            ];
            expected.extend(name.map(|name| ("Mcp-Name".to_owned(), name.to_owned())));
            assert_eq!(named(method, params), expected);
        }
    }
}
