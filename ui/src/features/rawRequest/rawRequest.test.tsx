import { expect, it } from "vitest";

import type { CommandArgs } from "../../ipc/backend";
import { act, screen, waitFor } from "../../lib/render.test.helper";
import { keptTextActions } from "../../state/keptTexts";
import { requestText } from "../../state/rawRequest";
import { started, renderIn } from "../../state/started.test.helper";
import { RawRequestForm } from "./RawRequestForm";

/** Renders the form on the demo server, and records the drafts handed over to be stored. */
async function shown() {
  const { app, server, named } = await started("connected");
  await act(async () => {
    renderIn(app, <RawRequestForm server={server} />);
  });
  const type = (tool: string): void => {
    const params = `{"name":"${tool}","arguments":{"password":"hush"}}`;
    const text = requestText({ method: "tools/call", params, notification: false });
    act(() => app.actions.get(keptTextActions).changeText(server, { type: "request" }, text));
  };
  return { app, server, kept: () => named("save_draft") as CommandArgs<"save_draft">[], type };
}

const NOTE = /This tool has fields for secrets/;

it("keeps a call of a tool with fields for secrets in memory only, and says so", async () => {
  const { app, kept, type } = await shown();
  type("radio_login");
  // Nothing is stored while the schema is being looked up.
  app.actions.saveTyped();
  await screen.findByText(NOTE);
  app.actions.saveTyped();
  expect(kept().length).toBeGreaterThan(0);
  expect(kept().every((each) => each.private)).toBe(true);
});

it("keeps any other call on disk", async () => {
  const { app, kept, type } = await shown();
  type("radio_login");
  await screen.findByText(NOTE);
  type("say_hello");
  await waitFor(() => expect(screen.queryByText(NOTE)).toBeNull());
  app.actions.saveTyped();
  await waitFor(() => {
    app.actions.saveTyped();
    expect(kept().at(-1)).toMatchObject({ private: false, text: expect.stringContaining("say_hello") as string });
  });
});

it("says what is added to what is typed, by the protocol of the connection", async () => {
  const { app, server } = await shown();
  await screen.findByText(/Sonde adds to _meta, unless it is there: a progress token\. If you leave it empty/);
  act(() => {
    const { live } = app.store.getState();
    const [connection] = [live.connections[server]];
    if (!connection) throw new Error("it is connected");
    const connections = { ...live.connections, [server]: { ...connection, era: "stateless" as const } };
    app.store.setState({ live: { ...live, connections } });
  });
  await screen.findByText(/the protocol version.* its capabilities.* and a progress token/);
  const text = requestText({ method: "notifications/x", params: "", notification: true });
  act(() => app.actions.get(keptTextActions).changeText(server, { type: "request" }, text));
  await screen.findByText("Sent exactly as typed. Leave it empty to send no params.");
});
