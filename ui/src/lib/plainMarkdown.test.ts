import { expect, it } from "vitest";

import { plainMarkdown } from "./plainMarkdown";

it.each([
  ["from **harbour to harbour**, *at once*", "from harbour to harbour, at once"],
  ["see [the guide](https://example.com/a) for `names`", "see the guide for names"],
  ["2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"],
  ["glob *.ts, **/*.md", "glob *.ts, **/*.md"],
  ["snake_case_name and __init__", "snake_case_name and __init__"],
  ["one `alone and [brackets] (round)", "one `alone and [brackets] (round)"],
])("%s", (text, shown) => {
  expect(plainMarkdown(text)).toBe(shown);
});
