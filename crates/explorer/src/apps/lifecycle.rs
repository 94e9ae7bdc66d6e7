//! Opening and closing apps, and recording what they send.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sonde_findings::FindingView;
use sonde_record::text::cut_bytes;
use ts_rs::TS;

use super::{AppDomains, AppPage, resource};
use crate::{
    Error, Explorer, blocking,
    changes::Change,
    operations::{AppEnd, OperationNumber, OperationOutcome, RESOURCES_READ},
};

/// The longest message of an app that is recorded, in bytes.
const MESSAGE: usize = 1 << 20;

/// An app that was opened: its declarations, and the address of its page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenedApp {
    /// Id of the app.
    pub app: String,
    /// Address that serves its page, once; `None` if it is not shown.
    pub url: Option<String>,
    /// Index of its content in the result of the reading.
    pub index: u32,
    /// Reason why it is not shown, one plain sentence.
    pub refused: Option<String>,
    /// The origins that it declares.
    pub domains: AppDomains,
    /// The content security policy of its page.
    pub policy: String,
    /// The permissions that it asks for, by the names of the specification. It gets none.
    pub permissions: Vec<String>,
    /// The version of Sonde, as reported to the app.
    pub version: String,
    /// `prefersBorder`.
    pub prefers_border: Option<bool>,
    /// Findings about the app's resource.
    pub findings: Vec<FindingView>,
}

/// Kinds of records about an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AppEntry {
    /// Sonde sent it a message.
    Sent,
    /// It sent Sonde a message.
    Received,
    /// A remark of Sonde's about it.
    Note,
}

/// Longest time that the window's page may leave a question unanswered while an app is shown.
pub const UNRESPONSIVE: Duration = Duration::from_secs(10);

/// Describes the end of an app for the wire log.
fn end_note(why: AppEnd) -> String {
    match why {
        AppEnd::Unresponsive => format!(
            "The app was closed: the window did not respond for {} seconds, or again and again for some, while the app was shown, so its page was \
             ended and loaded again. The app is not started again by itself.",
            UNRESPONSIVE.as_secs()
        ),
        AppEnd::PageEnded => "The app was closed: the process of the window's page ended while the app was shown. The \
                              app is not started again by itself."
            .to_owned(),
    }
}

impl Explorer {
    /// Opens the app of a run: `reading` is the finished run that read its resource. The page waits to be loaded once.
    ///
    /// # Errors
    /// `NotFound` for unknown runs; `InvalidInput` if `reading` is not a read of the same server with a result.
    pub async fn open_app(
        &self,
        operation: OperationNumber,
        reading: OperationNumber,
    ) -> Result<OpenedApp, Error> {
        let core = &self.core;
        let connection = core.connection_of_operation(operation)?;
        let (server, uri, result) = connection.read(|state| {
            let find = |number| {
                state
                    .operations
                    .get(number)
                    .ok_or(Error::NoOperation(number))
            };
            let run = find(operation)?;
            let not_read = || Error::invalid("The resource of this app was not read.");
            let read = find(reading).map_err(|_| not_read())?;
            let is_reading = read.method == RESOURCES_READ
                && matches!(read.outcome, Some(OperationOutcome::Result { .. }));
            match (&read.input.target, &read.result) {
                (Some(uri), Some(result)) if is_reading => {
                    Ok((run.server.clone(), uri.clone(), result.clone()))
                }
                _ => Err(not_read()),
            }
        })?;
        let log = connection.log();
        let asked = uri.clone();
        let read = blocking(move || resource::read(result.get(), &asked)).await?;
        let policy = read.domains.policy();
        let page = read.html.map(|html| AppPage {
            html,
            policy: policy.clone(),
            hosts: read.domains.hosts(),
        });
        let is_there = page.is_some();
        let ended = connection.update(|state| {
            let run = state.operations.get_mut(operation);
            run.and_then(|run| run.app_ended.take())
        });
        let app = core.state(|state| state.apps.open(server, operation, page));
        if ended.is_some() {
            core.observer.changed(Change::Operation(operation));
        }
        let url = match is_there {
            true => core.host.app_url(&app),
            false => Err(read.refused.unwrap_or_default()),
        };
        let (url, refused) = match url {
            Ok(url) => (Some(url), None),
            Err(reason) => (None, Some(reason)),
        };
        // "Host SHOULD log CSP configurations for security review" (Host Behavior).
        log.note_of_app(
            match &refused {
                None => format!("App {uri} is opened under this content security policy: {policy}"),
                Some(reason) => format!("App {uri} is not shown: {reason}"),
            },
            operation,
        );
        if url.is_none() {
            core.state(|state| state.apps.close(&app));
        }
        let findings: Vec<_> = read.findings.iter().map(FindingView::from).collect();
        connection.add_app_findings(reading, &findings);
        Ok(OpenedApp {
            app,
            url,
            index: read.index,
            refused,
            domains: read.domains,
            policy,
            permissions: read.permissions,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            prefers_border: read.prefers_border,
            findings,
        })
    }

    /// Forgets an app that is shown no longer.
    ///
    /// # Errors
    /// None: closing a closed app succeeds.
    pub async fn close_app(&self, app: String) -> Result<(), Error> {
        self.core.state(|state| state.apps.close(&app));
        Ok(())
    }

    /// Closes all apps, since the page that shows them is gone. Runs whose app was shown get the reason.
    pub fn end_apps(&self, why: AppEnd) {
        let core = &self.core;
        for (server, operation) in core.state(|state| state.apps.close_all()) {
            tracing::warn!(server, operation, ?why, "an app was closed");
            if let Ok(connection) = core.connection(&server) {
                connection.update(|state| {
                    if let Some(run) = state.operations.get_mut(operation) {
                        run.app_ended = Some(why);
                    }
                });
                connection.log().note_of_app(end_note(why), operation);
            }
            core.observer.changed(Change::Operation(operation));
        }
    }

    /// True if the page of an app was served and the app was not closed since.
    #[must_use]
    pub fn app_is_shown(&self, app: &str) -> bool {
        self.core.state(|state| state.apps.is_shown(app))
    }

    /// True if any app is shown.
    #[must_use]
    pub fn shows_apps(&self) -> bool {
        self.core.state(|state| state.apps.shows_any())
    }

    /// Records a message between Sonde and an app; of a message above 1 MiB, only its beginning.
    ///
    /// # Errors
    /// `NotFound` for an app that is closed.
    pub async fn record_app(
        &self,
        app: String,
        entry: AppEntry,
        text: String,
    ) -> Result<(), Error> {
        let core = &self.core;
        let found = core.state(|state| state.apps.of(&app));
        let (server, operation) = found.ok_or(Error::NotFound("This app was closed."))?;
        let log = core.log(&server)?;
        let kept = cut_bytes(&text, MESSAGE);
        let dropped = (text.len() - kept.len()) as u64;
        match entry {
            AppEntry::Note => log.note_of_app(kept, operation),
            AppEntry::Sent | AppEntry::Received => log.app_message(
                entry == AppEntry::Sent,
                kept.to_owned(),
                dropped,
                Some(operation),
            ),
        }
        Ok(())
    }

    /// True if the page of an app waits to be served.
    #[must_use]
    pub fn app_waits(&self, app: &str) -> bool {
        self.core.state(|state| state.apps.waits(app))
    }

    /// Returns the page of an app, to be served once: addresses that the app knows must not lead to a page.
    #[must_use]
    pub fn take_app_page(&self, app: &str) -> Option<AppPage> {
        self.core.state(|state| state.apps.take(app))
    }
}
