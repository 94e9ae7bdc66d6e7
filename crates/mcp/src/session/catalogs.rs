//! Reading the catalogs of a server: of each kind never more than one reading at a time.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause};
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::{Alarm, later},
    effect::Effect,
    purpose::Purpose,
    response::Response,
};
use crate::{
    CatalogEvent, CatalogItems, CatalogKind, Event, ListDiff, Listing, Revision,
    catalog::{NextPage, Pages},
    members::{has_true, member},
    protocol::page_params,
    text::brief,
};

/// Pause between the first announcement of a change and reading the catalog: servers that change
/// ten tools announce ten changes. Later announcements do not prolong it, or a chatty server would
/// keep its catalog from ever being read.
const CHANGE_PAUSE: Duration = Duration::from_millis(100);

/// A change that is announced so soon after a reading may have been caused by it. Then the pause
/// doubles each time, up to the longest.
const SOON: Duration = Duration::from_secs(1);
const LONGEST_CHANGE_PAUSE: Duration = Duration::from_secs(30);

/// Pause from which on the log and the list explain it.
const REMARKABLE: Duration = Duration::from_millis(1_600);

/// Time after which the pages read so far are reported, for each started [`PART_ITEMS`] of them: a report takes time in
/// proportion to its items.
const PART_INTERVAL: Duration = Duration::from_millis(500);
const PART_ITEMS: usize = 5_000;

/// The state of one catalog.
#[derive(Debug, Default)]
struct Catalog {
    kind: CatalogKind,
    /// Read whenever the session opens, and again after each change: the tools from the start, others once the user
    /// has requested them.
    is_followed: bool,
    reading: Option<Reading>,
    /// Requested during a reading: another one follows.
    again: Option<Cause>,
    known: Option<Arc<CatalogItems>>,
    /// The known items are complete: an item that is new in the next reading did not exist before.
    is_whole: bool,
    /// End of the last reading, and its duration.
    finished: Option<(Instant, Duration)>,
    /// The last pause.
    pause: Duration,
    /// The server has announced a change since the last reading began.
    announced: bool,
}

/// A reading under way.
#[derive(Debug)]
struct Reading {
    pages: Pages,
    /// Cause of the reading.
    cause: Cause,
    began: Instant,
    /// Time from which on the pages read so far are reported.
    part_due: Instant,
    /// Id of the request for the next page.
    request: Option<u64>,
}

/// The catalogs of a session.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    all: BTreeMap<CatalogKind, Catalog>,
}

impl Catalogs {
    fn get(&mut self, kind: CatalogKind) -> &mut Catalog {
        self.all.entry(kind).or_insert_with(|| Catalog::new(kind))
    }

    /// Starts a reading, or another one after the reading under way.
    pub(super) fn refresh(&mut self, ctx: &mut Context, kind: CatalogKind, cause: Cause) {
        self.get(kind).refresh(ctx, cause);
    }

    /// Reads those of the declared catalogs that are followed.
    pub(super) fn begin(&mut self, ctx: &mut Context, declared: &BTreeSet<CatalogKind>) {
        for kind in declared {
            let catalog = self.get(*kind);
            if catalog.is_followed {
                catalog.refresh(ctx, Cause::Lifecycle);
            }
        }
    }

    /// Stops following a catalog until the user requests it again.
    pub(super) fn unfollow(&mut self, kind: CatalogKind) {
        self.get(kind).is_followed = false;
    }

    /// Handles the announcement of a change.
    pub(super) fn changed(&mut self, ctx: &mut Context, kind: CatalogKind) {
        let catalog = self.get(kind);
        if catalog.is_followed {
            catalog.changed(ctx);
        }
    }

    /// Handles a page, or its loss.
    pub(super) fn page_arrived(
        &mut self,
        ctx: &mut Context,
        kind: CatalogKind,
        response: &Response<'_>,
    ) -> Option<Effect> {
        self.get(kind).page_arrived(ctx, response)
    }

    /// The user stopped the reading. Changes announced meanwhile are not read either.
    pub(super) fn stopped(&mut self, ctx: &mut Context, kind: CatalogKind) -> Option<Effect> {
        let catalog = self.get(kind);
        catalog.again = None;
        let message = format!("You stopped the reading of the {}.", kind.noun());
        catalog.failed(ctx, message)
    }

