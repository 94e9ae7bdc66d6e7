import type { Slice } from "./slice";

/** Kinds on the Resources tab. */
export type ResourceKind = "resources" | "resource_templates";

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

export const itemsSlice: Slice<ItemsUi> = {
  name: "items",
  initial: { tool: null, prompt: null, skill: null, resource: null, resourceKind: "resources", templateValues: {} },
};
