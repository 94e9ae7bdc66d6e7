import { expect, it } from "vitest";

import type { ContentDetails } from "../../ipc/bindings";
import { cleanup, screen } from "../../lib/render.test.helper";
import { appOn, openDetails, renderIn } from "../../state/started.test.helper";
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
  const answer = { type: "answer", operation: 1 } as const;
  return renderIn(appOn("empty"), <ContentDetailsView server="s" details={{ ...NONE, ...details }} answer={answer} />)
    .container;
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
  openDetails("of the resource");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("1.0");
  cleanup();
  shown({ meta: '{"outer":9007199254740993}' });
  openDetails("_meta");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("9007199254740993");
});
