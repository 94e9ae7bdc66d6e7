//! The lines of stdio: any chunking gives the same lines as splitting all bytes at once, within the limits.

use sonde_wire::{
    Limits,
    stdio::lines::{Line, LineCodec, LineEnd},
};

use crate::{
    choices::{Choices, pieces},
    seen::Seen,
};

pub(crate) const WORDS: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"{\"jsonrpc\":\"2.0\"}\n",
    b"\x01",
];

/// Number of repetitions of an input's byte with the value 1, for long lines.
const LONG: usize = 40 * 1024;

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let mut choices = Choices(input);
    let long = choices.below(8) == 7;
    let mut limits = Limits {
        message: choices.below(80) as u64,
        kept: choices.below(48),
    };
    let steps = choices.bytes();
    let mut bytes = choices.0.to_vec();
    if long {
        limits.message *= 4096;
        limits.kept *= 256;
        bytes.truncate(16);
        bytes = bytes
            .iter()
            .flat_map(|byte| {
                let times = if *byte == 1 { LONG } else { 1 };
                std::iter::repeat_n(*byte, times)
            })
            .collect();
    }
    let expected = whole(&bytes, limits);
    for steps in [&[][..], &[1], steps] {
        if long && steps == [1] {
            continue;
        }
        let lines = decoded(pieces(&bytes, steps), limits);
        assert_eq!(lines.len(), expected.len(), "lines in steps of {steps:?}");
        for (line, expected) in lines.iter().zip(&expected) {
            assert!(
                line == expected,
                "in steps of {steps:?} {line:?} instead of {expected:?}"
            );
        }
    }
    for line in expected {
        seen.note((line.end as u8, line.bom, line.cut.is_some()));
        seen.note_count("line", line.bytes.len());
    }
}

fn decoded(pieces: Vec<&[u8]>, limits: Limits) -> Vec<Line> {
    let mut codec = LineCodec::new(limits);
    let mut lines = Vec::new();
    for piece in pieces {
        codec.spare().extend_from_slice(piece);
        while let Some(line) = codec.next_line() {
            lines.push(line);
        }
    }
    lines.extend(codec.finish());
    lines
}

/// Splits all bytes at once.
fn whole(bytes: &[u8], limits: Limits) -> Vec<Line> {
    const TAIL: usize = 4096;
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        let cut = line.len() as u64 > limits.message;
        let mut kept = if cut {
            let kept = &line[..limits.kept.min(line.len())];
            match std::str::from_utf8(kept) {
                // The cut went through a character.
                Err(error) if error.error_len().is_none() => &kept[..error.valid_up_to()],
                _ => kept,
            }
        } else {
            line
        };
        let bom = lines.is_empty() && kept.starts_with(b"\xef\xbb\xbf");
        if bom {
            kept = &kept[3..];
        }
        let mut tail = &line[line.len().saturating_sub(TAIL)..];
        let last = if cut { &mut tail } else { &mut kept };
        let end = match (end, last.strip_suffix(b"\r")) {
            (None, _) => LineEnd::Missing,
            (Some(_), None) => LineEnd::Lf,
            (Some(_), Some(without)) => {
                *last = without;
                LineEnd::CrLf
            }
        };
        lines.push(Line {
            bytes: kept.to_vec(),
            cut: cut.then(|| sonde_wire::stdio::lines::Cut {
                tail: tail.to_vec(),
                size: line.len() as u64,
            }),
            end,
            bom,
        });
    }
    lines
}
