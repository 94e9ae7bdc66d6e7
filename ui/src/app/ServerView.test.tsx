// @vitest-environment jsdom
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { parseMarkdown } from "../components/markdown/parse";
import type { Backend } from "../ipc/backend";
import { fakeBackend } from "../ipc/fake";
import { createApp, type App } from "../state/app";
import { AppContext } from "../state/hooks";
import { ServerView } from "./ServerView";

configure({ asyncUtilTimeout: 60_000 });

/** The worker that reads Markdown, without being one. */
class Reader {
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor() {
    setTimeout(() => this.onmessage?.({ data: "ready" }));
  }

  postMessage(text: string): void {
    setTimeout(() => this.onmessage?.({ data: parseMarkdown(text) }));
  }

  terminate(): void {
    this.onmessage = null;
  }
}

/** Nothing has a size in jsdom. */
class NoSizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.stubGlobal("Worker", Reader);
  vi.stubGlobal("ResizeObserver", NoSizes);
  vi.stubGlobal("IntersectionObserver", NoSizes);
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function shown(scenario: string | Backend): Promise<{ app: App; server: string }> {
  const backend = typeof scenario === "string" ? fakeBackend(scenario) : scenario;
  // Where the simulated host keeps what the page looked like: each begins anew.
  sessionStorage.clear();
  const app = createApp(backend, (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  const [server = ""] = app.store.getState().live.order;
  await act(async () => {
    render(
      <AppContext value={app}>
        <ServerView server={server} />
      </AppContext>,
    );
  });
  return { app, server };
}

const button = (name: string) => screen.findByRole("button", { name });
const heading = (name: string) => screen.findByRole("heading", { name });

it("opens a server without tools at its resources, and reads one", async () => {
  await shown("resources_alone");
  expect(screen.queryByRole("tab", { name: /Tools/ })).toBeNull();
  expect((await screen.findByRole("tab", { name: /Resources/ })).getAttribute("aria-selected")).toBe("true");
  await heading("Chart of the approach");
  fireEvent.click(await button("Read"));
  await button("Read again");
  await heading("Approach");
});

it("makes a URI of what is typed into a template", async () => {
  const { app, server } = await shown("resources");
  fireEvent.click(screen.getByRole("tab", { name: /Resources/ }));
  await heading("Chart of the approach");
  const { openResource } = app.actions;
  act(() => openResource(server, "resource_templates", "station://tides/{port}{?day,kinds*}"));
  fireEvent.change(await screen.findByLabelText("port"), { target: { value: "bergen" } });
  fireEvent.change(screen.getByLabelText("kinds"), { target: { value: "high\nlow" } });
  const made = screen.getByRole("group", { name: "Expanded URI" });
  await within(made).findByText("station://tides/bergen?kinds=high&kinds=low");
  fireEvent.click(await button("Read"));
  await button("Read again");
  expect(Object.values(app.store.getState().live.operations).at(-1)?.target).toBe(
    "station://tides/bergen?kinds=high&kinds=low",
  );
});

it("reads the URI of what is typed now, not the one that is still shown", async () => {
  const { app, server } = await shown("resources");
  act(() => app.actions.openResource(server, "resource_templates", "station://tides/{port}{?day,kinds*}"));
  const port = await screen.findByLabelText("port");
  fireEvent.change(port, { target: { value: "berge" } });
  await screen.findByText("station://tides/berge");
  fireEvent.change(port, { target: { value: "bergen" } });
  act(() => app.handlers.get("run_tool")?.());
  expect(screen.getByText("station://tides/berge")).toBeTruthy();
  await button("Read again");
  expect(Object.values(app.store.getState().live.operations).map(({ target }) => target)).toEqual([
    "station://tides/bergen",
  ]);
});

it("suggests values for the variables of a template", async () => {
  const { app, server } = await shown("resources");
  const template = "station://tides/{port}{?day,kinds*}";
  act(() => app.actions.openResource(server, "resource_templates", template));
  const port = await screen.findByRole("combobox", { name: "port" });
  fireEvent.change(port, { target: { value: "Bi" } });
  await screen.findByRole("option", { name: "Bilbao" });
  fireEvent.keyDown(port, { key: "ArrowDown" });
  fireEvent.keyDown(port, { key: "Enter" });
  await screen.findByText("station://tides/Bilbao");
  expect(screen.queryByRole("option", { name: "Bilbao" })).toBeNull();
});

it("brings back what was typed into a template at an earlier start", async () => {
  const template = "station://tides/{port}{?day,kinds*}";
  const backend = fakeBackend("resources");
  const { app, server } = await shown(backend);
  act(() => app.actions.setTemplateValue(server, template, "port", "oslo"));
  await act(() => app.actions.saveDrafts());
  cleanup();
  const { app: next } = await shown(backend);
  act(() => next.actions.openResource(server, "resource_templates", template));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("port").value).toBe("oslo"));
});

it("keeps the URI of a broken template to be edited by hand", async () => {
  const { app, server } = await shown("resources");
  act(() => app.actions.openResource(server, "resource_templates", "station://broken/{port"));
  await screen.findByText("This is not a URI template, so it has no form.");
  fireEvent.change(screen.getByLabelText("URI"), { target: { value: "station://state" } });
  fireEvent.click(await button("Read"));
  await button("Read again");
  expect(Object.values(app.store.getState().live.operations).at(-1)?.target).toBe("station://state");
});

it("shows what a link leads to among the resources", async () => {
  const { app, server } = await shown("resources");
  await act(() => app.actions.openUri(server, "station://barograph"));
  await heading("Barograph roll");
  await screen.findByText("The list of resources says 512 bytes, and reading gave 480.");
  await act(() => app.actions.openUri(server, "station://nowhere"));
  await heading("Read a URI");
  expect(screen.getByLabelText<HTMLInputElement>("URI").value).toBe("station://nowhere");
  await screen.findByText("The server returned an error");
});

it("has one button to connect again for a connection that was lost, and the reason", async () => {
  await shown("lost");
  await screen.findByText("The server's process ended.");
  expect(screen.getAllByRole("button", { name: /Reconnect/ })).toHaveLength(1);
  fireEvent.click(await button("Show details"));
  await heading("What to do");
  expect(screen.getAllByRole("button", { name: /Reconnect/ })).toHaveLength(1);
});

it("has one button to connect with: where the tools will be, and at the top once something else is there", async () => {
  const connects = () => screen.queryAllByRole("button", { name: "Connect" });
  const isInHeader = () => connects().map((one) => one.closest("header") !== null);
  const { app, server } = await shown("first");
  await waitFor(() => expect(isInHeader()).toEqual([false]));
  act(() => app.actions.selectTab(server, "wire"));
  await waitFor(() => expect(isInHeader()).toEqual([true]));
  cleanup();
  await shown("disconnected");
  await screen.findByText("Not connected.");
  expect(isInHeader()).toEqual([true]);
});
