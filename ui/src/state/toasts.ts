import { Toast } from "@base-ui/react/toast";

/** Limit of toasts on the screen; a new toast replaces the oldest. */
export const MOST_TOASTS = 3;
/** Milliseconds for which a toast stays without the pointer or the focus. */
export const TOAST_TIME = 20_000;
/** Milliseconds for which a toast without a button stays. */
export const NEWS_TIME = 3_000;

/** Data of a toast in addition to its title. */
export interface ToastData {
  /** Undoes the announced action, if that is possible. */
  readonly undo: (() => void) | null;
  /** Button for a follow-up. */
  readonly next?: Next | undefined;
}

/** Follow-up to an action. */
export interface Next {
  readonly label: string;
  readonly run: () => void;
}

/** An action that can be undone. */
export interface Undoable {
  readonly undo: () => void;
  /**
   * Called when newer offers displace this one. Not called after `undo`. With it, the action can be undone even after
   * its toast is gone.
   */
  readonly over?: () => void;
  /** The action belongs to the running presentation: its audience sees it undone. */
  readonly presented?: boolean;
}

/** An open offer to undo. */
interface Offered {
  readonly id: string;
  readonly title: string;
  readonly undo: () => void;
  readonly over: (() => void) | undefined;
  readonly presented: boolean;
}

export type Toasts = ReturnType<typeof createToasts>;

/** Announcements of recent actions, with Undo. One per window. */
export function createToasts() {
  const manager = Toast.createToastManager<ToastData>();
  /** All open offers, oldest first, including those whose toast is gone. */
  const offered: Offered[] = [];
  const drop = (id: string): Offered | undefined => {
    const at = offered.findIndex((one) => one.id === id);
    return at < 0 ? undefined : offered.splice(at, 1)[0];
  };

  /** Id of the toast that only informs; the next one replaces it. */
  let news: string | null = null;

  return {
    /** For the component that shows them. */
    manager,
    /** Reports an action whose effect is not visible, and offers a follow-up. */
    say(title: string, next?: Next): void {
      if (news !== null) manager.close(news);
      news = manager.add({ title, timeout: next ? TOAST_TIME : NEWS_TIME, data: { undo: null, next } });
    },
    /** Reports an action and offers to undo it. Returns the function that closes the toast. */
    offerUndo(title: string, { undo: bringBack, over, presented = false }: Undoable): () => void {
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
      offered.push({ id, title, undo: undoIt, over, presented });
      // The backend keeps the same number.
      const oldest = offered.length > MOST_TOASTS ? offered[0] : undefined;
      if (oldest) {
        drop(oldest.id);
        manager.close(oldest.id);
        oldest.over?.();
      }
      return close;
    },
    /** Lists all open offers to undo, newest first. */
    undoable(): readonly Pick<Offered, "id" | "title" | "undo">[] {
      return offered.toReversed();
    },
    /** Undoes the last action, or the last one of the presentation. Returns false if there is none. */
    undoLast({ presented }: { readonly presented?: true } = {}): boolean {
      const last = offered.findLast((one) => presented === undefined || one.presented);
      last?.undo();
      return last !== undefined;
    },
  };
}
