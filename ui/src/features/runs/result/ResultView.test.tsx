import { expect, it } from "vitest";

import type { OperationView, TaskRun, TaskStatus } from "../../../ipc/bindings";
import { cleanup, screen } from "../../../lib/render.test.helper";
import { renderIn, started } from "../../../state/started.test.helper";
import { ResultView } from "./ResultView";

it("calls a task cancelled only where the server says so", async () => {
  const { app } = await started("connected");
  const over = (status: TaskStatus): OperationView => {
    const task = { status } as TaskRun;
    const cancelled = { outcome: { type: "cancelled" }, answered_after_cancel: false, token_waits: 0 };
    return { ...cancelled, task } as OperationView;
  };
  for (const [status, words] of [
    ["working", /did not confirm the cancellation/],
    ["cancelled", /was cancelled and has no result/],
  ] as const) {
    renderIn(app, <ResultView operation={over(status)} />);
    expect(screen.getByText(words)).toBeTruthy();
    cleanup();
  }
});
