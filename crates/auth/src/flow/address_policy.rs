//! Which addresses discovery may reach. Whatever a server names as its metadata or authorization
//! server is its choice, not the user's: it must not lead into the user's own network (security best
//! practices, Server-Side Request Forgery).

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::{Problem, Spec};

/// How long a name service may take to say where a name leads.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(5);

/// What may be reached for the sign-in to one server.
#[derive(Clone, Debug)]
pub(crate) struct AddressPolicy {
    /// The server itself is at a private address, so its neighbours may be as well.
    allow_private: bool,
    /// The server itself is reached without TLS at a private address.
    allow_http: bool,
}

impl AddressPolicy {
    /// Decided by where the server is. Asks the name service, unless the address says it itself.
    pub(crate) async fn for_server(server: &Url) -> Self {
        let allow_private = is_private_host(server).await.unwrap_or(false);
        Self {
            allow_private,
            allow_http: allow_private && matches!(server.scheme(), "http" | "ws"),
        }
    }

    /// Checks an address before anything is sent to it.
    pub(crate) async fn check(&self, url: &Url) -> Result<(), Problem> {
        match url.scheme() {
            "https" => {}
            "http" if is_local(url) => {}
            // Nothing secret crosses the internet in the clear.
            // A name that leads nowhere is reported as that when it is looked up for the request.
            "http" if self.allow_http && is_private_host(url).await.unwrap_or(true) => {}
            _ => return Err(insecure_address(url)),
        }
        let hidden = match url.host() {
            Some(Host::Ipv4(ip)) => is_private(ip.into()),
            Some(Host::Ipv6(ip)) => is_private(ip.into()),
            Some(Host::Domain(name)) => is_local_name(name),
            None => return Err(insecure_address(url)),
        };
        if hidden && !self.allow_private {
            return Err(private_address(url.host_str().unwrap_or_default()));
        }
        Ok(())
    }

    /// Names are looked up once and checked there, so that what is checked is what is reached.
    pub(crate) fn resolver(&self) -> Arc<dyn Resolve> {
        Arc::new(Resolver {
            allow_private: self.allow_private,
        })
    }
}

fn insecure_address(url: &Url) -> Problem {
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

/// The address is on this computer.
pub(crate) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => is_local_name(name),
        None => false,
    }
}

/// The address without what may be secret in it.
pub(crate) fn display_url(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// Finds the addresses of names, without those that the policy forbids.
struct Resolver {
    allow_private: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found: Vec<SocketAddr> = if is_local_name(&name) {
                // RFC 6761, section 6.3: whatever a name server says.
                vec![
                    SocketAddr::new(IpAddr::from([127, 0, 0, 1]), 0),
                    SocketAddr::new(Ipv6Addr::LOCALHOST.into(), 0),
                ]
            } else {
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect()
            };
            let allowed: Vec<_> = found
                .iter()
                .filter(|address| allow_private || !is_private(address.ip()))
                .copied()
                .collect();
            if allowed.is_empty() && !found.is_empty() {
                return Err(PrivateAddress(name).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// A public name that leads into a private network.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` points to an address on a private network")]
pub(crate) struct PrivateAddress(String);

impl PrivateAddress {
    pub(crate) fn problem(&self) -> Problem {
        private_address(&self.0)
    }
}

/// The address is one of this computer or of a private network; `None` when its name leads nowhere.
async fn is_private_host(url: &Url) -> Option<bool> {
    match url.host() {
        Some(Host::Ipv4(ip)) => Some(is_private(ip.into())),
        Some(Host::Ipv6(ip)) => Some(is_private(ip.into())),
        Some(Host::Domain(name)) if is_local_name(name) => Some(true),
        Some(Host::Domain(name)) => resolves_privately(name).await,
        None => Some(false),
    }
}

async fn resolves_privately(name: &str) -> Option<bool> {
    let lookup = tokio::net::lookup_host((name, 0));
    let found = tokio::time::timeout(LOOKUP_TIMEOUT, lookup)
        .await
        .ok()?
        .ok()?;
    // All of them: one private address among public ones may be an attacker's.
    let mut found = found.map(|address| is_private(address.ip())).peekable();
    found.peek()?;
    Some(found.all(|private| private))
}

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Loopback, private, link-local, shared and unspecified addresses, in either family.
pub(crate) fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                // Carrier-grade NAT (RFC 6598), which cloud metadata services use as well.
                || (a == 100 && (64..128).contains(&b))
                // "This network" (RFC 6890).
                || a == 0
        }
        IpAddr::V6(ip) => match embedded_ipv4(ip) {
            Some(ip) => is_private(ip.into()),
            None => {
                ip.is_loopback()
                    || ip.is_unspecified()
                    || ip.is_unique_local()
                    || ip.is_unicast_link_local()
            }
        },
    }
}

/// The IPv4 address that an IPv6 one stands for: mapped, compatible, NAT64 (RFC 6052), 6to4
/// (RFC 3056).
fn embedded_ipv4(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = ip.segments();
    let last = || Ipv4Addr::from((u32::from(g) << 16) | u32::from(h));
    match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0xffff) | (0x64, 0xff9b, 0, 0, 0, 0) => Some(last()),
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

    #[tokio::test]
    async fn a_public_server_leads_to_public_addresses_only() {
        let policy = AddressPolicy::for_server(&url("https://203.0.113.9/mcp")).await;
        assert!(policy.check(&url("https://auth.example/x")).await.is_ok());
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
        ] {
            assert_eq!(
                policy.check(&url(address)).await.unwrap_err().code,
                code,
                "{address}"
            );
        }
    }

    #[tokio::test]
    async fn a_server_on_this_computer_may_have_neighbours() {
        let policy = AddressPolicy::for_server(&url("http://localhost:3000/mcp")).await;
        for address in [
            "http://127.0.0.1:9000/",
            "http://192.168.0.2/",
            "https://10.0.0.1/",
            "https://a.example/",
        ] {
            assert!(policy.check(&url(address)).await.is_ok(), "{address}");
        }
        let in_the_clear = policy.check(&url("http://203.0.113.7/token")).await;
        assert_eq!(in_the_clear.unwrap_err().code, "insecure_address");
        let secure = AddressPolicy::for_server(&url("https://10.0.0.5/mcp")).await;
        assert_eq!(
            secure
                .check(&url("http://10.0.0.1/"))
                .await
                .unwrap_err()
                .code,
            "insecure_address"
        );
    }

    #[tokio::test]
    async fn names_are_checked_where_they_are_looked_up() {
        let resolver = AddressPolicy {
            allow_private: false,
            allow_http: false,
        }
        .resolver();
        let refused = resolver.resolve("localhost".parse().unwrap()).await;
        assert!(
            refused
                .err()
                .unwrap()
                .downcast_ref::<PrivateAddress>()
                .is_some()
        );
    }
}
