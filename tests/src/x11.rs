//! The windows on the screen, as seen from outside their process. A window is closed as its user does it: by the
//! message that a window manager sends when the button in the title bar is pressed. No window manager runs on the
//! virtual screen of the tests. The clipboard is read and offered as other programs do.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use x11rb::{
    connection::Connection as _,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, MapState,
            PropMode, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

use crate::LIMIT;

/// Interval for polling whether the clipboard's text has arrived.
const LOOK: Duration = Duration::from_millis(20);

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        CLIPBOARD,
        INCR,
        SONDE_CLIPBOARD,
        TARGETS,
        _NET_WM_NAME,
        _NET_WM_PID,
        UTF8_STRING,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
    }
}

/// Asks every visible window of this process to close, and returns their number. GTK sets on each of its windows the
/// process id and a mark that the window supports the request.
pub(crate) fn close_windows(pid: u32) -> Result<usize> {
    let (screen, atoms, windows) = windows(pid)?;
    for window in &windows {
        let message = ClientMessageEvent::new(
            32,
            *window,
            atoms.WM_PROTOCOLS,
            [atoms.WM_DELETE_WINDOW, x11rb::CURRENT_TIME, 0, 0, 0],
        );
        screen.send_event(false, *window, EventMask::NO_EVENT, message)?;
    }
    screen.flush()?;
    // Once any request has a response, the message was sent before it.
    screen.get_input_focus()?.reply()?;
    Ok(windows.len())
}

/// Returns the titles of this process's windows on the screen.
pub(crate) fn titles(pid: u32) -> Result<Vec<String>> {
    let (screen, atoms, windows) = windows(pid)?;
    let mut titles = Vec::new();
    for window in windows {
        let name =
            screen.get_property(false, window, atoms._NET_WM_NAME, atoms.UTF8_STRING, 0, 256)?;
        if let Ok(name) = name.reply() {
            titles.push(String::from_utf8_lossy(&name.value).into_owned());
        }
    }
    Ok(titles)
}

/// Finds the windows of this process that are visible and support the request to close.
fn windows(pid: u32) -> Result<(RustConnection, Atoms, Vec<Window>)> {
    let (screen, place) = x11rb::connect(None).context("connecting to the screen")?;
    let atoms = Atoms::new(&screen)?.reply()?;
    let root = screen.setup().roots[place].root;
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(window) = open.pop() {
        // Windows come and go meanwhile: a window that cannot be queried no longer exists.
        if let Ok(tree) = screen.query_tree(window)?.reply() {
            open.extend(tree.children);
        }
        if window != root && closes(&screen, &atoms, window, pid)? {
            found.push(window);
        }
    }
    Ok((screen, atoms, found))
}

/// True if the window belongs to this process, is visible, and supports the request to close.
fn closes(screen: &RustConnection, atoms: &Atoms, window: Window, pid: u32) -> Result<bool> {
    let numbers = |property, kind| -> Result<Vec<u32>> {
        let reply = screen
            .get_property(false, window, property, kind, 0, 64)?
            .reply();
        Ok(reply
            .ok()
            .and_then(|reply| reply.value32().map(Iterator::collect))
            .unwrap_or_default())
    };
    Ok(numbers(atoms._NET_WM_PID, AtomEnum::CARDINAL)? == [pid]
        && numbers(atoms.WM_PROTOCOLS, AtomEnum::ATOM)?.contains(&atoms.WM_DELETE_WINDOW)
        && screen
            .get_window_attributes(window)?
            .reply()
            .is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE))
}

