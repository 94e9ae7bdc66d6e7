//! `sonde`: calls, lists, checks, tests and diagnoses MCP servers from the command line. Needs no display.

mod exit;
mod units;
mod console;
mod stop;
mod arguments;
mod answers;
mod servers;
mod follow;
mod session;
mod content;
mod report;
mod commands;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, error::ContextKind};
use sonde_validation::worker;
use sonde_wire::stdio::watchdog;

use crate::{
    commands::Sonde,
    console::{BOLD, Console, RED, finish_output, quoted, styled},
    exit::{Exit, Failed},
    stop::Stop,
};

/// Shared by all commands.
pub(crate) struct Context {
    pub(crate) console: Console,
    pub(crate) stop: Stop,
}

fn main() -> ExitCode {
    // This program is also started as two helper processes: the watchdog, which outlives a killed program to end the
    // servers that it had started, and the process that checks values against schemas.
    match std::env::args().nth(1).as_deref() {
        Some(watchdog::ARGUMENT) => {
            watchdog::run(std::io::stdin());
            return ExitCode::SUCCESS;
        }
        Some(worker::ARGUMENT) => {
            return match worker::run() {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("{error}");
                    ExitCode::FAILURE
                }
            };
        }
        _ => {}
    }
    let matches = commands::with_exit_codes(Sonde::command()).try_get_matches();
    let sonde = match matches.and_then(|matches| Sonde::from_arg_matches(&matches)) {
        Ok(sonde) => sonde,
        Err(mut error) => {
            // It suggests to write a mistyped option after `--`, which would start it as a server.
            error.remove(ContextKind::Suggested);
            error.exit()
        }
    };
    let runtime = sonde.command.runtime().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("sonde: {error}");
            return Exit::Incomplete.code().into();
        }
    };
    let console = Console::new(sonde.quiet);
    let done = runtime.block_on(async {
        let context = Context {
            console: console.clone(),
            stop: Stop::listen(),
        };
        sonde.command.run(&context).await
    });
    let done = match (done, finish_output()) {
        (Ok(_), Some(error)) => Err(Failed::incomplete(format!(
            "Standard output could not be written: {error}."
        ))),
        (done, _) => done,
    };
    let exit = match done {
        Ok(exit) => exit,
        Err(failed) => {
            tell(&console, &failed);
            failed.exit
        }
    };
    // A read of the terminal that is still pending must not keep the program alive.
    runtime.shutdown_background();
    exit.code().into()
}

fn tell(console: &Console, failed: &Failed) {
    let title = styled(RED.bold(), "error:");
    let message = styled(BOLD, quoted(&failed.message));
    console.say(&format!("{title} {message}"));
    for line in &failed.more {
        console.say(&format!("  {}", quoted(line)));
    }
}
