//! Parts of the proof that run beside the others, in a process of their own.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
};

use anyhow::{Context as _, Result, ensure};

use super::{Part, report::Report};
use crate::project;

/// Running parts. Their lines are printed at once, each with a mark before it.
pub(crate) struct Beside {
    child: Child,
    printers: Vec<JoinHandle<()>>,
    report: PathBuf,
}

impl Beside {
    /// Starts `cargo xtask test` for these parts, if there are any. With `yields`, other processes take precedence.
    pub(crate) fn start(parts: &[Part], all: bool, yields: bool) -> Result<Option<Self>> {
        if parts.is_empty() {
            return Ok(None);
        }
        let names: Vec<String> = parts.iter().map(|part| part.name()).collect();
        let report = project::cache_path("proof").join(format!("{}.json", names.join("-")));
        if let Some(folder) = report.parent() {
            fs::create_dir_all(folder)?;
        }
        if let Err(error) = fs::remove_file(&report)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error).with_context(|| format!("removing {}", report.display()));
        }
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
        let mut child = command
            .current_dir(project::root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", names.join(", ")))?;
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|output| Box::new(output) as _),
            child.stderr.take().map(|output| Box::new(output) as _),
        ];
        let printers = outputs.into_iter().flatten().map(print).collect();
        Ok(Some(Self {
            child,
            printers,
            report,
        }))
    }

    /// Waits for the end, and adds the results.
    pub(crate) fn finish(mut self, report: &mut Report) -> Result<()> {
        let status = self.child.wait()?;
        for printer in self.printers {
            ensure!(printer.join().is_ok(), "printing a line panicked");
        }
        ensure!(status.success(), "the process ended with {status}");
        report.add(&self.report)
    }
}

/// Marks the lines of another process, so that they can be told apart.
fn print(output: Box<dyn Read + Send>) -> JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("│ {line}");
        }
    })
}
