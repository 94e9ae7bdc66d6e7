//! Checks the packages' contents, and how the Debian package changes a system: installed, used, upgraded, removed.
//!
//! The package is installed permanently, by `dpkg`, into a file system layered over the machine's own, visible only to
//! one process and its children. Their changes stay in the layer, and are checked at the end.

use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{
    bundle::{self, Kind},
    files, notices,
    project::{self, Profile},
    sandbox,
    step::{self, output},
};

/// The name of the packages.
const NAME: &str = "sonde";
/// The menu entry in the packages.
const ENTRY: &str = "/usr/share/applications/Sonde.desktop";
/// Licences of the crates and npm packages that ship.
const NOTICES: &str = "/usr/lib/Sonde/third-party-licenses.txt";
/// The file type of suites, which Sonde opens.
const SUITE: &str = "application/x-sonde-suite+yaml";
/// Files of every package for Linux. Icons: one for each size.
const FILES: &[&str] = &[
    "/usr/bin/sonde",
    "/usr/bin/sonde-demo",
    "/usr/bin/sonde-desktop",
    "/usr/bin/sonde-helper",
    ENTRY,
    NOTICES,
    "/usr/share/icons/hicolor/128x128/apps/sonde-desktop.png",
    "/usr/share/icons/hicolor/256x256@2/apps/sonde-desktop.png",
    "/usr/share/icons/hicolor/32x32/apps/sonde-desktop.png",
    "/usr/share/icons/hicolor/512x512/apps/sonde-desktop.png",
    "/usr/share/metainfo/dev.sonde.app.metainfo.xml",
    "/usr/share/mime/packages/dev.sonde.app.xml",
];
/// Path of the licence, by each system's rules.
const DEB_LICENSE: &str = "/usr/share/doc/sonde/copyright";
const RPM_LICENSE: &str = "/usr/share/licenses/sonde/LICENSE";

/// An older version, with a file that the current one no longer has.
const OLDER: &str = "0.0.1";
const OLDER_FILE: &str = "/usr/share/doc/sonde/older";
/// Data written by an early commit (its README says which).
const OLDER_DATA: &str = "tests/data/older";
/// The current version, which all packages of the workspace share.
const NEWER: &str = env!("CARGO_PKG_VERSION");

/// Folders that `dpkg` changes.
const TREES: &[&str] = &["/etc", "/usr", "/var"];
/// Files in which `dpkg` remembers every installation: its log, and its list before the last change.
const MEMORY: &[&str] = &["/var/log/dpkg.log", "/var/lib/dpkg/status-old"];

/// Packages of the debug build: what ships, without the time for optimisation.
pub(crate) struct Packages {
    older: PathBuf,
    deb: PathBuf,
    rpm: PathBuf,
}

/// Tries the commands of [`Layers`] in a mount namespace of their own.
const LAYER: &str = "mount -t tmpfs tmpfs /tmp && mkdir /tmp/upper /tmp/work \
    && mount -t overlay -o lowerdir=/etc,upperdir=/tmp/upper,workdir=/tmp/work overlay /etc";

/// The variable with the file system view of the outer half.
const OUTER: &str = "SONDE_OUTER_FILE_SYSTEM";

impl Packages {
    /// Makes the packages from built programs.
    pub(crate) fn make() -> Result<Self> {
        let one = |kind, settings: &[&str]| -> Result<PathBuf> {
            let made = bundle::make(kind, Profile::Dev, settings)?;
            made.into_iter().next().context("a package")
        };
        let settings = format!(
            r#"{{ "version": "{OLDER}", "bundle": {{ "linux": {{ "deb": {{ "files": {{ "{OLDER_FILE}": "../LICENSE" }} }} }} }} }}"#
        );
        let older = project::target(Profile::Dev).join("bundle/older.deb");
        fs::rename(one(Kind::Deb, &[&settings])?, &older)?;
        Ok(Self {
            older,
            deb: one(Kind::Deb, &[])?,
            rpm: one(Kind::Rpm, &[])?,
        })
    }

