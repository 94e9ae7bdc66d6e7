// A small server with sign-in, whose authorization server takes everybody.
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { body, json, log, port, usual } from "./http.mjs";

export const ORIGIN = "http://127.0.0.1:" + port;

/** Serves `/mcp` and what `documents` answers at other paths. `challenge`: parameters of the challenge. `token` answers the
 * token endpoint in place of a token. */
export function serve({ issuer = ORIGIN, documents, challenge, token }) {
  const codes = {};
  const tokens = new Set();
  const metadata = {
    issuer,
    authorization_endpoint: ORIGIN + "/authorize",
    token_endpoint: ORIGIN + "/token",
    registration_endpoint: ORIGIN + "/register",
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
  };
  const paths = {
    ...documents,
    "/.well-known/oauth-authorization-server": (res) => json(res, 200, metadata),
    "/register": async (res, req) =>
      json(res, 201, { ...JSON.parse(await body(req)), client_id: "client-" + randomUUID() }),
    "/authorize": (res, req, q) => {
      const code = randomUUID();
      codes[code] = q.get("code_challenge");
      const Location = q.get("redirect_uri") + "?code=" + code + "&state=" + encodeURIComponent(q.get("state"));
      res.writeHead(302, { Location }).end();
    },
    "/token": async (res, req) => {
      const q = new URLSearchParams(await body(req));
      const hash = createHash("sha256")
        .update(q.get("code_verifier") ?? "")
        .digest("base64url");
      if (q.get("grant_type") === "authorization_code" && codes[q.get("code")] !== hash)
        return json(res, 400, { error: "invalid_grant", error_description: "wrong verifier" });
      if (token) return json(res, 200, token);
      const access_token = "tok-" + randomUUID();
      tokens.add(access_token);
      const refresh_token = "ref-" + randomUUID();
      return json(res, 200, { access_token, token_type: "Bearer", expires_in: 3600, refresh_token });
    },
  };
  createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url, ORIGIN);
    log(req.method, pathname);
    if (paths[pathname]) return paths[pathname](res, req, searchParams);
    if (pathname !== "/mcp") return res.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not Found</h1>");
    const m = req.method === "POST" ? JSON.parse(await body(req)) : {};
    if (!tokens.has((req.headers.authorization ?? "").replace(/^Bearer /, "")))
      return json(res, 401, { error: "unauthorized" }, { "WWW-Authenticate": "Bearer " + challenge });
    if (req.method !== "POST") return res.writeHead(405).end();
    usual(res, m, [{ name: "who", inputSchema: { type: "object" } }]);
  }).listen(port, "127.0.0.1");
}
