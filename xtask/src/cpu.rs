//! Processor time of a chore.

use std::fs;

/// Clock ticks per second in `/proc`: the same on every Linux that is in use for building.
const TICKS: f64 = 100.0;

/// Returns the seconds of processor time of this process and of all that it started and waited for; 0 if the system
/// does not count them in `/proc`.
pub(crate) fn used() -> f64 {
    fs::read_to_string("/proc/self/stat")
        .ok()
        .and_then(|text| parse(&text))
        .unwrap_or(0.0)
}

/// Adds `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5).
fn parse(text: &str) -> Option<f64> {
    // The name of the program, in brackets, may contain anything.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks: f64 = fields
        .get(11..15)?
        .iter()
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    Some(ticks / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_time_and_that_of_children_is_added_up() {
        let text = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 100 200 300 400 20 0 1 0 5";
        assert_eq!(parse(text), Some(10.0));
        assert_eq!(parse("nothing"), None);
    }
}
