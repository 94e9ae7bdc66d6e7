//! Replies that a server got to `roots/list`.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Reply, Root};
use ts_rs::TS;

use crate::{
    clock,
    limits::{LINE, NAME, redact_and_cut},
    log::WireLog,
};

/// Number of roots shown of one reply.
const SHOWN: usize = 100;

/// The last reply to `roots/list` of one connection, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RootsAnswer {
    /// Time of the reply, in milliseconds since the Unix epoch.
    pub at: u64,
    /// Number of replies the server got so far, this one included.
    pub times: u32,
    /// The first 100 roots that were sent.
    pub roots: Vec<SentRoot>,
    /// Number of roots that were sent.
    pub count: u32,
    /// Message of the error that was sent instead of a list.
    pub refused: Option<String>,
    /// The folders in the settings differ from those that were sent.
    pub differs: bool,
}

/// A root that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentRoot {
    /// `uri`, at most 1,000 characters of it.
    pub uri: String,
    /// `name`, at most 256 characters of it.
    pub name: Option<String>,
}

/// The replies to `roots/list` of one connection.
#[derive(Debug, Default)]
pub(super) struct SentRoots {
    /// Folders by the settings.
    folders: Vec<Root>,
    sent: Vec<Root>,
    last: Option<RootsAnswer>,
}

impl SentRoots {
    pub(super) fn new(folders: Vec<Root>) -> Self {
        Self {
            folders,
            ..Self::default()
        }
    }

    /// Takes changed folders from the settings.
    pub(super) fn set_folders(&mut self, folders: Vec<Root>) {
        self.folders = folders;
        self.compare();
    }

    /// Records a reply to `roots/list`, sent automatically, by a rule or by hand.
    pub(super) fn answered(&mut self, reply: &Reply, log: &WireLog) {
        let refused = match reply {
            Reply::Result(text) => {
                self.sent = read(text);
                None
            }
            Reply::Error { code, message } => {
                self.sent.clear();
                Some(format!("{message} ({code})"))
            }
        };
        let roots = self.sent.iter().take(SHOWN).map(|root| SentRoot {
            uri: redact_and_cut(&root.uri, LINE, log),
            name: root
                .name
                .as_ref()
                .map(|name| redact_and_cut(name, NAME, log)),
        });
        self.last = Some(RootsAnswer {
            at: clock::millis(),
            times: self.last.as_ref().map_or(0, |last| last.times) + 1,
            roots: roots.collect(),
            count: u32::try_from(self.sent.len()).unwrap_or(u32::MAX),
            refused: refused.map(|words| redact_and_cut(&words, LINE, log)),
            differs: false,
        });
        self.compare();
    }

    /// Compares the last answer with the folders.
    fn compare(&mut self) {
        if let Some(last) = &mut self.last {
            last.differs = last.refused.is_none() && self.sent != self.folders;
        }
    }

    /// The last answer; `None` where the server has not asked.
    pub(super) fn last(&self) -> Option<RootsAnswer> {
        self.last.clone()
    }
}

/// The roots of a result that may have been written by hand.
fn read(result: &str) -> Vec<Root> {
    #[derive(Deserialize)]
    struct Listed {
        #[serde(default)]
        roots: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        #[serde(default)]
        uri: String,
        name: Option<String>,
    }
    let listed = serde_json::from_str::<Listed>(result);
    listed.map_or_else(
        |_| Vec::new(),
        |listed| {
            let entries = listed.roots.into_iter();
            entries
                .map(|Entry { uri, name }| Root { uri, name })
                .collect()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{LogLimits, Secrets};

    fn root(uri: &str) -> Root {
        Root {
            uri: uri.to_owned(),
            name: None,
        }
    }

    #[test]
    fn the_last_answer_stays_and_says_whether_the_folders_are_still_these() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.set_secrets(Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        let mut roots = SentRoots::new(vec![root("file:///a")]);
        assert_eq!(roots.last(), None);
        let list = Reply::Result(sonde_mcp::roots_result(&[root("file:///a")]));
        roots.answered(&list, &log);
        let last = roots.last().unwrap();
        assert_eq!(last.roots[0].uri, "file:///a");
        assert_eq!((last.count, last.times, last.differs), (1, 1, false));
        roots.set_folders(vec![root("file:///b")]);
        assert!(roots.last().unwrap().differs);
        // By hand, whatever it says.
        roots.answered(
            &Reply::Result(r#"{"roots":[{"uri":"x:hush-hush"}]}"#.into()),
            &log,
        );
        let last = roots.last().unwrap();
        assert!(!last.roots[0].uri.contains("hush-hush") && last.differs);
        roots.answered(&Reply::Result("[]".into()), &log);
        assert_eq!(roots.last().unwrap().count, 0);
        let no = Reply::Error {
            code: -32_603,
            message: "No".into(),
        };
        roots.answered(&no, &log);
        let last = roots.last().unwrap();
        assert_eq!(last.refused.as_deref(), Some("No (-32603)"));
        assert_eq!((last.count, last.times, last.differs), (0, 4, false));
    }

    #[test]
    fn what_is_shown_of_an_answer_is_bounded() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let many = vec![root(&format!("file:///{}", "x".repeat(5_000))); 300];
        let mut roots = SentRoots::new(many.clone());
        roots.answered(&Reply::Result(sonde_mcp::roots_result(&many)), &log);
        let last = roots.last().unwrap();
        assert_eq!(
            (last.roots.len(), last.count, last.differs),
            (SHOWN, 300, false)
        );
        assert!(last.roots[0].uri.chars().count() <= LINE + 1);
    }
}
