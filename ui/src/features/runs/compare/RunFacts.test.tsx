import { expect, it } from "vitest";

import { screen } from "../../../lib/render.test.helper";
import { operationActions } from "../../../state/actions/operations";
import { started, renderIn } from "../../../state/started.test.helper";
import { RunFacts } from "./RunFacts";

it("tells readings of one template by their URIs, in the head and as a fact", async () => {
  const { app, server } = await started("resources");
  const read = async (uri: string) => {
    const operation = await app.actions.get(operationActions).readResource(server, uri);
    return app.backend.call("operation", { operation: operation ?? 0 });
  };
  const uris = ["station://tides/bergen", "station://tides/oslo"] as const;
  const [left, right] = [await read(uris[0]), await read(uris[1])];
  renderIn(app, <RunFacts left={left} right={right} />);
  expect(screen.queryByText("no arguments")).toBeNull();
  for (const uri of uris) expect(screen.getAllByText(uri).length).toBeGreaterThanOrEqual(2);
});
