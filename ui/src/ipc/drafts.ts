import { plainDeclaration, plainNetwork, plainRules, plainSignIn } from "./bindings";
import type { AuthConfig, NetworkConfig, ServerConfig, Transport } from "./bindings";

export { plainDeclaration, plainNetwork, plainRules, plainSignIn };

export const plainAuth: AuthConfig = { type: "sign_in", options: plainSignIn };

/** Defaults of a configuration, without its name and transport. */
export const plainDraft: Omit<ServerConfig, "name" | "transport"> = {
  idle_seconds: null,
  hard_seconds: null,
  protocol: { type: "automatic" },
  stream_attempts: null,
  roots: [],
  request_rules: plainRules,
  declaration: plainDeclaration,
};

export function address(url: string, network: Partial<NetworkConfig> = {}): Extract<Transport, { type: "http" }> {
  return {
    type: "http",
    url,
    headers: [],
    kind: "automatic",
    network: { ...plainNetwork, ...network },
    auth: plainAuth,
  };
}
