//! The command line.

/// Text that `--help` and a wrong command line print.
pub(crate) const USAGE: &str = "\
Usage: sonde-demo [--http [--port N]]

Without options it speaks MCP over standard input and output.

  --http       serve Streamable HTTP on 127.0.0.1 until standard input closes;
               prints one line: listening http://127.0.0.1:PORT/mcp
  --port N     the port of --http (default 0: a free one)
  --help       this text
  --version    the version";

/// Commands of the command line.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// Run the server.
    Serve(Options),
    /// Print a text and end.
    Print(String),
}

/// Options of the server.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) listen: Listen,
    pub(crate) generated: Generated,
}

/// Numbers of items generated beside the lighthouse's own tools, resources, templates and prompts, for lists
/// of any length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Generated {
    pub(crate) tools: usize,
    pub(crate) resources: usize,
    pub(crate) templates: usize,
    pub(crate) prompts: usize,
    /// Items on one page of a list; `None` for all on one page.
    pub(crate) page: Option<usize>,
    /// Lifetime of a list in clients, in milliseconds; `None` for the usual time.
    pub(crate) list_ttl: Option<u64>,
}

/// Transports that serve clients.
#[derive(Debug, PartialEq)]
pub(crate) enum Listen {
    Stdio,
    Http {
        /// 0 for any free port.
        port: u16,
        /// Clients with a handshake get a session id. Without sessions every message
        /// of a call, log messages too, travels on the call's own response stream.
        sessions: bool,
    },
}

/// Parses the arguments that follow the program's name. Benchmarks and tests use options that the usage text
/// leaves out: `--tools N`, `--resources N`, `--templates N`, `--prompts N`, `--page N`, `--list-ttl MILLIS`
/// and `--stateless`.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments.into_iter();
    let mut http = false;
    let mut port = None;
    let mut stateless = false;
    let mut generated = Generated::default();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--http" => http = true,
            "--port" => port = Some(number(&argument, arguments.next())?),
            "--stateless" => stateless = true,
            "--tools" => generated.tools = number(&argument, arguments.next())?,
            "--resources" => generated.resources = number(&argument, arguments.next())?,
            "--templates" => generated.templates = number(&argument, arguments.next())?,
            "--prompts" => generated.prompts = number(&argument, arguments.next())?,
            "--list-ttl" => {
                generated.list_ttl = Some(number(&argument, arguments.next())?);
            }
            "--page" => match number(&argument, arguments.next())? {
                0 => return Err("--page needs a number above 0".into()),
                size => generated.page = Some(size),
            },
            "--help" | "-h" => return Ok(Command::Print(USAGE.into())),
            "--version" | "-V" => {
                return Ok(Command::Print(format!(
                    "sonde-demo {}",
                    env!("CARGO_PKG_VERSION")
                )));
            }
            other => return Err(format!("unknown option {other}")),
        }
    }
    let listen = match (http, port) {
        (true, port) => Listen::Http {
            port: port.unwrap_or(0),
            sessions: !stateless,
        },
        (false, Some(_)) => return Err("--port needs --http".into()),
        (false, None) if stateless => return Err("--stateless needs --http".into()),
        (false, None) => Listen::Stdio,
    };
    Ok(Command::Serve(Options { listen, generated }))
}

fn number<N: std::str::FromStr>(option: &str, value: Option<String>) -> Result<N, String> {
    let value = value.ok_or_else(|| format!("{option} needs a number"))?;
    value
        .parse()
        .map_err(|_| format!("{option} needs a number, not {value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn stdio_is_the_default() {
        let expected = Options {
            listen: Listen::Stdio,
            generated: Generated::default(),
        };
        assert_eq!(parsed(""), Ok(Command::Serve(expected)));
    }

    #[test]
    fn http_takes_a_port_and_the_hidden_options() {
        let listen = Listen::Http {
            port: 8123,
            sessions: false,
        };
        let expected = Options {
            listen,
            generated: Generated {
                tools: 10_000,
                resources: 4,
                templates: 5,
                prompts: 6,
                page: Some(500),
                list_ttl: Some(9),
            },
        };
        assert_eq!(
            parsed(
                "--http --port 8123 --stateless --tools 10000 --resources 4 --templates 5 --prompts 6 --page 500 --list-ttl 9"
            ),
            Ok(Command::Serve(expected))
        );
    }

    #[test]
    fn wrong_lines_are_refused_with_the_reason() {
        for (line, reason) in [
            ("--port 1", "--port needs --http"),
            ("--http --port", "--port needs a number"),
            (
                "--http --port 70000",
                "--port needs a number, not \"70000\"",
            ),
            ("--page 0", "--page needs a number above 0"),
            ("--prompts", "--prompts needs a number"),
            ("--stateless", "--stateless needs --http"),
            ("--verbose", "unknown option --verbose"),
        ] {
            assert_eq!(parsed(line), Err(reason.to_owned()), "{line}");
        }
    }
}
