//! Servers with addresses of their own, without a network: a proxy leads to them and provides their TLS.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use rustls::{
    DigitallySignedStruct, DistinguishedName, Error, ServerConfig, SignatureScheme,
    client::danger::HandshakeSignatureValid,
    crypto::{CryptoProvider, ring::default_provider},
    crypto::{verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime},
    server::danger::{ClientCertVerified, ClientCertVerifier},
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

/// The running proxy. Every host has its own self-signed certificate.
#[derive(Debug)]
pub struct PublicNames {
    proxy: SocketAddr,
    shared: Arc<Shared>,
    certificates: HashMap<String, String>,
    folder: TempDir,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    asked: Mutex<Vec<String>>,
    shown: Mutex<Vec<String>>,
}

impl PublicNames {
    /// Starts a proxy that leads from port 443 of each host, a name or an IP address, to a plain HTTP server.
    ///
    /// # Panics
    /// If it cannot be set up.
    pub async fn start(hosts: &[(&str, SocketAddr)]) -> Self {
        let provider = Arc::new(default_provider());
        let mut certificates = HashMap::new();
        let mut targets = HashMap::new();
        for (host, server) in hosts {
            let made = rcgen::generate_simple_self_signed(vec![(*host).to_owned()]).unwrap();
            let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
            let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_client_cert_verifier(Arc::new(AnyCertificate(Arc::clone(&provider))))
                .with_single_cert(vec![made.cert.der().clone()], key.into())
                .unwrap();
            certificates.insert((*host).to_owned(), made.cert.pem());
            let target = (TlsAcceptor::from(Arc::new(config)), *server);
            targets.insert(format!("{host}:443"), target);
        }
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let proxy = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let (known, targets) = (Arc::clone(&shared), Arc::new(targets));
        let task = tokio::spawn(async move {
            let mut tunnels = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                tunnels.spawn(tunnel(stream, Arc::clone(&targets), Arc::clone(&known)));
            }
        });
        Self {
            proxy,
            shared,
            certificates,
            folder: tempfile::tempdir().unwrap(),
            task,
        }
    }

    /// Returns the proxy's port on this computer.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.proxy.port()
    }

    /// Returns every requested address, as `host:port`.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Returns the addresses to which a client sent a certificate, as `host:port`.
    #[must_use]
    pub fn shown(&self) -> Vec<String> {
        self.shared.shown.lock().unwrap().clone()
    }

    /// Writes a PEM file with the certificates of these hosts.
    ///
    /// # Panics
    /// If it cannot be written, or a host is not known.
    #[must_use]
    pub fn ca_file(&self, hosts: &[&str]) -> PathBuf {
        let path = self.folder.path().join(format!("{}.pem", hosts.join("+")));
        let text: String = hosts
            .iter()
            .map(|host| &*self.certificates[*host])
            .collect();
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for PublicNames {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves one connection to the proxy. Any error ends it, which the client notices.
async fn tunnel(
    stream: TcpStream,
    targets: Arc<HashMap<String, (TlsAcceptor, SocketAddr)>>,
    shared: Arc<Shared>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    shared.asked.lock().unwrap().push(target.clone());
    let Some((tls, server)) = targets
        .get(&target)
        .filter(|_| head.starts_with("CONNECT "))
    else {
        let refused = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n";
        return stream.write_all(refused).await.ok();
    };
    let open = b"HTTP/1.1 200 Connection established\r\n\r\n";
    stream.write_all(open).await.ok()?;
    let mut secure = tls.accept(stream).await.ok()?;
    if secure.get_ref().1.peer_certificates().is_some() {
        shared.shown.lock().unwrap().push(target);
    }
    let mut inner = TcpStream::connect(server).await.ok()?;
    tokio::io::copy_bidirectional(&mut secure, &mut inner)
        .await
        .ok()
        .map(drop)
}

/// Requests a certificate from clients, and accepts any or none.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ClientCertVerifier for AnyCertificate {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
