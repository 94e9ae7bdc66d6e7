import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Backend } from "../ipc/backend";
import { fakeBackend } from "../ipc/fake";
import { createApp } from "../state/app";
import { AppContext } from "../state/hooks";
import { ReadBar } from "./ReadBar";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const URI = "station://bundle";

/** The bar of one resource, with this typed as the `_meta` of its readings; what it sends. */
async function bar(meta: string): Promise<readonly (readonly [string, unknown])[]> {
  const fake = fakeBackend("resources_kept");
  const sent: (readonly [string, unknown])[] = [];
  const backend: Backend = {
    ...fake,
    call: (name, args) => {
      sent.push([name, args]);
      return fake.call(name, args);
    },
  };
  const app = createApp(backend, (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  const [server = ""] = app.store.getState().live.order;
  app.actions.changeText(server, { type: "meta", method: "resources/read", target: URI }, meta);
  render(
    <AppContext value={app}>
      <ReadBar server={server} uri={URI} why="" about={URI} ledBy={{ type: "template", key: "station://{name}" }} />
    </AppContext>,
  );
  return sent;
}

const names = (sent: readonly (readonly [string, unknown])[]) => sent.map(([name]) => name);

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
  expect(own.find(([name]) => name === "start_operation")?.[1]).toMatchObject({
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
