//! A part of the proof that runs beside the others, in a process of its own.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result, bail};

use crate::{project, summary::Summary};

/// A part that runs. What it prints is shown when it has ended, so that no line of it stands among those of
/// another part.
pub(crate) struct Beside {
    name: String,
    child: Child,
    output: PathBuf,
    steps: PathBuf,
}

impl Beside {
    /// Starts `cargo xtask test` for this part alone.
    pub(crate) fn start(part: &str) -> Result<Self> {
        let folder = project::root().join("target/xtask");
        fs::create_dir_all(&folder)?;
        let output = folder.join(format!("{part}.log"));
        let steps = folder.join(format!("{part}.steps.json"));
        if let Err(error) = fs::remove_file(&steps)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error).with_context(|| format!("removing {}", steps.display()));
        }
        let printed =
            File::create(&output).with_context(|| format!("writing {}", output.display()))?;
        println!(
            "▸ {part} beside the following; until it ends its output goes to {}",
            output.display()
        );
        let child = Command::new(project::own_program()?)
            .args(["test", "--only", part, "--steps"])
            .arg(&steps)
            .current_dir(project::root())
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(printed)
            .spawn()
            .with_context(|| format!("starting the part {part}"))?;
        Ok(Self {
            name: part.to_owned(),
            child,
            output,
            steps,
        })
    }

    /// Waits for its end, shows what it printed, and adds its steps to the summary.
    pub(crate) fn finish(mut self, summary: &mut Summary) -> Result<()> {
        let status = self.child.wait()?;
        let printed =
            fs::read(&self.output).with_context(|| format!("reading {}", self.output.display()))?;
        println!("▸ What {} printed meanwhile", self.name);
        io::stdout().write_all(&printed)?;
        if !status.success() {
            bail!("{} failed ({status})", self.name);
        }
        summary.add_saved(&self.steps)
    }
}
