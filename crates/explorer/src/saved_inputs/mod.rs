//! Arguments of operations under names, kept with their servers.

mod list;
mod saving;

pub(crate) use self::list::GONE;
pub use self::list::{SavedInput, SavedInputList};
