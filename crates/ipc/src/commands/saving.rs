//! The commands that save a file for the user.

use std::{
    fs::{File, Metadata, OpenOptions},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use sonde_explorer::{
    Error, SavePlace, blocking,
    diagnosis::ReportFormat,
    log::WireLog,
    operations::{DocumentSource, OperationNumber},
    servers::ServerId,
};
use sonde_record::document::DocumentBody;
use time::OffsetDateTime;

use super::file_name::file_stem;
use crate::{
    backend::Backend,
    error::{ErrorCode, IpcError},
    presentation::ExportedPresentation,
};

/// Extension of a presentation's file.
const PRESENTATION: &str = "sonde.yaml";

impl Backend {
    /// Saves a document, or the decoded data of a content block, in a file that the user chooses. Returns its path;
    /// `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`, `Storage`.
    pub async fn save_document(&self, source: DocumentSource) -> Result<Option<String>, IpcError> {
        let found = self.explorer().read_document(&source).await?;
        let stem = self.stem_of(&source);
        let extension = extension(&found.body, found.mime_type.as_deref());
        self.save(stem, extension, move |file| {
            file.write_all(found.body.bytes())
        })
        .await
    }

    /// Saves the current wire log of a server, without its secrets, in a file that the user chooses: a line of JSON for
    /// each entry. Returns its path; `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`, `Storage`.
    pub async fn save_log(&self, server: ServerId) -> Result<Option<String>, IpcError> {
        let log = self.explorer().log(&server)?;
        self.save_frames(&server, log, "wire log").await
    }

    /// Saves the last diagnosis of a server as one page, without secrets, in a file that the user chooses. Returns its
    /// path; `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`, `Storage`.
    pub async fn save_diagnosis(
        &self,
        server: ServerId,
        format: ReportFormat,
    ) -> Result<Option<String>, IpcError> {
        let name = self.server_name(&server);
        let page = self.explorer().diagnosis_report(server, format).await?;
        let extension = match format {
            ReportFormat::Markdown => "md",
            ReportFormat::Html => "html",
        };
        let stem = file_stem(&name, "Server", &dated("diagnosis"));
        self.save(stem, extension, move |file| file.write_all(page.as_bytes()))
            .await
    }

    /// Saves the frames of the last diagnosis of a server, without its secrets, in a file that the user chooses: a line
    /// of JSON for each entry. Returns its path; `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`, `Storage`.
    pub async fn save_diagnosis_log(&self, server: ServerId) -> Result<Option<String>, IpcError> {
        let log = self.explorer().diagnosis_log(&server)?;
        self.save_frames(&server, log, "diagnosis").await
    }

    async fn save_frames(
        &self,
        server: &ServerId,
        log: Arc<WireLog>,
        what: &str,
    ) -> Result<Option<String>, IpcError> {
        let name = self.server_name(server);
        let stem = file_stem(&name, "Server", &dated(what));
        self.save(stem, "mcplog", move |file| {
            let by = concat!("sonde/", env!("CARGO_PKG_VERSION"));
            log.export(by, &name, &mut BufWriter::new(file))
        })
        .await
    }

    /// Saves a client's text of [`export_server`](Self::export_server) in a file that the user chooses. Returns its
    /// path; `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a client that cannot have this server; `Storage`.
    pub async fn save_export(
        &self,
        server: ServerId,
        client: String,
    ) -> Result<Option<String>, IpcError> {
        let name = self.server_name(&server);
        let exported = self.explorer().export_server(server).await?;
        let exported = exported.into_iter().find(|one| one.client == client);
        let exported = exported.ok_or_else(|| Error::invalid("This client is not known."))?;
        let none = || Error::invalid(exported.problem.unwrap_or_default());
        let text = exported.text.ok_or_else(none)?;
        self.save(
            file_stem(&name, "Server", exported.name),
            exported.extension,
            move |file| file.write_all(text.as_bytes()),
        )
        .await
    }

    /// Saves a presentation with its saved inputs and servers, without secrets, in a file that the user chooses. Its
    /// path is `None` if the user cancelled.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` if the file would be too large; `Storage`.
    pub async fn export_presentation(
        &self,
        presentation: String,
    ) -> Result<ExportedPresentation, IpcError> {
        let exported = self.explorer().export_presentation(presentation).await?;
        let text = exported.text;
        let path = self
            .save(
                file_stem(&exported.title, "Presentation", ""),
                PRESENTATION,
                move |file| file.write_all(text.as_bytes()),
            )
            .await?;
        Ok(ExportedPresentation {
            path,
            notes: exported.notes,
        })
    }

    /// Shows a file that was saved since the start of the app in the system's file manager.
    ///
    /// # Errors
    /// `NotFound` for any other file; `Storage` if the system refused.
    pub async fn show_saved_file(&self, path: String) -> Result<(), IpcError> {
        let path = PathBuf::from(path);
        if !self.page(|page| page.saved.contains(&path)) {
            return Err(Error::NotFound("This file was not saved by Sonde.").into());
        }
        let host = self.explorer().host().clone();
        let shown = blocking(move || host.show_in_folder(&path)).await?;
        shown.map_err(|reason| IpcError {
            code: ErrorCode::Storage,
            message: "The folder could not be shown.".to_owned(),
            detail: Some(reason),
        })
    }

    /// Returns a file name for a document, without its extension: the tool of its run, or its server.
    fn stem_of(&self, source: &DocumentSource) -> String {
        let about = match (source, source.operation(), source.server()) {
            (DocumentSource::Definition { key, .. }, ..) => key.clone(),
            (_, Some(operation), _) => self.run_name(operation),
            (_, None, server) => server.map_or_else(String::new, |one| self.server_name(one)),
        };
        let what = match source {
            DocumentSource::Content { index: 0, .. } => "result",
            DocumentSource::Content { index, .. } => &format!("result, part {}", index + 1),
            DocumentSource::Structured { .. } => "result data",
            DocumentSource::Answer { .. } => "response",
            DocumentSource::Arguments { .. } | DocumentSource::RedactedArguments { .. } => {
                "arguments"
            }
            DocumentSource::Params { .. } => "further params",
            DocumentSource::Transcript { .. } => "messages",
            DocumentSource::Instructions { .. } => "instructions",
            DocumentSource::Capabilities { .. } => "capabilities",
            DocumentSource::ServerMeta { .. } => "_meta",
            DocumentSource::Definition { .. } => "definition",
            DocumentSource::LogEntry { seq, .. } | DocumentSource::LogData { seq, .. } => {
                &format!("message {seq}")
            }
        };
        file_stem(&about, "Sonde", what)
    }

    /// Returns the title or name of the tool of a run; empty if it has no name.
    fn run_name(&self, operation: OperationNumber) -> String {
        let name = self.explorer().read(|state| {
            state.operation(operation, |record| {
                let known = record.title.as_ref().or(record.target.as_ref());
                known.unwrap_or(&record.method).clone()
            })
        });
        name.unwrap_or_default()
    }

    /// Returns the user's name for a server; empty if the server is gone.
    fn server_name(&self, server: &ServerId) -> String {
        let name = self.explorer().read(|state| {
            let entry = state.servers().get(server);
            entry.map(|entry| entry.config.name.clone())
        });
        name.unwrap_or_default()
    }

    /// Writes a file that the user chooses; without a way to ask, one with a free name in the download folder.
    async fn save(
        &self,
        stem: String,
        extension: &'static str,
        write: impl FnOnce(&mut File) -> io::Result<()> + Send + 'static,
    ) -> Result<Option<String>, IpcError> {
        let failed = |message: &str, detail| IpcError {
            code: ErrorCode::Storage,
            message: message.to_owned(),
            detail,
        };
        let host = self.explorer().host().clone();
        let written = match host.choose_file(format!("{stem}.{extension}")).await {
            SavePlace::Nowhere => return Ok(None),
            SavePlace::File(path) => {
                let path = with_ending(path, extension);
                blocking(move || write_whole(path, write)).await?
            }
            SavePlace::Downloads => {
                let folder = host.download_folder();
                let folder = folder
                    .ok_or_else(|| failed("Sonde found no folder to save files in.", None))?;
                blocking(move || write_new(&folder, &stem, extension, write)).await?
            }
        };
        let path = written
            .map_err(|error| failed("The file could not be saved.", Some(error.to_string())))?;
        let shown = path.display().to_string();
        self.page(|page| page.saved.insert(path));
        Ok(Some(shown))
    }
}

/// Restores an extension of several parts, which dialogs take for a part of the name. Never returns an existing file,
/// since the user agreed to replace another one.
fn with_ending(path: PathBuf, ending: &str) -> PathBuf {
    let (Some(name), Some((_, last))) = (path.file_name(), ending.split_once('.')) else {
        return path;
    };
    let name = name.to_string_lossy();
    if name.ends_with(&format!(".{ending}")) {
        return path;
    }
    let stem = name.strip_suffix(&format!(".{last}")).unwrap_or(&name);
    let whole = path.with_file_name(format!("{stem}.{ending}"));
    // A link without a target is a file too.
    match whole.symlink_metadata() {
        Ok(_) => path,
        Err(_) => whole,
    }
}

/// Appends today's date to the content of a file's name.
fn dated(what: &str) -> String {
    let (year, month, day) = OffsetDateTime::now_utc().to_calendar_date();
    format!("{what} {year}-{:02}-{day:02}", u8::from(month))
}

/// Mode of a new file: frames and results may be private to the user.
#[cfg(unix)]
const OWN: u32 = 0o600;

/// Writes a file whole, or leaves the existing one unchanged. The content goes into a new file beside it, which is then
/// renamed: a symbolic link is replaced itself, and its target is not written. An existing file keeps its permissions,
/// which the new file gets before its content.
fn write_whole(
    path: PathBuf,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let before = std::fs::symlink_metadata(&path)
        .ok()
        .filter(Metadata::is_file)
        .map(|before| before.permissions());
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        options.mode(before.as_ref().map_or(OWN, |before| before.mode() & 0o777));
    }
    let name = |number| format!(".sonde-part-{number}");
    let (mut file, part) = new_file(folder, &mut options, name)?;
    let written = write(&mut file)
        // Restores permissions that the umask removed; on other systems all of them.
        .and_then(|()| match before {
            Some(before) => file.set_permissions(before),
            None => Ok(()),
        })
        .and_then(|()| file.sync_all());
    // Windows does not rename open files.
    drop(file);
    match written.and_then(|()| std::fs::rename(&part, &path)) {
        Ok(()) => Ok(path),
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            Err(error)
        }
    }
}

