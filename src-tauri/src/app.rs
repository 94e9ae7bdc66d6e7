//! Start and end of the app.

use std::{
    ffi::OsStr,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sonde_explorer::{Host as _, Options, apps as mcp_apps, clock::now_millis, lock};
#[cfg(target_os = "macos")]
use sonde_ipc::AppEnd;
use sonde_ipc::Backend;
use tauri::{
    AppHandle, Manager, RunEvent, Runtime, Url, WebviewUrl, WebviewWindowBuilder, WindowEvent,
    async_runtime::JoinHandle,
};

use crate::{
    apps, commands, diagnostics,
    instance::{self, Instance},
    page::{self, Ends},
    place::{self, Places},
    platform, signals,
};
#[cfg(target_os = "linux")]
use crate::{drawing, page_network, sandbox, unresponsive};

/// Runs the app until its window is closed and every server has ended. `began` is the start time of `main`.
pub(crate) fn run(began: f64) {
    let app = match builder(tauri::Builder::default(), began).build(tauri::generate_context!()) {
        Ok(app) => app,
        Err(error) => {
            // No window can show this error; a user who starts the app from a terminal sees it.
            eprintln!("Sonde could not start: {error}");
            std::process::exit(1);
        }
    };
    let mut ending = false;
    app.run(move |app, event| match event {
        RunEvent::ExitRequested { api, .. } if !ending => {
            // The servers are ended in order before the process exits (at most eight seconds).
            ending = true;
            api.prevent_exit();
            let app = app.clone();
            tauri::async_runtime::spawn(async move {
                end(&app).await;
                app.exit(0);
            });
        }
        // macOS ends an app from its menu without a request first.
        RunEvent::Exit if !ending => {
            ending = true;
            tauri::async_runtime::block_on(end(app));
        }
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            for url in urls {
                open(app, url.into());
            }
        }
        _ => {}
    });
}

/// Address that was opened before the backend was there.
#[derive(Default)]
struct OpenedEarly(Mutex<Option<String>>);

/// Offers an address for import, at the latest once the backend is there: macOS opens the link that starts the app before
/// its setup.
fn open<R: Runtime>(app: &AppHandle<R>, address: String) {
    match app.try_state::<Backend>() {
        Some(backend) => backend.explorer().offer_import(address),
        None => *lock(&app.state::<OpenedEarly>().0) = Some(address),
    }
}

/// Makes the backend available.
fn provide<R: Runtime>(app: &AppHandle<R>, backend: Backend) {
    app.manage(backend);
    let early = lock(&app.state::<OpenedEarly>().0).take();
    if let Some(address) = early {
        open(app, address);
    }
}

/// Task that serves later instances.
struct Listening(JoinHandle<()>);

/// Ends the listening: from now on a later instance waits for the end of this one instead of handing it a link that
/// would be lost.
fn stop_listening<R: Runtime>(app: &AppHandle<R>) {
    if let Some(listening) = app.try_state::<Listening>() {
        listening.0.abort();
    }
}

/// Returns the link or file that the app was started with. Linux and Windows pass both as an argument; macOS sends an
/// event. The packages register `sonde:` with the system (`plugins.deep-link` of `tauri.conf.json`). The rest of
/// that plugin's work is done here, by the mechanism that also serves a second start.
fn opened() -> Option<String> {
    address(&std::env::args_os().nth(1)?)
}

/// Reads an argument as a `sonde:` link, or as an existing file, which becomes a `file:` address.
fn address(argument: &OsStr) -> Option<String> {
    let url = argument.to_str().and_then(|text| Url::parse(text).ok());
    let path = match &url {
        Some(url) if url.scheme() == "sonde" => return argument.to_str().map(str::to_owned),
        Some(url) if url.scheme() == "file" => url.to_file_path().ok()?,
        // A path, which looks like an address with a scheme on Windows.
        _ => PathBuf::from(argument),
    };
    // A link of the file system stands for the file that it leads to.
    let file = path.canonicalize().ok().filter(|path| path.is_file())?;
    Url::from_file_path(file).ok().map(String::from)
}

