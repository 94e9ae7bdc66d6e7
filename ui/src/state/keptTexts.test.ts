import { expect, it } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { createApp } from "./app";
import { textKey, type KeptText, keptTextActions } from "./keptTexts";

it("brings each text back in the next window, apart from the others", async () => {
  const backend = fakeBackend("empty");
  const texts: readonly KeptText[] = [
    { type: "request" },
    { type: "meta", method: "tools/call", target: "dredge" },
    { type: "meta", method: "prompts/get", target: "dredge" },
    { type: "task", tool: "dredge" },
    { type: "task", tool: "paint" },
  ];
  const first = createApp(backend, () => undefined);
  texts.forEach((which, place) => first.actions.get(keptTextActions).changeText("s", which, `text ${place}`));
  await first.actions.saveTyped();

  const second = createApp(backend, () => undefined);
  await Promise.all(texts.map((which) => second.actions.get(keptTextActions).openText("s", which)));
  const brought = texts.map((which) => second.store.getState().view.texts[textKey("s", which)]);
  expect(brought).toEqual(["text 0", "text 1", "text 2", "text 3", "text 4"]);
});
