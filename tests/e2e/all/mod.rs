//! Tests of the window for `cargo xtask test --all`.

mod apps;
mod asked;
mod authorization;
mod by_hand;
mod checks;
mod demo;
mod foreign_apps;
mod hostile;
mod lifetime;
mod messages;
mod presentation;
mod programs;
mod prompts;
mod resources;
mod tasks;
