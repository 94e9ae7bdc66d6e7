//! Scripted peers for tests.
