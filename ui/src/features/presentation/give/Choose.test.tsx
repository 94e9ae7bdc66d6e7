import { expect, it } from "vitest";

import { act, screen } from "../../../lib/render.test.helper";
import { presentationActions } from "../../../state/presentations";
import { renderIn, started } from "../../../state/started.test.helper";
import { Choose } from "./Choose";

it("names the step at which a presentation continues, and none of one that was left at its end", async () => {
  const { app, live } = await started("presentations");
  const { id, steps } = live().presentations[1] ?? expect.fail("there are several");
  const { givePresentation, give, leavePresentation } = app.actions.get(presentationActions);
  const leave = (): void =>
    act(() => {
      give({ type: "begin" });
      give({ type: "move", by: 1 });
      leavePresentation();
    });
  givePresentation(id, steps.length - 2);
  leave();
  renderIn(app, <Choose />);
  const words = () => screen.getAllByRole("listitem")[1]?.textContent;
  expect(words()).toMatch(/3 steps, continues at step 3; given last$/);
  act(() => givePresentation(id));
  leave();
  expect(words()).toMatch(/3 steps; given last$/);
});
