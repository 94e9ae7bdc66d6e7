import { expect, it } from "vitest";

import { cleanup, fill, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { renderIn, started } from "../../state/started.test.helper";
import { ImportPanel } from "./ImportPanel";

const text = JSON.stringify({ mcpServers: { a: { command: "a" }, b: { command: "b" } } });
const button = (name: string) => screen.findByRole<HTMLButtonElement>("button", { name });
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "URL, command or configuration" });

/** Opens the app; `show` opens the panel in place of the one before. */
async function opened() {
  const { app, view } = await started("empty");
  const show = (given: string): void => {
    cleanup();
    renderIn(app, <ImportPanel text={given} given={given !== ""} />);
  };
  return { app, view, show };
}

it("keeps a text, names and choices until it is opened again, unless with another text", async () => {
  const { show } = await opened();
  show(text);
  fireEvent.click(await button("Change the name of a"));
  fill(await screen.findByRole("textbox", { name: "Name" }), "Mine");
  fireEvent.click(screen.getByRole("checkbox", { name: "b" }));
  show("");
  expect(box().value).toBe(text);
  await screen.findByRole("checkbox", { name: "Mine" });
  await button("Add 1 server");
  show("npx other");
  expect(box().value).toBe("npx other");
});

it("forgets them once they are added, or with Cancel", async () => {
  const { view, show } = await opened();
  show(text);
  fireEvent.click(await button("Add 2 servers"));
  await waitFor(() => expect(view().importForm).toBeNull());
  show("");
  fill(box(), "npx -y typed");
  expect(view().importForm?.text).toBe("npx -y typed");
  fireEvent.click(await button("Cancel"));
  expect(view().importForm).toBeNull();
});
