import { expect, it } from "vitest";

import { act, cleanup, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { shownOf } from "../../state/started.test.helper";
import { Subscriptions } from "./Subscriptions";

const shown = (scenario: string) => shownOf(scenario, (server) => <Subscriptions server={server} />);

const rows = (): readonly (string | null)[] => screen.queryAllByRole("listitem").map((row) => row.textContent);

it("lists every subscription with its updates, and what failed with its reason", async () => {
  await shown("resources_subscribed");
  expect(await screen.findByText("3 resources, 1 updated and not read since")).toBeTruthy();
  const [first, second, third] = rows();
  expect(first).toBe("station://charts/approachSubscribed. No update yet.");
  expect(second).toMatch(/^station:\/\/stateUpdated [\d:]+ \(2 updates\) · not read since$/);
  expect(third).toContain("Not subscribed. The server did not subscribe: it never changes.");
});

it("unsubscribes from one, and dismisses one that failed", async () => {
  await shown("resources_subscribed");
  fireEvent.click(await screen.findByRole("button", { name: "Unsubscribe from station://charts/approach" }));
  await waitFor(() => expect(rows()).toHaveLength(2));
  fireEvent.click(screen.getByRole("button", { name: "Dismiss station://barograph" }));
  await waitFor(() => expect(rows()).toHaveLength(1));
});

it("reads one, and shows it on the Resources tab", async () => {
  const { app, server } = await shown("resources_subscribed");
  fireEvent.click(await screen.findByRole("button", { name: "Read station://state" }));
  await waitFor(() => expect(app.store.getState().view.perServer[server]?.tab).toBe("resources"));
});

it("says why there is none", async () => {
  await shown("resources");
  expect(await screen.findByText(/^No subscriptions\. Subscribe/)).toBeTruthy();
  cleanup();
  await shown("connected");
  expect(await screen.findByText("No subscriptions: the server does not declare resources.subscribe.")).toBeTruthy();
});

it("draws of a thousand only those that are seen", async () => {
  const { app, server } = await shown("resources_subscribed");
  act(() =>
    app.store.setState(({ live }) => {
      const [one] = live.subscriptions[server]?.subscriptions ?? [];
      if (!one) throw new Error("there is a subscription");
      const subscriptions = Array.from({ length: 1_000 }, (_, at) => ({ ...one, uri: `station://log/${at}` }));
      return { live: { ...live, subscriptions: { [server]: { server, supported: true, subscriptions } } } };
    }),
  );
  expect(screen.getByText("1,000 resources")).toBeTruthy();
  expect(rows().length).toBeLessThan(60);
});
