import { describe, expect, it } from "vitest";
import { presentationActions } from "./presentations";

import { openApp } from "./testing/openApp";

/** Opens an app with a presentation, and records the requests to its window. */
async function open() {
  const { app, named } = await openApp("presentation_idle");
  const asked = () => named("set_full_screen").map((args) => (args as { on: boolean | null }).on);
  return { app, asked, until: (all: readonly (boolean | null)[]) => expect.poll(asked).toEqual(all) };
}

describe("the window of a presentation", () => {
  it("fills its screen until the presentation is left", async () => {
    const { app, until } = await open();
    app.actions.get(presentationActions).givePresentation();
    app.actions.get(presentationActions).give({ type: "move", by: 1 });
    await until([true]);
    app.actions.get(presentationActions).leavePresentation();
    await until([true, false]);
    // The presentation is left before the host has answered; the order of the requests stays.
    app.actions.get(presentationActions).givePresentation();
    app.actions.get(presentationActions).closePresentation();
    await until([true, false, true, false]);
  });

  it("still fills it afterwards where it did before", async () => {
    const { app, asked, until } = await open();
    app.actions.get(presentationActions).toggleFullScreen();
    app.actions.get(presentationActions).givePresentation();
    app.actions.get(presentationActions).leavePresentation();
    app.actions.get(presentationActions).toggleFullScreen();
    await until([null, true, null]);
    app.actions.get(presentationActions).givePresentation();
    app.actions.get(presentationActions).leavePresentation();
    await until([null, true, null, true, false]);
    expect(asked()).toHaveLength(5);
  });
});
