import { expect, it } from "vitest";

import { cleanup, screen } from "../../lib/render.test.helper";
import { shownOf } from "../../state/started.test.helper";
import { TasksPane } from "./TasksPane";

it("says that a server does not list its tasks once it is connected", async () => {
  for (const [scenario, words] of [
    ["disconnected", /connect to see whether the server lists its tasks$/],
    ["connected", /this server does not list its tasks$/],
  ] as const) {
    await shownOf(scenario, (server) => <TasksPane server={server} />);
    expect(screen.getByText(words)).toBeTruthy();
    cleanup();
  }
});
