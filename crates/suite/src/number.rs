//! Numbers as written: compared digit by digit, never as floats.

use std::{cmp::Ordering, fmt};

/// A decimal number of any size.
#[derive(Clone, Debug, Default)]
pub struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: Vec<u8>,
    /// The value is 0.DIGITS times ten to this power; 0 for zero.
    exponent: i64,
    text: String,
}

impl Decimal {
    /// Reads a number as JSON writes it; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, text),
        };
        let (number, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if whole.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        // No sensible number has an exponent beyond `i64`.
        let exponent: i64 = exponent.parse().ok()?;
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        let whole = i64::try_from(whole.len()).ok()?;
        let exponent = exponent.checked_add(whole - i64::try_from(leading).ok()?)?;
        let mut digits = digits[leading..].to_vec();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let is_zero = digits.is_empty();
        Some(Self {
            negative: negative && !is_zero,
            exponent: if is_zero { 0 } else { exponent },
            digits,
            text: text.to_owned(),
        })
    }

    /// True for whole numbers, including `1.0`.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|digits| digits <= self.exponent.max(0))
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => {
                let size = self.exponent.cmp(&other.exponent);
                size.then_with(|| self.digits.cmp(&other.digits))
            }
        }
    }
}

/// `1.0` is `1`.
impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

impl From<u64> for Decimal {
    fn from(number: u64) -> Self {
        // Digits are always a number.
        Self::parse(&number.to_string()).unwrap_or_default()
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
