//! The built app in its real window, against servers that nobody here wrote as well as its own.
//!
//! Tests below `fast` prove what no other level proves, and are part of each proof; those below `all` belong to
//! `cargo xtask test --all`. Both need what `cargo xtask test` provides: a virtual screen, a keyring, the servers of
//! `tests/peers`, and `SONDE_APP`. Pictures, and what there is to know about a failed test, go to `artifacts/e2e`.

#![cfg(target_os = "linux")]

mod all;
mod ends;
mod fast;
mod frames;
mod keys;
mod leaks;
mod stage;
