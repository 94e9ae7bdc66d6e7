//! The network of the window's page. The page needs none, and its policy forbids it. But WebKit opens a connection for
//! `<link rel="preconnect">` whatever the policy says, and host names and ports alone could leak an app's data. A proxy
//! that does not exist prevents that. The sites that the user allowed an app to reach are exempt while it is shown.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use sonde_explorer::lock;
use tauri::{AppHandle, Manager as _, Runtime, Url};
use webkit2gtk::{
    NetworkProxyMode, NetworkProxySettings, WebViewExt as _, WebsiteDataManagerExt as _,
};

use crate::page;

/// Address of a proxy that does not exist: nothing listens on the discard port.
const NOWHERE: &str = "http://127.0.0.1:9";

/// Returns the proxy that the window starts with.
pub(crate) fn nowhere() -> Option<Url> {
    Url::parse(NOWHERE).ok()
}

/// The hosts that the visible apps may reach, by the id of the app.
#[derive(Debug, Default)]
pub(crate) struct Reachable(Mutex<HashMap<String, Vec<String>>>);

impl Reachable {
    fn change(&self, change: impl FnOnce(&mut HashMap<String, Vec<String>>)) -> Vec<String> {
        let mut hosts = lock(&self.0);
        change(&mut hosts);
        hosts.values().flatten().cloned().collect()
    }
}

/// Lets an app reach these hosts, each with its port if it has one, until [`keep`].
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, id: &str, hosts: Vec<String>) {
    if !hosts.is_empty() {
        let all = app
            .state::<Arc<Reachable>>()
            .change(|by_app| _ = by_app.insert(id.to_owned(), hosts));
        apply(app, all);
    }
}

/// Revokes what [`open`] allowed to apps that are no longer shown.
pub(crate) fn keep<R: Runtime>(app: &AppHandle<R>, is_shown: impl Fn(&str) -> bool) {
    let mut ended = 0;
    let all = app.state::<Arc<Reachable>>().change(|by_app| {
        ended = by_app.len();
        by_app.retain(|id, _| is_shown(id));
        ended -= by_app.len();
    });
    if ended > 0 {
        apply(app, all);
    }
}

fn apply<R: Runtime>(app: &AppHandle<R>, exempt: Vec<String>) {
    let Some(window) = app.get_webview_window(page::WINDOW) else {
        return;
    };
    let applied = window.with_webview(move |webview| {
        let hosts: Vec<&str> = exempt.iter().map(String::as_str).collect();
        let mut settings = NetworkProxySettings::new(Some(NOWHERE), &hosts);
        if let Some(manager) = webview.inner().website_data_manager() {
            manager.set_network_proxy_settings(NetworkProxyMode::Custom, Some(&mut settings));
        }
    });
    if let Err(error) = applied {
        tracing::error!(%error, "the sites of an app could not be opened or closed");
    }
}
