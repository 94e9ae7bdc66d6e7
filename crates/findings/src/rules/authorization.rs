//! What servers and authorization servers say while somebody signs in.

rules! {
    CHALLENGE_WITHOUT_SCOPE = "challenge-without-scope", Warning,
        "The challenge of the response 401 has no `scope`.",
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
        "`offline_access` stands in {place}.",
        why: "Whether a client may act without its user is between it and the authorization server, and no need of the resource.",
        fix: "Leave `offline_access` out there.",
        since: "2026-07-28",
        spec: "Authorization: refresh tokens" => "2026-07-28/basic/authorization#refresh-tokens";
    INCOMPLETE_SCOPE_CHALLENGE = "incomplete-scope-challenge", Warning,
        "The challenge `insufficient_scope` has no `{member}`.",
        why: "The client does not know what to ask for, so the user cannot grant it.",
        fix: "Send `error`, `scope` and `resource_metadata` with the response 403.",
        since: "2025-11-25",
        spec: "Authorization: runtime insufficient scope errors" => "2025-11-25/basic/authorization#runtime-insufficient-scope-errors";
    NO_REGISTRATION = "no-registration", Warning,
        "The authorization server takes neither client ID metadata documents nor registrations.",
        why: "Each user has to have a client registered by the operator before he can sign in.",
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
        why: "Clients that follow no redirects, as attackers use them, do not find it.",
        fix: "Serve the metadata at its well-known address.",
        since: "2025-06-18",
        spec: "Security best practices: server-side request forgery" => "2025-11-25/basic/security_best_practices#server-side-request-forgery-ssrf";
}
