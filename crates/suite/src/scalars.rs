//! Values written in a word: times and ranges.

use std::{fmt, time::Duration};

use crate::number::Decimal;

/// Numbers between two bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Least number, and true if it is itself in the range.
    pub min: Option<(Decimal, bool)>,
    /// Greatest number, and true if it is itself in the range.
    pub max: Option<(Decimal, bool)>,
    text: String,
}

impl Range {
    /// Exactly this number.
    #[must_use]
    pub fn exactly(number: &Decimal) -> Self {
        let bound = Some((number.clone(), true));
        Self {
            min: bound.clone(),
            max: bound,
            text: number.to_string(),
        }
    }

    /// Reads `3`, `">= 3"`, `"< 3"` or `"1..3"`.
    ///
    /// # Errors
    /// The expected form, one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::comparison(text, Decimal::parse)
            .or_else(|| Some(Self::exactly(&Decimal::parse(text)?)))
            .ok_or_else(|| {
                format!("`{text}` is not a range. Write a number, \">= 3\", \"< 3\" or \"1..3\".")
            })
    }

    /// Reads `"< 2s"` or `"1s..2s"` as microseconds.
    ///
    /// # Errors
    /// The expected form, one sentence.
    pub fn parse_duration(text: &str) -> Result<Self, String> {
        let micros = |text: &str| {
            let micros = duration(text).ok()?.as_micros();
            Some(Decimal::from(u64::try_from(micros).ok()?))
        };
        Self::comparison(text, micros).ok_or_else(|| {
            format!("`{text}` is not a range of times. Write \"< 2s\", \">= 100ms\" or \"1s..2s\".")
        })
    }

    /// Parses a comparison whose operands `read` parses; `None` if the text is no comparison.
    pub(crate) fn comparison(text: &str, read: impl Fn(&str) -> Option<Decimal>) -> Option<Self> {
        let mut range = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        let bound = |text: &str, itself| Some((read(text.trim())?, itself));
        if let Some(text) = text.strip_prefix(">=") {
            range.min = Some(bound(text, true)?);
        } else if let Some(text) = text.strip_prefix('>') {
            range.min = Some(bound(text, false)?);
        } else if let Some(text) = text.strip_prefix("<=") {
            range.max = Some(bound(text, true)?);
        } else if let Some(text) = text.strip_prefix('<') {
            range.max = Some(bound(text, false)?);
        } else {
            let (min, max) = text.split_once("..")?;
            range.min = Some(bound(min, true)?);
            range.max = Some(bound(max, true)?);
            // An empty range is not accepted.
            if range.min > range.max {
                return None;
            }
        }
        Some(range)
    }

    /// Removes the lower bound.
    #[must_use]
    pub(crate) fn at_most(self) -> Self {
        Self { min: None, ..self }
    }

    /// True if the number is between the bounds.
    #[must_use]
    pub fn contains(&self, number: &Decimal) -> bool {
        let above = |(min, itself): &(Decimal, bool)| number > min || (*itself && number == min);
        let below = |(max, itself): &(Decimal, bool)| number < max || (*itself && number == max);
        self.min.as_ref().is_none_or(above) && self.max.as_ref().is_none_or(below)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads a time such as `200ms`, `1.5s`, `2m` or `1h`.
///
/// # Errors
/// The expected form, one sentence.
pub fn duration(text: &str) -> Result<Duration, String> {
    let refuse = || {
        format!("`{text}` is not a duration. Write a number with its unit: 200ms, 2s, 1m or 1h.")
    };
    let at = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ');
    let (number, unit) = text.split_at(at.ok_or_else(refuse)?);
    let micros = match unit {
        "us" | "µs" => 1.0,
        "ms" => 1_000.0,
        "s" => 1_000_000.0,
        "m" => 60_000_000.0,
        "h" => 3_600_000_000.0,
        _ => return Err(refuse()),
    };
    let number: f64 = number.trim().parse().map_err(|_| refuse())?;
    Duration::try_from_secs_f64(number * micros / 1_000_000.0).map_err(|_| refuse())
}
