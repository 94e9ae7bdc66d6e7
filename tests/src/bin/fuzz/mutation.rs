//! New inputs made from known ones.

use crate::random::Random;

/// Limit of the changes at once.
const CHANGES: usize = 6;

/// Bytes with a meaning in some format.
const BYTES: &[u8] = b"\0\t\n\r \"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\x7f\x80\xc3\xef\xf0\xff";

/// Mutates one of the known inputs in a few places. `words` are meaningful to the target; no input is longer than
/// `longest`.
pub(crate) fn mutate(
    known: &[Vec<u8>],
    words: &[&[u8]],
    longest: usize,
    random: &mut Random,
) -> Vec<u8> {
    let mut input = random.pick(known).cloned().unwrap_or_default();
    for _ in 0..=random.below(CHANGES) {
        change(&mut input, known, words, random);
    }
    input.truncate(longest);
    input
}

fn change(input: &mut Vec<u8>, known: &[Vec<u8>], words: &[&[u8]], random: &mut Random) {
    let at = random.below(input.len() + 1);
    match random.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.byte();
            }
        }
        2 => {
            if let (Some(byte), Some(one)) = (input.get_mut(at), random.pick(BYTES)) {
                *byte = *one;
            }
        }
        3 => insert(input, at, &[random.byte()]),
        4 => {
            if let Some(one) = random.pick(BYTES) {
                insert(input, at, &[*one]);
            }
        }
        5 | 6 => insert(input, at, random.pick(words).copied().unwrap_or_default()),
        7 => {
            let end = at + random.below((input.len() - at).min(64) + 1);
            input.drain(at..end);
        }
        8 => {
            let part = some_part(input, random);
            insert(input, at, &part);
        }
        9 => {
            let part = random.pick(known).map(|other| some_part(other, random));
            insert(input, at, &part.unwrap_or_default());
        }
        10 => {
            let part = some_part(input, random);
            let part = &part[..part.len().min(16)];
            insert(input, at, &part.repeat(1 + random.below(100)));
        }
        _ => input.truncate(at),
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

fn some_part(input: &[u8], random: &mut Random) -> Vec<u8> {
    let start = random.below(input.len() + 1);
    let length = random.below((input.len() - start).min(256) + 1);
    input[start..start + length].to_vec()
}
