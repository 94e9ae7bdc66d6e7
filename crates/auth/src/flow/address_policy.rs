//! Policy for the addresses that a sign-in may reach. The server, not the user, chooses the addresses of its metadata
//! and authorization server, so they must not lead into the user's own network (security best practices, Server-Side
//! Request Forgery).
//!
//! An address is in that network if the addresses actually connected to are. An earlier lookup never decides, because
//! the next lookup may give other addresses.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::{Problem, Spec};

/// Source of an address, as far as it decides where the address may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    /// Found in a response from this computer or a private network, or in the settings.
    private: bool,
    /// Found in a response that came without TLS.
    http: bool,
}

impl Source {
    /// Creates the source of settings: the user typed `url`, which may lead anywhere.
    pub(crate) fn user(url: &Url) -> Self {
        Self {
            private: true,
            http: is_http(url),
        }
    }

    /// Creates the source of a response of `url` from the address `peer`; `None` if it came through a proxy. A name
    /// without an address counts as one on the internet.
    pub(crate) fn answer(url: &Url, peer: Option<IpAddr>) -> Self {
        let private = match url.host() {
            Some(Host::Ipv4(ip)) => is_private(ip.into()),
            Some(Host::Ipv6(ip)) => is_private(ip.into()),
            Some(Host::Domain(name)) => is_local_name(name) || peer.is_some_and(is_private),
            None => false,
        };
        Self {
            private,
            http: is_http(url),
        }
    }

    /// Returns the reach of a request to this address.
    pub(crate) fn reach(self, url: &Url) -> Result<Reach, Problem> {
        let reach = match url.scheme() {
            "http" if self.private && self.http && !is_local(url) => Reach::Private,
            "http" if !is_local(url) => return Err(insecure_address(url)),
            "http" | "https" if self.private => Reach::Anywhere,
            "http" | "https" => Reach::Public,
            _ => return Err(insecure_address(url)),
        };
        let private = match url.host() {
            Some(Host::Ipv4(ip)) => Some(is_private(ip.into())),
            Some(Host::Ipv6(ip)) => Some(is_private(ip.into())),
            Some(Host::Domain(name)) => is_local_name(name).then_some(true),
            None => return Err(insecure_address(url)),
        };
        match (reach, private) {
            (Reach::Public, Some(true)) => Err(private_address(url.host_str().unwrap_or_default())),
            // No secret may cross the internet unencrypted.
            (Reach::Private, Some(false)) => Err(insecure_address(url)),
            _ => Ok(reach),
        }
    }
}

fn is_http(url: &Url) -> bool {
    url.scheme() == "http"
}

/// Hosts that the name in an address may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reach {
    /// To the internet.
    Public,
    /// To this computer or a private network.
    Private,
    Anywhere,
}

impl Reach {
    fn allows(self, ip: IpAddr) -> bool {
        match self {
            Reach::Public => !is_private(ip),
            Reach::Private => is_private(ip),
            Reach::Anywhere => true,
        }
    }
}

pub(crate) fn insecure_address(url: &Url) -> Problem {
    Problem::new(
        "insecure_address",
        format!("`{}` does not use https.", display_url(url)),
    )
    .because(
        "Sign-in URLs must use https, except on this computer and, for a server on a private \
         network without https, within that network.",
    )
    .advise("The server's operator has to publish an https URL.")
    .see(Spec::CommunicationSecurity)
}

fn private_address(host: &str) -> Problem {
    Problem::new(
        "private_address",
        format!("The server's metadata points to `{host}`, an address on a private network."),
    )
    .because(
        "A server on the internet must not direct Sonde to addresses on your own network, so \
         nothing was sent there.",
    )
    .advise("If this server is yours, add it by its private address instead.")
    .see(Spec::Discovery)
}

/// True if the address is on this computer.
pub(crate) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => is_local_name(name),
        None => false,
    }
}

/// True if the address means all addresses of a computer; servers that listen on all of them name it.
pub(crate) fn is_unspecified(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => ip.is_unspecified(),
        _ => false,
    }
}

/// True if the address is visibly on this computer or in a private network.
pub(crate) fn is_nearby(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_private(ip.into()),
        Some(Host::Ipv6(ip)) => is_private(ip.into()),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let private = [".local", ".internal", ".home.arpa"];
            is_local_name(&name)
                || !name.contains('.')
                || private.iter().any(|end| name.ends_with(end))
        }
        None => false,
    }
}

/// Returns the address without the parts that may be secret.
pub(crate) fn without_secrets(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Returns the text of an address without the parts that may be secret.
pub(crate) fn display_url(url: &Url) -> String {
    without_secrets(url).to_string()
}

/// Function that looks up the addresses of a name.
pub(crate) type Lookup =
    Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// Returns a lookup that asks the system.
pub(crate) fn system_lookup() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    })
}