/// Writes a file that does not exist yet. Deletes a partial file.
fn write_new(
    folder: &Path,
    name: &str,
    extension: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWN);
    let (mut file, path) = new_file(folder, &mut options, |number| match number {
        1 => format!("{name}.{extension}"),
        _ => format!("{name} ({number}).{extension}"),
    })?;
    if let Err(error) = write(&mut file) {
        let _ = std::fs::remove_file(&path);
        return Err(error);
    }
    Ok(path)
}

/// Creates a file under the first of these names that is free; even a dangling symbolic link takes a name.
fn new_file(
    folder: &Path,
    options: &mut OpenOptions,
    name: impl Fn(u32) -> String,
) -> io::Result<(File, PathBuf)> {
    options.read(true).write(true).create_new(true);
    for number in 1..10_000 {
        let path = folder.join(name(number));
        match options.open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(
        "too many files with that name already exist",
    ))
}

/// Returns the usual extension of the file. Only harmless extensions: the type is the server's claim.
fn extension(body: &DocumentBody, mime_type: Option<&str>) -> &'static str {
    let mime = mime_type
        .and_then(|mime| mime.split(';').next())
        .map(str::trim);
    let known = match mime {
        Some("image/png") => Some("png"),
        Some("image/jpeg") => Some("jpg"),
        Some("image/gif") => Some("gif"),
        Some("image/webp") => Some("webp"),
        // Programs that open SVG files run their scripts.
        Some("image/svg+xml") => Some("svg.txt"),
        Some("audio/wav" | "audio/x-wav" | "audio/wave") => Some("wav"),
        Some("audio/mpeg") => Some("mp3"),
        Some("audio/ogg") => Some("ogg"),
        Some("audio/flac") => Some("flac"),
        Some("video/mp4") => Some("mp4"),
        Some("video/webm") => Some("webm"),
        Some("video/ogg") => Some("ogv"),
        Some("application/pdf") => Some("pdf"),
        Some("application/zip") => Some("zip"),
        Some("text/plain") => Some("txt"),
        Some("text/markdown") => Some("md"),
        Some("text/csv") => Some("csv"),
        Some("application/json") => Some("json"),
        _ => None,
    };
    known.unwrap_or(match body {
        DocumentBody::Json(_) | DocumentBody::JsonPart(_) => "json",
        DocumentBody::Text(text) if is_json(text) => "json",
        DocumentBody::Text(_) => "txt",
        DocumentBody::Bytes(_) => "bin",
    })
}

