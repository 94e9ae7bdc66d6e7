import { expect, it } from "vitest";

import { inWords } from "./inWords";

it.each([
  ["max_results", "Max results"],
  ["maxResults", "Max results"],
  ["page-size", "Page size"],
  ["URL", "URL"],
  ["baseURL", "Base URL"],
  ["user.name", "User name"],
  ["größeInCm", "Größe in cm"],
  ["a", "A"],
  ["", ""],
  ["__", "__"],
])("%s is %s", (name, words) => {
  expect(inWords(name)).toBe(words);
});
