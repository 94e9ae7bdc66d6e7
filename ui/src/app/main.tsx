import "./fonts.css";
import "./tokens.css";
import "./base.css";

import { createRoot } from "react-dom/client";

import { host } from "./host";
import { runEffectsAtOnce } from "../lib/effects";
import { keepKeys } from "../lib/earlyKeys";
import { keepFocusOfMoved } from "../lib/movedFocus";
import { scrollPositions } from "../lib/scrollPositions";
import { track } from "../lib/underWay";
import { createApp } from "../state/app";
import { WatchedBackend, whenIdle } from "../state/idle";
import { nextFrame } from "../state/subscription";
import { Root } from "./Root";

/** Milliseconds after which the page says that it is starting; rendering that earlier would only delay the servers. */
const STARTING_AFTER = 150;

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

runEffectsAtOnce();
keepKeys();
keepFocusOfMoved(document);
let watched: WatchedBackend | null = null;
// Set before the app starts. The calls of `host` are observed once they are handed over.
if (__FAKE_BACKEND__ || navigator.webdriver) window.sondeIdle = () => whenIdle(watched);
watched = new WatchedBackend(await track(host));
const app = createApp(watched, nextFrame, scrollPositions(document));
// Resolves once there are servers to show, or the reason why there are none.
const hasContent = new Promise<void>((resolve) => {
  app.store.subscribe(({ live, channelError }) => (live.ready || channelError) && resolve());
  setTimeout(resolve, STARTING_AFTER);
});
void track(app.start());
// A closing window leaves no time for the pause after typing.
for (const leaving of ["pagehide", "blur"]) addEventListener(leaving, () => void app.actions.saveTyped());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void app.actions.saveTyped();
});
await track(hasContent);
createRoot(element).render(<Root app={app} />);
