//! Content of results, as the terminal or a pipe gets it.

use std::{
    io::{self, IsTerminal as _},
    path::Path,
};

use sonde_client::operations::{
    ContentBlock, ContentKind, DocumentSource, OperationInput, OperationNumber, OperationOutcome,
    PromptResult,
};
use sonde_record::document::DocumentBody;

use crate::{
    console::{DIM, print, print_bytes, print_json, print_text, styled, visible},
    exit::{Exit, Failed, Result},
    session::Session,
};

/// Runs a request to its result. Prints that exactly as received if `json`, and hands it to `show` otherwise.
pub(crate) async fn ask(
    session: &Session,
    input: OperationInput,
    json: bool,
    show: impl AsyncFnOnce(OperationNumber, &[ContentBlock], Option<PromptResult>) -> Result<()>,
) -> Result<Exit> {
    let run = session.run(input).await?;
    let outcome = outcome(session, run)?;
    if json {
        print_answer(session, run)?;
    }
    if let Some(failed) = session.failure(&outcome) {
        return Err(failed);
    }
    match outcome {
        OperationOutcome::Result {
            is_error: true,
            content,
            ..
        } => {
            let mut said = Vec::new();
            for (index, block) in (0..).zip(&content) {
                let text = text_of(session, run, index, block).await?;
                let lines = text.iter().flat_map(|text| text.lines());
                said.extend(lines.map(str::to_owned));
            }
            Err(Failed::new(Exit::ErrorResponse, "The tool reported a failure.").more(said))
        }
        OperationOutcome::Result {
            content, prompt, ..
        } => {
            if !json {
                show(run, &content, prompt).await?;
            }
            if content.is_empty() && structured(session, run).await.is_none() {
                session.console.note("note: The result has no content.");
            }
            Ok(Exit::Success)
        }
        _ => Ok(Exit::Incomplete),
    }
}

/// Prints the exact JSON of a response; an error is `{"error": …}`.
fn print_answer(session: &Session, run: OperationNumber) -> Result<()> {
    let (result, error) =
        session.record(run, |record| (record.result.clone(), record.error.clone()))?;
    match (result, error) {
        (Some(result), _) => print_json(result.get()),
        (None, Some(error)) => print_json(&format!("{{\"error\":{error}}}")),
        (None, None) => {}
    }
    Ok(())
}

/// The outcome of a finished run.
pub(crate) fn outcome(session: &Session, run: OperationNumber) -> Result<OperationOutcome> {
    let outcome = session.record(run, |record| record.outcome.clone())?;
    outcome.ok_or_else(|| Failed::incomplete("The run ended without an outcome."))
}

/// Prints the content blocks of a result: text unchanged, other content as a line. A result with only structured
/// content is printed as JSON.
pub(crate) async fn print_content(
    session: &Session,
    run: OperationNumber,
    content: &[ContentBlock],
) -> Result<()> {
    if content.is_empty()
        && let Some(body) = structured(session, run).await
    {
        print_json(&String::from_utf8_lossy(body.bytes()));
    }
    print_blocks(session, run, content, 0).await
}

/// The structured content of a result.
async fn structured(session: &Session, run: OperationNumber) -> Option<DocumentBody> {
    let source = DocumentSource::Structured { operation: run };
    let document = session.connection.read_document(&source).await;
    document.ok().map(|document| document.body)
}

/// Prints blocks, the first of which has this index in the result.
pub(crate) async fn print_blocks(
    session: &Session,
    run: OperationNumber,
    content: &[ContentBlock],
    first: u32,
) -> Result<()> {
    for (index, block) in (first..).zip(content) {
        match text_of(session, run, index, block).await? {
            Some(text) => print_text(&text),
            None => print(&styled(DIM, placeholder(block))),
        }
    }
    Ok(())
}

/// The whole text of a block; `None` for other content.
async fn text_of(
    session: &Session,
    run: OperationNumber,
    index: u32,
    block: &ContentBlock,
) -> Result<Option<String>> {
    if !matches!(block.kind, ContentKind::Text | ContentKind::EmbeddedText) {
        return Ok(None);
    }
    if let Some(text) = &block.text {
        return Ok(Some(text.clone()));
    }
    let body = body(session, run, index).await?;
    Ok(Some(String::from_utf8_lossy(body.bytes()).into_owned()))
}

/// The bytes of a block.
async fn body(session: &Session, run: OperationNumber, index: u32) -> Result<DocumentBody> {
    let source = DocumentSource::Content {
        operation: run,
        index,
    };
    Ok(session.connection.read_document(&source).await?.body)
}

/// Returns a line that represents content other than text.
fn placeholder(block: &ContentBlock) -> String {
    let kind = match block.kind {
        ContentKind::Image => "image",
        ContentKind::Audio => "audio",
        ContentKind::ResourceLink => "link",
        ContentKind::EmbeddedText | ContentKind::EmbeddedBlob => "resource",
        ContentKind::Text => "text",
        ContentKind::Unknown => "unknown content",
    };
    let size = match block.kind {
        // Size according to the server.
        ContentKind::ResourceLink => block.details.as_ref().and_then(|details| details.size),
        _ => Some(block.bytes).filter(|bytes| *bytes > 0),
    };
    let parts = [
        block.uri.clone(),
        block.title.clone(),
        block.mime_type.clone(),
        size.map(|bytes| format!("{bytes} bytes")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    visible(&format!("[{kind}: {}]", parts.join(", ")))
}

/// Writes the contents of a resource: to a file, into a pipe as they are, text to a terminal.
pub(crate) async fn write_contents(
    session: &Session,
    run: OperationNumber,
    content: &[ContentBlock],
    output: Option<&Path>,
) -> Result<()> {
    let to_terminal = output.is_none() && io::stdout().is_terminal();
    if content.len() > 1 && !to_terminal {
        let note = "note: The resource has several contents, which follow each other.";
        session.console.note(note);
    }
    let mut all = Vec::new();
    for (index, block) in (0..).zip(content) {
        let is_text = block.kind == ContentKind::EmbeddedText;
        if to_terminal && !is_text {
            print(&styled(DIM, placeholder(block)));
            session.console.say(
                "Binary content is not shown on a terminal; write it to a file with --output.",
            );
            continue;
        }
        let body = body(session, run, index).await?;
        match to_terminal {
            true => print_text(&String::from_utf8_lossy(body.bytes())),
            false => all.extend_from_slice(body.bytes()),
        }
    }
    match output {
        Some(path) => std::fs::write(path, &all).map_err(|error| Failed::not_written(path, &error)),
        None => {
            print_bytes(&all);
            Ok(())
        }
    }
}
