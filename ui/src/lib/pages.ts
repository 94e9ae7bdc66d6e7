/** What is to be known of a page before a server's word opens it. */
import { hostOf } from "./address";

/** Whether a browser opens it: Sonde opens nothing but http and https. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

/** What to be careful of with the address of a page, each a plain sentence. */
export function pageWarnings(address: string): string[] {
  if (!isWebAddress(address)) {
    return ["Sonde does not open this address: it is not a complete http or https address."];
  }
  const { protocol, username, password } = new URL(address);
  const warnings: string[] = [];
  if (protocol === "http:" && !isLoopback(hostOf(new URL(address).href))) {
    warnings.push("The connection to this page is not encrypted (http).");
  }
  if (username !== "" || password !== "") {
    warnings.push("The address has a name or a password before the host. It is not part of the host.");
  }
  return warnings;
}

/** Whether a host, in its normal form, is this computer. */
function isLoopback(host: string): boolean {
  const name = host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : host.replace(/:\d+$/, "");
  return name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name) || /^(.+\.)?localhost\.?$/.test(name);
}
