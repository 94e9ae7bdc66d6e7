import { expect, it } from "vitest";

import type { ServerId } from "../../ipc/bindings";
import { fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { useConnection } from "../../state/hooks";
import { renderIn, started } from "../../state/started.test.helper";
import { Negotiated } from "./Negotiated";

function Shown({ server }: { server: ServerId }) {
  const connection = useConnection(server);
  return connection ? <Negotiated server={server} connection={connection} /> : null;
}

/** Renders the negotiated facts of the first server of a scenario. */
async function shown(scenario: string): Promise<void> {
  const { app, server } = await started(scenario);
  await waitFor(() => expect(app.store.getState().live.connections).toHaveProperty(server));
  renderIn(app, <Shown server={server} />);
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
