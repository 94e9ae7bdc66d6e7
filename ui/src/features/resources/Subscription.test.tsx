import { expect, it, vi } from "vitest";

import { subscriptionWords as words } from "../../components/subscriptionWords";
import { act, cleanup, fireEvent, screen } from "../../lib/render.test.helper";
import { operationActions } from "../../state/actions/operations";
import type { App } from "../../state/app";
import { shownOf } from "../../state/started.test.helper";
import { SubscribeButton, SubscriptionState } from "./Subscription";

const STATE = "station://state";

const shown = (uri: string, scenario = "resources_subscribed") =>
  shownOf(scenario, (server) => (
    <>
      <SubscribeButton server={server} uri={uri} />
      <SubscriptionState server={server} uri={uri} />
    </>
  ));

/** Reports this total number of updates from the server. */
function update(app: App, server: string, updates: number): void {
  act(() =>
    app.store.setState((state) => {
      const view = state.live.subscriptions[server];
      if (!view) return state;
      const subscriptions = view.subscriptions.map((one) =>
        one.uri === STATE ? { ...one, updates, updated_at: 1_000, unread: true } : one,
      );
      return { live: { ...state.live, subscriptions: { [server]: { ...view, subscriptions } } } };
    }),
  );
}

it("subscribes and unsubscribes", async () => {
  await shown(STATE, "resources");
  expect((await screen.findByText("Not subscribed.")).textContent).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Subscribe" }));
  await screen.findByText("Subscribed. No update yet.");
  expect(screen.queryByRole("button", { name: "Read again" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Unsubscribe" }));
  await screen.findByText("Not subscribed.");
});

it("says why there is no subscription", async () => {
  await shown("station://barograph");
  await screen.findByText("Not subscribed. The server did not subscribe: it never changes.");
  expect(screen.queryByRole("button", { name: "Unsubscribe" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  await screen.findByText("Not subscribed.");
  cleanup();
  await shown(STATE, "connected");
  await screen.findByText("No subscription: the server does not declare resources.subscribe.");
  expect(screen.queryByRole("button")).toBeNull();
});

it("tells of updates, and of what becomes of it without a connection", () => {
  const one = { uri: STATE, updates: 0, updated_at: null, sub_resource: null, unread: false };
  const active = { ...one, state: { type: "active" } as const };
  const pending = { ...one, state: { type: "pending" } as const };
  expect(words({ ...active, updated_at: new Date(2026, 2, 1, 12, 3, 4).getTime() }, true)).toBe("Updated 12:03:04");
  expect(words({ ...active, updates: 2, updated_at: new Date(2026, 2, 1, 12).getTime() }, true)).toBe(
    "Updated 12:00:00 (2 updates)",
  );
  expect(words(active, true)).toBe("Subscribed. No update yet.");
  expect(words(pending, true)).toBe("Subscribing…");
  expect(words(pending, false)).toBe("Subscribed again with the next connection.");
});

it("reads nothing by itself, and one thing at a time where that is ticked", async () => {
  const { app, server } = await shown(STATE);
  const read = vi.spyOn(app.actions.get(operationActions), "rereadResource").mockResolvedValue();
  await screen.findByText("Not read since");
  update(app, server, 3);
  expect(read).not.toHaveBeenCalled();

  vi.useFakeTimers();
  fireEvent.click(screen.getByRole("checkbox", { name: /^Read again at each update/ }));
  expect(read).toHaveBeenCalledExactlyOnceWith(server, STATE);
  // Updates during a read cause one further read, and a failed read is not retried.
  update(app, server, 4);
  update(app, server, 5);
  expect(read).toHaveBeenCalledTimes(1);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(read).toHaveBeenCalledTimes(2);
  act(() => void vi.advanceTimersByTime(10_000));
  expect(read).toHaveBeenCalledTimes(2);
  // The first updates of a new subscription may be as many as those of the one before.
  const { subscriptions } = app.store.getState().live;
  for (const now of [{}, subscriptions]) {
    act(() => app.store.setState(({ live }) => ({ live: { ...live, subscriptions: now } })));
  }
  expect(read).toHaveBeenCalledTimes(3);
});
