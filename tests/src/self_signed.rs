//! A TLS server with a self-signed certificate.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::sync::Arc;

use tokio_rustls::rustls::{
    ServerConfig, crypto::ring::default_provider, pki_types::PrivatePkcs8KeyDer,
};

/// Creates a certificate for this name as PEM, and a server's configuration with it.
///
/// # Panics
/// If a certificate cannot have the name.
#[must_use]
pub fn self_signed(name: &str) -> (String, ServerConfig) {
    let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![made.cert.der().clone()],
            PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()).into(),
        )
        .unwrap();
    (made.cert.pem(), config)
}
