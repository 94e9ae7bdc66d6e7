import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Backend } from "../../ipc/backend";
import { fakeBackend } from "../../ipc/fake";
import { createApp } from "../../state/app";
import { AppContext } from "../../state/hooks";
import { ContentBlockView } from "./ContentBlockView";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Reads a resource of the simulated station, shows the result, and returns the commands that were sent. */
async function read(uri: string): Promise<readonly (readonly [string, unknown])[]> {
  const fake = fakeBackend("resources");
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
  const operation = (await app.actions.readResource(server, uri)) ?? 0;
  const { outcome } = await app.backend.call("operation", { operation });
  if (outcome?.type !== "result") throw new Error("it is a result");
  render(
    <AppContext value={app}>
      {outcome.content.map((block, index) => (
        <ContentBlockView
          key={index}
          block={block}
          source={{ type: "content", operation, index }}
          number={index + 1}
          alone={false}
          server={server}
          read
        />
      ))}
    </AppContext>,
  );
  return sent;
}

it("says of a PDF what it is and how it is opened, with its bytes one click below", async () => {
  const sent = await read("station://bundle");
  const pdf = within(screen.getByRole("group", { name: "Binary data, block 3" }));
  pdf.getByText(/^A PDF document \(\d+ bytes\)\.$/);
  expect(pdf.queryByRole("group", { name: "Bytes" })).toBeNull();
  fireEvent.click(pdf.getByRole("button", { name: "Save" }));
  const said = await pdf.findByText(/^Saved as /);
  fireEvent.click(pdf.getByRole("button", { name: "Show in folder" }));
  const path = said.textContent?.replace("Saved as ", "");
  expect(sent).toContainEqual(["show_saved_file", { path }]);
});
