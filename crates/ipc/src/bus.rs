//! Bus that carries changes to the window.
//!
//! Only the names of changed things are queued, and their state is read when it is sent. So any number of changes to a
//! thing costs one entry, producers never wait, and a window that stalls delays nobody. A window that falls too far
//! behind gets a snapshot instead.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_explorer::{Change, Observer, lock};
use tokio::{sync::Notify, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::event::{Batch, UiEvent};

/// Shortest time between two batches: about one frame of a screen.
const FRAME: Duration = Duration::from_millis(16);
/// Limit of a batch in bytes of JSON. A larger event is sent alone.
const BATCH: usize = 8 * 1024;
/// Limit of unacknowledged batches. The host's channel has no backpressure of its own.
const IN_FLIGHT: u64 = 4;

/// Limit of queued changes, beyond which a snapshot replaces them.
const QUEUED: usize = 10_000;

/// Time during which frequent changes of a thing are gathered before the window gets them.
const GATHER: Duration = Duration::from_millis(100);

/// Name of a thing whose state the window shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A thing of the explorer.
    Explorer(Change),
    /// An open log view.
    Log(u64),
    /// The window is about to close.
    Closing,
}

/// Source of the states that the window shows.
pub(crate) trait Source: Send + Sync + 'static {
    /// Returns the state of everything, for a new window.
    fn snapshot(&self) -> Vec<UiEvent>;
    /// Returns the current state of one thing; `None` if there is nothing to send.
    fn event(&self, key: &Key) -> Option<UiEvent>;
}

/// Remembers what changed for the one subscriber.
#[derive(Debug, Default)]
pub(crate) struct Bus {
    inner: Mutex<Inner>,
    /// Tasks of subscriptions and of delayed changes.
    tasks: TaskTracker,
}

#[derive(Debug, Default)]
struct Inner {
    subscriber: Option<Subscriber>,
    /// Things whose frequent changes are being gathered.
    later: HashSet<Key>,
    /// Number of the last batch, over all subscribers: an acknowledgement from before a reload must not count for the
    /// new window.
    sent: u64,
}

#[derive(Debug)]
struct Subscriber {
    queue: VecDeque<Key>,
    queued: HashSet<Key>,
    /// True if queued changes were dropped: the next batch is a snapshot.
    needs_snapshot: bool,
    acknowledged: u64,
    wake: Arc<Notify>,
    over: CancellationToken,
}

impl Bus {
    /// Notes a change. Never waits.
    pub(crate) fn touch(&self, key: Key) {
        let mut inner = lock(&self.inner);
        // Sent now, so not a second time later.
        inner.later.remove(&key);
        let Some(subscriber) = &mut inner.subscriber else {
            return;
        };
        subscriber.push(key);
    }

    /// Notes a change of a thing that may change thousands of times a second: it is sent a moment later, once.
    fn touch_later(self: &Arc<Self>, key: Key) {
        if !lock(&self.inner).later.insert(key.clone()) {
            return;
        }
        let bus = self.clone();
        self.tasks.spawn(async move {
            tokio::time::sleep(GATHER).await;
            let is_due = lock(&bus.inner).later.remove(&key);
            if is_due {
                bus.touch(key);
            }
        });
    }

    /// Handles the acknowledgement of all batches up to this one.
    pub(crate) fn acknowledge(&self, number: u64) {
        let mut inner = lock(&self.inner);
        let sent = inner.sent;
        if let Some(subscriber) = &mut inner.subscriber
            && number > subscriber.acknowledged
        {
            subscriber.acknowledged = number.min(sent);
            subscriber.wake.notify_one();
        }
    }

