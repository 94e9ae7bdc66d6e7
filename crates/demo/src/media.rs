//! Pictures and sounds, generated on request.

use std::f64::consts::TAU;

/// Draws a PNG with the colours of a palette.
pub(crate) fn png(
    width: u32,
    height: u32,
    palette: &[[u8; 3]],
    colour: impl Fn(u32, u32) -> u8,
) -> Vec<u8> {
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| colour(x, y))
        .collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.as_flattened());
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels))
        .unwrap_or_else(|error| unreachable!("memory takes every picture: {error}"));
    file
}

/// Samples per second of [`wav`].
const SAMPLE_RATE: u32 = 8_000;

/// Encodes samples between -1 and 1 as a mono WAV with 16 bits per sample.
fn wav(samples: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = samples
        .iter()
        .flat_map(|sample| ((sample.clamp(-1.0, 1.0) * f64::from(i16::MAX)) as i16).to_le_bytes())
        .collect();
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + length).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes());
    wav.extend(1_u16.to_le_bytes()); // plain samples
    wav.extend(1_u16.to_le_bytes()); // one channel
    wav.extend(SAMPLE_RATE.to_le_bytes());
    wav.extend((SAMPLE_RATE * 2).to_le_bytes());
    wav.extend(2_u16.to_le_bytes());
    wav.extend(16_u16.to_le_bytes());
    wav.extend(b"data");
    wav.extend(length.to_le_bytes());
    wav.extend(data);
    wav
}

/// Returns a WAV of a foghorn: blasts of half a second each, with a quarter of a second between them.
pub(crate) fn horn(blasts: u32) -> Vec<u8> {
    const PERIOD: u32 = SAMPLE_RATE * 3 / 4;
    let samples: Vec<f64> = (0..blasts * PERIOD)
        .map(|sample| {
            let at = f64::from(sample % PERIOD) / f64::from(SAMPLE_RATE);
            let swell = (at * 20.0).min((0.5 - at) * 20.0).clamp(0.0, 1.0);
            let tone = |hertz: f64| (at * hertz * TAU).sin();
            swell * (0.5 * tone(110.0) + 0.25 * tone(165.0) + 0.12 * tone(220.0))
        })
        .collect();
    wav(&samples)
}

#[cfg(test)]
mod tests {
    use super::*;

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
