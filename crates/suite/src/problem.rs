//! Problems of a file, each with its place.

use std::fmt;

/// Place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte in characters, from 1.
    pub column: u32,
}

/// A value with its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spanned<T> {
    /// Place in the file.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// One fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Place in the file.
    pub span: Span,
    /// The fault and what is meant instead, in plain words.
    pub message: String,
    /// The file, if it is not the one that was read.
    pub file: Option<String>,
}

impl Problem {
    /// A fault at this place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            file: None,
        }
    }

    /// Moves the fault to another file than the one that was read.
    #[must_use]
    pub fn of_file(self, file: &str) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..self
        }
    }
}

/// The value, unless there are problems.
pub(crate) fn unless<T>(problems: Vec<Problem>, value: T) -> Result<T, Vec<Problem>> {
    match problems.is_empty() {
        true => Ok(value),
        false => Err(problems),
    }
}

/// Faults of one file, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems {
    /// Name of the file.
    pub file: String,
    /// The faults, in the order of the file.
    pub list: Vec<Problem>,
}

impl Problems {
    /// Creates the list of a file's faults, in the order of the file.
    pub fn new(file: &str, mut list: Vec<Problem>) -> Self {
        list.sort_by_key(|problem| problem.span.start);
        let file = file.to_owned();
        Self { file, list }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            let Span { line, column, .. } = problem.span;
            let file = problem.file.as_ref().unwrap_or(&self.file);
            write!(f, "{line_break}{file}:{line}:{column}: {}", problem.message)?;
        }
        Ok(())
    }
}
