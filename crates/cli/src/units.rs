//! Durations and amounts as people type and read them.

use std::time::Duration;

use sonde_suite::scalars;

/// Reads `500ms`, `30s`, `2m`, or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let is_number = text.parse::<f64>().is_ok();
    let unit = if is_number { "s" } else { "" };
    let time = scalars::duration(&format!("{text}{unit}")).ok();
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time such as 500ms, 30s or 2m".to_owned())
}

/// Reads a number of requests per second.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok();
    rate.filter(|rate| *rate > 0.0 && *rate <= 1e6)
        .ok_or_else(|| "expected a number above 0 and at most 1000000".to_owned())
}

/// A duration in the largest unit in which it reads well.
pub(crate) fn show_duration(duration: Duration) -> String {
    let micros = duration.as_micros();
    match micros {
        ..1_000 => format!("{micros} µs"),
        1_000..10_000 => format!("{:.1} ms", duration.as_secs_f64() * 1_000.0),
        10_000..1_000_000 => format!("{} ms", duration.as_millis()),
        _ if duration.subsec_millis() == 0 => format!("{} s", duration.as_secs()),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

/// Reads a budget of tokens: `10000`, `10k`, `10k-tokens`.
pub(crate) fn tokens(text: &str) -> Result<u64, String> {
    let number = text.trim_end_matches("-tokens").trim_end_matches("tokens");
    let (digits, factor) = match number.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => (number, 1),
    };
    let tokens = digits.trim().parse::<u64>().ok();
    tokens
        .and_then(|tokens| tokens.checked_mul(factor))
        .ok_or_else(|| "expected a number of tokens such as 10000 or 10k-tokens".to_owned())
}

/// "1 tool", "2 tools".
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_budgets_are_read_as_people_write_them() {
        for (text, millis) in [
            ("500ms", 500),
            ("30s", 30_000),
            ("1.5", 1_500),
            ("2m", 120_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for bad in ["", "s", "0s", "-1s", "5 days", "1e999s"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert_eq!(tokens("10k-tokens"), Ok(10_000));
        assert_eq!(tokens("512"), Ok(512));
        assert!(tokens("many").is_err());
        assert_eq!(rate("1000000"), Ok(1e6));
        for bad in ["0", "-1", "NaN", "1000001", "fast"] {
            assert!(rate(bad).is_err(), "{bad}");
        }
        assert_eq!(show_duration(Duration::from_millis(1_500)), "1.5 s");
        assert_eq!(
            show_duration(Duration::from_millis(1_500) / 1_000),
            "1.5 ms"
        );
    }
}
