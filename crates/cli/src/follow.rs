//! Shows a server's messages on standard error, and answers its requests.

use std::collections::HashSet;

use sonde_client::{
    Connection,
    operations::OperationNumber,
    sessions::{SessionPhase, StepState},
};

use sonde_record::text::visible as one_line;

use crate::{
    answers::Answers,
    console::{Console, DIM, quoted, styled, visible},
};

/// Lines that are fetched at a time.
const PAGE: u32 = 1_000;

/// Follows a connection.
pub(crate) struct Follower {
    connection: Connection,
    console: Console,
    answers: Answers,
    stderr: u64,
    /// The newest operation, the messages of it that were shown, and its notifications of progress.
    run: (OperationNumber, u64, u64),
    step: Option<String>,
    asked: HashSet<u64>,
    /// The sign-ins that the user was asked about.
    signing_in: HashSet<u64>,
}

impl Follower {
    pub(crate) fn new(connection: Connection, console: Console, answers: Answers) -> Self {
        Self {
            connection,
            console,
            answers,
            stderr: 0,
            run: (0, 0, 0),
            step: None,
            asked: HashSet::new(),
            signing_in: HashSet::new(),
        }
    }

    /// Shows everything that is new.
    pub(crate) async fn look(&mut self) {
        let step = step_under_way(&self.connection);
        if step != self.step {
            match &step {
                Some(step) => self.console.status(&format!("{step}…")),
                None => self.console.clear(),
            }
            self.step = step;
        }
        self.stderr_lines().await;
        self.newest_run().await;
        self.requests().await;
        self.sign_in().await;
    }

    async fn stderr_lines(&mut self) {
        let total = self.connection.read(|state| state.session.stderr.total());
        while self.stderr < total {
            let lines = self.connection.stderr_lines(self.stderr, PAGE).await;
            let lines = lines.unwrap_or_default();
            if lines.is_empty() {
                return;
            }
            for line in &lines {
                let line = styled(DIM, format_args!("server: {}", visible(line)));
                self.console.note(&line);
            }
            self.stderr += lines.len() as u64;
        }
    }

    async fn newest_run(&mut self) {
        let newest = self.connection.read(|state| {
            let record = state.operations.iter().next_back()?;
            Some((
                record.number,
                record.messages.total(),
                record.progress.clone(),
            ))
        });
        let Some((number, messages, progress)) = newest else {
            return;
        };
        if self.run.0 != number {
            self.run = (number, 0, 0);
        }
        if let Some(progress) = progress
            && progress.count > self.run.2
        {
            self.run.2 = progress.count;
            let latest = &progress.latest;
            let share = latest.total.filter(|total| *total > 0.0);
            let far = match share {
                Some(total) => format!("{:>3.0} %", latest.progress / total * 100.0),
                None => latest.progress.to_string(),
            };
            let words = latest.message.as_deref().map(one_line).unwrap_or_default();
            self.console
                .progress(format!("progress: {far} {words}").trim_end());
        }
        while self.run.1 < messages {
            let page = self
                .connection
                .operation_messages(number, self.run.1, PAGE)
                .await;
            let page = page.unwrap_or_default();
            if page.is_empty() {
                return;
            }
            for message in &page {
                let by = message.logger.as_deref();
                let by = by.map(|logger| format!(" {logger}")).unwrap_or_default();
                let line = format!("log: {}{by}: {}", message.level, message.text);
                self.console.note(&styled(DIM, quoted(&line)));
            }
            self.run.1 += page.len() as u64;
        }
    }

    async fn requests(&mut self) {
        let open = self.connection.read(|state| {
            let requests = state.server_requests.iter();
            let new = requests.filter(|one| !self.asked.contains(&one.number));
            new.cloned().collect::<Vec<_>>()
        });
        for request in open {
            self.asked.insert(request.number);
            let number = request.number;
            let answer = self.answers.answer(request).await;
            // It may be withdrawn by now.
            let _ = self.connection.answer_server_request(number, answer).await;
        }
    }

    /// Shows the address of a sign-in on a terminal; gives it up elsewhere.
    async fn sign_in(&mut self) {
        let waiting = self.connection.read(|state| {
            let auth = state.auth.as_ref()?;
            let prompt = auth.prompt.as_ref().map(|one| (one.attempt, None));
            let confirmation = auth.confirmation.as_ref();
            prompt.or_else(|| confirmation.map(|one| (one.attempt, Some(one.issuer.clone()))))
        });
        let Some((attempt, issuer)) = waiting else {
            return;
        };
        if !self.signing_in.insert(attempt) {
            return;
        }
        let agreed = match &issuer {
            Some(issuer) => self.answers.agrees_to_issuer(issuer).await,
            None => self.answers.can_ask(),
        };
        if !agreed {
            self.console.say(
                "The server requires a sign-in in the browser, and nobody is here for it. Sign in once in Sonde's \
                 window.",
            );
            let _ = self.connection.cancel_sign_in().await;
        } else if issuer.is_some() {
            let _ = self.connection.confirm_issuer(attempt).await;
        } else if let Ok(address) = self.connection.open_prompt(attempt) {
            let address = visible(&address);
            self.console.say(&format!(
                "Open this address in your browser to sign in:\n{address}"
            ));
        }
    }
}

/// Describes the current step of connecting.
fn step_under_way(connection: &Connection) -> Option<String> {
    connection.read(|state| {
        if state.session.phase != SessionPhase::Connecting {
            return None;
        }
        let steps = state.session.steps();
        let running = steps
            .into_iter()
            .find(|one| one.state == StepState::Running);
        running.map(|step| step.name)
    })
}
