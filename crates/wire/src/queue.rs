//! Bounded channels that also limit the bytes of their items: 256 messages are few until each of them has 64 MiB.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Bytes that a queue holds before its sender waits. A larger item passes when the queue is empty.
pub const QUEUE_BYTES: u32 = 16 * 1024 * 1024;

/// Items that a queue can weigh.
pub trait Weigh {
    /// Approximate memory of the item in bytes.
    fn weight(&self) -> usize;
}

/// The receiver is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody receives any more")]
pub struct Gone;

/// Reasons for not accepting an item; the item is returned if sending it may be tried again.
#[derive(Debug, PartialEq, Eq)]
pub enum TrySendError<T> {
    /// There is no room at present.
    Full(T),
    /// The receiver is gone.
    Gone,
}

/// Creates a channel for at most `items` items and [`QUEUE_BYTES`].
///
/// # Panics
/// When `items` is 0.
#[must_use]
pub fn channel<T: Weigh>(items: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel(items);
    let room = Arc::new(Semaphore::new(QUEUE_BYTES as usize));
    (Sender { sender, room }, Receiver { receiver })
}

/// An item with its share of the queue's bytes.
#[derive(Debug)]
struct Held<T> {
    item: T,
    room: OwnedSemaphorePermit,
}

/// The sending half.
#[derive(Debug)]
pub struct Sender<T> {
    sender: mpsc::Sender<Held<T>>,
    room: Arc<Semaphore>,
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self {
            sender: self.sender.clone(),
            room: Arc::clone(&self.room),
        }
    }
}

/// The receiving half.
#[derive(Debug)]
pub struct Receiver<T> {
    receiver: mpsc::Receiver<Held<T>>,
}

fn permits(weight: usize) -> u32 {
    u32::try_from(weight)
        .unwrap_or(QUEUE_BYTES)
        .min(QUEUE_BYTES)
}

impl<T: Weigh> Sender<T> {
    /// Waits for room, then sends.
    ///
    /// # Errors
    /// [`Gone`].
    pub async fn send(&self, item: T) -> Result<(), Gone> {
        // Items still queued when the receiver goes are dropped, which makes room.
        let room = Arc::clone(&self.room)
            .acquire_many_owned(permits(item.weight()))
            .await
            .map_err(|_| Gone)?;
        let held = Held { item, room };
        self.sender.send(held).await.map_err(|_| Gone)
    }

    /// Sends without waiting.
    ///
    /// # Errors
    /// The item, when there is no room; [`TrySendError::Gone`].
    pub fn try_send(&self, item: T) -> Result<(), TrySendError<T>> {
        let Ok(room) = Arc::clone(&self.room).try_acquire_many_owned(permits(item.weight())) else {
            return Err(TrySendError::Full(item));
        };
        match self.sender.try_send(Held { item, room }) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Full(held)) => Err(TrySendError::Full(held.item)),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(TrySendError::Gone),
        }
    }

    /// Waits until there is room for this item; `false` if the receiver is gone. Only a sole sender can rely on the
    /// result.
    pub async fn has_room(&self, item: &T) -> bool {
        let room = self.room.acquire_many(permits(item.weight())).await;
        room.is_ok() && self.sender.reserve().await.is_ok()
    }
}

impl<T> Sender<T> {
    /// Waits until the receiver is gone.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }
}

impl<T> Receiver<T> {
    /// Waits for the next item; `None` if all senders are gone and nothing is queued. Cancel-safe.
    pub async fn recv(&mut self) -> Option<T> {
        self.receiver.recv().await.map(Held::take)
    }

    /// Returns the next item if one is queued already.
    ///
    /// # Errors
    /// If no item is queued at present, or none will come.
    pub fn try_recv(&mut self) -> Result<T, mpsc::error::TryRecvError> {
        self.receiver.try_recv().map(Held::take)
    }
}

impl<T> Held<T> {
    fn take(self) -> T {
        drop(self.room);
        self.item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for usize {
        fn weight(&self) -> usize {
            *self
        }
    }

    const ALL: usize = QUEUE_BYTES as usize;

    async fn waits(future: impl Future) -> bool {
        tokio::select! {
            biased;
            _ = future => false,
            () = std::future::ready(()) => true,
        }
    }

    #[tokio::test]
    async fn the_weight_counts_as_well_as_the_number() {
        let (sender, mut receiver) = channel(3);
        for _ in 0..3 {
            assert_eq!(sender.try_send(1), Ok(()));
        }
        assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
        for _ in 0..3 {
            assert_eq!(receiver.recv().await, Some(1));
        }
        assert_eq!(sender.try_send(ALL / 2), Ok(()));
        assert_eq!(sender.try_send(ALL), Err(TrySendError::Full(ALL)));
        assert_eq!(sender.try_send(ALL / 2), Ok(()));
        assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
        let mut waiting = std::pin::pin!(sender.send(7));
        assert!(waits(&mut waiting).await);
        assert_eq!(receiver.try_recv(), Ok(ALL / 2));
        assert_eq!(waiting.await, Ok(()));
        assert!(sender.has_room(&1).await);
    }

    #[tokio::test]
    async fn what_is_larger_than_the_queue_passes_alone() {
        let (sender, mut receiver) = channel(3);
        assert_eq!(sender.try_send(10 * ALL), Ok(()));
        assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
        assert_eq!(receiver.recv().await, Some(10 * ALL));
        assert_eq!(sender.try_send(1), Ok(()));
    }

    #[tokio::test]
    async fn nobody_waits_for_a_receiver_that_is_gone() {
        let (sender, receiver) = channel(3);
        assert_eq!(sender.send(ALL).await, Ok(()));
        let other = sender.clone();
        let mut waiting = std::pin::pin!(other.send(1));
        assert!(waits(&mut waiting).await);
        drop(receiver);
        assert_eq!(waiting.await, Err(Gone));
        assert_eq!(sender.try_send(1), Err(TrySendError::Gone));
        assert!(!sender.has_room(&1).await);
        sender.closed().await;
    }
}
