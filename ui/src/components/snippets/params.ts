import { follow } from "../viewer/copying";
import type { JsonNode } from "../../schema/node";

/** A member of the params of a request, if there is one. */
export function member(params: JsonNode | null, name: string): JsonNode | undefined {
  return params ? follow(params, [name]) : undefined;
}

/** The params without what the client itself adds; `null` where nothing is left. */
export function ownParams(params: JsonNode | null): JsonNode | null {
  if (params?.kind !== "object") return params;
  const members = params.members.filter(({ key }) => key !== "_meta");
  return members.length === 0 ? null : { ...params, members };
}
