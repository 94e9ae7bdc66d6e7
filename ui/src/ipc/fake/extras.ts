import type { CatalogKind, CatalogRow, CatalogView, IconPicture, ItemExtras, ShownIcon, ShownIcons } from "../bindings";

/** Extras of an item that has no further members. */
export const noExtras: ItemExtras = { icons: { first: [], count: 0 }, meta: null };

/** Builds the list of the items with these keys, as of this revision. */
export function listOf(server: string, kind: CatalogKind, keys: readonly string[], revision: number): CatalogView {
  return {
    server,
    kind,
    revision,
    reading: null,
    supported: keys.length > 0,
    count: revision === 0 ? 0 : keys.length,
    first: revision === 0 ? null : (keys[0] ?? null),
    diff: null,
    findings: [],
    finding_count: 0,
    error: null,
    freshness: null,
    fresh_until: null,
  };
}

/** Builds the row of an item with defaults for everything else. */
export function rowOf(key: string, name: string, more: Partial<CatalogRow>): CatalogRow {
  return {
    key,
    name,
    named: true,
    title: null,
    summary: "",
    change: null,
    issues: 0,
    forbidden: null,
    read_only: null,
    destructive: null,
    idempotent: null,
    open_world: null,
    resource: null,
    ...more,
  };
}

export function icon(src: string, more: Partial<ShownIcon> = {}): ShownIcon {
  return { src, picture: null, mime_type: null, sizes: [], theme: null, ...more };
}

export function icons(...first: readonly ShownIcon[]): ShownIcons {
  return { first: [...first], count: first.length };
}

/** Waves within a circle, 48 × 48 pixels. */
const waves =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmHAAAA/ElEQVR42u1ZyRHEMAhLIVtjqto+d795JRwSCCbM5OexJGJjLB/HG4vic35/lm8kaTkxWeJtQtDES4UgCLSIYAGWCKnIFA2jep3C8TqqBQyzs9SlsRUOnBQHldMyxEPpuA9xUWu8XHwUO0cXpyh5tnCqgI6TGpbFisbMPC+DPLPZSwmo6PPd81kBKy4qofksgB5yGREUAZHMogqDKcF3AzLLIvPHrmPdAqrX9BMGVECFm+Heo501PbL/WlwCWvZVHAjrBm93ITwYbj6jLzQrrpTjL/UrbJXxxtYKa3GFuTveXme3GHIvNbJPTIjefv1rpZR3OYI4st9/Y3L8ASGgGGRTr1fhAAAAAElFTkSuQmCC";

/** Icons of every kind: a picture, an address, and an icon that is not shown because it may be harmful. */
export const stationIcons = icons(
  icon(waves, { picture: waves, mime_type: "image/png", sizes: ["48x48"], theme: "light" }),
  icon("https://example.org/station/icon.png", { mime_type: "image/png", sizes: ["48x48", "96x96"], theme: "dark" }),
  icon("data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=", {
    mime_type: "image/svg+xml",
    sizes: ["any"],
  }),
);

/** Returns the host's result for an icon at a URL. Only one icon of the simulated servers is on their own origin. */
export function iconPicture(src: string): IconPicture {
  return src === "https://example.org/station/icon.png"
    ? { type: "picture", uri: waves }
    : { type: "refused", reason: "Not fetched: the URL has another origin than the server." };
}
