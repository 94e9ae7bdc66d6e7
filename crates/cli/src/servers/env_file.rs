//! Files of environment variables (`.env`), as the files of clients name them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use crate::exit::{Failed, Result};

/// Limit of a file, in bytes.
const LONGEST_FILE: u64 = 1024 * 1024;

/// Reads the variables of a file.
pub(super) fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let text = text_of(path).map_err(|error| Failed::not_read(path.display(), &error))?;
    variables(&text).map_err(|line| {
        Failed::usage(format!(
            "{}:{line}: This is not a variable. Write it as NAME=value.",
            path.display()
        ))
    })
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(LONGEST_FILE + 1)
        .read_to_string(&mut text)?;
    match text.len() as u64 > LONGEST_FILE {
        true => Err(io::Error::other("it is longer than 1 MiB")),
        false => Ok(text),
    }
}

/// Reads `NAME=value` of each line. A value in quotes may have several lines; within double quotes `\n`, `\r` and `\"`
/// are escapes. Nothing is substituted, and the last of several values counts. The error is the number of a line that has
/// no variable.
fn variables(text: &str) -> std::result::Result<BTreeMap<String, String>, usize> {
    let mut found = BTreeMap::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let stripped = line.trim();
        if stripped.is_empty() || stripped.starts_with('#') {
            rest = after;
            continue;
        }
        let number = || 1 + text[..text.len() - rest.len()].matches('\n').count();
        let (name, value) = rest.split_once('=').ok_or_else(number)?;
        let name = name.trim();
        let name = name.strip_prefix("export ").unwrap_or(name).trim_start();
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(number());
        }
        let value = value.trim_start_matches([' ', '\t']);
        let quote = value
            .chars()
            .next()
            .filter(|c| ['"', '\'', '`'].contains(c));
        let value = match quote.and_then(|quote| quoted(&value[1..], quote)) {
            Some((value, end)) => {
                rest = end.split_once('\n').map_or("", |(_, after)| after);
                value
            }
            None => {
                rest = after;
                let value = line.split_once('=').map_or("", |(_, value)| value);
                let end = value.find(" #").unwrap_or(value.len());
                value[..end].trim().to_owned()
            }
        };
        found.insert(name.to_owned(), value);
    }
    Ok(found)
}

/// Returns the text up to the closing quote, and what follows it.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            _ if letter == quote => return Some((value, letters.as_str())),
            '\\' if quote == '"' => match letters.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                '"' => value.push('"'),
                other => value.extend(['\\', other]),
            },
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_variable() {
        let text = "\u{feff}# Shop\r\n\nexport URL = https://a/?b=c#d  # where\r\nEMPTY=   # yours\n  QUOTED=\"a # \\\"b\\\" \\d\\n\" # end\n\
                    RAW='$HOME \\n'\nKEY=\"first\"\nKEY=\"one\ntwo\"\nodd.name-1=it's\nHALF=\"open\n";
        let found = variables(text).unwrap();
        let expected = [
            ("URL", "https://a/?b=c#d"),
            ("EMPTY", ""),
            ("QUOTED", "a # \"b\" \\d\n"),
            ("RAW", "$HOME \\n"),
            ("KEY", "one\ntwo"),
            ("odd.name-1", "it's"),
            ("HALF", "\"open"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(found, BTreeMap::from(expected));
        assert_eq!(variables(""), Ok(BTreeMap::new()));
    }

    #[test]
    fn a_line_without_a_variable_is_named_by_its_number() {
        for (text, line) in [
            ("A=1\n# b\n\nnothing here\nB=2", 4),
            ("A=\"1\n2\"\n=x", 3),
            ("sp ace=1", 1),
        ] {
            assert_eq!(variables(text), Err(line), "{text}");
        }
    }
}
