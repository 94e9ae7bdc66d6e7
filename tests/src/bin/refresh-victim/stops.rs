//! A secret store that stops between two steps.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sonde_auth::{Secret, SecretError, SecretStore};

/// Prints each step of another store once it is armed, and stops for ever at one of them.
pub(crate) struct Stops {
    inner: Box<dyn SecretStore>,
    armed: AtomicBool,
    passed: AtomicUsize,
    last: Option<usize>,
}

impl Stops {
    /// Creates a store that stops at this point, if any.
    pub(crate) fn new(inner: Box<dyn SecretStore>, last: Option<usize>) -> Self {
        Self {
            inner,
            armed: AtomicBool::new(false),
            passed: AtomicUsize::new(0),
            last,
        }
    }

    /// Starts counting.
    pub(crate) fn arm(&self) {
        self.armed.store(true, Ordering::SeqCst);
    }

    fn point(&self, name: &str) {
        if !self.armed.load(Ordering::SeqCst) {
            return;
        }
        let number = self.passed.fetch_add(1, Ordering::SeqCst);
        super::tell(&format!("point {number} {name}"));
        while self.last == Some(number) {
            std::thread::park();
        }
    }

    fn step<T>(&self, name: &str, step: impl FnOnce(&dyn SecretStore) -> T) -> T {
        self.point(&format!("before {name}"));
        let done = step(&*self.inner);
        self.point(&format!("after {name}"));
        done
    }
}

impl SecretStore for Stops {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        self.step("get", |inner| inner.get(owner, name))
    }

    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        self.step("set", |inner| inner.set(owner, name, secret))
    }

    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        self.step("remove", |inner| inner.remove(owner, name))
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }
}
