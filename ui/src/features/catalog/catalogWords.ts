import type { CatalogKind, DiffView } from "../../ipc/bindings";
import { count, number } from "../../lib/format";

interface KindWords {
  /** As a title. */
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

/** `2 tools added, 1 removed.`; empty when nothing changed. */
export function changes(kind: CatalogKind, diff: DiffView): string {
  const { one, many } = kindWords[kind];
  const parts: string[] = [];
  for (const [names, word] of [
    [diff.added, "added"],
    [diff.removed, "removed"],
    [diff.changed, "changed"],
  ] as const) {
    if (names.count === 0) continue;
    parts.push(parts.length === 0 ? `${count(names.count, one, many)} ${word}` : `${number(names.count)} ${word}`);
  }
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}