/// Returns the text in the clipboard as another program gets it; `None` if there is none. Blocks.
///
/// # Errors
///
/// If the owner of the text does not send it, or it is too long for one transfer.
pub(crate) fn clipboard() -> Result<Option<String>> {
    let (screen, atoms, window) = unseen_window()?;
    screen.convert_selection(
        window,
        atoms.CLIPBOARD,
        atoms.UTF8_STRING,
        atoms.SONDE_CLIPBOARD,
        x11rb::CURRENT_TIME,
    )?;
    screen.flush()?;
    let mut waited = Duration::ZERO;
    let property = loop {
        match screen.poll_for_event()? {
            Some(Event::SelectionNotify(answer)) => break answer.property,
            Some(_) => {}
            None if waited > *LIMIT => bail!("waited {LIMIT:?} for the text of the clipboard"),
            None => {
                std::thread::sleep(LOOK);
                waited += LOOK;
            }
        }
    };
    if property == x11rb::NONE {
        return Ok(None);
    }
    let text = screen
        .get_property(true, window, property, AtomEnum::ANY, 0, u32::MAX / 4)?
        .reply()?;
    ensure!(
        text.type_ != atoms.INCR,
        "the text of the clipboard comes in parts"
    );
    Ok(Some(String::from_utf8_lossy(&text.value).into_owned()))
}

/// Creates an invisible window of this process, for actions that need one.
fn unseen_window() -> Result<(RustConnection, Atoms, Window)> {
    let (screen, place) = x11rb::connect(None).context("connecting to the screen")?;
    let atoms = Atoms::new(&screen)?.reply()?;
    let window = screen.generate_id()?;
    screen.create_window(
        0,
        window,
        screen.setup().roots[place].root,
        0,
        0,
        1,
        1,
        0,
        WindowClass::INPUT_ONLY,
        x11rb::COPY_FROM_PARENT,
        &CreateWindowAux::new(),
    )?;
    Ok((screen, atoms, window))
}

/// A text in the clipboard, as if another program had copied it, until this is dropped.
pub struct Copied {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Copied {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Puts a text into the clipboard and sends it to programs that ask for it. Blocks until it is there.
///
/// # Errors
///
/// If the clipboard cannot be taken.
pub(crate) fn copy(text: &str) -> Result<Copied> {
    let (screen, atoms, window) = unseen_window()?;
    screen.set_selection_owner(window, atoms.CLIPBOARD, x11rb::CURRENT_TIME)?;
    let owner = screen.get_selection_owner(atoms.CLIPBOARD)?.reply()?.owner;
    ensure!(owner == window, "another program keeps the clipboard");
    let over = Arc::new(AtomicBool::new(false));
    let thread = std::thread::spawn({
        let (over, text) = (Arc::clone(&over), text.to_owned());
        move || {
            while !over.load(Ordering::Relaxed) {
                match screen.poll_for_event() {
                    Ok(Some(Event::SelectionRequest(request))) => {
                        // The program that asked may be gone.
                        let _ = hand_over(&screen, &atoms, &request, &text);
                    }
                    // Another program has copied something.
                    Ok(Some(Event::SelectionClear(_))) | Err(_) => return,
                    Ok(Some(_)) => {}
                    Ok(None) => std::thread::sleep(LOOK),
                }
            }
        }
    });
    let thread = Some(thread);
    Ok(Copied { over, thread })
}

/// Responds to a request for the text, or for its available types.
fn hand_over(
    screen: &RustConnection,
    atoms: &Atoms,
    request: &SelectionRequestEvent,
    text: &str,
) -> Result<()> {
    let SelectionRequestEvent {
        time,
        requestor,
        selection,
        target,
        property,
        ..
    } = *request;
    let answered = if target == atoms.TARGETS {
        let types = [atoms.TARGETS, atoms.UTF8_STRING];
        screen.change_property32(
            PropMode::REPLACE,
            requestor,
            property,
            AtomEnum::ATOM,
            &types,
        )?;
        property
    } else if target == atoms.UTF8_STRING {
        screen.change_property8(
            PropMode::REPLACE,
            requestor,
            property,
            target,
            text.as_bytes(),
        )?;
        property
    } else {
        x11rb::NONE
    };
    let answer = SelectionNotifyEvent {
        response_type: x11rb::protocol::xproto::SELECTION_NOTIFY_EVENT,
        sequence: 0,
        time,
        requestor,
        selection,
        target,
        property: answered,
    };
    screen.send_event(false, requestor, EventMask::NO_EVENT, answer)?;
    screen.flush()?;
    Ok(())
}
