import { expect, it } from "vitest";

import { render, screen } from "../../lib/render.test.helper";
import { DocumentRowView } from "./DocumentRows";
import type { Token } from "./tokens";

const source: readonly (readonly Token[])[] = [
  [
    { text: "return", kind: "word" },
    { text: " 1;", kind: "mark" },
  ],
];

function row(text: string, line: number | null, needle = "") {
  render(
    <DocumentRowView
      row={{ type: "text", text, line }}
      index={0}
      id="row"
      needle={needle}
      hit={false}
      current={false}
      coloured={false}
      source={source}
    />,
  );
}

it("gives a row that begins a line of source code its colours", () => {
  row("return 1;", 1);
  expect(screen.getByText("return").className).toMatch(/word/);
});

it("leaves the rest of a line, a line that is not known and one with hits as they are", () => {
  row("return 2;", null);
  row("return 3;", 2);
  row("return 4;", 1);
  row("return 1;", 1, "turn");
  expect(screen.queryByText("return")).toBeNull();
  screen.getByText("turn");
});
