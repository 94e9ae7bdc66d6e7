//! The official MCP Inspector, pinned in `tests/peers/inspector`, and the browser for its page.

use anyhow::Result;

use crate::{
    node_program::{NodeProgram, Pinned},
    packages, ui,
};

const PINNED: Pinned = Pinned {
    folder: "inspector",
    script: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    title: "The MCP Inspector",
    node: (22, 19),
};

/// Installs the Inspector, the browser and its driver, unless that was done already.
pub(super) fn install() -> Result<NodeProgram> {
    packages::ensure(&[packages::BROWSER])?;
    ui::install("ui")?;
    NodeProgram::install(&PINNED)
}
