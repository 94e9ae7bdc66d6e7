//! Output: results on standard output, everything else on standard error.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anstyle::{AnsiColor, Style};
use sonde_record::{
    document,
    text::{is_replaced, push_visible},
};
use tokio::time::Instant;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Shortest time between two lines of progress where there is no terminal to rewrite one on.
const PROGRESS: Duration = Duration::from_secs(1);

/// A text in a style; what is not a terminal gets it without.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes notes and progress to standard error.
#[derive(Clone)]
pub(crate) struct Console {
    quiet: bool,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// A line of progress is on the terminal, to be rewritten.
    live: bool,
    last: Option<Instant>,
}

impl Console {
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            quiet,
            state: Arc::default(),
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut err = anstream::stderr().lock();
        if std::mem::take(&mut state.live) {
            let _ = write!(err, "\r\x1b[2K");
        }
        let _ = writeln!(err, "{line}");
    }

    /// Shows how far something is: rewrites one line on a terminal, writes a line from time to time elsewhere.
    pub(crate) fn progress(&self, line: &str) {
        if self.quiet {
            return;
        }
        if !io::stderr().is_terminal() {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.last.is_none_or(|last| last.elapsed() >= PROGRESS) {
                state.last = Some(Instant::now());
                let _ = writeln!(anstream::stderr(), "{line}");
            }
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.live = true;
        let mut err = anstream::stderr().lock();
        let line: String = line.chars().take(100).collect();
        let _ = write!(err, "\r\x1b[2K{line}");
        let _ = err.flush();
    }

    /// Shows what is waited for, on a terminal alone.
    pub(crate) fn status(&self, line: &str) {
        if io::stderr().is_terminal() {
            self.progress(line);
        }
    }

    /// Removes the line of progress.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut state.live) {
            let _ = write!(anstream::stderr(), "\r\x1b[2K");
        }
    }
}

/// Prints own words to standard output.
pub(crate) fn print(line: &str) {
    let _ = writeln!(anstream::stdout(), "{line}");
}

/// Prints a server's text: as it is into a pipe, with control characters visible on a terminal.
pub(crate) fn print_text(text: &str) {
    let shown = match io::stdout().is_terminal() {
        true => visible(text),
        false => text.to_owned(),
    };
    print_bytes(shown.as_bytes());
    if !shown.ends_with('\n') {
        print_bytes(b"\n");
    }
}

/// Prints bytes to standard output.
pub(crate) fn print_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // A reader that has gone needs no more.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Prints JSON: exactly as received into a pipe, indented on a terminal.
pub(crate) fn print_json(json: &str) {
    match io::stdout().is_terminal() {
        true => print_text(&pretty(json)),
        false => print_text(json),
    }
}

/// JSON with line breaks, everything else as it was.
pub(crate) fn pretty(json: &str) -> String {
    document::pretty(json).unwrap_or_else(|_| json.to_owned())
}

/// Text of several lines in which nothing is hidden and nothing steers the terminal.
pub(crate) fn visible(text: &str) -> String {
    if !text.chars().any(is_replaced) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c => push_visible(&mut out, c),
        }
    }
    out
}
