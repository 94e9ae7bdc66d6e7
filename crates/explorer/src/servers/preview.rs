//! The exact command of a stdio server, for the eyes of the user.

use std::{ffi::OsString, path::PathBuf};

use sonde_wire::stdio::{self, StdioSpec};

use super::{
    config::{ConfigValue, NamedValue, Transport},
    entry::fingerprint,
};

/// The exact command of a server, to be shown whole before it runs for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPreview {
    /// Confirms exactly this command.
    pub fingerprint: String,
    /// The program file that will run; `None` when it was not found.
    pub program: Option<String>,
    /// Program as configured, then the arguments.
    pub argv: Vec<String>,
    /// The variables that are set beside the inherited ones.
    pub env: Vec<NamedValue>,
    /// Where it runs.
    pub cwd: String,
    /// The PATH it gets.
    pub path: String,
    /// Where that PATH comes from, as a plain sentence.
    pub path_source: String,
    /// Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
    pub warnings: Vec<String>,
}

/// Where programs are searched for.
#[derive(Clone, Debug)]
pub(crate) struct PathSource {
    /// `None`: the environment of this process.
    pub(crate) path: Option<OsString>,
    /// One plain sentence.
    pub(crate) sentence: String,
}

impl PathSource {
    /// The PATH for a server with these variables. A desktop starts the app without what the
    /// user's shell profile adds, so then the login shell is asked (once per run).
    pub(crate) async fn find(env: &[NamedValue], from_desktop: bool) -> Self {
        let own = env.iter().any(|var| {
            var.name == "PATH" || (cfg!(windows) && var.name.eq_ignore_ascii_case("PATH"))
        });
        if own {
            return Self {
                path: None,
                sentence: "From this server's own environment variables.".to_owned(),
            };
        }
        if from_desktop {
            return match stdio::login_shell_path().await {
                Some(path) => Self {
                    path: Some(path),
                    sentence: "From your login shell, as in a terminal.".to_owned(),
                },
                None => Self {
                    path: None,
                    sentence: "From the desktop environment, because the login shell did not \
                        respond. Programs installed by a version manager may be missing."
                        .to_owned(),
                },
            };
        }
        Self {
            path: None,
            sentence: "From the environment in which Sonde was started.".to_owned(),
        }
    }
}

/// The folder in which a server runs: what was configured, `~` standing for the home folder, else
/// the home folder.
pub(crate) fn working_folder(cwd: Option<&str>) -> Option<PathBuf> {
    let home = std::env::home_dir();
    match cwd {
        None | Some("~") => home,
        Some(cwd) => match (cwd.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(PathBuf::from(cwd)),
        },
    }
}

/// The preview; `None` when the transport runs no command of the user's.
pub(crate) async fn preview(transport: &Transport, from_desktop: bool) -> Option<CommandPreview> {
    let Transport::Stdio {
        command,
        args,
        env,
        cwd,
    } = transport
    else {
        return None;
    };
    let source = PathSource::find(env, from_desktop).await;
    let folder = working_folder(cwd.as_deref());
    let own_path = env.iter().find_map(|var| match &var.value {
        ConfigValue::Plain(value) if var.name.eq_ignore_ascii_case("PATH") => Some(value.clone()),
        _ => None,
    });
    let spec = StdioSpec {
        cwd: folder.clone(),
        path: own_path.map(OsString::from).or(source.path),
        ..StdioSpec::new(command.as_str())
    };
    let mut warnings = warnings(command, args);
    let found = stdio::resolve(&spec).await;
    let path = match &found {
        Ok((_, path)) => path.clone(),
        Err(_) => spec
            .path
            .or_else(|| std::env::var_os("PATH"))
            .unwrap_or_default(),
    };
    let program = match found {
        Ok((program, _)) => Some(program.display().to_string()),
        Err(error) => {
            warnings.insert(0, format!("It cannot be started: {error}."));
            None
        }
    };
    let mut argv = vec![command.clone()];
    argv.extend(args.iter().cloned());
    Some(CommandPreview {
        fingerprint: fingerprint(transport)?,
        program,
        argv,
        env: env.clone(),
        cwd: folder
            .map(|folder| folder.display().to_string())
            .unwrap_or_default(),
        path: path.to_string_lossy().into_owned(),
        path_source: source.sentence,
        warnings,
    })
}

