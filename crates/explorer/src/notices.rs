//! Notices: messages to the user that belong to no single operation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use sonde_client::NoticeLevel;

use crate::{limits::MESSAGE, servers::ServerId, text::cut};

/// Limit of open notices; the oldest goes first.
const NOTICES: usize = 50;

/// Something the user should know that belongs to no single operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Notice {
    /// Names it, for dismissing.
    pub id: u64,
    /// Importance.
    pub level: NoticeLevel,
    /// The server it is about, if any.
    pub server: Option<ServerId>,
    /// A stable name in snake_case, for example `servers_file_damaged`.
    pub code: String,
    /// One plain sentence.
    pub title: String,
    /// More, on request.
    pub detail: Option<String>,
}

/// The open notices, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    pub(crate) open: Vec<Notice>,
    last: u64,
}

impl Notices {
    /// Opens a notice, whose id is chosen here. One of the same code about the same server is
    /// replaced. Returns the ids of all that changed.
    pub(crate) fn add(&mut self, notice: Notice) -> Vec<u64> {
        let mut changed = self.remove(notice.server.as_deref(), &notice.code);
        // A server that causes the same notice again and again must not fill the app's log.
        if changed.is_empty() {
            let title = cut(&notice.title, MESSAGE);
            tracing::info!(code = notice.code, title, "notice");
        }
        if self.open.len() >= NOTICES {
            changed.push(self.open.remove(0).id);
        }
        self.last += 1;
        self.open.push(Notice {
            id: self.last,
            title: cut(&notice.title, MESSAGE),
            detail: notice.detail.map(|detail| cut(&detail, MESSAGE)),
            ..notice
        });
        changed.push(self.last);
        changed
    }

    /// Closes a notice.
    pub(crate) fn close(&mut self, id: u64) {
        self.open.retain(|one| one.id != id);
    }

    /// Removes the notices with this code about this server. Returns their ids.
    pub(crate) fn remove(&mut self, server: Option<&str>, code: &str) -> Vec<u64> {
        let same = |one: &mut Notice| one.code == code && one.server.as_deref() == server;
        self.open.extract_if(.., same).map(|one| one.id).collect()
    }
}
