//! The application for tests of the watchdog: starts a server and then does nothing, until it is killed. Arguments:
//! those of the scripted server. Prints the watchdog's process id on one line.

use std::{process::exit, sync::Arc};

use sonde_tests::stdio_peer;
use sonde_wire::{
    NoTap,
    stdio::{StdioSpec, Watchdog, spawn, watchdog},
};

fn main() {
    if std::env::args().nth(1).as_deref() == Some(watchdog::ARGUMENT) {
        watchdog::run(std::io::stdin());
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(async {
        let exe = std::env::current_exe().expect("a program knows its own path");
        let watchdog = Watchdog::start(exe).expect("the watchdog starts");
        #[cfg(unix)]
        println!("{}", watchdog.pid().unwrap_or_default());
        let mut spec = StdioSpec::new(stdio_peer::program());
        spec.args = std::env::args().skip(1).collect();
        spec.watchdog = Some(watchdog);
        let (mut wire, _) = spawn(spec, Arc::new(NoTap::default()))
            .await
            .expect("the server starts");
        while wire.incoming.recv().await.is_some() {}
        exit(97);
    });
}
