//! Searches every place that a secret could have reached: files, the page, messages of the backend to the page, the
//! memory of the web processes, and the keyring, where it belongs.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sonde_tests::{
    processes::{self, Process},
    window::{Window, files},
};

/// Bytes of a process's memory to search at a time.
const PIECE: usize = 1 << 20;
/// The size of a page of memory.
const PAGE: u64 = 4096;

/// The two bits in the last byte of an entry of `/proc/<pid>/pagemap` that say that there is
/// something behind a page: in memory, or moved to the disk.
const HELD: u8 = 0b1100_0000;

/// A text that must not be found, in the shapes in which it could stand somewhere.
pub(crate) struct Canary(Vec<Vec<u8>>);

impl Canary {
    /// Of letters, digits and `-` alone, so that quoting for JSON, HTML or an address leaves it as
    /// it is.
    pub(crate) fn new(text: &str) -> Self {
        assert!(
            text.len() >= 12
                && text
                    .bytes()
                    .all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
        );
        let wide = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut shapes = vec![text.as_bytes().to_vec(), wide];
        // Inside a Basic header, at each of the three places where base64 can begin; the first and
        // the last characters depend on what stands around.
        for skip in 0..3 {
            let padded = format!("{}{text}", "x".repeat(skip));
            let encoded = STANDARD.encode(&padded);
            shapes
                .push(encoded.as_bytes()[4 * usize::from(skip > 0)..padded.len() / 3 * 4].to_vec());
        }
        Self(shapes)
    }

    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        self.0
            .iter()
            .any(|shape| memchr::memmem::find(bytes, shape).is_some())
    }

    /// The longest shape.
    fn width(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// No file below the app's own folder holds it, nor one below the folders that the desktop
    /// gives to programs.
    pub(crate) fn is_in_no_file(&self, data: &Path) -> Result<()> {
        let own = files(data)?;
        ensure!(
            own.iter().any(|path| path.ends_with("servers.json")),
            "the app wrote its files to {}",
            data.display()
        );
        let shared = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
            .iter()
            .filter_map(|name| std::env::var_os(name).map(PathBuf::from))
            .filter(|folder| folder.is_dir())
            .map(|folder| files(&folder))
            .collect::<Result<Vec<_>>>()?;
        for path in own.into_iter().chain(shared.into_iter().flatten()) {
            match fs::read(&path) {
                Ok(bytes) => ensure!(!self.is_in(&bytes), "{} holds the secret", path.display()),
                // Others write there as well, and take away what they wrote.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).context(path.display().to_string()),
            }
        }
        Ok(())
    }

    /// Neither the page as it stands nor what it keeps holds it.
    pub(crate) async fn is_not_in_page(&self, window: &Window) -> Result<()> {
        let page = window.js(DOCUMENT, vec![]).await?.to_string();
        ensure!(page.contains("<main"), "the page was read: {page}");
        ensure!(!self.is_in(page.as_bytes()), "the page holds the secret");
        Ok(())
    }

    /// Nothing that the page can ask the backend for holds it. Answers what was told, as text.
    pub(crate) async fn is_not_told(&self, window: &Window) -> Result<String> {
        let server = newest_server(window.data_folder())?;
        let told = window
            .client
            .execute_async(TOLD, vec![json!(server)])
            .await?;
        self.is_in_no_answer(&told)?;
        Ok(told.to_string())
    }

    /// Judges what [`TOLD`] returns: the name of each command, with its answer or its error.
    fn is_in_no_answer(&self, told: &Value) -> Result<()> {
        let answers = told.as_array().with_context(|| told.to_string())?;
        for answer in answers {
            ensure!(
                !self.is_in(answer.to_string().as_bytes()),
                "the backend tells the secret by {}",
                answer[0]
            );
        }
        for name in ["log_rows", "log_detail", "stored_secrets", "app_report"] {
            let has_answer = |told: &Value| told[0] == name && told[1]["error"].is_null();
            ensure!(
                answers.iter().any(has_answer),
                "{name} told nothing: {told}"
            );
        }
        Ok(())
    }

    /// The processes that show the page do not have it in their memory. `known` is a text that they
    /// must have, since it is on the screen: without it nothing was proved.
    pub(crate) fn is_not_in_memory(&self, window: &Window, known: &str) -> Result<()> {
        let known = Canary::new(known);
        let mut seen = false;
        let mut looked = 0;
        for process in web_processes(window)? {
            looked += 1;
            let mut memory = File::open(format!("/proc/{process}/mem"))?;
            for (from, to) in held(process)? {
                let mut at = from;
                while at < to {
                    // Pieces overlap, so that nothing hides where two meet.
                    let length = (PIECE + self.width()).min(usize::try_from(to - at)?);
                    let mut piece = vec![0; length];
                    memory.seek(SeekFrom::Start(at))?;
                    // It may have been given back meanwhile.
                    if memory.read_exact(&mut piece).is_ok() {
                        seen |= known.is_in(&piece);
                        ensure!(
                            !self.is_in(&piece),
                            "the memory of web process {process} holds the secret"
                        );
                    }
                    at += PIECE as u64;
                }
            }
        }
        ensure!(looked > 0 && seen, "{looked} web processes were looked at");
        Ok(())
    }

    /// The entries of the app in the keyring, seen from outside, that hold it.
    pub(crate) fn in_keyring(&self) -> Result<usize> {
        #[expect(clippy::disallowed_methods, reason = "a look from outside")]
        let found = std::process::Command::new("secret-tool")
            .args(["search", "--all", "--unlock", "service", "dev.sonde.app"])
            .output()?;
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        Ok(found
            .split("\n[")
            .filter(|entry| self.is_in(entry.as_bytes()))
            .count())
    }
}

