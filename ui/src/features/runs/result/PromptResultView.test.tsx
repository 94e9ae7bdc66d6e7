import { expect, it, vi } from "vitest";

import { finding } from "../../../ipc/fake/finding";
import { fireEvent, screen, waitFor, within } from "../../../lib/render.test.helper";
import { issueActions } from "../../../state/actions/issues";
import { started, renderIn } from "../../../state/started.test.helper";
import { PromptResultView } from "./PromptResultView";
import { operationActions } from "../../../state/actions/operations";

it("leads from what is wrong with a message or with a block of it to the issues", async () => {
  const { app, server } = await started("prompts");
  const run = await app.actions
    .get(operationActions)
    .run(server, { method: "prompts/get", key: "watch_handover" }, null);
  const operation = await waitFor(async () => {
    const read = await app.backend.call("operation", { operation: run ?? 0 });
    expect(read.outcome).not.toBeNull();
    return read;
  });
  const result = operation.outcome;
  if (result?.type !== "result" || result.prompt === null) throw new Error("it is the result of a prompt");
  const [first, second] = result.content;
  if (!first || !second) throw new Error("it has two messages");
  const content = [first, { ...second, findings: [finding("bad-base64", "`data` is not Base64.")] }];
  const showIssues = vi.spyOn(app.actions.get(issueActions), "showIssues");
  const shown = renderIn(
    app,
    <PromptResultView operation={operation} result={{ ...result, content }} prompt={result.prompt} />,
  );
  for (const rule of ["bad-role", "bad-base64"]) {
    const item = screen.getByText(new RegExp(`^${rule}`)).closest("li") ?? expect.fail("it is in a list");
    fireEvent.click(within(item).getByRole("button", { name: "Show in Issues" }));
    expect(showIssues).toHaveBeenLastCalledWith(server, rule, `run ${run}`, null);
  }

  // Runs read from a file have no counts.
  const earlier = { arguments_redacted: false, result_dropped: false, transcript: false };
  shown.rerender(
    <PromptResultView operation={{ ...operation, earlier }} result={{ ...result, content }} prompt={result.prompt} />,
  );
  expect(screen.queryByRole("button", { name: "Show in Issues" })).toBeNull();
});
