import { type CatalogKind } from "../../ipc/bindings";
import type { Slice } from "./slice";

/** Kinds on the Resources tab. */
export type ResourceKind = "resources" | "resource_templates";

export function isResourceKind(kind: CatalogKind): kind is ResourceKind {
  return kind === "resources" || kind === "resource_templates";
}

/** Choice on the Resources tab: an item of one of its lists, or a URI that was typed or found in a result. */
export type ResourceChoice =
  | { readonly type: "item"; readonly kind: ResourceKind; readonly key: string }
  | { readonly type: "uri"; readonly uri: string };

/** Selected items of the lists of a server, by their keys. */
export interface ItemsUi {
  readonly tool: string | null;
  readonly prompt: string | null;
  readonly skill: string | null;
  readonly resource: ResourceChoice | null;
  /** The visible list of the Resources tab. */
  readonly resourceKind: ResourceKind;
  /** Typed variables of resource templates, by the key of the template. */
  readonly templateValues: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Lists with one selected item each, and the name of that item in the state. */
export const SELECTED = { tools: "tool", prompts: "prompt", skills: "skill" } as const;
export type SelectedKind = keyof typeof SELECTED;

/** Returns the command that reads an item of such a list. */
export function detailCommand<K extends SelectedKind>(kind: K): `${(typeof SELECTED)[K]}_detail` {
  return `${SELECTED[kind]}_detail`;
}

export const itemsSlice: Slice<ItemsUi> = {
  name: "items",
  initial: { tool: null, prompt: null, skill: null, resource: null, resourceKind: "resources", templateValues: {} },
};
