import { useRef, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";

import { commitThen } from "../lib/focus";
import { act, fireEvent, render, screen } from "../lib/render.test.helper";
import type { App } from "../state/app";
import { AppContext } from "../state/hooks";
import { Dialog } from "./Dialog";
import { Menu, MenuAt } from "./Menu";

beforeEach(() => {
  // The next key press comes before the next frame.
  vi.stubGlobal("requestAnimationFrame", () => 0);
  // As in a browser, where the library waits for animations frame by frame.
  HTMLElement.prototype.getAnimations = () => [];
});

const app = { store: createStore(() => ({ view: { focus: null } })) } as unknown as App;
const focused = (): Element | null => document.activeElement;
const button = (name: string): HTMLElement => screen.getByRole("button", { name });
/** Runs a function and its effects, without a frame. */
const now = (run: () => void): Promise<void> => act(async () => run());

it("moves to what was rendered just now", async () => {
  function Closable() {
    const [open, setOpen] = useState(true);
    const opener = useRef<HTMLButtonElement>(null);
    const close = (): void =>
      commitThen(
        () => setOpen(false),
        () => opener.current?.focus(),
      );
    return open ? <button onClick={close}>Close</button> : <button ref={opener}>Open</button>;
  }
  render(<Closable />);
  fireEvent.click(button("Close"));
  expect(focused()).toBe(button("Open"));
});

it("is in a dialog as it opens, and back as it closes", async () => {
  function Asking() {
    const [open, setOpen] = useState(false);
    return (
      <AppContext value={app}>
        <button onClick={() => setOpen(true)}>Ask</button>
        <Dialog title="A question" open={open} onClose={() => setOpen(false)} footer={<button>Answer</button>}>
          Words
        </Dialog>
      </AppContext>
    );
  }
  render(<Asking />);
  button("Ask").focus();
  await now(() => button("Ask").click());
  expect(focused()).toBe(button("Answer"));
  await now(() => void fireEvent.keyDown(button("Answer"), { key: "Escape" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(focused()).toBe(button("Ask"));
});

it("is in a menu as its button is pressed by key, and back as it closes", async () => {
  render(<Menu label="More" items={[{ label: "Copy", onSelect: () => undefined }]} />);
  button("More").focus();
  // A key press on a button is a click without a pointer.
  await now(() => void fireEvent.click(button("More"), { detail: 0 }));
  expect(screen.getByRole("menu").contains(focused())).toBe(true);
  await now(() => void fireEvent.keyDown(focused() ?? document.body, { key: "Escape" }));
  expect(screen.queryByRole("menu")).toBeNull();
  expect(focused()).toBe(button("More"));
});

it("is on the item that a menu highlights", async () => {
  render(<Menu label="More" items={[{ label: "Copy", onSelect: () => undefined }]} />);
  button("More").focus();
  await now(() => void fireEvent.keyDown(button("More"), { key: "ArrowDown" }));
  expect(focused()).toBe(screen.getByRole("menuitem", { name: "Copy" }));
});

it("is in a context menu as it opens, and back as it goes", async () => {
  const items = [{ label: "Copy", onSelect: () => undefined }];
  const shown = (open: boolean) => (
    <AppContext value={app}>
      <button>Row</button>
      {open && <MenuAt label="Actions" items={items} at={new DOMRect()} onClose={() => undefined} />}
    </AppContext>
  );
  const { rerender } = render(shown(false));
  button("Row").focus();
  await now(() => rerender(shown(true)));
  expect(focused()).toBe(screen.getByRole("menu"));
  await now(() => rerender(shown(false)));
  expect(focused()).toBe(button("Row"));
});
