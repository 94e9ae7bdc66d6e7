import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import type { ServerId } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { createApp } from "../../state/app";
import { useConnection } from "../../state/hooks";
import { renderIn } from "../../state/started.test.helper";
import { Negotiated } from "./Negotiated";

function Shown({ server }: { server: ServerId }) {
  const connection = useConnection(server);
  return connection ? <Negotiated server={server} connection={connection} /> : null;
}

/** Renders the negotiated facts of the first server of a scenario. */
async function shown(scenario: string): Promise<void> {
  const app = createApp(fakeBackend(scenario), (run) => run());
  await act(async () => {
    await app.start();
  });
  const server = await waitFor(() => {
    const [first] = Object.keys(app.store.getState().live.connections);
    expect(first).toBeDefined();
    return first;
  });
  act(() => {
    renderIn(app, <Shown server={server ?? ""} />);
  });
}

it("says as what the client was declared, and connects again with what the settings say by now", async () => {
  await shown("declared");
  expect(await screen.findByText("Declared as Claude Code")).toBeTruthy();
  expect(screen.getByText("From the next connect: Cursor.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Reconnect" }));
  expect(await screen.findByText("Declared as Cursor")).toBeTruthy();
  expect(screen.queryByText(/From the next connect/)).toBeNull();
});

it("says nothing of what every server is told", async () => {
  await shown("listening");
  expect(await screen.findByText("Protocol version")).toBeTruthy();
  expect(screen.queryByText("Client capabilities")).toBeNull();
});
