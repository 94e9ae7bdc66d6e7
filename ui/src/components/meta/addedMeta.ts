import type { EraView } from "../../ipc/bindings";

const STATELESS = "the protocol version, its name and version, its capabilities, the log level if one is set";

/**
 * What Sonde adds to the `_meta` of a request where it is not there yet, in words. Which protocol it is going to be is
 * not known without a connection.
 */
export function addedMeta(era: EraView | null | undefined): string {
  if (era === "handshake") return "a progress token";
  return era === "stateless"
    ? `${STATELESS}, and a progress token`
    : `a progress token, and in the stateless protocol ${STATELESS}`;
}
