//! Choices derived from an input, so that mutating the input mutates the choices.

/// The unused part of the input. After its end all bytes are 0.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// Returns a number below `end`, which is at most 256.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// Returns the next bytes; the first of them is their number.
    pub(crate) fn bytes(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }
}

/// Splits `bytes` into pieces whose lengths come from `steps`, in a cycle.
pub(crate) fn pieces<'a>(bytes: &'a [u8], steps: &[u8]) -> Vec<&'a [u8]> {
    let mut rest = bytes;
    let mut pieces = Vec::new();
    let mut steps = steps.iter().cycle();
    while !rest.is_empty() {
        let length = steps.next().map_or(rest.len(), |step| usize::from(*step));
        let (piece, others) = rest.split_at(length.max(1).min(rest.len()));
        pieces.push(piece);
        rest = others;
    }
    pieces
}
