import type { Json } from "./message";

/** The most pieces, however many arguments there are. */
const MOST = 5;

/**
 * The arguments as far as they are there while a model writes them, each piece with more than the one before and none whole:
 * members come in their order, and of the last one a text is there in part (`ui/notifications/tool-input-partial`).
 */
export function pieces(input: Json): Json[] {
  const members = Object.entries(input);
  const step = Math.max(1, Math.ceil(members.length / MOST));
  return members.flatMap((member, index) =>
    index % step === 0 ? [Object.fromEntries([...members.slice(0, index), ...begun(member)])] : [],
  );
}

/** A member of which half is there. */
function begun([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value === "string") return [[name, value.slice(0, Math.floor(value.length / 2))]];
  return Array.isArray(value) ? [[name, value.slice(0, Math.floor(value.length / 2))]] : [];
}
