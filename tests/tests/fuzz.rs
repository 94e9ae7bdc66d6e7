//! Every case of the fuzz targets still passes: inputs to begin with, and inputs that once failed
//! (`tests/src/bin/fuzz`).

#![expect(
    clippy::disallowed_methods,
    reason = "the ban protects the app, this is a test"
)]

#[tokio::test]
async fn every_case_of_the_corpus_holds() {
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_fuzz"))
        .arg("replay")
        .output()
        .await
        .expect("the program is built");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", output.status);
}
