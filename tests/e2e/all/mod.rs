//! Tests of the window for `cargo xtask test --all`.

mod accessibility;
mod apps;
mod asked;
mod authorization;
mod by_hand;
mod checks;
mod compare;
mod demo;
mod diagnosis;
mod foreign_apps;
mod giving;
mod hostile;
mod importing;
mod issues;
mod keyboard;
mod layout;
mod lifetime;
mod lighthouse;
mod messages;
mod programs;
mod prompts;
mod recovery;
mod resources;
mod tasks;
