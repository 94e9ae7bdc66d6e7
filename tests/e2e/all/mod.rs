//! Tests of the window for `cargo xtask test --all`.

mod apps;
mod authorization;
mod checks;
mod demo;
mod foreign_apps;
mod hostile;
mod lifetime;
mod presentation;
mod programs;
mod tasks;
