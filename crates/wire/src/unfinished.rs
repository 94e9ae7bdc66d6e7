//! Memory of messages that are still arriving. Queues and logs count complete messages only.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Bytes that the unfinished messages of one transport may take.
pub(crate) const TRANSPORT_LIMIT: usize = 128 << 20;

/// Bytes of each message that are not counted, so that large messages never hold up small ones.
const UNCOUNTED: usize = 128 << 10;

/// The unfinished messages of all transports of this process.
static PROCESS: Room = Room::new(192 << 20, None);

/// A number of bytes that several unfinished messages share.
#[derive(Debug)]
pub(crate) struct Room {
    used: AtomicUsize,
    limit: usize,
    /// The larger room that contains this room.
    within: Option<&'static Self>,
}

impl Room {
    const fn new(limit: usize, within: Option<&'static Self>) -> Self {
        Self {
            used: AtomicUsize::new(0),
            limit,
            within,
        }
    }

    /// The room of a transport.
    pub(crate) fn of_transport() -> Arc<Self> {
        Arc::new(Self::new(TRANSPORT_LIMIT, Some(&PROCESS)))
    }

    fn take(&self, bytes: usize) -> bool {
        let fits = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.limit);
        if self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits)
            .is_err()
        {
            return false;
        }
        let fits_within = self.within.is_none_or(|within| within.take(bytes));
        if !fits_within {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits_within
    }

    fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(within) = self.within {
            within.give_back(bytes);
        }
    }
}

/// The part of a [`Room`] that an unfinished message takes. Dropping it returns the room.
#[derive(Debug)]
pub(crate) struct Unfinished {
    room: Arc<Room>,
    bytes: usize,
}

impl Unfinished {
    /// Creates the share of a message of which nothing has arrived.
    pub(crate) fn new(room: &Arc<Room>) -> Self {
        Self {
            room: Arc::clone(room),
            bytes: 0,
        }
    }

    /// Grows or shrinks the share to a message of this size. False if there is too little room; then nothing changes.
    pub(crate) fn resize(&mut self, bytes: usize) -> bool {
        let bytes = bytes.saturating_sub(UNCOUNTED);
        if bytes < self.bytes {
            self.room.give_back(self.bytes - bytes);
        } else if !self.room.take(bytes - self.bytes) {
            return false;
        }
        self.bytes = bytes;
        true
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.room.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resize(message: &mut Unfinished, counted: usize) -> bool {
        message.resize(UNCOUNTED + counted)
    }

    #[test]
    fn messages_share_the_room_of_their_transport() {
        let room = Arc::new(Room::new(100, None));
        let mut first = Unfinished::new(&room);
        let mut second = Unfinished::new(&room);
        assert!(resize(&mut first, 60));
        assert!(!resize(&mut second, 50));
        assert!(resize(&mut second, 40));
        assert!(!resize(&mut first, 61));
        drop(second);
        assert!(resize(&mut first, 100));
        let mut small = Unfinished::new(&room);
        assert!(small.resize(UNCOUNTED), "small messages are never refused");
        drop(first);
        assert_eq!(room.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn transports_share_the_room_of_the_process() {
        static ALL: Room = Room::new(100, None);
        let [one, other] = [(); 2].map(|()| Arc::new(Room::new(80, Some(&ALL))));
        let mut first = Unfinished::new(&one);
        let mut second = Unfinished::new(&other);
        assert!(resize(&mut first, 80));
        assert!(!resize(&mut second, 30));
        assert!(resize(&mut second, 20), "a refusal took nothing");
        drop(first);
        assert!(resize(&mut second, 80));
    }
}
