/** Checks of a page's address before a server can have it opened. */
import { hostOf } from "./address";

/** Returns true for addresses that a browser may open: http and https only, and not cut (with `…` at the end). */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && !address.endsWith("…") && URL.canParse(address);
}

/** Warnings, each as a sentence for programmers and one for everybody else. */
const WARNINGS = {
  kind: [
    "Sonde does not open this address: it is not a complete http or https address.",
    "This cannot be opened here: it is not the complete address of a web page.",
  ],
  unencrypted: [
    "The connection to this page is not encrypted (http).",
    "What you type on this page can be read by others on its way: the connection is not encrypted.",
  ],
  user: [
    "The address has a name or a password before the host. It is not part of the host.",
    "What stands before the bold part of the address says nothing about whose page it is. Only the bold part does.",
  ],
} as const;

/** Returns the warnings about the address of a page, each a sentence, in technical or in `plain` words. */
export function pageWarnings(address: string, plain = false): string[] {
  return warningsOf(address).map((warning) => WARNINGS[warning][plain ? 1 : 0]);
}

function warningsOf(address: string): (keyof typeof WARNINGS)[] {
  if (!isWebAddress(address)) return ["kind"];
  const { protocol, username, password, href } = new URL(address);
  const isOpen = protocol === "http:" && !isLoopback(hostOf(href));
  return [
    ...(isOpen ? (["unencrypted"] as const) : []),
    ...(username !== "" || password !== "" ? (["user"] as const) : []),
  ];
}

/** Returns true if a host, in its normal form, is this computer. */
function isLoopback(host: string): boolean {
  const name = host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : host.replace(/:\d+$/, "");
  return name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name) || /^(.+\.)?localhost\.?$/.test(name);
}