/// What is remarkable about a command, as plain sentences.
fn warnings(command: &str, args: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    let name = command
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(command)
        .trim_end_matches(".exe")
        .trim_end_matches(".cmd")
        .to_ascii_lowercase();
    let has = |flags: &[&str]| args.iter().any(|arg| flags.contains(&arg.as_str()));
    let package = || {
        args.iter()
            .find(|arg| !arg.starts_with('-') && *arg != "run" && *arg != "dlx" && *arg != "exec")
            .map_or_else(|| "a package".to_owned(), |arg| format!("`{arg}`"))
    };
    let shells = [
        "sh",
        "bash",
        "zsh",
        "dash",
        "fish",
        "cmd",
        "powershell",
        "pwsh",
    ];
    let flags = [
        "-c",
        "-lc",
        "-ic",
        "/c",
        "/C",
        "-Command",
        "-EncodedCommand",
    ];
    if shells.contains(&name.as_str()) && has(&flags) {
        warnings.push(format!(
            "It passes a script to the shell `{name}`, which can do anything you can do."
        ));
    }
    match name.as_str() {
        "npx" | "bunx" | "pnpx" => warnings.push(format!(
            "It downloads {} from the npm registry if it is not there yet, and runs it.",
            package()
        )),
        "npm" | "pnpm" | "yarn" if has(&["exec", "dlx"]) => warnings.push(format!(
            "It downloads {} from the npm registry if it is not there yet, and runs it.",
            package()
        )),
        "uvx" | "pipx" => warnings.push(format!(
            "It downloads {} from the Python package index if it is not there yet, and runs it.",
            package()
        )),
        "docker" | "podman" if has(&["run"]) => warnings.push(
            "It starts a container; the image is downloaded if it is not there yet.".to_owned(),
        ),
        "deno" if has(&["-A", "--allow-all"]) => {
            warnings.push("It grants the script all permissions.".to_owned());
        }
        "sudo" | "doas" | "pkexec" | "runas" => {
            warnings.push(format!(
                "It runs with different permissions than yours, through `{name}`."
            ));
        }
        _ => {}
    }
    let script = args.join(" ");
    let fetches = script.contains("curl ") || script.contains("wget ") || script.contains("iwr ");
    let pipes = [
        "| sh", "|sh", "| bash", "|bash", "| zsh", "| python", "| iex", "|iex", "$(curl",
    ];
    if fetches && pipes.iter().any(|pipe| script.contains(pipe)) {
        warnings.push(
            "It downloads a script from the internet and runs it without showing it.".to_owned(),
        );
    }
    if script.contains("rm -rf") || script.contains("rm -fr") {
        warnings.push("It contains a command that deletes directories.".to_owned());
    }
    if args.iter().any(|arg| super::secret_names::shape(arg)) {
        warnings.push(
            "An argument looks like a key or password. Arguments are saved in plain text and \
             visible to other programs; environment variables marked as secret are not."
                .to_owned(),
        );
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(line: &[&str]) -> String {
        let args: Vec<String> = line[1..].iter().map(|arg| (*arg).to_owned()).collect();
        warnings(line[0], &args).join(" ")
    }

    #[test]
    fn remarkable_commands_are_remarked() {
        for (line, words) in [
            (
                &["npx", "-y", "@scope/server"][..],
                "`@scope/server` from the npm registry",
            ),
            (&["C:\\x\\npx.cmd", "-y", "server"], "npm registry"),
            (&["uvx", "mcp-server-time"], "Python package index"),
            (&["/bin/sh", "-c", "true"], "passes a script"),
            (
                &["bash", "-lc", "curl https://x | sh"],
                "without showing it",
            ),
            (&["docker", "run", "image"], "container"),
            (&["sudo", "server"], "different permissions"),
            (
                &["server", "--key", "sk-0123456789abcdef"],
                "looks like a key",
            ),
        ] {
            assert!(warned(line).contains(words), "{line:?}: {}", warned(line));
        }
        assert_eq!(warned(&["python3", "server.py", "--port", "1"]), "");
        assert_eq!(warned(&["bash", "script.sh"]), "");
    }

    #[tokio::test]
    async fn the_preview_shows_what_will_run_and_hides_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let transport = Transport::Stdio {
            command: "sh".to_owned(),
            args: vec!["x y".to_owned()],
            env: vec![NamedValue {
                name: "TOKEN".to_owned(),
                value: ConfigValue::Secret,
            }],
            cwd: Some(folder.path().display().to_string()),
        };
        let shown = preview(&transport, false).await.unwrap();
        assert!(shown.program.unwrap().ends_with("/sh"));
        assert_eq!(shown.argv, ["sh", "x y"]);
        assert_eq!(shown.cwd, folder.path().display().to_string());
        assert!(!shown.path.is_empty());
        assert!(shown.warnings.is_empty());

        let missing = Transport::Stdio {
            command: "no-such-program".to_owned(),
            args: Vec::new(),
            env: vec![NamedValue {
                name: "PATH".to_owned(),
                value: ConfigValue::Plain("/nowhere".to_owned()),
            }],
            cwd: None,
        };
        let shown = preview(&missing, false).await.unwrap();
        assert_eq!(shown.program, None);
        assert_eq!(shown.path, "/nowhere");
        assert!(shown.path_source.contains("own environment"));
        assert!(
            shown.warnings[0].contains("was not found"),
            "{:?}",
            shown.warnings
        );
        assert!(
            preview(&Transport::Demo { http: false }, false)
                .await
                .is_none()
        );
    }
}
