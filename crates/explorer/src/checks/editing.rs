//! Edits the checks of a server. Each edit reads the file again, so that no manual change is lost.

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
    folder::{SuiteFile, invalid, storage},
    id::ids,
    kept::{Held, KeptResult, KeptValue},
    outcome::{NO_BASELINE, failure, labelled, merged},
    types::{CheckComparison, CheckId, CheckState},
};
use crate::{
    Error, Explorer,
    core::{Core, DeletionNumber},
    servers::{ServerId, file_variables},
};

/// A check as it was before a change that can be undone.
#[derive(Default)]
pub(crate) struct FormerCheck {
    pub(crate) server: ServerId,
    file: String,
    text: Option<FormerText>,
    snapshots: Option<FormerSnapshots>,
    /// The check since the change, if it is still there.
    since: Option<CheckId>,
    result: Option<(CheckId, KeptResult)>,
}

/// Snapshots that were replaced.
struct FormerSnapshots {
    stored: Stored,
    /// By name; `None` where there was none.
    texts: Vec<(String, Option<String>)>,
}

/// The file of a check before a change, and after it.
struct FormerText {
    before: String,
    after: String,
    /// Place and lines of a step that was removed.
    removed: Option<(usize, String)>,
}

/// A check in its file, as the file is now.
struct FoundCheck {
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

