//! Report format of benchmarks: one line of text per figure, which `cargo xtask bench` formats as tables.

use std::fmt::Write as _;

/// A measured figure.
pub struct Figure {
    /// Name of the measurement.
    pub name: String,
    /// The value, in `unit`.
    pub value: f64,
    /// The unit, for example `ms`; `×` for a ratio.
    pub unit: &'static str,
    /// Upper limit that the value should keep; `None` for a figure that only explains others.
    pub aim: Option<f64>,
    /// Source of the value, for example `120 frames`; without it, a zero would mean nothing.
    pub samples: Option<String>,
}

/// Creates a figure without an aim.
#[must_use]
pub fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Figure {
    Figure {
        name: name.into(),
        value,
        unit,
        aim: None,
        samples: None,
    }
}

impl Figure {
    /// Sets the aim: at most this much.
    #[must_use]
    pub fn at_most(self, aim: f64) -> Figure {
        Figure {
            aim: Some(aim),
            ..self
        }
    }

    /// Sets the number of samples. With none, nothing was measured, so the value becomes NaN.
    #[must_use]
    pub fn of(self, count: u64, what: &str) -> Figure {
        Figure {
            value: if count == 0 { f64::NAN } else { self.value },
            samples: Some(format!("{count} {what}")),
            ..self
        }
    }

    /// Prints `figure`, name, value, unit, aim and samples, separated by tabs.
    pub fn print(&self) {
        let mut line = format!("figure\t{}\t{}\t{}\t", self.name, self.value, self.unit);
        if let Some(aim) = self.aim {
            // Writing to a string cannot fail.
            let _ = write!(line, "{aim}");
        }
        let _ = write!(line, "\t{}", self.samples.as_deref().unwrap_or_default());
        println!("{line}");
    }
}

/// Returns the median; of an even number of values, the lower of the middle two.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_without_a_sample_is_no_number() {
        assert_eq!(plain("longest", 0.0, "ms").of(3, "frames").value, 0.0);
        assert!(plain("longest", 0.0, "ms").of(0, "frames").value.is_nan());
    }

    #[test]
    fn the_median_of_an_even_number_is_the_lower_one() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.0);
        assert!(median(&[]).is_nan());
    }
}
