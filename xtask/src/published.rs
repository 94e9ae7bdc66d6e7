//! Publishes files with the packages as for a release, and checks them: signatures, lists of components, and checksums.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{
    bundle, files,
    installed::Packages,
    project::{self, Profile},
    release::{self, CHECKSUMS, MEMBERS, PAGE},
    signing::{self, Gpg, Keys},
    step,
};

/// An unmistakable date in seconds since 1970, and its form in the lists.
const DATE: &str = "1700000000";
const DATED: &str = "2023-11-14T22:13:20";

/// A name with its version.
type Named = (String, String);

/// Passphrase of the keys that are created here.
const PASSPHRASE: &str = "of a key for tests";

/// A signer, with a key that was created for this run.
pub(crate) struct Signer {
    gpg: Gpg,
    keys: Keys,
}

impl Signer {
    pub(crate) fn new() -> Result<Self> {
        step::step("Make a key to sign with", || {
            let gpg = Gpg::fresh()?;
            let name = "A test of Sonde <test@sonde.invalid>";
            let passphrase = ["--passphrase", PASSPHRASE];
            // An algorithm that both rpm 4.18 and the bundler support.
            let make = ["--quick-generate-key", name, "rsa3072", "sign", "never"];
            gpg.run(passphrase.into_iter().chain(make), b"")?;
            let export = ["--armor", "--export-secret-keys"];
            let key = gpg.run(passphrase.into_iter().chain(export), b"")?;
            let names = [signing::RPM, signing::CHECKSUMS];
            let keys = names.into_iter().flat_map(|names| {
                let values = [key.clone(), PASSPHRASE.to_owned()];
                names.iter().copied().zip(values)
            });
            let keys = Keys::of(keys);
            Ok(Self { gpg, keys })
        })
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Checks that rpm accepts the package as the signer's, but not after a change of one byte.
    fn rpm(&self, package: &Path) -> Result<()> {
        let folder = project::target(Profile::Dev).join("bundle/signature");
        files::empty(&folder)?;
        let public = folder.join("public.asc");
        fs::write(&public, self.gpg.run(["--armor", "--export"], b"")?)?;
        let rpmkeys = |what: &str, file: &Path| {
            let mut command = Command::new("rpmkeys");
            command.arg("--dbpath").arg(folder.join("keys"));
            // Without a signature of one of the keys a package is refused, whatever its digests are.
            command.args(["--define", "_pkgverify_level all", what]);
            step::output(command.arg(file))
        };
        ensure!(
            rpmkeys("--checksig", package).is_err(),
            "the rpm is good without anybody's key"
        );
        rpmkeys("--import", &public)?;
        rpmkeys("--checksig", package)?;
        let spoiled = folder.join("spoiled.rpm");
        fs::copy(package, &spoiled)?;
        refuses_spoiled(&spoiled, || rpmkeys("--checksig", &spoiled).map(drop))
    }

    /// Checks the signature of the checksums in the same way.
    fn checksums(&self, folder: &Path) -> Result<()> {
        let file = folder.join(CHECKSUMS);
        self.gpg.verify(&file)?;
        let good = fs::read(&file)?;
        refuses_spoiled(&file, || self.gpg.verify(&file))?;
        fs::write(&file, good)?;
        self.gpg.verify(&file)
    }
}

/// Checks a file, then changes one byte in its middle and demands that the check fails.
fn refuses_spoiled(file: &Path, check: impl Fn() -> Result<()>) -> Result<()> {
    check()?;
    let mut bytes = fs::read(file)?;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes)?;
    ensure!(
        check().is_err(),
        "{} has another byte, and is still taken for signed",
        file.display()
    );
    Ok(())
}

/// Copies packages as for a release, writes the files that are published with them, and checks everything. Returns a
/// summary.
pub(crate) fn prove(packages: &Packages, signer: &Signer) -> Result<String> {
    let folder = project::target(Profile::Dev).join("bundle/published");
    files::empty(&folder)?;
    signer.rpm(packages.rpm())?;
    let packages = [packages.deb(), packages.rpm()];
    for package in packages {
        bundle::put(package, &folder)?;
    }
    release::list_into(&folder, DATE)?;
    let mut crates = 0;
    for (_, program) in MEMBERS {
        crates += own_crates(&folder, program)?;
    }
    let of_page = packages_of_page(&folder)?;
    release::checksums_into(&folder, signer.keys())?;
    signer.checksums(&folder)?;
    let sums = checksums(&folder)?;
    for package in packages {
        let name = package.file_name().context("a package has a name")?;
        ensure!(
            sums.contains(&*name.to_string_lossy()),
            "{CHECKSUMS} leaves out {}",
            name.display()
        );
    }
    Ok(format!(
        "rpm and checksums are signed; {} checksums; lists with {crates} crates of the project and {of_page} packages of the page",
        sums.len()
    ))
}

