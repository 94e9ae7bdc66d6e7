//! Lets the requests of one server in.
//!
//! A [`Gatekeeper`] holds the token of a server while the app runs. Requests ask it for a pass; a
//! refused one is parked here while *one* piece of work gets a new token for all of them: a refresh,
//! a sign-in, or a sign-in for more scopes. The work is a task of its own, so that it survives
//! whoever asked for it.

mod account;
mod book;
mod gate;
mod work;

mod refresh;
mod sign_in;

mod browser;
mod programs;

mod hands;

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use self::account::{Account, Desk, Phase as State, Prompt, Standing};
use self::book::Book;
use crate::{Clock, Settings, Trace, Vault};

/// Lets the requests of one server in. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Gatekeeper {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Gatekeeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gatekeeper")
            .field("server", &self.shared.server)
            .finish_non_exhaustive()
    }
}

struct Shared {
    /// The server's id in the list.
    server: String,
    settings: Settings,
    vault: Arc<Vault>,
    trace: Arc<dyn Trace>,
    desk: Arc<dyn Desk>,
    clock: Clock,
    book: Book,
    tasks: TaskTracker,
    /// Set when nobody wants anything any more.
    closing: CancellationToken,
}

impl Gatekeeper {
    /// A gatekeeper for a server of the list. Nothing is read or sent yet. Its work runs on the
    /// runtime of whoever asks.
    #[must_use]
    pub fn new(
        server: impl Into<String>,
        settings: Settings,
        vault: Arc<Vault>,
        trace: Arc<dyn Trace>,
        desk: Arc<dyn Desk>,
        clock: Clock,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                server: server.into(),
                settings,
                vault,
                trace,
                desk,
                clock,
                book: Book::default(),
                tasks: TaskTracker::new(),
                closing: CancellationToken::new(),
            }),
        }
    }
}

impl Shared {
    fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Tells the desk where everything stands.
    fn show(&self) {
        self.desk.show(self.book.standing());
    }
}
