import type { ReactNode } from "react";
import { expect, it } from "vitest";

import { act, render, screen, waitFor } from "../lib/render.test.helper";
import { issueActions } from "./actions/issues";
import { AppContext } from "./hooks";
import { useIssuePlace } from "./useIssuePlace";
import { issuesSlice } from "./slices/issues";
import { sliceOf } from "./slices/slice";
import { openApp } from "./testing/openApp";

it("is shown as long as what has it is, and not when that is shown again", async () => {
  const { app, server } = await openApp("issues");
  const Place = ({ of }: { readonly of: string }): ReactNode => <p>{useIssuePlace(server, of) ?? "none"}</p>;
  const shown = (of: string | null): ReactNode => (
    <AppContext value={app}>{of !== null && <Place of={of} />}</AppContext>
  );
  act(() =>
    app.actions
      .get(issueActions)
      .showIssueSubject(server, { type: "item", kind: "tools", key: "chart" }, "/inputSchema"),
  );
  const { rerender } = render(shown("item tools chart"));
  await screen.findByText("/inputSchema");
  // Another component shows the subject, as when a form is wrapped around it.
  rerender(
    <AppContext value={app}>
      <section>
        <Place of="item tools chart" />
      </section>
    </AppContext>,
  );
  await act(() => Promise.resolve());
  expect(screen.getByText("/inputSchema")).toBeDefined();
  rerender(shown("item tools sink"));
  await screen.findByText("none");
  rerender(shown("item tools chart"));
  await screen.findByText("none");
  act(() =>
    app.actions.get(issueActions).showIssueSubject(server, { type: "item", kind: "tools", key: "chart" }, "/name"),
  );
  await screen.findByText("/name");
  rerender(shown(null));
  await waitFor(() => expect(sliceOf(app.store.getState().view.perServer[server], issuesSlice).place).toBe(null));
});
