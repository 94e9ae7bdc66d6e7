import type { ServerId } from "../../ipc/bindings";
import { memberOf, stringOf } from "../../schema/node";
import { parseJson } from "../../schema/parse";
import { hasPrivateFields } from "../../schema/privacy";
import { useAppState, useBackend, useFetched } from "../../state/hooks";
import type { RawRequest } from "../../state/rawRequest";

/**
 * Whether a request calls a tool of the list that has fields for secrets, so that nothing of it must be written to
 * disk; `null` while that is being found out.
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

/** The tool that params name. */
function toolOf(params: string): string | null {
  const read = parseJson(params);
  return read.ok ? (stringOf(memberOf(read.node, "name")) ?? null) : null;
}
