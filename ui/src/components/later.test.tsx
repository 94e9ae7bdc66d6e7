import { expect, it, vi } from "vitest";

import { act, render, screen } from "../lib/render.test.helper";
import { later, useHeld, type Later } from "./later";
import { PaneBoundary } from "./PaneBoundary";

/** A component whose code is loaded when the test says so. */
function part(words: string) {
  let come = (): void => undefined;
  let fail = (): void => undefined;
  const code = new Promise<() => string>((resolve, reject) => {
    come = () => resolve(() => words);
    fail = () => reject(new Error("no code"));
  });
  const load = vi.fn(() => code);
  const Part = later(load);
  const end = (how: () => void) => act(async () => (how(), Part.fetch()));
  return { Part, load, come: () => end(come), fail: () => end(fail) };
}

type Shown = "first" | "second";

function Page({ parts, shown }: { parts: Readonly<Record<Shown, Later<object>>>; shown: Shown }) {
  const held = useHeld(shown, parts[shown]);
  const Part = parts[held];
  return (
    <p data-held={held !== shown}>
      <Part />
    </p>
  );
}

it("keeps the content until the code of the next is there", async () => {
  const [first, second] = [part("one"), part("two")];
  const parts = { first: first.Part, second: second.Part };
  const { container, rerender } = render(<Page parts={parts} shown="first" />);
  expect(container.textContent).toBe("");
  await first.come();
  expect(container.textContent).toBe("one");
  expect(second.load).not.toHaveBeenCalled();
  rerender(<Page parts={parts} shown="second" />);
  expect(container.innerHTML).toBe('<p data-held="true">one</p>');
  await second.come();
  expect(container.innerHTML).toBe('<p data-held="false">two</p>');
  rerender(<Page parts={parts} shown="first" />);
  expect(container.innerHTML).toBe('<p data-held="false">one</p>');
  expect(first.load).toHaveBeenCalledOnce();
});

it("shows in its place that its code cannot be had", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { Part, fail } = part("never");
  render(
    <PaneBoundary name="Part">
      <Part />
    </PaneBoundary>,
  );
  await fail();
  expect(screen.getByRole("alert").textContent).toContain('The pane "Part" has failed.');
});
