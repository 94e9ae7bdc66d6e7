import { expect, it } from "vitest";

import { selectedText } from "./selectedText";

/** Rows of two lines, the first of which takes two rows; a number precedes each line. */
function rows(): HTMLElement {
  const list = document.createElement("div");
  list.innerHTML = `
    <div><i>1</i><span data-line="1">{"a":<b>1</b>,</span></div>
    <div><i></i><span data-line="">"b":2}</span></div>
    <div><i>2</i><span data-line="2">[]</span></div>`;
  document.body.replaceChildren(list);
  return list;
}

it("has a line break where a line ends, not where a row does", () => {
  const list = rows();
  const selection = document.getSelection();
  selection?.selectAllChildren(list);
  expect(selectedText(list, selection)).toBe('{"a":1,"b":2}\n[]');
});

it("begins and ends in the middle of rows", () => {
  const list = rows();
  const [first, second] = list.querySelectorAll("[data-line]");
  const [from, to] = [first?.firstChild, second?.firstChild];
  if (!from || !to) throw new Error("no rows");
  const selection = document.getSelection();
  selection?.setBaseAndExtent(from, 1, to, 3);
  expect(selectedText(list, selection)).toBe('"a":1,"b"');
});

it("leaves alone what is not selected within the rows", () => {
  const list = rows();
  const selection = document.getSelection();
  selection?.collapse(list);
  expect(selectedText(list, selection)).toBeNull();
  selection?.selectAllChildren(document.documentElement);
  expect(selectedText(list, selection)).toBeNull();
});
