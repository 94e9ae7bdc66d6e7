//! Content blocks: image, audio, resource links and embedded documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    Annotations, AudioContent, CallToolResult, ContentBlock, ImageContent, Role, TextContent,
};
use serde::Deserialize;

use super::DemoTool;
use super::fields::{integer, titled_choice};
use crate::call::{Answer, Call};
use crate::{media, resources};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "paint_view",
            "Paint the view",
            "The lighthouse at the time of day that you choose. Returns **image content**.",
            [
                titled_choice(
                    "hour",
                    "Time of day",
                    &[("day", "Day"), ("dusk", "Dusk"), ("night", "Night")],
                )
                .with("default", "night".into()),
                integer("width", "Width of the picture, in pixels", 64..=640, 320),
            ],
            |call| Box::pin(paint_view(call)),
        )
        .with_icon(resources::icon()),
        DemoTool::reading(
            "sound_foghorn",
            "Sound the foghorn",
            "The foghorn, once or several times. Returns **audio content**.",
            [integer("blasts", "How many times", 1..=5, 2)],
            |call| Box::pin(sound_foghorn(call)),
        ),
        DemoTool::reading(
            "find_charts",
            "Find the sea charts",
            "What lies in the chart drawer. Returns **resource links** to the documents.",
            [],
            |call| Box::pin(find_charts(call)),
        ),
        DemoTool::reading(
            "fetch_barograph",
            "Fetch the record of the air pressure",
            "Last night's air pressure, as a file you can save. Returns an embedded resource with \
             **binary data**.",
            [],
            |call| Box::pin(fetch_barograph(call)),
        ),
        DemoTool::reading(
            "morning_round",
            "Do the morning round",
            "A look at everything, with words, a picture and a sound. Returns **several content \
             blocks** in one result: text, an image, audio, a resource link and an embedded \
             resource.",
            [],
            |call| Box::pin(morning_round(call)),
        ),
    ]
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Hour {
    Day,
    Dusk,
    Night,
}

async fn paint_view(call: &Call) -> Answer {
    let picture = picture(call.argument("hour")?, call.argument("width")?);
    let image = ContentBlock::image(STANDARD.encode(picture), "image/png");
    Ok(CallToolResult::success(vec![image]))
}

/// Draws rock, tower, lamp, beam, sea and sky, in a space of 320 by 180.
fn picture(hour: Hour, width: u32) -> Vec<u8> {
    const SKY: u8 = 0;
    const GLOW: u8 = 1;
    const SEA: u8 = 2;
    const WAVE: u8 = 3;
    const ROCK: u8 = 4;
    const WHITE: u8 = 5;
    const RED: u8 = 6;
    const LAMP: u8 = 7;
    const BEAM: u8 = 8;
    let sky: [[u8; 3]; 4] = match hour {
        Hour::Day => [
            [150, 200, 240],
            [190, 222, 246],
            [40, 110, 160],
            [90, 160, 200],
        ],
        Hour::Dusk => [
            [120, 90, 140],
            [240, 150, 100],
            [60, 60, 110],
            [150, 100, 120],
        ],
        Hour::Night => [[18, 24, 52], [30, 40, 80], [12, 30, 58], [40, 70, 110]],
    };
    let lit = !matches!(hour, Hour::Day);
    let mut palette = sky.to_vec();
    palette.extend([
        [70, 66, 64],
        [236, 232, 220],
        [190, 48, 44],
        [255, 226, 130],
        [210, 190, 110],
    ]);
    let height = width * 9 / 16;
    media::png(width, height, &palette, |x, y| {
        let (x, y) = (i64::from(x * 320 / width), i64::from(y * 180 / height));
        let tower = (x - 220).abs() <= 11 + (y - 40) / 14;
        if (28..40).contains(&y) && (x - 220).abs() <= 8 {
            LAMP
        } else if (20..28).contains(&y) && (x - 220).abs() <= y - 19 {
            RED
        } else if (40..150).contains(&y) && tower {
            if (y - 40) / 22 % 2 == 0 { WHITE } else { RED }
        } else if y >= 138 && (x - 222).abs() * 2 <= 60 + (y - 138) * 3 {
            ROCK
        } else if lit && x < 212 && (y - 34).abs() * 9 <= 212 - x && y < 130 {
            BEAM
        } else if y >= 130 {
            if (x + y * 7) % 40 < 9 && y % 8 < 2 {
                WAVE
            } else {
                SEA
            }
        } else if y > 100 {
            GLOW
        } else if lit && (x * 7_919 + y * 104_729) % 997 == 0 {
            WHITE
        } else {
            SKY
        }
    })
}

async fn sound_foghorn(call: &Call) -> Answer {
    let horn = media::horn(call.argument("blasts")?);
    let audio = ContentBlock::audio(STANDARD.encode(horn), "audio/wav");
    Ok(CallToolResult::success(vec![audio]))
}

async fn find_charts(_: &Call) -> Answer {
    let documents = resources::list(0).into_iter();
    let links = documents.map(ContentBlock::resource_link).collect();
    Ok(CallToolResult::success(links))
}

async fn fetch_barograph(call: &Call) -> Answer {
    let roll = ContentBlock::resource(resources::BAROGRAPH.contents(call.state()));
    Ok(CallToolResult::success(vec![roll]))
}

async fn morning_round(call: &Call) -> Answer {
    let for_people = Annotations::default().with_audience(vec![Role::User]);
    let done = TextContent::new("**Morning round done.** The lamp is out, the lens is covered.")
        .with_annotations(Annotations::default().with_priority(1.0));
    let picture = ImageContent::new(STANDARD.encode(picture(Hour::Dusk, 320)), "image/png")
        .with_annotations(for_people.clone().with_priority(0.5));
    let sound = AudioContent::new(STANDARD.encode(media::horn(1)), "audio/wav")
        .with_annotations(for_people.with_priority(0.25));
    Ok(CallToolResult::success(vec![
        ContentBlock::Text(done),
        ContentBlock::Image(picture),
        ContentBlock::Audio(sound),
        ContentBlock::resource_link(resources::chart_of_the_approach()),
        ContentBlock::resource(resources::LOGBOOK_PAGE.contents(call.state())),
        ContentBlock::text("Next: tea."),
    ]))
}
