//! A small picture and a small sound, made when asked for.

/// A PNG of `width` by `height` pixels with up to 16 colours.
///
/// The pixel data is stored, not compressed: half a byte per pixel is small enough, and it saves
/// a compressor.
pub(crate) fn png(
    width: u32,
    height: u32,
    palette: &[[u8; 3]],
    colour: impl Fn(u32, u32) -> u8,
) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..height {
        rows.push(0); // filter: none
        for x in (0..width).step_by(2) {
            let right = if x + 1 < width { colour(x + 1, y) } else { 0 };
            rows.push((colour(x, y) << 4) | (right & 0x0f));
        }
    }
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([4, 3, 0, 0, 0]); // 4 bits, palette, deflate, adaptive filter, not interlaced

    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, b"IHDR", &header);
    chunk(&mut png, b"PLTE", palette.as_flattened());
    chunk(&mut png, b"IDAT", &stored(&rows));
    chunk(&mut png, b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    png.extend(length(data).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let sum = crc32(&png[start..]);
    png.extend(sum.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(usize::from(u16::MAX)).peekable();
    while let Some(block) = blocks.next() {
        stream.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler32(data).to_be_bytes());
    stream
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            }
        })
    })
}

fn adler32(data: &[u8]) -> u32 {
    let (low, high) = data.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    (high << 16) | low
}

/// Samples per second of [`wav`].
pub(crate) const RATE: u32 = 8_000;

/// A mono WAV with 16 bits per sample; `samples` lie between -1 and 1.
pub(crate) fn wav(samples: &[f64]) -> Vec<u8> {
    let mut data = Vec::with_capacity(samples.len() * 2);
    for sample in samples {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the clamp keeps it in range"
        )]
        let value = (sample.clamp(-1.0, 1.0) * f64::from(i16::MAX)) as i16;
        data.extend(value.to_le_bytes());
    }
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + length(&data)).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes());
    wav.extend(1_u16.to_le_bytes()); // plain samples
    wav.extend(1_u16.to_le_bytes()); // one channel
    wav.extend(RATE.to_le_bytes());
    wav.extend((RATE * 2).to_le_bytes());
    wav.extend(2_u16.to_le_bytes());
    wav.extend(16_u16.to_le_bytes());
    wav.extend(b"data");
    wav.extend(length(&data).to_le_bytes());
    wav.extend(data);
    wav
}

/// So many blasts of a foghorn of half a second each, with a quarter between them, as a WAV.
pub(crate) fn horn(blasts: u32) -> Vec<u8> {
    let samples: Vec<f64> = (0..blasts * RATE * 3 / 4)
        .map(|sample| {
            let at = f64::from(sample % (RATE * 3 / 4)) / f64::from(RATE);
            if at >= 0.5 {
                return 0.0;
            }
            let swell = (at * 20.0).min((0.5 - at) * 20.0).min(1.0);
            let tone = |hertz: f64| (at * hertz * std::f64::consts::TAU).sin();
            swell * (0.5 * tone(110.0) + 0.25 * tone(165.0) + 0.12 * tone(220.0))
        })
        .collect();
    wav(&samples)
}

/// A PDF document of one page with these lines, which have no brackets and no backslash, in a font that every reader
/// has.
pub(crate) fn pdf(lines: &[&str]) -> Vec<u8> {
    let text: String = lines
        .iter()
        .map(|line| format!("({line}) Tj T*\n"))
        .collect();
    let content = format!("BT /F1 18 Tf 28 TL 60 760 Td\n{text}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] \
         /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>"
            .to_owned(),
        format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        table.push_str(&format!("{:010} 00000 n \n", pdf.len()));
        pdf.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let size = objects.len() + 1;
    let start = pdf.len();
    pdf.push_str(&format!(
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    pdf.into_bytes()
}

fn length(data: &[u8]) -> u32 {
    u32::try_from(data.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_match_their_published_check_values() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn a_png_has_its_size_and_every_pixel() {
        let png = png(3, 200_000, &[[0; 3], [255; 3]], |_, _| 1);
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03"));
        // Three pixels and the filter byte need three bytes a row, in blocks of 65,535 bytes.
        let blocks = 600_000_usize.div_ceil(65_535);
        assert_eq!(
            png.len(),
            8 + 25 + 18 + (12 + 2 + 600_000 + 5 * blocks + 4) + 12
        );
    }

    #[test]
    fn a_pdf_says_where_its_objects_begin() {
        let pdf = String::from_utf8(pdf(&["One", "Two"])).unwrap();
        let (before, after) = pdf.rsplit_once("startxref\n").unwrap();
        let start: usize = after.lines().next().unwrap().parse().unwrap();
        assert!(pdf[start..].starts_with("xref\n0 6\n0000000000 65535 f \n"));
        let entries = before[start..].lines().skip(3).take(5);
        for (number, entry) in (1..).zip(entries) {
            let place: usize = entry[..10].parse().unwrap();
            assert!(pdf[place..].starts_with(&format!("{number} 0 obj\n")));
        }
        assert!(pdf.contains("(One) Tj T*\n(Two) Tj T*\nET\nendstream"));
    }

    #[test]
    fn a_wav_announces_its_length() {
        let wav = wav(&[0.0, 1.0, -2.0]);
        assert_eq!(wav.len(), 44 + 6);
        assert_eq!(wav[4..8], 42_u32.to_le_bytes());
        assert_eq!(wav[40..44], 6_u32.to_le_bytes());
        assert_eq!(wav[46..48], i16::MAX.to_le_bytes());
        assert_eq!(wav[48..50], (-i16::MAX).to_le_bytes());
    }
}
