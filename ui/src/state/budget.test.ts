import { expect, it } from "vitest";

import { operationActions } from "./actions/operations";
import { openApp } from "./testing/openApp";

it("asks for the view and the snapshot before it knows the servers, and for nothing else", async () => {
  const { sent } = await openApp("connected");
  expect(sent.map(({ name }) => name)).toEqual(["kept_view", "acknowledge"]);
});

it("sends one command for a call", async () => {
  const { app, live, sent, server } = await openApp("connected");
  const before = sent.length;
  const run = await app.actions.get(operationActions).run(server, "say_hello", '{"name":"Ada"}');
  await expect.poll(() => live().operations[run ?? -1]?.state).toBe("finished");
  const names = sent.slice(before).map(({ name }) => name);
  // Batches are acknowledged, and the view is kept for the next page, however many changes there are.
  expect(names.filter((name) => name !== "acknowledge" && name !== "keep_view")).toEqual(["start_operation"]);
});
