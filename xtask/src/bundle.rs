//! `cargo xtask bundle`: packages to install, made by Tauri's bundler ([the reasons](../../docs/adr/0021-packages.md)).

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;

use crate::{
    build, files, notices, packages,
    project::{self, Profile},
    step, ui,
};

/// A kind of package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Debian, Ubuntu and their relatives.
    Deb,
    /// Fedora, openSUSE and their relatives.
    Rpm,
    /// Linux without a package manager.
    Appimage,
    /// An image for macOS. Before `App`, because making it removes the app.
    Dmg,
    /// The app for macOS, a folder.
    App,
    /// Windows, for administrators.
    Msi,
    /// Windows, an installer.
    Nsis,
}

impl Kind {
    /// Returns the system that the kind is made on, as Rust names it.
    pub(crate) fn system(self) -> &'static str {
        match self {
            Kind::Deb | Kind::Rpm | Kind::Appimage => "linux",
            Kind::Dmg | Kind::App => "macos",
            Kind::Msi | Kind::Nsis => "windows",
        }
    }

    fn is_made_here(self) -> bool {
        self.system() == env::consts::OS
    }

    /// Returns the folder below cargo's target folder, and the extension of the file.
    fn output(self) -> (&'static str, &'static str) {
        match self {
            Kind::Deb => ("deb", "deb"),
            Kind::Rpm => ("rpm", "rpm"),
            Kind::Appimage => ("appimage", "AppImage"),
            Kind::Dmg => ("dmg", "dmg"),
            Kind::App => ("macos", "app"),
            Kind::Msi => ("msi", "msi"),
            Kind::Nsis => ("nsis", "exe"),
        }
    }
}

/// Fails if a program names one of these folders of the machine that built it.
pub(crate) fn names_no_folder(program: &Path, folders: &[(PathBuf, &str)]) -> Result<()> {
    let bytes = fs::read(program).with_context(|| format!("reading {}", program.display()))?;
    for (folder, name) in folders {
        if let Some(found) = find_path(&bytes, folder) {
            bail!(
                "{} names a folder of this machine, which should be called {name:?}: {found:?}",
                program.display()
            );
        }
    }
    Ok(())
}

/// Returns the first path inside a folder that a program contains, up to the end of its text.
fn find_path(program: &[u8], folder: &Path) -> Option<String> {
    let folder = folder.to_string_lossy();
    let separators = [b'/', b'\\'];
    memchr::memmem::find_iter(program, folder.as_bytes()).find_map(|at| {
        let text = &program[at..];
        separators.contains(text.get(folder.len())?).then(|| {
            let end = text.iter().position(u8::is_ascii_control);
            let end = end.unwrap_or(text.len()).min(folder.len() + 200);
            String::from_utf8_lossy(&text[..end]).into_owned()
        })
    })
}

/// Returns the folder of the packages.
pub(crate) fn folder() -> PathBuf {
    project::root().join("artifacts/packages")
}

/// Builds the app as it ships and makes these packages of it; without any, all that this machine can make. A kind that
/// fails does not keep the others from being made.
pub(crate) fn run(only: &[Kind]) -> Result<()> {
    if let Some(kind) = only.iter().find(|kind| !kind.is_made_here()) {
        bail!("{} is made on {}", project::name_of(kind), kind.system());
    }
    packages::ensure(&[packages::BUILD])?;
    build::app(Profile::Release)?;
    step::step("Look for folders of this machine in the programs", || {
        [project::APP, project::HELPER, project::DEMO, project::CLI]
            .into_iter()
            .try_for_each(|name| {
                names_no_folder(
                    &project::program(name, Profile::Release),
                    &project::folders(),
                )
            })
    })?;
    let folder = folder();
    files::empty(&folder)?;
    let mut failed = Vec::new();
    for kind in Kind::value_variants().iter().copied() {
        if !kind.is_made_here() || (!only.is_empty() && !only.contains(&kind)) {
            continue;
        }
        match make(kind, Profile::Release, &[]) {
            // Folders are only for this machine.
            Ok(packages) => packages
                .iter()
                .filter(|package| package.is_file())
                .try_for_each(|package| put(package, &folder))?,
            Err(error) => failed.push(format!("{}: {error:#}", project::name_of(&kind))),
        }
    }
    ensure!(failed.is_empty(), "not made: {}", failed.join("\n"));
    Ok(())
}

