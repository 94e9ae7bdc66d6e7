//! A scripted server process.
//!
//! A test lists the process's actions, step by step, and starts the program `scripted-stdio` with that script as its
//! only argument:
//!
//! ```no_run
//! use sonde_tests::stdio_peer::{Step, program, script};
//!
//! let mut spec = sonde_wire::stdio::StdioSpec::new(program());
//! spec.args = script([
//!     Step::emit("Welcome!\n"),
//!     Step::Expect,
//!     Step::emit("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"),
//!     Step::Exit { code: 3 },
//! ]);
//! ```
//!
//! Within a test of this package `env!("CARGO_BIN_EXE_scripted-stdio")` names the program too; from another package use
//! [`program`], after `cargo build -p sonde-tests --bins`. After the last step the process ends with code 0. It does
//! not end when its standard input closes: only [`Step::Expect`], [`Step::Echo`], [`Step::Serve`] and
//! [`Step::AwaitEof`] read it.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Actions of the scripted process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Writes this text to standard output, exactly, in one write, and flushes.
    Emit {
        /// The text, line ends included.
        text: String,
    },
    /// Writes these bytes to standard output, exactly.
    EmitBytes {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Writes `before`, then `size` times the letter `x`, then `after`: long lines. `{id}` in `before` becomes the id
    /// of the request that [`Step::Serve`] left open.
    EmitLong {
        /// Text before the letters.
        before: String,
        /// Number of letters.
        size: u64,
        /// Text after the letters.
        after: String,
    },
    /// Writes `text` this many times as fast as possible; `{n}` in it becomes 0, 1, 2, …
    EmitMany {
        /// Number of repetitions.
        count: u64,
        /// The text, line ends included.
        text: String,
    },
    /// Writes this text to standard error, exactly.
    Stderr {
        /// The text, line ends included.
        text: String,
    },
    /// Writes `text` to standard error this many times.
    StderrMany {
        /// Number of repetitions.
        count: u64,
        /// The text, line ends included.
        text: String,
    },
    /// Waits for one line on standard input; if that ends, the process ends with code 99.
    Expect,
    /// Responds to every line that has an `id` with `{"jsonrpc":"2.0","id":…,"result":<params>}`, until `count` lines
    /// were read or standard input ends.
    Echo {
        /// Limit of lines to read; `None` for no limit.
        count: Option<u64>,
    },
    /// Responds to every request with the result of its method, or with `{}` if there is none. Ends when standard input
    /// ends or a request with the method `until` arrives; without a result, that request is left to the next step.
    Serve {
        /// Results by method.
        results: BTreeMap<String, Value>,
        /// The method of the last request; `None` to serve until standard input ends.
        until: Option<String>,
    },
    /// Waits.
    Sleep {
        /// Length of the pause, in milliseconds.
        ms: u64,
    },
    /// Waits for the end of standard input.
    AwaitEof,
    /// Ignores the request to terminate from now on.
    IgnoreTerminate,
    /// Does nothing more, for ever.
    Hang,
    /// Closes standard input and continues.
    CloseStdin,
    /// Closes standard output and continues.
    CloseStdout,
    /// Closes standard error and continues.
    CloseStderr,
    /// Starts another scripted process and continues. It inherits all three streams.
    Spawn {
        /// Steps of the other process.
        steps: Vec<Step>,
        /// Gives the other process none of the streams.
        detached: bool,
    },
    /// Writes the process id into a file, for tests that check if the process is gone.
    WritePid {
        /// The file.
        file: PathBuf,
    },
    /// Writes the environment to standard output as one line: `{"env":{"NAME":"value",…}}`.
    EmitEnvironment,
    /// Ends the process with this code.
    Exit {
        /// The exit code.
        code: i32,
    },
    /// Ends the process by a signal (SIGKILL).
    Die,
}

impl Step {
    /// Shorthand for [`Step::Emit`].
    #[must_use]
    pub fn emit(text: impl Into<String>) -> Self {
        Self::Emit { text: text.into() }
    }

    /// Emits this and the end of the line.
    #[must_use]
    pub fn line(text: impl std::fmt::Display) -> Self {
        Self::emit(format!("{text}\n"))
    }

    /// Serves these results by method, to the end.
    ///
    /// # Panics
    ///
    /// When `results` is no object.
    #[must_use]
    pub fn serve(results: Value) -> Self {
        Self::Serve {
            results: serde_json::from_value(results).expect("an object"),
            until: None,
        }
    }

    /// Serves these tools after a handshake, each of which has this result.
    #[must_use]
    pub fn tools(tools: &Value, result: Value) -> Self {
        let mut results = first_results("scripted", &json!({ "tools": {} }), tools);
        results.insert("tools/call".to_owned(), result);
        Self::Serve {
            results,
            until: None,
        }
    }

    /// Shorthand for [`Step::Stderr`].
    #[must_use]
    pub fn stderr(text: impl Into<String>) -> Self {
        Self::Stderr { text: text.into() }
    }
}

/// Returns the arguments that make the program play these steps.
#[must_use]
pub fn script(steps: impl IntoIterator<Item = Step>) -> Vec<String> {
    let steps = steps.into_iter().collect::<Vec<_>>();
    vec![serde_json::to_string(&steps).expect("steps are plain data")]
}

/// Returns the path of the program that cargo built, from any test of the workspace.
#[must_use]
pub fn program() -> String {
    binary("scripted-stdio")
}

/// Returns the path of a program of this workspace, beside the running test in cargo's target folder.
///
/// # Panics
///
/// If it was not built.
#[must_use]
pub fn binary(name: &str) -> String {
    let mut folder = std::env::current_exe().expect("a program knows its own path");
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing: run `cargo build -p sonde-tests --bins` first",
        path.display()
    );
    path.to_string_lossy().into_owned()
}

/// Returns the first results of a server with a handshake, for [`Step::Serve`].
#[must_use]
pub fn first_results(name: &str, capabilities: &Value, tools: &Value) -> BTreeMap<String, Value> {
    let welcome = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "serverInfo": { "name": name, "version": "1" },
    });
    BTreeMap::from([
        ("initialize".to_owned(), welcome),
        ("tools/list".to_owned(), json!({ "tools": tools })),
    ])
}
