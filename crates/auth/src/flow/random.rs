//! Unguessable text: `state`, code verifiers, names of signed texts.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::Problem;

/// Returns 256 random bits as 43 characters of the URL-safe base64 alphabet.
pub(crate) fn random_text() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| {
        Problem::new(
            "no_random_numbers",
            "The system provided no random numbers.",
        )
    })?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}