    /// Compares the contents of the packages with the expected ones. Returns a summary.
    pub(crate) fn contents(&self) -> Result<String> {
        let folder = project::target(Profile::Dev).join("bundle/contents");
        files::empty(&folder)?;
        output(
            Command::new("dpkg-deb")
                .arg("--extract")
                .args([&self.deb, &folder]),
        )?;
        let below = |path: &str| folder.join(path.trim_start_matches('/'));
        let mut files = BTreeSet::new();
        walk(&folder, &mut |path, _| {
            if !path.is_dir() {
                files.insert(Path::new("/").join(path.strip_prefix(&folder).unwrap_or(path)));
            }
        })?;
        same("the deb", &files, DEB_LICENSE)?;
        let notices = fs::read_to_string(below(NOTICES))?;
        for line in notices::lines()? {
            ensure!(notices.contains(&line), "{NOTICES} does not name {line}");
        }
        let field = |name| {
            let mut dpkg = Command::new("dpkg-deb");
            output(dpkg.arg("--field").arg(&self.deb).arg(name))
        };
        ensure!(field("Package")? == NAME, "the deb is not called {NAME}");
        ensure!(
            field("Depends")?.contains("libwebkit2gtk-4.1-0"),
            "the deb does not depend on its web view"
        );

        let query = |args: &[&str]| {
            let mut rpm = Command::new("rpm");
            output(rpm.args(["--query", "--package"]).args(args).arg(&self.rpm))
        };
        let listed = query(&["--list"])?;
        let listed = listed.lines().map(PathBuf::from);
        // The rpm lists the folder of its own as well.
        let listed = listed.filter(|path| Some(&**path) != Path::new(NOTICES).parent());
        let listed = listed.collect();
        same("the rpm", &listed, RPM_LICENSE)?;
        let about = query(&["--queryformat", "%{NAME} %{LICENSE}"])?;
        ensure!(about == format!("{NAME} MIT"), "the rpm says “{about}”");
        let requires = query(&["--requires"])?;
        for library in ["libwebkit2gtk-4.1.so.0()(64bit)", "libgtk-3.so.0()(64bit)"] {
            ensure!(
                requires.lines().any(|line| line == library),
                "the rpm does not require {library}: {requires}"
            );
        }

        output(Command::new("desktop-file-validate").arg(below(ENTRY)))?;
        output(
            Command::new("appstreamcli")
                .args(["validate", "--no-net"])
                .arg(below("/usr/share/metainfo/dev.sonde.app.metainfo.xml")),
        )?;
        fs::remove_dir_all(&folder)?;
        Ok(format!("{} files in the deb, and in the rpm", files.len()))
    }

    pub(crate) fn deb(&self) -> &Path {
        &self.deb
    }

    pub(crate) fn rpm(&self) -> &Path {
        &self.rpm
    }

    /// Installs the deb, uses the app, upgrades it and removes it. Returns a summary.
    pub(crate) fn install(&self, way: Way) -> Result<String> {
        let mut command = way.unshare();
        command
            .arg("env")
            .args(way.environment())
            .arg(format!("{OUTER}={}", view()?.display()))
            .arg(project::own_program()?)
            .arg("installed")
            .args([&self.older, &self.deb, &self.rpm]);
        let done = step::loud("In a file system of its own", &mut command);
        if way == Way::Sudo {
            // Files that it left in the project's folders belong to root.
            give_back()?;
        }
        done?;
        Ok("installed, started by menu entry, link and file, upgraded with the data of an early version, removed; the rpm unpacked".to_owned())
    }
}

/// Ways to give this process a file system of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Directly: the process is root.
    Itself,
    /// With `sudo`, which needs no password here.
    Sudo,
}

/// Reason why the deb is not installed.
pub(crate) const REFUSED: &str = "a file system of its own takes root (or `sudo` without a password), and a system that allows \
    `unshare --mount` and overlays. It is an error with `--complete`, and where CI is set";

/// Returns the way to install the deb here; `None` if there is none.
///
/// # Errors
///
/// If there is none, and the proof has to be `complete`.
pub(crate) fn way(complete: bool) -> Result<Option<Way>> {
    decide([Way::Itself, Way::Sudo], Way::works, complete)
}

