/** Previews of the client's declaration to a server, as the host builds them. */
import { PROTOCOL_VERSIONS, type Declaration, type DeclarationPreview, type ProtocolMode } from "../bindings";

const STATELESS = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** Returns the declared requests that a server may send as tasks (2025-11-25). */
function taskParts({ sampling, elicitation }: Declaration): object {
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...(elicitation && { elicitation: { create: {} } }),
  };
  return { list: {}, cancel: {}, requests };
}

export function previewDeclaration(
  declaration: Declaration,
  hasRoots: boolean,
  protocol: ProtocolMode,
): DeclarationPreview {
  const client = { name: declaration.name ?? "Sonde", version: declaration.version ?? "0.1.0" };
  const handshake = (protocolVersion: string): string =>
    JSON.stringify({ protocolVersion, capabilities: capabilities(declaration, hasRoots, true), clientInfo: client });
  const stateless = (): string =>
    JSON.stringify({
      [`${META}protocolVersion`]: STATELESS,
      [`${META}clientInfo`]: client,
      [`${META}clientCapabilities`]: capabilities(declaration, hasRoots, false),
    });
  const newest = PROTOCOL_VERSIONS.find((version) => version !== STATELESS) ?? "";
  if (protocol.type === "fixed") {
    return protocol.revision === STATELESS
      ? { handshake: null, stateless: stateless() }
      : { handshake: handshake(protocol.revision), stateless: null };
  }
  return {
    handshake: protocol.type === "stateless" ? null : handshake(newest),
    stateless: protocol.type === "handshake" ? null : stateless(),
  };
}

function capabilities(declaration: Declaration, hasRoots: boolean, handshake: boolean): object {
  const { roots, sampling, elicitation } = declaration;
  const tasks = { name: `${META}tasks`, settings: "{}" };
  const isTyped = declaration.extensions.some(({ name }) => name === tasks.name);
  // With a handshake, tasks need no extension.
  const extensions =
    declaration.tasks && !handshake && !isTyped ? [...declaration.extensions, tasks] : declaration.extensions;
  const parts = (all: Record<string, boolean>): object =>
    Object.fromEntries(Object.entries(all).flatMap(([name, on]) => (on ? [[name, {}]] : [])));
  const changes = handshake && roots?.list_changed === true;
  return {
    ...(elicitation && { elicitation: parts({ ...elicitation }) }),
    ...(sampling && { sampling: parts({ ...sampling }) }),
    ...(roots && (hasRoots || roots.without_any) && { roots: changes ? { listChanged: true } : {} }),
    ...(handshake && declaration.request_tasks && (sampling || elicitation) && { tasks: taskParts(declaration) }),
    ...(extensions.length > 0 && {
      extensions: Object.fromEntries(
        extensions.map(({ name, settings }) => [name, JSON.parse(settings.trim() === "" ? "{}" : settings) as unknown]),
      ),
    }),
  };
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
