//! One view of a log: the entries that it shows, by index.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::filter::{Filter, Match, Searched};
use super::signal::{Attached, Dirty, Signal};
use super::summary::Unread;
use super::{LogFilter, LogRow, LogViewState, Summarize, WireLog, show};

/// Limit of the entries matched in one step.
const CHUNK: usize = 4096;
/// Limit in bytes of the bodies searched in one step.
const CHUNK_BYTES: usize = 1 << 20;
/// Steps done while the state is read; the rest is done in the background.
const CHUNKS_AT_ONCE: usize = 2;
/// Limit of the rows in one response.
const MAX_ROWS: u64 = 1000;
/// Number of past epochs whose indexes are still understood.
const MAX_EPOCHS: usize = 64;

/// A view. Entries are matched when the state is read, not when they are recorded.
pub(super) struct View {
    id: u64,
    pub(super) log: Arc<WireLog>,
    signal: Arc<Signal>,
    summarize: Summarize,
    /// Locked before the log, never after it.
    state: Mutex<State>,
}

struct State {
    filter: Arc<Filter>,
    /// Number of filters so far: a search for an older filter stops.
    version: u64,
    epoch: u32,
    /// Entries that match, in order. Not used while every entry matches.
    matched: VecDeque<u64>,
    /// Oldest entry when the filter was set.
    origin: u64,
    /// Rows that were dropped from the front since the filter was set.
    popped: u64,
    /// Number of rows reported to the window.
    published: u64,
    /// Reported rows moved other than by dropping from the front.
    disturbed: bool,
    /// Epochs that differ only in the dropped rows, with `popped` of each.
    history: VecDeque<(u32, u64)>,
    /// A search runs in the background.
    searching: bool,
    /// Groups whose entries all have rows of their own.
    opened: HashSet<u64>,
    /// Number of states so far that changed rows reported before.
    changes: u32,
}

/// Entries copied from the log for matching.
enum Chunk {
    Nothing,
    /// All entries must be matched again.
    StartOver,
    Entries(Vec<(u64, Match)>),
}