fn decide(
    ways: impl IntoIterator<Item = Way>,
    works: impl Fn(Way) -> bool,
    complete: bool,
) -> Result<Option<Way>> {
    let found = ways.into_iter().find(|way| works(*way));
    ensure!(
        found.is_some() || !complete,
        "the Debian package cannot be installed here: {REFUSED}"
    );
    Ok(found)
}

impl Way {
    /// Creates the beginning of a command in a file system of its own.
    fn unshare(self) -> Command {
        let mut command = match self {
            Way::Itself => Command::new("unshare"),
            Way::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.args(["--non-interactive", "unshare"]);
                sudo
            }
        };
        command.arg("--mount");
        command
    }

    fn works(self) -> bool {
        self.unshare()
            .args(["sh", "-c", LAYER])
            .output()
            .is_ok_and(|output| output.status.success())
    }

    /// Returns the variables that `sudo` removes from the environment and that are needed to find the programs again.
    fn environment(self) -> Vec<OsString> {
        let kept: &[&str] = match self {
            Way::Itself => &[],
            Way::Sudo => &["PATH", "CARGO_TARGET_DIR", "CI"],
        };
        kept.iter()
            .filter_map(|name| {
                let mut variable = OsString::from(format!("{name}="));
                variable.push(env::var_os(name)?);
                Some(variable)
            })
            .collect()
    }
}

/// Gives files that root wrote in the project's folders back to the user.
fn give_back() -> Result<()> {
    let id = |what: &str| output(Command::new("id").arg(what));
    let owner = format!("{}:{}", id("-u")?, id("-g")?);
    let mut chown = Command::new("sudo");
    chown
        .args(["--non-interactive", "chown", "--recursive", &owner])
        .args([
            project::root().join("artifacts/installed"),
            project::cache_path("xtask"),
        ]);
    output(&mut chown).map(drop)
}

fn same(what: &str, found: &BTreeSet<PathBuf>, license: &str) -> Result<()> {
    let expected: BTreeSet<PathBuf> = FILES.iter().chain([&license]).map(PathBuf::from).collect();
    let missing: Vec<_> = expected.difference(found).collect();
    let unexpected: Vec<_> = found.difference(&expected).collect();
    ensure!(
        *found == expected,
        "{what} should have, and has not: {missing:?}; has, and should not have: {unexpected:?}"
    );
    Ok(())
}

/// Runs the inner half, which has its own view of the file system.
pub(crate) fn inside(older: &Path, newer: &Path, rpm: &Path) -> Result<()> {
    ensure_apart(env::var_os(OUTER))?;
    let layers = Layers::over(TREES)?;
    // Kept from version to version, like a user's home.
    let home = layers.folder.join("home");
    let data = home.join("data");
    fs::create_dir_all(&home)?;

    dpkg("--install", older)?;
    ensure!(
        version()? == OLDER,
        "{OLDER} was installed, and now it is {}",
        version()?
    );
    ensure!(Path::new(OLDER_FILE).exists(), "{OLDER_FILE} is missing");
    let program = menu_entry()?;
    registered(&home)?;
    use_it("installed", &program, &data)?;

    // Both versions are built from the same code, so the older one's data is replaced by data of an early commit.
    fs::remove_dir_all(&data)?;
    copy_private(&project::root().join(OLDER_DATA), &data)?;
    dpkg("--install", newer)?;
    ensure!(version()? == NEWER, "it was not upgraded: {}", version()?);
    ensure!(
        !Path::new(OLDER_FILE).exists(),
        "{OLDER_FILE} outlived its version"
    );
    use_it("upgraded", &menu_entry()?, &data)?;
    unpack_rpm(rpm, &layers.folder.join("rpm"))?;

    dpkg("--purge", NAME)?;
    let traces = layers.traces()?;
    ensure!(traces.is_empty(), "it left behind:\n{}", traces.join("\n"));
    println!("  • It is removed, and nothing but the memory of dpkg and its logs has its name.");
    Ok(())
}

/// Returns the file system view of this process.
fn view() -> Result<PathBuf> {
    fs::read_link("/proc/self/ns/mnt").context("reading which file system this process sees")
}

