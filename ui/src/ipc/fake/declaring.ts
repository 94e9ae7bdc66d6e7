/** Previews of the client's declaration to a server: what is declared, and where it is sent. */
import type { Declaration, DeclarationPreview, ProtocolMode } from "../bindings";

const STATELESS = "2026-07-28";

export function previewDeclaration(declaration: Declaration, protocol: ProtocolMode): DeclarationPreview {
  const only =
    protocol.type === "fixed" ? (protocol.revision === STATELESS ? "stateless" : "handshake") : protocol.type;
  const text = JSON.stringify(declaration);
  return { handshake: only === "stateless" ? null : text, stateless: only === "handshake" ? null : text };
}
