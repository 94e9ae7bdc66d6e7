import { beforeEach, describe, expect, it, vi } from "vitest";

import { fireEvent, render, screen } from "../lib/render.test.helper";
import { PaneBoundary } from "./PaneBoundary";

const copied = vi.hoisted(() => [] as string[]);
vi.mock("../lib/clipboard", () => ({
  copyText: async (text: string | Promise<string>) => {
    copied.push(await text);
    return true;
  },
}));

let broken = true;

function Fragile() {
  if (broken) throw new Error("the pane broke");
  return <p>Well again</p>;
}

beforeEach(() => {
  broken = true;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("a pane that fails", () => {
  it("leaves the others alone, and can be shown again", () => {
    render(
      <>
        <PaneBoundary name="Runs">
          <Fragile />
        </PaneBoundary>
        <p>Other pane</p>
      </>,
    );
    expect(screen.getByRole("alert").textContent).toContain('The pane "Runs" has failed.');
    expect(screen.getByText("Other pane")).toBeDefined();
    broken = false;
    fireEvent.click(screen.getByText("Show it again"));
    expect(screen.getByText("Well again")).toBeDefined();
  });

  it("is tried again when its subject changes", () => {
    const pane = (tool: string) => (
      <PaneBoundary name="Tool" resetKey={tool}>
        <Fragile />
      </PaneBoundary>
    );
    const { rerender } = render(pane("a"));
    broken = false;
    rerender(pane("a"));
    expect(screen.getByRole("alert")).toBeDefined();
    rerender(pane("b"));
    expect(screen.getByText("Well again")).toBeDefined();
  });

  it("offers a report that names the pane and the error", async () => {
    render(
      <PaneBoundary name="Wire log">
        <Fragile />
      </PaneBoundary>,
    );
    fireEvent.click(screen.getByText("Copy report"));
    await screen.findAllByText("Copied");
    expect(copied[0]).toContain('the pane "Wire log" failed');
    expect(copied[0]).toContain("the pane broke");
    expect(copied[0]).toContain("Fragile");
  });
});
