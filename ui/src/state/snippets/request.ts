/** The request of a program. */
import { memberOf, type JsonNode } from "../../schema/node";

export interface Request {
  readonly method: string;
  readonly params: JsonNode | null;
}

/** A program that makes a request, or the reason why there is none. */
export type Snippet = { readonly program: string } | { readonly problem: string };

/** Requests that the SDKs send by themselves. */
export const OPENING: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/** Returns a member of the params of a request, if there is one. */
export function member(params: JsonNode | null, name: string): JsonNode | undefined {
  return memberOf(params ?? undefined, name);
}

/** Returns the params without the members that the client itself adds; `null` if none are left. */
export function ownParams(params: JsonNode | null): JsonNode | null {
  if (params?.kind !== "object") return params;
  const members = params.members.filter(({ key }) => key !== "_meta");
  return members.length === 0 ? null : { ...params, members };
}
