//! Keeping a finished run as a check.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sonde_findings::Severity;
use sonde_suite::{
    edit::{self, SuiteText, escaped, insert_json},
    expect::{Baseline, judge},
    format::{ITEM_METHODS, Suite},
    observed::{End, Observed},
    run::{Stored, without_secrets},
};

use super::{
    folder::{invalid, storage},
    id::ids,
    open::NO_FILE,
    types::{CheckId, CheckOutcome, CheckedResult, NewCheck},
};
use crate::{
    Error, Explorer,
    core::Core,
    limits::NAME,
    log::Redaction,
    operations::{OperationNumber, OperationOutcome, OperationRecord},
    saved_inputs::{self, SavedInput},
    servers::{ServerEntry, ServerId, free_name},
};

/// The file of kept checks where the user names no other.
const FILE: &str = "checks.sonde.yaml";
const PRIVATE: &str =
    "The arguments have private values, such as a password, which must not be written to a file.";

/// The facts about a finished run that a check needs.
struct Run {
    server: ServerId,
    name: String,
    /// The run broke no rule of the protocol.
    clean: bool,
    /// The key of the tool in its list.
    key: Option<String>,
    /// The tool's schema refuses the arguments.
    send_anyway: bool,
    verb: Option<&'static str>,
    method: String,
    target: Option<String>,
    arguments: Option<String>,
    params: Option<String>,
    end: End,
    duration: Option<u64>,
}