    /// Removes a check from its file. Its stored value stays.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`].
    pub async fn remove_check(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<DeletionNumber, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let mut text = found.file.edit()?;
            let lines = text.step(found.index).map_err(invalid)?.to_owned();
            text.remove(found.index).map_err(invalid)?;
            found.file.write(text.text())?;
            let result = held.value().remove(&check);
            held.write();
            Ok(core.keep(FormerCheck {
                server,
                file: found.file.file,
                text: Some(FormerText {
                    before: found.file.text,
                    after: text.text().to_owned(),
                    removed: Some((found.index, lines)),
                }),
                result: result.map(|result| (check, result)),
                ..FormerCheck::default()
            }))
        })
        .await
    }

    /// Undoes a change of a check. In a file that was edited since, only a removed step can be restored.
    ///
    /// # Errors
    /// `NotFound` without its file; `InvalidInput` when that is no suite now, was changed, or cannot be written, and for
    /// an ignored path during a run.
    pub(crate) async fn restore_check(&self, former: Arc<FormerCheck>) -> Result<(), Error> {
        self.with_checks(former.server.clone(), move |core, held| {
            if former.since.is_some() {
                core.refuse_in_run(&former.server)?;
            }
            let file = core
                .checks_folder(&former.server, held)
                .file(&former.file)
                .ok_or(Error::NotFound("The file of this check is gone."))?;
            if let Some(former) = &former.text {
                let text = match &former.removed {
                    _ if file.text == former.after => former.before.clone(),
                    None => {
                        return Err(Error::invalid(
                            "The file of this check was changed since. Edit it by hand.",
                        ));
                    }
                    Some((index, lines)) => {
                        let mut text = file.edit()?;
                        text.insert(*index, lines).map_err(invalid)?;
                        text.text().to_owned()
                    }
                };
                file.write(&text)?;
            }
            if let Some(FormerSnapshots { stored, texts }) = &former.snapshots {
                for (name, text) in texts {
                    let written = match text {
                        Some(text) => stored.put_snapshot(name, text),
                        None => stored.remove_snapshot(name),
                    };
                    written.map_err(storage)?;
                }
            }
            if let Some(since) = &former.since {
                held.value().remove(since);
            }
            if let Some((id, result)) = &former.result {
                held.value().put(id, result.clone());
            }
            held.write();
            Ok(())
        })
        .await
    }

    /// Returns all arguments of a check as JSON text, to fill a form. Variables that the file does not define stay as
    /// written.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone.
    pub async fn check_arguments(&self, server: ServerId, check: CheckId) -> Result<String, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let FoundCheck { suite, index, .. } = find(core, held, &server, &check)?;
            let step = &suite.steps[index];
            let resolved = file_variables(&suite).step(step);
            let step = resolved.as_deref().unwrap_or(step);
            let arguments = step.arguments.as_ref().map(|text| text.value.clone());
            Ok(arguments.unwrap_or_else(|| "{}".to_owned()))
        })
        .await
    }

    /// Returns the value of the last run and the stored one.
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
            let kept = held.value().get(&check).cloned().unwrap_or_default();
            let compared = found.compare(kept.first_values())?;
            if compared.is_empty() {
                return Err(NOTHING);
            }
            Ok(CheckComparison {
                before: json_of(&compared, |one| one.before.as_deref().unwrap_or_default()),
                now: json_of(&compared, |one| &one.snapshot.text),
            })
        })
        .await
    }

    /// Stores the values of the last run, for later runs to compare with.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone or has nothing to accept; `InvalidInput` when a value cannot be written.
    pub async fn accept_check(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<DeletionNumber, Error> {
        self.with_checks(server.clone(), move |core, held| {
            let found = find(core, held, &server, &check)?;
            let kept = held.value().get(&check).cloned().unwrap_or_default();
            let (snapshots, judged) = found.accept(&kept)?;
            held.value().put(&check, judged);
            held.write();
            Ok(core.keep(FormerCheck {
                server,
                file: found.file.file,
                snapshots: Some(snapshots),
                result: Some((check, kept)),
                ..FormerCheck::default()
            }))
        })
        .await
    }

    /// Ignores a value in the comparisons of a check from now on. Its last result is judged again, without a request.
    ///
    /// # Errors
    /// Errors of [`Self::set_check_on`]; `InvalidInput` for an invalid pointer, and during a run.
    pub async fn ignore_in_check(
        &self,
        server: ServerId,
        check: CheckId,
        pointer: String,
    ) -> Result<DeletionNumber, Error> {
        PointerPattern::parse(&pointer).map_err(Error::invalid)?;
        self.with_checks(server.clone(), move |core, held| {
            core.refuse_in_run(&server)?;
            let found = find(core, held, &server, &check)?;
            let mut text = found.file.edit()?;
            let kept = held.value().get(&check).cloned();
            let step = found.verifying_step(kept.as_ref(), &pointer)?;
            let step = step.map(|step| step.to_string());
            let mut path = Vec::from(["expect", "ignore"]);
            if let Some(step) = &step {
                path.splice(0..0, ["verify", step]);
            }
            let pointer = Value::from(pointer.replace("${", "$${"));
            text.push(found.index, &path, &pointer).map_err(invalid)?;
            let suite = found.file.parse(text.text())?;
            let id = ids(&check.file, &suite).swap_remove(found.index);
            let found = FoundCheck { suite, ..found };
            let judged = kept.clone().map(|kept| found.judged(kept, &[]));
            let judged = judged.transpose()?;
            found.file.write(text.text())?;
            held.value().remove(&check);
            if let Some(judged) = judged {
                held.value().put(&id, judged);
            }
            held.write();
            Ok(core.keep(FormerCheck {
                server,
                file: found.file.file,
                text: Some(FormerText {
                    before: found.file.text,
                    after: text.text().to_owned(),
                    removed: None,
                }),
                since: Some(id),
                result: kept.map(|kept| (check, kept)),
                ..FormerCheck::default()
            }))
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
            let mut text = found.file.edit()?;
            edit(&mut text, found.index).map_err(invalid)?;
            found.file.write(text.text())
        })
        .await
    }
}

