import "./fonts.css";
import "./tokens.css";
import "./base.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { preloadMarkdown } from "../components/markdown/Markdown";
import { preloadParts } from "./later";
import { chooseBackend } from "./chooseBackend";
import { scrollPositions } from "../lib/scrollPositions";
import { track } from "../lib/underWay";
import { createApp } from "../state/app";
import { WatchedBackend, whenIdle } from "../state/idle";
import { nextFrame } from "../state/subscription";
import { Root } from "./Root";

/** Fonts of the first view. */
const FONTS = ["13px Inter", '12px "JetBrains Mono"'];
/** Milliseconds that the first view waits for its fonts. */
const FONT_TIME = 1_000;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

let watched: WatchedBackend | null = null;
if (__FAKE_BACKEND__ || navigator.webdriver) window.sondeIdle = () => whenIdle(watched);
// Texts are measured: with the fonts that they are drawn in, unless one cannot be had. Before anything begins, so that
// what happens first is seen.
await track(Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts.load(font))), pause(FONT_TIME)]));
watched = new WatchedBackend(await track(chooseBackend()));
const app = createApp(watched, nextFrame, scrollPositions(document));
void track(app.start());
// A window that is closed gives no time for a pause in the typing.
for (const leaving of ["pagehide", "blur"]) addEventListener(leaving, () => void app.actions.saveDrafts());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void app.actions.saveDrafts();
});
createRoot(element).render(
  <StrictMode>
    <Root app={app} />
  </StrictMode>,
);

// Once the window stands; web views without idle callbacks wait a moment instead.
(window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500)))(() => {
  preloadMarkdown();
  preloadParts();
});
