//! Connecting servers of the list.

mod commands;

pub use sonde_client::sessions::*;
