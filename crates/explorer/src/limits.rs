//! Limits of saved inputs and presentations. For limits of a connection see the client.

pub use sonde_client::limits::*;

/// Bytes of one saved input: arguments, name and target.
pub const SAVED_INPUT: usize = 256 * 1024;
/// Saved inputs of one server.
pub const SAVED_INPUTS: usize = 500;
/// Bytes of all saved inputs of one server.
pub const SAVED_INPUT_BYTES: usize = 4 * 1024 * 1024;
/// Presentations.
pub const PRESENTATIONS: usize = 100;
/// Bytes of all presentations, without the saved inputs that they offer.
pub const PRESENTATION_BYTES: usize = 4 * 1024 * 1024;
/// Characters of the key of a tool, the name of a prompt or the URI of a resource in the file of a presentation.
pub const TARGET: usize = 4_000;
/// Steps of a presentation, and servers of its file.
pub const STEPS: usize = 200;
/// Saved inputs that a step offers.
pub const STEP_INPUTS: usize = 50;
/// Characters of the speaker's notes for a step.
pub const NOTES: usize = 10_000;
