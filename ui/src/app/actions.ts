import type { LucideIcon } from "lucide-react";

import type { App } from "../state/app";
import { checkAt } from "../state/checks";
import { shownTab } from "../state/itemTabs";
import { checksSlice } from "../state/slices/checks";
import { itemsSlice, SELECTED } from "../state/slices/items";
import { runsSlice } from "../state/slices/runs";
import { sliceOf } from "../state/slices/slice";
import { initialServerUi, type Subject } from "../state/view";
import type { AnySubject, Row } from "./actionRow";
import { actionTable, localKeys } from "./actionTable";

/** An action on one subject in the present state. */
export interface Action {
  readonly id: string;
  readonly title: string;
  /** Further search words. */
  readonly words: string;
  readonly icon: LucideIcon | undefined;
  readonly danger: boolean;
  readonly enabled: boolean;
  /** Keys in the form shown beside the action. */
  readonly keys: string | undefined;
  readonly run: () => void;
}

/** Returns the rows of a type of subject. */
function rowsOf(type: AnySubject["type"]): readonly (Row | "separator")[] {
  return actionTable[type] as readonly (Row | "separator")[];
}

function actionOf(row: Row, subject: AnySubject, app: App): Action | null {
  const state = app.store.getState();
  if (row.listed === false || row.when?.(subject, state, app) === false) return null;
  return {
    id: row.id,
    title: typeof row.title === "string" ? row.title : row.title(subject, state),
    words: row.words ?? "",
    icon: row.icon,
    danger: row.danger ?? false,
    enabled: row.enabled?.(subject, state) ?? true,
    keys: row.keys?.[0] ?? row.keysThere,
    run: () => row.run(subject, app, 0),
  };
}

/** Returns the actions on a subject, in groups. */
export function actionsOn(subject: AnySubject, app: App): readonly (readonly Action[])[] {
  const groups: Action[][] = [[]];
  for (const row of rowsOf(subject.type)) {
    if (row === "separator") {
      groups.push([]);
      continue;
    }
    const action = actionOf(row, subject, app);
    if (action) groups.at(-1)?.push(action);
  }
  return groups.filter((group) => group.length > 0);
}

/** Returns the selected subjects. Every action of the table is about one of them, or about the window. */
export function selectedSubjects(app: App): readonly Subject[] {
  const { view, live } = app.store.getState();
  const { server, panel } = view;
  const opened: readonly Subject[] =
    panel?.type === "presentation" ? [{ type: "presentation", presentation: panel.presentation }] : [];
  if (server === null || !(server in live.servers)) return opened;
  const ui = view.perServer[server] ?? initialServerUi;
  const tab = shownTab(live, server, ui.tab);
  const items = sliceOf(ui, itemsSlice);
  const { selected: run } = sliceOf(ui, runsSlice);
  const { selected: place } = sliceOf(ui, checksSlice);
  const check = tab !== "checks" || place === null ? undefined : checkAt(live.checks[server], place);
  const first = live.catalogs[server]?.[items.resourceKind]?.first ?? null;
  const shown =
    items.resource ?? (first === null ? null : { type: "item" as const, kind: items.resourceKind, key: first });
  const resource = tab === "resources" && shown?.type === "item" ? shown : null;
  // The kind whose form is visible, or was visible last.
  const kind = tab === "prompts" || tab === "skills" ? tab : ("tools" as const);
  const item = items[SELECTED[kind]] ?? live.catalogs[server]?.[kind]?.first ?? null;
  return [
    ...opened,
    { type: "server", server },
    ...(item === null || tab === "resources" ? [] : [{ type: "item" as const, server, kind, key: item }]),
    ...(resource === null ? [] : [{ type: "item" as const, server, kind: resource.kind, key: resource.key }]),
    ...(check ? [{ type: "check" as const, server, check: check.id }] : []),
    ...(run !== null && run in live.operations ? [{ type: "run" as const, operation: run }] : []),
  ];
}

/**
 * Returns the handler for pressed keys, if any: of the first row that has them and exists at present. Above a dialog,
 * only actions that always work. `of` returns the keys of a row to compare.
 */
export function actOnKey(
  isKey: (keys: string) => boolean,
  covered: boolean,
  app: App,
  of: (row: Row) => readonly string[] | undefined = ({ keys }) => keys,
): ((digit: number) => void) | null {
  const state = app.store.getState();
  const given = state.view.giving !== null;
  for (const subject of given
    ? [{ type: "giving" } as const]
    : [{ type: "window" } as const, ...selectedSubjects(app)]) {
    for (const row of rowsOf(subject.type)) {
      if (row === "separator" || !of(row)?.some(isKey) || (covered && !row.always)) continue;
      if (row.when?.(subject, state, app) === false || row.enabled?.(subject, state) === false) continue;
      return (digit) => row.run(subject, app, digit);
    }
  }
  return null;
}

/** Lists all keys with their actions: those of the table, then those of lists and forms. */
export function allKeys(): readonly { readonly title: string; readonly keys: readonly string[] }[] {
  const types = Object.keys(actionTable) as AnySubject["type"][];
  const rows = types.flatMap((type) =>
    rowsOf(type).flatMap((row) => {
      if (row === "separator" || typeof row.title !== "string") return [];
      const keys = row.keys ?? (row.keysThere === undefined ? [] : [row.keysThere]);
      return keys.length === 0 ? [] : [{ title: row.title, keys, there: row.keysThere === undefined ? [] : [type] }];
    }),
  );
  // Merges actions with the same title and keys on several types of subjects.
  const merged = rows.filter(
    (row, at) => row.there.length === 0 || rows.findIndex((other) => isSame(row, other)) === at,
  );
  return [
    ...merged.map((row) => {
      const there = rows.filter((other) => isSame(row, other)).flatMap((other) => other.there);
      return { title: there.length === 0 ? row.title : `${row.title} (the focused ${anyOf(there)})`, keys: row.keys };
    }),
    ...localKeys,
  ];
}

interface KeysThere {
  readonly title: string;
  readonly keys: readonly string[];
  /** Subjects, one of which must have the focus. */
  readonly there: readonly string[];
}

function isSame(one: KeysThere, other: KeysThere): boolean {
  return (
    one.title === other.title && `${one.keys}` === `${other.keys}` && one.there.length > 0 && other.there.length > 0
  );
}

/** "a, b or c". */
function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
