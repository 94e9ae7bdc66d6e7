//! Completion: values that a server suggests for an argument that is being typed. No operation: it is
//! not kept.

use serde::{Deserialize, Serialize};
pub use sonde_mcp::{Completion, CompletionReference};
use sonde_mcp::{CompletionFailure, CompletionRequest};
use ts_rs::TS;

use crate::{
    Connection, Error,
    catalogs::CatalogKind,
    limits::{MESSAGE, redact_and_cut},
};

/// JSON-RPC: the server does not have the method.
const METHOD_NOT_FOUND: i64 = -32601;

/// An argument with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CompletionArgument {
    /// Its name, or the name of the template's variable.
    pub name: String,
    /// Text typed so far.
    pub value: String,
}

impl Connection {
    /// Asks a server for values of an argument that is being typed. One request for each server is
    /// under way at a time: another one cancels it, and its answer is `None`. `resolved` has the other
    /// arguments that have a value already.
    ///
    /// # Errors
    /// `NotConnected`; `NoCompletion` where the server does not complete or refuses.
    pub async fn complete(
        &self,
        reference: CompletionReference,
        argument: CompletionArgument,
        resolved: Vec<CompletionArgument>,
    ) -> Result<Option<Completion>, Error> {
        let (handle, _) = self.core.ready()?;
        let completes = self.core.state(|state| state.session.completions);
        if !completes {
            return Err(Error::NoCompletion(
                "The server does not offer completions.".to_owned(),
            ));
        }
        let reference = match reference {
            CompletionReference::Prompt { name } => {
                let item = self.core.item(CatalogKind::Prompts, &name);
                let name = item.map_or(name, |item| item.name);
                CompletionReference::Prompt { name }
            }
            template => template,
        };
        let request = CompletionRequest {
            reference,
            argument: argument.name,
            value: argument.value,
            resolved: resolved
                .into_iter()
                .map(|one| (one.name, one.value))
                .collect(),
        };
        match handle.complete(request).await {
            Ok(found) => Ok(Some(found)),
            Err(CompletionFailure::Cancelled) => Ok(None),
            Err(failure) => {
                // Early protocol versions have no capability for completion, so only the error tells.
                if matches!(failure, CompletionFailure::Refused { code, .. } if code == METHOD_NOT_FOUND)
                {
                    self.core
                        .with_session(|session| session.completions = false);
                }
                let problem = redact_and_cut(&failure.to_string(), MESSAGE, &self.core.log);
                Err(Error::NoCompletion(format!("No suggestions: {problem}.")))
            }
        }
    }

    /// Cancels the completion of a server that is under way, if one is.
    ///
    /// # Errors
    /// `NotConnected`.
    pub async fn cancel_completion(&self) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        // If the session is over, so is its request.
        let _ = handle.cancel_completion().await;
        Ok(())
    }
}
