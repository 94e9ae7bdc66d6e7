import { beforeEach, expect, it, vi } from "vitest";

import { openApp } from "../../state/testing/openApp";
import { PaletteSession } from "./paletteSession";

beforeEach(() => void vi.useFakeTimers());

async function palette(scenario: string) {
  const { app, sent } = await openApp(scenario);
  await vi.advanceTimersByTimeAsync(10_000);
  sent.length = 0;
  const session = new PaletteSession(app);
  const close = session.subscribe(() => undefined);
  const opened = () =>
    sent.flatMap(({ name, args }) => (name === "open_catalog" ? [(args as { kind: string }).kind] : []));
  return { session, opened, close };
}

it("finds items of lists that were not looked at yet, which it has read", async () => {
  const { session, opened, close } = await palette("resources");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(opened(), "nothing is read before something is searched for").toEqual([]);
  session.search("barograph");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(opened().toSorted()).toEqual(["resource_templates", "resources"]);
  expect(session.state().groups.map(({ title }) => title)).toContain("Resources");
  expect(session.state().entries[0]?.title).toBe("Barograph roll");
  // Each list is requested only once.
  session.search("barograph r");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(opened()).toHaveLength(2);
  close();
});

it("finds runs of servers that were not shown yet, whose history it has read", async () => {
  const { session, close } = await palette("stored_elsewhere");
  const found = () => session.state().groups.find(({ title }) => title === "Runs")?.entries.length ?? 0;
  session.search("ada");
  const before = found();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(found()).toBeGreaterThan(before);
  close();
});

it("looks at nothing more once it is closed", async () => {
  const { session, close } = await palette("resources");
  session.search("barograph");
  close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(session.state().entries.map(({ title }) => title)).not.toContain("Barograph roll");
});
