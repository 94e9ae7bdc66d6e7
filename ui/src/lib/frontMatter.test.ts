import { expect, it } from "vitest";

import { frontMatter } from "./frontMatter";

it("parts the head of a file from its text", () => {
  expect(frontMatter("---\nname: a\nmetadata:\n  b: c\n---\n\n# A\n")).toEqual({
    head: "name: a\nmetadata:\n  b: c",
    body: "\n# A\n",
  });
  expect(frontMatter("---\r\nname: a\r\n---\r\n# A")).toEqual({ head: "name: a", body: "# A" });
  expect(frontMatter("---\nname: a\n---")).toEqual({ head: "name: a", body: "" });
});

it("leaves what only looks like a head", () => {
  for (const text of ["# A\n---\nb: c\n---\n", "---\nWords between lines\n---\n", "---\nname: a\n", "---\n---\n", ""]) {
    expect(frontMatter(text)).toEqual({ head: null, body: text });
  }
});
