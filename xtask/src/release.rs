//! Files published beside the packages: lists of their components, and their checksums.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    bundle,
    packages::{self, Need},
    project,
    signing::{self, Keys},
    step, tool, ui,
};

/// Name of the file of the checksums, in the form that `sha256sum --check` reads.
pub(crate) const CHECKSUMS: &str = "SHA256SUMS";
/// Path of a release's notes. Not beside the packages, because they are not published as a file.
pub(crate) const NOTES: &str = "artifacts/notes.md";
/// File name for the lists of cargo-cyclonedx.
const SBOM: &str = "sonde-sbom";
/// The members of the workspace that are shipped programs: their folders and names.
pub(crate) const MEMBERS: [(&str, &str); 3] = [
    ("src-tauri", project::APP),
    ("crates/demo", project::DEMO),
    ("crates/cli", project::CLI),
];
/// Name of the list of the page.
pub(crate) const PAGE: &str = "sonde-ui";

/// Writes the lists of components of the programs and the page beside the packages.
pub(crate) fn sbom() -> Result<()> {
    packages::ensure(&[] as &[Need])?;
    let folder = bundle::folder();
    fs::create_dir_all(&folder)?;
    list_into(&folder, &source_date(env::var("SOURCE_DATE_EPOCH").ok())?)?;
    println!("\nThe lists lie in {}", folder.display());
    Ok(())
}

/// Writes the lists of components of the programs and the page into a folder, as CycloneDX documents of a date (in
/// seconds since 1970).
pub(crate) fn list_into(folder: &Path, date: &str) -> Result<()> {
    let cyclonedx = step::step("Find cargo-cyclonedx", tool::cargo_cyclonedx)?;
    let programs = step::quiet(
        "List the crates of the programs",
        Command::new(cyclonedx)
            .args(["cyclonedx", "--format", "json", "--spec-version", "1.5"])
            .args(["--target", "all", "--override-filename", SBOM])
            .env("SOURCE_DATE_EPOCH", date),
    );
    // cargo-cyclonedx writes a file into the folder of each member of the workspace.
    let written = below(&project::root(), &format!("{SBOM}.json"))?;
    let mut kept = 0;
    for file in &written {
        for (member, name) in MEMBERS {
            if file.parent() == Some(&project::root().join(member)) {
                // The list names crates of the project by their folders on this machine.
                let list = fs::read_to_string(file)?;
                let list = list.replace(&*project::root().to_string_lossy(), "/sonde");
                fs::write(folder.join(list_of(name)), list)?;
                kept += 1;
            }
        }
        fs::remove_file(file)?;
    }
    programs?;
    if kept != MEMBERS.len() {
        bail!("cargo-cyclonedx wrote {written:?}");
    }
    step::step("List the packages of the page", || {
        let list = step::output(
            ui::npm(shipped_page()?)
                .args(["sbom", "--sbom-format", "cyclonedx"])
                .args(["--sbom-type", "application", "--package-lock-only"]),
        )?;
        let dated = read_json(&folder.join(list_of(project::APP)))?;
        let page = dated_as(serde_json::from_str(&list)?, &dated)?;
        let file = folder.join(list_of(PAGE));
        fs::write(&file, serde_json::to_vec_pretty(&page)?)
            .with_context(|| format!("writing {}", file.display()))
    })
}

/// Creates a folder with the manifest and the lock file of the page without development dependencies. With `--omit
/// dev`, npm would leave out every package that is among the `devDependencies` of any other, such as React.
fn shipped_page() -> Result<PathBuf> {
    // npm names its list after the folder.
    let folder = project::cache_path("xtask").join(PAGE);
    fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json"] {
        let file = read_json(&project::root().join("ui").join(name))?;
        fs::write(folder.join(name), serde_json::to_vec(&shipped(file))?)?;
    }
    Ok(folder)
}

/// Removes development dependencies from a manifest or a lock file.
fn shipped(mut file: Value) -> Value {
    let remove = |of: &mut Value| {
        of.as_object_mut()
            .and_then(|of| of.remove("devDependencies"))
    };
    remove(&mut file);
    if let Some(packages) = file.get_mut("packages").and_then(Value::as_object_mut) {
        packages.retain(|_, package| package["dev"] != true);
        packages.values_mut().for_each(|package| {
            remove(package);
        });
    }
    file
}

/// Replaces the current time and the random number in npm's list with those of another list.
fn dated_as(mut list: Value, other: &Value) -> Result<Value> {
    let time = &other["metadata"]["timestamp"];
    if !time.is_string() {
        bail!("the list of crates has no time");
    }
    list["metadata"]["timestamp"] = time.clone();
    if let Some(list) = list.as_object_mut() {
        list.remove("serialNumber");
    }
    Ok(list)
}

