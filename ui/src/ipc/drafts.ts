import type {
  AuthConfig,
  Declaration,
  NetworkConfig,
  RequestRules,
  ServerConfig,
  SignInConfig,
  Transport,
} from "./bindings";

type HttpDraft = Extract<Transport, { type: "http" }>;

export const plainNetwork: NetworkConfig = {
  proxy: { type: "system" },
  ca_file: null,
  client_certificate: null,
  accept_any_certificate: false,
  connect_seconds: null,
  idle_seconds: null,
};

/** Sign-in settings with nothing chosen. */
export const plainSignIn: SignInConfig = {
  grant: { type: "browser" },
  client_id: null,
  client_secret: null,
  issuer: null,
  metadata_url: null,
  scopes: null,
  redirect_port: null,
  without_pkce_promise: false,
  dpop: "automatic",
};

export const plainAuth: AuthConfig = { type: "sign_in", options: plainSignIn };

/** No rules: the user is asked, and requests for roots are answered. */
export const plainRules: RequestRules = {
  form: { action: { type: "ask" }, delay_seconds: 0 },
  page: { action: { type: "ask" }, delay_seconds: 0 },
  sampling: { action: { type: "ask" }, delay_seconds: 0 },
  roots: { refuse: false, delay_seconds: 0 },
};

/** Default declaration: everything that Sonde can serve. */
export const plainDeclaration: Declaration = {
  preset: "sonde",
  name: null,
  version: null,
  roots: { list_changed: true, without_any: false },
  sampling: { context: false, tools: true },
  elicitation: { form: true, url: true },
  tasks: true,
  request_tasks: true,
  extensions: [],
};

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

export function address(url: string, network: Partial<NetworkConfig> = {}): HttpDraft {
  return {
    type: "http",
    url,
    headers: [],
    kind: "automatic",
    network: { ...plainNetwork, ...network },
    auth: plainAuth,
  };
}