/// Fails if the process shares the file system of its caller: the layers would cover the machine's own, and later
/// changes would be lost with them.
fn ensure_apart(outer: Option<OsString>) -> Result<()> {
    let own = view()?;
    ensure!(
        outer.is_some_and(|outer| own.as_os_str() != outer),
        "this is the file system of the machine itself: run `cargo xtask test` instead"
    );
    Ok(())
}

fn dpkg(what: &str, package: impl AsRef<OsStr>) -> Result<()> {
    let mut command = Command::new("dpkg");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .arg(what)
        .arg(package);
    step::silent(&format!("dpkg {what}"), &mut command)
}

fn version() -> Result<String> {
    output(Command::new("dpkg-query").args(["--show", "--showformat=${Version}", NAME]))
}

/// Returns the program that the menu starts, and checks the rest of the entry.
fn menu_entry() -> Result<PathBuf> {
    let text = fs::read_to_string(ENTRY).with_context(|| format!("reading {ENTRY}"))?;
    let value = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .with_context(|| format!("{ENTRY} has no {key}"))
    };
    ensure!(value("Name")? == "Sonde", "the menu does not say Sonde");
    let icon = format!(
        "/usr/share/icons/hicolor/128x128/apps/{}.png",
        value("Icon")?
    );
    ensure!(Path::new(&icon).is_file(), "{icon} is missing");
    // A link is passed as the only argument.
    let Some((program, "%u")) = value("Exec")?.split_once(' ') else {
        bail!("{ENTRY} starts {}", value("Exec")?);
    };
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file());
    found.with_context(|| format!("{program} is not on the PATH"))
}

/// Checks that links and files of Sonde are known to the desktop.
fn registered(home: &Path) -> Result<()> {
    for (name, kind) in [
        ("a.mcplog", "application/x-mcplog"),
        ("a.sonde.yaml", SUITE),
    ] {
        let file = home.join(name);
        fs::write(&file, "{}")?;
        let mut info = Command::new("gio");
        info.args(["info", "--attributes=standard::content-type"]);
        let about = output(info.arg(&file))?;
        ensure!(about.contains(kind), "{name} is: {about}");
    }
    for kind in ["x-scheme-handler/sonde", SUITE] {
        let mut handler = Command::new("xdg-mime");
        handler
            .args(["query", "default", kind])
            .env("XDG_CONFIG_HOME", home)
            .env("XDG_DATA_HOME", home);
        let handler = output(&mut handler)?;
        ensure!(
            handler == "Sonde.desktop",
            "{kind} is opened by “{handler}”"
        );
    }
    Ok(())
}

/// Uses the app in its window, with existing data.
fn use_it(what: &str, app: &Path, data: &Path) -> Result<()> {
    let shots = project::root().join("artifacts/installed");
    fs::create_dir_all(&shots)?;
    let args = [OsStr::new(what), shots.as_os_str(), data.as_os_str()];
    let user = project::program("installed-app", Profile::Dev);
    let mut desktop = sandbox::desktop(true, user.as_os_str(), &args)?;
    step::loud(
        &format!("The {what} app in its window"),
        desktop.command.env("SONDE_APP", app),
    )
}

