//! Other clients: the places and formats of their configuration files.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// Limit of a configuration file or text, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;

/// A client whose configuration is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Client {
    ClaudeDesktop,
    ClaudeCode,
    VsCode,
    Cursor,
    Windsurf,
    Cline,
    Zed,
    Codex,
    GeminiCli,
    Goose,
    OpenCode,
    /// Sonde on another computer. It has no file of its own there.
    Sonde,
}

/// Facts about a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientFacts {
    /// The client itself.
    pub(super) client: Client,
    /// Names it in commands, in snake_case.
    pub(super) id: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// Name of the list of servers in its configuration.
    pub(super) container: &'static str,
    /// A variable that names the folder of its file, and the file in there.
    variable: Option<(&'static str, &'static str)>,
    /// Its files. `~` is the user's home, `$CONFIG` the folder `~/.config` (on Linux `$XDG_CONFIG_HOME`, if that is
    /// set), and `$APP` the folder of application data on each system.
    files: &'static [&'static str],
    /// Files on Windows, where they differ.
    windows: Option<&'static [&'static str]>,
}

/// Facts that hold for most clients.
const USUAL: ClientFacts = ClientFacts {
    client: Client::ClaudeDesktop,
    id: "",
    name: "",
    container: "mcpServers",
    variable: None,
    files: &[],
    windows: None,
};

/// All clients, in the order of the menus. The paths are from their documentation.
pub(super) static CLIENTS: [ClientFacts; 11] = [
    ClientFacts {
        client: Client::ClaudeDesktop,
        id: "claude_desktop",
        name: "Claude Desktop",
        files: &["$APP/Claude/claude_desktop_config.json"],
        ..USUAL
    },
    ClientFacts {
        client: Client::ClaudeCode,
        id: "claude_code",
        name: "Claude Code",
        variable: Some(("CLAUDE_CONFIG_DIR", ".claude.json")),
        files: &["~/.claude.json"],
        ..USUAL
    },
    ClientFacts {
        client: Client::VsCode,
        id: "vs_code",
        name: "VS Code",
        container: "servers",
        files: &[
            "$APP/Code/User/mcp.json",
            "$APP/Code - Insiders/User/mcp.json",
        ],
        ..USUAL
    },
    ClientFacts {
        client: Client::Cursor,
        id: "cursor",
        name: "Cursor",
        files: &["~/.cursor/mcp.json"],
        ..USUAL
    },
    ClientFacts {
        client: Client::Windsurf,
        id: "windsurf",
        name: "Windsurf",
        files: &["~/.codeium/windsurf/mcp_config.json"],
        ..USUAL
    },
    ClientFacts {
        client: Client::Cline,
        id: "cline",
        name: "Cline",
        files: &[
            "$APP/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "~/.cline/data/settings/cline_mcp_settings.json",
        ],
        ..USUAL
    },
    ClientFacts {
        client: Client::Zed,
        id: "zed",
        name: "Zed",
        container: "context_servers",
        files: &["$CONFIG/zed/settings.json"],
        windows: Some(&["$APP/Zed/settings.json"]),
        ..USUAL
    },
    ClientFacts {
        client: Client::Codex,
        id: "codex",
        name: "Codex",
        container: "mcp_servers",
        variable: Some(("CODEX_HOME", "config.toml")),
        files: &["~/.codex/config.toml"],
        ..USUAL
    },
    ClientFacts {
        client: Client::GeminiCli,
        id: "gemini_cli",
        name: "Gemini CLI",
        files: &["~/.gemini/settings.json"],
        ..USUAL
    },
    ClientFacts {
        client: Client::Goose,
        id: "goose",
        name: "Goose",
        container: "extensions",
        files: &["$CONFIG/goose/config.yaml"],
        windows: Some(&["$APP/Block/goose/config/config.yaml"]),
        ..USUAL
    },
    ClientFacts {
        client: Client::OpenCode,
        id: "opencode",
        name: "opencode",
        container: "mcp",
        files: &[
            "$CONFIG/opencode/opencode.json",
            "$CONFIG/opencode/opencode.jsonc",
        ],
        ..USUAL
    },
];

/// The folders that the places of clients begin with.
#[derive(Clone, Debug)]
pub(super) struct Folders {
    home: PathBuf,
    /// `$XDG_CONFIG_HOME`, or its default.
    config: PathBuf,
    /// `%APPDATA%`, or its default.
    roaming: PathBuf,
    /// The environment variables of clients count: set unless a home folder was given.
    variables: bool,
}

impl Folders {
    /// Finds the folders of the user, or below the given home folder; `None` when there is none.
    pub(super) fn find(home: Option<&Path>) -> Option<Self> {
        let variables = home.is_none();
        let variable = |name: &str| {
            let value = std::env::var_os(name).filter(|_| variables)?;
            Some(PathBuf::from(value)).filter(|path| path.is_absolute())
        };
        let home = home.map(Path::to_owned).or_else(std::env::home_dir)?;
        Some(Self {
            config: variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")),
            roaming: variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming")),
            home,
            variables,
        })
    }
}