/// Lets the system's own tool check the checksums. Returns the files with a checksum, which must be all in the folder.
fn checksums(folder: &Path) -> Result<BTreeSet<String>> {
    let mut check = Command::new("sha256sum");
    check
        .current_dir(folder)
        .args(["--check", "--strict", "--quiet", CHECKSUMS]);
    step::output(&mut check)?;
    let sums = fs::read_to_string(folder.join(CHECKSUMS))?;
    let named: BTreeSet<String> = sums
        .lines()
        .filter_map(|line| Some(line.split_once("  ")?.1.to_owned()))
        .collect();
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        there.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    there.remove(CHECKSUMS);
    let signature = signing::signature_of(Path::new(CHECKSUMS));
    there.remove(&*signature.to_string_lossy());
    ensure!(
        named == there,
        "{CHECKSUMS} has {named:?}, and there are {there:?}"
    );
    Ok(named)
}

/// Checks that the list of a program has each crate of the project that cargo compiles into it, in its version. Returns
/// their number.
fn own_crates(folder: &Path, program: &str) -> Result<usize> {
    let list = list(folder, program)?;
    let listed = components(&list);
    let mut tree = project::cargo();
    tree.current_dir(project::root())
        .args(["tree", "--package", program, "--edges", "normal"])
        .args(["--target", "all", "--prefix", "none", "--format", "{p}"]);
    let own = own_in(&step::output(&mut tree)?, &project::root());
    let left_out: Vec<&Named> = own.difference(&listed).collect();
    ensure!(
        left_out.is_empty(),
        "the list of {program} leaves out {left_out:?}"
    );
    ensure!(
        own.iter().any(|(name, _)| name == program),
        "cargo says that {program} is made of {own:?}"
    );
    Ok(own.len())
}

/// Returns the project's own crates in the output of `cargo tree`: those with a folder below `root`.
fn own_in(tree: &str, root: &Path) -> BTreeSet<Named> {
    let folder = format!("({}", root.display());
    tree.lines()
        .filter(|line| line.contains(&folder))
        .filter_map(|line| {
            let mut words = line.split(' ');
            let name = words.next()?;
            let version = words.next()?.strip_prefix('v')?;
            Some((name.to_owned(), version.to_owned()))
        })
        .collect()
}

/// Checks that the list of the page has each package of its manifest, in the version of the lock file. Returns the
/// number of all packages.
fn packages_of_page(folder: &Path) -> Result<usize> {
    let list = list(folder, PAGE)?;
    let listed = components(&list);
    let read = |name: &str| -> Result<Value> {
        let path = project::root().join("ui").join(name);
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    };
    let (manifest, lock) = (read("package.json")?, read("package-lock.json")?);
    let asked = manifest["dependencies"].as_object();
    for name in asked.context("the page has dependencies")?.keys() {
        let version = lock["packages"][format!("node_modules/{name}")]["version"].as_str();
        let version = version.with_context(|| format!("{name} is not locked"))?;
        let found = listed.contains(&(name.clone(), version.to_owned()));
        ensure!(
            found,
            "the list of the page leaves out {name} {version}: {listed:?}"
        );
    }
    Ok(listed.len())
}

/// Reads a list and checks that it has the given date and no folder of this machine.
fn list(folder: &Path, name: &str) -> Result<Value> {
    let path = folder.join(release::list_of(name));
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    ensure!(
        !text.contains(&*project::root().to_string_lossy()),
        "{} says where the project lies on this machine",
        path.display()
    );
    let list: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    ensure!(
        list["bomFormat"] == "CycloneDX",
        "{} is no list of CycloneDX",
        path.display()
    );
    let time = list["metadata"]["timestamp"].as_str().unwrap_or_default();
    ensure!(
        time.starts_with(DATED),
        "{} is of {time:?}, and not of the date that was given",
        path.display()
    );
    Ok(list)
}

/// Returns the subject of a list and all its components.
fn components(list: &Value) -> BTreeSet<Named> {
    let all = list["components"].as_array().into_iter().flatten();
    all.chain([&list["metadata"]["component"]])
        .filter_map(|component| {
            let text = |key: &str| component[key].as_str().map(str::to_owned);
            Some((text("name")?, text("version")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_of_the_project_are_those_with_a_folder_of_it() {
        let tree = "sonde-demo v0.1.0 (/home/a/sonde/crates/demo)\nserde v1.0.1\n\
                    sonde-wire v0.1.0 (/home/a/sonde/crates/wire)\n\
                    other v2.0.0 (/home/b/other)\nrmcp-macros v1.2.3 (proc-macro)\n\
                    sonde-wire v0.1.0 (/home/a/sonde/crates/wire) (*)\n";
        let own = own_in(tree, Path::new("/home/a/sonde"));
        let names: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sonde-demo", "sonde-wire"]);
        assert!(own.iter().all(|(_, version)| version == "0.1.0"));
    }
}