    /// Ends the subscription, if there is one, and waits for its end.
    pub(crate) async fn close(&self) {
        if let Some(subscriber) = lock(&self.inner).subscriber.take() {
            subscriber.over.cancel();
        }
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Sends everything to `sink`, then every change, in a task that ends when `sink` returns `false` or another
    /// subscriber takes over.
    pub(crate) fn subscribe<S: Source>(
        self: &Arc<Self>,
        source: Arc<S>,
        sink: Box<dyn Fn(Batch) -> bool + Send + Sync>,
    ) -> JoinHandle<()> {
        let bus = self.clone();
        let wake = Arc::new(Notify::new());
        let over = CancellationToken::new();
        let number = {
            let mut inner = lock(&self.inner);
            let number = inner.sent;
            let before = inner.subscriber.replace(Subscriber {
                queue: VecDeque::new(),
                queued: HashSet::new(),
                needs_snapshot: false,
                acknowledged: number,
                wake: wake.clone(),
                over: over.clone(),
            });
            if let Some(before) = before {
                before.over.cancel();
            }
            number
        };
        self.tasks.spawn(async move {
            // Read after changes are being noted: a change meanwhile is sent again, never missed.
            let events = source.snapshot();
            if !over.is_cancelled() && sink(Batch::Snapshot { number, events }) {
                let ended = over.clone();
                tokio::select! {
                    () = bus.flush(&*source, &*sink, &wake) => {}
                    () = ended.cancelled() => return,
                }
            }
            let mut inner = lock(&bus.inner);
            if inner.current(&wake).is_some() {
                inner.subscriber = None;
            }
        })
    }

    async fn flush(
        &self,
        source: &dyn Source,
        sink: &(dyn Fn(Batch) -> bool + Send + Sync),
        wake: &Arc<Notify>,
    ) {
        let mut carried = None;
        loop {
            if !self.may_send(wake, carried.is_some()) {
                wake.notified().await;
                continue;
            }
            // A carried event is older than the snapshot, and goes before it.
            let is_snapshot = carried.is_none() && self.take_snapshot_need(wake);
            let events = match is_snapshot {
                true => source.snapshot(),
                false => self.next_events(source, wake, &mut carried),
            };
            if events.is_empty() && !is_snapshot {
                continue;
            }
            let number = {
                let mut inner = lock(&self.inner);
                if inner.current(wake).is_none() {
                    return;
                }
                inner.sent += 1;
                inner.sent
            };
            let batch = match is_snapshot {
                true => Batch::Snapshot { number, events },
                false => Batch::Events { number, events },
            };
            if !sink(batch) {
                return;
            }
            tokio::time::sleep(FRAME).await;
        }
    }

    /// Takes the events of the next batch. `carried` is an event that fits into no batch yet, and its size.
    fn next_events(
        &self,
        source: &dyn Source,
        wake: &Arc<Notify>,
        carried: &mut Option<(UiEvent, usize)>,
    ) -> Vec<UiEvent> {
        let mut events = Vec::new();
        let mut size = 0;
        loop {
            let next = match carried.take() {
                Some(next) => next,
                None => match self.pop(wake) {
                    Some(key) => match source.event(&key) {
                        Some(event) => {
                            let size = size_of(&event);
                            (event, size)
                        }
                        None => continue,
                    },
                    None => break,
                },
            };
            if !events.is_empty() && size + next.1 > BATCH {
                *carried = Some(next);
                break;
            }
            size += next.1;
            events.push(next.0);
            if size >= BATCH {
                break;
            }
        }
        events
    }

    fn may_send(&self, wake: &Arc<Notify>, carried: bool) -> bool {
        let mut inner = lock(&self.inner);
        let sent = inner.sent;
        inner.current(wake).is_some_and(|one| {
            (carried || one.needs_snapshot || !one.queue.is_empty())
                && sent - one.acknowledged < IN_FLIGHT
        })
    }

    /// Returns true if the window needs a snapshot, and takes it as sent.
    fn take_snapshot_need(&self, wake: &Arc<Notify>) -> bool {
        let mut inner = lock(&self.inner);
        let subscriber = inner.current(wake);
        subscriber.is_some_and(|one| std::mem::take(&mut one.needs_snapshot))
    }

    /// Takes the next key. Returns `None` if a snapshot comes first.
    fn pop(&self, wake: &Arc<Notify>) -> Option<Key> {
        let mut inner = lock(&self.inner);
        let subscriber = inner.current(wake).filter(|one| !one.needs_snapshot)?;
        let key = subscriber.queue.pop_front()?;
        subscriber.queued.remove(&key);
        Some(key)
    }
}

impl Subscriber {
    fn push(&mut self, key: Key) {
        if !self.queued.insert(key.clone()) {
            return;
        }
        match key {
            // The window has little time for its reply.
            Key::Closing => self.queue.push_front(key),
            Key::Explorer(_) | Key::Log(_) => self.queue.push_back(key),
        }
        if self.queue.len() == 1 {
            self.wake.notify_one();
        }
        if self.queue.len() > QUEUED {
            // A snapshot has the state of all else.
            let stays = |key: &Key| !matches!(key, Key::Explorer(_));
            self.queue.retain(stays);
            self.queued.retain(stays);
            self.needs_snapshot = true;
        }
    }
}

/// Receives the changes of the explorer.
pub(crate) struct Changes(pub(crate) Arc<Bus>);

impl Observer for Changes {
    fn changed(&self, change: Change) {
        self.0.touch(Key::Explorer(change));
    }