/// JSON text of the only value; of several, an object with each under the name of its snapshot.
fn json_of(compared: &[Compared], value: impl Fn(&Compared) -> &str) -> String {
    if let [one] = compared {
        return value(one).to_owned();
    }
    let named = compared.iter().map(|one| {
        let value = match value(one) {
            "" => "null",
            value => value.trim_end(),
        };
        format!("{}: {value}", Value::from(one.snapshot.name.as_str()))
    });
    format!("{{{}}}", named.collect::<Vec<_>>().join(",\n"))
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
const RUN_AGAIN: &str = "The baseline has changed since this ran. Run the check again.";

fn unreadable(why: String) -> Error {
    Error::invalid(format!("The baseline is {why}"))
}

/// Finds a check in its file as that is now.
fn find(
    core: &Arc<Core>,
    held: &mut Held<'_>,
    server: &ServerId,
    check: &CheckId,
) -> Result<FoundCheck, Error> {
    let file = core.checks_folder(server, held).file(&check.file);
    let file = file.ok_or(GONE)?;
    let suite = file.suite.clone().map_err(|_| GONE)?;
    let index = ids(&file.file, &suite).iter().position(|id| id == check);
    let index = index.ok_or(GONE)?;
    Ok(FoundCheck { file, suite, index })
}

impl FoundCheck {
    /// Compares values with the stored ones by the present expectations.
    fn compare<'a>(
        &self,
        values: impl Iterator<Item = &'a KeptValue>,
    ) -> Result<Vec<Compared>, Error> {
        let (stored, step) = (self.file.stored(), &self.suite.steps[self.index]);
        values
            .map(|value| {
                let before = stored.snapshot(&value.name).map_err(unreadable)?;
                let verifying = verifying(step, &value.name);
                let step = verifying.map_or(step, |place| &step.verify[place]);
                let (name, now) = (&value.name, &value.text);
                Ok(compare_again(step, name, now, before.as_deref()))
            })
            .collect()
    }

    /// The verifying step whose value differs at this pointer; `None` if it is the step's own value.
    fn verifying_step(
        &self,
        kept: Option<&KeptResult>,
        pointer: &str,
    ) -> Result<Option<usize>, Error> {
        let values = kept.into_iter().flat_map(KeptResult::all_values);
        let compared = self.compare(values)?;
        let is_there = |one: &&Compared| {
            let mut failures = one.failures.iter();
            failures.any(|failure| failure.pointer.as_deref() == Some(pointer))
        };
        let step = &self.suite.steps[self.index];
        let found = compared.iter().find(is_there);
        Ok(found.and_then(|found| verifying(step, &found.snapshot.name)))
    }

    /// Stores the values of a result: of each snapshot the first.
    fn accept(&self, kept: &KeptResult) -> Result<(FormerSnapshots, KeptResult), Error> {
        let stored = self.file.stored();
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        for KeptValue { name, text } in kept.first_values() {
            let before = stored.snapshot(name).map_err(unreadable)?;
            stored.put_snapshot(name, text).map_err(storage)?;
            texts.push((name.clone(), before));
            names.push(name.as_str());
        }
        if names.is_empty() {
            return Err(NOTHING);
        }
        let judged = self.judged(kept.clone(), &names)?;
        Ok((FormerSnapshots { stored, texts }, judged))
    }

    /// Judges a result by the present expectations about its values, each case by its own. The snapshots of these names
    /// were `replaced` since.
    fn judged(&self, kept: KeptResult, replaced: &[&str]) -> Result<KeptResult, Error> {
        let cases = kept.cases.iter().cloned();
        let cases = cases.map(|case| self.judged_case(case, replaced));
        let cases = cases.collect::<Result<Vec<_>, Error>>()?;
        let Some(mut all) = cases.into_iter().reduce(merged) else {
            return self.judged_case(kept, replaced);
        };
        all.result.server_name = kept.result.server_name;
        all.result.version = kept.result.version;
        all.result.revision = kept.result.revision;
        Ok(all)
    }

    fn judged_case(&self, mut kept: KeptResult, replaced: &[&str]) -> Result<KeptResult, Error> {
        let compared = self.compare(kept.values.iter())?;
        let result = &mut kept.result;
        let case = result.cases.first();
        let label = case.map_or_else(String::new, |case| case.label.clone());
        if !compared.is_empty() {
            result.failures.retain(|failure| !failure.differs);
            let different = compared.iter().flat_map(|one| &one.failures);
            result
                .failures
                .extend(different.map(|one| failure(one, &label)));
            let any = |state| compared.iter().any(|one| one.snapshot.state == state);
            result.differs = any(SnapshotState::Different);
            let was_missing = result.baseline_missing;
            result.baseline_missing = any(SnapshotState::Missing);
            let judges = match result.state {
                CheckState::Passed | CheckState::Failed => true,
                CheckState::Incomplete => was_missing && !result.baseline_missing,
                _ => false,
            };
            if judges {
                (result.state, result.reason) = match &kept.unjudged {
                    _ if !result.failures.is_empty() => (CheckState::Failed, None),
                    _ if result.baseline_missing => {
                        (CheckState::Incomplete, Some(NO_BASELINE.to_owned()))
                    }
                    None => (CheckState::Passed, None),
                    why => (CheckState::Incomplete, why.clone()),
                };
            }
        }
        let state_of = |name: &str| {
            let one = compared.iter().find(|one| one.snapshot.name == name);
            one.map(|one| one.snapshot.state)
        };
        // Without a value of its own, the case was equal to the replaced snapshot.
        if result.state == CheckState::Passed
            && replaced.iter().any(|name| state_of(name).is_none())
        {
            result.state = CheckState::Incomplete;
            result.reason = Some(labelled(RUN_AGAIN, &label));
        }
        if let Some(case) = result.cases.first_mut() {
            case.state = result.state;
        }
        kept.values
            .retain(|value| state_of(&value.name) != Some(SnapshotState::Same));
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{
        folder::SuiteFile,
        types::{CheckCase, CheckFailure, CheckResult},
    };

    /// A case of a matrix that compared this value; without one it was equal to the baseline or did not run.
    fn case(label: &str, state: CheckState, value: Option<&str>) -> KeptResult {
        let differs = CheckFailure {
            line: 1,
            message: String::new(),
            differs: true,
            path: None,
        };
        let of_case = CheckCase {
            label: label.to_owned(),
            state,
            duration: None,
        };
        KeptResult {
            result: CheckResult {
                state,
                failures: Vec::from_iter((state == CheckState::Failed).then_some(differs)),
                baseline_missing: state == CheckState::Incomplete && value.is_some(),
                cases: vec![of_case],
                ..CheckResult::default()
            },
            values: Vec::from_iter(value.map(|text| KeptValue {
                name: "said".to_owned(),
                text: text.to_owned(),
            })),
            ..KeptResult::default()
        }
    }

    #[test]
    fn each_case_is_judged_by_its_own_value() {
        use CheckState::{Failed, Incomplete, Passed};
        let other = r#"{ "a": 2, "b": 1 }"#;
        let missing = (Incomplete, Some(other));
        let failed = (Failed, Some(other));
        for (is_stored, ignored, ran, expected) in [
            // Accepted.
            (false, None, [missing, missing], [Passed, Passed]),
            (
                false,
                None,
                [missing, (Incomplete, None)],
                [Passed, Incomplete],
            ),
            (true, None, [failed, failed], [Passed, Passed]),
            (true, None, [(Passed, None), failed], [Incomplete, Passed]),
            (true, None, [failed, (Failed, Some("{}"))], [Passed, Failed]),
            (true, None, [failed, (Passed, Some("{}"))], [Passed, Failed]),
            // Ignored.
            (true, Some("/a"), [failed, (Passed, None)], [Passed, Passed]),
            (
                true,
                Some("/a"),
                [failed, (Failed, Some("{}"))],
                [Passed, Failed],
            ),
            // Ignored in values that were too large to be kept.
            (true, Some("/a"), [(Failed, None); 2], [Failed, Failed]),
        ] {
            let root = tempfile::tempdir().unwrap();
            let text = format!(
                "sonde: 1\nsteps:\n  - ping: true\n    expect: {{ result: {{ snapshot: said }}, ignore: [{}] }}\n",
                ignored.unwrap_or("/none"),
            );
            let file = SuiteFile::new(root.path(), "a.sonde.yaml".to_owned(), Ok(text));
            let suite = file.suite.clone().unwrap();
            let found = FoundCheck {
                file,
                suite,
                index: 0,
            };
            if is_stored {
                let stored = found.file.stored();
                stored
                    .put_snapshot("said", r#"{ "a": 1, "b": 1 }"#)
                    .unwrap();
            }
            let cases = ["one", "two"].into_iter().zip(ran);
            let cases = cases.map(|(label, (state, value))| case(label, state, value));
            let kept = cases.reduce(merged).unwrap();
            let mut in_part = kept.clone();
            for case in &mut in_part.cases {
                case.unjudged = Some("Left out.".to_owned());
            }
            // Of a case that was judged in part, its value alone says nothing.
            let of_part = ran.iter().zip(expected).map(|((_, value), state)| {
                let is_judged = state == Passed && value.is_some();
                if is_judged { Incomplete } else { state }
            });
            for (kept, expected) in [(in_part, of_part.collect()), (kept, expected.to_vec())] {
                let judged = match ignored {
                    None => found.accept(&kept).unwrap().1,
                    Some(_) => found.judged(kept, &[]).unwrap(),
                };
                let states: Vec<_> = judged.result.cases.iter().map(|case| case.state).collect();
                assert_eq!(states, expected, "{ran:?}");
                assert_eq!(judged.result.state, expected.into_iter().max().unwrap());
            }
        }
    }
}
