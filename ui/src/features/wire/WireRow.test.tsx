import { expect, it } from "vitest";

import type { LogRow } from "../../ipc/bindings";
import { render, screen, type RenderResult } from "../../lib/render.test.helper";
import { testRow } from "./testing";
import { WireRow } from "./WireRow";

function shown(change: Partial<LogRow>): RenderResult {
  return render(
    <WireRow
      server="demo"
      row={testRow(change)}
      index={0}
      id="row"
      selected={false}
      begins={false}
      relative
      named={false}
      from={0}
      to={1}
    />,
  );
}

it("says at a request how long its response took, and leads to it", () => {
  shown({ seq: 5, partner: 6, micros: 12_300 });
  const button = screen.getByRole("button", { name: "Answered after 12.3 ms" });
  expect(button.dataset["tip"]).toBe("Answered after 12.3 ms: go to response (J)");
  expect(button.dataset["act"]).toBe("partner");
});

it("leads from a response to its request", () => {
  shown({ kind: "response", seq: 6, partner: 5, micros: 12_300 });
  expect(screen.getByRole("button", { name: "12.3 ms" }).dataset["tip"]).toBe("Go to request (J)");
});

it("has in full what it cuts", () => {
  const id = '"550e8400-e29b-41d4-a716-446655440000"';
  shown({ id, method: "notifications/resources/updated", summary: "a summary that is longer than its column" });
  expect(screen.getByText('"550…000"').dataset["tip"]).toBe(id);
  expect(screen.getByText("notifications/resources/updated").dataset["tip"]).toBe("notifications/resources/updated");
  expect(screen.getByText("a summary that is longer than its column").dataset["tip"]).toBe(
    "a summary that is longer than its column",
  );
});

it("shows the worst severity of its issues by shape, words and colour", () => {
  const shapes = (["error", "warning", "info"] as const).map((severity) => {
    const { container, unmount } = shown({ findings: 2, severity, rule: "bad-type" });
    const cell = container.querySelector("[data-tip=bad-type]");
    const words = [cell?.querySelector("svg")?.getAttribute("aria-label"), cell?.textContent];
    expect(container.querySelector("[data-severity]")?.getAttribute("data-severity")).toBe(severity);
    const shape = cell?.querySelector("svg")?.innerHTML;
    unmount();
    return [...words, shape];
  });
  expect(shapes.map(([word, text]) => [word, text])).toEqual([
    ["Error", "2 issues"],
    ["Warning", "2 issues"],
    ["Info", "2 issues"],
  ]);
  expect(new Set(shapes.map(([, , shape]) => shape)).size).toBe(3);
});
