import { describe, expect, it } from "vitest";

import { openApp } from "./testing/openApp";
import { presentationActions } from "./presentations";

/** Opens an app with a presentation, and records the requests to its window. */
async function open() {
  const { app, named } = await openApp("presentation_idle");
  const asked = () => named("set_full_screen").map((args) => (args as { on: boolean | null }).on);
  return { app, asked, until: (all: readonly (boolean | null)[]) => expect.poll(asked).toEqual(all) };
}

describe("the window of a presentation", () => {
  it("fills its screen until the presentation is left", async () => {
    const { app, until } = await open();
    app.actions.of(presentationActions).givePresentation();
    app.actions.of(presentationActions).give({ type: "move", by: 1 });
    await until([true]);
    app.actions.of(presentationActions).leavePresentation();
    await until([true, false]);
    // The presentation is left before the host has answered; the order of the requests stays.
    app.actions.of(presentationActions).givePresentation();
    app.actions.of(presentationActions).closePresentation();
    await until([true, false, true, false]);
  });

  it("still fills it afterwards where it did before", async () => {
    const { app, asked, until } = await open();
    app.actions.of(presentationActions).toggleFullScreen();
    app.actions.of(presentationActions).givePresentation();
    app.actions.of(presentationActions).leavePresentation();
    app.actions.of(presentationActions).toggleFullScreen();
    await until([null, true, null]);
    app.actions.of(presentationActions).givePresentation();
    app.actions.of(presentationActions).leavePresentation();
    await until([null, true, null, true, false]);
    expect(asked()).toHaveLength(5);
  });
});
