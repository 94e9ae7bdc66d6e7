//! What is stored of signing in: tokens and registrations in the keyring, and an index of them, which
//! is no secret, in a file.

mod grant;
mod index;
mod lock;
mod vault;

pub(crate) use self::{grant::Grant, vault::Use};
pub use self::{
    index::StoredKind,
    vault::{Stored, Vault},
};