/// The data folder, and all that the running app has in it, is its owner's alone.
pub(crate) fn is_private(data: &Path) -> Result<()> {
    let mut seen = Vec::new();
    let mut open = vec![data.to_owned()];
    while let Some(path) = open.pop() {
        let found = match fs::symlink_metadata(&path) {
            // A file that is being replaced has another name for a moment.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            found => found?,
        };
        if found.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        }
        let wanted = if found.is_dir() { 0o700 } else { 0o600 };
        let mode = found.permissions().mode() & 0o7777;
        ensure!(mode == wanted, "{} has mode {mode:o}", path.display());
        seen.push(path);
    }
    for name in ["servers.json", "instance.lock", "instance.sock", "logs"] {
        ensure!(seen.contains(&data.join(name)), "{name} is not in {seen:?}");
    }
    Ok(())
}

/// The id of the server that was added last.
fn newest_server(data: &Path) -> Result<String> {
    let saved: Value = serde_json::from_slice(&fs::read(data.join("servers.json"))?)?;
    saved["servers"]
        .as_array()
        .and_then(|servers| servers.last()?["id"].as_str().map(str::to_owned))
        .context("a server was saved")
}

/// The address range of a line of `/proc/<pid>/maps`, if a program can write there.
fn writable(line: &str) -> Option<(u64, u64)> {
    let mut parts = line.split(' ');
    let (from, to) = parts.next()?.split_once('-')?;
    let rights = parts.next()?;
    // Devices are no memory, and reading them can do harm.
    if !rights.starts_with("rw") || line.contains("/dev/") {
        return None;
    }
    Some((
        u64::from_str_radix(from, 16).ok()?,
        u64::from_str_radix(to, 16).ok()?,
    ))
}

