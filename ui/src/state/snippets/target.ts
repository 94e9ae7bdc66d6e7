/** Target of a program: the server that it connects to, and how. */
import type { AuthStatus, ConnectionView, ServerView, SessionView, ConfigValue } from "../../ipc/bindings";

/** A literal value, or the environment variable that holds a secret. */
export type Given = { readonly value: string } | { readonly variable: string; readonly before: string };

export type Target =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly (readonly [string, Given])[];
      readonly cwd: string | null;
    }
  | {
      readonly type: "streamable_http" | "http_sse" | "web_socket";
      readonly url: string;
      readonly headers: readonly (readonly [string, Given])[];
    };

/** Known facts about reaching a server. */
export interface Known {
  readonly server: ServerView;
  readonly session: SessionView | undefined;
  readonly connection: ConnectionView | undefined;
  readonly auth: AuthStatus | undefined;
}

/** Returns the target for a server; `null` for a server that only Sonde itself can reach. */
export function targetOf({ server, session, connection, auth }: Known): Target | null {
  const { transport } = server.config;
  switch (transport.type) {
    case "stdio":
      return {
        type: "stdio",
        command: transport.command,
        args: transport.args,
        env: transport.env.map(({ name, value }) => [name, literalOrVariable(value, name)]),
        cwd: transport.cwd,
      };
    case "demo": {
      const process = session?.process;
      if (transport.http || !process) return null;
      return { type: "stdio", command: process.program, args: process.argv.slice(1), env: [], cwd: null };
    }
    case "http": {
      const socket = /^wss?:/i.test(transport.url);
      const sse = transport.kind === "sse" || (transport.kind === "automatic" && connection?.transport === "http_sse");
      const type = socket ? "web_socket" : sse ? "http_sse" : "streamable_http";
      const headers = transport.headers.map(
        ({ name, value }) => [name, literalOrVariable(value, variableOf(name))] as const,
      );
      const signedIn = transport.auth.type === "sign_in" && auth !== undefined && auth.grant !== null;
      const hasToken = transport.auth.type === "token" || signedIn;
      const token: readonly [string, Given] = ["Authorization", { variable: "ACCESS_TOKEN", before: "Bearer " }];
      return { type, url: transport.url, headers: hasToken ? [...headers, token] : headers };
    }
  }
}

function literalOrVariable(value: ConfigValue, variable: string): Given {
  return value.kind === "plain" ? { value: value.value } : { variable, before: "" };
}

/** Names the environment variable of a header: `X_API_KEY` for `X-API-Key`. */
function variableOf(header: string): string {
  const name = header.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return /^\d/.test(name) || name === "" ? `_${name}` : name;
}
