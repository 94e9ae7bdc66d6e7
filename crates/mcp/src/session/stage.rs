//! The phases of a session as one table.

/// Stages of a session; the payloads of [`crate::Phase`] are made when it is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Opening,
    Ready,
    Closing,
    Closed,
}

/// Steps between the stages of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The handshake succeeded.
    Opened,
    /// The handshake failed, the end was requested, or the server forgot the session.
    End,
    /// The server forgot the session, and a new one is opened.
    Forgotten,
    /// The transport is gone.
    WireGone,
}

impl Stage {
    /// Returns the stage after `step`; `None` if the step does not apply.
    pub(super) fn after(self, step: Step) -> Option<Stage> {
        match (self, step) {
            (Stage::Opening, Step::Opened) => Some(Stage::Ready),
            (Stage::Ready, Step::Forgotten) => Some(Stage::Opening),
            (Stage::Opening | Stage::Ready, Step::End) => Some(Stage::Closing),
            (Stage::Opening | Stage::Ready | Stage::Closing, Step::WireGone) => Some(Stage::Closed),
            (Stage::Ready | Stage::Closing, Step::Opened)
            | (Stage::Closing, Step::End)
            | (Stage::Opening | Stage::Closing, Step::Forgotten)
            | (Stage::Closed, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stage::*, Step::*};

    #[test]
    fn the_whole_table() {
        let rows = [Opening, Ready, Closing, Closed]
            .map(|stage| [Opened, Forgotten, End, WireGone].map(|step| stage.after(step)));
        assert_eq!(
            rows,
            [
                [Some(Ready), None, Some(Closing), Some(Closed)],
                [None, Some(Opening), Some(Closing), Some(Closed)],
                [None, None, None, Some(Closed)],
                [None, None, None, None],
            ]
        );
    }
}
