//! An item of a catalog in one line.

use sonde_mcp::CatalogItem;

use crate::text::cut;

/// The longest line, in characters.
const SUMMARY: usize = 160;

/// The first line of an item's description.
#[must_use]
pub fn summary(item: &CatalogItem) -> String {
    item.description
        .as_deref()
        .map(first_line)
        .unwrap_or_default()
}

/// The first line with words in it, Markdown marks removed.
fn first_line(description: &str) -> String {
    let line = description
        .lines()
        .map(str::trim)
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default();
    let line = line.trim_start_matches(['#', '>', '-', '*', ' ']);
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    // [words](address) becomes words.
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").and_then(|middle| {
            let end = rest[open + middle..].find(')')?;
            Some((open + middle, open + middle + end))
        });
        let Some((middle, end)) = link else { break };
        plain.push_str(&rest[..open]);
        plain.push_str(&rest[open + 1..middle]);
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    let plain = plain.replace("**", "").replace("__", "").replace('`', "");
    cut(&plain, SUMMARY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_one_plain_line() {
        for (text, line) in [
            ("Adds two numbers.\nMore.", "Adds two numbers."),
            ("\n\n## **Read** a `file`\n", "Read a file"),
            (
                "See [the docs](https://x/y) or [that",
                "See the docs or [that",
            ),
            ("---\n\n* item", "item"),
            ("", ""),
        ] {
            assert_eq!(first_line(text), line);
        }
        assert_eq!(first_line(&"ü".repeat(500)).chars().count(), SUMMARY + 1);
    }
}
