//! Code under test, and properties that it has to keep. A target panics if a property does not hold.

mod challenge;
mod envelope;
mod import;
mod json;
mod lines;
mod redaction;
mod sse;

use crate::seen::Seen;

/// Code that reads bytes of strangers.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Parts of inputs with a meaning for the target.
    pub(crate) words: &'static [&'static [u8]],
    /// Limit of an input in bytes: short inputs are fast, and fail as well.
    pub(crate) longest: usize,
    pub(crate) run: fn(&[u8], &mut Seen),
}

/// All targets.
pub(crate) const ALL: &[Target] = &[
    Target {
        name: "sse",
        words: sse::WORDS,
        longest: 768,
        run: sse::run,
    },
    Target {
        name: "lines",
        words: lines::WORDS,
        longest: 768,
        run: lines::run,
    },
    Target {
        name: "envelope",
        words: envelope::WORDS,
        longest: 2048,
        run: envelope::run,
    },
    Target {
        name: "json",
        words: json::WORDS,
        longest: 1024,
        run: json::run,
    },
    Target {
        name: "redaction",
        words: redaction::WORDS,
        longest: 256,
        run: redaction::run,
    },
    Target {
        name: "challenge",
        words: challenge::WORDS,
        longest: 1024,
        run: challenge::run,
    },
    Target {
        name: "import",
        words: import::WORDS,
        longest: 4096,
        run: import::run,
    },
];
