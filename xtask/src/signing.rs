//! The signing keys of packages, and signing without Tauri.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

/// A private OpenPGP key (ASCII armour) for the rpm, and its passphrase.
pub(crate) const RPM: &[&str] = &["TAURI_SIGNING_RPM_KEY", "TAURI_SIGNING_RPM_KEY_PASSPHRASE"];
/// Variables for signing and notarizing by Tauri on macOS.
pub(crate) const APPLE: &[&str] = &[
    "APPLE_SIGNING_IDENTITY",
    "APPLE_CERTIFICATE",
    "APPLE_CERTIFICATE_PASSWORD",
    "APPLE_ID",
    "APPLE_PASSWORD",
    "APPLE_TEAM_ID",
];
/// Variables for signing on Windows: the fingerprint of a certificate in the user's store, or a certificate to import.
pub(crate) const WINDOWS: &[&str] = &[
    THUMBPRINT,
    CERTIFICATE,
    "WINDOWS_CERTIFICATE_PASSWORD",
    TIMESTAMP,
];
/// A private OpenPGP key (ASCII armour) for the checksums, and its passphrase.
pub(crate) const CHECKSUMS: &[&str] = &[CHECKSUMS_KEY, CHECKSUMS_PASSPHRASE];

const THUMBPRINT: &str = "WINDOWS_CERTIFICATE_THUMBPRINT";
const CERTIFICATE: &str = "WINDOWS_CERTIFICATE";
const TIMESTAMP: &str = "WINDOWS_TIMESTAMP_URL";
const CHECKSUMS_KEY: &str = "CHECKSUMS_SIGNING_KEY";
const CHECKSUMS_PASSPHRASE: &str = "CHECKSUMS_SIGNING_KEY_PASSPHRASE";

/// All variables of the environment that concern signing.
const SIGNING: [&[&str]; 4] = [RPM, APPLE, WINDOWS, CHECKSUMS];

/// Imports the certificate of the environment (PFX in base64), with its chain, into the user's store, and prints the
/// fingerprint of the one that has a private key. Writes nothing to a file.
const IMPORT: &str = "$ErrorActionPreference = 'Stop'
$all = New-Object System.Security.Cryptography.X509Certificates.X509Certificate2Collection
$bytes = [Convert]::FromBase64String($env:WINDOWS_CERTIFICATE)
$all.Import($bytes, $env:WINDOWS_CERTIFICATE_PASSWORD, 'UserKeySet, PersistKeySet')
foreach ($one in $all) {
    $name = if ($one.HasPrivateKey) { 'My' } else { 'CA' }
    $store = New-Object System.Security.Cryptography.X509Certificates.X509Store $name, 'CurrentUser'
    $store.Open('ReadWrite')
    $store.Add($one)
    $store.Close()
    if ($one.HasPrivateKey) { $one.Thumbprint }
}";

