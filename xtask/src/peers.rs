//! Servers of other authors, for tests.

use std::{path::Path, process::Command};

use anyhow::Result;

use crate::{project, step, ui};

/// Installs the servers, unless that was done already.
pub(crate) fn install() -> Result<()> {
    ui::install("tests/peers")?;
    let venv = project::cache_path("peers/venv");
    let requirements = project::root().join("tests/peers/requirements.txt");
    let stamp = venv.join("requirements.txt");
    let wanted = std::fs::read(&requirements)?;
    if std::fs::read(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    // Debian's own interpreter: another one may lack the venv module, or be a script that searches for one. The tests
    // start only the environment's.
    let debian = Path::new("/usr/bin/python3");
    let python = if debian.exists() {
        debian
    } else {
        Path::new("python3")
    };
    step::quiet(
        "Make a Python environment",
        Command::new(python)
            .args(["-m", "venv", "--clear"])
            .arg(&venv),
    )?;
    step::quiet(
        "Install the Python servers",
        Command::new(venv.join("bin/python"))
            .args([
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(&requirements),
    )?;
    std::fs::write(stamp, wanted)?;
    Ok(())
}
