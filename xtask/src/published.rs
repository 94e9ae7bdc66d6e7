//! Runs the scripts of a release on packages of the debug build, with a key of this run. They check what they write.

use std::{fs, process::Command};

use anyhow::{Result, ensure};

use crate::{
    bundle, files,
    installed::Packages,
    project::{self, Profile},
    step,
};

const PASSPHRASE: &str = "of a key for tests";

/// Signs copies of the packages, and writes the files that are published with them. Returns a summary.
pub(crate) fn prove(packages: &Packages) -> Result<String> {
    let folder = project::target(Profile::Dev).join("bundle/published");
    files::empty(&folder)?;
    for package in [packages.deb(), packages.rpm()] {
        bundle::put(package, &folder)?;
    }
    let key = secret_key()?;
    let script = |name: &str| Command::new(project::root().join("packaging").join(name));
    step::silent(
        "sign.sh",
        script("sign.sh")
            .arg("rpm")
            .arg(&folder)
            .arg("--debug")
            .env("TAURI_SIGNING_RPM_KEY", &key)
            .env("TAURI_SIGNING_RPM_KEY_PASSPHRASE", PASSPHRASE),
    )?;
    step::silent("lists.sh", script("lists.sh").arg(&folder))?;
    step::silent(
        "checksums.sh",
        script("checksums.sh")
            .arg(&folder)
            .env("CHECKSUMS_SIGNING_KEY", &key)
            .env("CHECKSUMS_SIGNING_KEY_PASSPHRASE", PASSPHRASE),
    )?;
    let root = project::root().display().to_string();
    let mut lists = 0;
    for file in files::below(&folder)? {
        if file.extension().is_some_and(|kind| kind == "json") {
            lists += 1;
            let names_root = fs::read_to_string(&file)?.contains(&root);
            ensure!(!names_root, "{} names {root}", file.display());
        }
    }
    ensure!(lists == 4, "{lists} lists in {}", folder.display());
    Ok("rpm and checksums are signed; a list of each program and of the page".to_owned())
}

/// Makes a key of OpenPGP, of an algorithm that both rpm 4.18 and the bundler support.
fn secret_key() -> Result<String> {
    let home = tempfile::tempdir()?;
    let gpg = |args: &[&str]| {
        let mut gpg = Command::new("gpg");
        gpg.env("GNUPGHOME", home.path())
            .args(["--batch", "--pinentry-mode", "loopback"])
            .args(["--passphrase", PASSPHRASE]);
        step::output(gpg.args(args))
    };
    let name = "A test of Sonde <test@sonde.invalid>";
    gpg(&["--quick-generate-key", name, "rsa3072", "sign", "never"])?;
    let key = gpg(&["--armor", "--export-secret-keys"]);
    let _ = Command::new("gpgconf")
        .env("GNUPGHOME", home.path())
        .args(["--kill", "all"])
        .status();
    key
}
