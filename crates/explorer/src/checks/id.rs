//! Names of checks: digests of their steps.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use sonde_client::canonical::hex;
use sonde_suite::{format::Suite, node::Node};

use super::types::CheckId;

/// Names the steps of a suite, in order.
pub(super) fn ids(file: &str, suite: &Suite) -> Vec<CheckId> {
    let mut twins: HashMap<String, u32> = HashMap::new();
    let mut name = |node: &Node| {
        let digest = digest(node);
        let twin = twins.entry(digest.clone()).or_default();
        *twin += 1;
        let step = match *twin {
            1 => digest,
            number => format!("{digest}#{number}"),
        };
        CheckId {
            file: file.to_owned(),
            step,
        }
    };
    suite.steps.iter().map(|step| name(&step.node)).collect()
}

/// Digest of a step without `skip`, so that a step that is left out keeps its name.
fn digest(node: &Node) -> String {
    let mut hash = Sha256::new();
    for entry in node.entries().iter().filter(|entry| entry.key != "skip") {
        hash.update(entry.key.as_bytes());
        hash.update([0]);
        hash.update(entry.value.json_text().as_bytes());
        hash.update([0]);
    }
    hex(&hash.finalize()[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_survives_skip_and_comments_and_twins_differ() {
        let of = |steps: &str| {
            let suite = Suite::read("a", &format!("sonde: 1\nsteps:\n{steps}")).unwrap();
            ids("a", &suite)
        };
        let one = of("  - ping: true\n    name: x\n");
        let same = of("  # comment\n  - { ping: true, name: x, skip: not now }\n");
        assert_eq!(one, same);
        let twins = of("  - ping: true\n  - ping: true\n");
        assert_eq!(twins[1].step, format!("{}#2", twins[0].step));
        assert_ne!(one[0], twins[0]);
    }
}
