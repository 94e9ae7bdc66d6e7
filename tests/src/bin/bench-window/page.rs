//! The page's side of a measurement.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use sonde_tests::{
    figures::{Figure, plain},
    steps::{run, select_tool},
    window::{Start, Window},
};

use crate::{process, size::Size};

/// Time limit of a measurement, after which the benchmark gives up.
const LIMIT: Duration = Duration::from_secs(300);

/// Measurements between begin and end. Times in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frames {
    /// The longest gap between two frames.
    pub(crate) longest: f64,
    /// Number of gaps above 50 ms.
    pub(crate) over50: u64,
    /// Number of gaps above 100 ms.
    pub(crate) over100: u64,
    /// Number of frames.
    pub(crate) frames: u64,
    /// Start time, since the Unix epoch.
    pub(crate) began: f64,
    /// Time of the frame in which the awaited thing appeared, since the Unix epoch.
    pub(crate) shown_at: Option<f64>,
    /// End time, since the Unix epoch.
    pub(crate) ended: f64,
}

impl Frames {
    /// Returns the milliseconds from the start until the awaited thing was shown. The end is later: it is polled for.
    pub(crate) fn until_shown(&self) -> f64 {
        self.shown_at.unwrap_or(f64::NAN) - self.began
    }

    /// Returns the longest gap as a figure of this name.
    pub(crate) fn longest(&self, name: impl Into<String>) -> Figure {
        plain(name, self.longest, "ms").of(self.frames, "frames")
    }
}

/// Returns the app to measure.
pub(crate) fn sonde() -> Result<String> {
    std::env::var("SONDE_APP").context("SONDE_APP must name the built app")
}

/// Opens a window of Sonde, or of another app, that draws as it ships, ready to measure.
pub(crate) async fn open(app: Option<String>) -> Result<Window> {
    let window = Window::start(Start {
        draws_as_shipped: true,
        app,
        ..Start::default()
    })
    .await?;
    window.js(include_str!("page.js"), vec![]).await?;
    Ok(window)
}

/// Begins to measure frames, and to wait until `shown` (a JavaScript expression) is true.
pub(crate) async fn begin(window: &Window, shown: &str) -> Result<()> {
    let script = format!("bench.begin(() => {shown}); return true");
    window.js(&script, vec![]).await?;
    Ok(())
}

/// Waits until the awaited thing is shown. Polls rarely, since every poll costs the page time.
pub(crate) async fn shown(window: &Window) -> Result<()> {
    wait(window, "bench.run.shownAt !== null").await
}

/// Waits for a condition.
pub(crate) async fn wait(window: &Window, condition: &str) -> Result<()> {
    let begin = Instant::now();
    let script = format!("return {condition}");
    while window.js(&script, vec![]).await? != Value::Bool(true) {
        if begin.elapsed() > LIMIT {
            window.shot("bench-timeout").await.ok();
            bail!(
                "waited in vain for {condition}; the window says:\n{}",
                window.text().await?
            );
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    Ok(())
}

/// Waits until the current state has been drawn: a change is in the frame after the one that notices it, and that
/// frame's time is known in the next.
pub(crate) async fn drawn(window: &Window) -> Result<()> {
    let frames = window.js("return bench.run.frames", vec![]).await?;
    wait(window, &format!("bench.run.frames >= {frames} + 3")).await
}

/// Ends measuring.
pub(crate) async fn end(window: &Window) -> Result<Frames> {
    let value = window.js("return bench.end()", vec![]).await?;
    Ok(serde_json::from_value(value)?)
}

/// Scrolls an element (a JavaScript expression) to its end and back.
pub(crate) async fn scroll(window: &Window, element: &str, frames: u32) -> Result<Frames> {
    let script = format!("bench.scroll(() => {element}, {frames}); return true");
    window.js(&script, vec![]).await?;
    wait(window, "bench.run.scrolled === true").await?;
    end(window).await
}

/// Calls a command of the host from the page.
pub(crate) async fn call(window: &Window, name: &str, args: Value) -> Result<Value> {
    let script = "const done = arguments[arguments.length - 1];
        bench.call(arguments[0], arguments[1]).then((value) => done([value]), (error) => done(error));";
    let answer = window
        .client
        .execute_async(script, vec![json!(name), args])
        .await?;
    match answer {
        Value::Array(mut values) if values.len() == 1 => Ok(values.remove(0)),
        error => bail!("{name}: {error}"),
    }
}

/// Returns the id of a server by its place in the list.
pub(crate) fn server_id(window: &Window, place: usize) -> Result<String> {
    let mut ids = server_ids(window)?.into_iter();
    ids.nth(place).context("servers.json has no such server")
}

/// Returns the ids of all servers, in order.
fn server_ids(window: &Window) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(window.data_folder().join("servers.json"))?;
    let file: Value = serde_json::from_str(&text)?;
    let servers = file["servers"].as_array().context("servers")?.iter();
    let ids = servers.map(|server| server["id"].as_str().map(str::to_owned));
    ids.collect::<Option<_>>().context("id")
}

/// A view on a server's log.
pub(crate) struct Log {
    /// Number of entries that match.
    pub(crate) rows: u64,
    /// Number of entries that the log dropped to stay within its limits.
    pub(crate) dropped: u64,
    /// Time of the last matching entry, since the Unix epoch.
    pub(crate) last_at: f64,
}

/// Counts entries of a server's log.
pub(crate) async fn log(window: &Window, server: &str, kind: &str, method: &str) -> Result<Log> {
    let filter = json!({
        "text": "", "kinds": [kind], "methods": [method], "call": null, "out": null,
        "findings_only": false,
    });
    let view = call(
        window,
        "open_log",
        json!({ "server": server, "filter": filter }),
    )
    .await?;
    // The view continues to search, but reports its progress only to the app's own page.
    let mut rows = count(window, &view).await?;
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let now = count(window, &view).await?;
        if now == rows {
            break;
        }
        rows = now;
    }
    let mut last_at = f64::NAN;
    if rows > 0
        && let Some(last) = row(window, &view, rows - 1).await?
    {
        last_at = last["at"].as_f64().context("at")?;
    }
    call(window, "close_log", json!({ "view": view["view"] })).await?;
    Ok(Log {
        rows,
        dropped: view["dropped"].as_u64().context("dropped")?,
        last_at,
    })
}