/// Returns true for an object or a list of JSON.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn saved_files_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = folder.path().join("Downloads");
        let mut names = Vec::new();
        for text in ["a", "b", "c"] {
            let write = |file: &mut File| file.write_all(text.as_bytes());
            let path = write_new(&downloads, "Read - result", "txt", write).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
        assert_eq!(
            names,
            [
                "Read - result.txt",
                "Read - result (2).txt",
                "Read - result (3).txt"
            ]
        );
    }

    #[test]
    fn an_ending_of_two_parts_survives_the_dialog() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken.sonde.yaml");
        std::fs::write(&taken, "").unwrap();
        for (chosen, ending, expected) in [
            ("demo.sonde.yaml", "sonde.yaml", "demo.sonde.yaml"),
            ("demo.yaml", "sonde.yaml", "demo.sonde.yaml"),
            ("demo", "sonde.yaml", "demo.sonde.yaml"),
            ("taken.yaml", "sonde.yaml", "taken.yaml"),
            ("demo", "json", "demo"),
        ] {
            let whole = with_ending(folder.path().join(chosen), ending);
            assert_eq!(whole, folder.path().join(expected));
        }
    }

    #[test]
    fn what_could_not_be_written_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |_: &mut File| Err(io::Error::other("no room"));
        assert!(write_new(folder.path(), "Read - result", "txt", write).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_was_chosen_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        for text in ["before", "after"] {
            let write = |file: &mut File| file.write_all(text.as_bytes());
            assert_eq!(write_whole(path.clone(), write).unwrap(), path);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let write = |file: &mut File| -> io::Result<()> {
            file.write_all(b"half")?;
            Err(io::Error::other("no room"))
        };
        assert!(write_whole(path.clone(), write).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Tests both the chosen name and the names of temporary files.
    #[cfg(unix)]
    #[test]
    fn nothing_is_written_where_a_link_leads() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let elsewhere = at("elsewhere");
        std::fs::write(&elsewhere, "theirs").unwrap();
        for link in ["mine.json", ".mine.json.sonde-part", ".sonde-part-1"] {
            symlink(&elsewhere, at(link)).unwrap();
        }
        symlink(at("nowhere"), at(".sonde-part-2")).unwrap();
        let write = |file: &mut File| file.write_all(b"mine");
        write_whole(at("mine.json"), write).unwrap();
        assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "theirs");
        assert!(!at("nowhere").exists());
        let mine = std::fs::symlink_metadata(at("mine.json")).unwrap();
        assert!(mine.is_file());
        assert_eq!(std::fs::read_to_string(at("mine.json")).unwrap(), "mine");
        symlink(&elsewhere, at("sonde-run-1.txt")).unwrap();
        let path = write_new(folder.path(), "sonde-run-1", "txt", write).unwrap();
        assert_eq!(path, at("sonde-run-1 (2).txt"));
        assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "theirs");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_only_the_users_to_read_stays_so_while_it_is_replaced() {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        std::fs::write(&path, "before").unwrap();
        // The second mode has more than a umask usually leaves.
        for mode in [0o600, 0o666] {
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let write = |file: &mut File| {
                let first = file.metadata()?.permissions().mode() & 0o777;
                assert_eq!(first & !mode, 0, "{first:o}");
                file.write_all(b"after")
            };
            write_whole(path.clone(), write).unwrap();
            let after = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(after & 0o777, mode);
        }
    }

    #[cfg(unix)]
    #[test]
    fn new_files_are_the_users_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &mut File| file.write_all(b"frames");
        let chosen = write_whole(folder.path().join("log.json"), write).unwrap();
        let dated = write_new(folder.path(), "log", "txt", write).unwrap();
        for path in [chosen, dated] {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", path.display());
        }
    }

    #[test]
    fn endings_follow_the_type_and_are_harmless() {
        let text = DocumentBody::Text(Arc::new("x".to_owned()));
        let json = DocumentBody::Text(Arc::new(" {}".to_owned()));
        let log = DocumentBody::Text(Arc::new("[info] started".to_owned()));
        for (body, mime, ending) in [
            (&text, None, "txt"),
            (&json, None, "json"),
            (&log, None, "txt"),
            (&json, Some("text/plain; charset=utf-8"), "txt"),
            (&text, Some("image/png; q=1"), "png"),
            (&text, Some("image/svg+xml"), "svg.txt"),
            (&text, Some("video/mp4"), "mp4"),
            (&text, Some("video/webm; codecs=vp9"), "webm"),
            (&text, Some("application/x-msdownload"), "txt"),
        ] {
            assert_eq!(extension(body, mime), ending);
        }
    }
}
