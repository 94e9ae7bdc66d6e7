//! Failures before there is a transport: the process did not start, the address is invalid, a secret is missing.

use std::io;

use sonde_wire::SpawnError;

use super::{Failure, FailureContext, advice, failure, transport};
use crate::{sessions::transport::OpenError, text::sentence};

/// Explains why no transport could be opened.
pub(in crate::sessions) fn not_opened(error: &OpenError, context: &FailureContext<'_>) -> Failure {
    let mut failure = match error {
        OpenError::Spawn { error, path_source } => spawn(error, path_source),
        OpenError::Wire(error) => transport::wire(error, context),
        OpenError::Secret(missing) => match &missing.error {
            None => failure(
                "secret_missing",
                missing.sentence(),
                "It was removed, the keyring is locked, or Sonde never saved it.",
            )
            .advise("Unlock the keyring and reconnect.")
            .advise("Or edit the server and enter the secret again."),
            Some(error) => failure(
                "keyring_unavailable",
                missing.sentence(),
                sentence(&error.to_string()),
            )
            .advise("Unlock or start the system's keyring and reconnect.")
            .advise("Or edit the server and enter the secret again: it then stays in memory."),
        },
        OpenError::NoDemo => failure(
            "demo_missing",
            "The demo server is not available.",
            "This build of Sonde does not include it.",
        ),
        OpenError::DemoSilent => failure(
            "demo_silent",
            "The demo server did not report its address.",
            "It did not start listening on a local port in time.",
        )
        .advise("If it happens again, use the demo server over stdio."),
    };
    (failure.stderr_tail, failure.non_message_tail) = context.tap.tails();
    failure
}

fn spawn(error: &SpawnError, path_source: &str) -> Failure {
    match error {
        SpawnError::NotFound { command, searched } if searched.is_empty() => failure(
            "command_not_found",
            format!("The command `{command}` was not found."),
            "There is no such file.",
        )
        .advise("Check the path; a relative path starts at the working directory.")
        .detail(format!("Looked for: {command}")),
        SpawnError::NotFound { command, searched } => {
            let mut failure = failure(
                "command_not_found",
                format!("The command `{command}` was not found."),
                format!(
                    "It is in none of the {} directories of the PATH.",
                    searched.len()
                ),
            );
            if command.contains(char::is_whitespace) {
                failure = failure.advise(
                    "The command contains spaces: enter only the program as the command and the \
                     rest as arguments.",
                );
            }
            let folders: Vec<_> = searched
                .iter()
                .map(|folder| folder.display().to_string())
                .collect();
            failure
                .advise_if_any(advice::where_from(command))
                .advise(
                    "If it works in a terminal, enter the full path of the program (`which` shows \
                     it), or set PATH in this server's environment variables.",
                )
                .detail(format!(
                    "Directories searched. {}\n{}",
                    path_source,
                    folders.join("\n")
                ))
        }
        SpawnError::NotExecutable { path } => failure(
            "not_executable",
            format!("`{}` cannot be run as a program.", path.display()),
            if path.is_dir() {
                "It is a directory."
            } else {
                "The file is there, but it is not marked as executable."
            },
        )
        .advise(advice::run_script(path)),
        SpawnError::BadWorkingDirectory { path } => failure(
            "bad_working_directory",
            format!("The working directory `{}` does not exist.", path.display()),
            "A process needs an existing directory to start in.",
        )
        .advise("Edit the server: correct the directory, or leave it empty for your home folder."),
        SpawnError::Io { command, source } => {
            let failure = failure(
                "start_failed",
                format!("The command `{command}` could not be started."),
                sentence(&source.to_string()),
            );
            // ENOEXEC has no stable `ErrorKind`.
            if source.raw_os_error() == Some(8) && cfg!(unix) {
                return failure.advise(
                    "The system cannot run this file. A script needs a first line like \
                     `#!/usr/bin/env python3`; a binary must be built for this system.",
                );
            }
            match source.kind() {
                io::ErrorKind::ArgumentListTooLong => {
                    failure.advise("The arguments and environment are too long.")
                }
                io::ErrorKind::NotFound => failure.advise(
                    "The file exists, so the interpreter named in its first line is probably \
                     missing.",
                ),
                _ => failure.advise("Try the same command in a terminal."),
            }
        }
    }
}
