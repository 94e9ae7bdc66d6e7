import { expect, it } from "vitest";

import type { CatalogKind, CatalogView } from "../ipc/bindings";
import { listOf } from "../ipc/fake/extras";
import { itemTabsOf, shownTab } from "./itemTabs";
import { initialLive, type LiveState } from "./live";

const catalog = (kind: CatalogKind, supported: boolean, count = 0): CatalogView => ({
  ...listOf("s", kind, [], 1),
  supported,
  count,
});

function live(...catalogs: readonly CatalogView[]): LiveState {
  return { ...initialLive, catalogs: { s: Object.fromEntries(catalogs.map((one) => [one.kind, one])) } };
}

it("shows the views that a server declares or has listed", () => {
  expect(itemTabsOf(initialLive, "s", "tools")).toEqual(["tools"]);
  expect(itemTabsOf(live(catalog("tools", true), catalog("resources", true)), "s", "tools")).toEqual([
    "tools",
    "resources",
  ]);
  expect(itemTabsOf(live(catalog("tools", true), catalog("resources", false)), "s", "tools")).toEqual(["tools"]);
  expect(itemTabsOf(live(catalog("tools", true), catalog("resource_templates", false, 2)), "s", "wire")).toEqual([
    "tools",
    "resources",
  ]);
});

it("shows prompts behind the resources", () => {
  const all = live(catalog("prompts", true), catalog("resources", true), catalog("tools", true));
  expect(itemTabsOf(all, "s", "tools")).toEqual(["tools", "resources", "prompts"]);
  expect(shownTab(live(catalog("tools", false), catalog("prompts", true)), "s", "tools")).toBe("prompts");
});

it("opens a server without tools at the first kind that it has", () => {
  const without = live(catalog("tools", false), catalog("resources", true));
  expect(itemTabsOf(without, "s", "tools")).toEqual(["resources"]);
  expect(shownTab(without, "s", "tools")).toBe("resources");
  expect(shownTab(without, "s", "wire")).toBe("wire");
  expect(shownTab(live(catalog("tools", false)), "s", "tools")).toBe("tools");
});

it("keeps the view of what was opened from elsewhere", () => {
  const tools = live(catalog("tools", true), catalog("resources", false));
  expect(shownTab(tools, "s", "resources")).toBe("resources");
});
