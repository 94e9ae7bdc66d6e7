use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use sonde_ipc::{Backend, Batch};
use tokio::sync::watch;

use crate::{Error, MissingBatch, Options, State, options::Observer};

/// The explorer without a window. Call [`Headless::shutdown`] in the end: what is merely dropped
/// goes on until the runtime ends.
pub struct Headless {
    backend: Backend,
    limit: Duration,
    observer: Option<Arc<Observer>>,
    subscription: Subscription,
}

struct Subscription {
    state: watch::Receiver<State>,
    missing: Arc<OnceLock<MissingBatch>>,
}

impl std::fmt::Debug for Headless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Headless").finish_non_exhaustive()
    }
}

impl Headless {
    /// Reads what was saved, starts, and subscribes as a window does. Call it inside a tokio
    /// runtime.
    ///
    /// # Errors
    /// [`Error::Command`] when the explorer takes no subscriber.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let (limit, observer) = (options.limit, options.observer.clone());
        let backend = Backend::open(options.into_explorer()).await;
        let subscription = subscribe(&backend, observer.clone()).await?;
        Ok(Self {
            backend,
            limit,
            observer,
            subscription,
        })
    }

    /// Subscribes anew, as a window that reloads: the state begins with a new snapshot, and log
    /// views and documents that were open are closed.
    ///
    /// # Errors
    /// As [`Headless::open`].
    pub async fn reload(&mut self) -> Result<(), Error> {
        self.subscription = subscribe(&self.backend, self.observer.clone()).await?;
        Ok(())
    }

    /// Returns the backend that the window also uses, for commands without a method here.
    #[must_use]
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// The state as it is now.
    #[must_use]
    pub fn state(&self) -> State {
        self.subscription.state.borrow().clone()
    }

    /// Waits until `found` finds something in the state, within the limit of the options. `what`
    /// names it for the error.
    ///
    /// # Errors
    /// [`Error::TimedOut`], [`Error::Closed`], [`Error::MissingBatch`].
    pub async fn wait_for<T>(
        &self,
        what: &str,
        found: impl FnMut(&State) -> Option<T>,
    ) -> Result<T, Error> {
        self.wait_within(self.limit, what, found).await
    }

    /// [`Headless::wait_for`] with a limit of its own.
    ///
    /// # Errors
    /// As [`Headless::wait_for`].
    pub async fn wait_within<T>(
        &self,
        limit: Duration,
        what: &str,
        mut found: impl FnMut(&State) -> Option<T>,
    ) -> Result<T, Error> {
        let mut state = self.subscription.state.clone();
        let mut result = None;
        let waiting = state.wait_for(|state| {
            result = found(state);
            result.is_some()
        });
        let ended = tokio::time::timeout(limit, waiting)
            .await
            .map(|waited| waited.is_err());
        match (ended, result) {
            (_, Some(result)) => Ok(result),
            (Ok(_), None) => Err(match self.subscription.missing.get() {
                Some(missing) => Error::MissingBatch(*missing),
                None => Error::Closed {
                    what: what.to_owned(),
                },
            }),
            (Err(_), None) => Err(Error::TimedOut {
                what: what.to_owned(),
                limit,
                seen: self.subscription.state.borrow().to_string(),
            }),
        }
    }

    /// Ends every connection in good order and saves what is unsaved; takes 8 seconds at most.
    pub async fn shutdown(&self) {
        self.backend.shutdown().await;
    }
}

async fn subscribe(
    backend: &Backend,
    observer: Option<Arc<Observer>>,
) -> Result<Subscription, Error> {
    let (sender, state) = watch::channel(State::default());
    let missing = Arc::new(OnceLock::new());
    let found_missing = Arc::clone(&missing);
    // Dropped with the subscription's end, so that nobody waits for more.
    let sender = Mutex::new(Some(sender));
    let (window, runtime) = (backend.clone(), tokio::runtime::Handle::current());
    backend
        .subscribe(move |batch| {
            if let Some(observer) = &observer {
                observer(&batch);
            }
            let number = match &batch {
                Batch::Snapshot(_) => None,
                Batch::Events { number, .. } => Some(*number),
            };
            let mut sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(state) = sender.as_ref() else {
                return false;
            };
            let mut applied = Ok(());
            state.send_modify(|state| applied = state.apply(batch));
            if let Err(missing) = applied {
                let _ = found_missing.set(missing);
                *sender = None;
                return false;
            }
            if let Some(number) = number {
                let window = window.clone();
                runtime.spawn(async move { window.acknowledge(number).await });
            }
            true
        })
        .await?;
    Ok(Subscription { state, missing })
}
