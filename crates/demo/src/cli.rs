//! The command line.

use std::num::NonZeroUsize;

use clap::Parser;

/// The demo MCP server of Sonde. Without options it speaks MCP over standard input and output.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Options {
    /// Serve Streamable HTTP on 127.0.0.1 until standard input closes; prints one line:
    /// listening http://127.0.0.1:PORT/mcp
    #[arg(long)]
    pub(crate) http: bool,
    /// Port of --http, 0 for a free one
    #[arg(long, requires = "http", default_value_t = 0)]
    pub(crate) port: u16,
    /// Gives clients with a handshake no session id. Every message of a call, log messages too, then travels on the
    /// call's own response stream.
    #[arg(long, requires = "http", hide = true)]
    pub(crate) stateless: bool,
    #[command(flatten)]
    pub(crate) generated: Generated,
}

/// Numbers of items generated beside the lighthouse's own tools, resources and prompts, for lists of any length.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Generated {
    #[arg(long, default_value_t = 0, hide = true)]
    pub(crate) tools: usize,
    #[arg(long, default_value_t = 0, hide = true)]
    pub(crate) resources: usize,
    #[arg(long, default_value_t = 0, hide = true)]
    pub(crate) prompts: usize,
    /// Items on one page of a list; `None` for all on one page.
    #[arg(long, hide = true)]
    pub(crate) page: Option<NonZeroUsize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(["sonde-demo"].into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn options_of_http_need_it() {
        assert!(parsed("--http --port 8123 --stateless --tools 10000 --page 500").is_ok());
        for line in ["--port 1", "--stateless", "--http --port 70000", "--page 0"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
