//! Schemas that are made to use up memory or time.

use std::{path::PathBuf, time::Duration};

use serde_json::json;
use sonde_tests::costly_schemas::{doubling, patterns};
use sonde_validation::{ValidateError, Validator};

fn validator() -> Validator {
    Validator::new(Some(PathBuf::from(env!("CARGO_BIN_EXE_validation-worker"))))
}

async fn works(validator: &Validator) {
    let problems = validator
        .problems(r#"{"type": "string"}"#.to_owned(), "1".to_owned())
        .await
        .expect("an ordinary check works");
    assert_eq!(problems[0].message, "must be a string, not 1");
}

#[tokio::test]
async fn a_check_that_uses_up_memory_ends_alone() {
    let validator = validator();
    works(&validator).await;
    let (schema, value) = doubling(24);
    let before = restart_peak();
    let error = validator
        .problems(schema.to_string(), value.to_string())
        .await
        .unwrap_err();
    // Which of the two limits it meets first depends on the machine.
    assert!(
        matches!(error, ValidateError::TooMuchMemory | ValidateError::TooLong),
        "{error:?}"
    );
    assert!(error.to_string().ends_with("was stopped."), "{error}");
    assert!(
        peak() < before + 64,
        "all of it happened in the other process: {before} -> {} MiB",
        peak()
    );
    works(&validator).await;
    // It is known now, and keeps nobody waiting.
    let again = tokio::time::timeout(
        Duration::from_secs(60),
        validator.problems(schema.to_string(), "{}".to_owned()),
    );
    assert_eq!(again.await.unwrap().unwrap_err(), error);
}

#[tokio::test]
async fn checks_that_take_for_ever_keep_nobody_from_checking() {
    let validator = validator();
    let (schema, value) = doubling(24);
    let slow = |n: usize| {
        let mut schema = schema.clone();
        schema["title"] = n.to_string().into();
        validator.problems(schema.to_string(), value.to_string())
    };
    let mut attacks: Vec<_> = (0..2).map(slow).map(Box::pin).collect();
    // The first one has a worker for itself, and is still at work when an ordinary check has ended beside it.
    tokio::select! {
        biased;
        attack = &mut attacks[0] => panic!("{attack:?}"),
        () = works(&validator) => {}
    }
    let (attacks, ()) =
        futures_util::future::join(futures_util::future::join_all(attacks), works(&validator))
            .await;
    for attack in attacks {
        assert!(
            matches!(
                attack,
                Err(ValidateError::TooMuchMemory | ValidateError::TooLong)
            ),
            "{attack:?}"
        );
    }
    works(&validator).await;
}

#[tokio::test]
async fn patterns_have_one_budget() {
    let validator = validator();
    let patterns =
        |count: usize, length: usize| json!({"allOf": patterns(count, length)}).to_string();
    assert_eq!(validator.check_schema(patterns(2, 3)).await, Ok(()));
    let why = validator.check_schema(patterns(200, 60)).await;
    let why = why.unwrap_err().to_string();
    assert!(why.contains("pattern"), "{why}");
    works(&validator).await;
}

#[tokio::test]
async fn a_program_that_is_no_worker_is_named() {
    let validator = Validator::new(Some(PathBuf::from("/nonexistent/worker")));
    let error = validator
        .problems("{}".to_owned(), "1".to_owned())
        .await
        .unwrap_err();
    assert!(
        error.to_string().starts_with("Nothing can be checked"),
        "{error}"
    );
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the worker itself, without the validator around it"
)]
async fn a_worker_ends_with_its_app() {
    let mut worker = tokio::process::Command::new(env!("CARGO_BIN_EXE_validation-worker"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (schema, value) = doubling(30);
    let request = json!({"schema": schema.to_string(), "instance": value.to_string()});
    let mut input = worker.stdin.take().unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut input, format!("{request}\n").as_bytes())
        .await
        .unwrap();
    // In the middle of a check that would go on, or run out of memory.
    drop(input);
    worker.wait().await.unwrap();
}

#[cfg(target_os = "linux")]
fn restart_peak() -> u64 {
    sonde_tests::processes::restart_peak().expect("Linux lists it")
}

#[cfg(not(target_os = "linux"))]
fn restart_peak() -> u64 {
    0
}

#[cfg(target_os = "linux")]
fn peak() -> u64 {
    sonde_tests::processes::peak().expect("Linux lists it")
}

#[cfg(not(target_os = "linux"))]
fn peak() -> u64 {
    0
}
