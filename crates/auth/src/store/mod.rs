//! Storage of signing in: tokens and registrations in the keyring, and their index without secrets in a file.

mod grant;
mod index;
mod lock;

mod credential_store;

pub(crate) use self::{credential_store::Assignment, grant::Grant};
pub use self::{
    credential_store::{CredentialStore, ServerCredentials, StoredCredential},
    index::{CredentialKind, Entry as CredentialEntry},
};
