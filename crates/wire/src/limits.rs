//! Memory limits of one message.

/// Size limits of received messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest line, JSON body or server-sent event that is delivered, in bytes. Larger ones
    /// are cut, recorded as such and reported as [`crate::Incoming::Oversized`].
    pub message: u64,
    /// Bytes kept of a cut message, or of a body that is no message.
    pub kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 64 * 1024 * 1024,
            kept: 64 * 1024,
        }
    }
}

impl Limits {
    /// The message limit as a length in memory.
    pub(crate) fn message_len(&self) -> usize {
        usize::try_from(self.message).unwrap_or(usize::MAX)
    }
}
