//! Probes the way to a host before anything is sent to it. Only successes are reported: the connection that is opened
//! next explains failures.

use std::{net::SocketAddr, time::Duration};

use tokio::net::TcpStream;
use url::{Host, Url};

use super::progress::{Verdict, since};
use crate::clock;

/// Time limit of a name lookup, and of trying all addresses of a host together.
const LIMIT: Duration = Duration::from_secs(10);
/// Addresses of a host that are tried and shown.
const ADDRESSES: usize = 8;

/// Result of a name lookup; without a verdict if it failed.
pub(super) struct NameLookup {
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) verdict: Option<Verdict>,
}

/// Looks up the host of a URL.
pub(super) async fn look_up(url: &Url) -> NameLookup {
    let port = url.port_or_known_default().unwrap_or(80);
    let literal = |address| NameLookup {
        addresses: vec![address],
        verdict: Some(Verdict::not_evaluated(
            "The URL contains an IP address: there is no name to look up.",
        )),
    };
    let name = match url.host() {
        Some(Host::Ipv4(address)) => return literal(SocketAddr::from((address, port))),
        Some(Host::Ipv6(address)) => return literal(SocketAddr::from((address, port))),
        Some(Host::Domain(name)) => name,
        None => "",
    };
    let began = clock::micros();
    let found = tokio::time::timeout(LIMIT, tokio::net::lookup_host((name, port))).await;
    let addresses: Vec<_> = match found {
        Ok(Ok(found)) => found.take(ADDRESSES).collect(),
        _ => Vec::new(),
    };
    let shown: Vec<_> = addresses.iter().map(|one| one.ip().to_string()).collect();
    let verdict = (!shown.is_empty())
        .then(|| Verdict::pass(format!("{name} is {}.", shown.join(", "))).took(since(began)));
    NameLookup { addresses, verdict }
}

/// Connects to the first of these addresses that accepts, and closes the connection. `None` if none does.
pub(super) async fn open_port(addresses: &[SocketAddr]) -> Option<Verdict> {
    let began = clock::micros();
    let first = async {
        for address in addresses {
            if TcpStream::connect(address).await.is_ok() {
                return Some(address);
            }
        }
        None
    };
    let address = tokio::time::timeout(LIMIT, first).await.ok()??;
    let found = format!("{address} accepts connections.");
    Some(Verdict::pass(found).took(since(began)))
}
