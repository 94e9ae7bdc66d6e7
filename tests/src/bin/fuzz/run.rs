//! Running of a target: over its corpus, and over mutations of it.

use std::{
    fs::{self, File},
    io::{Seek as _, Write as _},
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::{
    corpus,
    mutation::mutate,
    random::Random,
    seen::Seen,
    targets::{self, Target},
};

/// Time limit of one input, after which the code counts as hanging.
const PATIENCE: Duration = Duration::from_secs(30);
/// Size of the stack, the same as of the app's threads.
const STACK: usize = 2 << 20;
/// Limit of the inputs that are mutated; beyond it a new one replaces another.
const KNOWN: usize = 4096;
/// Limit of the attempts at making a failed input smaller.
const SMALLER: usize = 5000;

/// Runs all cases of all targets once.
///
/// # Errors
/// The first case that fails, by its file.
pub(crate) fn replay() -> Result<()> {
    for target in targets::ALL {
        let cases = corpus::read(target.name)?;
        let count = cases.len();
        in_thread(target, move |run| {
            for (name, input) in cases {
                let failed = run.execute(&input);
                failed.map_err(|why| anyhow!("{} fails on {name}: {why}", target.name))?;
            }
            Ok(())
        })?;
        println!("{}: {count} cases", target.name);
    }
    Ok(())
}

/// Mutates the corpus of a target until the time is over, or for ever.
///
/// # Errors
/// The first input that fails, made as small as possible; it is stored as a case.
pub(crate) fn run(target: &'static Target, seed: u64, time: Option<Duration>) -> Result<()> {
    let cases = corpus::read(target.name)?;
    in_thread(target, move |run| {
        let begin = Instant::now();
        let mut random = Random::new(seed);
        let mut known: Vec<Vec<u8>> = Vec::new();
        for (_, input) in cases {
            run.attempt(&input)?;
            known.push(input);
        }
        run.seen.take_new();
        while time.is_none_or(|time| begin.elapsed() < time) {
            let input = mutate(&known, target.words, target.longest, &mut random);
            run.attempt(&input)?;
            if !run.seen.take_new() {
                continue;
            }
            if known.len() < KNOWN {
                known.push(input);
            } else {
                let at = random.below(KNOWN);
                known[at] = input;
            }
        }
        println!(
            "{}: {} runs, {} different outcomes, seed {seed}",
            target.name,
            run.runs.load(Ordering::Relaxed),
            run.seen.count(),
        );
        Ok(())
    })
}

/// Runs one input after the other.
struct Run {
    target: &'static Target,
    seen: Seen,
    runs: Arc<AtomicU64>,
    /// The current input, for the thread that detects a hang.
    present: Arc<Mutex<Vec<u8>>>,
    /// A file with the current input, for when the process ends with it.
    file: File,
}

impl Run {
    /// Runs one input; returns the reason if it fails.
    fn execute(&mut self, input: &[u8]) -> Result<(), String> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        {
            let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
            present.clear();
            present.extend_from_slice(input);
        }
        if let Err(error) = self.write(input) {
            return Err(format!("the input could not be written: {error}"));
        }
        let (target, seen) = (self.target, &mut self.seen);
        let ran = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input, seen)));
        ran.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap_or_else(|| "it panicked".to_owned())
        })
    }

    fn write(&mut self, input: &[u8]) -> std::io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(input)?;
        self.file.set_len(input.len() as u64)
    }

    fn attempt(&mut self, input: &[u8]) -> Result<()> {
        let Err(why) = self.execute(input) else {
            return Ok(());
        };
        let (input, why) = self.smaller(input.to_vec(), why);
        let path = corpus::keep(self.target.name, &input)?;
        bail!(
            "{} fails: {why}\n  input: {:?}\n  kept as {}",
            self.target.name,
            String::from_utf8_lossy(&input),
            path.display()
        )
    }

    /// Reduces a failing input as long as it still fails.
    fn smaller(&mut self, mut input: Vec<u8>, mut why: String) -> (Vec<u8>, String) {
        let mut part = input.len().div_ceil(2);
        let mut attempts = 0;
        while part > 0 {
            let mut at = 0;
            let mut found = false;
            while at < input.len() && attempts < SMALLER {
                attempts += 1;
                let mut without = input.clone();
                without.drain(at..(at + part).min(input.len()));
                match self.execute(&without) {
                    Err(still) => (input, why, found) = (without, still, true),
                    Ok(()) => at += part,
                }
            }
            if !(found && part == 1) {
                part /= 2;
            }
        }
        (input, why)
    }
}

/// Runs the work in a thread with the app's stack size; another thread ends the process when an input takes too long.
fn in_thread(
    target: &'static Target,
    work: impl FnOnce(&mut Run) -> Result<()> + Send + 'static,
) -> Result<()> {
    // A failure is reported once, with its input.
    panic::set_hook(Box::new(|_| {}));
    let mut run = Run {
        target,
        seen: Seen::default(),
        runs: Arc::default(),
        present: Arc::default(),
        file: input_file(target.name)?,
    };
    let (runs, present) = (Arc::clone(&run.runs), Arc::clone(&run.present));
    let worker = thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || work(&mut run))?;
    let mut last = (0, Instant::now());
    while !worker.is_finished() {
        thread::sleep(Duration::from_millis(50));
        let count = runs.load(Ordering::Relaxed);
        if count != last.0 {
            last = (count, Instant::now());
        } else if last.1.elapsed() > PATIENCE {
            let input = present.lock().unwrap_or_else(PoisonError::into_inner);
            let path = corpus::keep(target.name, &input)?;
            bail!(
                "{} does not end; the input is kept as {}",
                target.name,
                path.display()
            );
        }
    }
    match worker.join() {
        Ok(done) => done,
        Err(_) => bail!("{}: the harness itself panicked", target.name),
    }
}

/// Opens the file for the current input; `cargo xtask fuzz` reads it after an input ended the process.
fn input_file(target: &str) -> Result<File> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz");
    fs::create_dir_all(&folder)?;
    let path = folder.join(target);
    File::create(&path).with_context(|| format!("writing {}", path.display()))
}
