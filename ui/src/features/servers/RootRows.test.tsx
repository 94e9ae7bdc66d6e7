import { useState } from "react";
import { expect, it } from "vitest";

import type { RootFolder } from "../../ipc/bindings";
import { fill, fireEvent, screen } from "../../lib/render.test.helper";
import { appOn, renderIn } from "../../state/started.test.helper";
import { hostOfDialogs } from "./dialogs.test.helper";
import { RootRows } from "./RootRows";

/** Renders the rows; returns the function that closes the system dialog with a folder. */
function shown(first: readonly RootFolder[]) {
  const { backend, choose } = hostOfDialogs();
  function Rows() {
    const [roots, setRoots] = useState(first);
    return <RootRows roots={roots} problemOf={() => undefined} onChange={setRoots} />;
  }
  renderIn(appOn(backend), <Rows />);
  return choose;
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole("button", { name });
const press = (name: string) => fireEvent.click(button(name));

it("takes a folder that is chosen, beside what is typed meanwhile", async () => {
  const choose = shown([{ folder: "/old", name: null }]);
  press("Choose the folder of root 1");
  press("Choose the folder of root 1");
  fill(field("Name of root 1"), "Work");
  await choose("/home/ada/work");
  expect(field("Folder of root 1").value).toBe("/home/ada/work");
  expect(field("Name of root 1").value).toBe("Work");
});

it("leaves all as it is where none is chosen, or the rows are other ones", async () => {
  const choose = shown([
    { folder: "/a", name: null },
    { folder: "/b", name: null },
    { folder: "/d", name: null },
  ]);
  press("Choose the folder of root 2");
  await choose(null);
  expect(field("Folder of root 2").value).toBe("/b");
  press("Choose the folder of root 2");
  press("Remove root 1");
  await choose("/c");
  expect([1, 2].map((row) => field(`Folder of root ${row}`).value)).toEqual(["/b", "/d"]);
});

it("has the focus in a row that is added, and beside a removed last row", () => {
  shown([]);
  press("Add root");
  press("Add root");
  expect(document.activeElement).toBe(field("Folder of root 2"));
  press("Remove root 2");
  expect(document.activeElement).toBe(button("Remove root 1"));
  press("Remove root 1");
  expect(document.activeElement).toBe(button("Add root"));
});
