import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";

import type { Backend } from "../../ipc/backend";
import type { RootFolder } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { appOn, renderIn } from "../../state/started.test.helper";
import { RootRows } from "./RootRows";

/** Renders the rows; `choose` ends the system dialog with this folder. */
function shown(first: readonly RootFolder[]): { readonly choose: (folder: string | null) => void } {
  const fake = fakeBackend("connected");
  const dialogs: ((folder: string | null) => void)[] = [];
  const backend: Backend = {
    ...fake,
    call: (name, args) =>
      name === "choose_folder"
        ? (new Promise<string | null>((resolve) => dialogs.push(resolve)) as Promise<never>)
        : fake.call(name, args),
  };
  function Rows() {
    const [roots, setRoots] = useState(first);
    return <RootRows roots={roots} problemOf={() => undefined} onChange={setRoots} />;
  }
  renderIn(appOn(backend), <Rows />);
  return {
    choose: (folder) => {
      expect(dialogs).toHaveLength(1);
      dialogs.pop()?.(folder);
    },
  };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

it("takes a folder that is chosen, beside what is typed meanwhile", async () => {
  const { choose } = shown([{ folder: "/old", name: null }]);
  press("Choose the folder of root 1");
  press("Choose the folder of root 1");
  fireEvent.change(field("Name of root 1"), { target: { value: "Work" } });
  await act(async () => choose("/home/ada/work"));
  expect(field("Folder of root 1").value).toBe("/home/ada/work");
  expect(field("Name of root 1").value).toBe("Work");
});

it("leaves all as it is where none is chosen, or the rows are other ones", async () => {
  const { choose } = shown([
    { folder: "/a", name: null },
    { folder: "/b", name: null },
    { folder: "/d", name: null },
  ]);
  press("Choose the folder of root 2");
  await act(async () => choose(null));
  expect(field("Folder of root 2").value).toBe("/b");
  press("Choose the folder of root 2");
  press("Remove root 1");
  await act(async () => choose("/c"));
  expect([1, 2].map((row) => field(`Folder of root ${row}`).value)).toEqual(["/b", "/d"]);
});

it("has the focus in a row that is added", async () => {
  shown([]);
  press("Add root");
  await waitFor(() => expect(document.activeElement).toBe(field("Folder of root 1")));
});
