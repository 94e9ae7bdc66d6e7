//! Notices of what ships of others: the name, version and licence of each package, and the licence texts in its folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::{files, project, step::output};

/// Name of the file, beside the programs and in the packages.
pub(crate) const FILE: &str = "third-party-licenses.txt";

/// Beginnings of the names of files with licence texts.
const TEXTS: [&str; 6] = [
    "licen",
    "unlicense",
    "copying",
    "copyright",
    "notice",
    "third",
];
/// Extensions of code in files with such names.
const CODE: [&str; 7] = ["rs", "js", "mjs", "ts", "map", "json", "yml"];

/// A crate or npm package of others, of which something ships.
struct Package {
    name: String,
    version: String,
    license: String,
    source: String,
    folder: PathBuf,
}

impl Package {
    fn line(&self) -> String {
        let Self {
            name,
            version,
            license,
            source,
            ..
        } = self;
        format!("{name} {version}: {license}, {source}")
    }

    /// Returns the licence texts of the package and of the sources of others inside it.
    fn texts(&self) -> Result<Vec<String>> {
        let texts = files::below(&self.folder)?.into_iter();
        let texts = texts.filter(|file| is_text(file));
        texts
            .map(|file| Ok(String::from_utf8_lossy(&fs::read(file)?).trim().to_owned()))
            .collect()
    }
}

fn is_text(file: &Path) -> bool {
    let lower =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().to_lowercase();
    let name = lower(file.file_name());
    let extension = lower(file.extension());
    TEXTS.iter().any(|begin| name.starts_with(begin)) && !CODE.contains(&extension.as_str())
}

/// Writes the notices into a folder. Returns the file.
pub(crate) fn write(folder: &Path) -> Result<PathBuf> {
    let file = folder.join(FILE);
    files::update(&file, text()?.as_bytes())?;
    Ok(file)
}

/// Returns a line for each package that ships.
pub(crate) fn lines() -> Result<Vec<String>> {
    Ok(packages()?.iter().map(Package::line).collect())
}

fn text() -> Result<String> {
    let mut lines = String::new();
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages()? {
        lines += &format!("{}\n", package.line());
        for text in package.texts()? {
            let name = format!("{} {}", package.name, package.version);
            texts.entry(text).or_default().insert(name);
        }
    }
    let rule = "=".repeat(80);
    let texts = texts.into_iter().map(|(text, names)| {
        let names: Vec<_> = names.into_iter().collect();
        format!("\n{rule}\n{}\n{rule}\n\n{text}\n", names.join(", "))
    });
    Ok(format!(
        "Sonde contains the packages below, each under its own licence; their sources are at the addresses. The licence\n\
         texts that come with them follow. It also contains the standard library of Rust (MIT OR Apache-2.0,\n\
         https://github.com/rust-lang/rust); the static command line contains musl (MIT, https://musl.libc.org).\n\
         \n{lines}{}",
        texts.collect::<String>()
    ))
}

fn packages() -> Result<Vec<Package>> {
    let mut packages = crates()?;
    packages.extend(of_the_page()?);
    Ok(packages)
}

/// Returns the crates that are linked into the programs on this system.
fn crates() -> Result<Vec<Package>> {
    let mut tree = project::cargo();
    tree.args(["tree", "--locked", "--prefix", "none", "--format", "{p}"]);
    tree.args(["--edges", "normal,no-proc-macro"]);
    for package in project::SHIPPED {
        tree.args(["--package", package]);
    }
    let linked = output(&mut tree)?;
    let linked: BTreeSet<_> = linked
        .lines()
        .filter_map(|line| line.split_once(" v"))
        .map(|(name, rest)| (name, rest.split(' ').next().unwrap_or_default()))
        .collect();
    let host = project::host()?;
    let mut metadata = project::cargo();
    metadata.args(["metadata", "--locked", "--format-version", "1"]);
    metadata.args(["--filter-platform", &host]);
    let metadata: Value = serde_json::from_str(&output(&mut metadata)?)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = metadata["packages"].as_array().context("packages")?.iter();
    let others = all.filter(|about| !about["source"].is_null());
    let packages = others.map(|about| {
        let (name, version) = (text(&about["name"]), text(&about["version"]));
        Package {
            license: text(&about["license"]),
            source: format!("https://crates.io/crates/{name}/{version}"),
            folder: PathBuf::from(text(&about["manifest_path"])).with_file_name(""),
            name,
            version,
        }
    });
    Ok(packages
        .filter(|one| linked.contains(&(&*one.name, &*one.version)))
        .collect())
}

/// Returns the npm packages that the page is made of.
fn of_the_page() -> Result<Vec<Package>> {
    let ui = project::root().join("ui");
    let lock: Value = serde_json::from_slice(&fs::read(ui.join("package-lock.json"))?)?;
    let all = lock["packages"].as_object().context("packages")?.iter();
    // Optional packages are programs, of which none gets into the page.
    let shipped = all.filter(|(path, about)| {
        let unused = ["dev", "devOptional", "optional"];
        !path.is_empty() && unused.iter().all(|key| about.get(key).is_none())
    });
    let packages = shipped.map(|(path, about)| {
        let text = |key: &str| about[key].as_str().unwrap_or_default().to_owned();
        let (_, folder) = path.rsplit_once("node_modules/").unwrap_or(("", path));
        let name = about["name"].as_str().unwrap_or(folder);
        Package {
            name: name.to_owned(),
            source: format!("https://www.npmjs.com/package/{name}/v/{}", text("version")),
            version: text("version"),
            license: text("license"),
            folder: ui.join(path),
        }
    });
    Ok(packages.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_of_others_is_named_with_its_texts() {
        let all = packages().expect("packages");
        for (name, license, sentence) in [
            ("tokio", "MIT", "Tokio Contributors"),
            ("zstd-sys", "BSD-3-Clause", "Meta Platforms"),
            ("@preact/compat", "MIT", "MIT License"),
            ("pdfjs-dist", "Apache-2.0", "Apache License"),
        ] {
            let found = all.iter().find(|one| one.name == name).expect(name);
            assert!(found.license.starts_with(license), "{}", found.line());
            let texts = found.texts().expect("texts");
            assert!(texts.iter().any(|text| text.contains(sentence)), "{name}");
        }
        for package in &all {
            assert!(!package.license.is_empty(), "{}", package.line());
        }
        for name in [
            "sonde-wire",
            "serde_derive",
            "roxmltree",
            "vitest",
            "@napi-rs/canvas",
        ] {
            assert!(
                all.iter().all(|one| one.name != name),
                "{name} does not ship"
            );
        }
    }
}
