import { expect, it } from "vitest";

import { cleanup, fireEvent, screen, waitFor } from "../lib/render.test.helper";
import { keptTextActions } from "../state/keptTexts";
import { renderIn } from "../state/started.test.helper";
import { openApp } from "../state/testing/openApp";
import { ReadBar } from "./ReadBar";

const URI = "station://bundle";

/** Renders the bar of a resource with this `_meta` typed for its reads, and records what it sends. */
async function bar(meta: string) {
  const { app, server, sent } = await openApp("resources_kept");
  app.actions.get(keptTextActions).changeText(server, { type: "meta", method: "resources/read", target: URI }, meta);
  const ledBy = { type: "template", key: "station://{name}" } as const;
  renderIn(app, <ReadBar server={server} uri={URI} why="" about={URI} ledBy={ledBy} />);
  return sent;
}

const names = (sent: readonly { readonly name: string }[]) => sent.map(({ name }) => name);

it("reads what may be kept from the cache, and with `_meta` of its own never", async () => {
  const plain = await bar("");
  fireEvent.click(screen.getByRole("button", { name: "Read" }));
  await waitFor(() => expect(names(plain)).toContain("start_operation"));
  expect(names(plain)).toContain("fresh_reading");
  cleanup();
  const own = await bar('{"a":1}');
  fireEvent.click(screen.getByRole("button", { name: "Read" }));
  await waitFor(() => expect(names(own)).toContain("start_operation"));
  expect(names(own)).not.toContain("fresh_reading");
  expect(own.find(({ name }) => name === "start_operation")?.args).toMatchObject({
    operation: {
      method: "resources/read",
      target: URI,
      params: '{"_meta":{"a":1}}',
      led_by: { type: "template", key: "station://{name}" },
    },
  });
});

it("sends nothing while `_meta` is no JSON", async () => {
  const sent = await bar("{");
  const read = screen.getByRole("button", { name: "Read" });
  expect((read as HTMLButtonElement).disabled).toBe(true);
  screen.getByText("The metadata is not valid JSON, so it cannot be sent.");
  expect(names(sent)).not.toContain("start_operation");
});
