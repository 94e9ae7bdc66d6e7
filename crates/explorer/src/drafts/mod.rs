//! Arguments that were typed and not sent yet.

mod saved;
mod commands;

pub(crate) use self::saved::{Drafts, DraftsOfServer, load};
