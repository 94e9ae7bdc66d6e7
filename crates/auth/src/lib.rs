//! Secrets in the operating system's keyring.
