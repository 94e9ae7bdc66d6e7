//! Connecting servers of the list.

mod connecting;

pub use sonde_client::sessions::*;
