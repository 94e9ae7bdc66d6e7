import { useState } from "react";
import { expect, it } from "vitest";

import type { NamedValue } from "../../ipc/bindings";
import { fill, fireEvent, render, screen } from "../../lib/render.test.helper";
import { NamedRows } from "./ValueRows";

it("hides a value that is typed under a name that tells a secret, and shows it where that is taken back", () => {
  function Rows() {
    const [entries, setEntries] = useState<NamedValue[]>([]);
    return <NamedRows what="header" entries={entries} inputs={[]} problemOf={() => undefined} onChange={setEntries} />;
  }
  render(<Rows />);
  const type = (field: string, text: string): void => {
    for (let end = 1; end <= text.length; end++) {
      fill(screen.getByLabelText(field), text.slice(0, end));
    }
  };
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

  fireEvent.click(screen.getByRole("button", { name: "Add header" }));
  type("Name of header 1", "Authorization");
  expect(field("Value of Authorization").type).toBe("text");
  type("Value of Authorization", "Bearer hush");
  expect([field("Value of Authorization").type, field("Value of Authorization").value]).toEqual([
    "password",
    "Bearer hush",
  ]);
  expect(field("Secret: Authorization").checked).toBe(true);

  fireEvent.click(field("Secret: Authorization"));
  fill(field("Value of Authorization"), "Bearer hush!");
  expect([field("Value of Authorization").type, field("Secret: Authorization").checked]).toEqual(["text", false]);
});
