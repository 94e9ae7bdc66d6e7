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
