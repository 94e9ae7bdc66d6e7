//! HTTP in real networks: redirects, compression, HTTP/2.

use std::sync::Arc;

use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use sonde_mcp::{Lost, Outcome};
use sonde_tests::http_peer::{HttpPeer, Reply};
use sonde_wire::{
    WireError,
    http::{ClientIdentity, HttpSpec, Network, Proxy},
};
use tokio::io::AsyncWriteExt as _;

use super::{Session, callable, number, server, welcome};

fn answer(id: &str) -> String {
    let text = "x".repeat(5_000);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

#[tokio::test]
async fn redirects_stay_within_the_origin_and_end() {
    let elsewhere = HttpPeer::start(|_| Reply::accepted()).await;
    let foreign = elsewhere.url();
    let moved =
        |status, location: &str| Reply::status(status).header("location", location).body("");
    let peer = server(move |request| match (number(request), &*request.target) {
        (Some(_), "/moved") => Reply::json(answer(&request.id().unwrap())),
        (Some(1), _) => moved(308, "/moved"),
        (Some(2), _) => moved(307, "/mcp"),
        (Some(3), _) => moved(307, &foreign),
        (Some(_), _) => moved(303, "/moved"),
        (None, _) => Reply::status(405),
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    let sent = |peer: &HttpPeer, call| {
        let requests = peer.requests();
        let calls = requests
            .iter()
            .filter(|request| number(request) == Some(call));
        calls.count()
    };
    session.succeeds(1).await;
    assert_eq!(sent(&peer, 1), 2);
    let shown = session.recorder.story();
    assert!(shown.contains(&"< response 308".to_owned()), "{shown:?}");
    // A loop ends, another origin is not asked, and a message never turns into a GET.
    for (call, requests) in [(2, 6), (3, 1), (4, 1)] {
        let (_, outcome) = session.call(call).await;
        assert!(
            matches!(&outcome, Outcome::Lost(Lost::Exchange(error)) if matches!(**error, WireError::Redirect { .. })),
            "{call}: {outcome:?}"
        );
        assert_eq!(
            sent(&peer, usize::try_from(call).unwrap()),
            requests,
            "{call}"
        );
    }
    assert_eq!(elsewhere.requests().len(), 0);
}

async fn encoded(kind: usize, text: &str) -> (&'static str, Vec<u8>) {
    macro_rules! with {
        ($name:literal, $encoder:ident) => {{
            let mut encoder = $encoder::new(Vec::new());
            encoder.write_all(text.as_bytes()).await.unwrap();
            encoder.shutdown().await.unwrap();
            ($name, encoder.into_inner())
        }};
    }
    match kind {
        1 => with!("gzip", GzipEncoder),
        2 => with!("br", BrotliEncoder),
        3 => with!("zstd", ZstdEncoder),
        _ => with!("deflate", ZlibEncoder),
    }
}

#[tokio::test]
async fn compressed_answers_are_read_and_their_heads_shown_as_received() {
    let mut bodies = Vec::new();
    for kind in 1..=4 {
        // The first call has the id 2: the handshake was 1.
        bodies.push(encoded(kind, &answer(&(kind + 1).to_string())).await);
    }
    bodies.push(("gzip", b"this is no gzip".to_vec()));
    let peer = callable(move |call, _| {
        let (encoding, body) = &bodies[call - 1];
        let reply = Reply::status(200).header("content-encoding", encoding);
        reply.header("content-type", "application/json").body(body)
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    for call in 1..=4 {
        let (_, outcome) = session.call(call).await;
        match outcome {
            Outcome::Result { raw, .. } => assert!(raw.get().len() > 5_000, "{call}"),
            other => panic!("{call}: {other:?}"),
        }
    }
    let (_, outcome) = session.call(5).await;
    assert!(
        matches!(outcome, Outcome::Lost(Lost::Exchange(_))),
        "{outcome:?}"
    );
    let heads = session
        .recorder
        .entries()
        .iter()
        .filter_map(|entry| match &entry.kind {
            sonde_wire::EntryKind::ResponseHead { headers, .. } => headers
                .iter()
                .find(|header| header.name == "content-encoding")
                .map(|header| header.value.clone()),
            _ => None,
        })
        .collect::<Vec<_>>();
    assert_eq!(heads, ["gzip", "br", "zstd", "deflate", "gzip"]);
}

#[tokio::test]
async fn a_proxy_of_the_servers_own_is_asked_for_every_address() {
    let proxy = callable(|_, id| Reply::json(answer(&id))).await;
    let spec = |proxy| HttpSpec {
        network: Network {
            proxy,
            ..Network::default()
        },
        // No name server knows it: only the proxy can.
        ..HttpSpec::new("http://server.invalid/mcp")
    };
    let at = Proxy::At(format!("http://{}", proxy.address()));
    let mut session = Session::over(spec(at)).await;
    session.succeeds(1).await;
    assert!(
        proxy
            .requests()
            .iter()
            .all(|request| request.target == "http://server.invalid/mcp")
    );
    for bad in ["proxy:3128", "ftp://proxy", "http://"] {
        let opened = sonde_wire::http::open(
            spec(Proxy::At(bad.to_owned())),
            Arc::new(sonde_wire::NoTap::default()),
        );
        assert!(
            matches!(opened, Err(WireError::BadSetting { .. })),
            "{bad}: {opened:?}"
        );
    }
}

#[tokio::test]
async fn http_2_over_tls_with_a_ca_file() {
    let folder = tempfile::tempdir().unwrap();
    let (pem, mut config) = sonde_tests::self_signed::self_signed("localhost");
    let ca_file = folder.path().join("ca.pem");
    std::fs::write(&ca_file, pem).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let port = tls_server(config).await;
    let spec = HttpSpec {
        network: Network {
            ca_file: Some(ca_file.clone()),
            ..Network::default()
        },
        ..HttpSpec::new(format!("https://a.localhost:{port}/mcp"))
    };
    // The certificate is for another name: refused, unless the user wants any.
    let refused = sonde_wire::http::open(spec.clone(), Arc::new(sonde_wire::NoTap::default()));
    let mut refused = Session::on(refused.unwrap(), sonde_tests::record::Recorder::new());
    let reason = format!("{:?}", refused.closed().await);
    assert!(reason.contains("Tls"), "{reason}");
    // A proxy with that certificate is to blame, not a server without TLS.
    for (url, named) in [
        ("http://server.invalid/mcp", "Proxy { address: \"127.0.0.1"),
        ("https://server.invalid/mcp", "through the proxy 127.0.0.1"),
    ] {
        let mut through = spec.clone();
        through.url = url.to_owned();
        through.network.proxy = Proxy::At(format!("https://127.0.0.1:{port}"));
        let wire = sonde_wire::http::open(through, Arc::new(sonde_wire::NoTap::default()));
        let mut session = Session::on(wire.unwrap(), sonde_tests::record::Recorder::new());
        let reason = format!("{:?}", session.closed().await);
        assert!(reason.contains(named), "{reason}");
    }
    let any = HttpSpec {
        network: Network {
            accept_any_certificate: true,
            ..Network::default()
        },
        ..spec.clone()
    };
    let named = HttpSpec {
        url: format!("https://localhost:{port}/mcp"),
        ..spec
    };
    for spec in [any, named] {
        let mut session = Session::over(spec).await;
        session.succeeds(1).await;
        let versions = session.recorder.entries();
        assert!(versions.iter().any(|entry| matches!(
            entry.kind,
            sonde_wire::EntryKind::ResponseHead {
                version: "HTTP/2.0",
                ..
            }
        )));
    }
}

/// Uses a server that requires a certificate of its authority.
#[tokio::test]
async fn a_client_shows_its_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority = params.self_signed(&authority_key).unwrap();
    let issuer = rcgen::Issuer::new(params, authority_key);
    let issue = |name: &str| {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &issuer).unwrap(), key)
    };
    let (server, server_key) = issue("localhost");
    let (client, client_key) = issue("client");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let ca_file = write("ca.pem", authority.pem());
    let identity = ClientIdentity {
        certificate: write("client.pem", client.pem()),
        key: write("client.key", client_key.serialize_pem()),
    };

    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let mut roots = tokio_rustls::rustls::RootCertStore::empty();
    roots.add(authority.der().clone()).unwrap();
    let verifier = tokio_rustls::rustls::server::WebPkiClientVerifier::builder_with_provider(
        Arc::new(roots),
        Arc::clone(&provider),
    )
    .build()
    .unwrap();
    let mut config = tokio_rustls::rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(
            vec![server.der().clone()],
            tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer::from(server_key.serialize_der())
                .into(),
        )
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let port = tls_server(config).await;

    let spec = HttpSpec {
        network: Network {
            ca_file: Some(ca_file),
            identity: Some(identity),
            ..Network::default()
        },
        ..HttpSpec::new(format!("https://localhost:{port}/mcp"))
    };
    let mut session = Session::over(spec.clone()).await;
    session.succeeds(1).await;

    let mut stranger = spec.clone();
    stranger.network.identity = None;
    let recorder = sonde_tests::record::Recorder::new();
    let wire = sonde_wire::http::open(stranger, recorder.clone()).unwrap();
    Session::on(wire, recorder).closed().await;
    let mut missing = spec;
    missing.network.ca_file = Some(folder.path().join("none.pem"));
    assert!(matches!(
        sonde_wire::http::open(missing, Arc::new(sonde_wire::NoTap::default())),
        Err(WireError::BadSetting { .. })
    ));
}

/// Serves HTTP/2 over TLS; returns the port.
async fn tls_server(config: tokio_rustls::rustls::ServerConfig) -> u16 {
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else {
                    return;
                };
                let Ok(mut connection) = h2::server::handshake(stream).await else {
                    return;
                };
                while let Some(Ok((request, respond))) = connection.accept().await {
                    tokio::spawn(serve(request, respond));
                }
            });
        }
    });
    port
}

async fn serve(
    request: http::Request<h2::RecvStream>,
    mut respond: h2::server::SendResponse<bytes::Bytes>,
) {
    let mut body = request.into_body();
    let mut text = Vec::new();
    while let Some(Ok(data)) = body.data().await {
        let _ = body.flow_control().release_capacity(data.len());
        text.extend_from_slice(&data);
    }
    let text = String::from_utf8(text).unwrap();
    let id = text
        .split(r#""id":"#)
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .unwrap_or_default();
    let (status, json) = if text.contains("\"initialize\"") {
        (200, welcome(id))
    } else if text.contains("tools/call") {
        (200, answer(id))
    } else if text.is_empty() {
        (405, String::new())
    } else {
        (202, String::new())
    };
    let head = http::Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(())
        .unwrap();
    if let Ok(mut stream) = respond.send_response(head, false) {
        let _ = stream.send_data(json.into(), true);
    }
}
