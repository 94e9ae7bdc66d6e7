//! Arguments that were typed and not sent yet.

mod saved;

pub(crate) use self::saved::{Drafts, DraftsOfServer, load};

use self::saved::{DraftKey, LONGEST};
use crate::{Error, Explorer, servers::ServerId};

impl Explorer {
    /// Returns the draft for a target of a method (for example a tool), as JSON text.
    ///
    /// # Errors
    /// None: without a draft the result is `None`.
    pub async fn load_draft(
        &self,
        server: ServerId,
        method: String,
        target: String,
    ) -> Result<Option<String>, Error> {
        Ok(self.core.drafts.get(&DraftKey {
            server,
            method,
            target,
        }))
    }

    /// Stores a draft for a target of a method; `None` deletes it. A `private` draft stays in memory.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` above 4 MiB.
    pub async fn save_draft(
        &self,
        server: ServerId,
        method: String,
        target: String,
        text: Option<String>,
        private: bool,
    ) -> Result<(), Error> {
        self.core.server(&server)?;
        if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
            return Err(Error::invalid("Arguments larger than 4 MiB are not saved."));
        }
        let key = DraftKey {
            server,
            method,
            target,
        };
        self.core.drafts.put(key, text, private);
        Ok(())
    }
}