/// Resolver that returns only addresses within reach. No other addresses are connected to.
pub(crate) struct Resolver {
    pub(crate) lookup: Lookup,
    pub(crate) reach: Reach,
    /// The proxy of the connection. The user chose it, so it may be anywhere.
    pub(crate) proxy: Option<String>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let is_proxy =
            (self.proxy.as_deref()).is_some_and(|proxy| proxy.eq_ignore_ascii_case(&name));
        let reach = match is_proxy {
            true => Reach::Anywhere,
            false => self.reach,
        };
        let lookup = Arc::clone(&self.lookup);
        Box::pin(async move {
            let found = if is_local_name(&name) {
                // RFC 6761, section 6.3: these names are local, whatever a name server says.
                vec![
                    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0),
                    SocketAddr::new(Ipv6Addr::LOCALHOST.into(), 0),
                ]
            } else {
                lookup(name.clone()).await?
            };
            let allowed: Vec<_> = (found.iter().copied())
                .filter(|address| reach.allows(address.ip()))
                .collect();
            match reach {
                Reach::Public if allowed.is_empty() && !found.is_empty() => {
                    Err(OutOfReach::Private(name).into())
                }
                Reach::Private if allowed.is_empty() && !found.is_empty() => {
                    Err(OutOfReach::Public(name).into())
                }
                _ => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}

/// Error for a name whose addresses are all out of reach.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutOfReach {
    #[error("`{0}` points to an address on a private network")]
    Private(String),
    #[error("`{0}` points to an address on the internet")]
    Public(String),
}

impl OutOfReach {
    /// Returns the problem of a request to this address.
    pub(crate) fn problem(&self, url: &Url) -> Problem {
        match self {
            OutOfReach::Private(name) => private_address(name),
            OutOfReach::Public(_) => insecure_address(url),
        }
    }
}

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// True for every address that is not of a single host on the internet, in either family: loopback, private,
/// link-local, shared, multicast, reserved and unspecified.
pub(crate) fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, c, _] = ip.octets();
            ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip.is_unspecified()
                // Carrier-grade NAT (RFC 6598), which cloud metadata services use as well.
                || (a == 100 && (64..128).contains(&b))
                // "This network" (RFC 6890).
                || a == 0
                // IETF protocol assignments (RFC 6890).
                || (a, b, c) == (192, 0, 0)
                // Benchmarks between networks (RFC 2544).
                || (a == 198 && (18..20).contains(&b))
                // Multicast and reserved addresses (RFC 1112).
                || a >= 224
        }
        IpAddr::V6(ip) => match embedded_ipv4(ip) {
            Some(ip) => is_private(ip.into()),
            None => {
                ip.is_loopback()
                    || ip.is_unspecified()
                    || ip.is_unique_local()
                    || ip.is_unicast_link_local()
                    || ip.is_multicast()
                    // Site-local, the former private addresses (RFC 3879).
                    || ip.segments()[0] & 0xffc0 == 0xfec0
                    // Translation within a network (RFC 8215).
                    || ip.segments()[..3] == [0x64, 0xff9b, 1]
            }
        },
    }
}

