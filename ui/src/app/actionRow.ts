import type { LucideIcon } from "lucide-react";

import type { App } from "../state/app";
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
  /** Other words that find it in the palette. */
  readonly words?: string;
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  /** Keys that do it from everywhere in the window, as `lib/shortcuts` writes them. */
  readonly keys?: readonly string[];
  /** Those of the keys that do it whatever has the focus, before that sees them. */
  readonly everywhere?: readonly string[];
  /** Keys that do it where the subject has the focus; the list or card there handles them. */
  readonly keysThere?: string;
  /** These keys work above dialogs too. */
  readonly always?: boolean;
  /** False: for its keys only. */
  readonly listed?: boolean;
  /** Whether there is such an action now; without it, always. */
  readonly when?: (subject: S, state: AppState, app: App) => boolean;
  /** Whether it can be done now; a menu shows it all the same. */
  readonly enabled?: (subject: S, state: AppState) => boolean;
  /** `digit` is the one that was pressed where the keys name several. */
  readonly run: (subject: S, app: App, digit: number) => void;
}

/** The subject of one type. */
export type Of<T extends AnySubject["type"]> = Extract<AnySubject, { type: T }>;
/** The actions on each type of subject, in the order of its menu. */
export type Table = { readonly [T in AnySubject["type"]]: readonly (Row<Of<T>> | "separator")[] };
