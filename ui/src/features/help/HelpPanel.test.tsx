// @vitest-environment jsdom
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { parseMarkdown } from "../../components/markdown/parse";
import { fakeBackend } from "../../ipc/fake";
import { createApp, type App } from "../../state/app";
import { AppContext, useAppState } from "../../state/hooks";
import { HelpPanel } from "./HelpPanel";
import { pages } from "./pages";

// A page is drawn when it has been read, however long that takes.
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

beforeEach(() => {
  vi.stubGlobal("Worker", Reader);
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("dark"),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  // Not in jsdom.
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Shown() {
  const panel = useAppState((state) => state.view.panel);
  return panel?.type === "help" ? <HelpPanel page={panel.page} at={panel.at} /> : <p>no help</p>;
}

async function shown(open: (app: App) => void): Promise<App> {
  const app = createApp(fakeBackend("connected"), (run) => run());
  await act(() => app.start());
  open(app);
  // A page that waits to be read comes after the act that showed it.
  await act(async () => {
    render(
      <AppContext value={app}>
        <Shown />
      </AppContext>,
    );
  });
  return app;
}

const field = (): HTMLElement => screen.getByRole("searchbox", { name: "Search the help" });

/** The heading with this text, in the page that is on show. By role it takes seconds in a long page. */
async function heading(text: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>("article :is(h2, h3, h4)")];
    const wanted = found.find((each) => each.textContent === text);
    if (!wanted) throw new Error(`no heading “${text}”`);
    return wanted;
  });
}

async function hasFocus(text: string): Promise<void> {
  const wanted = await heading(text);
  await waitFor(() => expect(document.activeElement).toBe(wanted));
}

it("begins with the list, and with the search under the hands", async () => {
  await shown(({ actions }) => actions.openHelp());
  expect(document.activeElement).toBe(field());
  await heading("User guide");
  await act(
    async () =>
      void fireEvent.click(within(screen.getByRole("navigation")).getByRole("button", { name: "Run a tool" })),
  );
  await hasFocus("Run a tool");
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Back" })));
  await heading("User guide");
});

it("goes from page to page, and out of the window only after asking", async () => {
  const app = await shown(({ actions }) => actions.openHelp("failing-call"));
  const compare = await screen.findByText("Compare");
  await act(async () => void fireEvent.click(compare));
  await heading("Compare two runs");
  await act(async () => app.actions.openHelp("recipe-ci"));
  const inspector = await screen.findByText("Inspector");
  await act(async () => void fireEvent.click(inspector));
  expect(app.store.getState().view.opening).toEqual({
    url: "https://github.com/modelcontextprotocol/inspector",
    from: "guide",
  });
  expect(document.querySelectorAll("a")).toHaveLength(0);
});

it("finds words, marks them, and opens the section", async () => {
  await shown(({ actions }) => actions.openHelp());
  fireEvent.change(field(), { target: { value: "idle timeout" } });
  const results = screen.getByRole("list", { name: "Results" });
  expect(within(results).getAllByRole("button").length).toBeGreaterThan(2);
  expect(results.querySelectorAll("mark").length).toBeGreaterThan(2);
  within(results).getByRole("button", { name: /^Troubleshooting: runs › Idle timeout reached/ });
  fireEvent.keyDown(field(), { key: "ArrowDown" });
  const [first, second] = within(results).getAllByRole("button");
  expect(document.activeElement).toBe(first);
  fireEvent.keyDown(first as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(second);
  await act(async () => void fireEvent.keyDown(field(), { key: "Enter" }));
  await hasFocus("Idle timeout reached");
  fireEvent.change(field(), { target: { value: "idle timeout xyzzy" } });
  screen.getByText("Without: xyzzy");
  screen.getByRole("list", { name: "Results" });
  fireEvent.change(field(), { target: { value: "xyzzy plugh" } });
  screen.getByText("Nothing in the help matches “xyzzy plugh”.");
  expect(screen.queryByText(/^Without/)).toBeNull();
});

it("finds the entry of a whole sentence with names and numbers in it", async () => {
  await shown(({ actions }) => actions.openHelp());
  fireEvent.change(field(), { target: { value: "The command `uvxx` was not found." } });
  const [first] = within(screen.getByRole("list", { name: "Results" })).getAllByRole("button");
  expect(first?.textContent).toContain("The command … was not found.");
});

it("opens at what it says about a failure", async () => {
  await shown(({ actions }) =>
    actions.openHelp("troubleshooting-connecting", {
      type: "failure",
      code: "unknown_revision",
      sentence: "The server supports only 1999-01-01.",
    }),
  );
  await hasFocus("The server supports only …");
});

it("shows the pictures that fit the theme, from the app itself", async () => {
  const app = await shown(({ actions }) => actions.openHelp("run-tool"));
  const picture = async (): Promise<string> => {
    const found = await screen.findByRole("img", { name: /The list of tools/ });
    return found.getAttribute("src") ?? "";
  };
  expect(await picture()).toMatch(/tools-dark/);
  await act(() => app.actions.updateSettings({ theme: "light" }));
  await waitFor(async () => expect(await picture()).toMatch(/tools-light/));
});

it("says that a page is gone, and leads to the others", async () => {
  await shown(({ actions }) => actions.openHelp("no-such-page"));
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Show all pages" })));
  await heading("User guide");
  expect(pages.size).toBeGreaterThan(20);
});
