//! The commands about apps.

use serde::{Deserialize, Serialize};
use sonde_findings::FindingView;
use sonde_record::text::cut_bytes;
use ts_rs::TS;

use super::{AppDomains, AppPage, resource};
use crate::{
    Error, Explorer,
    operations::{OperationNumber, OperationOutcome, RESOURCES_READ},
};

/// The longest message of an app that is recorded, in bytes.
const MESSAGE: usize = 1 << 20;

/// An app that was opened: what it declares, and where its page is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenedApp {
    /// Names it.
    pub app: String,
    /// Where its page can be loaded from, once; `None` where it is not shown.
    pub url: Option<String>,
    /// Why it is not shown, one plain sentence.
    pub refused: Option<String>,
    /// The origins that it declares.
    pub domains: AppDomains,
    /// The content security policy of its page.
    pub policy: String,
    /// The permissions that it asks for, by the names of the specification. It gets none.
    pub permissions: Vec<String>,
    /// The version of Sonde, which the app is told.
    pub version: String,
    /// `prefersBorder`.
    pub prefers_border: Option<bool>,
    /// What is wrong with it.
    pub findings: Vec<FindingView>,
}

/// What is recorded of an app.
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

impl Explorer {
    /// Opens the app of a run: `reading` is the finished run that read its resource. The page waits to be loaded once.
    ///
    /// # Errors
    /// `NotFound` for runs that are not there; `InvalidInput` where `reading` is no reading of the same server with a
    /// result.
    pub async fn open_app(
        &self,
        operation: OperationNumber,
        reading: OperationNumber,
    ) -> Result<OpenedApp, Error> {
        let core = &self.core;
        let (server, uri, result) = core.state(|state| {
            let find = |number| {
                state
                    .operations
                    .get(number)
                    .ok_or(Error::NoOperation(number))
            };
            let (run, read) = (find(operation)?, find(reading)?);
            let is_reading = read.method == RESOURCES_READ
                && read.server == run.server
                && matches!(read.outcome, Some(OperationOutcome::Result { .. }));
            match (&read.input.target, &read.result) {
                (Some(uri), Some(result)) if is_reading => {
                    Ok((run.server.clone(), uri.clone(), result.clone()))
                }
                _ => Err(Error::invalid("The resource of this app was not read.")),
            }
        })?;
        let log = core.log(&server)?;
        let asked = uri.clone();
        let read = tokio::task::spawn_blocking(move || resource::read(&result, &asked));
        let read = read.await.map_err(Error::internal)?;
        let policy = read.domains.policy();
        let page = read.html.map(|html| AppPage {
            html,
            policy: policy.clone(),
        });
        let is_there = page.is_some();
        let app = core.state(|state| state.apps.open(server, operation, page));
        let url = match is_there {
            true => core.host.app_url(&app),
            false => Err(read.refused.unwrap_or_default()),
        };
        let (url, refused) = match url {
            Ok(url) => (Some(url), None),
            Err(reason) => (None, Some(reason)),
        };
        // "Host SHOULD log CSP configurations for security review" (Host Behavior).
        log.note_of(
            match &refused {
                None => format!("App {uri} is opened under this content security policy: {policy}"),
                Some(reason) => format!("App {uri} is not shown: {reason}"),
            },
            Some(operation),
        );
        if url.is_none() {
            core.state(|state| state.apps.close(&app));
        }
        Ok(OpenedApp {
            app,
            url,
            refused,
            domains: read.domains,
            policy,
            permissions: read.permissions,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            prefers_border: read.prefers_border,
            findings: read.findings.iter().map(FindingView::from).collect(),
        })
    }

    /// Forgets an app that is shown no longer.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn close_app(&self, app: String) -> Result<(), Error> {
        self.core.state(|state| state.apps.close(&app));
        Ok(())
    }

    /// Records what passed between Sonde and an app; of a message above 1 MiB its beginning.
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
            AppEntry::Note => log.note_of(kept, Some(operation)),
            AppEntry::Sent | AppEntry::Received => log.app_message(
                entry == AppEntry::Sent,
                kept.to_owned(),
                dropped,
                Some(operation),
            ),
        }
        Ok(())
    }

    /// Whether the page of an app waits to be served.
    #[must_use]
    pub fn app_waits(&self, app: &str) -> bool {
        self.core.state(|state| state.apps.waits(app))
    }

    /// The page of an app, to be served: once, as what an app itself knows must lead to no page.
    #[must_use]
    pub fn take_app_page(&self, app: &str) -> Option<AppPage> {
        self.core.state(|state| state.apps.take(app))
    }
}
