import { expect, it } from "vitest";

import type { RootsAnswer } from "../../ipc/bindings";
import { cleanup, render, screen } from "../../lib/render.test.helper";
import { Roots } from "./Roots";

const answer: RootsAnswer = {
  at: 0,
  times: 1,
  roots: [{ uri: "file:///home/ada/work", name: "Work" }],
  count: 1,
  refused: null,
  differs: false,
};

/** Returns the visible text. */
function words(answer: RootsAnswer | null): string {
  return render(<Roots answer={answer} />).container.textContent.replaceAll(/\s+/g, " ");
}

it("says that the server has not asked", () => {
  expect(words(null)).toBe("The server has not requested the list of roots.");
});

it("shows what was sent last, and when", () => {
  expect(words(answer)).toMatch(/^1 root was sent at [\d:.]+ in response to roots\/list\./);
  expect(screen.getByText("file:///home/ada/work")).toBeTruthy();
  expect(screen.queryByText(/are different/)).toBeNull();
});

it("says that the folders are others by now, and what is not shown", () => {
  const said = words({ ...answer, times: 3, count: 201, differs: true });
  expect(said).toContain("the last of 3 requests.");
  expect(said).toContain("200 more are not shown.");
  expect(said).toContain("The server’s settings have different folders.");
});

it("tells an empty list from a rejection", () => {
  const nothing = { ...answer, roots: [], count: 0 };
  expect(words(nothing)).toContain("An empty list was sent at");
  cleanup();
  const said = words({ ...nothing, refused: "The user does not name any roots (-32603)" });
  expect(said).toMatch(/^Rejected at [\d:.]+ in response to roots\/list: .*\(-32603\)/);
});
