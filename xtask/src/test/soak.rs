//! `cargo xtask test --soak`: runs chosen tests again and again on a busy machine.

use std::{
    hint,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use anyhow::{Result, bail};

use super::suite::Suite;
use crate::{
    build, peers,
    results::{TestResult, Which},
    step::{self, Output},
};

/// Number of loops that keep processors busy: as many as CI machines have.
const BUSY: usize = 2;

/// Suites to search for a name, the cheapest first.
const SUITES: &[Suite] = &[
    Suite::Page,
    Suite::States,
    Suite::Rust,
    Suite::Keyring,
    Suite::Foreign,
    Suite::Windows,
    Suite::MoreWindows,
];

/// Runs the tests whose names contain one of `names`, `times` times beside busy loops, and counts their failures.
pub(crate) fn run(names: &[String], times: u32) -> Result<()> {
    build::everything()?;
    peers::install()?;
    let stop = AtomicBool::new(false);
    let failed = thread::scope(|scope| {
        for _ in 0..BUSY {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let failed = names
            .iter()
            .map(|name| {
                soak(name, times, |suite| {
                    suite.run(Which::Named(name), Output::Kept)
                })
            })
            .sum::<Result<usize>>();
        stop.store(true, Ordering::Relaxed);
        failed
    })?;
    if failed > 0 {
        bail!("{failed} runs failed");
    }
    Ok(())
}

/// Runs one name and returns the number of failed runs.
fn soak(name: &str, times: u32, run: impl Fn(Suite) -> Result<Vec<TestResult>>) -> Result<usize> {
    let mut failed = 0;
    let mut suites = SUITES.to_vec();
    for time in 1..=times {
        step::step(&format!("{name}, {time} of {times}"), || {
            let mut ran = Vec::new();
            let mut broken = None;
            for suite in &suites {
                // A suite that does not know the name runs nothing.
                let results = match run(*suite) {
                    Ok(results) => results,
                    // The machine may not have a runner for tests with other names.
                    Err(error) if time == 1 => {
                        broken.get_or_insert(error);
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                if !results.is_empty() {
                    ran.push(*suite);
                }
                for test in results.iter().filter(|test| test.failure.is_some()) {
                    failed += 1;
                    println!(
                        "  ✗ {}\n{}",
                        test.title(),
                        test.failure.as_deref().unwrap_or("")
                    );
                }
            }
            if ran.is_empty() {
                if let Some(error) = broken {
                    return Err(error);
                }
                bail!("no test has “{name}” in its name");
            }
            suites = ran;
            Ok(())
        })?;
    }
    println!("  {name}: {failed} failures in {times} runs");
    Ok(failed)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::test::report::tests::test;

    #[test]
    fn a_runner_that_breaks_ends_the_runs() {
        // Calls from this one on break for these suites.
        let ran = |broken: &[Suite], from: usize| {
            let calls = Cell::new(0);
            soak("a", 2, |suite| {
                calls.set(calls.get() + 1);
                match suite {
                    _ if broken.contains(&suite) && calls.get() >= from => bail!("no browser"),
                    Suite::Rust => Ok(vec![test("a", Some("no"))]),
                    _ => Ok(Vec::new()),
                }
            })
        };
        assert_eq!(ran(&[Suite::Page, Suite::States], 1).unwrap(), 2);
        assert!(ran(&[Suite::Rust], SUITES.len() + 1).is_err());
        assert!(ran(SUITES, 1).is_err());
    }
}
