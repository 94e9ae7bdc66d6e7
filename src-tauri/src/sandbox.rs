//! WebKit's sandbox around the process that parses and runs what servers send. WebKit has it off unless this variable is
//! set before it starts.

use std::{
    env,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Command, Stdio},
};

const SWITCH: &str = "WEBKIT_FORCE_SANDBOX";
/// The program that makes the sandbox, and the one that filters D-Bus for it. WebKit has both paths built in.
const HELPERS: [&str; 2] = ["/usr/bin/bwrap", "/usr/bin/xdg-dbus-proxy"];

/// Starts this program again with the sandbox, where the system has one. Whoever sets the variable decides.
pub(crate) fn enter() {
    if env::var_os(SWITCH).is_some() || !is_usable() {
        return;
    }
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => return eprintln!("Sonde starts without WebKit's sandbox: {error}"),
    };
    let mut arguments = env::args_os();
    let mut again = command(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // Returns only if it fails. The variable cannot be set in this process: other threads may read it.
    let error = again.args(arguments).env(SWITCH, "1").exec();
    eprintln!("Sonde starts without WebKit's sandbox: {error}");
}

/// True if WebKit was told to use its sandbox.
pub(crate) fn is_on() -> bool {
    env::var_os(SWITCH).is_some_and(|value| value == "1")
}

/// WebKit ends where its sandbox cannot be made: some systems forbid namespaces to ordinary users, and an AppImage has
/// its own WebKit, which the sandbox does not see.
fn is_usable() -> bool {
    let is_packed = Path::new("/.flatpak-info").exists() || env::var_os("APPDIR").is_some();
    !is_packed
        && HELPERS.iter().all(|helper| Path::new(helper).exists())
        && command(HELPERS[0])
            .args(["--unshare-user", "--unshare-pid", "--unshare-uts"])
            .args(["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"])
            .arg("/usr/bin/true")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
}

#[expect(
    clippy::disallowed_methods,
    reason = "neither this program itself nor the probe is a server, and no runtime is there yet"
)]
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}
