//! The figures of one benchmark, as a table for people and as JSON.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use crate::step;

/// Results of a benchmark.
#[derive(Serialize)]
pub(crate) struct Table {
    #[serde(rename = "benchmark")]
    title: &'static str,
    #[serde(rename = "figures")]
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    /// Not finite (`null` in JSON) if it could not be measured.
    value: f64,
    unit: String,
    #[serde(rename = "at_most")]
    aim: Option<f64>,
    /// Source of the value, for example `120 frames`; empty if there is nothing to add.
    samples: String,
    /// Value of the Inspector: a number in `unit`, or the reason why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    inspector: Option<Value>,
}

impl Table {
    /// Reads the lines of a benchmark, separated by tabs: `figure`, name, value, unit, aim and samples; and
    /// `inspector`, the name of an earlier figure, and the Inspector's value. Other lines are ignored.
    pub(crate) fn read(title: &'static str, text: &str) -> Result<Table> {
        let mut rows = Vec::new();
        for line in text.lines() {
            let mut parts = line.split('\t');
            match parts.next() {
                Some("figure") => {}
                Some("inspector") => {
                    let (name, value) = (parts.next(), parts.next());
                    let row = rows
                        .iter_mut()
                        .find(|row: &&mut Row| Some(&*row.name) == name);
                    row.with_context(|| format!("no such figure: {line}"))?
                        .inspector = value.map(|value| {
                        value
                            .parse::<f64>()
                            .map_or_else(|_| value.into(), Value::from)
                    });
                    continue;
                }
                _ => continue,
            }
            let mut next = || {
                parts
                    .next()
                    .with_context(|| format!("a short line: {line}"))
            };
            let (name, value, unit, aim) = (next()?, next()?, next()?, next()?);
            let number = |text: &str| -> Result<f64> {
                text.parse().with_context(|| format!("no number: {line}"))
            };
            rows.push(Row {
                name: name.to_owned(),
                value: number(value)?,
                unit: unit.to_owned(),
                aim: (!aim.is_empty()).then(|| number(aim)).transpose()?,
                samples: next()?.to_owned(),
                inspector: None,
            });
        }
        Ok(Table { title, rows })
    }

    /// Returns the number of figures.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the first figure that is not a number.
    pub(crate) fn unmeasured(&self) -> Option<&str> {
        let row = self.rows.iter().find(|row| !row.value.is_finite())?;
        Some(&row.name)
    }

    /// Formats columns for a terminal.
    pub(crate) fn text(&self) -> String {
        let head = ["figure", "measured", "samples", "aim", "of the aim", ""];
        below(self.title, head, self.rows.iter().map(Row::cells))
    }

    /// Formats columns for a terminal: the figures that the Inspector also has, if there are any.
    pub(crate) fn comparison(&self) -> Option<String> {
        let head = ["figure", "Sonde", "Inspector"];
        let rows: Vec<_> = self.rows.iter().filter_map(Row::compared).collect();
        (!rows.is_empty()).then(|| below(self.title, head, rows))
    }
}

/// Formats rows below a title: the first column to the left, the others to the right.
fn below<const N: usize>(
    title: &str,
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(rows);
    format!("{title}\n{}", step::columns(&lines, |column| column == 0))
}

impl Row {
    fn with_unit(&self, number: f64) -> String {
        format!("{} {}", short(number), self.unit).trim().to_owned()
    }

    /// Returns the name, and the values of Sonde and of the Inspector.
    fn compared(&self) -> Option<[String; 3]> {
        let inspector = match self.inspector.as_ref()? {
            Value::String(reason) => reason.clone(),
            number => self.with_unit(number.as_f64().unwrap_or(f64::NAN)),
        };
        Some([self.name.clone(), self.with_unit(self.value), inspector])
    }

    fn cells(&self) -> [String; 6] {
        let (aim, share, verdict) = match self.aim {
            None => (String::new(), String::new(), String::new()),
            Some(aim) => (
                format!("≤ {}", self.with_unit(aim)),
                if aim > 0.0 {
                    format!("{:.0} %", 100.0 * self.value / aim)
                } else {
                    String::new()
                },
                if self.value <= aim { "met" } else { "MISSED" }.to_owned(),
            ),
        };
        [
            self.name.clone(),
            self.with_unit(self.value),
            self.samples.clone(),
            aim,
            share,
            verdict,
        ]
    }
}

/// Formats three significant digits, or all digits before the point.
fn short(number: f64) -> String {
    let size = number.abs();
    if size >= 100.0 || number.fract() == 0.0 {
        format!("{number:.0}")
    } else if size >= 10.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str =
        "a remark\nfigure\ttime\t120.5\tms\t100\t9 frames\nfigure\tsize \"q\"\t3\tMiB\t\t\n";

    #[test]
    fn a_figure_above_its_aim_is_missed() {
        let text = Table::read("t", LINES).expect("readable").text();
        let row = text
            .lines()
            .find(|line| line.contains("time"))
            .expect("the row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(
            cells,
            [
                "time", "120", "ms", "9", "frames", "≤", "100", "ms", "120", "%", "MISSED"
            ]
        );
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn the_inspector_stands_beside_the_figures_that_it_has_too() {
        let of_inspector = "inspector\ttime\t240.2\ninspector\tsize \"q\"\tno answer in 60 s\n";
        let table = Table::read(
            "t",
            &format!("{LINES}figure\tmore\t1\tms\t\t\n{of_inspector}"),
        );
        let table = table.expect("readable");
        let text = table.comparison().expect("a comparison");
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows[2], ["time", "120", "ms", "240", "ms"]);
        assert_eq!(rows[3].join(" "), r#"size "q" 3 MiB no answer in 60 s"#);
        assert_eq!(rows.len(), 4);
        let figures = &serde_json::to_value(&table).expect("JSON")["figures"];
        assert_eq!(figures[0]["inspector"], 240.2);
        assert_eq!(figures[1]["inspector"], "no answer in 60 s");
        assert_eq!(figures[2].get("inspector"), None);
        assert_eq!(figures[2]["at_most"], Value::Null);
        assert!(Table::read("t", of_inspector).is_err(), "no such figure");
        let alone = Table::read("t", LINES).expect("readable");
        assert_eq!(alone.comparison(), None);
    }

    #[test]
    fn a_cut_line_is_an_error() {
        assert!(Table::read("t", "figure\ttime\t1").is_err());
    }
}
