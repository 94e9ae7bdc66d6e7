import { expect, it } from "vitest";

import { createToasts } from "./toasts";

/** Creates toasts with the list that the window would show, and a log of their outcomes. */
function shown() {
  const toasts = createToasts();
  const list = new Map<string, { readonly title: string; readonly onClose?: () => void }>();
  toasts.manager[" subscribe"](({ action, options }) => {
    if (action === "add") list.set(options.id, options);
    else if (action === "close") {
      const toast = list.get(options.id);
      list.delete(options.id);
      toast?.onClose?.();
    }
  });
  const log: string[] = [];
  const offer = (title: string) =>
    toasts.offerUndo(title, { undo: () => log.push(`undo ${title}`), over: () => log.push(`over ${title}`) });
  const titles = () => [...list.values()].map(({ title }) => title);
  return { toasts, offer, titles, log };
}

it("shows at most three, and the time of the oldest is over then", () => {
  const { offer, titles, log } = shown();
  for (const title of ["a", "b", "c", "d"]) offer(title);
  expect(titles()).toEqual(["b", "c", "d"]);
  expect(log).toEqual(["over a"]);
});

it("undoes the newest first, each once, also after its toast is gone", () => {
  const { toasts, offer, titles, log } = shown();
  offer("a");
  const close = offer("b");
  offer("c");
  expect(toasts.undoLast()).toBe(true);
  close();
  expect(titles()).toEqual(["a"]);
  expect(toasts.undoable().map(({ title }) => title)).toEqual(["b", "a"]);
  expect(toasts.undoLast()).toBe(true);
  expect(toasts.undoLast()).toBe(true);
  expect(toasts.undoLast()).toBe(false);
  expect(log).toEqual(["undo c", "undo b", "undo a"]);
  expect(titles()).toEqual([]);
});

it("keeps what has no toast any more until newer things take its place", () => {
  const { toasts, offer, log } = shown();
  for (const title of ["a", "b", "c"]) offer(title)();
  expect(log).toEqual([]);
  offer("d");
  expect(log).toEqual(["over a"]);
  expect(toasts.undoable().map(({ title }) => title)).toEqual(["d", "c", "b"]);
});

it("undoes for the audience of a presentation nothing else", () => {
  const { toasts, offer, log } = shown();
  toasts.offerUndo("filled in", { undo: () => log.push("undo filled in"), presented: true });
  offer("a");
  expect(toasts.undoLast({ presented: true })).toBe(true);
  expect(toasts.undoLast({ presented: true })).toBe(false);
  expect(log).toEqual(["undo filled in"]);
});

it("undoes what is no deletion only as long as its toast is there", () => {
  const { toasts } = shown();
  toasts.offerUndo("Form reset", { undo: () => undefined })();
  expect(toasts.undoLast()).toBe(false);
});

it("says what cannot be undone, one thing at a time, beside what can", () => {
  const { toasts, offer, titles, log } = shown();
  for (const title of ["a", "b", "c"]) offer(title);
  toasts.say("Copied one");
  toasts.say("Copied two");
  expect(titles()).toEqual(["a", "b", "c", "Copied two"]);
  expect(toasts.undoLast()).toBe(true);
  expect(log).toEqual(["undo c"]);
});
