import {
  SECRET_NAMES,
  type NamedValue,
  type NetworkConfig,
  type ServerConfig,
  type Transport,
  type ConfigValue,
} from "../../ipc/bindings";
import { plainDraft } from "../../ipc/drafts";
import { number } from "../../lib/format";
import { hasProblem } from "../../state/declaration";
import { tidyAuth, type AuthProblems } from "./authDraft";
import { authProblems } from "./authProblems";

/** Draft of an empty form. */
export const newDraft: ServerConfig = {
  name: "",
  transport: { type: "stdio", command: "", args: [], env: [], cwd: null },
  ...plainDraft,
};

/** Problems that keep a form from being saved, by field. */
export interface DraftProblems extends AuthProblems {
  readonly command?: string;
  readonly url?: string;
  readonly names?: string;
  readonly proxy?: string;
  readonly certificate?: string;
  readonly declaration?: string;
}

/** Problem of a root while it is typed; the backend has the last word. */
export function rootProblem(folder: string): string | undefined {
  const typed = folder.trim();
  if (/^file:/i.test(typed) ? hasParent(typed.replaceAll(/%2e/gi, ".")) : hasParent(typed)) {
    return "Enter the path without “..”.";
  }
  if (typed === "" || /^(file:\/\/|\/|[a-z]:[\\/]|\\\\[^\\/])/i.test(typed)) return undefined;
  return "Enter the whole path of a folder, or a file:// URI.";
}

/** Detects a `..` between slashes. A backslash is part of a name in paths that begin with a slash. */
function hasParent(path: string): boolean {
  return path.split(path.startsWith("/") ? "/" : /[\\/]/).includes("..");
}

export function draftProblems({ transport, declaration }: ServerConfig): DraftProblems {
  return {
    ...transportProblems(transport),
    ...(hasProblem(declaration) ? { declaration: "An extension is not complete." } : {}),
  };
}

function transportProblems(transport: Transport): DraftProblems {
  switch (transport.type) {
    case "stdio":
      return {
        ...(transport.command.trim() === "" ? { command: "Enter the command to run." } : {}),
        ...nameProblem(transport.env, "variable"),
      };
    case "http":
      return {
        ...urlProblem(transport.url),
        ...nameProblem(transport.headers, "header"),
        ...networkProblem(transport.network),
        ...authProblems(transport.auth),
      };
    case "demo":
      return {};
  }
}

function urlProblem(url: string): DraftProblems {
  if (url.trim() === "") return { url: "Enter the URL." };
  let parsed: URL;
  try {
    parsed = new URL(url.trim());
  } catch {
    return { url: "This is not a complete URL. It must start with http://, https://, ws:// or wss://." };
  }
  return /^(https?|wss?):$/.test(parsed.protocol)
    ? {}
    : { url: `${parsed.protocol}// is not supported. Use http://, https://, ws:// or wss://.` };
}

function networkProblem({ proxy, client_certificate }: NetworkConfig): DraftProblems {
  const certificate = client_certificate?.certificate.trim() ?? "";
  const key = client_certificate?.key.trim() ?? "";
  return {
    ...(proxy.type === "at" && !isProxy(proxy.url)
      ? { proxy: "Enter the proxy URL. It must start with http://, https:// or socks5://." }
      : {}),
    ...(certificate === "" && key !== "" ? { certificate: "Enter the certificate that belongs to the key." } : {}),
  };
}

function isProxy(url: string): boolean {
  return /^(https?|socks5h?):\/\/[^/\s]/i.test(url.trim());
}

/** True if the server is reached over the network, without starting a process. */
export function isRemote(transport: Transport): boolean {
  return transport.type === "http";
}

/** True for a WebSocket address. */
export function isSocket(url: string): boolean {
  return /^wss?:/i.test(url.trim());
}

/** Parses a whole number; empty text is no choice. */
export function readNumber(text: string, least: number, most: number): { value: number | null } | { problem: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  const value = Number(trimmed);
  return /^\d+$/.test(trimmed) && value >= least && value <= most
    ? { value }
    : { problem: `A whole number from ${number(least)} to ${number(most)}.` };
}

function nameProblem(entries: readonly NamedValue[], what: string): DraftProblems {
  if (entries.some((entry) => entry.name.trim() === "")) return { names: `A ${what} has no name.` };
  return {};
}

/** Draft as it is saved: names trimmed, and a missing name replaced by a free one. */
export function finished(draft: ServerConfig, taken: readonly string[]): ServerConfig {
  const transport = tidy(draft.transport);
  const name = draft.name.trim();
  return { ...draft, transport, name: name === "" ? freeName(transport, taken) : name };
}

/** Name that no existing server has. */
function freeName(transport: Transport, taken: readonly string[]): string {
  const name = nameFor(transport);
  if (!taken.includes(name)) return name;
  const path = transport.type === "http" ? pathOf(transport.url) : "";
  if (path !== "" && !taken.includes(name + path)) return name + path;
  let count = 2;
  while (taken.includes(`${name} ${count}`)) count++;
  return `${name} ${count}`;
}

function pathOf(address: string): string {
  try {
    return new URL(address).pathname.replace(/\/$/, "");
  } catch {
    return "";
  }
}