/// Copies a package to the folder of published files, and prints that.
pub(crate) fn put(package: &Path, folder: &Path) -> Result<()> {
    let to = folder.join(package.file_name().context("a package has a name")?);
    let size = fs::copy(package, &to)
        .with_context(|| format!("copying {} to {}", package.display(), to.display()))?;
    let size = size as f64 / (1024.0 * 1024.0);
    println!("  {} ({size:.1} MiB)", to.display());
    Ok(())
}

/// Makes one kind of package from programs built with a profile (as a test or a release; Tauri knows no others), with
/// these additional settings of Tauri (JSON). Returns its files, which are in cargo's target folder.
pub(crate) fn make(kind: Kind, profile: Profile, settings: &[&str]) -> Result<Vec<PathBuf>> {
    ui::install("packaging")?;
    sidecars(profile)?;
    let (folder, extension) = kind.output();
    let folder = project::target(profile).join("bundle").join(folder);
    // Packages of an earlier version may be left.
    files::empty(&folder)?;
    let mut command = Command::new("node");
    command
        .current_dir(project::root().join("src-tauri"))
        .arg("../packaging/node_modules/@tauri-apps/cli/tauri.js")
        .args(["bundle", "--ci", "--bundles", &project::name_of(&kind)])
        // Patching would write the kind of package into the programs, for an updater that Sonde does not have.
        .arg("--no-binary-patching")
        .args(["--config", "tauri.bundle.conf.json"]);
    if profile != Profile::Release {
        command.arg("--debug");
    }
    for settings in settings {
        command.args(["--config", settings]);
    }
    // Keys are for the scripts in `packaging` alone. On macOS even an app without a developer's signature needs an ad-hoc
    // one: `signingIdentity` of tauri.conf.json.
    if kind.system() != "macos" {
        command.arg("--no-sign");
    }
    step::quiet(
        &format!("Make the {} package", project::name_of(&kind)),
        &mut command,
    )?;
    let mut packages: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    packages.retain(|path| path.extension() == Some(OsStr::new(extension)));
    ensure!(
        !packages.is_empty(),
        "the bundler left nothing in {}",
        folder.display()
    );
    Ok(packages)
}

/// Programs beside the window's.
const SIDECARS: [&str; 2] = [project::DEMO, project::CLI];

