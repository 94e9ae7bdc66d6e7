import { lettersWords, mixedScripts, scriptsOf } from "./visible";

export interface SplitAddress {
  readonly before: string;
  readonly host: string;
  readonly after: string;
}

/**
 * Splits an address around its host (with the port), so that the host can be highlighted. A name and a password before
 * an `@` are not part of the host, whatever they look like.
 */
export function splitHost(address: string): SplitAddress | null {
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)/i.exec(address);
  if (!found) return null;
  const [whole, scheme = "", authority = ""] = found;
  const start = scheme.length + authority.lastIndexOf("@") + 1;
  const host = address.slice(start, whole.length);
  return host === "" ? null : { before: address.slice(0, start), host, after: address.slice(whole.length) };
}

/** Returns the host of an address, or the whole text if it is not an address. */
export function hostOf(address: string): string {
  return splitHost(address)?.host ?? address;
}

/**
 * Returns the normal form of an address, which is the form that opens; the text itself if it is not an address. An
 * address without a path stays without one.
 */
export function normalForm(address: string): string {
  const parsed = URL.canParse(address) ? new URL(address).href : address;
  return parsed === `${address}/` ? address : parsed;
}

/** Describes the letters that a Punycode host name stands for, in one sentence; `null` for other hosts. */
export function hostWords(host: string): string | null {
  const name = host.replace(/:\d+$/, "");
  const labels = name.split(".");
  if (!labels.some((label) => label.startsWith("xn--"))) return null;
  const decoded = labels.map((label) => (label.startsWith("xn--") ? (decodePunycode(label.slice(4)) ?? label) : label));
  const foreign = decoded.filter((label, index) => label !== labels[index]);
  if (foreign.length === 0) return null;
  const mixed = foreign.flatMap(mixedScripts);
  const scripts = [...new Set(mixed.length > 0 ? mixed : foreign.flatMap(scriptsOf))];
  const joint = mixed.length > 0 ? ", which mixes" : " in";
  const letters = scripts.length > 0 ? `${joint} ${lettersWords(scripts)}` : "";
  return `\`${name}\` stands for “${decoded.join(".")}”${letters}.`;
}

/** Limit of hosts examined in one text. */
const MOST_HOSTS = 20;

/** Returns the hosts with non-ASCII letters among the addresses in a text, in ASCII, each once. */
export function foreignHosts(text: string): string[] {
  const hosts = new Set<string>();
  const seen = new Set<string>();
  for (const [address] of text.matchAll(/(?:https?|wss?|ftp):[^\s"'`<>]+/giu)) {
    if (seen.has(address)) continue;
    seen.add(address);
    const host = hostOf(normalForm(address));
    if (hostWords(host) !== null) hosts.add(host);
    if (hosts.size === MOST_HOSTS) break;
  }
  return [...hosts];
}

/** Limit of characters after `xn--` in a label (RFC 1035, 2.3.4: 63 with the prefix). */
const MAX_ENCODED = 59;

/** Decodes Punycode (RFC 3492, 6.2); `null` if the text is invalid, or too long for a label. */
export function decodePunycode(label: string): string | null {
  if (label.length > MAX_ENCODED) return null;
  const end = label.lastIndexOf("-");
  const output = [...(end > 0 ? label.slice(0, end) : "")];
  let [point, at, bias] = [128, 0, 72];
  for (let next = end > 0 ? end + 1 : 0; next < label.length;) {
    const before = at;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = parseInt(label[next++] ?? "", 36);
      if (Number.isNaN(digit)) return null;
      // Letters come before digits.
      const value = digit < 10 ? digit + 26 : digit - 10;
      at += value * weight;
      if (at > Number.MAX_SAFE_INTEGER) return null;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
      if (weight > Number.MAX_SAFE_INTEGER) return null;
    }
    const length = output.length + 1;
    let delta = Math.floor((at - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    let k = 0;
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
    bias = k + Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(at / length);
    if (point > 0x10ffff) return null;
    at %= length;
    output.splice(at++, 0, String.fromCodePoint(point));
  }
  return output.join("");
}
