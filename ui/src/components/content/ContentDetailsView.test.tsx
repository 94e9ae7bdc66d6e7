import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { fakeBackend } from "../../ipc/fake";
import type { ContentDetails } from "../../ipc/bindings";
import { createApp } from "../../state/app";
import { AppContext } from "../../state/hooks";
import { ContentDetailsView } from "./ContentDetailsView";

const NONE: ContentDetails = {
  audience: [],
  priority: null,
  last_modified: null,
  size: null,
  icons: { first: [], count: 0 },
  meta: null,
  resource_meta: null,
};

function shown(details: Partial<ContentDetails>): HTMLElement {
  return render(
    <AppContext value={createApp(fakeBackend("empty"), (run) => run())}>
      <ContentDetailsView server="s" details={{ ...NONE, ...details }} answer={{ type: "answer", operation: 1 }} />
    </AppContext>,
  ).container;
}

function open(summary: string | RegExp): void {
  const details = screen.getByText(summary).closest("details");
  act(() => {
    if (!details) return;
    details.open = true;
    fireEvent(details, new Event("toggle"));
  });
}

it("tells annotations and the size of a link in one line", () => {
  const container = shown({ audience: ["user", "pilot"], priority: 0, last_modified: "2025-01-12", size: 2048 });
  expect(container.textContent).toBe("2 KB · For the user and pilot · Priority 0 · Last modified 2025-01-12");
});

it("takes no room where there is nothing", () => {
  expect(shown({}).childElementCount).toBe(0);
});

it("shows `_meta` of the block and of its resource as received", () => {
  shown({ meta: '{"outer":9007199254740993}', resource_meta: '{"inner":1.0}' });
  open("of the resource");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("1.0");
  cleanup();
  shown({ meta: '{"outer":9007199254740993}' });
  open("_meta");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("9007199254740993");
});