function tidy(transport: Transport): Transport {
  const trimmed = (entries: readonly NamedValue[]): NamedValue[] =>
    entries.map((entry) => ({ ...entry, name: entry.name.trim() }));
  switch (transport.type) {
    case "stdio":
      return {
        ...transport,
        command: transport.command.trim(),
        env: trimmed(transport.env),
        cwd: transport.cwd === null || transport.cwd.trim() === "" ? null : transport.cwd.trim(),
      };
    case "http":
      return {
        ...transport,
        url: transport.url.trim(),
        headers: trimmed(transport.headers),
        network: tidyNetwork(transport.network),
        auth: tidyAuth(transport.auth),
      };
    case "demo":
      return transport;
  }
}

function tidyNetwork(network: NetworkConfig): NetworkConfig {
  const { proxy, client_certificate } = network;
  const certificate = client_certificate?.certificate.trim() ?? "";
  const key = client_certificate?.key.trim() ?? "";
  const file = network.ca_file?.trim() ?? "";
  return {
    ...network,
    proxy: proxy.type === "at" ? { ...proxy, url: proxy.url.trim() } : proxy,
    ca_file: file === "" ? null : file,
    // One file may hold both.
    client_certificate: certificate === "" ? null : { certificate, key: key === "" ? certificate : key },
  };
}

/** Asks for the `inputs` still left in a text of the configuration; `undefined` if none is left. */
export function inputProblem(text: string, inputs: readonly string[]): string | undefined {
  const left = inputs.filter((input) => text.includes(input));
  if (left.length === 0) return undefined;
  const names = left.map((input) => input.replace(/^\$\{(input|env):(.*)\}$/, "“$2”")).join(" and ");
  return text === left[0]
    ? `Enter the value of ${names}.`
    : `Replace ${left.join(" and ")} with the value of ${names}.`;
}

/** True if a form still contains placeholders of inputs. */
export function asksForInputs({ transport }: ServerConfig, inputs: readonly string[]): boolean {
  const plain = (entries: readonly NamedValue[]): string[] =>
    entries.flatMap(({ value }) => (value.kind === "plain" ? [value.value] : []));
  const texts =
    transport.type === "stdio"
      ? [transport.command, ...transport.args, ...plain(transport.env), transport.cwd ?? ""]
      : transport.type === "http"
        ? [transport.url, ...plain(transport.headers)]
        : [];
  return texts.some((text) => inputProblem(text, inputs) !== undefined);
}

/** Name derived from the command or address: `server-files` for `npx -y @scope/server-files`. */
export function nameFor(transport: Transport): string {
  switch (transport.type) {
    case "demo":
      return "Demo server";
    case "http":
      try {
        return new URL(transport.url).host;
      } catch {
        return transport.url;
      }
    case "stdio": {
      const program = last(transport.command);
      const runner = /^(npx|bunx|pnpm|yarn|uvx|uv|node|python3?|deno|docker)(\.exe|\.cmd)?$/i.test(program);
      const script = runner
        ? transport.args.find((arg) => !arg.startsWith("-") && !/^(run|dlx|x|exec|tool)$/.test(arg))
        : undefined;
      return script === undefined ? program : last(script).replace(/(.)@[^@]*$/, "$1");
    }
  }
}

function last(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** Turns a value into plain text or into a secret; a stored secret made plain begins empty. */
export function withSecret(value: ConfigValue, secret: boolean): ConfigValue {
  if (secret) {
    return value.kind === "secret" ? value : { kind: "secret", value: { type: "set", value: value.value } };
  }
  if (value.kind === "plain") return value;
  return { kind: "plain", value: value.value.type === "set" ? value.value.value : "" };
}

/**
 * Entry after a change. If its name newly suggests a secret, the value becomes one from its first letter on; a user who
 * has switched that off is not overruled.
 */
export function withHidden<T extends NamedValue>(before: T, after: T): T {
  return isTelling(after) && !isTelling(before) ? { ...after, value: withSecret(after.value, true) } : after;
}

/**
 * True for a plain value whose name suggests a secret. Flags, numbers (MAX_TOKENS=4096) and placeholders are no
 * secrets.
 */
function isTelling({ name, value }: NamedValue): boolean {
  if (value.kind !== "plain" || value.value === "" || /^(\d{1,5}|true|false)$|\$\{/i.test(value.value)) return false;
  const lower = name.toLowerCase();
  const joined = lower.replaceAll(/[^a-z0-9]/g, "");
  return SECRET_NAMES.some((part) => (part.startsWith("_") ? lower.endsWith(part) : joined.includes(part)));
}

/** Name of a secret in words, from the name under which the host stores it. */
export function secretWords(slot: string): string {
  const [place = "", name = slot] = slot.split(/:(.*)/s);
  if (place === "env") return `the variable ${name}`;
  if (place === "header") return `the header ${name}`;
  if (place === "arg") return `the argument ${name}`;
  if (place === "proxy") return "the password of the proxy";
  return place === "auth" ? `the ${authSecrets[name] ?? name.replaceAll("_", " ")}` : slot;
}

const authSecrets: Readonly<Record<string, string>> = {
  idp_client_secret: "client secret at the identity provider",
  id_token: "ID token",
};

/** Moves an item of a list by one place; returns the same items if there is no such place. */
export function moved<T>(items: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by;
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  const next = items.toSpliced(from, 1);
  next.splice(to, 0, item);
  return next;
}
