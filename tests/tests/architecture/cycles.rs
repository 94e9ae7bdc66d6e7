//! Sibling modules that import each other.
//!
//! At each level of a crate two graphs are checked: of the files of a folder, and of its subfolders, each with
//! everything below it. Imports between a file and a folder beside it, or between a module and those below it, do not
//! count.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Crate, Place};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the imports of a crate that are part of a circle, one line each.
pub(crate) fn circles(krate: &Crate) -> Vec<String> {
    let mut graphs: BTreeMap<(Place, bool), Graph> = BTreeMap::new();
    for from in krate.modules.keys() {
        for to in krate.named_by(from) {
            // The level at which the two part.
            let level = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(one), Some(other)) = (from.get(level), to.get(level)) else {
                continue;
            };
            let folder = from[..level].to_vec();
            let is_folder = |name: &str| {
                let place: Place = folder.iter().cloned().chain([name.to_owned()]).collect();
                krate
                    .modules
                    .get(&place)
                    .is_none_or(|module| module.is_folder)
            };
            if is_folder(one) == is_folder(other) {
                let graph = graphs.entry((folder.clone(), is_folder(one))).or_default();
                graph.entry(one.clone()).or_default().insert(other.clone());
            }
        }
    }
    graphs
        .into_iter()
        .flat_map(|((place, _), graph)| {
            let folder = [krate.folder.clone()].into_iter().chain(place);
            let folder = folder.collect::<Vec<_>>().join("/");
            let imports = in_circles(&graph).into_iter();
            imports.map(move |(from, to)| format!("{folder}: {from} -> {to}"))
        })
        .collect()
}

/// Returns the imports whose target leads back to the importer.
fn in_circles(graph: &Graph) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (from, targets) in graph {
        for to in targets {
            if reaches(graph, to, from) {
                found.insert((from.clone(), to.clone()));
            }
        }
    }
    found
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(one) = next.pop() {
        if one == to {
            return true;
        }
        if seen.insert(one) {
            next.extend(graph.get(one).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

#[test]
fn circles_are_found_and_end_without_one_import() {
    let mut graph: Graph = [
        ("a", vec!["b", "d"]),
        ("b", vec!["c"]),
        ("c", vec!["a"]),
        ("d", vec![]),
    ]
    .into_iter()
    .map(|(from, to)| (from.to_owned(), to.into_iter().map(str::to_owned).collect()))
    .collect();
    assert_eq!(in_circles(&graph).len(), 3);
    graph.remove("c");
    assert!(in_circles(&graph).is_empty());
}
