//! WebKit's sandbox around the process that parses and runs what servers send. WebKit turns it on only if a variable is
//! set before it starts.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

use webkit2gtk::glib;

const SWITCH: &str = "WEBKIT_FORCE_SANDBOX";
/// The program that creates the sandbox, and the one that filters D-Bus for it. WebKit has both paths built in.
const HELPERS: [&str; 2] = ["/usr/bin/bwrap", "/usr/bin/xdg-dbus-proxy"];

/// Turns the sandbox on, if the system has one. An existing value of the variable stays. Call it first in `main`: the
/// environment may be changed only while no other thread reads it. The only thread that WebKit's libraries start when
/// they are loaded belongs to their allocator and never reads it.
///
/// Starting this program again with the variable would load these libraries twice, which takes a fifth of the whole
/// start.
pub(crate) fn enter() {
    if env::var_os(SWITCH).is_some() || !is_usable() {
        return;
    }
    if let Err(error) = glib::setenv(SWITCH, "1", true) {
        eprintln!("Sonde starts without WebKit's sandbox: {error}");
    }
}

/// True if WebKit was told to use its sandbox.
pub(crate) fn is_on() -> bool {
    env::var_os(SWITCH).is_some_and(|value| value == "1")
}

/// True if the sandbox can be created; otherwise WebKit would end. Some systems forbid namespaces to ordinary users,
/// and an AppImage has its own WebKit, which the sandbox does not see.
fn is_usable() -> bool {
    let is_packed = Path::new("/.flatpak-info").exists() || env::var_os("APPDIR").is_some();
    !is_packed
        && HELPERS.iter().all(|helper| Path::new(helper).exists())
        && probe()
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
    reason = "the probe is no server, and no runtime is there yet"
)]
fn probe() -> Command {
    Command::new(HELPERS[0])
}
