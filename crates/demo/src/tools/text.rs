//! Text content: plain, and Markdown.

use serde::Deserialize;

use super::DemoTool;
use super::fields::{string, titled_choice};
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "say_hello",
            "Say hello to the keeper",
            "The keeper greets you by name. Returns **text content**.",
            [string("name", "Your name")
                .described("How the keeper should call you.")
                .with("maxLength", 80.into())
                .with("default", "visitor".into())],
            |call| Box::pin(say_hello(call)),
        ),
        DemoTool::reading(
            "daily_report",
            "Read the daily report",
            "What happened on one day, and what is left in store. Returns text in **Markdown** with \
             headings, a list and a table.",
            [titled_choice(
                "day",
                "Day",
                &[
                    ("monday", "Monday, a clear day"),
                    ("wednesday", "Wednesday, with fog"),
                    ("saturday", "Saturday, with a gale"),
                ],
            )
            .with("default", "monday".into())],
            |call| Box::pin(daily_report(call)),
        ),
    ]
}

async fn say_hello(call: &Call) -> Answer {
    let name: String = call.argument("name")?;
    Ok(text(format!(
        "Good evening, {name}. Mind the stairs: there are 142 of them."
    )))
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Day {
    Monday,
    Wednesday,
    Saturday,
}

async fn daily_report(call: &Call) -> Answer {
    let (day, sky, oil, note) = match call.argument("day")? {
        Day::Monday => (
            "Monday",
            "clear, light breeze",
            "212",
            "The lens was cleaned.",
        ),
        Day::Wednesday => (
            "Wednesday",
            "fog until noon",
            "198",
            "The horn sounded for *five hours*.",
        ),
        Day::Saturday => (
            "Saturday",
            "gale from the west",
            "181",
            "A window of the gallery **broke**.",
        ),
    };
    Ok(text(format!(
        "# Gull Rock, {day}\n\n\
         The day was **{sky}**. {note}\n\n\
         ## Stores\n\n\
         | Item | In stock | Enough for |\n\
         |------|---------:|------------|\n\
         | Lamp oil | {oil} l | 3 weeks |\n\
         | Tea | 4 kg | 2 months |\n\
         | Matches | 61 boxes | a year |\n\n\
         ## To do\n\n\
         - [x] Wind the clockwork\n\
         - [ ] Paint the north door\n\
         - [ ] Answer the letter from the *Lights Board*\n\n\
         > Keep the light, and the light keeps you.\n\n\
         ```text\n\
         flash 0.4 s, dark 4.6 s, repeat\n\
         ```\n"
    )))
}
