//! Reading the tool list, seen from the actor: never more than one reading at a time.

use std::sync::Arc;

use sonde_wire::Cause;
use tokio::time::{Duration, Instant};

use super::{
    actor::Actor,
    calls::{Answer, sentence},
    deadlines::{Alarm, later},
    listing::{Next, Pages},
    pending::Purpose,
    stage::Stage,
};
use crate::{
    Event, Tool,
    protocol::{Request, page_params},
};

/// Pause between the first announcement of a change and reading the list: servers that change ten
/// tools announce ten changes. Later announcements do not prolong it, or a chatty server would
/// keep its list from ever being read.
const PAUSE: Duration = Duration::from_millis(100);

/// A change that is announced so soon after a reading may have been caused by it. Then the pause
/// doubles each time, up to the longest.
const SOON: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// From this pause on the log says what goes on.
const REMARKABLE: Duration = Duration::from_millis(1_600);

/// The state of the list.
#[derive(Debug, Default)]
pub(super) struct Lists {
    reading: Option<Pages>,
    /// Why the reading under way was started.
    cause: Option<Cause>,
    /// Asked for while a reading was under way: read once more afterwards.
    again: Option<Cause>,
    known: Option<Arc<Vec<Tool>>>,
    /// When the last reading ended.
    finished: Option<Instant>,
    /// The last pause.
    pause: Duration,
}

impl Lists {
    /// The pause before the next reading, by how soon after the last one a change is announced.
    fn next_pause(&mut self, now: Instant) -> Duration {
        let soon = self.finished.is_some_and(|at| now - at < SOON);
        self.pause = if soon {
            (self.pause * 2).clamp(PAUSE, LONGEST_PAUSE)
        } else {
            PAUSE
        };
        self.pause
    }

    /// The first tool of that name, as it was listed last.
    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.known.as_ref()?.iter().find(|tool| tool.name == name)
    }

    /// Whatever was being read is not read on.
    pub(super) fn forget_reading(&mut self) {
        self.reading = None;
        self.again = None;
    }
}

impl Actor {
    /// Reads the list from its first page, or once more after the reading under way.
    pub(super) fn refresh_tools(&mut self, cause: Cause) {
        if self.stage != Stage::Ready {
            return;
        }
        if self.lists.reading.is_some() {
            self.lists.again = Some(cause);
            return;
        }
        // Whatever was announced before is covered by this reading.
        self.deadlines.disarm(Alarm::Relist);
        self.lists.reading = Some(Pages::new(self.protocol.era()));
        self.lists.cause = Some(cause);
        self.report(Event::Listing);
        self.ask_page(None, cause);
    }

    fn ask_page(&mut self, cursor: Option<&str>, cause: Cause) {
        let limits = self.usual_limits();
        let params = page_params(cursor);
        let request = Request {
            params: params.as_deref(),
            ..Request::bare("tools/list")
        };
        self.send_request(Purpose::ListTools, limits, cause, &request);
    }

    /// The server announced a change of its tools.
    pub(super) fn tools_changed(&mut self) {
        if self.stage != Stage::Ready {
            return;
        }
        if self.lists.reading.is_some() {
            self.lists.again = Some(Cause::ListChanged);
        } else if !self.deadlines.is_armed(Alarm::Relist) {
            let now = Instant::now();
            let pause = self.lists.next_pause(now);
            self.deadlines.arm(Alarm::Relist, later(now, pause));
            if pause == REMARKABLE {
                self.note(
                    "The server reports a list change after every `tools/list`. Sonde now \
                     refreshes the tools less and less often."
                        .to_owned(),
                    Cause::ListChanged,
                    None,
                );
            }
        }
    }

    pub(super) fn page_arrived(&mut self, answer: Answer<'_>) {
        let Some(mut pages) = self.lists.reading.take() else {
            return;
        };
        let Answer::Result(result) = answer else {
            let message = format!("The tools could not be listed: {}.", sentence(&answer));
            return self.list_failed(message);
        };
        match pages.add(result) {
            Err(message) => self.list_failed(message),
            // A part of the list must not pass for the whole.
            Ok(Next::Page(_)) if self.stage != Stage::Ready => {
                self.list_failed(
                    "The tools could not be listed: the session is closing.".to_owned(),
                );
            }
            Ok(Next::Page(cursor)) => {
                self.lists.reading = Some(pages);
                let cause = self.lists.cause.unwrap_or(Cause::User);
                self.ask_page(Some(&cursor), cause);
            }
            Ok(Next::Done) => {
                let listing = pages.finish(self.lists.known.as_ref().map(|known| &known[..]));
                self.lists.known = Some(Arc::clone(&listing.tools));
                self.lists.finished = Some(Instant::now());
                self.report(Event::Tools(listing));
                self.read_again();
            }
        }
    }

    pub(super) fn list_failed(&mut self, message: String) {
        self.lists.reading = None;
        self.report(Event::ListFailed { message });
        self.read_again();
    }

    fn read_again(&mut self) {
        match self.lists.again.take() {
            Some(Cause::ListChanged) => self.tools_changed(),
            Some(cause) => self.refresh_tools(cause),
            None => self.send_relisted(),
        }
    }
}
