//! Signing in to the servers of the list, and the secrets that are stored for them.

mod sign_in;
mod stored;

pub use sonde_client::auth::*;

pub use self::stored::{StoredKind, StoredSecret, StoredSecrets};
