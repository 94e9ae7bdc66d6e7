//! Editing the checks of a server. Each edit reads the file anew, so that nothing written by hand is lost.

use std::sync::Arc;

use serde_json::Value;
use sonde_suite::{
    edit::SuiteText,
    expect::{Compared, compare_again},
    format::{Step, Suite},
    path::PointerPattern,
    run::Stored,
    snapshot::SnapshotState,
};

use super::{
    folder::{SuiteFile, storage},
    id::ids,
    keeping::{invalid, suite_text},
    kept::{Held, KeptResult},
    outcome::failure,
    types::{CheckComparison, CheckId, CheckState},
};
use crate::{
    Error, Explorer,
    core::Core,
    servers::{ServerId, file_variables},
};

/// A step that was removed, as it can be put back.
pub(crate) struct RemovedCheck {
    pub(crate) server: ServerId,
    file: String,
    index: usize,
    /// The lines of the step.
    lines: String,
    /// The file before and after.
    before: String,
    after: String,
    result: Option<(CheckId, KeptResult)>,
}

/// A check in its file, as the file is now.
struct Found {
    file: SuiteFile,
    suite: Suite,
    index: usize,
}

impl Explorer {
    /// Leaves a check out of runs (`skip: true`), or runs it again.
    ///
    /// # Errors
    /// `NotFound` for a check that is no longer in its file as it was shown; `InvalidInput` when the file cannot be
    /// written.
    pub async fn set_check_on(
        &self,
        server: ServerId,
        check: CheckId,
        on: bool,
    ) -> Result<(), Error> {
        self.edit_check(server, check, move |text, index| {
            let skip = (!on).then_some(Value::Bool(true));
            text.set(index, &["skip"], skip.as_ref())
        })
        .await
    }

    /// Moves a check, with the comment above it, to this place among the steps of its file.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`].
    pub async fn move_check(
        &self,
        server: ServerId,
        check: CheckId,
        index: u32,
    ) -> Result<(), Error> {
        let to = usize::try_from(index).unwrap_or(usize::MAX);
        self.edit_check(server, check, move |text, from| text.shift(from, to))
            .await
    }

    /// Takes a check out of its file.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`].
    pub(crate) async fn take_check(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<RemovedCheck, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let mut text = suite_text(&found.file)?;
            let lines = text.step(found.index).map_err(invalid)?.to_owned();
            text.remove(found.index).map_err(invalid)?;
            found.file.write(text.text())?;
            let result = held.kept().remove(&check);
            held.write();
            Ok(RemovedCheck {
                server,
                file: found.file.file,
                index: found.index,
                lines,
                before: found.file.text,
                after: text.text().to_owned(),
                result: result.map(|result| (check, result)),
            })
        })
        .await
    }

    /// Puts a check back: the file as it was where nobody changed it since, else the lines of the step.
    ///
    /// # Errors
    /// `NotFound` without its file; `InvalidInput` when that is no suite now, or cannot be written.
    pub(crate) async fn restore_check(&self, removed: RemovedCheck) -> Result<(), Error> {
        self.with_checks(removed.server.clone(), move |core, held| {
            let file = core
                .checks_folder(&removed.server, held)
                .file(&removed.file)
                .ok_or(Error::NotFound("The file of this check is gone."))?;
            let text = match file.text == removed.after {
                true => removed.before,
                false => {
                    let mut text = suite_text(&file)?;
                    text.insert(removed.index, &removed.lines)
                        .map_err(invalid)?;
                    text.text().to_owned()
                }
            };
            file.write(&text)?;
            if let Some((id, result)) = removed.result {
                held.kept().put(&id, result);
                held.write();
            }
            Ok(())
        })
        .await
    }

    /// The whole arguments of a check as JSON text, to fill a form with. What its file's variables do not give stays as
    /// it is written.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone.
    pub async fn check_arguments(&self, server: ServerId, check: CheckId) -> Result<String, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let Found { suite, index, .. } = find(core, held, &server, &check)?;
            let step = &suite.steps[index];
            let resolved = file_variables(&suite).step(step);
            let step = resolved.as_ref().unwrap_or(step);
            let arguments = step.arguments.as_ref().map(|text| text.value.clone());
            Ok(arguments.unwrap_or_else(|| "{}".to_owned()))
        })
        .await
    }

    /// The value of the last run beside the stored one.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone or has nothing to compare.
    pub async fn check_comparison(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<CheckComparison, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let kept = held.kept().get(&check).cloned().unwrap_or_default();
            let compared = found.compare(&kept);
            let before = |one: &Compared| one.before.clone().unwrap_or_default();
            match &compared[..] {
                [] => Err(NOTHING),
                [one] => Ok(CheckComparison {
                    before: before(one),
                    now: one.snapshot.text.clone(),
                }),
                several => {
                    let all = |value: &dyn Fn(&Compared) -> String| {
                        let named = several.iter().map(|one| {
                            let value = value(one);
                            let value = if value.is_empty() {
                                "null"
                            } else {
                                value.trim_end()
                            };
                            format!("{}: {value}", Value::from(one.snapshot.name.as_str()))
                        });
                        format!("{{{}}}", named.collect::<Vec<_>>().join(",\n"))
                    };
                    Ok(CheckComparison {
                        before: all(&before),
                        now: all(&|one| one.snapshot.text.clone()),
                    })
                }
            }
        })
        .await
    }

    /// Stores the values of the last run, which later ones are compared with.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone or has nothing to accept; `InvalidInput` when a value cannot be written.
    pub async fn accept_check(&self, server: ServerId, check: CheckId) -> Result<(), Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let kept = held.kept().get(&check).cloned().unwrap_or_default();
            if kept.values.is_empty() {
                return Err(NOTHING);
            }
            let stored = found.stored();
            for value in &kept.values {
                stored
                    .put_snapshot(&value.name, &value.text)
                    .map_err(storage)?;
            }
            let judged = found.judged(kept);
            held.kept().put(&check, judged);
            held.write();
            Ok(())
        })
        .await
    }

    /// Leaves a value out of the comparisons of a check from now on. Its last result is judged by that, without a
    /// request.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`]; `InvalidInput` for a pointer that is none.
    pub async fn ignore_in_check(
        &self,
        server: ServerId,
        check: CheckId,
        pointer: String,
    ) -> Result<(), Error> {
        PointerPattern::parse(&pointer).map_err(Error::invalid)?;
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let mut text = suite_text(&found.file)?;
            let step = found.verifying_step(held.kept().get(&check), &pointer);
            let step = step.map(|step| step.to_string());
            let mut path = Vec::from(["expect", "ignore"]);
            if let Some(step) = &step {
                path.splice(0..0, ["verify", step]);
            }
            let pointer = Value::from(pointer.replace("${", "$${"));
            text.push(found.index, &path, &pointer).map_err(invalid)?;
            found.file.write(text.text())?;
            let suite = Suite::read(&check.file, text.text()).map_err(invalid)?;
            let id = ids(&check.file, &suite).swap_remove(found.index);
            if let Some(kept) = held.kept().remove(&check) {
                let judged = Found { suite, ..found }.judged(kept);
                held.kept().put(&id, judged);
            }
            held.write();
            Ok(())
        })
        .await
    }

    async fn edit_check(
        &self,
        server: ServerId,
        check: CheckId,
        edit: impl FnOnce(&mut SuiteText, usize) -> Result<(), sonde_suite::problem::Problems>
        + Send
        + 'static,
    ) -> Result<(), Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let mut text = suite_text(&found.file)?;
            edit(&mut text, found.index).map_err(invalid)?;
            found.file.write(text.text())
        })
        .await
    }
}

