//! Sending half of a bounded channel, with a backlog of items that do not fit yet.

use std::collections::VecDeque;

use crate::queue::{QUEUE_BYTES, Sender, TrySendError, Weigh};

/// Above this many waiting items there is no room for more.
const BACKLOG: usize = 512;

/// Takes items without waiting and hands them over as the receiver makes room.
#[derive(Debug)]
pub struct SendQueue<T> {
    sender: Sender<T>,
    waiting: VecDeque<T>,
    /// Weight of the waiting items.
    bytes: usize,
}

impl<T: Weigh> SendQueue<T> {
    /// Creates an empty backlog in front of a channel, whose only sender it is.
    #[must_use]
    pub fn new(sender: Sender<T>) -> Self {
        SendQueue {
            sender,
            waiting: VecDeque::new(),
            bytes: 0,
        }
    }

    /// Adds an item, which [`SendQueue::flush`] hands over.
    pub fn push(&mut self, item: T) {
        self.bytes = self.bytes.saturating_add(item.weight());
        self.waiting.push_back(item);
    }

    /// Returns true if there is room for input that causes more output.
    #[must_use]
    pub fn is_roomy(&self) -> bool {
        self.waiting.len() < BACKLOG && self.bytes < QUEUE_BYTES as usize
    }

    /// Returns true if no item waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops the waiting items.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
    }

    /// Keeps only some of the waiting items.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.waiting.retain(keep);
        self.bytes = self.waiting.iter().map(Weigh::weight).sum();
    }

    /// Hands over as many items as possible without waiting.
    pub fn flush(&mut self) {
        while let Some(item) = self.waiting.pop_front() {
            let weight = item.weight();
            match self.sender.try_send(item) {
                Ok(()) => self.bytes = self.bytes.saturating_sub(weight),
                Err(TrySendError::Full(item)) => {
                    self.waiting.push_front(item);
                    break;
                }
                Err(TrySendError::Gone) => self.clear(),
            }
        }
    }

    /// Waits until there is room for the next item; false if the receiver is gone. This is the only sender, so the room
    /// cannot be taken meanwhile.
    pub async fn has_room(&self) -> bool {
        match self.waiting.front() {
            Some(next) => self.sender.has_room(next).await,
            None => true,
        }
    }

    /// Waits until the receiver is gone.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Hands over the rest, waiting for room.
    pub async fn finish(self) {
        for item in self.waiting {
            if self.sender.send(item).await.is_err() {
                break;
            }
        }
    }
}
