import { expect, it } from "vitest";

import { initialsOf } from "./initials";

it("takes letters of the first two words, or the first two", () => {
  expect(initialsOf(["Demo server", "files", "a_b.c", "ß", ""])).toEqual(["DS", "FI", "AB", "SS", "?"]);
});

it("never draws two names alike", () => {
  expect(initialsOf(["u-3000", "u-3001", "u-3001-dev", "u-3001-test"])).toEqual(["U3", "U30", "U3D", "U3T"]);
  expect(initialsOf(["Files", "Fish", "fi"])).toEqual(["FI", "FIS", "FI2"]);
  expect(initialsOf(["Demo server", "Demo server", "Demo server"])).toEqual(["DS", "DS2", "DS3"]);
  const many = Array.from({ length: 40 }, (_, at) => `server ${at % 7}`);
  expect(new Set(initialsOf(many)).size).toBe(40);
});
