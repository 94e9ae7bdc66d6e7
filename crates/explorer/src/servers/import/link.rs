//! Addresses: of a server, and of links that ask a client to add one.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use percent_encoding::percent_decode_str;
use serde_json::json;
use url::Url;

use super::{Entry, Recognized, document, entry};
use crate::limits::cut_text;
use crate::servers::quote::quote;

/// Limit of a link, in bytes.
pub(crate) const LONGEST_LINK: usize = 64 * 1024;
/// Bytes of an unknown scheme that are shown.
const SCHEME: usize = 40;

/// Accepts the variants of links: both alphabets, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Reads an address or a link that adds servers; `None` if the text is neither.
pub(super) fn read(text: &str) -> Option<Result<Recognized, String>> {
    if text.chars().any(char::is_whitespace) {
        return None;
    }
    // Without a scheme it can only be meant for this computer.
    let loopback = entry::LOOPBACK.iter().any(|host| {
        let rest = text.strip_prefix(host);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    });
    let text = &match loopback {
        true => format!("http://{text}"),
        false => text.to_owned(),
    };
    let url = Url::parse(text).ok()?;
    let known = matches!(
        url.scheme(),
        "http" | "https" | "ws" | "wss" | "sonde" | "cursor" | "vscode" | "vscode-insiders"
    );
    if !known {
        // Other text with a colon may be part of a command line: `C:\server.exe`.
        let scheme = cut_text(url.scheme(), SCHEME);
        let refusal = format!("Sonde has no use for `{scheme}:` addresses.");
        return text.contains("://").then_some(Err(refusal));
    }
    if text.len() > LONGEST_LINK {
        return Some(Err("The address is too long (64 KiB at most).".to_owned()));
    }
    Some(of_url(&url, text))
}

fn of_url(url: &Url, text: &str) -> Result<Recognized, String> {
    let host = url.host_str().unwrap_or_default();
    let path = url.path().trim_matches('/');
    match (url.scheme(), host, path) {
        ("sonde", "add", "") => with_config(url, "A link that adds a server to Sonde"),
        ("sonde", ..) => Err("Sonde knows one kind of link: sonde://add?name=…&config=….".into()),
        ("cursor", _, "mcp/install") => with_config(url, "A link that adds a server to Cursor"),
        ("cursor", ..) => Err("This link adds no server to Cursor.".into()),
        ("vscode" | "vscode-insiders", "", "mcp/install")
        | ("vscode" | "vscode-insiders", "mcp", "install") => {
            let query = url.query().unwrap_or_default();
            let config = percent_decode_str(query)
                .decode_utf8()
                .map_err(|_| "The link is not encoded in UTF-8.")?;
            document::of_json("A link that adds a server to VS Code", &config, None)
        }
        ("vscode" | "vscode-insiders", ..) => Err("This link adds no server to VS Code.".into()),
        ("https", "vscode.dev" | "insiders.vscode.dev", "redirect/mcp/install") => {
            with_config(url, "A link that adds a server to VS Code")
        }
        ("https", "vscode.dev" | "insiders.vscode.dev", "redirect") => {
            let inner = parameter(url, "url").and_then(|inner| Url::parse(&inner).ok());
            match inner.filter(|inner| inner.scheme().starts_with("vscode")) {
                Some(inner) => of_url(&inner, inner.as_str()),
                None => Err("This link adds no server to VS Code.".into()),
            }
        }
        ("https", "cursor.com" | "www.cursor.com", path) if path.ends_with("install-mcp") => {
            with_config(url, "A link that adds a server to Cursor")
        }
        _ => {
            let server = json!({ "url": text });
            let name = server.as_object().map(entry::name_of);
            Ok(Recognized::of(
                "A URL",
                Entry::new(name.unwrap_or_default(), server),
            ))
        }
    }
}

