//! The accepted definitions of all servers.

use std::{path::Path, sync::Arc, time::Duration};

use super::baseline::{AcceptedTool, Baseline};
use crate::{core::Core, files::DEFINITIONS, per_server::PerServer};

/// Accepted definitions of all servers.
pub(crate) type Baselines = PerServer<Baseline>;

impl Baselines {
    pub(crate) fn in_folder(data_folder: &Path, delay: Duration, writable: bool) -> Self {
        Self::new(data_folder, &DEFINITIONS, delay, writable)
    }

    /// Replaces the accepted definitions of a server; returns the former ones. The file of a default value is deleted.
    /// Blocks.
    pub(crate) fn replace(&self, core: &Arc<Core>, server: &str, baseline: Baseline) -> Baseline {
        let Some(of) = self.of(server) else {
            return Baseline::default();
        };
        let mut held = of.hold(core, server);
        let before = std::mem::replace(held.value(), baseline);
        held.write();
        before
    }

    /// The accepted tools of a server. Blocks.
    pub(crate) fn tools(&self, core: &Arc<Core>, server: &str) -> Vec<AcceptedTool> {
        let of = self.of(server);
        of.map_or_else(Vec::new, |of| {
            of.hold(core, server).value().accepted_tools()
        })
    }
}
