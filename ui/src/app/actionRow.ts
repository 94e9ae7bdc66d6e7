import { ArrowDown, ArrowUp, type LucideIcon } from "lucide-react";

import type { ServerId } from "../ipc/bindings";
import type { App, HandlerName } from "../state/app";
import type { AppState } from "../state/store";
import type { Subject } from "../state/view";

/** The window as the subject of what is about nothing in it. */
export interface TheWindow {
  readonly type: "window";
}

/** The presentation that is being given. It takes the whole window: nothing else can be done meanwhile. */
export interface TheGiving {
  readonly type: "giving";
}

export type AnySubject = Subject | TheWindow | TheGiving;

/** Something that the user can do. */
export interface Row<S extends AnySubject = AnySubject> {
  readonly id: string;
  readonly title: string | ((subject: S, state: AppState) => string);
  /** Further search words for the palette. */
  readonly words?: string;
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  /** Keys that work everywhere in the window, as `lib/shortcuts` writes them. */
  readonly keys?: readonly string[];
  /** Keys that work whatever has the focus: they are handled before the focused element sees them. */
  readonly everywhere?: readonly string[];
  /** Keys that work where the subject has the focus; the list or card there handles them. */
  readonly keysThere?: string;
  /** The keys work above dialogs too. */
  readonly always?: boolean;
  /** False: keys only, no menu entry. */
  readonly listed?: boolean;
  /** Tells if the action exists now; without it, it always does. */
  readonly when?: (subject: S, state: AppState, app: App) => boolean;
  /** Tells if the action can be run now; a menu shows it anyway. */
  readonly enabled?: (subject: S, state: AppState) => boolean;
  /** `digit` is the pressed digit where the keys name several. */
  readonly run: (subject: S, app: App, digit: number) => void;
}

/** The subject of one type. */
export type Of<T extends AnySubject["type"]> = Extract<AnySubject, { type: T }>;
/** The actions on each type of subject, in the order of its menu. */
export type Table = { readonly [T in AnySubject["type"]]: readonly (Row<Of<T>> | "separator")[] };

/** Does something with the selected server, if there is one. */
export function onServer(act: (app: App, server: ServerId) => void): (subject: unknown, app: App) => void {
  return (_, app) => {
    const { server } = app.store.getState().view;
    if (server !== null) act(app, server);
  };
}

/** An action that a component on show handles. */
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

/** The actions that move a subject up (-1) and down (1) among its like. */
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

/** True if there is a next place that way among so many. */
export function hasBeside([place, count]: readonly [place: number, count: number], by: -1 | 1): boolean {
  return place + by >= 0 && place + by < count;
}
