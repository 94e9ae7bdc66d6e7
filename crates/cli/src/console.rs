//! Output: results on standard output, everything else on standard error.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anstyle::{AnsiColor, Style};
use sonde_record::{
    document,
    text::{is_replaced, push_visible, with_before},
};
use tokio::time::Instant;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Interval between two lines of progress if they cannot be rewritten.
const PROGRESS: Duration = Duration::from_secs(1);

/// Applies a style to a text; it is removed if the output is not a terminal.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes notes and progress to standard error.
#[derive(Clone)]
pub(crate) struct Console {
    quiet: bool,
    /// A line on standard error can be rewritten.
    rewrites: bool,
}

struct State {
    /// A line of progress is on the terminal, to be rewritten.
    live: bool,
    last: Option<Instant>,
}

/// Shared by all consoles and standard output, since there is one terminal.
static STATE: Mutex<State> = Mutex::new(State {
    live: false,
    last: None,
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Console {
    pub(crate) fn new(quiet: bool) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            quiet,
            rewrites: io::stderr().is_terminal() && !is_dumb,
        }
    }

    /// Writes a line that `--quiet` leaves out.
    pub(crate) fn note(&self, line: &str) {
        if !self.quiet {
            self.say(line);
        }
    }

    /// Writes a line.
    pub(crate) fn say(&self, line: &str) {
        let mut state = state();
        state.erase();
        let _ = writeln!(anstream::stderr(), "{line}");
    }

    /// Shows progress: rewrites one line on a terminal, or writes a line from time to time.
    pub(crate) fn progress(&self, line: &str) {
        if self.quiet {
            return;
        }
        let mut state = state();
        if self.rewrites {
            state.erase();
            state.live = true;
            let line: String = line.chars().take(100).collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "{line}").and_then(|()| err.flush());
        } else if state.last.is_none_or(|last| last.elapsed() >= PROGRESS) {
            state.last = Some(Instant::now());
            let _ = writeln!(anstream::stderr(), "{line}");
        }
    }

    /// Shows what the program waits for; only on a terminal.
    pub(crate) fn status(&self, line: &str) {
        if self.rewrites {
            self.progress(line);
        }
    }

    /// Removes the line of progress.
    pub(crate) fn clear(&self) {
        state().erase();
    }
}

impl State {
    /// Removes the line of progress. Not by way of the styles, which may be switched off.
    fn erase(&mut self) {
        if std::mem::take(&mut self.live) {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

/// The first error of writing to standard output.
static OUTPUT: Mutex<Option<io::Error>> = Mutex::new(None);

/// Flushes standard output. Returns the reason if some of the output was lost.
pub(crate) fn finish_output() -> Option<io::Error> {
    keep_error(io::stdout().flush());
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn keep_error(written: io::Result<()>) {
    // A reader that has gone needs no more.
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let mut first = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
    }
}

/// Removes the line of progress from the terminal that standard output goes to. No other is shown while the guard lives.
fn without_progress() -> MutexGuard<'static, State> {
    let mut state = state();
    if io::stdout().is_terminal() {
        state.erase();
    }
    state
}

/// Prints Sonde's own text to standard output.
pub(crate) fn print(line: &str) {
    let _guard = without_progress();
    keep_error(writeln!(anstream::stdout(), "{line}"));
}

/// Prints a server's text: as it is into a pipe, with control characters visible on a terminal.
pub(crate) fn print_text(text: &str) {
    let mut shown = match io::stdout().is_terminal() {
        true => visible(text),
        false => text.to_owned(),
    };
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    print_bytes(shown.as_bytes());
}

/// Prints bytes to standard output.
pub(crate) fn print_bytes(bytes: &[u8]) {
    let _guard = without_progress();
    let mut out = io::stdout().lock();
    keep_error(out.write_all(bytes).and_then(|()| out.flush()));
}

/// Prints JSON: exactly as received into a pipe, indented on a terminal.
pub(crate) fn print_json(json: &str) {
    match io::stdout().is_terminal() {
        true => print_text(&pretty(json)),
        false => print_text(json),
    }
}

/// Indents JSON; any other text is unchanged.
pub(crate) fn pretty(json: &str) -> String {
    document::pretty(json).unwrap_or_else(|_| json.to_owned())
}

/// Quotes a server's text between Sonde's own lines. Its further lines are marked, so that none can pass for a line of
/// Sonde, or for a command to the CI system: GitHub Actions reads lines that begin with `::`.
pub(crate) fn quoted(text: &str) -> String {
    visible(text.trim_end()).replace('\n', "\n    │ ")
}

/// Text of several lines in which nothing is hidden and nothing steers the terminal.
pub(crate) fn visible(text: &str) -> String {
    if !with_before(text).any(|(before, c)| is_replaced(before, c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (before, c) in with_before(text) {
        match c {
            '\n' | '\t' => out.push(c),
            c => push_visible(&mut out, before, c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reader_that_has_gone_may_lose_output() {
        keep_error(Err(io::ErrorKind::BrokenPipe.into()));
        assert!(finish_output().is_none());
        keep_error(Err(io::ErrorKind::StorageFull.into()));
        keep_error(Err(io::ErrorKind::BrokenPipe.into()));
        let kept = finish_output().map(|error| error.kind());
        assert_eq!(kept, Some(io::ErrorKind::StorageFull));
    }

    #[test]
    fn no_line_of_a_server_begins_where_own_lines_do() {
        assert_eq!(
            quoted("boom\n::error::x\r\u{1b}[31m\n"),
            "boom\n    │ ::error::x␍␛[31m"
        );
    }
}
