//! What the user should know that belongs to no single operation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Error, Explorer, changes::Change, core::Core, limits::MESSAGE, servers::ServerId, text::cut,
};

/// How many notices are open at once; the oldest goes first.
const NOTICES: usize = 50;

/// How important a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum NoticeLevel {
    Info,
    Warning,
    Error,
}

/// Something the user should know that belongs to no single operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Notice {
    /// Names it, for dismissing.
    pub id: u64,
    /// How important.
    pub level: NoticeLevel,
    /// Whose server, if any.
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
    /// Removes those of this code about this server. Returns their ids.
    fn remove(&mut self, server: Option<&str>, code: &str) -> Vec<u64> {
        let same = |one: &mut Notice| one.code == code && one.server.as_deref() == server;
        self.open.extract_if(.., same).map(|one| one.id).collect()
    }
}

impl Explorer {
    /// Closes a notice.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn dismiss_notice(&self, id: u64) -> Result<(), Error> {
        self.core
            .state(|state| state.notices.open.retain(|notice| notice.id != id));
        self.core.observer.changed(Change::Notice(id));
        Ok(())
    }
}

impl Core {
    /// Tells the user something. A notice of the same code about the same server is replaced.
    pub(crate) fn notice(
        &self,
        level: NoticeLevel,
        server: Option<&str>,
        code: &str,
        title: impl Into<String>,
        detail: Option<String>,
    ) {
        let title = cut(&title.into(), MESSAGE);
        let detail = detail.map(|detail| cut(&detail, MESSAGE));
        tracing::info!(code, title, "notice");
        let changed = self.state(|state| {
            let notices = &mut state.notices;
            let mut changed = notices.remove(server, code);
            if notices.open.len() >= NOTICES {
                changed.push(notices.open.remove(0).id);
            }
            notices.last += 1;
            notices.open.push(Notice {
                id: notices.last,
                level,
                server: server.map(str::to_owned),
                code: code.to_owned(),
                title,
                detail,
            });
            changed.push(notices.last);
            changed
        });
        for id in changed {
            self.observer.changed(Change::Notice(id));
        }
    }

    /// Closes notices of this code about this server.
    pub(crate) fn retract(&self, server: Option<&str>, code: &str) {
        for id in self.state(|state| state.notices.remove(server, code)) {
            self.observer.changed(Change::Notice(id));
        }
    }
}