async fn end(app: &AppHandle) {
    stop_listening(app);
    if let Some(places) = app.try_state::<Arc<Places>>() {
        let places = places.inner().clone();
        let saved = tauri::async_runtime::spawn_blocking(move || places.save()).await;
        if let Err(error) = saved {
            tracing::warn!(%error, "the place of the window was not saved");
        }
    }
    if let Some(backend) = app.try_state::<Backend>() {
        backend.shutdown().await;
    }
}

/// Logs when a step of the start was reached, for `cargo xtask bench --only start`.
fn mark(step: &str, at: f64) {
    tracing::debug!(target: "start", step, at);
}

/// Builds the app without a window, also for tests on Tauri's mock runtime.
pub(crate) fn builder<R: Runtime>(builder: tauri::Builder<R>, began: f64) -> tauri::Builder<R> {
    #[cfg(target_os = "macos")]
    let builder = builder.on_web_content_process_terminate(|webview| {
        page::ended(webview.app_handle(), AppEnd::PageEnded, "terminated")
    });
    #[cfg(target_os = "linux")]
    let builder = builder.register_uri_scheme_protocol(apps::SCHEME, |context, request| {
        apps::serve(context.app_handle(), &request)
    });
    #[cfg(target_os = "linux")]
    let builder = builder.manage(Arc::<page_network::Reachable>::default());
    builder
        .plugin(tauri_plugin_shell::init())
        .manage(Ends::default())
        .manage(OpenedEarly::default())
        .invoke_handler(commands::handler())
        .setup(move |app| {
            let data_folder = data_folder(app)?;
            // Before anything that may have to be logged.
            app.manage(diagnostics::start(&data_folder));
            let mut first = match tauri::async_runtime::block_on(instance::claim(
                &data_folder,
                opened().as_deref(),
            )) {
                Ok(Instance::First(first)) => first,
                Ok(Instance::Second) => std::process::exit(0),
                Err(error) => {
                    eprintln!(
                        "Sonde is already running with the data folder {}, and does not answer: {error}",
                        data_folder.display()
                    );
                    std::process::exit(1);
                }
            };
            mark("main", began);
            mark("data folder claimed", now_millis());
            let places = Arc::new(Places::load(&data_folder));
            app.manage(places.clone());
            let mut options = Options::new(data_folder);
            options.lock = first.lock.take();
            options.demo = platform::demo_program(app.handle());
            let desktop = Arc::new(platform::Desktop::new(app.handle().clone()));
            options.host = desktop.clone();
            options.watchdog = platform::helper_program();
            options.validation_worker = options.watchdog.clone();
            options.from_desktop = platform::started_from_desktop();
            if apps::address("").is_ok() {
                let declared = [mcp_apps::EXTENSION, mcp_apps::SETTINGS].map(str::to_owned);
                options.extensions.push(declared.into());
            }
            // Runs while the window is created, which takes longer. Nothing reaches the page before this closure has
            // ended.
            let opening = tauri::async_runtime::spawn(async {
                let backend = Backend::open(options).await;
                mark("backend open", now_millis());
                backend
            });
            let handle = app.handle().clone();
            let window = WebviewWindowBuilder::new(app, page::WINDOW, WebviewUrl::default())
                .title("Sonde")
                .inner_size(1280.0, 800.0)
                .min_inner_size(720.0, 480.0)
                // Shown below, once it is at its place.
                .visible(false)
                // The page cannot navigate away: addresses are opened in the browser, after the user has seen them.
                .on_navigation(move |url| {
                    platform::is_own_page(url) || apps::waits(&handle, url)
                })
                // The page handles dropped text itself.
                .disable_drag_drop_handler();
            #[cfg(target_os = "linux")]
            let window = {
                let window = window.initialization_script_for_all_frames(apps::FRAME_SCRIPT);
                match page_network::nowhere() {
                    Some(proxy) => window.proxy_url(proxy),
                    None => window,
                }
            };
            let window = window.build()?;
            mark("window made", now_millis());
            let backend = tauri::async_runtime::block_on(opening)?;
            let (zoom, dark) = backend.explorer().read(|state| {
                let settings = state.settings();
                (settings.zoom, settings.theme.dark())
            });
            provide(app.handle(), backend.clone());
            if let Some(address) = opened() {
                open(app.handle(), address);
            }
            page::watch(&window);
            #[cfg(target_os = "linux")]
            unresponsive::watch(app.handle());
            let last = places.last();
            if let Some(Err(error)) = last.map(|at| place::restore(&window, at)) {
                tracing::warn!(%error, "the window could not be brought to where it was");
            }
            let followed = window.clone();
            window.on_window_event(move |event| {
                places.follow(&followed, event);
                if let WindowEvent::CloseRequested { api, .. } = event {
                    api.prevent_close();
                    close(followed.clone(), backend.clone());
                }
            });
            if dark.is_some() {
                desktop.set_dark(dark);
            }
            window.show()?;
            desktop.set_zoom(zoom);
            let listening = tauri::async_runtime::spawn(first.listen(move |link| {
                show(&window);
                if let Some(link) = link {
                    open(window.app_handle(), link);
                }
            }));
            app.manage(Listening(listening));
            tauri::async_runtime::spawn(end_on_request(app.handle().clone()));
            #[cfg(target_os = "linux")]
            {
                tracing::info!(on = sandbox::is_on(), "WebKit's sandbox");
                tracing::info!(layers = !drawing::is_plain(), "WebKit's drawing");
            }
            tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
            Ok(())
        })
}

