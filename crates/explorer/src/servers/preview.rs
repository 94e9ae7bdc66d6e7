//! The exact command of a stdio server, for the eyes of the user.

use sonde_wire::stdio;

use super::{
    config::{ConfigValue, Transport},
    entry::{ServerEntry, fingerprint},
    launch::{MissingSecret, launch},
    secret_slots::{arg_place, secrets_in},
    steering,
};
use crate::core::Core;

/// The exact command of a server, to be shown whole before it runs for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPreview {
    /// Confirms exactly this command.
    pub fingerprint: String,
    /// The program file that will run; `None` when it was not found.
    pub program: Option<String>,
    /// Program as configured, then the arguments.
    pub argv: Vec<String>,
    /// What stands in the arguments for secrets, each once.
    pub secret_arguments: Vec<String>,
    /// The variables that are set beside the inherited ones.
    pub env: Vec<CommandVariable>,
    /// The names of the variables that it inherits beside PATH, in order, but those that are set.
    pub inherited: Vec<String>,
    /// Its secrets can be asked for: no command of this server was ever confirmed.
    pub revealable: bool,
    /// Where it runs.
    pub cwd: String,
    /// The PATH it gets.
    pub path: String,
    /// Where that PATH comes from, as a plain sentence.
    pub path_source: String,
    /// Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
    pub warnings: Vec<String>,
}

/// A variable that a command gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandVariable {
    /// Its name.
    pub name: String,
    /// What it is set to; `None` for a secret, but for one that decides what runs.
    pub value: Option<String>,
    /// What it has to do with what runs, one plain sentence.
    pub effect: Option<&'static str>,
}

/// The preview; `None` when the transport runs no command of the user's.
///
/// # Errors
/// When a secret among its variables cannot be had: then nobody knows what would run.
pub(super) async fn preview(
    core: &Core,
    entry: &ServerEntry,
) -> Result<Option<CommandPreview>, MissingSecret> {
    let transport = &entry.config.transport;
    let (
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        },
        Some(fingerprint),
    ) = (transport, fingerprint(transport))
    else {
        return Ok(None);
    };
    let launch = launch(core, &entry.id, command, args, env, cwd.as_deref()).await?;
    let env: Vec<_> = env
        .iter()
        .zip(&launch.spec.env)
        .map(|(var, (_, value))| {
            let effect = steering::effect(&var.name);
            let shown = effect.is_some() || var.value != ConfigValue::Secret;
            CommandVariable {
                name: var.name.clone(),
                value: shown.then(|| value.clone()),
                effect,
            }
        })
        .collect();
    let mut inherited: Vec<_> = stdio::inherited_env()
        .into_iter()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| !stdio::is_path(name) && env.iter().all(|set| set.name != *name))
        .collect();
    inherited.sort();
    let mut warnings = steered(&env);
    warnings.extend(remarkable(command, args));
    let program = match stdio::resolve(&launch.spec).await {
        Ok(program) => Some(program.display().to_string()),
        Err(error) => {
            warnings.insert(0, format!("It cannot be started: {error}."));
            None
        }
    };
    let mut argv = vec![command.clone()];
    argv.extend(args.iter().cloned());
    let mut secret_arguments: Vec<String> = Vec::new();
    for name in args.iter().flat_map(|arg| secrets_in(arg)) {
        let place = arg_place(name);
        if !secret_arguments.contains(&place) {
            secret_arguments.push(place);
        }
    }
    let path = stdio::search_path(&launch.spec);
    Ok(Some(CommandPreview {
        fingerprint,
        program,
        argv,
        secret_arguments,
        env,
        inherited,
        revealable: entry.confirmed.is_none(),
        cwd: launch
            .spec
            .cwd
            .or_else(|| std::env::current_dir().ok())
            .map(|folder| folder.display().to_string())
            .unwrap_or_default(),
        path: path.to_string_lossy().into_owned(),
        path_source: launch.path_source,
        warnings,
    }))
}

/// The variables that decide what runs, one sentence for each kind of them.
fn steered(env: &[CommandVariable]) -> Vec<String> {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for variable in env {
        let Some(effect) = variable.effect else {
            continue;
        };
        let name = format!("`{}`", variable.name);
        match kinds.iter_mut().find(|(kind, _)| *kind == effect) {
            Some((_, names)) => names.push(name),
            None => kinds.push((effect, vec![name])),
        }
    }
    kinds
        .into_iter()
        .map(|(effect, names)| format!("It sets {}. {effect}", names.join(", ")))
        .collect()
}

/// What is remarkable about a command, as plain sentences.
fn remarkable(command: &str, args: &[String]) -> Vec<String> {
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
            "A part of the command looks like a key or password. The command is saved in plain text and \
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
        remarkable(line[0], &args).join(" ")
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
}
