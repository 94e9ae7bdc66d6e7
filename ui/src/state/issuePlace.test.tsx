import { act, render, screen, waitFor } from "@testing-library/react";
import { StrictMode, type ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { createApp } from "./app";
import { AppContext, useIssuePlace } from "./hooks";
import { issuesSlice } from "./slices/issues";
import { sliceOf } from "./slices/slice";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("is shown as long as what has it is, and not when that is shown again", async () => {
  const app = createApp(fakeBackend("issues"), (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  const [server = ""] = app.store.getState().live.order;
  const Place = ({ of }: { readonly of: string }): ReactNode => <p>{useIssuePlace(server, of) ?? "none"}</p>;
  const shown = (of: string | null): ReactNode => (
    <StrictMode>
      <AppContext value={app}>{of !== null && <Place of={of} />}</AppContext>
    </StrictMode>
  );
  act(() => app.actions.showIssueSubject(server, { type: "item", kind: "tools", key: "chart" }, "/inputSchema"));
  const { rerender } = render(shown("item tools chart"));
  await screen.findByText("/inputSchema");
  // The component that shows it is another one, as where a form comes around it.
  rerender(
    <StrictMode>
      <AppContext value={app}>
        <section>
          <Place of="item tools chart" />
        </section>
      </AppContext>
    </StrictMode>,
  );
  await act(() => Promise.resolve());
  expect(screen.getByText("/inputSchema")).toBeDefined();
  rerender(shown("item tools sink"));
  await screen.findByText("none");
  rerender(shown("item tools chart"));
  await screen.findByText("none");
  act(() => app.actions.showIssueSubject(server, { type: "item", kind: "tools", key: "chart" }, "/name"));
  await screen.findByText("/name");
  rerender(shown(null));
  await waitFor(() => expect(sliceOf(app.store.getState().view.perServer[server], issuesSlice).place).toBe(null));
});
