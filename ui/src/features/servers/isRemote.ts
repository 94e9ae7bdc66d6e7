import type { Transport } from "../../ipc/bindings";

/** True if the server is reached over the network, without starting a process. */
export function isRemote(transport: Transport): boolean {
  return transport.type === "http";
}
