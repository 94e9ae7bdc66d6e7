//! Faults of servers and authorization servers during a sign-in.

rules! {
    MISSING_RESOURCE_METADATA = "missing-resource-metadata", Error,
        "The challenge points to `{url}`, which has no protected resource metadata.",
        why: "Clients cannot find the authorization server, so nobody can sign in.",
        fix: "Serve the metadata there, or correct `resource_metadata` in `WWW-Authenticate`.",
        since: "2025-06-18",
        spec: "Authorization: protected resource metadata" => "2025-11-25/basic/authorization#protected-resource-metadata-discovery-requirements";
    NO_RESOURCE_METADATA = "no-resource-metadata", Error,
        "The server requires a sign-in and publishes no protected resource metadata.",
        why: "Clients have to guess that the authorization server is at the server's root, as in 2025-03-26, and many do not.",
        fix: "Serve the metadata at `/.well-known/oauth-protected-resource`, and name its URL as `resource_metadata` in `WWW-Authenticate`.",
        since: "2025-06-18",
        spec: "Authorization: protected resource metadata" => "2025-11-25/basic/authorization#protected-resource-metadata-discovery-requirements";
    BAD_RESOURCE_METADATA_URL = "bad-resource-metadata-url", Error,
        "`resource_metadata` in the challenge {problem}.",
        why: "Clients cannot find the authorization server, or must not use this URL, so nobody can sign in.",
        fix: "Send the HTTPS URL of the protected resource metadata as `resource_metadata` in `WWW-Authenticate`.",
        since: "2025-06-18",
        spec: "RFC 9728: WWW-Authenticate response" => "https://www.rfc-editor.org/rfc/rfc9728#section-5.1";
    NO_AUTHORIZATION_SERVERS = "no-authorization-servers", Error,
        "The protected resource metadata names no authorization server.",
        why: "Clients do not know where users are to sign in.",
        fix: "List at least one issuer in `authorization_servers`.",
        since: "2025-06-18",
        spec: "Authorization: authorization server location" => "2025-11-25/basic/authorization#authorization-server-location";
    BAD_ISSUER = "bad-issuer", Error,
        "`authorization_servers` in the protected resource metadata names `{issuer}`, which {problem}.",
        why: "Clients derive the URL of the authorization server metadata from the issuer, and may refuse to sign in there.",
        fix: "List issuers as HTTPS URLs without query or fragment in `authorization_servers`.",
        since: "2025-06-18",
        spec: "RFC 8414: authorization server metadata" => "https://www.rfc-editor.org/rfc/rfc8414#section-2";
    MISSING_SERVER_METADATA = "missing-server-metadata", Error,
        "The authorization server `{issuer}` has no metadata at any of the well-known URLs.",
        why: "Clients cannot find its endpoints, so nobody can sign in there.",
        fix: "Publish OAuth 2.0 authorization server metadata or OpenID Connect discovery metadata, or correct `authorization_servers`.",
        since: "2025-06-18",
        spec: "Authorization: authorization server metadata discovery" => "2025-11-25/basic/authorization#authorization-server-metadata-discovery";
    RESOURCE_MISMATCH = "resource-mismatch", Error,
        "`resource` in the protected resource metadata {problem}.",
        why: "Clients must not use the metadata of another resource: a token could end up in the wrong hands.",
        fix: "Publish the URL of the server as `resource`.",
        since: "2025-06-18",
        spec: "RFC 9728: protected resource metadata validation" => "https://www.rfc-editor.org/rfc/rfc9728#section-3.3";
    ISSUER_MISMATCH = "issuer-mismatch", Error,
        "`issuer` in the authorization server metadata of `{expected}` {problem}.",
        why: "Clients must not use authorization server metadata with another issuer.",
        fix: "Publish as `issuer` exactly the URL that the address of the metadata is derived from, including any trailing slash.",
        since: "2025-03-26",
        spec: "RFC 8414: authorization server metadata validation" => "https://www.rfc-editor.org/rfc/rfc8414#section-3.3";
    PKCE_NOT_ADVERTISED = "pkce-not-advertised", Error,
        "`code_challenge_methods_supported` in the authorization server metadata {problem}.",
        why: "Clients must refuse to sign in where PKCE is not advertised: a code could be stolen.",
        fix: "Support PKCE, and publish `S256` in `code_challenge_methods_supported`.",
        since: "2025-11-25",
        spec: "Authorization: authorization code protection" => "2025-11-25/basic/authorization#authorization-code-protection";
    INSECURE_ENDPOINT = "insecure-endpoint", Error,
        "`{member}` in the authorization server metadata does not use HTTPS.",
        why: "Anyone on the network path can read codes and tokens.",
        fix: "Serve all endpoints over HTTPS.",
        since: "2025-03-26",
        spec: "Authorization: communication security" => "2025-11-25/basic/authorization#communication-security";
    BAD_RESPONSE_ISSUER = "bad-response-issuer", Error,
        "`iss` in the authorization response {problem}.",
        why: "A client cannot tell that the response comes from the authorization server that it asked, and must not use it.",
        fix: "Send the issuer of the metadata, unchanged, as `iss` with each authorization response.",
        since: "2026-07-28",
        spec: "RFC 9207: response parameter iss" => "https://www.rfc-editor.org/rfc/rfc9207#section-2";
    UNADVERTISED_RESPONSE_ISSUER = "unadvertised-response-issuer", Error,
        "The authorization response has `iss`, which the authorization server metadata does not advertise.",
        why: "A client cannot tell whether somebody took `iss` out of a response.",
        fix: "Publish `authorization_response_iss_parameter_supported` as `true`.",
        since: "2026-07-28",
        spec: "RFC 9207: providing the issuer identifier" => "https://www.rfc-editor.org/rfc/rfc9207#section-2.3";
    CHALLENGE_WITHOUT_SCOPE = "challenge-without-scope", Warning,
        "The challenge of the 401 response has no `scope`.",
        why: "Clients ask for all scopes that they find, and users grant more than is needed.",
        fix: "Name the scopes that the request needs in `WWW-Authenticate`.",
        since: "2025-11-25",
        spec: "Authorization: protected resource metadata" => "2025-11-25/basic/authorization#protected-resource-metadata-discovery-requirements";
    WILDCARD_SCOPES = "wildcard-scopes", Warning,
        "`scopes_supported` of the protected resource has the wildcard `{scope}`.",
        why: "A token for everything does most harm when it is stolen, and users cannot tell what they grant.",
        fix: "List the scopes that clients need for the basic functions.",
        since: "2025-11-25",
        spec: "Security best practices: scope minimization" => "2025-11-25/basic/security_best_practices#scope-minimization";
    OFFLINE_ACCESS_SCOPE = "offline-access-scope", Warning,
        "`offline_access` is listed in {place}.",
        why: "Whether a client may act without its user is a matter between the client and the authorization server; the resource does not need this scope.",
        fix: "Remove `offline_access` from it.",
        since: "2026-07-28",
        spec: "Authorization: refresh tokens" => "2026-07-28/basic/authorization#refresh-tokens";
    INCOMPLETE_SCOPE_CHALLENGE = "incomplete-scope-challenge", Warning,
        "The `insufficient_scope` challenge has no `{member}`.",
        why: "The client does not know what to ask for, so the user cannot grant it.",
        fix: "Send `error`, `scope` and `resource_metadata` with the 403 response.",
        since: "2025-11-25",
        spec: "Authorization: runtime insufficient scope errors" => "2025-11-25/basic/authorization#runtime-insufficient-scope-errors";
    NO_REGISTRATION = "no-registration", Warning,
        "The authorization server takes neither client ID metadata documents nor registrations.",
        why: "Each user has to have a client registered by the operator before they can sign in.",
        fix: "Support client ID metadata documents, or say in the documentation of the server how to get a client.",
        since: "2025-11-25",
        spec: "Authorization: client registration" => "2025-11-25/basic/authorization#client-registration-approaches";
    ONLY_DYNAMIC_REGISTRATION = "only-dynamic-registration", Info,
        "The authorization server registers clients, and takes no client ID metadata documents.",
        why: "Each installation of each client becomes a client of its own, which nobody can tell from others.",
        fix: "Support client ID metadata documents as well.",
        since: "2025-11-25",
        spec: "Authorization: client registration" => "2025-11-25/basic/authorization#client-registration-approaches";
    REDIRECTED_METADATA = "redirected-metadata", Info,
        "The metadata was asked for at `{url}` and is elsewhere.",
        why: "Clients that do not follow redirects, because attackers abuse them, cannot find it.",
        fix: "Serve the metadata at its well-known address.",
        since: "2025-06-18",
        spec: "Security best practices: server-side request forgery" => "2025-11-25/basic/security_best_practices#server-side-request-forgery-ssrf";
}
