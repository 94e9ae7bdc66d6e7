import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { fakeBackend } from "../../../ipc/fake";
import { createApp } from "../../../state/app";
import { AppContext } from "../../../state/hooks";
import { RunFacts } from "./RunFacts";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("tells readings of one template by their URIs, in the head and as a fact", async () => {
  const app = createApp(fakeBackend("resources"), (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  const [server = ""] = app.store.getState().live.order;
  const read = async (uri: string) => {
    const operation = await app.actions.readResource(server, uri);
    return app.backend.call("operation", { operation: operation ?? 0 });
  };
  const uris = ["station://tides/bergen", "station://tides/oslo"] as const;
  const [left, right] = [await read(uris[0]), await read(uris[1])];
  render(
    <AppContext value={app}>
      <RunFacts left={left} right={right} />
    </AppContext>,
  );
  expect(screen.queryByText("no arguments")).toBeNull();
  for (const uri of uris) expect(screen.getAllByText(uri).length).toBeGreaterThanOrEqual(2);
});
