//! Arguments of operations under names, kept with their servers.

mod list;
mod file;
mod saving;

pub use self::list::{SavedInput, SavedInputList};
pub(crate) use self::{
    file::{load, to_bytes},
    list::GONE,
};
