//! Arguments that were typed and not sent yet.

mod saved;

#[cfg(test)]
pub(crate) use self::saved::Saved;
pub(crate) use self::saved::{Drafts, DraftsOfServer};

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

    /// Stores a draft for a target of a method; `None` deletes it. A draft that is `private`, or has a known secret of
    /// its server, stays in memory.
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
        let redaction = self.core.log(&server)?.redaction();
        if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
            return Err(Error::invalid("Arguments larger than 4 MiB are not saved."));
        }
        let has_secret = |text: &String| redaction.text(text) != *text;
        let private = private || text.as_ref().is_some_and(has_secret);
        let key = DraftKey {
            server,
            method,
            target,
        };
        self.core.drafts.put(key, text, private);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Explorer, Options, log::Secrets};

    #[tokio::test]
    async fn a_draft_with_a_known_secret_stays_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let server = explorer.read(|state| state.servers().order()[0].clone());
        explorer.core.log(&server).unwrap().set_secrets(Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        let draft_of = |tool: &str| (server.clone(), "tools/call".to_owned(), tool.to_owned());
        for (tool, text) in [
            ("a", "{\"key\": \"hush-hush\"}"),
            ("b", "{\"key\": \"open\"}"),
        ] {
            let (server, method, target) = draft_of(tool);
            let saved = explorer.save_draft(server, method, target, Some(text.to_owned()), false);
            saved.await.unwrap();
            let (server, method, target) = draft_of(tool);
            let draft = explorer.load_draft(server, method, target).await.unwrap();
            assert_eq!(draft.as_deref(), Some(text));
        }
        explorer.shutdown().await;
        let file = std::fs::read_to_string(folder.path().join("drafts.json")).unwrap();
        assert!(
            file.contains("open") && !file.contains("hush-hush"),
            "{file}"
        );
    }
}
