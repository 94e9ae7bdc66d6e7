import { kindWords } from "../../components/kindWords";
import type { CatalogKind, DiffView } from "../../ipc/bindings";
import { count, number } from "../../lib/format";

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
