import { expect, it } from "vitest";

import { render, screen } from "../../../lib/render.test.helper";
import { createDocument } from "../../../schema/document";
import { FilledIn } from "./FilledIn";

/** Returns the texts of the values. */
function shownValues(schema: object, values: object): readonly (string | null)[] {
  render(<FilledIn document={createDocument(JSON.stringify(schema), JSON.stringify(values))} />);
  return [...screen.getByLabelText("Filled in").querySelectorAll("dd")].map(({ textContent }) => textContent);
}

it("says what was chosen by the names that the menu has", () => {
  const hour = { title: "Time of day", oneOf: [{ const: "night", title: "Deep night" }, { const: "day" }] };
  const schema = {
    properties: {
      hour,
      ports: { type: "array", items: { enum: ["a", "b"], enumNames: ["No wind", "Storm"] } },
      other: hour,
    },
  };
  const values = { hour: "night", ports: ["a", "b"], other: "noon" };
  expect(shownValues(schema, values)).toEqual(["Deep night", "No wind, Storm", "noon"]);
});

it("says the words of a menu without titles as words, and units and formats as they are", () => {
  const schema = {
    properties: {
      push: { enum: ["gently", "with a shoulder"] },
      wind: { enum: ["north_east", "south"] },
      unit: { enum: ["km/h", "kn"] },
      form: { enum: ["PNG", "utf-8"] },
    },
  };
  const values = { push: "gently", wind: "north_east", unit: "kn", form: "utf-8" };
  expect(shownValues(schema, values)).toEqual(["Gently", "North east", "kn", "utf-8"]);
});

it("leaves out passwords in objects, lists and alternatives", () => {
  const password = { type: "string", format: "password" };
  const login = { type: "object", properties: { user: { type: "string" }, password } };
  const schema = {
    properties: {
      login,
      logins: { type: "array", items: login },
      either: { oneOf: [{ type: "integer" }, login] },
      pin: { type: "string", writeOnly: true },
      pins: { type: "array", items: password },
    },
  };
  const values = {
    login: { user: "Ada", password: "hush" },
    logins: [{ user: "Eve", password: "hush" }, { password: "hush" }],
    either: { user: "Bob", password: "hush" },
    pin: "hush",
    pins: ["hush"],
  };
  expect(shownValues(schema, values)).toEqual(["User: Ada", "User: Eve", "User: Bob"]);
});
