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
    /// What people call it.
    pub name: Option<String>,
}

impl RootFolder {
    /// Its `file://` URI, percent-encoded; `None` for what is neither a whole path nor such a URI.
    #[must_use]
    pub fn uri(&self) -> Option<String> {
        let folder = self.folder.trim();
        if folder
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
        {
            let url = Url::parse(folder).ok()?;
            return (folder.get(5..7) == Some("//")).then(|| url.to_string());
        }
        let is_drive = matches!(folder.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
        let mut url = Url::parse("file:///").ok()?;
        let segments: Vec<&str> = if let Some(share) = folder.strip_prefix(r"\\") {
            let mut parts = share.split(['\\', '/']);
            let host = parts.next().filter(|host| !host.is_empty())?;
            url.set_host(Some(host)).ok()?;
            parts.collect()
        } else if is_drive {
            folder.split(['\\', '/']).collect()
        } else {
            folder.strip_prefix('/')?.split('/').collect()
        };
        let named = segments.into_iter().filter(|segment| !segment.is_empty());
        url.path_segments_mut().ok()?.clear().extend(named);
        Some(url.to_string())
    }
}

/// What a server is told of these folders. Those that cannot be told are left out; `check` refuses them.
pub(crate) fn told(folders: &[RootFolder]) -> Vec<Root> {
    let root = |folder: &RootFolder| {
        Some(Root {
            uri: folder.uri()?,
            name: folder.name.clone(),
        })
    };
    folders.iter().filter_map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(folder: &str) -> Option<String> {
        let folder = folder.to_owned();
        RootFolder { folder, name: None }.uri()
    }

    #[test]
    fn folders_become_uris() {
        for (folder, expected) in [
            ("/home/ada/My work", "file:///home/ada/My%20work"),
            ("/a#b?c%20d/ü/", "file:///a%23b%3Fc%2520d/%C3%BC"),
            ("/", "file:///"),
            (r"C:\Users\Ada", "file:///C:/Users/Ada"),
            ("d:/x", "file:///d:/x"),
            (r"\\nas\share\my docs", "file://nas/share/my%20docs"),
            ("file:///home/ada/My%20work", "file:///home/ada/My%20work"),
            ("FILE:///a b", "file:///a%20b"),
        ] {
            assert_eq!(uri(folder).as_deref(), Some(expected), "{folder}");
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
            assert_eq!(uri(bad), None, "{bad}");
        }
    }
}
