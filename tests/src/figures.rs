//! How benchmarks report: one line of text per figure, which `cargo xtask bench` makes tables of.

use std::fmt::Write as _;

/// A measured figure.
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The value, in `unit`.
    pub value: f64,
    /// The unit, for example `ms`; `×` for a ratio.
    pub unit: &'static str,
    /// At most this much is aimed at; nothing where the figure only explains others.
    pub aim: Option<f64>,
}

/// A figure without an aim.
#[must_use]
pub fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Figure {
    Figure {
        name: name.into(),
        value,
        unit,
        aim: None,
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

    /// Prints it: `figure`, name, value, unit and aim, apart by tabs.
    pub fn print(&self) {
        let mut line = format!("figure\t{}\t{}\t{}\t", self.name, self.value, self.unit);
        if let Some(aim) = self.aim {
            // Writing to a string cannot fail.
            let _ = write!(line, "{aim}");
        }
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
