//! State of a check of a configuration.

use sonde_auth::Secret;

use super::{FieldProblem, ServerField, config::InKeyring, secret_slots::SecretInputs};

/// A check in progress: the secrets that were typed, and the problems found so far.
pub(super) struct Check<'a> {
    pub(super) secrets: &'a mut SecretInputs,
    /// Names of the secrets that the keyring has for the server.
    stored: &'a [String],
    pub(super) problems: Vec<FieldProblem>,
}

impl<'a> Check<'a> {
    pub(super) fn new(secrets: &'a mut SecretInputs, stored: &'a [String]) -> Self {
        Self {
            secrets,
            stored,
            problems: Vec::new(),
        }
    }

    pub(super) fn refuse(&mut self, field: ServerField, message: impl Into<String>) {
        self.problems.push(field.problem(message));
    }

    pub(super) fn refuse_row(
        &mut self,
        field: ServerField,
        row: usize,
        message: impl Into<String>,
    ) {
        self.problems.push(field.problem_in(row, message));
    }

    pub(super) fn end(self) -> Result<(), Vec<FieldProblem>> {
        match self.problems {
            problems if problems.is_empty() => Ok(()),
            problems => Err(problems),
        }
    }

    /// The typed value of a secret.
    pub(super) fn typed(&mut self, name: &str) -> Option<&mut Secret> {
        let (_, secret) = self.secrets.iter_mut().find(|(one, _)| one == name)?;
        secret.as_mut()
    }

    /// True if a secret was neither typed nor stored.
    pub(super) fn is_unset(&mut self, name: &str) -> bool {
        self.typed(name).is_none() && !self.stored.iter().any(|stored| stored == name)
    }

    /// True for a secret without a value, or with an empty one.
    pub(super) fn is_missing(&mut self, name: &str) -> bool {
        let typed = self.typed(name);
        typed.is_some_and(|typed| typed.expose().trim().is_empty()) || self.is_unset(name)
    }

    /// Trims a secret that must have a value.
    pub(super) fn require(&mut self, name: &str, field: ServerField, message: &str) {
        if let Some(typed) = self.typed(name) {
            *typed = Secret::new(typed.expose().trim());
        }
        if self.is_missing(name) {
            self.refuse(field, message);
        }
    }

    /// Drops an optional secret without a value.
    pub(super) fn drop_missing(&mut self, secret: &mut Option<InKeyring>, name: &str) {
        secret.take_if(|_| self.is_missing(name));
        if secret.is_none() {
            self.secrets.retain(|(one, _)| one != name);
        }
    }
}
