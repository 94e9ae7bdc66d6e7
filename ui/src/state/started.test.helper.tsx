import type { ReactNode } from "react";
import { expect } from "vitest";

import type { Backend } from "../ipc/backend";
import type { ServerId } from "../ipc/bindings";
import { fakeBackend } from "../ipc/fake";
import { act, fireEvent, render, screen, type RenderResult } from "../lib/render.test.helper";
import { createApp, type App } from "./app";
import { AppContext } from "./hooks";
import { openApp } from "./testing/openApp";

/** Creates an app on a host, or on a simulated one with this scenario, before its first batch. */
export function appOn(host: string | Backend): App {
  return createApp(typeof host === "string" ? fakeBackend(host) : host, (run) => run());
}

/** Creates and starts an app. */
export const started = (host: string | Backend): ReturnType<typeof openApp> => act(() => openApp(host));

/** Renders a part of the window of an app. */
export function renderIn(app: App, part: ReactNode): RenderResult {
  return render(part, { wrapper: ({ children }) => <AppContext value={app}>{children}</AppContext> });
}

/** Starts an app and renders a part of the window that is about its first server. */
export async function shownOf(host: string | Backend, part: (server: ServerId) => ReactNode) {
  const opened = await started(host);
  return { ...opened, ...renderIn(opened.app, part(opened.server)) };
}

/** Expands a summary. */
export function openDetails(summary: string | RegExp): void {
  const details = screen.getByText(summary).closest("details") ?? expect.fail("it is no summary");
  details.open = true;
  act(() => void fireEvent(details, new Event("toggle")));
}