/// Copies them to the paths in `tauri.bundle.conf.json`, under the names that Tauri expects, with the notices of others.
fn sidecars(profile: Profile) -> Result<()> {
    let folder = project::root().join("target/sidecar");
    fs::create_dir_all(&folder)?;
    let host = project::host()?;
    for program in SIDECARS {
        let name = format!("{program}-{host}{}", env::consts::EXE_SUFFIX);
        let program = project::program(program, profile);
        fs::copy(&program, folder.join(name))
            .with_context(|| format!("copying {}", program.display()))?;
    }
    notices::write(&folder).map(drop)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn settings(name: &str) -> Value {
        let path = project::root().join("src-tauri").join(name);
        serde_json::from_slice(&fs::read(path).expect("the file")).expect("JSON")
    }

    fn strings(value: &Value) -> Vec<&str> {
        let one = value.as_str().into_iter();
        let list = value.as_array().into_iter().flatten();
        one.chain(list.filter_map(Value::as_str)).collect()
    }

    #[test]
    fn a_folder_in_a_program_is_found() {
        let folder = Path::new("/home/ada/sonde");
        for (program, found) in [
            (
                &b"\0\x7fother/home/ada/sonde/src/main.rs\0more"[..],
                Some("/home/ada/sonde/src/main.rs"),
            ),
            (b"/home/ada/sonde\\src", Some("/home/ada/sonde\\src")),
            // The first match is in another folder.
            (
                b"/home/ada/sonde2/a /home/ada/sonde/b",
                Some("/home/ada/sonde/b"),
            ),
            (b"/home/ada/sonde2/a", None),
            (b"/home/ada/sonde", None),
            (b"sonde/src/main.rs", None),
            (b"", None),
        ] {
            assert_eq!(find_path(program, folder).as_deref(), found);
        }
    }

    #[test]
    fn a_program_with_a_folder_of_this_machine_is_not_packed() {
        // This program is a test, so its folders were not removed.
        let own = env::current_exe().expect("this program");
        let said = names_no_folder(&own, &project::folders()).expect_err("folders");
        let root = project::root().display().to_string();
        assert!(said.to_string().contains(&root), "{said}");
        names_no_folder(&own, &[(PathBuf::from("/no/such/folder"), "sonde")]).expect("none");
    }

    #[test]
    fn the_bundler_of_each_system_is_pinned_by_its_hash() {
        let path = project::root().join("packaging/package-lock.json");
        let lock: Value = serde_json::from_slice(&fs::read(path).expect("the file")).expect("JSON");
        let packages = lock["packages"].as_object().expect("packages");
        for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            let hash = package["integrity"].as_str().unwrap_or_default();
            assert!(hash.starts_with("sha512-"), "{name}");
        }
        for system in ["darwin", "linux", "win32"] {
            let prefix = format!("node_modules/@tauri-apps/cli-{system}-");
            assert!(
                packages.keys().any(|name| name.starts_with(&prefix)),
                "{system}"
            );
        }
    }

    #[test]
    fn each_system_has_icons_of_its_kind() {
        let settings = settings("tauri.conf.json");
        let mut kinds = Vec::new();
        for icon in strings(&settings["bundle"]["icon"]) {
            let path = project::root().join("src-tauri").join(icon);
            let bytes = fs::read(&path).expect(icon);
            let (kind, head): (_, &[u8]) = match path.extension().and_then(OsStr::to_str) {
                Some("png") => ("linux", b"\x89PNG\r\n\x1a\n"),
                Some("icns") => ("macos", b"icns"),
                Some("ico") => ("windows", b"\0\0\x01\0"),
                other => panic!("{icon}: {other:?}"),
            };
            assert!(bytes.starts_with(head), "{icon}");
            kinds.push(kind);
        }
        for kind in Kind::value_variants() {
            assert!(kinds.contains(&kind.system()), "{kind:?}");
        }
    }

    #[test]
    fn what_the_packages_for_linux_take_along_is_there() {
        let settings = settings("tauri.conf.json");
        for kind in ["deb", "rpm", "appimage"] {
            let kind = &settings["bundle"]["linux"][kind];
            let files = kind["files"].as_object().expect("files");
            for source in files.values().chain(kind.get("desktopTemplate")) {
                let source = source.as_str().expect("a path");
                let path = project::root().join("src-tauri").join(source);
                assert!(path.is_file(), "{source}");
            }
        }
    }

    #[test]
    fn the_metainfo_says_what_the_settings_say() {
        let settings = settings("tauri.conf.json");
        let path = project::root().join("packaging/linux/dev.sonde.app.metainfo.xml");
        let metainfo = fs::read_to_string(path).expect("the metainfo");
        let text = |name: &str| settings[name].as_str().expect("a text");
        let (_, newest) = metainfo
            .split_once("<release version=\"")
            .expect("a version");
        assert_eq!(newest.split('"').next(), Some(env!("CARGO_PKG_VERSION")));
        let (id, name) = (text("identifier"), text("productName"));
        let summary = &settings["bundle"]["shortDescription"];
        let mut said = vec![
            format!("<id>{id}</id>"),
            format!("<name>{name}</name>"),
            format!("<summary>{}</summary>", summary.as_str().expect("a text")),
            format!("<launchable type=\"desktop-id\">{name}.desktop</launchable>"),
            format!("<binary>{}</binary>", project::APP),
        ];
        let links = &settings["plugins"]["deep-link"]["desktop"]["schemes"];
        for scheme in strings(links) {
            said.push(format!("<mediatype>x-scheme-handler/{scheme}</mediatype>"));
        }
        for said in said {
            assert!(metainfo.contains(&said), "{said}");
        }
    }

    #[test]
    fn the_programs_beside_the_window_are_packed_from_where_they_are_put() {
        let settings = settings("tauri.bundle.conf.json");
        let packed = SIDECARS.map(|program| format!("../target/sidecar/{program}"));
        assert_eq!(strings(&settings["bundle"]["externalBin"]), packed);
        let notices = format!("../target/sidecar/{}", notices::FILE);
        assert_eq!(settings["bundle"]["resources"][notices], notices::FILE);
    }
}
