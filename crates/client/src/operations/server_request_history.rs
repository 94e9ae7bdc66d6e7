//! Server requests and pages of an operation, with their replies, kept while the app runs.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_mcp::elements;
use ts_rs::TS;

use crate::{
    limits::{LINE, MESSAGE, NAME, redact_and_cut},
    log::WireLog,
    text::cut,
};

/// Limit of answered requests, and of pages, that are kept per operation.
const MOST: usize = 50;
/// Limit of a page's address, in characters. Longer addresses are not opened.
const URL: usize = 8 * 1024;

/// Kinds of reply to a server request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// An elicitation was accepted.
    Accept,
    /// An elicitation was declined.
    Decline,
    /// An elicitation was dismissed.
    Cancel,
    /// A request of another kind got a result.
    Result,
    /// The request got an error.
    Error,
}

/// The rule by which a request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnsweringRule {
    /// Delay after the request came, in seconds.
    pub after_seconds: u32,
    /// Name of the saved answer that was sent, if any.
    pub saved_answer: Option<String>,
}

/// A request of the server that was answered during an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnsweredRequest {
    /// Number of the server request.
    pub request: u64,
    /// Its method, for example `elicitation/create`.
    pub method: String,
    /// The server's message, or one plain sentence; one line.
    pub message: String,
    /// Kind of the reply.
    pub answer: AnswerKind,
    /// Rule that sent the reply; `None` if the user answered.
    pub rule: Option<AnsweringRule>,
    /// Log entry that carried the reply.
    pub seq: u64,
}

/// A page that the server wants the user to open for an operation (URL mode of elicitation).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskedPage {
    /// Its address, as the server wrote it; at most 8,192 characters.
    pub url: String,
    /// Message of the server.
    pub message: String,
    /// The operation failed because the page was not visited (error -32042). Otherwise the user accepted a request to
    /// open it.
    pub required: bool,
    /// The server reports that the user has finished there.
    pub completed: bool,
    /// The server's name for it.
    #[serde(skip)]
    #[ts(skip)]
    pub(crate) id: Option<String>,
}

/// The members of `params` of an elicitation that name a page.
#[derive(Deserialize)]
struct Params {
    mode: Option<String>,
    url: Option<String>,
    message: Option<String>,
    #[serde(rename = "elicitationId")]
    id: Option<String>,
}

impl AskedPage {
    /// Returns the page that an elicitation asks to open; `None` if it asks for something else.
    pub(crate) fn of(params: &str, required: bool, log: &WireLog) -> Option<AskedPage> {
        let read: Params = serde_json::from_str(params).ok()?;
        let url = read.url.filter(|url| url.chars().count() <= URL)?;
        (read.mode.as_deref() == Some("url")).then(|| AskedPage {
            url: redact_and_cut(&url, URL, log),
            message: redact_and_cut(&read.message.unwrap_or_default(), MESSAGE, log),
            required,
            completed: false,
            // Cut as in the events of the session.
            id: read.id.map(|id| cut(&id, NAME)),
        })
    }

    /// The pages that the `data` of the error -32042 names.
    pub(crate) fn required(data: Option<&RawValue>, log: &WireLog) -> Vec<AskedPage> {
        #[derive(Deserialize)]
        struct Data<'a> {
            #[serde(borrow)]
            elicitations: &'a RawValue,
        }
        data.and_then(|data| serde_json::from_str::<Data<'_>>(data.get()).ok())
            .and_then(|data| elements(data.elicitations.get(), MOST).ok())
            .map(|list| list.first)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|params| AskedPage::of(params.get(), true, log))
            .collect()
    }
}

/// Server requests and pages of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerRequestHistory {
    /// The requests that were answered, oldest first.
    pub answered: Vec<AnsweredRequest>,
    /// Pages that the user must open or agreed to open, oldest first.
    pub pages: Vec<AskedPage>,
    /// Counts the changes of both lists, so that no two states of an operation have the same number.
    changes: u64,
    /// Start and end of each wait for the user, in microseconds: the newest waits, none of which overlap.
    waits: Vec<(u64, u64)>,
    /// Total of the waits that were dropped from `waits`, in microseconds.
    waited_before: u64,
}

impl ServerRequestHistory {
    /// Returns a number that differs after each change; 0 before the first.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Adds an answered request, with the page that the user agreed to open.
    pub(crate) fn add(&mut self, mut answered: AnsweredRequest, page: Option<AskedPage>) {
        answered.message = cut(&answered.message, LINE);
        self.changes += 1;
        push(&mut self.answered, answered);
        if let Some(page) = page {
            push(&mut self.pages, page);
        }
    }

    /// Keeps the pages that the server wants to be opened first.
    pub(crate) fn require(&mut self, pages: Vec<AskedPage>) {
        self.changes += u64::from(!pages.is_empty());
        for page in pages {
            push(&mut self.pages, page);
        }
    }

    /// Restores an operation from before this start of the app: only the time spent waiting for the user is left.
    pub fn waited_for(micros: u64) -> Self {
        Self {
            waited_before: micros,
            ..Self::default()
        }
    }

    /// Records that the user answered at `to` what was asked at `from`, on the clock of
    /// [`clock::micros`](crate::clock).
    pub fn wait(&mut self, mut from: u64, to: u64) {
        // Overlapping waits are merged.
        while let Some((begin, _)) = self.waits.pop_if(|(_, end)| *end >= from) {
            from = from.min(begin);
        }
        if self.waits.len() >= MOST {
            let (begin, end) = self.waits.remove(0);
            self.waited_before += end - begin;
        }
        self.waits.push((from, to.max(from)));
    }

