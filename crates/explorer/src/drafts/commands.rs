//! The commands about drafts.

use super::saved::LONGEST;
use crate::{Error, Explorer, servers::ServerId};

impl Explorer {
    /// Arguments that were typed for a tool and not sent yet, as JSON text.
    ///
    /// # Errors
    /// None: what was never typed is `None`.
    pub async fn load_draft(
        &self,
        server: ServerId,
        tool: String,
    ) -> Result<Option<String>, Error> {
        Ok(self.core.drafts.get(&server, &tool))
    }

    /// Keeps what was typed for a tool; `None` forgets it. `private` keeps it in memory only.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` above 4 MiB.
    pub async fn save_draft(
        &self,
        server: ServerId,
        tool: String,
        text: Option<String>,
        private: bool,
    ) -> Result<(), Error> {
        self.core.server(&server)?;
        if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
            return Err(Error::invalid("Arguments larger than 4 MiB are not saved."));
        }
        self.core.drafts.put(&server, &tool, text, private);
        Ok(())
    }
}
