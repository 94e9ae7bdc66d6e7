//! The tasks that a server lists (2025-11-25). Those of runs are with their operations.

mod commands;
mod list;

pub(crate) use self::commands::apply;
pub use self::list::{ListedTask, TaskList};
