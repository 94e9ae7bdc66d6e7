//! The protected server of the peer: Streamable HTTP, with a handshake.

use serde_json::{Value, json};

use super::{PeerOptions, Served, Shared, authorization_server};
use crate::http_peer::{Reply, Request};

/// Path of the resource's metadata (RFC 9728 section 3.1).
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

pub(super) fn answer(shared: &Shared, request: &Request) -> Reply {
    let options = shared.options();
    let reply = match request.target.as_str() {
        "/mcp" => match &options.redirect_mcp {
            Some(elsewhere) => Reply::status(307).header("Location", elsewhere).body(""),
            None => guarded(shared, &options, request),
        },
        _ if options.own_auth_server => return authorization_server::answer(shared, request),
        METADATA => metadata(shared, &options),
        _ => Reply::status(404).body(""),
    };
    reply.after(options.server_delay)
}

fn metadata(shared: &Shared, options: &PeerOptions) -> Reply {
    if let Some(elsewhere) = &options.redirect_metadata {
        return Reply::status(302)
            .header("Location", &format!("{elsewhere}{METADATA}"))
            .body("");
    }
    let issuer = options.authorization_server.as_deref();
    let document = json!({
        "resource": shared.resource(options),
        "authorization_servers": [issuer.unwrap_or_else(|| shared.issuer())],
        "scopes_supported": ["read", "write"],
        "bearer_methods_supported": ["header"],
    });
    Reply::json(document.to_string())
}

fn guarded(shared: &Shared, options: &PeerOptions, request: &Request) -> Reply {
    let token = request
        .header("Authorization")
        .and_then(|value| value.strip_prefix("Bearer "));
    // RFC 6750 section 3: a request without a token learns no error code.
    let Some(token) = token else {
        return refuse(shared, options, 401, &[]);
    };
    let known = shared.scopes_of(token).filter(|_| !options.refuse_all);
    let Some(scopes) = known else {
        return refuse(shared, options, 401, &[("error", "invalid_token")]);
    };
    match request.method.as_str() {
        "POST" => post(shared, options, request, token, &scopes),
        "GET" if options.listener => Reply::event_stream()
            .chunk(": open\n\n")
            .wait(&shared.next_stream())
            .end(),
        "DELETE" => Reply::status(200).body(""),
        _ => Reply::status(405).body(""),
    }
}

/// Refuses with the challenge of RFC 9728 section 5.1.
fn refuse(shared: &Shared, options: &PeerOptions, status: u16, more: &[(&str, &str)]) -> Reply {
    let mut parts: Vec<String> = more
        .iter()
        .map(|(name, value)| format!("{name}=\"{value}\""))
        .collect();
    if options.challenge_metadata && !options.own_auth_server {
        let origin = shared.origin();
        parts.push(format!("resource_metadata=\"{origin}{METADATA}\""));
    }
    if status == 401 {
        parts.push("scope=\"read\"".to_owned());
    }
    Reply::status(status)
        .header("WWW-Authenticate", &format!("Bearer {}", parts.join(", ")))
        .body("")
}

fn post(
    shared: &Shared,
    options: &PeerOptions,
    request: &Request,
    token: &str,
    scopes: &[String],
) -> Reply {
    let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let Some(id) = message.get("id") else {
        return Reply::accepted();
    };
    let params = &message["params"];
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let revision = options.revision.or(params["protocolVersion"].as_str());
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": {
                "protocolVersion": revision,
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "guarded", "version": "1" },
            }});
            let session = shared.next_session();
            return Reply::status(200)
                .header("Mcp-Session-Id", &session)
                .json_body(answer);
        }
        "ping" => json!({}),
        "tools/list" => {
            let schema =
                json!({ "type": "object", "properties": { "text": { "type": "string" } } });
            let tools =
                ["read", "write"].map(|name| json!({ "name": name, "inputSchema": schema }));
            json!({ "tools": tools })
        }
        "tools/call" => {
            let tool = params["name"].as_str().unwrap_or_default();
            let needed = if tool == "write" {
                &options.write_scope
            } else {
                "read"
            };
            if !scopes.iter().any(|scope| scope == needed) {
                let more = [("error", "insufficient_scope"), ("scope", needed)];
                return refuse(shared, options, 403, &more);
            }
            let arguments = params["arguments"].to_string();
            let text = format!("{tool} {arguments}");
            shared.serve(Served {
                tool: tool.to_owned(),
                arguments,
                token: token.to_owned(),
            });
            json!({ "content": [{ "type": "text", "text": text }] })
        }
        _ => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            return Reply::status(200)
                .json_body(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
        }
    };
    Reply::status(200).json_body(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}
