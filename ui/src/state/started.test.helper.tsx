import { act, render, waitFor, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect } from "vitest";

import type { Backend } from "../ipc/backend";
import type { ServerId } from "../ipc/bindings";
import { fakeBackend } from "../ipc/fake";
import { createApp, type App } from "./app";
import { AppContext } from "./hooks";

/** Starts an app on a host, or on a simulated one with this scenario; `server` is the first of its servers. */
export async function started(host: string | Backend): Promise<{ readonly app: App; readonly server: ServerId }> {
  const app = createApp(typeof host === "string" ? fakeBackend(host) : host, (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  return { app, server: app.store.getState().live.order[0] ?? "" };
}

/** Renders a part of the window of an app. */
export function renderIn(app: App, part: ReactNode): RenderResult {
  return render(part, { wrapper: ({ children }) => <AppContext value={app}>{children}</AppContext> });
}
