import { expect, it, vi } from "vitest";

import { act, fill, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { renderIn, started } from "../../state/started.test.helper";
import { hostOfDialogs } from "./dialogs.test.helper";
import { ServerForm } from "./ServerForm";

async function form() {
  const { backend, choose } = hostOfDialogs();
  const opened = await started(backend);
  renderIn(opened.app, <ServerForm server={null} />);
  return { ...opened, choose };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = (name: string, value: string) => fill(field(name), value);
const button = (name: string) => screen.getByRole("button", { name });
const args = () => screen.queryAllByRole<HTMLInputElement>("textbox", { name: /^Argument/ }).map(({ value }) => value);

it("has the focus in the field for pasting at first, which Escape leaves while it is empty", async () => {
  const { app } = await form();
  act(() => app.actions.openPanel({ type: "add_server" }));
  const paste = field("Paste a URL, command or configuration");
  expect(document.activeElement).toBe(paste);
  fill(paste, "npx");
  fireEvent.keyDown(paste, { key: "Escape" });
  expect(app.store.getState().view.panel).not.toBeNull();
  fill(paste, "");
  fireEvent.keyDown(paste, { key: "Escape" });
  expect(app.store.getState().view.panel).toBeNull();
});

it("takes a program and a folder that are chosen, beside what is typed meanwhile", async () => {
  const { sent, choose } = await form();
  fireEvent.click(button("Choose… (Command)"));
  fireEvent.click(button("Choose… (Command)"));
  type("Name", "Mine");
  await choose("/opt/my server/run");
  expect(field("Command").value).toBe("/opt/my server/run");
  expect(field("Name").value).toBe("Mine");
  fireEvent.click(button("Choose… (Working directory)"));
  await choose("/home/ada/work");
  expect(field("Working directory").value).toBe("/home/ada/work");
  fireEvent.click(button("Choose… (Working directory)"));
  await choose(null);
  expect(field("Working directory").value).toBe("/home/ada/work");
  expect(sent.flatMap(({ name }) => (name.startsWith("choose") ? name : []))).toEqual([
    "choose_file",
    "choose_folder",
    "choose_folder",
  ]);
});

it("takes a whole command line apart that was typed as the command, and brings it back", async () => {
  const { named, offers } = await form();
  type("Command", "npx");
  type("Command", "npx -y some-server --flag");
  fireEvent.click(await screen.findByRole("button", { name: "Split into command and arguments" }));
  expect(field("Command").value).toBe("npx");
  expect(args()).toEqual(["-y", "some-server", "--flag"]);
  expect(screen.queryByText(/There is no program of this name/)).toBeNull();
  // A single word needs no lookup.
  expect(named("split_command")).toHaveLength(1);
  type("Name", "Later");
  expect(offers.map(({ title }) => title)).toEqual(["Command split into command and arguments"]);
  act(() => offers[0]?.undo());
  expect(field("Command").value).toBe("npx -y some-server --flag");
  expect(args()).toEqual([]);
  expect(field("Name").value).toBe("Later");
});

it("connects a new server with the button that stands out, and by Enter", async () => {
  const { app, named } = await form();
  type("Command", "my-server");
  const connect = vi.spyOn(app.actions, "connect").mockResolvedValue(undefined);
  expect(button("Save and connect").getAttribute("type")).toBe("submit");
  fireEvent.submit(field("Command"));
  await waitFor(() => expect(connect).toHaveBeenCalledTimes(1));
  expect(named("add_server")).toHaveLength(1);
});

it("only saves it where that is asked for", async () => {
  const { app, named } = await form();
  type("Command", "my-server");
  const connect = vi.spyOn(app.actions, "connect").mockResolvedValue(undefined);
  fireEvent.click(button("Save"));
  await waitFor(() => expect(named("add_server")).toHaveLength(1));
  await act(async () => undefined);
  expect(connect).not.toHaveBeenCalled();
});

it("shows every problem at its field, begins with the first, and keeps what was typed", async () => {
  const { named } = await form();
  type("Name", "Mine");
  fireEvent.click(button("Add variable"));
  type("Value of variable 1", "x");
  fireEvent.click(screen.getByText("Roots"));
  fireEvent.click(await screen.findByRole("button", { name: "Add root" }));
  type("Folder of root 1", "work");
  fireEvent.click(screen.getByText("Roots"));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Folder of root 1" })).toBeNull());
  fireEvent.click(button("Save"));
  await waitFor(() => expect(document.activeElement).toBe(field("Command")));
  const problemAt = (name: string) => document.getElementById(field(name).getAttribute("aria-describedby") ?? "");
  expect(problemAt("Command")?.textContent).toBe("Enter the command to run, for example npx or uvx.");
  expect(problemAt("Name of variable 1")?.textContent).toBe("Enter the name of the variable.");
  // The collapsed part with a problem is opened.
  expect(problemAt("Folder of root 1")?.textContent).toBe("Enter the whole path of a folder, or a file:// URI.");
  expect([field("Name").value, field("Value of variable 1").value]).toEqual(["Mine", "x"]);
  expect(named("add_server")).toEqual([]);
  type("Command", "my-server");
  await waitFor(() => expect(field("Command").getAttribute("aria-invalid")).toBeNull());
  expect(field("Name of variable 1").getAttribute("aria-invalid")).toBe("true");
});
