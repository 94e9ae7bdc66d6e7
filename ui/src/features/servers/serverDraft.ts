import {
  SECRET_NAMES,
  type NamedValue,
  type SecretInput,
  type ServerConfig,
  type ServerField,
  type Transport,
  type ConfigValue,
} from "../../ipc/bindings";
import { plainDraft } from "../../ipc/drafts";
import { number } from "../../lib/format";
import type { SecretField } from "./authDraft";

/** Draft of an empty form. */
export const newDraft: ServerConfig = {
  name: "",
  transport: { type: "stdio", command: "", args: [], env: [], cwd: null },
  ...plainDraft,
};

/** Looks up the problem of a field, in one row for a field of a list. */
export type ProblemOf = (field: ServerField, row?: number) => string | undefined;
/** Number for a `Disclosure` that rises when saving fails because of one of these fields. */
export type Reveal = (fields: readonly ServerField[]) => number;

interface Known {
  readonly problemOf: ProblemOf;
  /** Secrets in the saved configuration. */
  readonly kept?: ReadonlySet<SecretField>;
  readonly onBroken?: (field: string, broken: boolean) => void;
}

/** Builds the props shared by the controls of an object's members. `field` is the name in problems, by default the key. */
export function fieldsOf<T extends object>(of: T, known: Known, onChange: (next: T) => void, row?: number) {
  type Keys<Member> = { [K in keyof T]: T[K] extends Member ? K : never }[keyof T] & string;
  const shared = <V>(key: string, field = key) => ({
    error: known.problemOf(field as ServerField, row),
    onChange: (value: V) => onChange({ ...of, [key]: value }),
  });
  const text = (key: keyof T & string, field: ServerField | undefined, empty: "" | null) => {
    const { error, onChange: change } = shared(key, field);
    const value = (of[key] as string | null) ?? "";
    return { mono: true, value, error, onChange: (typed: string) => change(typed === "" ? empty : typed) };
  };
  return {
    text: (key: Keys<string>, field?: ServerField) => text(key, field, ""),
    /** Props of a text field whose empty text is `null`. */
    optional: (key: Keys<string | null>, field?: ServerField) => text(key, field, null),
    number: (key: Keys<number | null>, field?: ServerField) => ({
      ...shared<number | null>(key, field),
      value: of[key] as number | null,
      onBroken: (broken: boolean) => known.onBroken?.(field ?? key, broken),
    }),
    secret: (key: Keys<SecretInput | null> & SecretField) => ({
      ...shared<SecretInput>(key),
      value: of[key] as SecretInput | null,
      kept: known.kept?.has(key) === true,
    }),
  };
}

/** True for a WebSocket address. */
export function isSocket(url: string): boolean {
  return /^wss?:/i.test(url.trim());
}

/** Parses a whole number; empty text means no choice. */
export function readNumber(text: string, least: number, most: number): { value: number | null } | { problem: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  const value = Number(trimmed);
  return /^\d+$/.test(trimmed) && value >= least && value <= most
    ? { value }
    : { problem: `Enter a whole number from ${number(least)} to ${number(most)}.` };
}

/** Draft with a name: a missing one is replaced by a free one. */
export function named(draft: ServerConfig, taken: readonly string[]): ServerConfig {
  return draft.name.trim() === "" ? { ...draft, name: freeName(draft.transport, taken) } : draft;
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

/** Returns a message about the `inputs` still left in a text of the configuration; `undefined` if none is left. */
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
        return transport.url.trim();
      }
    case "stdio": {
      const program = last(transport.command.trim());
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

/** Turns a value into plain text or into a secret; a stored secret made plain starts empty. */
export function withSecret(value: ConfigValue, secret: boolean): ConfigValue {
  if (secret) {
    return value.kind === "secret" ? value : { kind: "secret", value: { type: "set", value: value.value } };
  }
  if (value.kind === "plain") return value;
  return { kind: "plain", value: value.value.type === "set" ? value.value.value : "" };
}

/**
 * Returns the entry after a change. If its name newly suggests a secret, the value becomes one from its first letter
 * on, unless the user has switched that off.
 */
export function withHidden<T extends NamedValue>(before: T, after: T): T {
  return isTelling(after) && !isTelling(before) ? { ...after, value: withSecret(after.value, true) } : after;
}

/**
 * True for a plain value whose name suggests a secret. Flags, numbers (MAX_TOKENS=4096) and placeholders are not
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
