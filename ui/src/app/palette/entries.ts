import * as icons from "lucide-react";
import { catalogActions } from "../../state/actions/catalogs";
import { operationActions } from "../../state/actions/operations";

import { isReading, operationName } from "../../state/operationName";
import { stateWord as connectionWord } from "../../components/SessionState";
import { runMark } from "../../features/runs/runMark";
import { stateWord as runWord } from "../../features/runs/runWords";
import type { CatalogKind, CatalogRow, OperationNumber, ServerId } from "../../ipc/bindings";
import { clockTime, count } from "../../lib/format";
import { itemName } from "../../lib/itemName";
import { score } from "../../lib/matching";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { compactJson } from "../../schema/print";
import type { App } from "../../state/app";
import { checkById } from "../../state/checks";
import { healthOf } from "../../state/live";
import { preparingActions } from "../../state/preparing";
import { presentationOf, presentationsOf } from "../../state/typedPresentations";
import { inputById, inputsOf, savedInputActions } from "../../state/savedInputs";
import type { AppState } from "../../state/store";
import { focusNames } from "../../state/view";
import { actionsOn, selectedSubjects } from "../actions";
import type { AnySubject } from "../actionRow";

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  /** Distinguishes the entry from others with the same title; searched as well. */
  readonly detail: string;
  /** Searched, but not shown. */
  readonly words?: string;
  readonly icon: icons.LucideIcon | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Entries of one kind, best first. */
export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** An item that the backend has found in a catalog. */
export interface Hit {
  readonly server: ServerId;
  readonly kind: CatalogKind;
  readonly row: CatalogRow;
}

/** Groups of items, in order. */
const ITEM_KINDS: Readonly<Record<CatalogKind, { readonly title: string; readonly icon: icons.LucideIcon }>> = {
  tools: { title: "Tools", icon: icons.Wrench },
  resources: { title: "Resources", icon: icons.FileText },
  resource_templates: { title: "Resource templates", icon: icons.FileText },
  prompts: { title: "Prompts", icon: icons.MessageSquareText },
  skills: { title: "Skills", icon: icons.GraduationCap },
};

/** Limit of entries per group. */
const MOST_ENTRIES = 8;
/** Limit per group without search words, so that all groups are visible. */
const MOST_WITHOUT_SEARCH = 4;
/** Limit of the searched arguments of a run, in characters. */
const MOST_ARGUMENTS = 200;

/**
 * Returns the palette's entries for these words: matching hits, runs, servers and actions. The group with the best
 * entry comes first; without words, the groups keep the order here.
 */
export function groupsOf(words: readonly string[], hits: readonly Hit[], app: App): readonly Group[] {
  const groups: Group[] = [
    ...Object.entries(ITEM_KINDS).map(([kind, { title }]) => ({
      title,
      entries: hits.filter((hit) => hit.kind === kind).map((hit) => itemEntry(hit, app)),
    })),
    { title: "Saved inputs", entries: inputEntries(app) },
    { title: "Runs", entries: runEntries(words, app) },
    {
      title: "Servers",
      entries: app.store.getState().live.order.map((server, place) => serverEntry(server, place, app)),
    },
    { title: "Presentations", entries: presentationEntries(app) },
    {
      title: "Actions",
      entries: [...undoEntries(app), ...actionEntries(app), ...(words.length === 0 ? [] : besideEntries(app))],
    },
  ];
  if (words.length === 0) {
    return groups
      .map(({ title, entries }) => ({
        title,
        entries: title === "Actions" ? entries : entries.slice(0, MOST_WITHOUT_SEARCH),
      }))
      .filter(({ entries }) => entries.length > 0);
  }
  return groups
    .map(({ title, entries }) => {
      const scored = entries
        .map((entry) => ({ entry, score: score(words, entry.title, `${entry.detail} ${entry.words ?? ""}`) }))
        .filter((one) => one.score > 0)
        .sort((a, b) => b.score - a.score);
      return { title, entries: scored.slice(0, MOST_ENTRIES).map(({ entry }) => entry), best: scored[0]?.score ?? 0 };
    })
    .filter(({ best }) => best > 0)
    .sort((a, b) => b.best - a.best);
}

function serverName(server: ServerId, { live }: AppState): string {
  return live.servers[server]?.config.name ?? server;
}

function itemEntry({ server, kind, row }: Hit, app: App): Entry {
  const name = row.title === null ? [] : [row.name];
  return {
    id: `${kind} ${server} ${row.key}`,
    title: itemName(row),
    detail: [serverName(server, app.store.getState()), ...name, plainMarkdown(row.summary)]
      .filter((part) => part !== "")
      .join(" · "),
    icon: ITEM_KINDS[kind].icon,
    run: () => app.actions.get(catalogActions).openItem(server, kind, row.key),
  };
}

