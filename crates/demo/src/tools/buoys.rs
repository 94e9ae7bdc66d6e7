//! Generated tools, for lists of any length.

use rmcp::model::{CallToolResult, Tool};
use serde_json::json;

use super::{fields, looks, object};
use crate::call::text;

pub(super) fn definitions(count: usize) -> Vec<Tool> {
    let schema = object(fields(json!({
        "unit": {
            "type": "string",
            "title": "Unit",
            "enum": ["celsius", "fahrenheit"],
            "default": "celsius"
        }
    })));
    (1..=count)
        .map(|number| {
            Tool::new(
                name(number),
                format!("The water temperature at buoy {number}."),
                schema.clone(),
            )
            .with_title(format!("Read buoy {number}"))
            .with_annotations(looks())
        })
        .collect()
}

/// The number in a buoy tool's name, if there is such a tool.
pub(super) fn number_of(tool: &str, count: usize) -> Option<usize> {
    let number = tool.strip_prefix("read_buoy_")?.parse().ok()?;
    (1..=count)
        .contains(&number)
        .then_some(number)
        .filter(|number| name(*number) == tool)
}

pub(super) fn read(number: usize) -> CallToolResult {
    let tenths = 60 + number * 31 % 110;
    text(format!(
        "Buoy {number}: the water has {}.{} degrees.",
        tenths / 10,
        tenths % 10
    ))
}

fn name(number: usize) -> String {
    format!("read_buoy_{number:05}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_names_lead_to_a_buoy() {
        for tool in definitions(3) {
            assert!(number_of(&tool.name, 3).is_some(), "{}", tool.name);
        }
        for wrong in [
            "read_buoy_00000",
            "read_buoy_00004",
            "read_buoy_1",
            "read_buoy_+0001",
            "buoy",
        ] {
            assert_eq!(number_of(wrong, 3), None, "{wrong}");
        }
    }
}
