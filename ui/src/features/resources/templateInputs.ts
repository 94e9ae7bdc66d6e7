import type { TemplateInput, TemplateVariable } from "../../ipc/bindings";
import { own } from "../../lib/own";

/** Typed text by variable. */
export type TemplateTexts = Readonly<Record<string, string>>;

/**
 * Converts typed texts to the values of a template. An empty variable is undefined, and left out. Several values are
 * one per line; if each line is `name=value` they are a map.
 */
export function templateInputs(variables: readonly TemplateVariable[], texts: TemplateTexts): TemplateInput[] {
  return variables.flatMap(({ name, explode }): TemplateInput[] => {
    const text = own(texts, name) ?? "";
    if (text === "") return [];
    if (!explode) return [{ name, value: { type: "text", value: text } }];
    const lines = text.split("\n").filter((line) => line !== "");
    if (lines.length === 0) return [];
    const entries = lines.flatMap((line): [string, string][] => {
      const at = line.indexOf("=");
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    });
    const value =
      entries.length === lines.length
        ? { type: "map" as const, value: entries }
        : { type: "list" as const, value: lines };
    return [{ name, value }];
  });
}
