import { describe, expect, it } from "vitest";

import { bytes, count, day, duration, elapsed, number, rate } from "./format";

it("names days by how long ago they are", () => {
  const now = new Date(2026, 2, 1, 0, 5).getTime();
  expect(day(now, now)).toBe("Today");
  expect(day(new Date(2026, 1, 28, 23, 59).getTime(), now)).toBe("Yesterday");
  expect(day(new Date(2026, 1, 27, 23, 59).getTime(), now)).toBe("27 Feb 2026");
  expect(day(new Date(2025, 2, 1).getTime(), now)).toBe("1 Mar 2025");
});

describe("words for numbers", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1023, "1023 bytes"],
    [1024, "1 KB"],
    [1536, "1.5 KB"],
    [200 * 1024, "200 KB"],
    [100 * 1024 * 1024, "100 MB"],
    [5 * 1024 ** 4, "5120 GB"],
  ])("%d bytes", (size, words) => expect(bytes(size)).toBe(words));

  it.each([
    [870, "870 µs"],
    [12_300, "12.3 ms"],
    [100_000, "100 ms"],
    [1_240_000, "1.24 s"],
    [999_600, "1.00 s"],
    [59_999_000, "1 min 00 s"],
    [125_000_000, "2 min 05 s"],
  ])("%d µs", (micros, words) => expect(duration(micros)).toBe(words));

  it("counts, elapses and rates", () => {
    expect(elapsed(-5)).toBe("0:00");
    expect(elapsed(65_000)).toBe("1:05");
    expect(elapsed(3_725_000)).toBe("1:02:05");
    expect(number(1234567)).toBe("1,234,567");
    expect(count(1, "tool", "tools")).toBe("1 tool");
    expect(count(10_000, "tool", "tools")).toBe("10,000 tools");
    expect([rate(0.254), rate(3.42), rate(1234)]).toEqual(["0.25", "3.4", "1,234"]);
  });
});
