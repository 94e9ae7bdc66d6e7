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
  /**
   * It cannot be undone any more, as newer things take its place. Not called after `undo`. What has this can be undone also
   * after its toast is gone.
   */
  readonly over?: () => void;
}

/** What can still be undone. */
interface Offered {
  readonly id: string;
  readonly title: string;
  readonly undo: () => void;
  readonly over: (() => void) | undefined;
}

export type Toasts = ReturnType<typeof createToasts>;

/** What was done just now, with Undo. One per window. */
export function createToasts() {
  const manager = Toast.createToastManager<ToastData>();
  /** Those with a toast and those whose toast is gone, oldest first. */
  const offered: Offered[] = [];
  const drop = (id: string): Offered | undefined => {
    const at = offered.findIndex((one) => one.id === id);
    return at < 0 ? undefined : offered.splice(at, 1)[0];
  };

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
      const close = (): void => manager.close(id);
      const undoIt = (): void => {
        if (drop(id) === undefined) return;
        close();
        bringBack();
      };
      const id = manager.add({
        title,
        data: { undo: undoIt },
        onClose: () => {
          if (!over) drop(id);
        },
      });
      offered.push({ id, title, undo: undoIt, over });
      // As many as the backend keeps.
      const oldest = offered.length > MOST_TOASTS ? offered[0] : undefined;
      if (oldest) {
        drop(oldest.id);
        manager.close(oldest.id);
        oldest.over?.();
      }
      return close;
    },
    /** What can still be undone, the newest first. */
    undoable(): readonly Pick<Offered, "id" | "title" | "undo">[] {
      return offered.toReversed();
    },
    /** Undoes what was done last. Answers whether there was anything. */
    undoLast(): boolean {
      const last = offered.at(-1);
      last?.undo();
      return last !== undefined;
    },
  };
}