/// Copies a data folder, which no other user may read.
fn copy_private(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    files::close_to_others(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let (from, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let to = to.join(name);
        if from.is_dir() {
            copy_private(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
            files::close_to_others(&to)?;
        }
    }
    Ok(())
}

/// Has rpm unpack its package into a folder, and compares it with what the deb installed.
fn unpack_rpm(package: &Path, folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    let mut rpm = Command::new("rpm");
    rpm.arg("--root")
        .arg(folder)
        // Debian lacks the packages of Fedora that this one depends on.
        .args(["--install", "--nodeps"])
        .arg(package);
    step::silent("rpm --install", &mut rpm)?;
    for path in FILES {
        let unpacked = folder.join(path.trim_start_matches('/'));
        let bytes = fs::read(&unpacked)
            .with_context(|| format!("rpm has not unpacked {}", unpacked.display()))?;
        ensure!(bytes == fs::read(path)?, "{path} is another in the rpm");
    }
    ensure!(
        folder.join(RPM_LICENSE.trim_start_matches('/')).is_file(),
        "rpm has not unpacked {RPM_LICENSE}"
    );
    fs::remove_dir_all(folder)?;
    println!(
        "  • The rpm is unpacked, and its {} files are those of the deb.",
        FILES.len()
    );
    Ok(())
}

/// Folders of the system, each covered by a layer that receives all changes.
struct Layers {
    /// A folder in memory.
    folder: PathBuf,
}

impl Layers {
    fn over(trees: &[&str]) -> Result<Self> {
        let folder = env::temp_dir().join(format!("sonde-installed-{}", std::process::id()));
        fs::create_dir(&folder)?;
        let layers = Self { folder };
        mount(&["-t", "tmpfs", "tmpfs"], &layers.folder)?;
        for tree in trees {
            let [lower, upper, work] =
                ["lower", "upper", "work"].map(|layer| layers.path(layer, Path::new(tree)));
            for folder in [&lower, &upper, &work] {
                fs::create_dir_all(folder)?;
            }
            mount(&["--bind", tree], &lower)?;
            let options = format!(
                "lowerdir={},upperdir={},workdir={}",
                lower.display(),
                upper.display(),
                work.display()
            );
            mount(
                &["-t", "overlay", "-o", &options, "overlay"],
                Path::new(tree),
            )?;
        }
        Ok(layers)
    }

    /// Returns the path in a layer of a file that the system sees at `path`.
    fn path(&self, layer: &str, path: &Path) -> PathBuf {
        self.folder
            .join(layer)
            .join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Lists new files, missing files, and changed files that contain Sonde's name.
    fn traces(&self) -> Result<Vec<String>> {
        let upper = self.folder.join("upper");
        let own = [project::root(), env::temp_dir()];
        let mut traces = Vec::new();
        walk(&upper, &mut |path, meta| {
            let seen = Path::new("/").join(path.strip_prefix(&upper).unwrap_or(path));
            if own.iter().any(|own| seen.starts_with(own))
                || MEMORY.iter().any(|memory| seen == Path::new(memory))
            {
                return;
            }
            let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
            let names_it = || meta.is_file() && fs::read(path).is_ok_and(|bytes| has_name(&bytes));
            let what = match (exists(&self.path("lower", &seen)), exists(&seen)) {
                (_, false) => "is gone",
                (false, true) => "is new",
                (true, true) if names_it() => "has its name",
                (true, true) => return,
            };
            traces.push(format!("{} {what}", seen.display()));
        })?;
        Ok(traces)
    }
}

/// The mounts end with the namespace. Only the folder that they are mounted on is visible outside.
impl Drop for Layers {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("--lazy")
            .arg(&self.folder)
            .status();
        let _ = fs::remove_dir(&self.folder);
    }
}

fn mount(what: &[&str], at: &Path) -> Result<()> {
    output(Command::new("mount").args(what).arg(at)).map(drop)
}

fn has_name(bytes: &[u8]) -> bool {
    bytes
        .windows(NAME.len())
        .any(|window| window.eq_ignore_ascii_case(NAME.as_bytes()))
}

/// Visits everything below a folder, each folder before its content.
fn walk(folder: &Path, look: &mut impl FnMut(&Path, &fs::Metadata)) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let meta = fs::symlink_metadata(&path)?;
        look(&path, &meta);
        if meta.is_dir() {
            walk(&path, look)?;
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_deb_is_installed_wherever_it_can_be() {
        let ways = [Way::Itself, Way::Sudo];
        for complete in [false, true] {
            let found = |works: &[Way]| decide(ways, |way| works.contains(&way), complete);
            assert_eq!(found(&ways).unwrap(), Some(Way::Itself));
            assert_eq!(found(&[Way::Sudo]).unwrap(), Some(Way::Sudo));
            assert_eq!(found(&[]).ok(), (!complete).then_some(None));
        }
    }

    #[test]
    fn nothing_lies_over_the_file_system_of_the_machine() {
        assert!(ensure_apart(None).is_err());
        let own = view().unwrap().into_os_string();
        assert!(ensure_apart(Some(own)).is_err());
        ensure_apart(Some("mnt:[1]".into())).unwrap();
    }
}
