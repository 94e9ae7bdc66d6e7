import type { CatalogKind, ServerId } from "../ipc/bindings";
import type { LiveState } from "./live";
import type { Tab } from "./view";

/** Tabs of a server that show its lists, in order, each with the kinds that it shows. */
export const itemTabs = {
  tools: ["tools"],
  resources: ["resources", "resource_templates"],
  prompts: ["prompts"],
  skills: ["skills"],
} as const satisfies Partial<Record<Tab, readonly CatalogKind[]>>;

export type ItemTab = keyof typeof itemTabs;

export function isItemTab(tab: Tab): tab is ItemTab {
  return tab in itemTabs;
}

/**
 * Returns the item tabs of a server: those of kinds that it declares or has listed. The open tab stays, except for the
 * tools, at which every server begins: they disappear once the server is known to have only other kinds.
 */
export function itemTabsOf(live: LiveState, server: ServerId, chosen: Tab): readonly ItemTab[] {
  const catalogs = live.catalogs[server];
  const there = (Object.keys(itemTabs) as ItemTab[]).filter(
    (tab) =>
      (tab === chosen && tab !== "tools") ||
      itemTabs[tab].some((kind) => catalogs?.[kind]?.supported === true || (catalogs?.[kind]?.count ?? 0) > 0),
  );
  return there.length > 0 ? there : ["tools"];
}

/** Returns the tab to show when the chosen one may not exist for a server. */
export function shownTab(live: LiveState, server: ServerId, chosen: Tab): Tab {
  if (!isItemTab(chosen)) return chosen;
  const there = itemTabsOf(live, server, chosen);
  return there.includes(chosen) ? chosen : (there[0] ?? "tools");
}

/** Counts the items of a view; `null` until a list was read. */
export function itemCountOf(live: LiveState, server: ServerId, tab: ItemTab): number | null {
  const read = itemTabs[tab].flatMap((kind) => {
    const catalog = live.catalogs[server]?.[kind];
    return catalog && (tab === "tools" || catalog.revision > 0) ? [catalog.count] : [];
  });
  return read.length === 0 ? null : read.reduce((sum, one) => sum + one, 0);
}
