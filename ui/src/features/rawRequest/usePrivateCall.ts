import type { ServerId } from "../../ipc/bindings";
import { memberOf, stringOf } from "../../schema/node";
import { parseJson } from "../../schema/parse";
import { hasPrivateFields } from "../../schema/privacy";
import { useAppState, useBackend, useFetched } from "../../state/hooks";
import type { RawRequest } from "../../state/rawRequest";

/**
 * True if a request calls a listed tool with fields for secrets, so that nothing of it may be written to disk; `null`
 * while the tool is looked up.
 */
export function usePrivateCall(server: ServerId, { method, params, notification }: RawRequest): boolean | null {
  const backend = useBackend();
  const revision = useAppState((state) => state.live.catalogs[server]?.tools?.revision ?? 0);
  const tool = method === "tools/call" && !notification ? toolOf(params) : null;
  const found = useFetched(`${server}\n${tool ?? ""}`, `${revision}`, async () =>
    tool === null ? null : backend.call("tool_detail", { server, key: tool }).catch(() => null),
  );
  if (tool === null) return false;
  if (found.state === "loading") return null;
  return hasPrivateFields(found.value?.input_schema ?? "");
}

/** Name of the tool in the params. */
function toolOf(params: string): string | null {
  const read = parseJson(params);
  return read.ok ? (stringOf(memberOf(read.node, "name")) ?? null) : null;
}
