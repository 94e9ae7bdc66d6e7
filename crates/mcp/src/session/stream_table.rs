//! Table of a session's streams, with their exchanges and states.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};

use sonde_wire::ExchangeId;
use tokio::time::Instant;

use crate::{StreamId, StreamKind, limits::EVENT_ID};

/// Number of event ids of a stream that are remembered, to recognise repeated deliveries.
const SEEN: usize = 256;

/// Number of streams that a session keeps at once. Above it, streams that break are lost.
const LIVE: usize = 256;

/// The state of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamState {
    /// A response that has not been interrupted: not reported.
    Quiet,
    /// Its request is on its way.
    Opening,
    /// Open.
    Open,
    /// Broken; an attempt is announced.
    Waiting,
    /// The attempt is on its way.
    Resuming,
    /// Over. Only a listener or subscription is kept then: the user may want another try.
    Over,
}

/// One stream.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) kind: StreamKind,
    /// The request whose response it carries, for the stream of a response.
    pub(super) request: Option<u64>,
    /// Exchange that carries it at present.
    pub(super) exchange: Option<ExchangeId>,
    pub(super) state: StreamState,
    pub(super) last_event_id: Option<Arc<str>>,
    /// Delay requested by the server, in milliseconds.
    pub(super) retry: Option<u64>,
    /// Attempts in a row without a delivery, and without a stream that stayed open.
    pub(super) attempt: u32,
    /// Time of its last opening; `None` if it was never open.
    pub(super) opened_at: Option<Instant>,
    /// Resumed at least once: its events may be repetitions.
    pub(super) resumed: bool,
    /// An odd status of the response that should have opened it.
    pub(super) status: Option<u16>,
    /// Message in the body of that response, if it rejects the session.
    pub(super) session_rejection: Option<String>,
    seen: VecDeque<Arc<str>>,
}

impl Stream {
    pub(super) fn new(kind: StreamKind, state: StreamState) -> Self {
        Stream {
            kind,
            request: None,
            exchange: None,
            state,
            last_event_id: None,
            retry: None,
            attempt: 0,
            opened_at: (state != StreamState::Opening).then(Instant::now),
            resumed: false,
            status: None,
            session_rejection: None,
            seen: VecDeque::new(),
        }
    }

    /// Carries messages that the server sends on its own.
    pub(super) fn is_background(&self) -> bool {
        !matches!(self.kind, StreamKind::Response { .. })
    }

    /// An exchange that should open it is on its way.
    pub(super) fn is_attempted(&self) -> bool {
        matches!(self.state, StreamState::Opening | StreamState::Resuming)
    }

    /// Handles an event id; false if it occurred before on this stream.
    ///
    /// An empty id takes the last one back (HTML, Server-sent events), and so does an id that is too long
    /// to be sent in a header.
    pub(super) fn take_id(&mut self, id: &Arc<str>) -> bool {
        if id.is_empty() || id.len() > EVENT_ID {
            self.last_event_id = None;
            return true;
        }
        self.last_event_id = Some(Arc::clone(id));
        if self.seen.contains(id) {
            return false;
        }
        if self.seen.len() == SEEN {
            self.seen.pop_front();
        }
        self.seen.push_back(Arc::clone(id));
        true
    }
}

/// All streams of a session.
#[derive(Debug, Default)]
pub(super) struct StreamTable {
    all: BTreeMap<StreamId, Stream>,
    carried: HashMap<ExchangeId, StreamId>,
    last: u64,
}

impl StreamTable {
    /// Takes a new stream in. `None` when there are too many.
    pub(super) fn add(&mut self, stream: Stream) -> Option<StreamId> {
        if self.all.len() >= LIVE {
            return None;
        }
        self.last += 1;
        let id = StreamId(self.last);
        if let Some(exchange) = stream.exchange {
            self.carried.insert(exchange, id);
        }
        self.all.insert(id, stream);
        Some(id)
    }

    pub(super) fn get(&self, id: StreamId) -> Option<&Stream> {
        self.all.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: StreamId) -> Option<&mut Stream> {
        self.all.get_mut(&id)
    }

    /// The stream that an exchange carries.
    pub(super) fn on(&self, exchange: ExchangeId) -> Option<StreamId> {
        self.carried.get(&exchange).copied()
    }

    /// The stream of a request's response.
    pub(super) fn of_request(&self, request: u64) -> Option<StreamId> {
        self.all
            .iter()
            .find(|(_, stream)| stream.request == Some(request))
            .map(|(id, _)| *id)
    }

    /// The listener or subscription, if there is one.
    pub(super) fn background(&self) -> Option<StreamId> {
        self.all
            .iter()
            .rev()
            .find(|(_, stream)| stream.is_background())
            .map(|(id, _)| *id)
    }

    /// Sets the exchange that carries the stream; returns the previous one.
    pub(super) fn carry(
        &mut self,
        id: StreamId,
        exchange: Option<ExchangeId>,
    ) -> Option<ExchangeId> {
        let stream = self.all.get_mut(&id)?;
        let before = std::mem::replace(&mut stream.exchange, exchange);
        if let Some(before) = before {
            self.carried.remove(&before);
        }
        if let Some(exchange) = exchange {
            self.carried.insert(exchange, id);
        }
        before
    }

    pub(super) fn remove(&mut self, id: StreamId) -> Option<Stream> {
        let stream = self.all.remove(&id)?;
        if let Some(exchange) = stream.exchange {
            self.carried.remove(&exchange);
        }
        Some(stream)
    }

    pub(super) fn ids(&self) -> Vec<StreamId> {
        self.all.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_come_twice_are_recognised_and_the_memory_is_bounded() {
        let mut stream = Stream::new(StreamKind::Listener, StreamState::Open);
        assert!(stream.take_id(&"a".into()));
        assert!(!stream.take_id(&"a".into()));
        assert!(stream.take_id(&"".into()), "an empty id is no id");
        stream.take_id(&"b".into());
        let long: Arc<str> = "x".repeat(EVENT_ID + 1).into();
        assert!(stream.take_id(&long) && stream.take_id(&long));
        assert_eq!(stream.last_event_id, None);
        for number in 0..SEEN {
            assert!(stream.take_id(&number.to_string().into()));
        }
        assert!(stream.take_id(&"a".into()), "long forgotten");
        assert_eq!(stream.seen.len(), SEEN);
    }

    #[test]
    fn a_stream_is_found_by_what_carries_it() {
        let mut streams = StreamTable::default();
        let id = streams
            .add(Stream::new(StreamKind::Listener, StreamState::Opening))
            .unwrap();
        assert_eq!(streams.carry(id, Some(ExchangeId(1))), None);
        assert_eq!(streams.on(ExchangeId(1)), Some(id));
        assert_eq!(streams.carry(id, Some(ExchangeId(2))), Some(ExchangeId(1)));
        assert_eq!(streams.on(ExchangeId(1)), None);
        assert_eq!(streams.background(), Some(id));
        streams.remove(id);
        assert_eq!(streams.on(ExchangeId(2)), None);
        for _ in 0..LIVE {
            streams
                .add(Stream::new(StreamKind::Listener, StreamState::Open))
                .unwrap();
        }
        assert_eq!(
            streams.add(Stream::new(StreamKind::Listener, StreamState::Open)),
            None
        );
    }
}
