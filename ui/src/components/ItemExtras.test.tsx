// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import type { ItemExtras as Extras } from "../ipc/bindings";
import { icon, icons, noExtras, stationIcons } from "../ipc/fake/extras";
import { ItemExtras } from "./ItemExtras";

afterEach(cleanup);

function shown(extras: Extras): HTMLElement {
  const definition = { type: "definition", server: "s", kind: "prompts", key: "p" } as const;
  return render(<ItemExtras extras={extras} definition={definition} />).container;
}

/** Opens what is one click below. */
function open(summary: string): void {
  const details = screen.getByText(summary).closest("details");
  act(() => {
    if (!details) return;
    details.open = true;
    fireEvent(details, new Event("toggle"));
  });
}

it("takes no room where there is nothing", () => {
  expect(shown(noExtras).childElementCount).toBe(0);
});

it("makes no picture before it is looked at, and never one of an address or of what can run", () => {
  const container = shown({ icons: stationIcons, meta: null });
  expect(container.querySelector("img")).toBeNull();
  open("3 icons");
  const sources = Array.from(container.querySelectorAll("img"), ({ src }) => src);
  expect(sources).toHaveLength(1);
  expect(sources[0]).toMatch(/^data:image\/png;base64,/);
  expect(screen.getByText("any", { exact: false }).textContent).toBe("image/svg+xml · any");
});

it("says that a picture is damaged, and how many icons are not shown", () => {
  const picture = "data:image/png;base64,AAAA";
  const container = shown({ icons: { ...icons(icon(picture, { picture })), count: 31 }, meta: null });
  open("31 icons");
  expect(screen.getByText("30 more are not shown.")).toBeTruthy();
  const image = container.querySelector("img");
  act(() => void (image && fireEvent.error(image)));
  expect(screen.getByText(/The image is damaged/)).toBeTruthy();
});

it("shows `_meta` as received", () => {
  shown({ ...noExtras, meta: '{"org.example/edition":9007199254740993}' });
  open("_meta");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("9007199254740993");
});
