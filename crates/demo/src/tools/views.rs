//! Things to look at, to listen to and to open: image, audio, links and documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    Annotations, AudioContent, CallToolResult, ContentBlock, ImageContent, ResourceContents, Role,
    TextContent, Tool,
};
use serde::Deserialize;
use serde_json::json;

use super::{Answer, fields, looks, tool};
use crate::call::{Call, refusal};
use crate::{media, resources};

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "paint_view",
            "Paint the view",
            "The lighthouse at the time of day that you choose. Returns **image content**.",
            fields(json!({
                "hour": {
                    "type": "string",
                    "title": "Time of day",
                    "oneOf": [
                        { "const": "day", "title": "Day" },
                        { "const": "dusk", "title": "Dusk" },
                        { "const": "night", "title": "Night" }
                    ],
                    "default": "night"
                },
                "width": {
                    "type": "integer",
                    "title": "Width of the picture, in pixels",
                    "minimum": 64,
                    "maximum": 640,
                    "default": 320
                }
            })),
            looks(),
        )
        .with_icons(vec![resources::icon()]),
        tool(
            "sound_foghorn",
            "Sound the foghorn",
            "The foghorn, once or several times. Returns **audio content**.",
            fields(json!({
                "blasts": {
                    "type": "integer",
                    "title": "How many times",
                    "minimum": 1,
                    "maximum": 5,
                    "default": 2
                }
            })),
            looks(),
        ),
        tool(
            "find_charts",
            "Find the sea charts",
            "What lies in the chart drawer. Returns **resource links** to the documents.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "fetch_barograph",
            "Fetch the record of the air pressure",
            "Last night's air pressure, as a file you can save. Returns an embedded resource with \
             **binary data**.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "morning_round",
            "Do the morning round",
            "A look at everything, with words, a picture and a sound. Returns **several content \
             blocks** in one result: text, an image, audio, a resource link and an embedded \
             resource.",
            fields(json!({})),
            looks(),
        ),
    ]
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Hour {
    Day,
    Dusk,
    #[default]
    Night,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct View {
    #[serde(default)]
    hour: Hour,
    #[serde(default = "usual_width")]
    width: u32,
}

fn usual_width() -> u32 {
    320
}

pub(super) fn paint_view(call: &Call) -> Answer {
    let View { hour, width } = call.arguments()?;
    if !(64..=640).contains(&width) {
        return Err(refusal(
            "The picture can be between 64 and 640 pixels wide.",
        ));
    }
    let image = ContentBlock::image(STANDARD.encode(picture(hour, width)), "image/png");
    Ok(CallToolResult::success(vec![image]))
}

/// Rock, tower, lamp, beam, sea and sky, in a space of 320 by 180.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Foghorn {
    #[serde(default = "twice")]
    blasts: u32,
}

fn twice() -> u32 {
    2
}

pub(super) fn sound_foghorn(call: &Call) -> Answer {
    let Foghorn { blasts } = call.arguments()?;
    if !(1..=5).contains(&blasts) {
        return Err(refusal("The horn can sound between 1 and 5 times."));
    }
    let audio = ContentBlock::audio(STANDARD.encode(media::horn(blasts)), "audio/wav");
    Ok(CallToolResult::success(vec![audio]))
}

pub(super) fn find_charts(_: &Call) -> Answer {
    let links = resources::list(0)
        .into_iter()
        .map(ContentBlock::resource_link)
        .collect();
    Ok(CallToolResult::success(links))
}

pub(super) fn fetch_barograph(_: &Call) -> Answer {
    Ok(CallToolResult::success(vec![ContentBlock::resource(
        resources::barograph(),
    )]))
}

pub(super) fn morning_round(call: &Call) -> Answer {
    let for_people = Annotations::default().with_audience(vec![Role::User]);
    let picture = ImageContent::new(STANDARD.encode(picture(Hour::Dusk, 320)), "image/png")
        .with_annotations(for_people.clone().with_priority(0.5));
    let sound = AudioContent::new(STANDARD.encode(media::horn(1)), "audio/wav")
        .with_annotations(for_people.with_priority(0.25));
    let logbook = ResourceContents::text(resources::logbook(call.station()), resources::LOGBOOK)
        .with_mime_type("text/markdown");
    let mut blocks = vec![
        ContentBlock::Text(
            TextContent::new("**Morning round done.** The lamp is out, the lens is covered.")
                .with_annotations(Annotations::default().with_priority(1.0)),
        ),
        ContentBlock::Image(picture),
        ContentBlock::Audio(sound),
    ];
    blocks.extend(
        resources::list(0)
            .into_iter()
            .take(1)
            .map(ContentBlock::resource_link),
    );
    blocks.push(ContentBlock::resource(logbook));
    blocks.push(ContentBlock::text("Next: tea."));
    Ok(CallToolResult::success(blocks))
}
