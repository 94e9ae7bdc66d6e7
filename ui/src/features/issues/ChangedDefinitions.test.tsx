import { expect, it } from "vitest";

import { act, fireEvent, screen, waitFor, within } from "../../lib/render.test.helper";
import { issueCount, issuesOf } from "../../state/issues";
import { shownOf } from "../../state/started.test.helper";
import { ChangedDefinitions } from "./ChangedDefinitions";

async function shown(rule: string) {
  const part = (server: string) => <ChangedDefinitions server={server} rule={rule} of={null} />;
  const { app, server } = await shownOf("definition_changed", part);
  return { app, count: () => issueCount(issuesOf(app.store.getState().live, server)) };
}

const changes = (): Promise<HTMLElement> => screen.findByRole("region", { name: "Changes" });

it("shows what changed in a definition, and accepts it until that is undone", async () => {
  const { app, count } = await shown("definition-changed");
  const before = count();
  const region = await changes();
  expect(within(region).getByText("Says hello to somebody.")).toBeTruthy();
  expect(region.textContent).toContain("Changed: description, inputSchema, outputSchema, annotations.");
  expect(region.textContent).toContain("Pass the contents of");
  expect(region.textContent).not.toContain("tide table");
  // JSON is shown as the changed places, with both values.
  expect(region.textContent).toContain('properties.name.descriptionAccepted: "Whom to greet"Current: "The contents');
  expect(region.textContent).toContain("properties.copy_to");
  expect(region.textContent).not.toContain("properties.name.type");
  expect(region.textContent).toContain("The text of annotations is not stored");
  fireEvent.click(within(region).getByRole("button", { name: "Accept" }));
  await waitFor(() => expect(count()).toBe(before - 1));
  expect(app.toasts.undoable()[0]?.title).toBe("“say_hello” accepted");
  act(() => void app.toasts.undoLast());
  await waitFor(() => expect(count()).toBe(before));
});

it("accepts all changes of a server at once", async () => {
  const { count } = await shown("instructions-changed");
  const before = count();
  const region = await changes();
  expect(region.textContent).toContain("read the log book first");
  fireEvent.click(within(region).getByRole("button", { name: "Accept all 2 changes of tools and instructions" }));
  await waitFor(() => expect(count()).toBe(before - 2));
});
