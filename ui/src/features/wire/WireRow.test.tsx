import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import type { LogRow } from "../../ipc/bindings";
import { testRow } from "./testing";
import { WireRow } from "./WireRow";

function shown(change: Partial<LogRow>): void {
  render(
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
