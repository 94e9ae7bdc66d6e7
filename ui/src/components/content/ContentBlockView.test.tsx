import { expect, it } from "vitest";

import type { ContentBlock } from "../../ipc/bindings";
import { fireEvent, screen, within } from "../../lib/render.test.helper";
import { operationActions } from "../../state/actions/operations";
import { renderIn, shownOf } from "../../state/started.test.helper";
import { openApp } from "../../state/testing/openApp";
import { ContentBlockView } from "./ContentBlockView";

/** Reads a resource of the simulated station, shows the result, and returns the sent commands. */
async function read(uri: string) {
  const { app, server, named } = await openApp("resources");
  const operation = (await app.actions.get(operationActions).readResource(server, uri)) ?? 0;
  const { outcome } = await app.backend.call("operation", { operation });
  if (outcome?.type !== "result") throw new Error("it is a result");
  const blocks = outcome.content.map((block, index) => (
    <ContentBlockView
      key={index}
      block={block}
      source={{ type: "content", operation, index }}
      number={index + 1}
      alone={false}
      server={server}
      read
    />
  ));
  renderIn(app, blocks);
  return named;
}

it("says of a PDF what it is and how it is opened, with its bytes one click below", async () => {
  const named = await read("station://bundle");
  const pdf = within(screen.getByRole("group", { name: "Binary data, block 3" }));
  pdf.getByText(/^A PDF document \(\d+ bytes\)\.$/);
  expect(pdf.queryByRole("group", { name: "Bytes" })).toBeNull();
  fireEvent.click(pdf.getByRole("button", { name: "Save" }));
  const said = await pdf.findByText(/^Saved as/);
  fireEvent.click(pdf.getByRole("button", { name: "Show in folder" }));
  const path = said.textContent?.replace("Saved as ", "");
  expect(named("show_saved_file")).toEqual([{ path }]);
});

it.each([
  ["opens and copies a long link", "x".repeat(5_000), ["Copy URI", "Open in Resources", "Open…"]],
  ["neither opens nor copies a link that was cut", "x…", []],
])("%s", async (_, path, buttons) => {
  const block = {
    kind: "resource_link",
    uri: `https://storage.example/${path}`,
    title: null,
    details: null,
    findings: [],
  };
  const source = { type: "content", operation: 1, index: 0 } as const;
  await shownOf("connected", (server) => (
    <ContentBlockView block={block as unknown as ContentBlock} source={source} number={1} alone server={server} />
  ));
  const names = screen
    .queryAllByRole("button")
    .map((button) => button.getAttribute("aria-label") ?? button.textContent);
  expect(names).toEqual(buttons);
  expect(screen.queryByText(/^Too long to copy or open/) === null).toBe(buttons.length > 0);
});
