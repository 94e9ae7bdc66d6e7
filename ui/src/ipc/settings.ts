import type { Settings } from "./bindings";

/** Settings of a first start, until the host has sent the stored ones. */
export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  zoom: 100,
  text_size: "medium",
  presentation_zoom: 150,
  selected_server: null,
  beside: null,
  server_filter: "",
  views: {},
  pane_sizes: {},
  runs_below: false,
  history: { runs: 500, server_mib: 64, total_mib: 256 },
};