    /// Returns the id of the request for the next page.
    pub(super) fn page_asked(&self, kind: CatalogKind) -> Option<u64> {
        self.all.get(&kind)?.reading.as_ref()?.request
    }

    /// Stops following announced changes: the session ends, or is restarted.
    pub(super) fn stop_following(&mut self, ctx: &mut Context) {
        for kind in self.all.keys() {
            ctx.deadlines.disarm(Alarm::RefreshCatalog(*kind));
        }
    }

    /// Drops the readings under way: the session is restarted.
    pub(super) fn forget_reading(&mut self) {
        for catalog in self.all.values_mut() {
            catalog.reading = None;
            catalog.again = None;
        }
    }
}

/// Returns true if the server must announce changes of a list and the announcement cannot get lost. Over
/// HTTP it may have no stream for it.
fn promises_changes(ctx: &Context, kind: CatalogKind) -> bool {
    let capability = match kind {
        CatalogKind::Tools => "tools",
        CatalogKind::Prompts => "prompts",
        CatalogKind::Resources => "resources",
        CatalogKind::ResourceTemplates | CatalogKind::Skills => return false,
    };
    ctx.carrier == Carrier::Pipe
        && ctx.protocol.handshake().is_some()
        && has_true(member(ctx.declared.as_deref(), capability), "listChanged")
}

/// Returns the finding for an unannounced change. Changed values in an item's definition, for example the time of a
/// resource, do not count as a change of the list.
fn unannounced(diff: &ListDiff) -> Option<Finding> {
    let (sort, key) = [("new", diff.added.first()), ("gone", diff.removed.first())]
        .into_iter()
        .find_map(|(sort, key)| Some((sort, key?)))?;
    let what = format!("{sort}: `{}`", brief(key));
    Some(Finding::new(&rules::UNANNOUNCED_CHANGE).with("what", what))
}

impl Reading {
    /// Returns the pages read so far, if a report is due.
    fn part(&mut self) -> Option<Listing> {
        let now = Instant::now();
        if now < self.part_due {
            return None;
        }
        let times = u32::try_from(1 + self.pages.count() / PART_ITEMS).unwrap_or(u32::MAX);
        self.part_due = later(now, PART_INTERVAL.saturating_mul(times));
        Some(self.pages.part())
    }
}

impl Catalog {
    fn new(kind: CatalogKind) -> Self {
        Catalog {
            kind,
            is_followed: kind == CatalogKind::Tools,
            ..Catalog::default()
        }
    }

    fn refresh(&mut self, ctx: &mut Context, cause: Cause) {
        if !ctx.is_ready() {
            return;
        }
        self.is_followed = true;
        if self.reading.is_some() {
            self.again = Some(cause);
            return;
        }
        // This reading covers all earlier announcements.
        ctx.deadlines.disarm(Alarm::RefreshCatalog(self.kind));
        let revision = ctx
            .protocol
            .revision()
            .unwrap_or(Revision::NEWEST_HANDSHAKE);
        let pages = Pages::new(self.kind, revision, &ctx.options.catalogs);
        let began = Instant::now();
        self.reading = Some(Reading {
            pages,
            cause,
            began,
            part_due: later(began, PART_INTERVAL),
            request: None,
        });
        self.report(ctx, CatalogEvent::Loading);
        self.ask_page(ctx, None);
    }

    fn ask_page(&mut self, ctx: &mut Context, cursor: Option<&str>) {
        let Some(reading) = &mut self.reading else {
            return;
        };
        let params = page_params(cursor);
        let purpose = Purpose::ListCatalog(self.kind);
        let id = ctx.ask(
            purpose,
            self.kind.method(),
            params.as_deref(),
            reading.cause,
        );
        reading.request = Some(id);
    }

    fn changed(&mut self, ctx: &mut Context) {
        self.announced = true;
        let alarm = Alarm::RefreshCatalog(self.kind);
        if !ctx.is_ready() {
            return;
        }
        if self.reading.is_some() {
            // A reading that was requested follows at once and covers the change.
            self.again.get_or_insert(Cause::ListChanged);
        } else if !ctx.deadlines.is_armed(alarm) {
            let now = Instant::now();
            let (before, pause) = (self.pause, self.next_pause(now));
            ctx.deadlines.arm(alarm, later(now, pause));
            if pause >= REMARKABLE && before < REMARKABLE {
                ctx.note(
                    format!(
                        "The server reports a list change after every `{}`. Sonde now refreshes \
                         the {} less often.",
                        self.kind.method(),
                        self.kind.noun()
                    ),
                    Cause::ListChanged,
                    None,
                );
            }
        }
    }

