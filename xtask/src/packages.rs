//! System packages that the build and the tests need, and their installation.

use std::{
    env,
    io::{Write, stdin, stdout},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Result, bail};

use crate::{
    node_program::{node_version, numbers},
    project, step,
};

/// Packages of Debian and Ubuntu that a chore needs beyond the web part, which needs only Node.js.
pub(crate) type Need = &'static [&'static str];

/// Packages to build the app with on Debian and Ubuntu.
pub(crate) const BUILD: Need = &[
    "build-essential",
    "librsvg2-dev",
    "libwebkit2gtk-4.1-dev",
    "pkg-config",
];

/// A C library for programs without libraries, and its compiler.
pub(crate) const STATIC: Need = &["musl-tools"];

/// A keyring, and the session bus that provides it.
pub(crate) const KEYRING: Need = &["dbus", "gnome-keyring", "libsecret-tools"];

/// Packages for driving the window without a screen.
pub(crate) const WINDOW: Need = &[
    "at-spi2-core",
    "dbus-x11",
    "fonts-dejavu-core",
    "webkit2gtk-driver",
    "xauth",
    "xvfb",
];

/// A browser for the states of the window: the headless one takes half the time.
pub(crate) const BROWSER: Need = &["chromium-headless-shell"];

/// The interpreter of the servers that are written in Python.
pub(crate) const PYTHON: Need = &["python3", "python3-venv"];

/// Tools for inspecting packages, and tools that a desktop applies to installed files.
pub(crate) const PACKAGES: Need = &[
    "appstream",
    "desktop-file-utils",
    "gnupg",
    "libglib2.0-bin",
    "rpm",
    "shared-mime-info",
    "xdg-utils",
];

/// Ensures that everything is installed, or fails with what is missing.
pub(crate) fn ensure(needs: &[Need]) -> Result<()> {
    node()?;
    if needs.is_empty() {
        return Ok(());
    }
    if cfg!(target_os = "macos") {
        return on_macos();
    }
    if cfg!(target_os = "windows") {
        println!(
            "Sonde needs the Microsoft C++ build tools and WebView2 (part of Windows 11). \
             If the build fails, install them first."
        );
        return Ok(());
    }
    let mut wanted = needs.concat();
    wanted.sort_unstable();
    wanted.dedup();
    if !project::has("apt-get") {
        println!(
            "This is no Debian or Ubuntu: please make sure that the equivalents of these packages \
             are installed: {}",
            wanted.join(" ")
        );
        return Ok(());
    }
    if has_browser() {
        wanted.retain(|package| !BROWSER.contains(package));
    }
    wanted.retain(|package| !installed(package));
    if wanted.is_empty() {
        return Ok(());
    }
    install(&wanted)
}

fn node() -> Result<()> {
    let Ok(version) = node_version() else {
        bail!("Node.js is missing: install version 20.19 or newer (https://nodejs.org)");
    };
    if numbers(&version) < (20, 19) {
        bail!("Node.js {version} is too old: install version 20.19 or newer (https://nodejs.org)");
    }
    Ok(())
}

fn on_macos() -> Result<()> {
    let tools = Command::new("xcode-select")
        .arg("-p")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !tools.is_ok_and(|status| status.success()) {
        bail!("Apple's command line tools are missing: run `xcode-select --install`");
    }
    Ok(())
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

/// Returns true if `ui/tests/states/browser.mjs` finds a browser.
fn has_browser() -> bool {
    let installed = ["chromium", "google-chrome"].map(|name| Path::new("/usr/bin").join(name));
    env::var_os("CHROMIUM").is_some() || installed.iter().any(|path| path.exists())
}

/// Returns true if `sudo` asks for no password.
fn may_become_root() -> bool {
    Command::new("sudo")
        .args(["--non-interactive", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn install(packages: &[&str]) -> Result<()> {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !project::unattended() {
        println!(
            "These system packages are missing:\n  {}",
            packages.join(" ")
        );
        print!(
            "Install them now{}? [Y/n] ",
            if root { "" } else { " (with sudo)" }
        );
        stdout().flush()?;
        let mut answer = String::new();
        stdin().read_line(&mut answer)?;
        if !matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes") {
            bail!("nothing was installed; the packages above are needed");
        }
    } else if !root && !may_become_root() {
        bail!("these system packages are missing: {}", packages.join(" "));
    }
    let apt = || {
        let mut command = if root {
            Command::new("apt-get")
        } else {
            let mut command = Command::new("sudo");
            command.arg("apt-get");
            command
        };
        command.env("DEBIAN_FRONTEND", "noninteractive");
        // Another apt on the machine may hold its lock for a while.
        command.args(["-o", "DPkg::Lock::Timeout=550"]);
        command
    };
    step::quiet("Refresh the list of system packages", apt().arg("update"))?;
    step::quiet(
        &format!("Install {} system packages", packages.len()),
        apt()
            .args(["install", "--yes", "--no-install-recommends"])
            .args(packages),
    )
}
