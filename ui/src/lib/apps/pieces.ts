import type { Json } from "./message";

/** Limit of the number of pieces. */
const MOST_PIECES = 5;

/**
 * Returns the arguments as they look while a model writes them (`ui/notifications/tool-input-partial`): members in
 * order, each piece with more than the previous one, none complete. The last member of a piece is a text or list cut in
 * half.
 */
export function pieces(input: Json): Json[] {
  const members = Object.entries(input);
  const step = Math.max(1, Math.ceil(members.length / MOST_PIECES));
  return members.flatMap((member, index) =>
    index % step === 0 ? [Object.fromEntries([...members.slice(0, index), ...cutInHalf(member)])] : [],
  );
}

/** Returns a text or list member cut in half; nothing for other members. */
function cutInHalf([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value === "string") return [[name, value.slice(0, Math.floor(value.length / 2))]];
  return Array.isArray(value) ? [[name, value.slice(0, Math.floor(value.length / 2))]] : [];
}
