import type { Settings } from "./bindings";

/** The settings of a first start, until the host has told its own. */
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