impl View {
    pub(super) fn new(
        id: u64,
        log: &Arc<WireLog>,
        dirty: Dirty,
        summarize: Summarize,
    ) -> Arc<Self> {
        let signal = Arc::new(Signal::new(id, dirty));
        log.lock().views.push(Attached::new(id, signal.clone()));
        Arc::new(Self {
            id,
            log: log.clone(),
            signal,
            summarize,
            state: Mutex::new(State {
                filter: Arc::new(Filter::new(LogFilter::default(), summarize)),
                version: 0,
                epoch: 0,
                matched: VecDeque::new(),
                origin: 0,
                popped: 0,
                published: 0,
                disturbed: false,
                history: VecDeque::new(),
                searching: false,
                opened: HashSet::new(),
                changes: 0,
            }),
        })
    }

    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.version += 1;
        let id = self.id;
        self.log.lock().views.retain(|view| view.view != id);
    }

    pub(super) fn set_filter(self: &Arc<Self>, wanted: LogFilter) -> LogViewState {
        let mut state = self.lock();
        state.filter = Arc::new(Filter::new(wanted, self.summarize));
        state.version += 1;
        state.matched = VecDeque::new();
        state.popped = 0;
        state.published = 0;
        state.disturbed = true;
        state.searching = false;
        {
            let mut log = self.log.lock();
            let first = log.ring.first();
            state.origin = first;
            let unfiltered = state.filter.is_empty();
            if let Some(attached) = log.views.iter_mut().find(|view| view.view == self.id) {
                attached.restart(unfiltered, first);
            }
        }
        self.publish(state)
    }

    /// Shows every entry of the group of this entry, or one row for them.
    pub(super) fn open_group(self: &Arc<Self>, seq: u64, open: bool) -> LogViewState {
        let mut state = self.lock();
        if let Some(id) = self.touch_group(seq) {
            if open {
                state.opened.insert(id);
            } else {
                state.opened.remove(&id);
            }
        }
        self.publish(state)
    }

    /// Makes the entries of a group match again; returns the group.
    fn touch_group(&self, seq: u64) -> Option<u64> {
        let mut log = self.log.lock();
        let log = &mut *log;
        let entry = log.ring.get(seq).ok()?;
        let (id, group) = entry.group.zip(log.ring.group(entry))?;
        let attached = log.views.iter_mut().find(|view| view.view == self.id)?;
        for seq in id.max(log.ring.first())..=group.last {
            if log.ring.get(seq).is_ok_and(|entry| entry.group == Some(id)) {
                attached.touch(seq);
            }
        }
        Some(id)
    }

    pub(super) fn state(self: &Arc<Self>) -> LogViewState {
        self.publish(self.lock())
    }

    /// Matches new entries and returns the state of the view.
    fn publish(self: &Arc<Self>, mut state: MutexGuard<'_, State>) -> LogViewState {
        self.signal.lower();
        if !state.searching {
            let background = tokio::runtime::Handle::try_current().ok();
            let mut goes = 0;
            while self.advance(&mut state) {
                goes += 1;
                if let Some(runtime) = &background
                    && goes >= CHUNKS_AT_ONCE
                {
                    state.searching = true;
                    let (view, version) = (self.clone(), state.version);
                    // The task ends when all is searched, the filter changes or the view closes.
                    runtime.spawn_blocking(move || view.search(version));
                    break;
                }
            }
        }
        let mut log = self.log.lock();
        let (first, next) = (log.ring.first(), log.ring.next());
        let mine = log.views.iter_mut().find(|view| view.view == self.id);
        let changed = mine.and_then(Attached::take_changed);
        let before = state.popped;
        if first < state.origin {
            // Entries older than the view were restored.
            state.origin = first;
            state.disturbed = true;
        }
        let rows = if state.filter.is_empty() {
            state.popped = first - state.origin;
            next - first
        } else {
            while state.matched.front().is_some_and(|seq| *seq < first) {
                state.matched.pop_front();
                state.popped += 1;
            }
            state.matched.len() as u64
        };
        if state.disturbed {
            state.disturbed = false;
            state.history.clear();
        }
        if state.history.is_empty() || state.popped != before {
            state.epoch = state.epoch.wrapping_add(1);
            let now = (state.epoch, state.popped);
            state.history.push_back(now);
            if state.history.len() > MAX_EPOCHS {
                state.history.pop_front();
            }
        }
        let changed_from = changed.map_or(rows, |seq| match state.filter.is_empty() {
            true => seq.saturating_sub(first),
            false => state.matched.partition_point(|known| *known < seq) as u64,
        });
        if changed_from < state.published {
            state.changes = state.changes.wrapping_add(1);
        }
        state.published = rows;
        let limits = log.ring.limits();
        LogViewState {
            view: self.id,
            epoch: state.epoch,
            rows,
            gone: state.popped,
            changes: state.changes,
            changed_from,
            total: next - first,
            last: next - 1,
            bytes: log.ring.bytes(),
            dropped: log.ring.dropped(),
            max_rows: limits.entries,
            max_bytes: limits.bytes,
            max_bytes_of_all: self.log.budget(),
            searching: state.searching,
            methods: log.ring.methods(),
            levels: log.ring.tally.levels(),
            loggers: log.ring.tally.loggers(),
        }
    }

    /// Matches one chunk; false if there was nothing to match.
    fn advance(&self, state: &mut State) -> bool {
        match self.chunk(&state.filter, &state.opened) {
            Chunk::Nothing => false,
            Chunk::StartOver => {
                state.start_over();
                true
            }
            Chunk::Entries(entries) => {
                let filter = state.filter.clone();
                for (seq, matched) in entries {
                    state.apply(seq, passes(&filter, &matched));
                }
                true
            }
        }
    }

    /// Matches the remaining entries, chunk by chunk, without holding a lock while searching.
    fn search(&self, version: u64) {
        loop {
            let (filter, chunk) = {
                let mut state = self.lock();
                if state.version != version {
                    return;
                }
                let filter = state.filter.clone();
                let chunk = self.chunk(&filter, &state.opened);
                match chunk {
                    Chunk::Nothing => state.searching = false,
                    Chunk::StartOver => state.start_over(),
                    Chunk::Entries(_) => {}
                }
                (filter, chunk)
            };
            match chunk {
                Chunk::Nothing => break,
                Chunk::StartOver => {}
                Chunk::Entries(entries) => {
                    let judged: Vec<(u64, bool)> = entries
                        .iter()
                        .map(|(seq, matched)| (*seq, passes(&filter, matched)))
                        .collect();
                    let mut state = self.lock();
                    if state.version != version {
                        return;
                    }
                    for (seq, passes) in judged {
                        state.apply(seq, passes);
                    }
                }
            }
            self.report_change();
        }
        self.report_change();
    }

    fn report_change(&self) {
        if self.signal.raise() {
            self.signal.call();
        }
    }

    /// Takes the next entries to match: first changed ones, then new ones.
    fn chunk(&self, filter: &Filter, opened: &HashSet<u64>) -> Chunk {
        let mut log = self.log.lock();
        let log = &mut *log;
        let next = log.ring.next();
        let Some(attached) = log.views.iter_mut().find(|view| view.view == self.id) else {
            return Chunk::Nothing;
        };
        if !attached.is_behind(next) {
            return Chunk::Nothing;
        }
        let Some(touched) = attached.take_touched(CHUNK) else {
            attached.restart(false, log.ring.first());
            return Chunk::StartOver;
        };
        let mut bytes = 0;
        let mut entries = Vec::new();
        let is_grouped = filter.is_grouped();
        let mut judge = |seq: u64| {
            if let Ok(entry) = log.ring.get(seq) {
                let is_open = entry.group.is_some_and(|group| opened.contains(&group));
                let matched = match is_grouped && !is_open && log.ring.is_led(seq, entry) {
                    true => Match::No,
                    false => filter.test(entry, log.ring.muted()),
                };
                if let Match::Search(searched) = &matched {
                    bytes += Searched::bytes(searched);
                }
                entries.push((seq, matched));
            }
            bytes < CHUNK_BYTES
        };
        for seq in touched {
            judge(seq);
        }
        let mut seq = attached.scanned.max(log.ring.first());
        let end = next.min(seq + CHUNK as u64);
        while seq < end {
            seq += 1;
            if !judge(seq - 1) {
                break;
            }
        }
        attached.scanned = seq;
        Chunk::Entries(entries)
    }

    /// Returns rows by index, as the window counted them in this epoch; none if the epoch is too old.
    pub(super) fn rows(&self, epoch: u32, from: u64, count: u32) -> Vec<LogRow> {
        let state = self.lock();
        let Some((_, popped)) = state
            .history
            .iter()
            .rev()
            .find(|(known, _)| *known == epoch)
        else {
            return Vec::new();
        };
        let log = self.log.lock();
        let (first, next) = (log.ring.first(), log.ring.next());
        let all = if state.filter.is_empty() {
            next - state.origin
        } else {
            state.popped + state.matched.len() as u64
        };
        // Indexes count from the first row at the time when the filter was set.
        let start = popped.saturating_add(from);
        let end = start
            .saturating_add(u64::from(count).min(MAX_ROWS))
            .min(all);
        let is_grouped = state.filter.is_grouped();
        let rows: Vec<(LogRow, Unread)> = (start..end)
            .map(|row| {
                let seq = if state.filter.is_empty() {
                    state.origin + row
                } else {
                    row.checked_sub(state.popped)
                        .and_then(|index| state.matched.get(usize::try_from(index).ok()?))
                        .copied()
                        .unwrap_or_default()
                };
                match log.ring.get(seq) {
                    Ok(entry) if seq >= first => {
                        let (row, says) = match is_grouped {
                            true => show::grouped_row(&log.ring, seq, entry, &state.opened),
                            false => (show::row(&log.ring, seq, entry), entry),
                        };
                        (row, Unread::of(says))
                    }
                    _ => (show::dropped_row(seq), Unread::Nothing),
                }
            })
            .collect();
        drop((log, state));
        rows.into_iter()
            .map(|(mut row, unread)| {
                unread.read_into(&mut row, self.summarize);
                row
            })
            .collect()
    }

    /// Returns the index of an entry, or of the next one that is shown.
    pub(super) fn index(&self, seq: u64) -> Option<u64> {
        let state = self.lock();
        if state.filter.is_empty() {
            let log = self.log.lock();
            let seq = seq.max(log.ring.first());
            let base = state.origin + state.popped;
            return (seq < log.ring.next()).then(|| seq.saturating_sub(base));
        }
        let index = state.matched.partition_point(|known| *known < seq);
        (index < state.matched.len()).then_some(index as u64)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn start_over(&mut self) {
        self.matched.clear();
        self.disturbed = true;
    }

    /// Inserts an entry at its place, or removes it.
    fn apply(&mut self, seq: u64, passes: bool) {
        if self.matched.back().is_none_or(|last| *last < seq) {
            if passes {
                self.matched.push_back(seq);
            }
            return;
        }
        let place = match (self.matched.binary_search(&seq), passes) {
            (Ok(place), false) => {
                self.matched.remove(place);
                place
            }
            (Err(place), true) => {
                self.matched.insert(place, seq);
                place
            }
            _ => return,
        };
        self.disturbed |= (place as u64) < self.published;
    }
}

fn passes(filter: &Filter, matched: &Match) -> bool {
    match matched {
        Match::Yes => true,
        Match::No => false,
        Match::Search(searched) => filter.finds(searched),
    }
}