impl ClientFacts {
    /// Returns the paths of its files on this system, existing or not.
    pub(super) fn paths(&self, folders: &Folders) -> Vec<PathBuf> {
        let system = match std::env::consts::OS {
            "macos" => 1,
            "windows" => 2,
            _ => 0,
        };
        self.paths_on(system, folders)
    }

    fn files_on(&self, system: usize) -> &'static [&'static str] {
        self.windows.filter(|_| system == 2).unwrap_or(self.files)
    }

    fn paths_on(&self, system: usize, folders: &Folders) -> Vec<PathBuf> {
        if let Some((variable, file)) = self.variable.filter(|_| folders.variables)
            && let Some(folder) = std::env::var_os(variable).map(PathBuf::from)
            && folder.is_absolute()
        {
            return vec![folder.join(file)];
        }
        let place = |file: &&str| {
            let (begin, rest) = file.split_once('/')?;
            let folder = match (begin, system) {
                ("~", _) => &folders.home,
                ("$CONFIG" | "$APP", 0) => &folders.config,
                ("$CONFIG", _) => &folders.home.join(".config"),
                ("$APP", 1) => &folders.home.join("Library/Application Support"),
                ("$APP", _) => &folders.roaming,
                _ => return None,
            };
            Some(
                rest.split('/')
                    .fold(folder.clone(), |path, part| path.join(part)),
            )
        };
        self.files_on(system).iter().filter_map(place).collect()
    }
}

/// Reads a file of another client; `None` if it does not exist.
///
/// # Errors
/// One plain sentence if it is not a plain text file of a reasonable size, or cannot be read.
pub(super) fn read_file(path: &Path) -> Result<Option<String>, String> {
    let unreadable = |error: std::io::Error| format!("The file cannot be read: {error}.");
    let facts = match std::fs::symlink_metadata(path) {
        Ok(facts) => facts,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        // A folder on the way is a file.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if facts.is_symlink() {
        return Err(
            "The file is a symbolic link, which is not followed. Open or drop the file that it \
             leads to."
                .to_owned(),
        );
    }
    let not_plain = || "It is not a plain file.".to_owned();
    let too_long = || "The file is larger than 4 MiB and was not read.".to_owned();
    if !facts.is_file() {
        return Err(not_plain());
    }
    if facts.len() > LONGEST as u64 {
        return Err(too_long());
    }
    let file = File::open(path).map_err(unreadable)?;
    // The file may have been replaced meanwhile.
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(not_plain());
    }
    let mut bytes = Vec::new();
    file.take(LONGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() > LONGEST {
        return Err(too_long());
    }
    let text = String::from_utf8(bytes);
    text.map(Some)
        .map_err(|_| "The file is not text in UTF-8.".to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_client_has_its_places_on_every_system() {
        let folders = Folders::find(Some(Path::new("/home/ada"))).unwrap();
        let mut seen = HashSet::new();
        for client in &CLIENTS {
            assert!(seen.insert(client.id), "{} twice", client.id);
            for system in 0..3 {
                let paths = client.paths_on(system, &folders);
                assert_eq!(
                    paths.len(),
                    client.files_on(system).len(),
                    "{}",
                    client.name
                );
                assert!(!paths.is_empty());
                for path in paths {
                    assert!(path.starts_with("/home/ada"), "{}", path.display());
                    assert!(!path.display().to_string().contains(['~', '$', '%']));
                }
            }
        }
        let path = |id, system| {
            let client = CLIENTS.iter().find(|one| one.id == id).unwrap();
            client.paths_on(system, &folders)[0].display().to_string()
        };
        assert_eq!(path("codex", 0), "/home/ada/.codex/config.toml");
        assert_eq!(path("zed", 0), "/home/ada/.config/zed/settings.json");
        assert_eq!(
            path("claude_desktop", 1),
            "/home/ada/Library/Application Support/Claude/claude_desktop_config.json"
        );
        assert_eq!(
            path("goose", 2).replace('\\', "/"),
            "/home/ada/AppData/Roaming/Block/goose/config/config.yaml"
        );
    }

    #[test]
    fn only_plain_files_of_a_reasonable_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert_eq!(read_file(&path("none")), Ok(None));
        std::fs::write(path("plain"), "{}").unwrap();
        assert_eq!(read_file(&path("plain")), Ok(Some("{}".to_owned())));
        assert_eq!(read_file(&path("plain").join("below")), Ok(None));
        std::fs::write(path("bytes"), [0xff, 0xfe]).unwrap();
        assert!(read_file(&path("bytes")).unwrap_err().contains("UTF-8"));
        assert!(read_file(folder.path()).unwrap_err().contains("plain file"));
        File::create(path("huge"))
            .unwrap()
            .set_len(LONGEST as u64 + 1)
            .unwrap();
        assert!(read_file(&path("huge")).unwrap_err().contains("4 MiB"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("plain"), path("link")).unwrap();
            assert!(
                read_file(&path("link"))
                    .unwrap_err()
                    .contains("symbolic link")
            );
            std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
            assert!(
                read_file(&path("socket"))
                    .unwrap_err()
                    .contains("plain file")
            );
        }
    }
}
