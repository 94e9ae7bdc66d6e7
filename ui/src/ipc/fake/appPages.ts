/** Pages of the apps of a simulated server, and the tools that use them. */
import type { ToolDefinition } from "./definitions";

/** The only media type that is shown. */
export const APP_TYPE = "text/html;profile=mcp-app";

/** Source of a page. The code that runs in its frame is `tests/states/app.html`. */
const page = "<!doctype html>\n<title>Boats</title>\n<h1>Boats in the harbour</h1>\n";

/** Resource contents at the URIs of the apps. */
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
