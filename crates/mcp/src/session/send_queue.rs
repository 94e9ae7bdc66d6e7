//! The sending half of a bounded channel, with what does not fit into it yet.

use std::collections::VecDeque;

use tokio::sync::mpsc;

/// Takes items without waiting and hands them over as the receiver makes room.
#[derive(Debug)]
pub(super) struct SendQueue<T> {
    sender: mpsc::Sender<T>,
    waiting: VecDeque<T>,
}

impl<T> SendQueue<T> {
    pub(super) fn new(sender: mpsc::Sender<T>) -> Self {
        SendQueue {
            sender,
            waiting: VecDeque::new(),
        }
    }

    pub(super) fn push(&mut self, item: T) {
        self.waiting.push_back(item);
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.waiting.retain(keep);
    }

    /// Hands over what can be handed over without waiting.
    pub(super) fn flush(&mut self) {
        while let Some(item) = self.waiting.pop_front() {
            if let Err(error) = self.sender.try_send(item) {
                if let mpsc::error::TrySendError::Full(item) = error {
                    self.waiting.push_front(item);
                }
                break;
            }
        }
    }

    /// Waits until there is room for one item; `false` when the receiver is gone. This is the only
    /// sender, so the room is still there when it comes to use it.
    pub(super) async fn has_room(&self) -> bool {
        self.sender.reserve().await.is_ok()
    }

    /// Waits until the receiver is gone.
    pub(super) async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Hands over the rest, waiting for room.
    pub(super) async fn finish(self) {
        for item in self.waiting {
            if self.sender.send(item).await.is_err() {
                break;
            }
        }
    }
}
