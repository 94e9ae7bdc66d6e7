//! Texts of servers in Markdown that is shared: nothing in them is read as Markdown or HTML.

use std::fmt::Write as _;

/// A fence that is longer than any within the text.
pub(crate) fn fence(text: &str) -> String {
    "`".repeat(longest_ticks(text).max(2) + 1)
}

fn longest_ticks(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// A text of the server as code.
pub(crate) fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_ticks(text) + 1);
    // A space separates backticks at the ends from the surrounding ones.
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// A sentence with parts of a server's, of which nothing but its code is Markdown.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let parts: Vec<_> = text.split('`').collect();
    let last = parts.len() - 1;
    for (at, part) in parts.iter().enumerate() {
        let is_code = at % 2 == 1 && at < last;
        if is_code {
            let _ = write!(shown, "`{part}`");
            continue;
        }
        if at % 2 == 1 {
            shown.push_str("\\`");
        }
        for c in part.chars() {
            if matches!(
                c,
                '<' | '>' | '[' | ']' | '*' | '_' | '\\' | '#' | '|' | '!' | '@'
            ) {
                shown.push('\\');
            }
            shown.push(c);
        }
    }
    shown
}
