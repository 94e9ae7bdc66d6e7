import { ArrowDown, ArrowUp, Trash2, type LucideIcon } from "lucide-react";

import type { ServerId } from "../ipc/bindings";
import type { App, HandlerName } from "../state/app";
import type { AppState } from "../state/store";
import type { Panel, Subject } from "../state/view";

/** The window as the subject of actions without another subject. */
export interface TheWindow {
  readonly type: "window";
}

/** The running presentation as a subject. It fills the window: nothing else can be done meanwhile. */
export interface TheGiving {
  readonly type: "giving";
}

export type AnySubject = Subject | TheWindow | TheGiving;

/** An action of the user. */
export interface Row<S extends AnySubject = AnySubject> {
  readonly id: string;
  readonly title: string | ((subject: S, state: AppState) => string);
  /** Further search words for the palette. */
  readonly words?: string;
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  /** Keys that work everywhere in the window, in the notation of `lib/shortcuts`. */
  readonly keys?: readonly string[];
  /** Keys that work regardless of the focus: they are handled before the focused element sees them. */
  readonly everywhere?: readonly string[];
  /** Keys that work while the subject has the focus; its list or card handles them. */
  readonly keysThere?: string;
  /** The keys also work above dialogs. */
  readonly always?: boolean;
  /** False for actions with keys but no menu entry. */
  readonly listed?: boolean;
  /** Returns true if the action exists at present; by default it always does. */
  readonly when?: (subject: S, state: AppState, app: App) => boolean;
  /** Returns true if the action can be run at present; a menu shows it anyway. */
  readonly enabled?: (subject: S, state: AppState) => boolean;
  /** `digit` is the pressed digit, if the keys name several. */
  readonly run: (subject: S, app: App, digit: number) => void;
}

/** Subject of one type. */
export type Of<T extends AnySubject["type"]> = Extract<AnySubject, { type: T }>;
/** Actions on each type of subject, in the order of its menu. */
export type Table = { readonly [T in AnySubject["type"]]: readonly (Row<Of<T>> | "separator")[] };

/** Runs an action with the selected server, if there is one. */
export function onServer(act: (app: App, server: ServerId) => void): (subject: unknown, app: App) => void {
  return (_, app) => {
    const { server } = app.store.getState().view;
    if (server !== null) act(app, server);
  };
}

/** Builds an action that a visible component handles. */
export function handlerRow(
  id: HandlerName,
  title: string,
  icon: LucideIcon,
  ...keys: readonly string[]
): Row<TheWindow> {
  return {
    id,
    title,
    icon,
    keys,
    when: (_, __, { handlers }) => handlers.has(id),
    run: (_, { handlers }) => handlers.get(id)?.(),
  };
}

/** Builds an action that opens a panel. */
export function panelRow(panel: Panel, id: string, title: string, icon: LucideIcon, ...keys: string[]): Row<TheWindow> {
  return { id, title, icon, keys, run: (_, { actions }) => actions.openPanel(panel) };
}

/** Builds the action that deletes a subject. */
export function removeRow<S extends AnySubject>(id: string, title: string, remove: Row<S>["run"]): Row<S> {
  return { id, title, icon: Trash2, danger: true, run: remove };
}

/** Builds the actions that move a subject up (-1) and down (1) among its siblings. */
export function moveRows<S extends AnySubject>(
  name: string,
  canMove: (subject: S, state: AppState, by: -1 | 1) => boolean,
  move: (subject: S, app: App, by: -1 | 1) => void,
): readonly Row<S>[] {
  return ([-1, 1] as const).map((by) => {
    const way = by < 0 ? "up" : "down";
    return {
      id: `${name}_${way}`,
      title: `Move ${way}`,
      icon: by < 0 ? ArrowUp : ArrowDown,
      keysThere: by < 0 ? "Alt+Up" : "Alt+Down",
      enabled: (subject, state) => canMove(subject, state, by),
      run: (subject, app) => move(subject, app, by),
    };
  });
}

/** Returns true if there is a next place in that direction. */
export function hasBeside([place, count]: readonly [place: number, count: number], by: -1 | 1): boolean {
  return place + by >= 0 && place + by < count;
}
