//! The built app in its real window, against servers that nobody here wrote as well as its own.
//!
//! `cargo xtask test --only e2e` provides what these need: a virtual screen, a keyring, the servers
//! of `tests/peers`, and `SONDE_APP`. Screenshots go to `artifacts/e2e`.

#![cfg(target_os = "linux")]

mod accessibility;
mod apps;
mod asked;
mod authorization;
mod bad_input;
mod by_hand;
mod caching;
mod compare;
mod demo;
mod diagnosis;
mod foreign;
mod foreign_apps;
mod giving;
mod help;
mod history;
mod hosts;
mod hostile;
mod importing;
mod issues;
mod keyboard;
mod layout;
mod leaks;
mod lifetime;
mod lighthouse;
mod messages;
mod preparing;
mod programs;
mod prompts;
mod recovery;
mod resources;
mod restored;
mod resumed_tasks;
mod secrets;
mod servers;
mod stage;
mod tasks;
mod undo;
mod wire;