/// The verifying step that compares its value with this snapshot.
fn verifying(step: &Step, snapshot: &str) -> Option<usize> {
    let mut steps = step.verify.iter();
    steps.position(|step| step.node.has_text("snapshot", snapshot))
}

const GONE: Error = Error::NotFound(
    "This check is no longer in its file as it was shown: the file was changed. Look at it again.",
);
const NOTHING: Error = Error::NotFound("The last result of this check has nothing to compare.");

/// Finds a check in its file as that is now.
fn find(
    core: &Arc<Core>,
    held: &mut Held<'_>,
    server: &ServerId,
    check: &CheckId,
) -> Result<Found, Error> {
    let file = core.checks_folder(server, held).file(&check.file);
    let file = file.ok_or(GONE)?;
    let suite = file.suite.clone().map_err(|_| GONE)?;
    let index = ids(&file.file, &suite).iter().position(|id| id == check);
    let index = index.ok_or(GONE)?;
    Ok(Found { file, suite, index })
}

impl Found {
    fn stored(&self) -> Stored {
        Stored::new(&self.file.folder(), self.suite.stem())
    }

    /// Compares the values of a result with the stored ones by the present expectations.
    fn compare(&self, kept: &KeptResult) -> Vec<Compared> {
        let (stored, step) = (self.stored(), &self.suite.steps[self.index]);
        let values = kept.values.iter();
        values
            .map(|value| {
                let before = stored.snapshot(&value.name);
                let verifying = verifying(step, &value.name);
                let step = verifying.map_or(step, |place| &step.verify[place]);
                compare_again(step, &value.name, &value.text, before.as_deref())
            })
            .collect()
    }

    /// The verifying step whose value differs at this pointer; `None` if it is the step's own value.
    fn verifying_step(&self, kept: Option<&KeptResult>, pointer: &str) -> Option<usize> {
        let compared = self.compare(kept?);
        let is_there = |one: &&Compared| {
            let mut failures = one.failures.iter();
            failures.any(|failure| failure.pointer.as_deref() == Some(pointer))
        };
        let found = compared.iter().find(is_there)?;
        verifying(&self.suite.steps[self.index], &found.snapshot.name)
    }

    /// Judges a result by the present expectations about its values.
    fn judged(&self, mut kept: KeptResult) -> KeptResult {
        let compared = self.compare(&kept);
        let result = &mut kept.result;
        result.failures.retain(|failure| !failure.differs);
        let different = compared.iter().flat_map(|one| &one.failures);
        result
            .failures
            .extend(different.map(|one| failure(one, "")));
        let any = |state| compared.iter().any(|one| one.snapshot.state == state);
        result.differs = any(SnapshotState::Different);
        let was_missing = result.baseline_missing;
        result.baseline_missing = any(SnapshotState::Missing);
        let judges = match result.state {
            CheckState::Failed => true,
            CheckState::Incomplete => was_missing && !result.baseline_missing,
            _ => false,
        };
        if judges {
            result.reason = None;
            let before = result.state;
            result.state = match result.failures.is_empty() {
                true if result.baseline_missing => CheckState::Incomplete,
                true => CheckState::Passed,
                false => CheckState::Failed,
            };
            // A case with another state than the worst has nothing to do with the values.
            for case in &mut result.cases {
                if case.state == before {
                    case.state = result.state;
                }
            }
            let states = result.cases.iter().map(|case| case.state);
            result.state = states.max().unwrap_or(result.state);
        }
        let same = |name: &str| {
            let one = compared.iter().find(|one| one.snapshot.name == name);
            one.is_some_and(|one| one.snapshot.state == SnapshotState::Same)
        };
        kept.values.retain(|value| !same(&value.name));
        kept
    }
}
