//! A desktop for tests: its own session bus, an unlocked keyring in fresh folders, and a virtual
//! screen.

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::project;

/// Starts the bus with its output, and that of its services, in a file: dozens of lines about the machine that say
/// nothing about a test.
const BUS: &str = "#!/bin/sh\nexec dbus-daemon \"$@\" >>\"$SONDE_BUS_LOG\" 2>&1\n";

/// A command on a desktop of its own, with that desktop's folders, which are removed on drop.
pub(crate) struct Desktop {
    pub(crate) command: Command,
    /// Removed on drop; if that fails, it stays among the temporary files.
    _home: TempDir,
}

/// Wraps a command so that it runs on such a desktop. `screen` adds the virtual screen.
///
/// The folders are new each time: a keyring left over with another password unlocks without an error and then refuses
/// to store anything.
pub(crate) fn desktop(screen: bool, program: &OsStr, args: &[&OsStr]) -> Result<Desktop> {
    let fresh = tempfile::tempdir()?;
    let home = fresh.path();
    let mut command = Command::new("dbus-run-session");
    let runtime = home.join("run");
    let bus = home.join("dbus-daemon");
    fs::create_dir_all(&runtime)?;
    fs::write(&bus, BUS)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for path in [&runtime, &bus] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
        }
    }
    command.arg("--dbus-daemon").arg(bus).arg("--");
    if screen {
        command.args([
            "xvfb-run",
            "--auto-servernum",
            "--server-args=-screen 0 1920x1200x24",
        ]);
    }
    command
        .arg(project::own_program()?)
        .args(["inside", "--"])
        .arg(program)
        .args(args);
    let log = project::cache_path("xtask/session-bus.log");
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    command
        .env("SONDE_BUS_LOG", log)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_RUNTIME_DIR", &runtime)
        .env("NO_AT_BRIDGE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(project::root());
    Ok(Desktop {
        command,
        _home: fresh,
    })
}

/// Runs the inner half: unlocks the keyring, then runs the command.
pub(crate) fn inside(command: &[String]) -> Result<()> {
    let Some((program, args)) = command.split_first() else {
        bail!("no command given")
    };
    unlock_keyring()?;
    let status = Command::new(program)
        .args(args)
        .status()
        .with_context(|| format!("starting {program}"))?;
    std::process::exit(status.code().unwrap_or(1));
}

fn unlock_keyring() -> Result<()> {
    let mut daemon = Command::new("gnome-keyring-daemon")
        .args(["--unlock", "--components=secrets"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("starting gnome-keyring-daemon")?;
    if let Some(mut input) = daemon.stdin.take() {
        input.write_all(b"tests")?;
    }
    daemon.wait()?;
    // The daemon responds on the bus a moment after it has forked.
    let begin = Instant::now();
    loop {
        let probe = Command::new("secret-tool")
            .args(["store", "--label=probe", "sonde-tests", "probe"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .and_then(|mut child| {
                if let Some(mut input) = child.stdin.take() {
                    input.write_all(b"probe")?;
                }
                child.wait()
            });
        if probe.is_ok_and(|status| status.success()) {
            return Ok(());
        }
        if begin.elapsed() > Duration::from_secs(20) {
            bail!("the keyring of the test desktop does not take secrets");
        }
        thread::sleep(Duration::from_millis(100));
    }
}
