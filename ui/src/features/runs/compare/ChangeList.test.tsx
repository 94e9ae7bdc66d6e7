import { expect, it } from "vitest";

import { screen, waitFor } from "../../../lib/render.test.helper";
import type { WorkerCalls } from "../../../lib/workerCalls";
import { appOn, renderIn } from "../../../state/started.test.helper";
import { Comparison, type RunTexts } from "./comparison";
import { ChangeList } from "./ChangeList";
import type { CompareFunctions } from "./compareWorker";

it("marks the characters that make two values differ and cannot be seen", async () => {
  const side = (text: string): RunTexts => ({ arguments: JSON.stringify({ text }), params: null, result: null });
  const comparison = new Comparison(side("a\nb"), side("a\nb\u202E"));
  const calls = {
    call: (name: "changes" | "values", [from, count]: [number, number]) =>
      Promise.resolve(name === "values" ? comparison.values(from) : comparison.changes(from, count)),
  } as unknown as WorkerCalls<CompareFunctions>;
  const nothing = (): void => undefined;
  const list = <ChangeList calls={calls} rows={1} results selected={0} onSelect={nothing} onIgnore={undefined} />;
  renderIn(appOn("connected"), list);
  const value = screen.getByRole("group", { name: "Value right" });
  await waitFor(() => expect(value.textContent).toBe("a\nb⟨U+202E⟩"));
});
