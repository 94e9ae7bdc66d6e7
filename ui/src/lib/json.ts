import { parse, stringify } from "lossless-json";

/** JSON text with two spaces of indentation and every digit kept; no JSON stays as it is. */
export function prettyJson(text: string): string {
  try {
    return stringify(parse(text), null, 2) ?? text;
  } catch {
    return text;
  }
}
