//! Parts of the proof that run beside the others, in a process of their own.

use std::{
    io::{self, BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
};

use anyhow::{Context as _, Result, ensure};

use super::{Part, kept_file, report::Report};
use crate::{files, project};

/// Running parts. Their lines are printed at once, each with a mark before it.
pub(crate) struct Beside {
    child: Child,
    printer: JoinHandle<()>,
    report: PathBuf,
}

impl Beside {
    /// Starts `cargo xtask test` for these parts, if there are any. With `yields`, other processes take precedence.
    pub(crate) fn start(parts: &[Part], all: bool, yields: bool) -> Result<Option<Self>> {
        if parts.is_empty() {
            return Ok(None);
        }
        let names: Vec<String> = parts.iter().map(project::name_of).collect();
        let report = kept_file(&format!("{}.json", names.join("-")))?;
        files::remove(&report)?;
        let program = project::own_program()?;
        let mut command = if yields && cfg!(unix) {
            let mut nice = Command::new("nice");
            nice.args(["-n", "10"]).arg(program);
            nice
        } else {
            Command::new(program)
        };
        command
            .args(["test", "--only", &names.join(","), "--report"])
            .arg(&report);
        if all {
            command.arg("--all");
        }
        let (output, input) = io::pipe()?;
        let child = command
            .current_dir(project::root())
            .stdin(Stdio::null())
            .stdout(input.try_clone()?)
            .stderr(input)
            .spawn()
            .with_context(|| format!("starting {}", names.join(", ")))?;
        // Marks the lines of the other process, so that they can be told apart. They end with it: the command, which has
        // the other side of the pipe, is dropped here.
        let printer = thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                println!("│ {line}");
            }
        });
        Ok(Some(Self {
            child,
            printer,
            report,
        }))
    }

    /// Waits for the end, and adds the results.
    pub(crate) fn finish(mut self, report: &mut Report) -> Result<()> {
        let status = self.child.wait()?;
        ensure!(self.printer.join().is_ok(), "printing a line panicked");
        ensure!(status.success(), "the process ended with {status}");
        report.add(&self.report)
    }
}
