/** Previews of the client's declaration to a server: what is declared, and where it is sent. */
import type { Declaration, DeclarationPreview, ProtocolMode } from "../bindings";

const STATELESS = "2026-07-28";

export function previewDeclaration(declaration: Declaration, protocol: ProtocolMode): DeclarationPreview {
  const only =
    protocol.type === "fixed" ? (protocol.revision === STATELESS ? "stateless" : "handshake") : protocol.type;
  const text = JSON.stringify(declaration);
  return { handshake: only === "stateless" ? null : text, stateless: only === "handshake" ? null : text };
}

/** Returns true if the capability for a request of the server is declared. */
export function isDeclared({ roots, sampling, elicitation }: Declaration, method: string, params: object): boolean {
  if (method === "sampling/createMessage") return sampling !== null;
  if (method === "roots/list") return roots !== null;
  if (method !== "elicitation/create") return true;
  if (elicitation === null) return false;
  const isPage = "mode" in params && params.mode === "url";
  return isPage ? elicitation.url : elicitation.form || !elicitation.url;
}
