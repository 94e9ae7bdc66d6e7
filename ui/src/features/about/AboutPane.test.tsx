import { expect, it } from "vitest";

import type { ServerIdentity } from "../../ipc/bindings";
import { act, cleanup, fireEvent, screen, waitFor, within } from "../../lib/render.test.helper";
import { renderIn, started } from "../../state/started.test.helper";
import { AboutPane } from "./AboutPane";

/** Renders the pane of the first server with this identity. */
async function shown(said: Partial<ServerIdentity> = {}) {
  const { app } = await started("connected");
  const [server, session] = await waitFor(() => {
    const found = Object.entries(app.store.getState().live.sessions).find(([, { identity }]) => identity);
    if (!found?.[1].identity) throw new Error("it is not connected yet");
    return [found[0], { ...found[1], identity: found[1].identity }] as const;
  });
  const state = app.store.getState();
  const sessions = { ...state.live.sessions, [server]: { ...session, identity: { ...session.identity, ...said } } };
  app.store.setState({ live: { ...state.live, sessions } });
  // The server's texts appear once the code that renders them is loaded.
  await act(async () => {
    renderIn(app, <AboutPane server={server} />);
  });
  return app;
}

const section = (name: string) => within(screen.getByRole("region", { name }));

it("says that a server does not tell its name, and tells an empty one from that", async () => {
  await shown({ name: null, title: null, version: "" });
  expect(section("Server").getByText("The server does not state its name.")).toBeTruthy();
  expect(section("Server").getByText("(empty version)")).toBeTruthy();
  expect(screen.queryByText("(empty name)")).toBeNull();
});

it("shows icons that are pictures, and those that the host fetched", async () => {
  await shown();
  const icons = section("Icons");
  // The heading's icon, the embedded icon, and the fetched icon.
  await waitFor(() => expect(document.querySelectorAll("img")).toHaveLength(3));
  const pictures = document.querySelectorAll("img");
  for (const picture of pictures) expect(picture.getAttribute("src")).toMatch(/^data:image\/png;base64,/);
  expect(icons.getByText("https://example.org/station/icon.png")).toBeTruthy();
  expect(icons.getByText("image/png · 48x48, 96x96 · dark theme")).toBeTruthy();
  expect(icons.getAllByRole("button", { name: "Copy src" })).toHaveLength(3);
});

it("opens the website after asking only, and only where it is one", async () => {
  const app = await shown({ website_url: "https://example.org/" });
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(app.store.getState().view.opening?.url).toBe("https://example.org/");
  cleanup();
  await shown({ website_url: "javascript:alert(1)" });
  expect(screen.getByText("javascript:alert(1)")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Open" })).toBeNull();
});

it("shows `_meta` with its digits as received, and nothing where there is none", async () => {
  await shown({ meta: '{"org.example/count":9007199254740993}' });
  expect(section("Metadata").getByText(/9007199254740993/)).toBeTruthy();
  cleanup();
  await shown({ meta: null, icons: { first: [], count: 0 } });
  expect(screen.queryByRole("region", { name: "Metadata" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Icons" })).toBeNull();
});
