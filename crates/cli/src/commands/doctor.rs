//! `sonde doctor`: diagnoses a server, step by step.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use sonde_explorer::{
    diagnosis::{
        Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, ReportFormat, StepOutcome,
        diagnose, report,
    },
    servers::missing_inputs,
};

use crate::{
    Context,
    console::{BOLD, Console, DIM, GREEN, RED, YELLOW, print, print_text, quoted, styled},
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
    session::LogFile,
    units::count,
};

/// Try each step of reaching a server, and say what fails and what to do
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde doctor [OPTIONS] SERVER\n       sonde doctor [OPTIONS] -- COMMAND...",
    after_help = "\
Calls no tool and signs in nowhere. A step that could not be evaluated never counts as a pass.

Examples:
  sonde doctor everything
  sonde doctor https://example.com/mcp --format markdown > diagnosis.md
  sonde doctor -- node my-server.js"
)]
pub(crate) struct Doctor {
    /// Server
    #[arg(value_name = "SERVER")]
    words: Vec<String>,
    /// Form of the report
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Print the report as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Markdown,
    Html,
    Json,
}

impl Doctor {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let server = self.server.only(&self.words)?;
        let missing = missing_inputs(&server.entry.config.transport);
        if !missing.is_empty() {
            return Err(sonde_client::Error::InputsMissing(missing).into());
        }
        let log_file = LogFile::create(&self.server)?;
        let services = server.services().await;
        let name = server.entry.config.name.clone();
        let cancel = context.stop.interrupted().child_token();
        let shown = Mutex::new(HashSet::new());
        let console = context.console.clone();
        let stop = context.stop.within(self.server.timeout);
        let changed = move |now: &Diagnosis| {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            show_running(now, &mut shown, &console);
        };
        let diagnosing = diagnose(server.entry, services, cancel.clone(), changed);
        let mut diagnosing = tokio::spawn(diagnosing);
        let (done, stopped) = match stop.guard(&mut diagnosing).await {
            Ok(done) => (done, None),
            Err(stopped) => {
                cancel.cancel();
                // Returns the steps so far.
                (diagnosing.await, Some(stopped))
            }
        };
        let (diagnosis, log) = done
            .map_err(|error| Failed::incomplete(format!("The diagnosis broke down: {error}.")))?;
        context.console.clear();
        let exit = exit(&diagnosis);
        let format = match self.json {
            true => Format::Json,
            false => self.format,
        };
        match format {
            Format::Text => {
                diagnosis.steps.iter().for_each(show);
                print(&summary(&diagnosis));
            }
            Format::Html => print_text(&report(diagnosis, &log, ReportFormat::Html)),
            Format::Json => {
                let json = serde_json::to_string_pretty(&diagnosis);
                print_text(&json.unwrap_or_default());
            }
            Format::Markdown => print_text(&report(diagnosis, &log, ReportFormat::Markdown)),
        }
        log_file.write(&log, &name, stopped.map_or(Ok(exit), Err))
    }
}

/// Shows on standard error which step is under way.
fn show_running(now: &Diagnosis, shown: &mut HashSet<DiagnosisStepCode>, console: &Console) {
    let running = now.steps.iter().rev();
    let running = running.filter(|step| step.outcome == StepOutcome::Running);
    for step in running {
        if shown.insert(step.code) {
            console.status(&format!("{}…", step.title));
        }
    }
}

fn show(step: &DiagnosisStep) {
    let (style, word) = match step.outcome {
        StepOutcome::Pass => (GREEN, "pass"),
        StepOutcome::Fail => (RED, "fail"),
        _ => (YELLOW, "not evaluated"),
    };
    let title = styled(BOLD, format_args!("{:<13}", step.title));
    print(&format!(
        "{title}  {}  {}",
        styled(style, word),
        quoted(&step.found)
    ));
    if step.outcome != StepOutcome::Fail {
        return;
    }
    for fix in &step.fix {
        print(&format!("    → {}", quoted(fix)));
    }
    for line in &step.detail {
        print(&styled(DIM, format_args!("    {}", quoted(line))));
    }
}

fn summary(diagnosis: &Diagnosis) -> String {
    let passed = count(diagnosis.count(StepOutcome::Pass), "step");
    let failed = diagnosis.count(StepOutcome::Fail);
    let open = diagnosis.count(StepOutcome::NotEvaluated);
    format!("\n{passed} passed, {failed} failed, {open} not evaluated.")
}

/// A lost connection, or a failure before there is a session, is the server's; a later failure fails the gate.
fn exit(diagnosis: &Diagnosis) -> Exit {
    match diagnosis.state {
        DiagnosisState::Cancelled => return Exit::Interrupted,
        DiagnosisState::TimedOut => return Exit::TimedOut,
        DiagnosisState::Lost => return Exit::ServerFailed,
        DiagnosisState::Done | DiagnosisState::Running => {}
    }
    match diagnosis.first_failure().map(|step| step.code) {
        None if !diagnosis.is_complete() => Exit::Incomplete,
        None => Exit::Success,
        Some(DiagnosisStepCode::Authorization) => Exit::SignInNeeded,
        Some(code) if code <= DiagnosisStepCode::Handshake => Exit::ServerFailed,
        Some(_) => Exit::GateFailed,
    }
}