/// Returns the IPv4 address inside an IPv6 address: mapped, compatible, translated (RFC 2765), NAT64 (RFC 6052),
/// 6to4 (RFC 3056).
fn embedded_ipv4(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = ip.segments();
    let last = || Ipv4Addr::from((u32::from(g) << 16) | u32::from(h));
    match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0xffff) | (0, 0, 0, 0, 0xffff, 0) | (0x64, 0xff9b, 0, 0, 0, 0) => {
            Some(last())
        }
        (0, 0, 0, 0, 0, 0) if (g, h) != (0, 0) && (g, h) != (0, 1) => Some(last()),
        (0x2002, ..) => Some(Ipv4Addr::from((u32::from(b) << 16) | u32::from(c))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn what_the_internet_names_is_on_the_internet() {
        for server in ["https://203.0.113.9/mcp", "https://mcp.example/mcp"] {
            let server = Source::answer(&url(server), ip("203.0.113.9"));
            assert_eq!(
                server.reach(&url("https://auth.example/x")).unwrap(),
                Reach::Public
            );
            for (address, code) in [
                ("http://auth.example/", "insecure_address"),
                ("ftp://auth.example/", "insecure_address"),
                ("https://127.0.0.1/", "private_address"),
                ("https://localhost/", "private_address"),
                ("http://localhost:8080/", "private_address"),
                ("https://10.1.2.3/", "private_address"),
                ("https://169.254.169.254/latest", "private_address"),
                ("https://100.100.100.200/", "private_address"),
                ("https://[::1]/", "private_address"),
                ("https://[fd00::1]/", "private_address"),
                ("https://[::ffff:192.168.1.1]/", "private_address"),
                ("https://[64:ff9b::10.0.0.1]/", "private_address"),
                ("https://[2002:7f00:1::]/", "private_address"),
                ("https://0.1.2.3/", "private_address"),
                ("https://192.0.0.192/", "private_address"),
                ("https://198.18.0.1/", "private_address"),
                ("https://198.19.255.255/", "private_address"),
                ("https://224.0.0.251/", "private_address"),
                ("https://240.0.0.1/", "private_address"),
                ("https://255.255.255.255/", "private_address"),
                ("https://[fec0::1]/", "private_address"),
                ("https://[ff02::1]/", "private_address"),
                ("https://[64:ff9b:1::10.0.0.1]/", "private_address"),
                ("https://[::ffff:0:127.0.0.1]/", "private_address"),
            ] {
                assert_eq!(
                    server.reach(&url(address)).unwrap_err().code,
                    code,
                    "{address}"
                );
            }
        }
    }

    #[test]
    fn a_server_on_this_computer_may_have_neighbours() {
        let server = url("http://localhost:3000/mcp");
        let server = Source::answer(&server, None);
        for (address, reach) in [
            ("http://127.0.0.1:9000/", Reach::Anywhere),
            ("http://192.168.0.2/", Reach::Private),
            ("http://intranet/", Reach::Private),
            ("https://10.0.0.1/", Reach::Anywhere),
            ("https://a.example/", Reach::Anywhere),
        ] {
            assert_eq!(server.reach(&url(address)).unwrap(), reach, "{address}");
        }
        let in_the_clear = server.reach(&url("http://203.0.113.7/token"));
        assert_eq!(in_the_clear.unwrap_err().code, "insecure_address");
        let secure = Source::answer(&url("https://10.0.0.5/mcp"), None);
        assert_eq!(
            secure.reach(&url("http://10.0.0.1/")).unwrap_err().code,
            "insecure_address"
        );
    }

    #[test]
    fn a_name_is_where_it_was_reached() {
        let server = url("https://mcp.example/mcp");
        let inside = url("https://10.0.0.1/");
        for (peer, code) in [
            (ip("10.0.0.5"), None),
            (ip("203.0.113.9"), Some("private_address")),
            // The destination behind a proxy is unknown.
            (None, Some("private_address")),
        ] {
            let reached = Source::answer(&server, peer).reach(&inside);
            assert_eq!(reached.err().map(|problem| problem.code), code, "{peer:?}");
        }
        // An address that the user typed may be private, but nothing is sent unencrypted to the internet.
        let typed = url("http://mcp.example/mcp");
        assert_eq!(Source::user(&typed).reach(&typed).unwrap(), Reach::Private);
        assert_eq!(
            Source::user(&server).reach(&server).unwrap(),
            Reach::Anywhere
        );
    }

    async fn resolve(reach: Reach, name: &str, found: &[&str]) -> Result<Vec<IpAddr>, String> {
        let found: Vec<SocketAddr> = (found.iter())
            .map(|ip| SocketAddr::new(ip.parse().unwrap(), 0))
            .collect();
        let resolver = Resolver {
            lookup: Arc::new(move |_| Box::pin(std::future::ready(Ok(found.clone())))),
            reach,
            proxy: Some("proxy.example".to_owned()),
        };
        match resolver.resolve(name.parse().unwrap()).await {
            Ok(addresses) => Ok(addresses.map(|address| address.ip()).collect()),
            Err(error) => Err(error.downcast::<OutOfReach>().unwrap().to_string()),
        }
    }

    #[tokio::test]
    async fn only_addresses_within_reach_are_connected_to() {
        let (inside, outside) = ("10.0.0.1", "203.0.113.7");
        let addresses = |list: &[&str]| -> Result<Vec<IpAddr>, String> {
            Ok(list.iter().map(|ip| ip.parse().unwrap()).collect())
        };
        let both = [inside, outside];
        let found = resolve(Reach::Public, "a.example", &both).await;
        assert_eq!(found, addresses(&[outside]));
        let found = resolve(Reach::Private, "a.example", &both).await;
        assert_eq!(found, addresses(&[inside]));
        let found = resolve(Reach::Anywhere, "a.example", &both).await;
        assert_eq!(found, addresses(&both));
        for (reach, found, said) in [
            (Reach::Public, inside, "private network"),
            (Reach::Private, outside, "internet"),
        ] {
            let refused = resolve(reach, "a.example", &[found]).await.unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
        let refused = resolve(Reach::Public, "localhost", &[outside]).await;
        assert!(refused.is_err(), "whatever a name server says");
    }

    #[tokio::test]
    async fn the_proxy_may_be_anywhere() {
        let found = resolve(Reach::Public, "Proxy.Example", &["10.0.0.1"]).await;
        assert_eq!(found.unwrap().len(), 1);
    }
}
