import { expect, it } from "vitest";

import type { Backend } from "../ipc/backend";
import { createApp } from "./app";
import { textKey, type KeptText } from "./keptTexts";

/** A host that keeps drafts under their server, method and target. */
function hostOfDrafts(): Backend {
  const drafts = new Map<string, string | null>();
  return {
    call(name, args) {
      const { server, method, target, text } = args as Partial<Record<string, string>>;
      const key = [server, method, target].join("\n");
      if (name === "save_draft") drafts.set(key, text ?? null);
      return Promise.resolve((name === "load_draft" ? (drafts.get(key) ?? null) : null) as never);
    },
    readBytes: () => Promise.resolve(new ArrayBuffer(0)),
    subscribe: () => Promise.resolve(),
  };
}

it("brings each text back in the next window, apart from the others", async () => {
  const backend = hostOfDrafts();
  const texts: readonly KeptText[] = [
    { type: "request" },
    { type: "meta", method: "tools/call", target: "dredge" },
    { type: "meta", method: "prompts/get", target: "dredge" },
    { type: "task", tool: "dredge" },
    { type: "task", tool: "paint" },
  ];
  const first = createApp(backend, () => undefined);
  texts.forEach((which, place) => first.actions.changeText("s", which, `text ${place}`));
  await first.actions.saveTexts();

  const second = createApp(backend, () => undefined);
  await Promise.all(texts.map((which) => second.actions.openText("s", which)));
  const brought = texts.map((which) => second.store.getState().view.texts[textKey("s", which)]);
  expect(brought).toEqual(["text 0", "text 1", "text 2", "text 3", "text 4"]);
});