    fn changes_often(&self, change: Change) {
        self.0.touch_later(Key::Explorer(change));
    }
}

impl Inner {
    /// The subscriber, unless another one has replaced that of this `wake`.
    fn current(&mut self, wake: &Arc<Notify>) -> Option<&mut Subscriber> {
        let subscriber = self.subscriber.as_mut();
        subscriber.filter(|one| Arc::ptr_eq(&one.wake, wake))
    }
}

/// Estimates the size of an event as JSON, precisely enough to fill batches.
fn size_of(event: &UiEvent) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, event) {
        Ok(()) => count.0,
        Err(_) => BATCH,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::sync::mpsc;

    use sonde_explorer::notices::{Notice, NoticeLevel};

    use super::*;

    /// Test source whose things are notices with their state as title.
    #[derive(Default)]
    struct Things {
        state: AtomicU64,
        padding: usize,
    }

    impl Source for Things {
        fn snapshot(&self) -> Vec<UiEvent> {
            Vec::new()
        }
        fn event(&self, key: &Key) -> Option<UiEvent> {
            match key {
                Key::Explorer(Change::Notice(id)) => Some(UiEvent::Notice(Notice {
                    id: *id,
                    level: NoticeLevel::Info,
                    server: None,
                    code: String::new(),
                    title: self.state.load(Ordering::SeqCst).to_string(),
                    detail: Some("x".repeat(self.padding)),
                })),
                _ => None,
            }
        }
    }

    fn start(
        bus: &Arc<Bus>,
        things: &Arc<Things>,
    ) -> (mpsc::UnboundedReceiver<Batch>, tokio::task::JoinHandle<()>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let task = bus.subscribe(
            things.clone(),
            Box::new(move |batch| sender.send(batch).is_ok()),
        );
        (receiver, task)
    }

    fn numbers(batch: &Batch) -> (u64, usize) {
        match batch {
            Batch::Snapshot { number, events } | Batch::Events { number, events } => {
                (*number, events.len())
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn many_changes_of_one_thing_are_one_event_with_the_last_state() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things::default());
        let (mut batches, _task) = start(&bus, &things);
        assert!(matches!(
            batches.recv().await.unwrap(),
            Batch::Snapshot { .. }
        ));
        for state in 1..=1000 {
            things.state.store(state, Ordering::SeqCst);
            bus.touch(Key::Explorer(Change::Notice(1)));
            bus.touch(Key::Explorer(Change::Settings));
            bus.touch(Key::Explorer(Change::Notice(2)));
        }
        let Batch::Events { number: 1, events } = batches.recv().await.unwrap() else {
            panic!()
        };
        let seen: Vec<_> = events
            .iter()
            .map(|event| match event {
                UiEvent::Notice(notice) => (notice.id, notice.title.as_str()),
                _ => panic!("{event:?}"),
            })
            .collect();
        assert_eq!(seen, [(1, "1000"), (2, "1000")]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_changes_of_a_large_thing_is_a_few_events() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things::default());
        let (mut batches, _task) = start(&bus, &things);
        batches.recv().await.unwrap();
        let window = bus.clone();
        let seen = tokio::spawn(async move {
            let (mut events, mut last) = (0, String::new());
            while let Some(Batch::Events {
                number,
                events: some,
            }) = batches.recv().await
            {
                window.acknowledge(number);
                events += some.len();
                if let Some(UiEvent::Notice(notice)) = some.into_iter().last() {
                    last = notice.title;
                }
            }
            (events, last)
        });
        for state in 1..=1_000 {
            things.state.store(state, Ordering::SeqCst);
            bus.touch_later(Key::Explorer(Change::Notice(1)));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(GATHER * 2).await;
        bus.close().await;
        let (events, last) = seen.await.unwrap();
        assert_eq!(last, "1000", "the last state arrives");
        assert!((2..=10).contains(&events), "{events} events");
    }

    #[tokio::test(start_paused = true)]
    async fn a_gathered_change_that_is_sent_at_once_is_not_sent_again() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things::default());
        let (mut batches, _task) = start(&bus, &things);
        batches.recv().await.unwrap();
        bus.touch_later(Key::Explorer(Change::Notice(1)));
        bus.touch(Key::Explorer(Change::Notice(1)));
        assert_eq!(numbers(&batches.recv().await.unwrap()), (1, 1));
        tokio::time::sleep(GATHER * 2).await;
        assert!(batches.try_recv().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn batches_are_small_spaced_and_wait_for_the_window() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things {
            padding: 3_000,
            ..Things::default()
        });
        let (mut batches, _task) = start(&bus, &things);
        batches.recv().await.unwrap();
        let begin = tokio::time::Instant::now();
        for id in 0..100 {
            bus.touch(Key::Explorer(Change::Notice(id)));
        }
        for number in 1..=4 {
            assert_eq!(numbers(&batches.recv().await.unwrap()), (number, 2));
        }
        assert!(begin.elapsed() >= FRAME * 3);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert!(batches.try_recv().is_err(), "four batches are in flight");
        bus.acknowledge(2);
        assert_eq!(numbers(&batches.recv().await.unwrap()).0, 5);
        assert_eq!(numbers(&batches.recv().await.unwrap()).0, 6);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert!(batches.try_recv().is_err());
        for number in 7..=50 {
            bus.acknowledge(number - 1);
            assert_eq!(numbers(&batches.recv().await.unwrap()), (number, 2));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_too_far_behind_gets_a_snapshot_and_can_still_be_closed() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things::default());
        let (mut batches, _task) = start(&bus, &things);
        batches.recv().await.unwrap();
        for id in 1..=IN_FLIGHT {
            bus.touch(Key::Explorer(Change::Notice(id)));
            batches.recv().await.unwrap();
        }
        bus.touch(Key::Log(1));
        for id in 0..QUEUED as u64 {
            bus.touch(Key::Explorer(Change::Notice(id)));
        }
        bus.touch(Key::Closing);
        let queue = lock(&bus.inner).subscriber.as_ref().unwrap().queue.clone();
        assert_eq!(queue, [Key::Closing, Key::Log(1)]);
        bus.acknowledge(IN_FLIGHT);
        assert!(matches!(
            batches.recv().await.unwrap(),
            Batch::Snapshot { number: 5, .. }
        ));
        bus.touch(Key::Explorer(Change::Notice(1)));
        assert_eq!(numbers(&batches.recv().await.unwrap()), (6, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_event_travels_alone() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things {
            padding: 20_000,
            ..Things::default()
        });
        let (mut batches, _task) = start(&bus, &things);
        batches.recv().await.unwrap();
        bus.touch(Key::Explorer(Change::Notice(1)));
        bus.touch(Key::Explorer(Change::Notice(2)));
        assert_eq!(numbers(&batches.recv().await.unwrap()), (1, 1));
        assert_eq!(numbers(&batches.recv().await.unwrap()), (2, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_reload_replaces_the_subscriber_and_numbers_go_on() {
        let bus = Arc::new(Bus::default());
        let things = Arc::new(Things::default());
        let (mut first, first_task) = start(&bus, &things);
        first.recv().await.unwrap();
        bus.touch(Key::Explorer(Change::Notice(1)));
        assert_eq!(numbers(&first.recv().await.unwrap()).0, 1);

        let (mut second, second_task) = start(&bus, &things);
        assert_eq!(numbers(&second.recv().await.unwrap()), (1, 0));
        first_task.await.unwrap();
        bus.acknowledge(99);
        for number in 2..=5 {
            bus.touch(Key::Explorer(Change::Notice(1)));
            assert_eq!(numbers(&second.recv().await.unwrap()).0, number);
        }
        drop(second);
        bus.acknowledge(5);
        bus.touch(Key::Explorer(Change::Notice(1)));
        second_task.await.unwrap();
        bus.touch(Key::Explorer(Change::Notice(1)));
        assert!(lock(&bus.inner).subscriber.is_none());
    }
}
