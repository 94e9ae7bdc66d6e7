//! The pages of apps that are open in the window.

use std::collections::VecDeque;

use crate::{operations::OperationNumber, servers::ServerId};

/// The most apps that are open at once; the oldest goes first.
const OPEN: usize = 20;

/// The page of an app, as the host serves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppPage {
    /// The HTML as the server sent it.
    pub html: String,
    /// The `Content-Security-Policy` that it must be served with.
    pub policy: String,
    /// Hosts, each with its port if it has one, that the policy lets the page reach.
    pub hosts: Vec<String>,
}

#[derive(Debug)]
struct OpenApp {
    id: String,
    server: ServerId,
    operation: OperationNumber,
    /// `None` once it was served: nothing that an app knows leads to a page.
    page: Option<AppPage>,
}

/// The apps that the window has open.
#[derive(Debug, Default)]
pub(crate) struct Apps(VecDeque<OpenApp>);

impl Apps {
    /// Keeps a page until it is served, once. Returns the id of its app, which cannot be guessed.
    pub(super) fn open(
        &mut self,
        server: ServerId,
        operation: OperationNumber,
        page: Option<AppPage>,
    ) -> String {
        if self.0.len() == OPEN {
            self.0.pop_front();
        }
        let id = uuid::Uuid::new_v4().simple().to_string();
        self.0.push_back(OpenApp {
            id: id.clone(),
            server,
            operation,
            page,
        });
        id
    }

    /// Closes all apps. Returns server and run of those that were shown.
    pub(super) fn close_all(&mut self) -> Vec<(ServerId, OperationNumber)> {
        let shown = self.0.drain(..).filter(|app| app.page.is_none());
        shown.map(|app| (app.server, app.operation)).collect()
    }

    pub(super) fn close(&mut self, id: &str) {
        self.0.retain(|app| app.id != id);
    }

    /// True if its page waits to be served.
    pub(super) fn waits(&self, id: &str) -> bool {
        self.0.iter().any(|app| app.id == id && app.page.is_some())
    }

    /// True if its page was served and the app was not closed since.
    pub(super) fn is_shown(&self, id: &str) -> bool {
        self.0.iter().any(|app| app.id == id && app.page.is_none())
    }

    /// True if the page of any app was served.
    pub(super) fn shows_any(&self) -> bool {
        self.0.iter().any(|app| app.page.is_none())
    }

    /// Removes and returns the page; `None` once it was served.
    pub(super) fn take(&mut self, id: &str) -> Option<AppPage> {
        self.0.iter_mut().find(|app| app.id == id)?.page.take()
    }

    /// Server and run of the app.
    pub(super) fn of(&self, id: &str) -> Option<(ServerId, OperationNumber)> {
        let app = self.0.iter().find(|app| app.id == id)?;
        Some((app.server.clone(), app.operation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Option<AppPage> {
        Some(AppPage {
            html: "x".to_owned(),
            policy: "default-src 'none'".to_owned(),
            hosts: Vec::new(),
        })
    }

    #[test]
    fn a_page_is_served_once() {
        let mut apps = Apps::default();
        let id = apps.open("s".to_owned(), 1, page());
        assert!(apps.waits(&id) && !apps.waits("other") && !apps.is_shown(&id));
        assert_eq!(apps.take("other"), None);
        assert_eq!(apps.take(&id), page());
        assert!(!apps.waits(&id) && apps.is_shown(&id));
        assert_eq!(apps.take(&id), None, "what an app knows leads to no page");
        assert_eq!(apps.of(&id), Some(("s".to_owned(), 1)));
        apps.close(&id);
        assert_eq!(apps.of(&id), None);
    }

    #[test]
    fn those_that_were_shown_are_closed_with_their_runs() {
        let mut apps = Apps::default();
        let [shown, waits] = [1, 2].map(|run| apps.open("s".to_owned(), run, page()));
        apps.take(&shown);
        assert_eq!(apps.close_all(), [("s".to_owned(), 1)]);
        assert!(!apps.is_shown(&shown) && !apps.waits(&waits));
        assert_eq!(apps.close_all(), []);
    }

    #[test]
    fn there_are_only_so_many() {
        let mut apps = Apps::default();
        let first = apps.open("s".to_owned(), 0, page());
        for operation in 1..=OPEN as u64 {
            apps.open("s".to_owned(), operation, page());
        }
        assert_eq!(apps.of(&first), None);
        assert_eq!(apps.0.len(), OPEN);
    }
}
