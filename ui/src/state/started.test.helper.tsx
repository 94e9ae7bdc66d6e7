import { act, fireEvent, render, screen, waitFor, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect } from "vitest";

import type { Backend } from "../ipc/backend";
import type { ServerId } from "../ipc/bindings";
import { fakeBackend } from "../ipc/fake";
import { createApp, type App } from "./app";
import { AppContext } from "./hooks";

/** Makes an app on a host, or on a simulated one with this scenario, that has not heard of it yet. */
export function appOn(host: string | Backend): App {
  return createApp(typeof host === "string" ? fakeBackend(host) : host, (run) => run());
}

/** The same, started; `server` is the first of its servers. */
export async function started(host: string | Backend): Promise<{ readonly app: App; readonly server: ServerId }> {
  const app = appOn(host);
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  return { app, server: app.store.getState().live.order[0] ?? "" };
}

/** Renders a part of the window of an app. */
export function renderIn(app: App, part: ReactNode): RenderResult {
  return render(part, { wrapper: ({ children }) => <AppContext value={app}>{children}</AppContext> });
}

/** Starts an app and renders a part of the window that is about its first server. */
export async function shownOf(host: string | Backend, part: (server: ServerId) => ReactNode) {
  const { app, server } = await started(host);
  return { app, server, ...renderIn(app, part(server)) };
}

/** Opens what is one click below a summary. */
export function openDetails(summary: string | RegExp): void {
  const details = screen.getByText(summary).closest("details") ?? expect.fail("it is no summary");
  details.open = true;
  act(() => void fireEvent(details, new Event("toggle")));
}
