import { Toast } from "@base-ui/react/toast";

/** Toasts on the screen at a time; a new one takes the place of the oldest. */
export const MOST_TOASTS = 3;
/** How long one stays while nobody points at it or has the focus in it, in milliseconds. */
export const TOAST_TIME = 20_000;
/** The same for one that offers nothing. */
export const NEWS_TIME = 3_000;

/** What a toast holds beside its title. */
export interface ToastData {
  /** Undoes what it says, where that can be undone. */
  readonly undo: (() => void) | null;
  /** What else can be done about it. */
  readonly next?: Next | undefined;
}

/** What can be done next. */
export interface Next {
  readonly label: string;
  readonly run: () => void;
}

/** What was done and can be undone. */
export interface Undoable {
  readonly undo: () => void;
  /** The time for undo is over. Not called after `undo`. */
  readonly over?: () => void;
}

export type Toasts = ReturnType<typeof createToasts>;

/** What was done just now, with Undo. One per window. */
export function createToasts() {
  const manager = Toast.createToastManager<ToastData>();
  /** The open ones, oldest first. */
  const open: { readonly id: string; readonly undo: () => void }[] = [];

  /** The one that only says something; the next takes its place. */
  let news: string | null = null;

  return {
    /** For the component that shows them. */
    manager,
    /** Says what was done where that cannot be seen, and offers what can be done next. */
    say(title: string, next?: Next): void {
      if (news !== null) manager.close(news);
      news = manager.add({ title, timeout: next ? TOAST_TIME : NEWS_TIME, data: { undo: null, next } });
    },
    /** Says what was done and offers to undo it. Answers what closes the toast. */
    offerUndo(title: string, { undo: bringBack, over }: Undoable): () => void {
      let undone = false;
      const close = (): void => manager.close(id);
      const undoIt = (): void => {
        if (undone) return;
        undone = true;
        close();
        bringBack();
      };
      const id = manager.add({
        title,
        data: { undo: undoIt },
        onClose: () => {
          const at = open.findIndex((one) => one.id === id);
          if (at >= 0) open.splice(at, 1);
          if (!undone) over?.();
        },
      });
      open.push({ id, undo: undoIt });
      const oldest = open.length > MOST_TOASTS ? open[0] : undefined;
      if (oldest) manager.close(oldest.id);
      return close;
    },
    /** Undoes what was done last. Answers whether there was anything. */
    undoLast(): boolean {
      const last = open.at(-1);
      last?.undo();
      return last !== undefined;
    },
  };
}
