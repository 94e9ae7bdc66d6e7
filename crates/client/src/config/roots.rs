//! The folders that a server may work in (`roots`), as the user names them.

use serde::{Deserialize, Serialize};
use sonde_mcp::Root;
use ts_rs::TS;
use url::Url;

/// A folder that a server may work in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RootFolder {
    /// A whole path of this computer or of another one, or a `file://` URI.
    pub folder: String,
    /// Name for people.
    pub name: Option<String>,
}

/// Reasons why a typed folder cannot be declared to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotARoot {
    /// It is neither a whole path nor a `file://` URI.
    #[error("Enter the whole path of a folder, or a file:// URI.")]
    NotWhole,
    /// A URL parser resolves `..`, so the server would get another folder than the user typed.
    #[error("Enter the path without `..`.")]
    Parent,
    /// A URL parser drops tabs and line breaks, and reads each backslash as `/`.
    #[error("Enter the path without tabs and line breaks, and a file:// URI without backslashes.")]
    Characters,
}

impl RootFolder {
    /// Returns the percent-encoded `file://` URI of exactly the folder that was typed.
    pub fn uri(&self) -> Result<String, NotARoot> {
        let folder = self.folder.trim();
        let is_uri = folder
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
        if folder.contains(['\t', '\n', '\r']) || (is_uri && folder.contains('\\')) {
            return Err(NotARoot::Characters);
        }
        if is_uri {
            let url = Url::parse(folder).map_err(|_| NotARoot::NotWhole)?;
            if folder.get(5..7) != Some("//") {
                return Err(NotARoot::NotWhole);
            }
            let path = folder.split(['?', '#']).next().unwrap_or_default();
            // An encoded `..` is resolved too (URL standard, double-dot path segment).
            let mut segments = path.split('/');
            return match segments.any(|one| one.to_ascii_lowercase().replace("%2e", ".") == "..") {
                true => Err(NotARoot::Parent),
                false => Ok(url.to_string()),
            };
        }
        path_uri(folder)
    }
}

/// The URI of a path of this computer or of another one.
fn path_uri(folder: &str) -> Result<String, NotARoot> {
    let is_drive = matches!(folder.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let mut url = Url::parse("file:///").map_err(|_| NotARoot::NotWhole)?;
    let segments: Vec<&str> = if let Some(share) = folder.strip_prefix(r"\\") {
        let mut parts = share.split(['\\', '/']);
        let host = parts.next().filter(|host| !host.is_empty());
        let host = host.ok_or(NotARoot::NotWhole)?;
        url.set_host(Some(host)).map_err(|_| NotARoot::NotWhole)?;
        parts.collect()
    } else if is_drive {
        folder.split(['\\', '/']).collect()
    } else {
        let path = folder.strip_prefix('/').ok_or(NotARoot::NotWhole)?;
        path.split('/').collect()
    };
    if segments.contains(&"..") {
        return Err(NotARoot::Parent);
    }
    let named = segments.into_iter().filter(|segment| !segment.is_empty());
    let mut path = url.path_segments_mut().map_err(|()| NotARoot::NotWhole)?;
    path.clear().extend(named);
    drop(path);
    Ok(url.to_string())
}

/// Returns the roots to declare for these folders. Folders that cannot be declared are left out; `check` refuses them.
pub fn declared_roots(folders: &[RootFolder]) -> Vec<Root> {
    let root = |folder: &RootFolder| {
        Some(Root {
            uri: folder.uri().ok()?,
            name: folder.name.clone(),
        })
    };
    folders.iter().filter_map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(folder: &str) -> Result<String, NotARoot> {
        let folder = folder.to_owned();
        RootFolder { folder, name: None }.uri()
    }

    #[test]
    fn folders_become_uris() {
        for (folder, expected) in [
            ("/home/ada/My work", "file:///home/ada/My%20work"),
            ("/a#b?c%20d/ü/", "file:///a%23b%3Fc%2520d/%C3%BC"),
            ("/", "file:///"),
            ("/a/./...", "file:///a/..."),
            (r"/a\b", "file:///a%5Cb"),
            (r"C:\Users\Ada", "file:///C:/Users/Ada"),
            ("d:/x", "file:///d:/x"),
            (r"\\nas\share\my docs", "file://nas/share/my%20docs"),
            ("file:///home/ada/My%20work", "file:///home/ada/My%20work"),
            ("FILE:///a b", "file:///a%20b"),
        ] {
            assert_eq!(uri(folder).as_deref(), Ok(expected), "{folder}");
        }
        for bad in [
            "",
            "work",
            "~/work",
            "https://a/b",
            "file:a",
            "C:work",
            r"\\",
        ] {
            assert_eq!(uri(bad), Err(NotARoot::NotWhole), "{bad}");
        }
    }

    /// A URL library leaves such a segment out of a path, and goes up in a URI.
    #[test]
    fn no_other_folder_is_told_than_what_was_typed() {
        for parent in [
            "/home/ada/../bob",
            "/..",
            "/home/ada/..",
            r"C:\Users\Ada\..\Bob",
            "c:/a/../b",
            r"\\nas\share\..\private",
            "file:///home/ada/../bob",
            "file:///home/ada/%2e%2E",
            "file:///home/ada/.%2e/bob?x",
        ] {
            assert_eq!(uri(parent), Err(NotARoot::Parent), "{parent}");
        }
        for characters in ["/home/a\tb", "file:///a\nb", r"file:///home/a\b"] {
            assert_eq!(uri(characters), Err(NotARoot::Characters), "{characters}");
        }
    }
}
