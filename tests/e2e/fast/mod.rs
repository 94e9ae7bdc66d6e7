//! Tests of the window in each proof: what they prove is proven nowhere else.

mod apps;
mod authorization;
mod demo;
mod foreign;
mod history;
mod importing;
mod keyboard;
mod layout;
mod lifetime;
mod restored;
mod secrets;
