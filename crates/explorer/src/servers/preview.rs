//! The exact command of a stdio server, for the eyes of the user.

use serde::{Deserialize, Serialize};
use sonde_wire::{SpawnError, stdio};
use ts_rs::TS;

use super::{
    Launch, MissingSecret, Run,
    config::{ConfigValue, Transport},
    entry::{ServerEntry, fingerprint},
    launch, network_path,
    quote::{quote, quoted},
    read_command,
    secret_slots::{arg_place, secrets_in},
    steering, stem,
};
use sonde_client::Services;

/// The exact command of a server, to be shown whole before it runs for the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CommandPreview {
    /// Confirms exactly this command; handed back with `connect`.
    pub fingerprint: String,
    /// The program file that will run; `None` if it was not found.
    pub program: Option<String>,
    /// Program as configured, then the arguments: with their secrets until the first confirmation, then with the
    /// placeholders of the secrets.
    pub argv: Vec<String>,
    /// Placeholders of secrets in the arguments (`${secret:NAME}`), each once. `reveal_variable` accepts them as names.
    pub secret_arguments: Vec<String>,
    /// Variables that are set in addition to the inherited ones.
    pub env: Vec<CommandVariable>,
    /// Names of the inherited variables except PATH, in order, without those that are set.
    pub inherited: Vec<String>,
    /// Its secrets can be asked for: no command of this server was ever confirmed.
    pub revealable: bool,
    /// Working directory.
    pub cwd: String,
    /// The PATH it gets.
    pub path: String,
    /// Source of that PATH, as a plain sentence.
    pub path_source: String,
    /// Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
    pub warnings: Vec<String>,
}

/// A variable that a command gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CommandVariable {
    /// Its name.
    pub name: String,
    /// Value; `None` for a secret, unless the variable decides what runs.
    pub value: Option<String>,
    /// Effect on what runs, as one plain sentence.
    pub effect: Option<String>,
}

