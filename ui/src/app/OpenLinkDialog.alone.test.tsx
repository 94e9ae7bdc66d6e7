import { expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";

import { act, render, screen } from "../lib/render.test.helper";
import type { App } from "../state/app";
import { AppContext } from "../state/hooks";
import { OpenLinkDialog } from "./OpenLinkDialog";

vi.mock("../components/Address", () => ({
  Address: ({ address }: { address: string }) => {
    if (address.includes("faulty")) throw new RangeError("a fault");
    return address;
  },
}));
it("keeps a fault to itself, and shows the next address", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const asked = (url: string) => ({ view: { opening: { url, from: "server" } } });
  const store = createStore(() => asked("https://faulty.example/"));
  render(
    <AppContext value={{ store, actions: {} } as unknown as App}>
      <p>the window</p>
      <OpenLinkDialog />
    </AppContext>,
  );
  expect(screen.getByText("the window")).toBeTruthy();
  expect(screen.getByText('The pane "Open link" has failed.')).toBeTruthy();
  // Nothing can be opened before it was shown.
  expect(screen.queryByRole("button", { name: "Open" })).toBeNull();

  act(() => store.setState(asked("https://good.example/")));
  expect(screen.getByText("https://good.example/")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Open" })).toBeTruthy();
});
