/** Place of a site: this computer, the local network, or the internet. */
export type Place = "computer" | "network" | "internet";

/** Classifies an origin by its host. A public name that resolves to a local address counts as the internet. */
export function placeOf(origin: string): Place {
  const host = /^\w+:\/\/(\[[^\]]*\]|[^:/]*)/.exec(origin)?.[1]?.toLowerCase() ?? "";
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host)) return "computer";
  const [first = NaN, second = NaN] = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host)?.slice(1).map(Number) ?? [];
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second <= 127) ||
    /^\[(f[cd]|fe[89ab]|::ffff:)/.test(host) ||
    /\.(local|lan|home|internal|home\.arpa)$/.test(host) ||
    !/[.[]/.test(host) ||
    // Numbers in other notations are IP addresses too: 0x7f.1, 2130706433.
    /^(0x[\da-f]*|\d+)(\.(0x[\da-f]*|\d+)){0,2}$/.test(host);
  return isPrivate ? "network" : "internet";
}

/** True if others on the way can read and change what is exchanged. */
export function isUnprotected(origin: string): boolean {
  return /^(http|ws):/.test(origin) && placeOf(origin) !== "computer";
}
