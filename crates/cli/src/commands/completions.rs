//! `sonde completions` and `sonde man`: files for shells and for man.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Sonde, with_exit_codes};
use crate::{
    console::print_bytes,
    exit::{Exit, Failed, Result},
};

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  sonde completions bash > ~/.local/share/bash-completion/completions/sonde
  sonde completions zsh > ~/.zfunc/_sonde
  sonde completions fish > ~/.config/fish/completions/sonde.fish")]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print a man page
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  sonde man > ~/.local/share/man/man1/sonde.1
  sonde man test > ~/.local/share/man/man1/sonde-test.1")]
pub(crate) struct Man {
    /// Command that the page is about
    command: Option<String>,
}

impl Completions {
    pub(crate) fn run(&self) -> Exit {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Sonde::command(), "sonde", &mut script);
        print_bytes(&script);
        Exit::Success
    }
}

impl Man {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut about = &mut with_exit_codes(Sonde::command());
        about.build();
        if let Some(name) = &self.command {
            let missing = || Failed::usage(format!("There is no command `{name}`."));
            about = about.find_subcommand_mut(name).ok_or_else(missing)?;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(about.clone())
            .render(&mut page)
            .map_err(|error| Failed::incomplete(format!("The page cannot be made: {error}.")))?;
        print_bytes(&page);
        Ok(Exit::Success)
    }
}