    /// Returns the pause before the next reading, by how soon after the last reading a change is announced.
    /// Reading takes at most half of the time, even if a list is slow to read.
    fn next_pause(&mut self, now: Instant) -> Duration {
        let (soon, took) = match self.finished {
            Some((at, took)) => (now - at < SOON.max(took), took),
            None => (false, Duration::ZERO),
        };
        let pause = if soon { self.pause * 2 } else { CHANGE_PAUSE };
        self.pause = pause.max(took).clamp(CHANGE_PAUSE, LONGEST_CHANGE_PAUSE);
        self.pause
    }

    fn page_arrived(&mut self, ctx: &mut Context, response: &Response<'_>) -> Option<Effect> {
        let reading = self.reading.as_mut()?;
        let Response::Result(result) = response else {
            let message = self.sentence(&response.problem());
            return self.failed(ctx, message);
        };
        match reading.pages.add(result) {
            Err(message) => self.failed(ctx, message),
            // A part of the list must not pass for the whole.
            Ok(NextPage::Cursor(_)) if !ctx.is_ready() => {
                let message = self.sentence("the session is closing");
                self.failed(ctx, message)
            }
            Ok(NextPage::Cursor(cursor)) => {
                let part = reading.part();
                self.ask_page(ctx, Some(&cursor));
                if let Some(part) = part {
                    self.report(ctx, CatalogEvent::Part(part));
                }
                None
            }
            Ok(NextPage::Done) => {
                self.listed(ctx, None);
                self.read_again(ctx)
            }
        }
    }

    /// Ends the reading without its next page, which could not be read; the earlier pages are kept.
    fn failed(&mut self, ctx: &mut Context, message: String) -> Option<Effect> {
        match &self.reading {
            Some(reading) if !reading.pages.is_empty() => self.listed(ctx, Some(message)),
            _ => self.report(ctx, CatalogEvent::Failed { message }),
        }
        if let Some(reading) = self.reading.take() {
            self.finished = Some((Instant::now(), reading.began.elapsed()));
        }
        self.read_again(ctx)
    }

    fn listed(&mut self, ctx: &mut Context, error: Option<String>) {
        let Some(reading) = self.reading.take() else {
            return;
        };
        self.finished = Some((Instant::now(), reading.began.elapsed()));
        let before = self.known.as_ref();
        let mut listing = reading.pages.finish(before.map(|known| &known[..]), error);
        if self.pause >= REMARKABLE {
            let often = Finding::new(&rules::LIST_CHANGES_TOO_OFTEN);
            listing
                .findings
                .insert(0, often.with("seconds", self.pause.as_secs()));
        }
        let announced = self.announced;
        // The next reading, if one follows, covers changes that were announced meanwhile.
        self.announced &= self.again.is_some();
        let compares = self.is_whole && listing.is_whole && !announced;
        if compares && promises_changes(ctx, self.kind) {
            let unannounced = listing.diff.as_ref().and_then(unannounced);
            listing.findings.extend(unannounced);
        }
        self.is_whole = listing.is_whole;
        self.known = Some(listing.known_items(before));
        if self.kind == CatalogKind::Tools {
            ctx.tools.clone_from(&self.known);
        }
        self.report(ctx, CatalogEvent::Listed(listing));
    }

    fn read_again(&mut self, ctx: &mut Context) -> Option<Effect> {
        match self.again.take() {
            Some(Cause::ListChanged) => self.changed(ctx),
            Some(cause) => {
                self.refresh(ctx, cause);
                return None;
            }
            None => {}
        }
        Some(Effect::CatalogSettled(self.kind))
    }

    fn sentence(&self, problem: &str) -> String {
        format!("The {} could not be listed: {problem}.", self.kind.noun())
    }

    fn report(&self, ctx: &mut Context, event: CatalogEvent) {
        ctx.report(Event::Catalog {
            kind: self.kind,
            event,
        });
    }
}
