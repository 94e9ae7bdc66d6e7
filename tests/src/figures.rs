//! Report format of benchmarks: one line of text per figure, which `cargo xtask bench` makes tables of.

use std::fmt::Write as _;

/// A measured figure.
pub struct Figure {
    /// Name of the measurement.
    pub name: String,
    /// The value, in `unit`.
    pub value: f64,
    /// The unit, for example `ms`; `×` for a ratio.
    pub unit: &'static str,
    /// At most this much is aimed at; nothing where the figure only explains others.
    pub aim: Option<f64>,
    /// Source of the value, for example `120 frames`: a zero out of nothing says nothing.
    pub samples: Option<String>,
}

/// A figure without an aim.
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
    /// With an aim: at most this much.
    #[must_use]
    pub fn at_most(self, aim: f64) -> Figure {
        Figure {
            aim: Some(aim),
            ..self
        }
    }

    /// Taken from so many samples. Out of none nothing was measured: the figure is no number then.
    #[must_use]
    pub fn of(self, count: u64, what: &str) -> Figure {
        Figure {
            value: if count == 0 { f64::NAN } else { self.value },
            samples: Some(format!("{count} {what}")),
            ..self
        }
    }

    /// Prints it: `figure`, name, value, unit, aim and samples, apart by tabs.
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

/// The value in the middle; of an even number of values, the lower one of the two.
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