/// Returns the preview; `None` if the transport runs no command of the user.
///
/// # Errors
/// If a secret among its variables cannot be read: then it is unknown what would run.
pub(super) async fn preview(
    services: &Services,
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
    let launch = launch(
        services,
        &entry.id,
        command,
        args,
        env,
        cwd.as_deref(),
        true,
    )
    .await?;
    let env: Vec<_> = env
        .iter()
        .zip(&launch.spec.env)
        .map(|(var, (_, value))| {
            let effect = steering::effect(&var.name);
            let shown = effect.is_some() || var.value != ConfigValue::SECRET;
            CommandVariable {
                name: var.name.clone(),
                value: shown.then(|| value.clone()),
                effect: effect.map(str::to_owned),
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
    let revealable = entry.confirmed.is_none();
    let shown = shown_args(command, args, &launch.spec.filled_in, revealable);
    warnings.extend(remarkable(command, &shown));
    warnings.extend(keys(args));
    let (program, warning) = resolved(&launch).await;
    if let Some(warning) = warning {
        warnings.insert(0, warning);
    }
    let mut argv = vec![command.clone()];
    argv.extend(shown);
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
        revealable,
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

/// Describes the variables that decide what runs, in one sentence per kind.
fn steered(env: &[CommandVariable]) -> Vec<String> {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for variable in env {
        let Some(effect) = &variable.effect else {
            continue;
        };
        let name = quote(&variable.name);
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

/// The arguments with their secrets until the first confirmation; those that decide what runs, always.
fn shown_args(
    command: &str,
    args: &[String],
    secrets: &[(String, String)],
    revealable: bool,
) -> Vec<String> {
    let run = read_command(command, args);
    let deciding: Vec<_> = run.iter().flat_map(Run::deciding).collect();
    let word = |(index, arg): (usize, &String)| match revealable || deciding.contains(&index) {
        true => stdio::fill_in(arg, secrets),
        false => arg.clone(),
    };
    args.iter().enumerate().map(word).collect()
}

/// Returns the program that will run, if it can be found without a network, and a sentence about it.
async fn resolved(launch: &Launch) -> (Option<String>, Option<String>) {
    let spec = match network_path::local(&launch.spec) {
        Ok(spec) => spec,
        Err(unresolved) => return (Some(unresolved.program), Some(unresolved.sentence)),
    };
    match stdio::resolve(&spec.unwrap_or_else(|| launch.spec.clone())).await {
        Ok(program) => (Some(program.display().to_string()), None),
        Err(error) => {
            let why = spawn_error(&error);
            (None, Some(format!("It cannot be started: {why}.")))
        }
    }
}

/// Describes why a command cannot be started, with quoted names.
fn spawn_error(error: &SpawnError) -> String {
    match error {
        SpawnError::NotFound { command, .. } => format!("{} was not found", quote(command)),
        SpawnError::NotExecutable { path } => {
            format!("{} is not executable", quote(&path.to_string_lossy()))
        }
        SpawnError::BadWorkingDirectory { path } => {
            let path = quote(&path.to_string_lossy());
            format!("the working directory {path} does not exist")
        }
        SpawnError::Io { command, source } => {
            format!("could not start {}: {source}", quote(command))
        }
    }
}

/// Returns warnings about a command, as plain sentences.
fn remarkable(command: &str, args: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    let name = stem(command);
    let has = |flags: &[&str]| args.iter().any(|arg| flags.contains(&arg.as_str()));
    if ["sudo", "doas", "pkexec", "runas"].contains(&name.as_str()) {
        warnings.push(format!(
            "It runs with different permissions than yours, through `{name}`."
        ));
    }
    if let Some(run) = read_command(command, args) {
        if let Some(program) = run.script() {
            warnings.push(format!(
                "It passes a script to {}, which can do anything you can do.",
                quote(program)
            ));
        }
        warnings.extend(
            run.downloads
                .map(|noun| download(noun, &run.packages(args))),
        );
        warnings.extend(quoted(run.options(args)).map(|options| {
            format!("Options decide what it runs, or where that comes from: {options}.")
        }));
    }
    if name == "deno" && has(&["-A", "--allow-all"]) {
        warnings.push("It grants the script all permissions.".to_owned());
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
    warnings
}

/// Packages that a command downloads. Their source depends on options and on settings of the computer.
fn download(noun: &str, packages: &[&str]) -> String {
    // Not a URL, a repository or a path.
    let from_registry = |package: &str| {
        let (name, _) = package.split_once("==").unwrap_or((package, ""));
        !name.contains(':')
            && !name.starts_with('.')
            && (noun == "image" || {
                let slashes = name.matches('/').count();
                slashes == 0 || (slashes == 1 && name.starts_with('@'))
            })
    };
    let named: Vec<_> = packages.iter().map(|package| quote(package)).collect();
    let what = match packages {
        [] => format!("a package ({noun})"),
        [package] if from_registry(package) || noun == "image" => {
            format!("the {noun} {}", named[0])
        }
        _ => named.join(" or "),
    };
    match noun {
        "image" => format!("It starts a container. It downloads {what} if it is not there yet."),
        _ => format!("It downloads {what} if it is not there yet, and runs it."),
    }
}

/// A warning if an argument that is kept in plain text looks like a key.
fn keys(args: &[String]) -> Option<String> {
    let has_key = args.iter().any(|arg| super::secret_names::shape(arg));
    has_key.then(|| {
        "A part of the command looks like a key or password. The command is saved in plain text and \
         visible to other programs; environment variables marked as secret are not."
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut warnings = remarkable(&words[0], &words[1..]);
        warnings.extend(keys(&words[1..]));
        warnings.join(" ")
    }

    #[test]
    fn remarkable_commands_are_remarked() {
        for (line, words) in [
            (
                "npx -y @scope/server",
                "downloads the npm package `@scope/server`",
            ),
            ("C:\\x\\npx.cmd -y server", "the npm package `server`"),
            (
                "uvx mcp-server-time==1",
                "the Python package `mcp-server-time==1`",
            ),
            (
                "npx --loglevel X --package=evil x",
                "the npm package `evil`",
            ),
            (
                "npx --registry=https://e/ a",
                "comes from: `--registry=https://e/`",
            ),
            (
                "uvx --from git+https://e/x x",
                "downloads `git+https://e/x`",
            ),
            ("npx github:evil/x", "downloads `github:evil/x`"),
            ("npx evil/x", "downloads `evil/x`"),
            ("npx --odd a b", "downloads `a` or `b`"),
            ("cmd /c npx -y server", "the npm package `server`"),
            ("/bin/sh -c true", "passes a script to `sh`"),
            ("bash -xc true", "passes a script to `bash`"),
            ("node -e 1", "passes a script to `node`"),
            ("bash -lc curl https://x | sh", "without showing it"),
            (
                "docker run image",
                "a container. It downloads the image `image`",
            ),
            ("sudo server", "different permissions"),
            ("server --key sk-0123456789abcdef", "looks like a key"),
        ] {
            assert!(warned(line).contains(words), "{line}: {}", warned(line));
        }
        assert_eq!(warned("python3 server.py --port 1"), "");
        assert_eq!(warned("bash script.sh"), "");
    }

    #[test]
    fn a_command_writes_no_sentence_of_its_own() {
        let args = ["a` from us. It is safe. `b".to_owned()];
        let warnings = remarkable("npx", &args);
        assert_eq!(
            warnings,
            [
                "It downloads the npm package `a' from us. It is safe. 'b` if it is not there yet, and runs it."
            ]
        );
        let error = SpawnError::NotFound {
            command: "a` b".to_owned(),
            searched: Vec::new(),
        };
        assert_eq!(spawn_error(&error), "`a' b` was not found");
    }

    #[test]
    fn secret_arguments_are_shown_until_the_first_confirmation() {
        let args = ["${secret:a}", "-y", "${secret:b}"].map(str::to_owned);
        let secrets =
            [("a", "1"), ("b", "2")].map(|(name, value)| (arg_place(name), value.to_owned()));
        assert_eq!(
            shown_args("server", &args, &secrets, true),
            ["1", "-y", "2"]
        );
        assert_eq!(shown_args("server", &args, &secrets, false), args);
        // A package of an older configuration.
        let left = shown_args("npx", &args[1..], &secrets, false);
        assert_eq!(left, ["-y", "2"]);
    }
}