/// Keys by the names of their variables.
#[derive(Default)]
pub(crate) struct Keys(BTreeMap<&'static str, String>);

impl Keys {
    /// Reads the keys of the environment. Skips empty variables: continuous integration sets them if it has no key, and
    /// Tauri would treat them as keys.
    pub(crate) fn of_environment() -> Self {
        let all = SIGNING.iter().copied().flatten().copied();
        Self::of(all.filter_map(|name| Some((name, env::var(name).ok()?))))
    }

    pub(crate) fn of(keys: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let given = keys.into_iter().filter(|(_, value)| !value.is_empty());
        Self(given.collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Passes these keys, as far as they exist, and no other keys to a command.
    pub(crate) fn hand(&self, names: &[&str], command: &mut Command) {
        withhold(command);
        for name in names {
            if let Some(value) = self.get(name) {
                command.env(name, value);
            }
        }
    }

    /// Returns Tauri's settings for signing on Windows. Imports the certificate if it is not in the user's store yet.
    pub(crate) fn windows(&self) -> Result<Option<serde_json::Value>> {
        let thumbprint = match (self.get(THUMBPRINT), self.get(CERTIFICATE)) {
            (Some(thumbprint), _) => thumbprint.to_owned(),
            (None, Some(_)) => self.import()?,
            (None, None) => return Ok(None),
        };
        Ok(Some(serde_json::json!({ "bundle": { "windows": {
            "certificateThumbprint": thumbprint,
            "digestAlgorithm": "sha256",
            "timestampUrl": self.get(TIMESTAMP),
        } } })))
    }

    fn import(&self) -> Result<String> {
        let mut command = Command::new("powershell");
        self.hand(WINDOWS, &mut command);
        command.args(["-NoProfile", "-NonInteractive", "-Command", IMPORT]);
        fingerprint(&output_of(&mut command, b"").context("importing the certificate")?)
    }

    /// Writes a detached signature of the checksums beside them, if there is a key. Returns its file.
    pub(crate) fn sign_checksums(&self, checksums: &Path) -> Result<Option<PathBuf>> {
        let signature = signature_of(checksums);
        if signature.exists() {
            // The old signature belongs to other checksums.
            fs::remove_file(&signature)?;
        }
        let Some(key) = self.get(CHECKSUMS_KEY) else {
            println!("  not signed by anybody: {CHECKSUMS_KEY} is not set");
            return Ok(None);
        };
        let gpg = Gpg::fresh()?;
        gpg.run([OsStr::new("--import")], key.as_bytes())?;
        gpg.sign(checksums, &signature, self.get(CHECKSUMS_PASSPHRASE))?;
        Ok(Some(signature))
    }
}

/// Finds the only fingerprint in the output of a certificate's import.
fn fingerprint(printed: &str) -> Result<String> {
    let mut lines = printed.lines().map(str::trim);
    match (lines.next(), lines.next()) {
        (Some(one), None) if one.len() == 40 && one.chars().all(|c| c.is_ascii_hexdigit()) => {
            Ok(one.to_owned())
        }
        _ => bail!(
            "{CERTIFICATE} must hold one certificate with a private key; its fingerprints: {printed:?}"
        ),
    }
}

/// Returns the path of a file's signature.
pub(crate) fn signature_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".asc");
    name.into()
}

/// Removes all keys from the environment of a command, since compiling or installing runs code of strangers.
pub(crate) fn withhold(command: &mut Command) {
    for name in SIGNING.iter().copied().flatten() {
        command.env_remove(name);
    }
}

/// GnuPG with its own home, which is removed on drop.
pub(crate) struct Gpg {
    /// Removed on drop; if that fails, it stays in the folder for temporary files.
    home: TempDir,
}

impl Gpg {
    pub(crate) fn fresh() -> Result<Self> {
        let home = tempfile::tempdir()?;
        Ok(Self { home })
    }

    /// Runs GnuPG with arguments and an input. Returns its output.
    pub(crate) fn run(
        &self,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &[u8],
    ) -> Result<String> {
        let mut command = Command::new("gpg");
        withhold(&mut command);
        command
            .env("GNUPGHOME", self.home.path())
            .args(["--batch", "--yes", "--pinentry-mode", "loopback"])
            .args(args);
        output_of(&mut command, input)
    }

    fn sign(&self, file: &Path, signature: &Path, passphrase: Option<&str>) -> Result<()> {
        let [file, signature] = [file, signature].map(Path::as_os_str);
        let mut args: Vec<&OsStr> = ["--passphrase-fd", "0", "--armor", "--output"]
            .map(OsStr::new)
            .to_vec();
        args.extend([signature, OsStr::new("--detach-sign"), file]);
        self.run(args, passphrase.unwrap_or_default().as_bytes())
            .map(drop)
    }

    pub(crate) fn verify(&self, file: &Path) -> Result<()> {
        let signature = signature_of(file);
        let args = [OsStr::new("--verify"), signature.as_ref(), file.as_ref()];
        self.run(args, b"").map(drop)
    }
}

impl Drop for Gpg {
    fn drop(&mut self) {
        let _ = Command::new("gpgconf")
            .env("GNUPGHOME", self.home.path())
            .args(["--kill", "all"])
            .status();
    }
}

/// Runs a command with an input and returns its output. Errors do not show its environment, which may hold keys.
fn output_of(command: &mut Command, input: &[u8]) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting {name}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // If the command ends without reading, its output has the reason.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!(
            "{name} failed ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gets_its_own_keys_and_no_other() {
        let keys = Keys::of([
            ("TAURI_SIGNING_RPM_KEY", "a key".to_owned()),
            ("TAURI_SIGNING_RPM_KEY_PASSPHRASE", String::new()),
            ("APPLE_PASSWORD", "a password".to_owned()),
        ]);
        let mut command = Command::new("true");
        keys.hand(RPM, &mut command);
        let environment: BTreeMap<_, _> = command.get_envs().collect();
        for name in SIGNING.iter().copied().flatten() {
            let given = environment.get(OsStr::new(name)).expect(name);
            let expected = (*name == "TAURI_SIGNING_RPM_KEY").then_some("a key");
            assert_eq!(given.and_then(|value| value.to_str()), expected, "{name}");
        }
    }

    #[test]
    fn what_runs_code_of_strangers_gets_no_key() {
        for command in [crate::project::cargo(), crate::ui::npm("ui")] {
            let withheld: BTreeMap<_, _> = command.get_envs().collect();
            for name in SIGNING.iter().copied().flatten() {
                assert_eq!(withheld.get(OsStr::new(name)), Some(&None), "{name}");
            }
        }
    }

    #[test]
    fn windows_signs_with_a_certificate_of_the_store_and_the_time_of_a_server() {
        assert_eq!(Keys::default().windows().expect("no key"), None);
        let keys = Keys::of([
            (THUMBPRINT, "AB".repeat(20)),
            // The certificate is already there, and is not imported again.
            (CERTIFICATE, "no certificate".to_owned()),
            (TIMESTAMP, "http://time.example".to_owned()),
        ]);
        let settings = keys.windows().expect("settings").expect("a key");
        let settings = &settings["bundle"]["windows"];
        assert_eq!(settings["certificateThumbprint"], "AB".repeat(20));
        assert_eq!(settings["timestampUrl"], "http://time.example");
    }

    #[test]
    fn an_import_prints_the_one_fingerprint() {
        let one = "0123456789ABCDEF0123456789ABCDEF01234567";
        assert_eq!(fingerprint(&format!("{one}\r\n")).expect("one"), one);
        for printed in [
            "",
            "0123",
            &format!("{one}\r\n{one}\r\n"),
            &format!("{one}0"),
        ] {
            assert!(fingerprint(printed).is_err(), "{printed}");
        }
    }
}
