//! Proofs that a token is used by the client it was issued to (RFC 9449).

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::{jwt::SigningKey, random::random_text};
use crate::{Clock, Problem};

/// Signs proofs with one key, and remembers the nonces that servers require in them.
pub(crate) struct DpopSigner {
    key: SigningKey,
    /// The stored form of the key. Secret.
    stored: String,
    clock: Clock,
    /// The newest nonce of each origin (section 8.2).
    nonces: Mutex<HashMap<String, String>>,
}

impl std::fmt::Debug for DpopSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DpopSigner")
    }
}

impl DpopSigner {
    pub(crate) fn generate(clock: Clock) -> Result<Self, Problem> {
        let (key, stored) = SigningKey::generate()?;
        Ok(Self::with(key, stored, clock))
    }

    pub(crate) fn restore(stored: &str, clock: Clock) -> Result<Self, Problem> {
        Ok(Self::with(
            SigningKey::restore(stored)?,
            stored.to_owned(),
            clock,
        ))
    }

    fn with(key: SigningKey, stored: String, clock: Clock) -> Self {
        Self {
            key,
            stored,
            clock,
            nonces: Mutex::default(),
        }
    }

    pub(crate) fn stored_key(&self) -> &str {
        &self.stored
    }

    /// Creates a proof for one request. With a token it proves the right to use it (section 7).
    pub(crate) fn sign_proof(
        &self,
        method: &str,
        url: &Url,
        token: Option<&str>,
    ) -> Result<String, Problem> {
        // "without query and fragment parts" (section 4.2).
        let mut target = url.clone();
        target.set_query(None);
        target.set_fragment(None);
        let _ = target.set_username("");
        let _ = target.set_password(None);
        let mut claims = json!({
            "jti": random_text()?,
            "htm": method,
            "htu": target.as_str(),
            "iat": (self.clock)() / 1_000,
        });
        if let Some(token) = token {
            let digest = Sha256::digest(token.as_bytes());
            claims["ath"] = json!(BASE64_URL_SAFE_NO_PAD.encode(digest));
        }
        if let Some(nonce) = self.nonces().get(&origin(url)) {
            claims["nonce"] = json!(nonce);
        }
        let header = json!({"typ": "dpop+jwt", "jwk": self.key.public_jwk()});
        self.key.sign(header, &claims)
    }

    /// Stores a nonce of a server; `true` if it is new.
    pub(crate) fn store_nonce(&self, url: &Url, nonce: &str) -> bool {
        self.nonces()
            .insert(origin(url), nonce.to_owned())
            .as_deref()
            != Some(nonce)
    }

    fn nonces(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.nonces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{super::jwt::claim, *};

    #[test]
    fn a_proof_names_the_request_and_the_token() {
        let signer = DpopSigner::generate(Arc::new(|| 5_000)).unwrap();
        let url = Url::parse("https://u:p@h/mcp?a=b#c").unwrap();
        let proof = signer.sign_proof("POST", &url, Some("token")).unwrap();
        assert_eq!(claim(&proof, "htu"), Some(json!("https://h/mcp")));
        assert_eq!(claim(&proof, "htm"), Some(json!("POST")));
        assert_eq!(claim(&proof, "iat"), Some(json!(5)));
        assert_eq!(
            claim(&proof, "ath"),
            Some(json!("PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A"))
        );
        assert_eq!(claim(&proof, "nonce"), None);
        assert!(signer.store_nonce(&url, "n") && !signer.store_nonce(&url, "n"));
        let again = signer.sign_proof("POST", &url, None).unwrap();
        assert_eq!(claim(&again, "nonce"), Some(json!("n")));
        assert_ne!(claim(&again, "jti"), claim(&proof, "jti"));
    }
}
