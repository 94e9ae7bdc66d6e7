//! Plays the application for tests of the guard: starts a server and then does nothing, until it
//! is killed. Arguments: those of the scripted server. Prints the guard's process id on one line.

use std::{process::exit, sync::Arc};

use sonde_tests::stdio_peer;
use sonde_wire::{
    NoTap,
    stdio::{Guard, StdioSpec, guard, spawn},
};

fn main() {
    if std::env::args().nth(1).as_deref() == Some(guard::ARGUMENT) {
        guard::run(std::io::stdin());
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(async {
        let exe = std::env::current_exe().expect("a program knows its own path");
        let guard = Guard::start(exe).expect("the guard starts");
        #[cfg(unix)]
        println!("{}", guard.pid().unwrap_or_default());
        let mut spec = StdioSpec::new(stdio_peer::program());
        spec.args = std::env::args().skip(1).collect();
        spec.guard = Some(guard);
        let (mut wire, _) = spawn(spec, Arc::new(NoTap::default()))
            .await
            .expect("the server starts");
        while wire.incoming.recv().await.is_some() {}
        exit(97);
    });
}
