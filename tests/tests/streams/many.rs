//! Many streams, and one that is reopened again and again.

use std::sync::Arc;

use async_compression::tokio::write::GzipEncoder;
use sonde_mcp::{Event, StreamEvent, StreamReport, open};
use sonde_tests::{
    http_peer::{Gate, HttpPeer, Reply, Request},
    processes::{peak, restart_peak},
};
use sonde_wire::{
    Carrier, Command, ExchangeId, Header, Incoming, Label, MessageKind, NoTap, Outgoing, Seq,
    StreamEnd, Verb, Wire, WireError,
    http::{self, HttpSpec},
    queue,
};
use tokio::io::AsyncWriteExt as _;

use super::{Session, options, server, welcome};

/// Number of reconnects, and number of those before the first measurement.
const RECONNECTS: u32 = 10_000;
const WARM: u32 = 1_000;

const LOG: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_listeners_at_once() {
    let gate = Gate::new();
    let hold = gate.clone();
    let peer = server(move |_| Reply::event_stream().wait(&hold).event(LOG).hang()).await;
    let mut sessions = Vec::new();
    for _ in 0..100 {
        sessions.push(Session::open(&peer.url()).await);
    }
    for _ in 0..100 {
        gate.open();
    }
    for session in &mut sessions {
        while !matches!(session.event().await, Event::Log(_)) {}
    }
    for session in &sessions {
        session.handle.close();
    }
    for session in &mut sessions {
        session.closed().await;
    }
    peer.connections(0).await;
}

/// Posts 64 requests and as many replies. Returns once the server's responses to the replies were cut, and responses
/// beyond the limit were abandoned.
async fn post_many(url: String) -> Wire {
    const EACH: u64 = 64;
    // Each of them takes 8 MiB at least.
    const FIT: u64 = 16;
    let mut wire = http::open(HttpSpec::new(url), Arc::new(NoTap::default())).unwrap();
    for number in 0..2 * EACH {
        let (kind, text) = if number < EACH {
            (MessageKind::Request, PING)
        } else {
            (MessageKind::Response, REPLY)
        };
        let outgoing = Outgoing {
            exchange: ExchangeId(number),
            verb: Verb::Post,
            text: Some(Arc::new(text.to_owned())),
            headers: Vec::new(),
            label: Label {
                kind: Some(kind),
                ..Label::default()
            },
        };
        wire.commands.send(Command::Send(outgoing)).await.unwrap();
    }
    let (mut cut, mut given_up) = (0, 0);
    while cut < EACH || given_up < EACH - FIT {
        match wire.incoming.recv().await.unwrap() {
            Incoming::Oversized { .. } => cut += 1,
            Incoming::End { end, .. } => match end {
                StreamEnd::Failed(WireError::Crowded { .. }) => given_up += 1,
                end => panic!("{end:?}"),
            },
            _ => {}
        }
    }
    wire
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const REPLY: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

/// Compresses a `data:` line of 8 MiB and the text after it.
async fn long_line(end: &[u8]) -> Vec<u8> {
    let mut encoder = GzipEncoder::new(Vec::new());
    encoder.write_all(b"data: ").await.unwrap();
    encoder.write_all(&vec![b'{'; 8 << 20]).await.unwrap();
    encoder.write_all(end).await.unwrap();
    // The end of the compressed data would end the stream.
    encoder.flush().await.unwrap();
    encoder.into_inner()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_never_finish_their_message_share_a_bounded_memory() {
    let (unfinished, finished) = (long_line(b"").await, long_line(b"\n\n").await);
    let server = async || {
        let (unfinished, finished) = (unfinished.clone(), finished.clone());
        HttpPeer::start(move |request: &Request| {
            let is_reply = request.body == REPLY;
            Reply::event_stream()
                .header("content-encoding", "gzip")
                .chunk(if is_reply { &finished } else { &unfinished })
                .hang()
        })
        .await
    };
    let [one, other] = [server().await, server().await];
    let before = restart_peak().unwrap();
    let wires = tokio::join!(post_many(one.url()), post_many(other.url()));
    let grown = peak().unwrap() - before;
    assert!(grown < 500, "{grown} MiB");
    drop(wires);
}

/// Returns the memory of this process in KiB; `None` if the system does not report it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4)
}

/// The memory of a process is that of all its tests, so this one has a process of its own.
#[test]
#[expect(clippy::disallowed_methods, reason = "the process is this test itself")]
fn ten_thousand_reconnects_leave_nothing_behind() {
    const ALONE: &str = "SONDE_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap()
            .block_on(ten_thousand_reconnects());
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "many::ten_thousand_reconnects_leave_nothing_behind",
        ])
        .env(ALONE, "")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

async fn ten_thousand_reconnects() {
    let (wire, mut far) = Wire::pair(Carrier::Http);
    let (sender, mut events) = queue::channel(256);
    let (handle, task) = open(wire, Arc::new(NoTap::default()), options(), sender);
    let server = tokio::spawn(async move {
        let mut seq = 0;
        let mut opened = 0;
        while let Some(command) = far.commands.recv().await {
            let Command::Send(outgoing) = command else {
                if matches!(command, Command::Close) {
                    break;
                }
                continue;
            };
            let exchange = outgoing.exchange;
            let text = outgoing.text.as_deref().map_or("", String::as_str);
            let mut items = Vec::new();
            seq += 1;
            let head = |status, media: &str| Incoming::Head {
                exchange,
                status,
                headers: vec![Header {
                    name: "content-type".into(),
                    value: media.into(),
                }],
                seq: Seq(seq),
            };
            if outgoing.verb == Verb::Get {
                opened += 1;
                items.push(head(200, "text/event-stream"));
                items.push(Incoming::Message {
                    exchange: Some(exchange),
                    event_id: Some(opened.to_string().into()),
                    text: Arc::new(LOG.to_owned()),
                    seq: Seq(seq),
                });
            } else if text.contains("initialize\"") {
                items.push(head(200, "application/json"));
                items.push(Incoming::Message {
                    exchange: Some(exchange),
                    event_id: None,
                    text: Arc::new(welcome("1")),
                    seq: Seq(seq),
                });
            } else {
                items.push(head(202, ""));
            }
            items.push(Incoming::End {
                exchange,
                end: StreamEnd::Complete,
            });
            for item in items {
                if far.incoming.send(item).await.is_err() {
                    return opened;
                }
            }
        }
        opened
    });
    let (mut resumed, mut logs) = (0, 0);
    let mut before = None;
    let metrics = tokio::runtime::Handle::current().metrics();
    let tasks = metrics.num_alive_tasks();
    while resumed < RECONNECTS {
        match events.recv().await.unwrap() {
            Event::Stream(StreamReport {
                event: StreamEvent::Resumed,
                ..
            }) => resumed += 1,
            Event::Log(_) => logs += 1,
            _ => {}
        }
        if resumed == WARM && before.is_none() {
            before = memory();
        }
    }
    assert!(logs >= RECONNECTS, "each one delivered: {logs}");
    assert_eq!(metrics.num_alive_tasks(), tasks);
    if let (Some(before), Some(after)) = (before, memory()) {
        let grown = after.saturating_sub(before);
        assert!(
            grown < 8 * 1024,
            "{grown} KiB more after {RECONNECTS} reconnects"
        );
    }
    handle.close();
    drop(events);
    task.await.unwrap();
    assert!(server.await.unwrap() > RECONNECTS);
}
