//! Record of the messages between Sonde and a server: stored, and read back.
//!
//! [`log`] keeps every frame of a server, redacted, and filters it for its views; [`document`] shows bodies of any size
//! row by row. Neither knows sessions, calls or windows: an entry belongs to an operation by an opaque number, and a
//! log has a name. The types that are shown carry their JSON and TypeScript forms themselves, so that they reach the
//! window without a copy.

#![warn(missing_docs)]

mod budget;
pub mod log;
pub mod document;
pub mod text;
pub mod clock;

pub use budget::Budget;