impl Explorer {
    /// Returns a draft of a check from a finished run, prefilled with its outcome.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a run without a response, or with arguments that must not be written to a file.
    pub async fn check_draft(&self, operation: OperationNumber) -> Result<NewCheck, Error> {
        let run = self.run_to_keep(operation).await?;
        let connection = self.connection_of_operation(operation)?;
        let tool = run.key.as_ref().and_then(|key| connection.tool(key).ok());
        let tool = tool.as_ref().and_then(|item| item.tool());
        let has_schema = tool.is_some_and(|tool| tool.output_schema.is_some());
        let result: Option<Value> = match &run.end {
            End::Result(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let member = |name| result.as_ref().and_then(|result| result.get(name));
        let outcome = match &run.end {
            End::RpcError { .. } => CheckOutcome::RpcError,
            _ if member("isError") == Some(&Value::Bool(true)) => CheckOutcome::ToolError,
            _ => CheckOutcome::Done,
        };
        let ignore = member("_meta").map(|_| "/_meta".to_owned());
        Ok(NewCheck {
            operation,
            name: run.name.chars().take(NAME).collect(),
            outcome,
            no_findings: run.clean,
            result: match outcome {
                CheckOutcome::RpcError => CheckedResult::NotChecked,
                _ => CheckedResult::Same {
                    ignore: ignore.into_iter().collect(),
                },
            },
            can_contain: result.is_some(),
            schema: has_schema && member("structuredContent").is_some() && run.clean,
            has_schema,
            duration_factor: None,
            duration: run.duration,
            file: None,
        })
    }

    /// The step of a check as it will be written.
    ///
    /// # Errors
    /// Errors of [`Self::check_draft`]; `InvalidInput` for an invalid expectation.
    pub async fn preview_check(&self, draft: NewCheck) -> Result<String, Error> {
        let run = self.run_to_keep(draft.operation).await?;
        yaml(&step(&draft, &run)?)
    }

    /// Adds a check to a suite of the server's folder, with the result of its run as the value to compare with. Creates
    /// the file if necessary.
    ///
    /// # Errors
    /// Errors of [`Self::preview_check`]; `InvalidInput` for a file that is not a suite of the folder.
    pub async fn keep_check(&self, draft: NewCheck) -> Result<CheckId, Error> {
        let run = self.run_to_keep(draft.operation).await?;
        self.write_check(draft, run).await
    }

    /// Adds a saved input of a tool to the server's checks. The check expects a result without an error, and compares
    /// nothing.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for an input that must not be written to a file, and when the file cannot be written.
    pub async fn add_input_to_checks(&self, input: String) -> Result<CheckId, Error> {
        let input = self
            .core
            .state(|state| state.saved_inputs.get(&input).cloned());
        let input = input.ok_or(saved_inputs::GONE)?;
        let run = self.to_keep(Run::of_input(input)?).await?;
        let draft = NewCheck {
            name: run.name.clone(),
            ..NewCheck::default()
        };
        self.write_check(draft, run).await
    }

    async fn write_check(&self, draft: NewCheck, run: Run) -> Result<CheckId, Error> {
        let server = run.server.clone();
        let entry = self.core.server(&server)?;
        let connection = self.core.connection(&server)?;
        let secrets = self.core.known_secrets(&entry, &connection).await?;
        self.with_checks(server.clone(), move |core, held| {
            let mut folder = core.checks_folder(&server, held);
            if let Some(problem) = folder.problem {
                return Err(Error::invalid(problem));
            }
            let wanted = draft.file.as_deref().unwrap_or(FILE);
            let mut files = folder.files.iter();
            let file = match files.position(|one| one.file == wanted) {
                Some(place) => folder.files.swap_remove(place),
                None if draft.file.is_some() => return Err(NO_FILE),
                None => {
                    let named = !folder.own && folder.files.is_empty();
                    let named = named.then(|| name_in_list(core, &entry)).flatten();
                    folder.new_file(FILE, new_suite(&entry, named))?
                }
            };
            let (mut text, mut stored) = (file.edit()?, file.stored());
            let mut step = step(&draft, &run)?;
            name_snapshot(&mut step, text.text(), &stored);
            text.append(&step).map_err(invalid)?;
            let suite = file.parse(text.text())?;
            // Before the step, so that it never waits for its values.
            store_values(&suite, &run, &mut stored, &secrets).map_err(storage)?;
            file.write(text.text())?;
            Ok(ids(&file.file, &suite).swap_remove(suite.steps.len() - 1))
        })
        .await
    }

    async fn run_to_keep(&self, operation: OperationNumber) -> Result<Run, Error> {
        let connection = self.connection_of_operation(operation)?;
        let run = connection.read(|state| match state.operations.get(operation) {
            Some(record) => Run::new(record),
            None => Err(Error::NoOperation(operation)),
        })?;
        self.to_keep(run).await
    }

    /// Refuses a request with a secret, and notes if the tool's schema refuses its arguments.
    async fn to_keep(&self, mut run: Run) -> Result<Run, Error> {
        let entry = self.core.server(&run.server)?;
        let connection = self.core.connection(&run.server)?;
        let secrets = self.core.known_secrets(&entry, &connection).await?;
        let parts = [&run.arguments, &run.params, &run.target];
        let has_secret = |text: &str| secrets.iter().any(|one| one.text(text) != text);
        if parts.into_iter().flatten().any(|text| has_secret(text)) {
            return Err(Error::invalid(
                "The request contains a secret of this server, which must not be written to a file. Write the check \
                 by hand, with ${secrets.NAME} in place of the secret.",
            ));
        }
        if let (Some("call"), Some(key), Some(arguments)) = (run.verb, &run.key, &run.arguments) {
            let checked = connection
                .validate_arguments(key.clone(), arguments.clone())
                .await;
            run.send_anyway = checked.is_ok_and(|check| !check.problems.is_empty());
        }
        Ok(run)
    }
}

impl Run {
    fn new(record: &OperationRecord) -> Result<Self, Error> {
        if record.private {
            return Err(Error::invalid(PRIVATE));
        }
        let end = match &record.outcome {
            Some(OperationOutcome::Result { .. }) => {
                let result = record.result.as_ref();
                let result =
                    result.ok_or(Error::NotFound("The result of this run is not kept."))?;
                End::Result(result.get().to_owned())
            }
            Some(OperationOutcome::ProtocolError {
                code,
                message,
                data,
                ..
            }) => End::RpcError {
                code: *code,
                message: message.clone(),
                data: data.clone(),
            },
            _ => {
                return Err(Error::invalid(
                    "Only a run with a response can be kept as a check.",
                ));
            }
        };
        let has_target = record.target.is_some();
        // `target` in the record may be cut.
        let target = match record.method.as_str() {
            "resources/read" => &record.input.target,
            _ => &record.target,
        };
        let name = record.label.name.as_ref().or(target.as_ref());
        Ok(Self {
            server: record.server.clone(),
            name: name.unwrap_or(&record.method).clone(),
            clean: is_clean(record),
            key: record.key.clone(),
            send_anyway: false,
            verb: verb(&record.method).filter(|_| has_target),
            method: record.method.clone(),
            target: target.clone(),
            arguments: record.arguments.as_ref().map(|text| text.to_string()),
            params: record.params.as_ref().map(|text| text.to_string()),
            end,
            duration: record.micros,
        })
    }

    /// The call of a saved input. It was not sent.
    fn of_input(input: SavedInput) -> Result<Self, Error> {
        if input.private {
            return Err(Error::invalid(PRIVATE));
        }
        Ok(Self {
            server: input.server,
            name: input.name,
            clean: false,
            key: Some(input.target.clone()),
            send_anyway: false,
            verb: verb(&input.method),
            method: input.method,
            target: Some(input.target),
            arguments: Some(input.arguments),
            params: None,
            end: End::NotSent,
            duration: None,
        })
    }
}

/// The key of a step that calls this method.
fn verb(method: &str) -> Option<&'static str> {
    let mut verbs = ITEM_METHODS.iter();
    verbs.find(|(of, _)| *of == method).map(|(_, verb)| *verb)
}

/// True if a run broke no rule of the protocol.
fn is_clean(record: &OperationRecord) -> bool {
    let Some(outcome) = &record.outcome else {
        return false;
    };
    let severe = |severity: Severity| severity != Severity::Info;
    let is_invalid = match outcome {
        OperationOutcome::Result {
            structured: Some(structured),
            ..
        } => !structured.problems.is_empty(),
        _ => false,
    };
    record.message_issues == 0 && !is_invalid && !outcome.findings().any(|one| severe(one.severity))
}

/// The keys of a step.
fn step(draft: &NewCheck, run: &Run) -> Result<Map<String, Value>, Error> {
    let name = draft.name.trim();
    if name.is_empty() || name.chars().count() > NAME {
        let message = format!("Enter a name of at most {NAME} characters.");
        return Err(Error::invalid_field("name", message));
    }
    let mut step = Map::new();
    step.insert("name".to_owned(), name.into());
    match (run.verb, &run.target) {
        (Some(verb), Some(target)) => {
            step.insert(verb.to_owned(), target.as_str().into());
            if let Some(arguments) = run.arguments.as_deref().filter(|_| verb != "read") {
                insert_json(&mut step, "with", arguments);
            }
            if let Some(params) = &run.params {
                let params: Value = serde_json::from_str(params).unwrap_or_default();
                if let Some(meta) = params.get("_meta") {
                    step.insert("meta".to_owned(), meta.clone());
                }
            }
        }
        _ => {
            let mut raw = Map::new();
            raw.insert("method".to_owned(), run.method.as_str().into());
            if let Some(params) = &run.params {
                insert_json(&mut raw, "params", params);
            }
            step.insert("raw".to_owned(), raw.into());
        }
    }
    let expect = expect(draft, run);
    if !expect.is_empty() {
        step.insert("expect".to_owned(), expect.into());
    }
    let Value::Object(mut step) = escaped(step.into()) else {
        return Err(Error::internal("a step is not an object"));
    };
    if run.send_anyway {
        step.insert("send-anyway".to_owned(), true.into());
    }
    Ok(step)
}

fn expect(draft: &NewCheck, run: &Run) -> Map<String, Value> {
    let mut expect = Map::new();
    let mut add = |key: &str, value: Value| expect.insert(key.to_owned(), value);
    match (draft.outcome, &run.end) {
        (CheckOutcome::Done, _) => {}
        (CheckOutcome::ToolError, _) => drop(add("error", true.into())),
        (CheckOutcome::RpcError, End::RpcError { code, .. }) => {
            add("rpc-error", json!({ "code": code }));
        }
        (CheckOutcome::RpcError, _) => drop(add("rpc-error", true.into())),
    }
    match &draft.result {
        CheckedResult::NotChecked => {}
        CheckedResult::Same { ignore } => {
            add("result", json!({ "snapshot": slug(&draft.name) }));
            if !ignore.is_empty() {
                add("ignore", json!(ignore));
            }
        }
        CheckedResult::Contains { text } => drop(add("text", json!({ "contains": text }))),
    }
    if draft.schema && draft.has_schema {
        add("schema", "valid".into());
    }
    if let Some(factor) = draft.duration_factor {
        add("duration", json!({ "factor": factor }));
    }
    if draft.no_findings {
        add("findings", "none".into());
    }
    expect
}

/// The lines of a step in a suite.
fn yaml(step: &Map<String, Value>) -> Result<String, Error> {
    let mut text = SuiteText::new(FILE, "sonde: 1\nsteps: []\n").map_err(invalid)?;
    text.append(step).map_err(invalid)?;
    text.step(0).map(str::to_owned).map_err(invalid)
}

/// The text of a new suite; `named` is the server's name where the suite is to have it.
fn new_suite(entry: &ServerEntry, named: Option<String>) -> String {
    let name = format!("Checks of {}", entry.config.name);
    let mut keys = Map::from_iter([("name".to_owned(), name.into())]);
    if let Some(named) = named {
        keys.insert("server".to_owned(), named.into());
    }
    edit::suite_text(&keys, &[])
}

/// Returns the name of a server if it is unique in the list.
fn name_in_list(core: &Core, entry: &ServerEntry) -> Option<String> {
    let name = &entry.config.name;
    let same = |one: &&ServerEntry| one.config.name == *name;
    let count = core.state(|state| state.servers.iter().filter(same).count());
    (count == 1).then(|| name.clone())
}

/// A snapshot's name that neither the suite nor its stored values have.
fn name_snapshot(step: &mut Map<String, Value>, suite: &str, stored: &Stored) {
    let name = step
        .get_mut("expect")
        .and_then(|expect| expect.get_mut("result")?.get_mut("snapshot"));
    let Some(Value::String(name)) = name else {
        return;
    };
    let is_taken = |name: &str| {
        let used = format!("snapshot: {name}");
        suite.match_indices(used.as_str()).any(|(at, _)| {
            let behind = suite[at + used.len()..].chars().next();
            behind.is_none_or(|c| !c.is_alphanumeric() && c != '-')
        }) || stored.has_snapshot(name)
    };
    *name = free_name(name, "-", is_taken);
}

/// A name as the name of a file.
fn slug(name: &str) -> String {
    let start: String = name.to_ascii_lowercase().chars().take(60).collect();
    let words = start.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    match words.join("-") {
        slug if slug.is_empty() => "result".to_owned(),
        // YAML would read a bare number as a number.
        slug if slug.starts_with(|c: char| c.is_ascii_digit()) => format!("result-{slug}"),
        slug => slug,
    }
}

/// Stores the values of the last step as its run returned them.
fn store_values(
    suite: &Suite,
    run: &Run,
    stored: &mut Stored,
    secrets: &[Redaction],
) -> std::io::Result<()> {
    let Some(step) = suite.steps.last() else {
        return Ok(());
    };
    let observed = Observed {
        end: run.end.clone(),
        ..Observed::default()
    };
    let hide = |text: &str| {
        let all = secrets.iter();
        all.fold(text.to_owned(), |text, one| without_secrets(&text, one))
    };
    let baseline = Baseline {
        snapshot: &|_| Ok(None),
        duration: Ok(None),
        hide: &hide,
    };
    for snapshot in judge(step, &observed, &baseline).snapshots {
        stored.put_snapshot(&snapshot.name, &snapshot.text)?;
    }
    if let (Some(_), Some(micros)) = (&step.expect.duration_factor, run.duration) {
        stored.put_duration(&step.duration_key(), Duration::from_micros(micros))?;
    }
    Ok(())
}
