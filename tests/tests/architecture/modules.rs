//! The modules of a crate, and the other modules that each names.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::tokens::{Token, tokens};

/// Path of a module: the names from the root of the crate on.
pub(crate) type Place = Vec<String>;

/// A crate's modules.
pub(crate) struct Crate {
    /// The folder of the sources, relative to the root of the repository.
    pub(crate) folder: String,
    pub(crate) modules: BTreeMap<Place, Module>,
}

/// One file.
pub(crate) struct Module {
    pub(crate) tokens: Vec<Token>,
    /// The module is in a folder of its own, or has one beside it.
    pub(crate) is_folder: bool,
    /// Imports: the name in this module, and the path.
    imports: Vec<(String, Vec<String>)>,
    /// Other paths in its text that begin with `crate`, `self` or `super`.
    paths: Vec<Vec<String>>,
}

impl Crate {
    pub(crate) fn read(folder: &Path, root: &Path) -> Self {
        let sources = folder.join("src");
        let mut modules = BTreeMap::new();
        read_folder(&sources, &mut Vec::new(), &mut modules);
        let folder = sources.strip_prefix(root).unwrap();
        Self {
            folder: folder.display().to_string().replace('\\', "/"),
            modules,
        }
    }

    /// Returns the other modules that a module names.
    pub(crate) fn named_by(&self, place: &Place) -> BTreeSet<Place> {
        let module = &self.modules[place];
        let imports = module.imports.iter().map(|(_, path)| path);
        let mut named: BTreeSet<_> = imports
            .chain(&module.paths)
            .filter_map(|path| self.resolve(place, path, 0))
            .collect();
        named.remove(place);
        named
    }

    /// Finds the module that defines the thing at this path; `None` for other crates.
    fn resolve(&self, from: &Place, path: &[String], depth: usize) -> Option<Place> {
        // An import may name another import, but not for ever.
        if depth > 8 {
            return None;
        }
        let mut at = from.clone();
        let mut rest = path;
        let mut anchored = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => {
                    at.pop();
                }
                _ => break,
            }
            anchored = true;
            rest = others;
        }
        while let Some((first, others)) = rest.split_first() {
            let child: Place = at.iter().cloned().chain([first.clone()]).collect();
            if self.modules.contains_key(&child) {
                at = child;
            } else if let Some(import) = self.modules.get(&at)?.import(first, path) {
                let through = self.resolve(&at, import, depth + 1)?;
                return self.resolve_in(&through, others, depth + 1);
            } else if anchored {
                break;
            } else {
                return None;
            }
            anchored = true;
            rest = others;
        }
        Some(at)
    }

    fn resolve_in(&self, module: &Place, rest: &[String], depth: usize) -> Option<Place> {
        let path: Vec<_> = [String::from("self")]
            .into_iter()
            .chain(rest.to_vec())
            .collect();
        self.resolve(module, &path, depth)
    }
}

impl Module {
    fn new(source: &str) -> Self {
        let tokens = tokens(source);
        let mut imports = Vec::new();
        let mut paths = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let anchor = ["crate", "self", "super"]
                .iter()
                .any(|one| tokens[at].is(one));
            if tokens[at].is("use") {
                at = read_use(&tokens, at + 1, &[], &mut imports);
            } else if anchor && tokens.get(at + 1) == Some(&Token::Path) {
                let mut path = Vec::new();
                while let Some(Token::Word(word)) = tokens.get(at) {
                    path.push(word.clone());
                    at += 1;
                    if tokens.get(at) != Some(&Token::Path) {
                        break;
                    }
                    at += 1;
                }
                paths.push(path);
            } else {
                at += 1;
            }
        }
        Self {
            tokens,
            is_folder: false,
            imports,
            paths,
        }
    }

    /// Returns the path under which a name was imported, except `but`.
    fn import(&self, name: &str, but: &[String]) -> Option<&[String]> {
        let mut named = self.imports.iter().filter(|(own, _)| own == name);
        named
            .find(|(_, path)| path != but)
            .map(|(_, path)| path.as_slice())
    }
}

fn read_folder(folder: &Path, place: &mut Place, modules: &mut BTreeMap<Place, Module>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let mut subfolders = Vec::new();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name == "tests" || name == "bin" {
            continue;
        }
        if path.is_dir() {
            subfolders.push((path, name));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = Module::new(&std::fs::read_to_string(&path).unwrap());
            let is_root = matches!(name.as_str(), "mod" | "lib" | "main");
            if !is_root {
                place.push(name);
            }
            modules.insert(place.clone(), module);
            if !is_root {
                place.pop();
            }
        }
    }
    for (path, name) in subfolders {
        place.push(name);
        read_folder(&path, place, modules);
        if let Some(module) = modules.get_mut(place) {
            module.is_folder = true;
        }
        place.pop();
    }
}

/// Reads a tree of imports; returns the position after it.
fn read_use(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    imports: &mut Vec<(String, Vec<String>)>,
) -> usize {
    let mut path = prefix.to_vec();
    while at < tokens.len() {
        match &tokens[at] {
            Token::Word(word) if word == "as" => {
                if let Some(Token::Word(name)) = tokens.get(at + 1) {
                    imports.push((name.clone(), path.clone()));
                }
                // The comma or semicolon after it ends this import, and it is in the list already.
                return at + 2;
            }
            Token::Word(word) => path.push(word.clone()),
            Token::Path => {}
            Token::Sign('*') => {}
            Token::Sign('{') => {
                at += 1;
                while at < tokens.len() && tokens[at] != Token::Sign('}') {
                    at = read_use(tokens, at, &path, imports);
                    if tokens.get(at) == Some(&Token::Sign(',')) {
                        at += 1;
                    }
                }
                return at + 1;
            }
            _ => break,
        }
        at += 1;
    }
    // `use a::{self}` imports `a` itself.
    let end = path.iter().rposition(|word| word != "self");
    let anchor = matches!(path.first().map(String::as_str), Some("self"));
    if !(anchor && path.len() == 1) {
        path.truncate(end.map_or(0, |end| end + 1));
    }
    if let Some(name) = path.last().cloned() {
        imports.push((name, path));
    }
    at
}

#[test]
fn trees_of_imports_are_read() {
    let module = Module::new(
        "pub use self::a::{b, c::{self, d as e}, f::*}; use super::g; fn h() { crate::i::j(); }",
    );
    let imports: Vec<_> = module
        .imports
        .iter()
        .map(|(name, path)| format!("{name} = {}", path.join("::")))
        .collect();
    assert_eq!(
        imports,
        [
            "b = self::a::b",
            "c = self::a::c",
            "e = self::a::c::d",
            "f = self::a::f",
            "g = super::g",
        ]
    );
    assert_eq!(module.paths, [["crate", "i", "j"]]);
}
