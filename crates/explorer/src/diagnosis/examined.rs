//! Subject of a diagnosis.

use std::sync::Arc;

use sonde_client::{Connection, Services};

use crate::servers::{ServerEntry, Transport};

/// The server of a diagnosis, with a connection of its own.
#[derive(Clone)]
pub(super) struct Examined {
    pub(super) connection: Connection,
    pub(super) entry: ServerEntry,
    pub(super) services: Arc<Services>,
}

impl Examined {
    pub(super) fn transport(&self) -> &Transport {
        &self.entry.config.transport
    }
}
