import { expect, it } from "vitest";

import { isUnprotected, placeOf } from "./place";

it.each([
  ["http://127.0.0.1:8765", "computer"],
  ["http://localhost", "computer"],
  ["https://app.localhost:3000", "computer"],
  ["http://[::1]:3000", "computer"],
  ["http://0.0.0.0:80", "computer"],
  ["http://192.168.1.1", "network"],
  ["http://10.0.0.7:8080", "network"],
  ["http://172.31.0.1", "network"],
  ["http://169.254.169.254", "network"],
  ["http://100.64.0.1", "network"],
  ["http://[fd00::1]", "network"],
  ["http://[fe80::1]", "network"],
  ["http://[::ffff:7f00:1]", "network"],
  ["http://printer.local", "network"],
  ["http://router", "network"],
  ["http://2130706433", "network"],
  ["http://0x7f.1", "network"],
  ["http://172.32.0.1", "internet"],
  ["https://api.example.com", "internet"],
  ["https://*.example.com", "internet"],
  ["https://[2001:db8::1]:443", "internet"],
])("finds the place of %s", (origin, place) => {
  expect(placeOf(origin)).toBe(place);
});

it("tells what others on the way can change", () => {
  expect(isUnprotected("http://api.example.com")).toBe(true);
  expect(isUnprotected("ws://192.168.1.1")).toBe(true);
  expect(isUnprotected("http://127.0.0.1:1")).toBe(false);
  expect(isUnprotected("https://api.example.com")).toBe(false);
});
