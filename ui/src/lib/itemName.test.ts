import { expect, it } from "vitest";

import { itemName } from "./itemName";

it("tells an empty name from none", () => {
  expect(itemName({ title: "Say hello", name: "", named: false })).toBe("Say hello");
  expect(itemName({ title: " ", name: "say_hello" })).toBe("say_hello");
  expect(itemName({ title: null, name: "" })).toBe("(empty name)");
  expect(itemName({ title: null, name: "", named: false })).toBe("(no name)");
});
