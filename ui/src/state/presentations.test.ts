import { describe, expect, it } from "vitest";
import { presentationActions } from "./presentations";

import { openApp } from "./testing/openApp";

/** Opens an app on a simulated host, with a function that waits for a state. */
async function open(scenario: string) {
  const { app, live, offers } = await openApp(scenario);
  return { app, live, offers, until: (holds: () => boolean) => expect.poll(holds).toBe(true) };
}

describe("saved inputs and presentations", () => {
  it("arrive, go and come back as the host tells them", async () => {
    const { app, live, until, offers } = await open("presentation_idle");
    const server = live().order[0] ?? "";
    const ada = live().savedInputs[server]?.find(({ name }) => name === "To Ada");
    expect(live().presentations.map(({ steps }) => steps.length)).toEqual([6]);
    if (!ada) throw new Error("it is saved");
    await app.actions.get(presentationActions).deleteInput(ada);
    const offered = () => live().presentations[0]?.steps[0]?.inputs.map(({ removed }) => removed);
    await until(() => offered()?.[0] === true);
    expect(offered()).toEqual([true, false]);
    offers[0]?.undo();
    await until(() => offered()?.[0] === false);
  });

  it("say that a server is gone and lose nothing", async () => {
    const { app, live, until, offers } = await open("presentation_idle");
    const [server = ""] = live().order;
    await app.actions.removeServer(server);
    await until(() => live().presentations[0]?.steps[0]?.server_removed === true);
    expect(live().savedInputs[server]).toBeUndefined();
    expect(live().presentations[0]?.steps[0]).toMatchObject({ server_name: "Demo server", title: "Say hello" });
    offers[0]?.undo();
    await until(() => live().presentations[0]?.steps[0]?.server_removed === false);
    expect(live().savedInputs[server]?.length).toBe(7);
  });

  it("come from a file with their servers", async () => {
    const { app, live, until, offers } = await open("first");
    const text = JSON.stringify({
      sonde: 1,
      name: "From elsewhere",
      server: "Demo server",
      servers: { "Demo server": { demo: "stdio" }, Files: { command: "npx", args: ["files"] } },
      steps: [
        { title: "Hello", name: "To Ada", call: "say_hello", with: { name: "Ada" } },
        { title: "Hello", server: "Files", call: "read_file" },
      ],
    });
    const preview = await app.backend.call("preview_import", { text });
    expect(preview.candidates.map(({ duplicate_of }) => duplicate_of !== null)).toEqual([true, false]);
    expect(preview.presentation?.steps.map(({ target }) => target)).toEqual(["say_hello", "read_file"]);
    const id = await app.actions.get(presentationActions).importPresentation(text, [{ index: 1, name: "My files" }]);
    await until(() => live().presentations[0]?.id === id && live().order.length === 2);
    const [hello, files] = live().presentations[0]?.steps ?? [];
    expect([hello?.server, files?.server]).toEqual(live().order);
    expect(live().savedInputs[hello?.server ?? ""]?.map((one) => one.arguments)).toEqual(['{"name":"Ada"}']);
    expect(live().servers[files?.server ?? ""]?.config.name).toBe("My files");

    // A second import replaces the first one, which can be restored.
    const again = await app.backend.call("preview_import", { text });
    expect(again.presentation?.same_title).toBe(id);
    const next = await app.actions.get(presentationActions).importPresentation(text, [], id);
    await until(() => live().presentations.length === 1 && live().presentations[0]?.id === next);
    offers[0]?.undo();
    await until(() => live().presentations.length === 2);
    expect(live().presentations.map((one) => one.id)).toEqual([id, next]);
  });
});
