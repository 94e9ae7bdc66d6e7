import type { CatalogKind } from "../ipc/bindings";

interface KindWords {
  /** Capitalized, for titles. */
  readonly title: string;
  readonly one: string;
  readonly many: string;
}

/** Display names of the items of each kind. */
export const kindWords: Readonly<Record<CatalogKind, KindWords>> = {
  tools: { title: "Tools", one: "tool", many: "tools" },
  resources: { title: "Resources", one: "resource", many: "resources" },
  resource_templates: { title: "Resource templates", one: "resource template", many: "resource templates" },
  prompts: { title: "Prompts", one: "prompt", many: "prompts" },
  skills: { title: "Skills", one: "skill", many: "skills" },
};