/// A link with the server's `name` and its `config`: JSON, or JSON in base64.
fn with_config(url: &Url, what: &'static str) -> Result<Recognized, String> {
    let config = parameter(url, "config").ok_or("The link has no `config`.")?;
    let config = match config.trim_start().starts_with('{') {
        true => config,
        // A plus sign of base64 reads as a blank in an address.
        false => BASE64
            .decode(config.replace([' ', '+'], "-").replace('/', "_"))
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or("The `config` of the link is neither JSON nor base64.")?,
    };
    let mut recognized = document::of_json(what, &config, parameter(url, "name"))?;
    for (name, _) in url.query_pairs() {
        if !["name", "config", "quality"].contains(&&*name) {
            let ignored = format!("{} of the link was ignored.", quote(&name));
            recognized.problems.push(ignored);
        }
    }
    Ok(recognized)
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    let (_, value) = pairs.find(|(one, _)| one == name)?;
    Some(value.into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn one(text: &str) -> (&'static str, String, Value) {
        let mut recognized = read(text).unwrap().unwrap();
        assert_eq!(recognized.entries.len(), 1, "{text}");
        let entry = recognized.entries.remove(0);
        (recognized.what, entry.name, entry.server)
    }

    #[test]
    fn addresses_are_servers() {
        let (what, name, server) = one("https://mcp.example.com/mcp?a=b");
        assert_eq!((what, name.as_str()), ("A URL", "mcp.example.com"));
        assert_eq!(server, json!({ "url": "https://mcp.example.com/mcp?a=b" }));
        let (_, name, server) = one("localhost:3000/mcp");
        assert_eq!(name, "localhost:3000");
        assert_eq!(server, json!({ "url": "http://localhost:3000/mcp" }));
        for (address, name) in [
            ("http://127.0.0.1:8931/sse", "localhost:8931"),
            ("[::1]/mcp", "localhost"),
            ("https://example.com:8443/mcp", "example.com:8443"),
            ("https://example.com:443/mcp", "example.com"),
        ] {
            assert_eq!(one(address).1, name, "{address}");
        }
        for text in ["hello", "npx -y server", "C:\\server.exe", "localhosts:1"] {
            assert!(read(text).is_none(), "{text}");
        }
        assert!(read("ftp://example.com/").unwrap().is_err());
    }

    #[test]
    fn links_of_clients_are_read() {
        let server = json!({ "command": "npx", "args": ["-y", "s>?"] });
        let encoded = "eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSIsInM+PyJdfQ==";
        assert!(encoded.contains('+'));
        let percent =
            "%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22s%3E%3F%22%5D%7D";
        let safe = encoded.replace('+', "-").replace('=', "");
        for text in [
            format!("sonde://add?name=S&config={percent}"),
            format!("sonde://add/?config={encoded}&name=S"),
            format!("sonde://add?name=S&config={safe}"),
            format!("cursor://anysphere.cursor-deeplink/mcp/install?name=S&config={encoded}"),
            format!(
                "https://cursor.com/en/install-mcp?name=S&config={}",
                encoded.replace('+', "%2B")
            ),
            format!(
                "https://vscode.dev/redirect/mcp/install?name=S&config={percent}&quality=insiders"
            ),
        ] {
            let mut recognized = read(&text).unwrap().unwrap();
            let found = recognized.entries.remove(0);
            assert_eq!(
                (found.name.as_str(), &found.server),
                ("S", &server),
                "{text}"
            );
            assert_eq!(recognized.problems, [] as [&str; 0], "{text}");
        }
        let named = percent.replacen("%7B", "%7B%22name%22%3A%22S%22%2C", 1);
        for text in [
            format!("vscode:mcp/install?{named}"),
            format!("vscode-insiders:mcp/install?{named}"),
            format!(
                "https://vscode.dev/redirect?url=vscode:mcp/install%3F{}",
                named.replace('%', "%25")
            ),
        ] {
            let (what, name, found) = one(&text);
            assert_eq!(
                (what, name.as_str()),
                ("A link that adds a server to VS Code", "S")
            );
            assert_eq!(found["command"], "npx");
        }
    }

    #[test]
    fn bad_links_say_what_is_wrong() {
        let long = format!("sonde://add?config={}", "a".repeat(LONGEST_LINK));
        for (text, words) in [
            ("sonde://add", "no `config`"),
            ("sonde://add?config=", "not valid JSON"),
            ("sonde://add?config=%7B", "not valid JSON"),
            ("sonde://add?config=!!", "neither JSON nor base64"),
            ("sonde://add?config=%FF%FE", "neither JSON nor base64"),
            ("sonde://connect?server=1", "one kind of link"),
            ("sonde:add?config=e30", "one kind of link"),
            ("cursor://x/y?config=e30", "no server"),
            ("vscode:extension/x", "no server"),
            ("vscode:mcp/install?%FF", "UTF-8"),
            (
                "https://vscode.dev/redirect?url=https%3A%2F%2Fa",
                "no server",
            ),
            (&long, "too long"),
        ] {
            let problem = read(text).unwrap().err().unwrap();
            assert!(problem.contains(words), "{text:.60}: {problem}");
        }
        let recognized =
            read("sonde://add?name=a&connect=yes&config=%7B%22url%22%3A%22http%3A%2F%2Fa%2F%22%7D");
        assert_eq!(
            recognized.unwrap().unwrap().problems,
            ["`connect` of the link was ignored."]
        );
    }
}
