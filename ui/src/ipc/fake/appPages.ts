/** The pages of the apps of a simulated server, and the tools that name them. */
import type { ToolDefinition } from "./definitions";

/** The one type that is shown. */
export const APP_TYPE = "text/html;profile=mcp-app";

/** The source of a page. What runs in its frame is `tests/states/app.html`. */
const page = "<!doctype html>\n<title>Boats</title>\n<h1>Boats in the harbour</h1>\n";

/** Contents at the URIs of the apps. */
export const appContents: Readonly<Record<string, readonly (readonly [mime: string, text: string])[]>> = {
  "ui://harbour/boats": [[APP_TYPE, page]],
  "ui://harbour/weather": [[APP_TYPE, page]],
  "ui://harbour/old": [["text/html", page]],
};

export const appTools: readonly ToolDefinition[] = (
  [
    ["count_boats", "Count the boats", "boats"],
    ["show_weather", "Show the weather", "weather"],
    ["old_board", "Look at the old board", "old"],
  ] as const
).map(([name, title, app]) => ({
  name,
  title,
  description: "Has an **app** that shows its result.",
  inputSchema: { type: "object", properties: {} },
  app: `ui://harbour/${app}`,
}));
