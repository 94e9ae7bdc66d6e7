//! `sonde secret`: stores secrets of suites.

use std::io::{self, IsTerminal as _, Read as _};

use clap::Subcommand;
use sonde_auth::Secret as Value;
use sonde_suite::run::SECRETS_OWNER;

use crate::{
    Context,
    exit::{Exit, Failed, Result},
    servers::stored,
};

/// Longest value, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Store secrets of suites in the keyring
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A suite names its secrets (`secrets: [SHOP_TOKEN]`) and uses them as ${secrets.SHOP_TOKEN}. A variable of the
environment of that name comes first.

Examples:
  sonde secret set SHOP_TOKEN
  pass show shop | sonde secret set SHOP_TOKEN
  sonde secret remove SHOP_TOKEN")]
pub(crate) struct Secret {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Store a secret: typed without being shown, or the first line of standard input
    Set {
        /// Name in suites
        name: String,
    },
    /// Remove a secret
    Remove {
        /// Name in suites
        name: String,
    },
}

impl Secret {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let secrets = stored();
        let refused = |error: sonde_auth::SecretError| {
            Failed::incomplete("The keyring cannot be used.").more([error.to_string()])
        };
        match &self.action {
            Action::Set { name } => {
                let value = read(name)?;
                let kept = secrets.put(SECRETS_OWNER, name, Value::new(value));
                kept.await.map_err(refused)?;
                context.console.say(&format!("Stored `{name}`."));
            }
            Action::Remove { name } => {
                let removed = secrets.remove(SECRETS_OWNER, name);
                removed.await.map_err(refused)?;
                context.console.say(&format!("Removed `{name}`."));
            }
        }
        Ok(Exit::Success)
    }
}

/// Reads a value: typed at a terminal, else the first line of standard input.
fn read(name: &str) -> Result<String> {
    let failed = |error: io::Error| Failed::usage(format!("The value cannot be read: {error}."));
    let value = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("{name}: ")).map_err(failed)?
    } else {
        let mut text = String::new();
        let input = io::stdin().take(LONGEST + 1);
        { input }.read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > LONGEST {
            return Err(Failed::usage("A secret has at most 64 KiB."));
        }
        text.lines().next().unwrap_or_default().to_owned()
    };
    match value.is_empty() {
        true => Err(Failed::usage("The value is empty, so nothing was stored.")),
        false => Ok(value),
    }
}