/** Saved inputs of the tool whose form is visible. */
function inputEntries(app: App): readonly Entry[] {
  const { live } = app.store.getState();
  const shown = selectedSubjects(app).find((subject) => subject.type === "item");
  if (shown?.kind !== "tools") return [];
  return inputsOf(live, shown.server, shown.key).map(({ id, name, arguments: given }) => ({
    id: `input ${id}`,
    title: name,
    detail: [`fills the form of ${shown.key}`, compactJson(given.slice(0, MOST_ARGUMENTS))].join(" · "),
    icon: icons.Bookmark,
    run: () => void app.actions.get(savedInputActions).fillFrom(id),
  }));
}

function presentationEntries(app: App): readonly Entry[] {
  return presentationsOf(app.store.getState()).map(({ id, title, steps }) => ({
    id: `presentation ${id}`,
    title,
    detail: `Presentation · ${count(steps.length, "step", "steps")}`,
    icon: icons.Presentation,
    run: () => app.actions.get(preparingActions).openPresentation(id),
  }));
}

/** Runs of all servers, or of the selected one without search words; newest first. */
function runEntries(words: readonly string[], app: App): readonly Entry[] {
  const { live, view } = app.store.getState();
  const servers = words.length === 0 ? [view.server ?? ""] : live.order;
  const runs = servers.flatMap((server) => live.operationOrder[server] ?? []);
  return [...runs].sort((a, b) => b - a).flatMap((operation) => runEntry(operation, app));
}

function runEntry(operation: OperationNumber, app: App): readonly Entry[] {
  const state = app.store.getState();
  const view = state.live.operations[operation];
  if (!view) return [];
  const read = isReading(view) && view.title !== null ? (view.target ?? "") : "";
  const given = view.arguments === null ? read : compactJson(view.arguments.slice(0, MOST_ARGUMENTS));
  const named = view.label.name === null ? "" : (view.title ?? operationName(view));
  const facts = [named, runWord(view), clockTime(view.started_at).slice(0, 8), given, serverName(view.server, state)];
  return [
    {
      id: `run ${operation}`,
      title: view.label.name ?? view.title ?? operationName(view),
      detail: facts.filter((fact) => fact !== "").join(" · "),
      icon: runMark(view),
      run: () => {
        app.actions.get(operationActions).showOperation(operation);
        app.actions.focus(focusNames.run(operation));
      },
    },
  ];
}

function serverEntry(server: ServerId, place: number, app: App): Entry {
  const state = app.store.getState();
  return {
    id: `server ${server}`,
    title: serverName(server, state),
    detail: [
      connectionWord(state.live.sessions[server], healthOf(state.live, server)),
      state.live.servers[server]?.address ?? "",
    ].join(" · "),
    icon: icons.Server,
    keys: place < 9 ? `Mod+${place + 1}` : undefined,
    run: () => {
      app.actions.selectServer(server);
      app.actions.focus(focusNames.pane("content"));
    },
  };
}

/** Deletions and replacements that can be undone. */
function undoEntries({ toasts }: App): readonly Entry[] {
  return toasts.undoable().map(({ id, title, undo }, place) => ({
    id: `undo ${id}`,
    title: `Undo: ${title}`,
    detail: "",
    words: "restore bring back delete deleted",
    icon: icons.Undo2,
    keys: place === 0 ? "Mod+Z" : undefined,
    run: undo,
  }));
}

/** Actions available now on the window and on its selection. */
function actionEntries(app: App): readonly Entry[] {
  const subjects: AnySubject[] = [{ type: "window" }, ...selectedSubjects(app)];
  return subjects.flatMap((subject) =>
    actionsOn(subject, app)
      .flat()
      .filter((action) => action.enabled)
      .map((action) => ({
        id: `action ${action.id}`,
        title: action.title,
        detail: subjectName(subject, app.store.getState()),
        words: action.words,
        icon: action.icon,
        keys: action.keys,
        run: action.run,
      })),
  );
}

/** Servers that can be shown beside the selected one. */
function besideEntries(app: App): readonly Entry[] {
  const state = app.store.getState();
  return state.live.order.flatMap((server) =>
    actionsOn({ type: "server", server }, app)
      .flat()
      .filter((action) => action.id === "show_beside" && action.enabled)
      .map(({ icon, run }) => ({
        id: `beside ${server}`,
        title: `Show ${serverName(server, state)} beside`,
        detail: "",
        icon,
        run,
      })),
  );
}

function subjectName(subject: AnySubject, state: AppState): string {
  switch (subject.type) {
    case "window":
    case "giving":
      return "";
    case "server":
      return serverName(subject.server, state);
    case "group":
      return state.live.groups.find((group) => group.id === subject.group)?.name ?? "";
    case "item":
      return subject.key;
    case "run": {
      const view = state.live.operations[subject.operation];
      return view ? `run of ${view.title ?? operationName(view)}` : "";
    }
    case "check":
      return checkById(state.live.checks[subject.server], subject.check)?.name ?? "";
    case "input":
      return inputById(state.live, subject.input)?.name ?? "";
    case "presentation":
      return presentationOf(state, subject.presentation)?.title ?? "";
    case "step":
      return presentationOf(state, subject.presentation)?.steps[subject.place]?.title ?? "";
    case "entry":
      return `log entry ${subject.seq}`;
  }
}