/// Hides the window, and closes it once its page has sent its unsaved text, or its time is over: a page that is slow on
/// a busy computer loses nothing.
fn close<R: Runtime>(window: tauri::WebviewWindow<R>, backend: Backend) {
    stop_listening(window.app_handle());
    if let Err(error) = window.hide() {
        tracing::warn!(%error, "the window could not be hidden");
    }
    tauri::async_runtime::spawn(async move {
        backend.before_close().await;
        if let Err(error) = window.destroy() {
            tracing::warn!(%error, "the window could not be closed");
            window.app_handle().exit(0);
        }
    });
}

/// Brings the window to the front after a second start of the app.
fn show<R: Runtime>(window: &tauri::WebviewWindow<R>) {
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be brought to the front");
    }
}

/// Ends the app like its window's close button when the system or a terminal requests it.
async fn end_on_request<R: Runtime>(app: AppHandle<R>) {
    match signals::end_requested().await {
        Ok(signal) => {
            tracing::info!(signal, "asked to end");
            stop_listening(&app);
            if let Some(backend) = app.try_state::<Backend>() {
                backend.before_close().await;
            }
            app.exit(0);
        }
        Err(error) => tracing::warn!(%error, "no signal can be heard"),
    }
}

/// Returns the data folder. `SONDE_DATA_DIR` lets tests and portable copies keep their data apart.
fn data_folder<R: Runtime>(app: &tauri::App<R>) -> tauri::Result<PathBuf> {
    match std::env::var_os("SONDE_DATA_DIR") {
        Some(folder) if !folder.is_empty() => Ok(PathBuf::from(folder)),
        _ => app.path().app_data_dir(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_link_that_starts_the_app_waits_for_the_backend() {
        let app = tauri::test::mock_app();
        app.manage(OpenedEarly::default());
        open(app.handle(), "sonde://add?name=early".to_owned());
        let folder = tempfile::tempdir().unwrap();
        let backend = Backend::open(Options::new(folder.path().to_owned())).await;
        provide(app.handle(), backend.clone());
        let offer = backend.explorer().take_offer().await.unwrap();
        assert_eq!(offer.as_deref(), Some("sonde://add?name=early"));
        backend.shutdown().await;
    }

    #[test]
    fn links_and_files_are_opened_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a demo.json");
        std::fs::write(&file, "{}").unwrap();
        let url = Url::from_file_path(file.canonicalize().unwrap()).unwrap();
        assert_eq!(address(file.as_os_str()).as_deref(), Some(url.as_str()));
        assert_eq!(
            address(url.as_str().as_ref()).as_deref(),
            Some(url.as_str())
        );
        let link = "sonde://add?name=A b&config=e30";
        assert_eq!(address(link.as_ref()).as_deref(), Some(link));
        let gone = folder.path().join("gone.json");
        for other in [
            gone.as_os_str(),
            folder.path().as_os_str(),
            "https://a.example/".as_ref(),
            "--help".as_ref(),
            "".as_ref(),
        ] {
            assert_eq!(address(other), None, "{}", other.display());
        }
    }
}
