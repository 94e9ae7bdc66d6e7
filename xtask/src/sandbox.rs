//! A desktop for tests: its own session bus, an unlocked keyring in fresh folders, and a virtual
//! screen.

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::project;

/// Wraps a command so that it runs on that desktop. `screen` adds the virtual screen.
///
/// The folders are fresh each time: a keyring left over with another password unlocks without a
/// complaint and then refuses to store anything.
pub(crate) fn desktop(
    screen: bool,
    program: &std::ffi::OsStr,
    args: &[&std::ffi::OsStr],
) -> Result<Command> {
    let home = fresh_folder()?;
    let runtime = home.join("run");
    fs::create_dir_all(&runtime)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&runtime, fs::Permissions::from_mode(0o700))?;
    }
    let mut command = Command::new("dbus-run-session");
    command.arg("--");
    if screen {
        command.args([
            "xvfb-run",
            "--auto-servernum",
            "--server-args=-screen 0 1600x1200x24",
        ]);
    }
    command
        .arg(project::own_program()?)
        .args(["inside", "--"])
        .arg(program)
        .args(args);
    command
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_RUNTIME_DIR", &runtime)
        .env("NO_AT_BRIDGE", "1")
        .env("SONDE_TEST_KEYRING", "1")
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(project::root());
    Ok(command)
}

fn fresh_folder() -> Result<PathBuf> {
    let base = env::temp_dir();
    for attempt in 0..1000 {
        let folder = base.join(format!("sonde-desktop-{}-{attempt}", std::process::id()));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("making a folder for the test desktop"),
        }
    }
    bail!("no free folder below {}", base.display())
}

/// The inner half: unlocks the keyring, then runs the command.
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
    // The daemon answers on the bus a moment after it has forked.
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
