import { expect, it } from "vitest";

import { act, screen } from "../../../lib/render.test.helper";
import { renderIn, started } from "../../../state/started.test.helper";
import { serverRequest } from "../../../state/testing/views";
import { Question } from "./Question";

it("lists a fixed value that an answer sends", async () => {
  const { app } = await started("presentation");
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, consent: { enum: ["I accept the terms"] } },
    required: ["consent"],
  };
  const { live } = app.store.getState();
  const request = serverRequest({ schema: JSON.stringify(schema) });
  act(() => app.store.setState({ live: { ...live, serverRequests: { 1: request } } }));
  renderIn(app, <Question request={1} />);
  expect((await screen.findByRole("region", { name: "Also sent" })).textContent).toContain("I accept the terms");
});
