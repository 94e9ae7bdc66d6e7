//! JSON with line breaks and indentation, everything else as received.

use sonde_wire::json::{ScanError, Sink, scan};

/// Levels deeper than this get no further indentation: without a limit, the size would grow with the square of the
/// depth.
const MAX_INDENT: usize = 40;
/// Limit in bytes of an indented text; a longer one is returned without indentation.
const LIMIT: usize = 256 << 20;
/// Limit in bytes of any output; a longer text is not shown as JSON.
const HARD_LIMIT: usize = 1 << 30;

/// Returns JSON with line breaks and indentation. Numbers, escapes, key order and duplicate keys stay as they are.
///
/// # Errors
/// The first place where the text is not JSON.
pub fn pretty(text: &str) -> Result<String, ScanError> {
    indent(text, LIMIT).or_else(|_| lay_out(text, 0, HARD_LIMIT))
}

/// As [`pretty`]; a text that would be longer than `limit` bytes is an error as well.
pub(super) fn indent(text: &str, limit: usize) -> Result<String, ScanError> {
    lay_out(text, MAX_INDENT, limit)
}

fn lay_out(text: &str, deepest: usize, limit: usize) -> Result<String, ScanError> {
    let mut pretty = Pretty {
        text,
        out: String::with_capacity(text.len() + text.len() / 4),
        depth: 0,
        deepest,
        limit,
        first: true,
        named: false,
    };
    scan(text.as_bytes(), &mut pretty)?;
    Ok(pretty.out)
}

struct Pretty<'a> {
    text: &'a str,
    out: String,
    depth: usize,
    deepest: usize,
    limit: usize,
    /// The innermost container is still empty.
    first: bool,
    /// A key was just written.
    named: bool,
}

impl Pretty<'_> {
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth.min(self.deepest) {
            self.out.push_str("  ");
        }
    }

    /// Writes the separator before the next value of a container.
    fn begin(&mut self) {
        if self.depth > 0 {
            if !self.first {
                self.out.push(',');
            }
            self.line();
        }
        self.first = false;
    }

    fn copy(&mut self, start: usize, end: usize) {
        self.out
            .push_str(self.text.get(start..end).unwrap_or_default());
    }

    fn value(&mut self) {
        if self.named {
            self.named = false;
        } else {
            self.begin();
        }
    }
}

impl Sink for Pretty<'_> {
    fn open(&mut self, start: usize) {
        self.value();
        self.copy(start, start + 1);
        self.depth += 1;
        self.first = true;
    }

    fn close(&mut self, end: usize) {
        self.depth -= 1;
        if !self.first {
            self.line();
        }
        self.first = false;
        self.copy(end - 1, end);
    }

    fn key(&mut self, start: usize, end: usize) {
        self.begin();
        self.copy(start, end);
        self.out.push_str(": ");
        self.named = true;
    }

    fn scalar(&mut self, start: usize, end: usize) {
        self.value();
        self.copy(start, end);
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_space_between_tokens_changes() {
        let text =
            r#" {"b" :1.0E+2,"a":[],"b":[ 9007199254740993,"\u00e9\/",{"x":{}},[[1]]], "n":null}"#;
        let expected = r#"{
  "b": 1.0E+2,
  "a": [],
  "b": [
    9007199254740993,
    "\u00e9\/",
    {
      "x": {}
    },
    [
      [
        1
      ]
    ]
  ],
  "n": null
}"#;
        assert_eq!(pretty(text).unwrap(), expected);
        assert_eq!(pretty(" 7 ").unwrap(), "7");
        assert!(pretty("[1,]").is_err());
    }

    #[test]
    fn depth_costs_no_more_than_length() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let out = pretty(&deep).unwrap();
        assert!(out.len() < 20_000_000);
        assert_eq!(out.split_whitespace().collect::<String>(), deep);
        assert_eq!(lay_out(&deep, 0, HARD_LIMIT).unwrap().len(), 400_000 - 2);
    }
}
