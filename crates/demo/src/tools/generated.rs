//! Generated tools, for lists of any length.

use super::DemoTool;
use crate::call::{Answer, Call, text};

const PREFIX: &str = "read_buoy_";

pub(super) fn tools(count: usize) -> impl Iterator<Item = DemoTool> {
    let pattern = DemoTool::reading("", "", "", [], |call| Box::pin(read_buoy(call)));
    (1..=count).map(move |number| {
        let mut tool = pattern.clone();
        tool.definition.name = format!("{PREFIX}{number:05}").into();
        tool.definition.title = Some(format!("Read buoy {number}"));
        tool.definition.description =
            Some(format!("The water temperature at buoy {number}.").into());
        tool
    })
}

async fn read_buoy(call: &Call) -> Answer {
    let number = call.tool().trim_start_matches(PREFIX);
    let number: usize = number.parse().unwrap_or_default();
    let tenths = 60 + number * 31 % 110;
    Ok(text(format!(
        "Buoy {number}: the water has {}.{} degrees.",
        tenths / 10,
        tenths % 10
    )))
}
