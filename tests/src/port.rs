//! Ports for servers that need a given one, and ports at which nobody listens.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use tokio::net::TcpSocket;

/// A port of this computer that is reserved for one server until this is dropped.
///
/// The port is bound and never listens. While it is bound, the system gives the port to nobody who asks for any port,
/// so that no other test or connection can take it between the choice and the server's start, or between two starts.
/// The server can still bind to it: on Linux two sockets share an address if both allow its reuse and neither listens
/// yet, and servers allow that so that they can restart quickly. Until a server listens, connections are refused.
#[derive(Debug)]
pub struct Port {
    _reserved: TcpSocket,
    address: SocketAddr,
}

impl Port {
    /// Reserves a port that the system chooses.
    ///
    /// # Errors
    ///
    /// If the system has none.
    pub fn reserve() -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket
            .bind(SocketAddr::from(([127, 0, 0, 1], 0)))
            .context("reserving a port")?;
        let address = socket.local_addr()?;
        Ok(Self {
            _reserved: socket,
            address,
        })
    }

    /// Returns its number.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.address.port()
    }

    /// Returns its address on the loopback interface.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpSocket, TcpStream};

    use super::*;

    #[tokio::test]
    async fn connections_are_refused_until_a_server_listens() {
        let port = Port::reserve().expect("a port");
        let refused = TcpStream::connect(port.address()).await.unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
        if cfg!(target_os = "linux") {
            // Twice, because a server that ended can be started again.
            for _ in 0..2 {
                let server = TcpSocket::new_v4().expect("a socket");
                server.set_reuseaddr(true).expect("a setting");
                server.bind(port.address()).expect("the port is free");
                let _listener = server.listen(1).expect("it listens");
                TcpStream::connect(port.address())
                    .await
                    .expect("it answers");
            }
        }
    }
}
