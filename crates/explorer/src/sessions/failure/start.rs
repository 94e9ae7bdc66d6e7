//! There is no transport: the process did not start, the address is none, a secret is missing.

use std::io;

use sonde_wire::SpawnError;

use super::{Failure, FailureContext, Words as _, advice, failure, transport};
use crate::{calls::sentence, servers::PathSource, sessions::link::NoLink};

/// Why no transport could be opened.
pub(in crate::sessions) fn no_link(error: &NoLink, context: &FailureContext<'_>) -> Failure {
    let mut failure = match error {
        NoLink::Spawn { error, path } => spawn(error, path),
        NoLink::Wire(error) => transport::wire(error, context),
        NoLink::Secret { name, error } => {
            let (kind, name) = name.split_once(':').unwrap_or(("", name));
            let what = if kind == "header" {
                "header"
            } else {
                "variable"
            };
            match error {
                None => failure(
                    "secret_missing",
                    format!("The secret value of the {what} `{name}` is not in the keyring."),
                    "It was removed there, the keyring is locked, or this app never saved it.",
                )
                .advise("Unlock the keyring and connect again.")
                .advise("Or edit the server and enter the secret anew."),
                Some(error) => failure(
                    "keyring_unavailable",
                    format!("The secret value of the {what} `{name}` could not be read."),
                    sentence(&error.to_string()),
                )
                .advise("Unlock or start the system's keyring and connect again.")
                .advise("Or edit the server and enter the secret anew: it then stays in memory."),
            }
        }
        NoLink::NoDemo => failure(
            "demo_missing",
            "The demo server is not here.",
            "This build of Sonde was made without it.",
        ),
        NoLink::DemoSilent => failure(
            "demo_silent",
            "The demo server did not say where it listens.",
            "It did not start to listen on a local port in time.",
        )
        .advise("Connect again, or use the demo server over stdio."),
    };
    (failure.stderr_tail, failure.noise_tail) = context.tap.tails();
    failure
}

fn spawn(error: &SpawnError, path: &PathSource) -> Failure {
    match error {
        SpawnError::NotFound { command, searched } if searched.is_empty() => failure(
            "command_not_found",
            format!("The program `{command}` was not found."),
            "There is no such file.",
        )
        .advise("Check the path for typing errors; a relative path starts at the working folder.")
        .detail(format!("Looked for: {command}")),
        SpawnError::NotFound { command, searched } => {
            let mut failure = failure(
                "command_not_found",
                format!("The program `{command}` was not found."),
                format!(
                    "It is in none of the {} folders where programs are looked for.",
                    searched.len()
                ),
            );
            if command.contains(char::is_whitespace) {
                failure = failure.advise(
                    "The command contains spaces: put the program's name alone into the command, \
                     and everything after it into the arguments.",
                );
            }
            if let Some(hint) = advice::where_from(command) {
                failure = failure.advise(hint);
            }
            let folders: Vec<_> = searched
                .iter()
                .map(|folder| folder.display().to_string())
                .collect();
            failure
                .advise(
                    "If it works in a terminal, enter the full path of the program (`which` shows \
                     it), or set PATH in this server's environment.",
                )
                .detail(format!(
                    "Folders searched. {}\n{}",
                    path.sentence,
                    folders.join("\n")
                ))
        }
        SpawnError::NotExecutable { path } => failure(
            "not_executable",
            format!("`{}` cannot be run as a program.", path.display()),
            if path.is_dir() {
                "It is a folder."
            } else {
                "The file is there, but it is not marked as executable."
            },
        )
        .advise(advice::run_script(path)),
        SpawnError::BadWorkingDirectory { path } => failure(
            "bad_working_directory",
            format!("The working folder `{}` does not exist.", path.display()),
            "A program needs an existing folder to start in.",
        )
        .advise("Edit the server: correct the folder, or leave it empty for your home folder."),
        SpawnError::Io { command, source } => {
            let failure = failure(
                "start_failed",
                format!("The program `{command}` could not be started."),
                sentence(&source.to_string()),
            );
            // ENOEXEC has no stable kind of its own.
            if source.raw_os_error() == Some(8) && cfg!(unix) {
                return failure.advise(
                    "The system does not know how to run this file. A script needs a first line \
                     like `#!/usr/bin/env python3`; a program must be made for this system.",
                );
            }
            match source.kind() {
                io::ErrorKind::ArgumentListTooLong => {
                    failure.advise("The arguments and environment are too long together.")
                }
                io::ErrorKind::NotFound => failure.advise(
                    "The file is there, so what is missing is probably the interpreter that its \
                     first line names.",
                ),
                _ => failure.advise("Try the same command in a terminal."),
            }
        }
    }
}