/// Writes the checksums of all files beside the packages.
pub(crate) fn checksums() -> Result<()> {
    let text = checksums_into(&bundle::folder(), &Keys::of_environment())?;
    print!("{text}");
    Ok(())
}

/// Writes the checksums of all files in a folder into it, and their signature if there is a key. Returns them.
pub(crate) fn checksums_into(folder: &Path, keys: &Keys) -> Result<String> {
    let names = names_in(folder)?;
    if names.is_empty() {
        bail!("nothing lies in {}", folder.display());
    }
    let mut text = String::new();
    for name in &names {
        writeln!(text, "{}  {name}", sha256(&folder.join(name))?)?;
    }
    let checksums = folder.join(CHECKSUMS);
    fs::write(&checksums, &text)?;
    keys.sign_checksums(&checksums)?;
    Ok(text)
}

/// Returns the files of a folder that get a checksum, in order.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    let own = [
        CHECKSUMS.into(),
        signing::signature_of(Path::new(CHECKSUMS)),
    ];
    names.retain(|name| !own.contains(&PathBuf::from(name)) && folder.join(name).is_file());
    names.sort();
    Ok(names)
}

/// Texts of the project that name its versions.
struct Versions {
    changelog: String,
    metainfo: String,
}

impl Versions {
    fn read() -> Result<Self> {
        let read = |path: &str| {
            fs::read_to_string(project::root().join(path))
                .with_context(|| format!("reading {path}"))
        };
        Ok(Self {
            changelog: read("CHANGELOG.md")?,
            metainfo: read("packaging/linux/dev.sonde.app.metainfo.xml")?,
        })
    }

    /// Returns the date of a version, and its section of the changelog.
    fn section(&self, version: &str) -> Result<(&str, &str)> {
        let heading = format!("\n## [{version}] - ");
        let found = self.changelog.split_once(&heading);
        let (date, rest) = found
            .and_then(|(_, section)| section.split_once('\n'))
            .with_context(|| {
                format!("CHANGELOG.md has no section “## [{version}] - YYYY-MM-DD”")
            })?;
        let end = rest.find("\n## ").unwrap_or(rest.len());
        let text = rest[..end].trim();
        if text.is_empty() {
            bail!("the section of {version} in CHANGELOG.md is empty");
        }
        Ok((date.trim(), text))
    }

    /// Checks that the tag of a release is `v` and the version of the workspace, which its packages have, and that
    /// changelog and metainfo have that version with the same date.
    fn tagged(&self, tag: &str, version: &str) -> Result<()> {
        if tag.strip_prefix('v') != Some(version) {
            bail!(
                "the tag is {tag:?}, but the version in Cargo.toml is {version}: its packages would have another version \
                 than the release. Either set `version` in Cargo.toml and tag that commit, or delete the tag and push v{version}"
            );
        }
        let (date, _) = self.section(version)?;
        let release = format!("<release version=\"{version}\" date=\"{date}\"/>");
        if !self.metainfo.contains(&release) {
            bail!("the metainfo of packaging/linux has not {release}, which CHANGELOG.md says");
        }
        Ok(())
    }
}

/// Checks that the tag fits the release.
pub(crate) fn tag(tag: &str, version: &str) -> Result<()> {
    Versions::read()?.tagged(tag, version)?;
    println!("{tag} is the version of the workspace, and the changelog has it.");
    Ok(())
}

/// Writes the notes of a release: the section of its version in the changelog.
pub(crate) fn notes(version: &str) -> Result<()> {
    let versions = Versions::read()?;
    let (_, text) = versions.section(version)?;
    let file = project::root().join(NOTES);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&file, format!("{text}\n"))?;
    println!("{text}");
    Ok(())
}

fn sha256(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let digest = Sha256::digest(bytes);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the file name of a list.
pub(crate) fn list_of(name: &str) -> String {
    format!("{name}.cdx.json")
}

fn read_json(path: &Path) -> Result<Value> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is no JSON", path.display()))
}

/// Returns the time of the released sources, in seconds since 1970: the given time, or else the time of the commit.
fn source_date(given: Option<String>) -> Result<String> {
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        return Ok(given);
    }
    step::git(&["log", "-1", "--format=%ct"])
}

