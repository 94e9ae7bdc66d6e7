import { expect, it } from "vitest";

import { ignorable, ofEveryItem } from "./ignorable";

it.each([
  ["result.structuredContent.generatedAt", "/structuredContent/generatedAt"],
  ["result.structuredContent.items[2].price", "/structuredContent/items/2/price"],
  ['result.structuredContent["a/b~c"].d', "/structuredContent/a~1b~0c/d"],
  ['result._meta["say \\"hi\\""]', '/_meta/say "hi"'],
  ["result.content[0].text.tides[1].metres", "/content/0/text/tides/1/metres"],
  ["result.contents[0].text", "/contents/0/text"],
  ["result.content[0].mimeType", "/content/0/mimeType"],
  ["result", null],
  ["arguments.days", null],
  ["(all of it)", null],
])("%s", (path, pointer) => {
  expect(ignorable(path)).toBe(pointer);
});

it("takes the same place of each item", () => {
  expect(ofEveryItem("/structuredContent/items/12/prices/0")).toBe("/structuredContent/items/*/prices/*");
  expect(ofEveryItem("/structuredContent/generatedAt")).toBeNull();
});
