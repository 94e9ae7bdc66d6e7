import { expect, it } from "vitest";

import { render } from "../lib/render.test.helper";
import { Prose } from "./Prose";

it.each([
  ["The client is `a b`, and `c` is not.", "The client is a b, and c is not.", ["a b", "c"]],
  ["`first` and last `one`", "first and last one", ["first", "one"]],
  ["One line\nand another, `a\nb`", "One line\nand another, a⟨U+000A⟩b", ["a⟨U+000A⟩b"]],
  ["Nothing exact.", "Nothing exact.", []],
  ["One ` alone stays.", "One ` alone stays.", []],
  ["Nothing between `` stays.", "Nothing between `` stays.", []],
  ["<b>`<i>`</b>", "<b><i></b>", ["<i>"]],
])("%s", (text, shown, exact) => {
  const { container } = render(<Prose text={text} />);
  expect(container.textContent).toBe(shown);
  expect([...container.querySelectorAll("code")].map((code) => code.textContent)).toEqual(exact);
});