/// Finds the files of a name in the folders of the project's own code.
fn below(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let own = path.file_name().is_some_and(|name| {
            !["target", "node_modules", "artifacts", ".git"].contains(&&*name.to_string_lossy())
        });
        if path.is_dir() && own {
            found.extend(below(&path, name)?);
        } else if path.file_name().is_some_and(|found| found == name) {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn versions() -> Versions {
        Versions {
            changelog: "# Changelog\n\n## [Unreleased]\n\n- Next\n\n## [1.2.3] - 2026-02-01\n\n### Added\n\n- This\n\n\
                        ## [1.2.3-rc.1] - 2026-01-01\n\n- That\n\n## [1.2.2] - 2025-12-01\n\n## [1.2] - 2025-11-01\n\n- Old\n"
                .to_owned(),
            metainfo: "<release version=\"1.2.3\" date=\"2026-02-01\"/>\n\
                       <release version=\"1.2.3-rc.1\" date=\"2026-01-01\"/>\n\
                       <release version=\"1.2\" date=\"2025-11-02\"/>"
                .to_owned(),
        }
    }

    #[test]
    fn a_tag_is_the_version_with_a_v() {
        for (given, version) in [("v1.2.3", "1.2.3"), ("v1.2.3-rc.1", "1.2.3-rc.1")] {
            versions().tagged(given, version).expect(given);
        }
        for given in [
            "1.2.3",
            "v1.2.4",
            "v1.2",
            "v1.2.3-rc.1",
            "vv1.2.3",
            "v1.2.30",
            "V1.2.3",
            "v",
            "",
        ] {
            let said = versions().tagged(given, "1.2.3").expect_err(given);
            let said = said.to_string();
            assert!(
                said.contains(&format!("{given:?}")) && said.contains("push v1.2.3"),
                "{said}"
            );
        }
    }

    #[test]
    fn a_release_has_a_section_of_the_changelog_which_are_its_notes() {
        let versions = versions();
        let (date, notes) = versions.section("1.2.3").expect("a section");
        assert_eq!((date, notes), ("2026-02-01", "### Added\n\n- This"));
        assert_eq!(versions.section("1.2").expect("the last one").1, "- Old");
        for (version, why) in [
            ("1.2.4", "has no section"),
            ("1.2.2", "is empty"),
            // The metainfo has another date.
            (
                "1.2",
                "has not <release version=\"1.2\" date=\"2025-11-01\"/>",
            ),
        ] {
            let said = versions.tagged(&format!("v{version}"), version);
            let said = said.expect_err(version).to_string();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn the_newest_version_of_the_metainfo_is_that_of_the_workspace() {
        let metainfo = Versions::read().expect("the files").metainfo;
        let (_, newest) = metainfo
            .split_once("<release version=\"")
            .expect("a version");
        let newest = newest.split('"').next();
        assert_eq!(newest, Some(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn a_list_has_the_date_that_is_given() {
        let given = source_date(Some("1700000000".to_owned()));
        assert_eq!(given.expect("given"), "1700000000");
        let dated = json!({ "metadata": { "timestamp": "2023-11-14T22:13:20.000000000Z" } });
        let page = json!({
            "serialNumber": "urn:uuid:1",
            "metadata": { "timestamp": "2030-01-01T00:00:00.000Z", "component": { "name": "ui" } },
        });
        let page = dated_as(page, &dated).expect("a date");
        assert_eq!(
            page,
            json!({ "metadata": {
                "timestamp": "2023-11-14T22:13:20.000000000Z", "component": { "name": "ui" },
            } })
        );
        assert!(dated_as(page, &json!({ "metadata": {} })).is_err());
    }

    #[test]
    fn what_only_development_needs_does_not_ship() {
        let manifest = json!({ "dependencies": { "a": "1" }, "devDependencies": { "b": "2" } });
        assert_eq!(shipped(manifest), json!({ "dependencies": { "a": "1" } }));
        let lock = json!({ "packages": {
            "": { "dependencies": { "a": "1" }, "devDependencies": { "b": "2" } },
            "node_modules/a": { "version": "1", "devDependencies": { "c": "3" } },
            "node_modules/b": { "version": "2", "dev": true },
        } });
        assert_eq!(
            shipped(lock),
            json!({ "packages": {
                "": { "dependencies": { "a": "1" } },
                "node_modules/a": { "version": "1" },
            } })
        );
    }

    #[test]
    fn a_checksum_is_that_of_sha256sum() {
        let file = env::temp_dir().join(format!("sonde-checksum-{}", std::process::id()));
        fs::write(&file, "abc").expect("written");
        let sum = sha256(&file);
        fs::remove_file(&file).expect("removed");
        // FIPS 180-4, example B.1.
        assert_eq!(
            sum.expect("readable"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
