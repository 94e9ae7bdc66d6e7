import { expect, it } from "vitest";

import { cleanup, render, screen } from "../../lib/render.test.helper";
import { ShowAll } from "./ShowAll";

const source = { type: "instructions", server: "s" } as const;

it("offers the whole of a text that was cut, and nothing of one that was not", () => {
  const { container } = render(<ShowAll text="all of it" label="Instructions" source={source} />);
  expect(container.textContent).toBe("");
  cleanup();
  render(<ShowAll text="the beginning…" label="Instructions" source={source} />);
  expect(screen.getByRole("button", { name: "Show all" })).toBeTruthy();
});
