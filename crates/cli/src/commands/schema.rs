//! `sonde schema`: prints the JSON Schemas of the formats.

use crate::{console::print_text, exit::Exit};

/// Print the JSON Schema of suites, for editors
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  sonde schema > suite.schema.json
  sonde schema servers > servers.schema.json

The first line of a suite then tells the editor where it is:
  # yaml-language-server: $schema=./suite.schema.json")]
pub(crate) struct Schema {
    /// Format
    #[arg(value_enum, default_value = "suite")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// `*.sonde.yaml`
    Suite,
    /// `sonde.servers.yaml`
    Servers,
}

impl Schema {
    pub(crate) fn run(&self) -> Exit {
        let schema = match self.format {
            Format::Suite => sonde_suite::schema::suite(),
            Format::Servers => sonde_suite::schema::servers(),
        };
        print_text(&format!("{schema:#}"));
        Exit::Success
    }
}