/// The address ranges of a process that it can write to and that have memory behind them. A browser
/// reserves far more than that.
fn held(process: u32) -> Result<Vec<(u64, u64)>> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps"))?;
    let mut pages = File::open(format!("/proc/{process}/pagemap"))?;
    let mut found: Vec<(u64, u64)> = Vec::new();
    let mut entries = vec![0; 8 * 65_536];
    for (from, to) in maps.lines().filter_map(writable) {
        let mut at = from;
        while at < to {
            let count = usize::try_from((to - at) / PAGE)?.min(65_536);
            pages.seek(SeekFrom::Start(at / PAGE * 8))?;
            pages.read_exact(&mut entries[..8 * count])?;
            for block in entries[..8 * count].chunks(8 * 512) {
                // Most of what is reserved was never touched: all entries are the same.
                if block[7] & HELD == 0 && block[8..] == block[..block.len() - 8] {
                    at += PAGE * (block.len() as u64 / 8);
                    continue;
                }
                for entry in block.chunks_exact(8) {
                    if entry[7] & HELD != 0 {
                        match found.last_mut() {
                            Some(last) if last.1 == at => last.1 += PAGE,
                            _ => found.push((at, at + PAGE)),
                        }
                    }
                    at += PAGE;
                }
            }
        }
    }
    Ok(found)
}

/// The processes of a window that WebKit shows a page with. The driver is none of them: the page's own
/// text passes through it on its way here.
fn web_processes(window: &Window) -> Result<Vec<u32>> {
    let below = processes::below(window.process().pid)?.into_iter();
    let of_webkit = |process: &Process| {
        std::fs::read_to_string(format!("/proc/{}/comm", process.pid))
            .is_ok_and(|name| name.starts_with("WebKit"))
    };
    Ok(below.filter(of_webkit).map(|process| process.pid).collect())
}

/// Everything in the page: its source, what fields hold, and its storages.
const DOCUMENT: &str = "
const storage = (kept) => Object.entries(kept);
return [
  document.documentElement.outerHTML,
  document.body.innerText,
  [...document.querySelectorAll('input, textarea')].map((field) => field.value),
  storage(localStorage), storage(sessionStorage), document.cookie, location.href, JSON.stringify(history.state),
];";

/// Everything that the commands of the window tell about a server, its calls and the app.
const TOLD: &str = "
const [server, done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
const told = [];
const ask = async (name, args) => {
  try {
    const answer = await invoke(name, args);
    told.push([name, answer]);
    return answer;
  } catch (error) {
    told.push([name, { error }]);
    return null;
  }
};
const read = async (source) => {
  const document = await ask('open_document', { source, mode: 'raw', columns: 1000000 });
  if (!document) return;
  await ask('document_rows', { document: document.document, from: 0, count: 1000 });
  await ask('close_document', { document: document.document });
};
(async () => {
  const filter = { text: '', kinds: [], methods: [], operation: null, out: null, findings_only: false };
  const log = await ask('open_log', { server, filter });
  for (let from = 0; from < log.rows; from += 100) {
    for (const { seq } of await ask('log_rows', { view: log.view, epoch: log.epoch, from, count: 100 }) ?? []) {
      await ask('log_detail', { server, seq });
      await ask('log_curl', { server, seq });
      await read({ type: 'log_entry', server, seq });
    }
  }
  await ask('close_log', { view: log.view });
  for (let step = 1; step <= 100; step += 1) await ask('auth_exchange', { server, step });
  for (let operation = 1; operation <= 20; operation += 1) {
    for (const type of ['structured', 'answer', 'arguments']) await read({ type, operation });
    await read({ type: 'content', operation, index: 0 });
    await ask('operation_messages', { operation, from: 0, count: 100 });
  }
  await ask('stored_secrets', {});
  await ask('app_report', {});
})().then(() => done(told), (error) => done({ error: String(error) }));";

#[test]
fn only_answers_without_the_secret_prove_that_it_is_not_told() {
    let canary = Canary::new("canary-7f3a9c51e2");
    let all = ["log_rows", "log_detail", "stored_secrets", "app_report"];
    let told = |answer: Value| -> Value { all.map(|name| json!([name, answer])).to_vec().into() };
    assert!(canary.is_in_no_answer(&told(json!([1]))).is_ok());
    for wrong in [
        told(json!("canary-7f3a9c51e2")),
        told(json!({ "error": "no such command" })),
        json!(["TypeError"]),
        json!({ "error": "TypeError" }),
    ] {
        assert!(canary.is_in_no_answer(&wrong).is_err(), "{wrong}");
    }
}