    /// Returns the total time spent waiting for the user, in microseconds.
    #[must_use]
    pub fn waited(&self) -> u64 {
        let stretches = self.waits.iter().map(|(from, to)| to - from);
        self.waited_before + stretches.sum::<u64>()
    }

    /// Returns the time spent waiting for the user between two moments, in microseconds, according to the waits that
    /// are still kept.
    pub(crate) fn waited_between(&self, from: u64, to: u64) -> u64 {
        let stretches = self.waits.iter();
        stretches
            .map(|(begin, end)| to.min(*end).saturating_sub(from.max(*begin)))
            .sum()
    }

    /// Marks the elicitation with this id as completed. True if it is among the pages and was not completed before.
    pub(crate) fn complete(&mut self, id: &str) -> bool {
        let page = self
            .pages
            .iter_mut()
            .find(|page| !page.completed && page.id.as_deref() == Some(id));
        let Some(page) = page else { return false };
        page.completed = true;
        self.changes += 1;
        true
    }

    /// Returns its memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        let answered = self.answered.iter().map(|one| {
            let rule = one
                .rule
                .as_ref()
                .and_then(|rule| rule.saved_answer.as_ref());
            size_of::<AnsweredRequest>()
                + one.method.len()
                + one.message.len()
                + rule.map_or(0, String::len)
        });
        let pages = self
            .pages
            .iter()
            .map(|one| size_of::<AskedPage>() + one.url.len() + one.message.len());
        answered.chain(pages).sum::<usize>() + self.waits.len() * size_of::<(u64, u64)>()
    }
}

fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() >= MOST {
        list.remove(0);
    }
    list.push(one);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::LogLimits;

    #[test]
    fn pages_are_read_and_completed() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let data = r#"{"elicitations":[
            {"mode":"url","url":"https://a","message":"m","elicitationId":"e"},
            {"mode":"form","url":"https://b"}, {"mode":"url"}, 3]}"#;
        let data = RawValue::from_string(data.to_owned()).unwrap();
        let mut asked = ServerRequestHistory {
            pages: AskedPage::required(Some(&data), &log),
            ..ServerRequestHistory::default()
        };
        assert_eq!(asked.pages.len(), 1);
        assert!(asked.pages[0].required && asked.pages[0].url == "https://a");
        assert!(!asked.complete("x"));
        assert!(asked.complete("e"));
        assert!(asked.pages[0].completed && !asked.complete("e"));
        let long = format!(r#"{{"mode":"url","url":"https://{}"}}"#, "a".repeat(URL));
        assert_eq!(AskedPage::of(&long, true, &log), None);
    }

    /// Two answers to what one result asked for share their entry, and the last ones push out the first.
    #[test]
    fn each_change_has_a_number_of_its_own() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let page = |id: usize| {
            let params = format!(
                r#"{{"mode":"url","url":"https://a","message":"m","elicitationId":"{id}"}}"#
            );
            AskedPage::of(&params, true, &log)
        };
        let mut asked = ServerRequestHistory::default();
        let mut seen = vec![asked.changes()];
        for number in 0..2 * MOST {
            let answered = AnsweredRequest {
                request: number as u64,
                method: "roots/list".to_owned(),
                message: "m".to_owned(),
                answer: AnswerKind::Result,
                rule: None,
                seq: 1,
            };
            asked.add(answered, page(number));
            seen.push(asked.changes());
        }
        asked.complete("99");
        seen.push(asked.changes());
        asked.require(page(100).into_iter().collect());
        seen.push(asked.changes());
        assert!(
            seen.is_sorted_by(|before, after| before < after),
            "{seen:?}"
        );
        // Nothing happened.
        let last = asked.changes();
        asked.require(Vec::new());
        asked.complete("99");
        assert_eq!((asked.changes(), seen[0]), (last, 0));
    }

    #[test]
    fn the_last_ones_are_kept() {
        let mut asked = ServerRequestHistory::default();
        for request in 0..60 {
            let answered = AnsweredRequest {
                request,
                method: "roots/list".to_owned(),
                message: "m".to_owned(),
                answer: AnswerKind::Result,
                rule: None,
                seq: 1,
            };
            asked.add(answered, None);
        }
        assert_eq!(
            (asked.answered.len(), asked.answered[0].request),
            (MOST, 10)
        );
    }

    #[test]
    fn the_user_is_waited_for_once_at_a_time() {
        let mut asked = ServerRequestHistory::default();
        asked.wait(10, 20);
        assert_eq!(asked.waited(), 10);
        asked.wait(30, 40);
        // It was open before both, and is answered after them.
        asked.wait(5, 45);
        assert_eq!(asked.waited(), 40);
        asked.wait(45, 50);
        asked.wait(60, 61);
        let between = [(0, 100), (0, 5), (10, 20), (48, 60), (60, 70), (51, 59)];
        let waited = between.map(|(from, to)| asked.waited_between(from, to));
        assert_eq!(waited, [46, 0, 10, 2, 1, 0]);
        assert_eq!(asked.waited(), 46);
        for at in 1..=200 {
            asked.wait(at * 1_000, at * 1_000 + 1);
        }
        assert_eq!((asked.waited(), asked.waits.len()), (246, MOST));
    }
}
