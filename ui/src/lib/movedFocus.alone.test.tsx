import { expect, it } from "vitest";

import { keepFocusOfMoved } from "./movedFocus";
import { render } from "./render.test.helper";

const List = ({ names }: { readonly names: string }) => [...names].map((name) => <button key={name}>{name}</button>);
const focused = (): string => document.activeElement?.textContent ?? "";
const named = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name) ?? expect.fail();

it("keeps the focus on a moved element, and restores none after a blur or a removal", async () => {
  keepFocusOfMoved(document);
  const { rerender } = render(<List names="abc" />);
  named("a").focus();
  rerender(<List names="bca" />);
  await Promise.resolve();
  expect(focused()).toBe("a");
  named("a").blur();
  rerender(<List names="abc" />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
  named("a").focus();
  rerender(<List names="bc" />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
});
