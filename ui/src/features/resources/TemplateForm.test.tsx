import { expect, it } from "vitest";

import { act, fill, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { shownOf } from "../../state/started.test.helper";
import { TemplateForm } from "./TemplateForm";

const TEMPLATE = "station://tides/{port}";
const PORT = { name: "port", explode: false, prefix: null };

async function shown() {
  const { app } = await shownOf("resources", (server) => (
    <TemplateForm server={server} template={TEMPLATE} variables={[PORT]}>
      {null}
    </TemplateForm>
  ));
  return { app, port: await screen.findByLabelText("port") };
}

it("reads the URI of what is typed now, not the one that is still shown", async () => {
  const { app, port } = await shown();
  fill(port, "berge");
  await screen.findByText("station://tides/berge");
  fill(port, "bergen");
  act(() => app.handlers.get("run_tool")?.());
  expect(screen.getByText("station://tides/berge")).toBeTruthy();
  const read = () => Object.values(app.store.getState().live.operations).map(({ target }) => target);
  await waitFor(() => expect(read()).toEqual(["station://tides/bergen"]));
});

it("suggests values for a variable", async () => {
  const { port } = await shown();
  fill(port, "Bi");
  await screen.findByRole("option", { name: "Bilbao" });
  fireEvent.keyDown(port, { key: "ArrowDown" });
  fireEvent.keyDown(port, { key: "Enter" });
  await screen.findByText("station://tides/Bilbao");
  expect(screen.queryByRole("option")).toBeNull();
});
