//! Detection of media types by the beginning of Base64 data.

/// Beginnings of the Base64 of known formats, each with its MIME type and its name in messages.
const BEGINNINGS: [(&str, &str, &str); 6] = [
    ("iVBORw0KGgo", "image/png", "a PNG image"),
    ("/9j/", "image/jpeg", "a JPEG image"),
    ("R0lGOD", "image/gif", "a GIF image"),
    ("JVBERi0", "application/pdf", "a PDF document"),
    ("SUQz", "audio/mpeg", "MP3 audio"),
    ("T2dnUw", "audio/ogg", "Ogg audio"),
];

/// Names the actual format of Base64 data that cannot be of its declared MIME type.
pub(super) fn other_media(data: &str, mime_type: &str) -> Option<&'static str> {
    let essence = mime_type.split(';').next().unwrap_or_default();
    let said = match essence.trim().to_ascii_lowercase().as_str() {
        "image/jpg" | "image/pjpeg" => "image/jpeg".to_owned(),
        "audio/mp3" => "audio/mpeg".to_owned(),
        "video/ogg" | "application/ogg" | "audio/opus" => "audio/ogg".to_owned(),
        other => other.to_owned(),
    };
    // Only a type whose beginning is known here can be ruled out.
    let known = BEGINNINGS.iter().any(|(_, of, _)| *of == said);
    let (_, found, name) = BEGINNINGS
        .iter()
        .find(|(begin, ..)| data.starts_with(begin))?;
    (known && *found != said).then_some(*name)
}

#[cfg(test)]
mod tests {
    use super::other_media;

    #[test]
    fn data_is_told_by_its_beginning() {
        for (data, said, found) in [
            ("iVBORw0KGgoAAAA", "image/png", None),
            ("iVBORw0KGgoAAAA", "image/jpeg", Some("a PNG image")),
            ("/9j/4AAQ", "image/jpg; q=1", None),
            ("/9j/4AAQ", "Image/PNG", Some("a JPEG image")),
            // Types and data that are not known here say nothing.
            ("iVBORw0KGgoAAAA", "image/x-icon", None),
            ("AAAA", "image/png", None),
            ("", "image/png", None),
            ("T2dnUwAC", "audio/opus", None),
        ] {
            assert_eq!(other_media(data, said), found, "{data} {said}");
        }
    }
}