/// Counts the current rows of a view, by probing.
async fn count(window: &Window, view: &Value) -> Result<u64> {
    let (mut low, mut high) = (0, view["total"].as_u64().context("total")? + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if row(window, view, middle).await?.is_some() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Returns a row of a view, if it has that many.
async fn row(window: &Window, view: &Value, place: u64) -> Result<Option<Value>> {
    let args = json!({ "view": view["view"], "epoch": view["epoch"], "from": place, "count": 1 });
    let mut rows = call(window, "log_rows", args).await?;
    Ok(rows.get_mut(0).map(Value::take))
}

/// Fills in a tool's whole numbers, in order, and runs it. Frames are measured until `shown` is true, a JavaScript
/// expression about `run`, the newest run's element.
pub(crate) async fn run_tool(
    window: &Window,
    tool: &str,
    arguments: &[u64],
    done: &str,
) -> Result<Frames> {
    select_tool(window, tool).await?;
    let fields = "document.querySelectorAll('[data-form] input[inputmode=numeric]')";
    wait(window, &format!("{fields}.length === {}", arguments.len())).await?;
    for (place, value) in arguments.iter().enumerate() {
        let script = format!("bench.type({fields}[arguments[0]], arguments[1]); return true");
        window
            .js(&script, vec![json!(place), json!(value.to_string())])
            .await?;
    }
    begin(
        window,
        &format!("{{ const run = bench.newestRun(); return !!run && ({done}); }}"),
    )
    .await?;
    run(window).await?;
    shown(window).await?;
    end(window).await
}

/// Measures the frames of an idle window for this time: the machine's own share of every figure about frames.
pub(crate) async fn idle(millis: f64) -> Result<Frames> {
    let empty = std::env::var("EMPTY_APP").context("EMPTY_APP must name the empty window")?;
    let window = open(Some(empty)).await?;
    begin(&window, "false").await?;
    drawn(&window).await?;
    tokio::time::sleep(Duration::from_secs_f64(millis.max(500.0) / 1e3)).await;
    let frames = end(&window).await?;
    window.close().await?;
    Ok(frames)
}

/// Prints the memory of the app's tree, by program.
pub(crate) fn print_memory(window: &Window, when: &str) -> Result<f64> {
    let memory = process::memory(window.process().pid)?;
    for (program, mib) in &memory {
        plain(format!("{when}: memory of {program}"), *mib, "MiB").print();
    }
    Ok(process::total(&memory))
}

/// Returns the memory of the app's tree, once nothing happens.
pub(crate) async fn memory_at_rest(window: &Window, size: Size) -> Result<f64> {
    tokio::time::sleep(size.rest).await;
    Ok(process::total(&process::memory(window.process().pid)?))
}

/// Removes all servers for good, and prints the memory that is left beside that of `before` in MiB.
pub(crate) async fn print_memory_left(
    window: &Window,
    name: &str,
    before: f64,
    size: Size,
) -> Result<()> {
    for server in server_ids(window)? {
        let deletion = call(window, "remove_server", json!({ "server": server })).await?;
        call(window, "forget_deletion", json!({ "deletion": deletion })).await?;
    }
    tokio::time::sleep(size.rest).await;
    let left = print_memory(window, &format!("{name}, closed"))?;
    plain(format!("{name}, closed: memory"), left, "MiB").print();
    plain(
        format!("{name}, closed: memory beside before"),
        left / before,
        "×",
    )
    .at_most(1.15)
    .print();
    Ok(())
}
