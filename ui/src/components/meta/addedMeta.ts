import type { Era } from "../../ipc/bindings";

const STATELESS = "the protocol version, its name and version, its capabilities, the log level if one is set";

/**
 * Describes the members that Sonde adds to the `_meta` of a request if they are missing. Without a connection the
 * protocol is not known yet.
 */
export function addedMeta(era: Era | null | undefined): string {
  if (era === "handshake") return "a progress token";
  return era === "stateless"
    ? `${STATELESS}, and a progress token`
    : `a progress token, and in the stateless protocol ${STATELESS}`;
}
