import type { SecretInput, ServerConfig, ServerId, StoredSecret, StoredSecrets } from "../bindings";
import { fail } from "./fail";
import type { Handlers } from "./handlers";

/** Behaviour and contents of the simulated keyring. */
export interface FakeKeyring {
  /** `shut`: refuses every secret; `unreadable`: the first read fails; `slow`: never responds. */
  readonly kind: "open" | "shut" | "unreadable" | "slow";
  readonly secrets: readonly StoredSecret[];
}

export function storedSecrets(world: { keyring: FakeKeyring }) {
  return {
    stored_secrets: () => {
      const { kind, secrets } = world.keyring;
      if (kind === "slow") return new Promise<StoredSecrets>(() => undefined);
      if (kind === "unreadable") {
        world.keyring = { kind: "open", secrets };
        fail("keyring_unavailable", "The keyring could not be read.", "org.freedesktop.Secret.Error.IsLocked");
      }
      const usable = kind === "open";
      return {
        place: usable
          ? "Secrets are stored in the system's keyring (Secret Service)."
          : "No keyring is available: secrets stay in memory until Sonde quits.",
        usable,
        secrets: [...secrets],
      };
    },
    delete_secret: ({ id }) => {
      const { kind, secrets } = world.keyring;
      const left = secrets.filter((secret) => secret.id !== id);
      if (left.length === secrets.length) fail("not_found", "It is no longer stored.");
      if (id === locked) fail("keyring_unavailable", "The keyring is locked.", "Unlock it and try again.");
      world.keyring = { kind, secrets: left };
    },
    /** Stores all secrets but the last at the first attempt, and the last one at the second. */
    retry_keyring: () => {
      const { secrets } = world.keyring;
      const waiting = secrets.filter(({ kept }) => kept === "memory");
      const left = waiting.length > 1 ? waiting.at(-1) : undefined;
      world.keyring = {
        kind: "open",
        secrets: secrets.map((secret) => (secret === left ? secret : { ...secret, kept: "keyring" })),
      };
      return waiting.length - (left ? 1 : 0);
    },
  } satisfies Partial<Handlers>;
}

/** Setting whose secret cannot be deleted. */
const locked = "setting-2";

export function manySecrets(files: ServerId, remote: ServerId, kept: StoredSecret["kept"] = "keyring"): StoredSecret[] {
  const issuer = "https://login.example.com";
  const resource = "https://mcp.example.com/v1/mcp";
  const long = "https://a-server-with-a-rather-long-host-name.department.example.org/services/mcp/v2";
  const secret = (id: string, title: string, servers: ServerId[], more: Partial<StoredSecret> = {}): StoredSecret => ({
    id,
    kind: "setting",
    title,
    issuer: null,
    resource: null,
    client_id: null,
    servers,
    saved_at: null,
    kept,
    ...more,
  });
  const client = {
    issuer,
    client_id: "f3c1a6d0-7a52-4f0e-9b56-2b1d4c8e9f10",
    saved_at: new Date(2026, 0, 3, 14, 3).getTime(),
  };
  return [
    secret("token-1", `Sign-in for ${resource}`, [remote], { ...client, kind: "token", resource }),
    secret("token-2", `Sign-in for ${long}`, [], {
      ...client,
      kind: "token",
      issuer: "https://identity.department.example.org/realms/everything",
      resource: long,
      client_id: "https://example.com/clients/sonde.json",
    }),
    secret("client-1", `Registration with ${issuer}`, [remote], { ...client, kind: "client" }),
    secret("setting-1", "Header Authorization", [remote]),
    secret(locked, "Environment variable API_KEY", [files]),
  ];
}

/** Returns a configuration as it looks once its secrets are in the keyring: they never return to the window. */
export function withoutSecrets(draft: ServerConfig): ServerConfig {
  const keep = (_: string, value: unknown): unknown => (isSecret(value) ? { type: "keep" } : value);
  return JSON.parse(JSON.stringify(draft), keep) as ServerConfig;
}

function isSecret(value: unknown): value is SecretInput {
  return typeof value === "object" && value !== null && "type" in value && value.type === "set";
}
