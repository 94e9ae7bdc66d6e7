import { expect, it } from "vitest";

import { isWebAddress, pageWarnings } from "./pages";

it("opens pages of the web only", () => {
  expect(isWebAddress("https://a.example/b")).toBe(true);
  expect(isWebAddress("HTTP://a.example")).toBe(true);
  for (const address of [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    "a.example",
    "https:a.example",
    "https://a.example/…",
  ]) {
    expect(isWebAddress(address), address).toBe(false);
    expect(pageWarnings(address), address).toHaveLength(1);
  }
});

it("warns of what is not encrypted outside of this computer", () => {
  for (const address of [
    "https://a.example",
    "http://localhost:80",
    "http://127.1/x",
    "http://[::1]:9",
    "http://a.localhost",
  ]) {
    expect(pageWarnings(address), address).toEqual([]);
  }
  for (const address of ["http://a.example", "http://localhost.a.example", "http://127.0.0.1.a.example"]) {
    expect(pageWarnings(address), address).toMatchObject([/not encrypted/]);
  }
});

it("warns of what looks like a host and is none", () => {
  expect(pageWarnings("https://bank.example@evil.example/")).toMatchObject([/before the host/]);
});

it("says the same in words without terms of the web", () => {
  for (const address of ["ftp://a.example", "http://user@a.example"]) {
    const plain = pageWarnings(address, true);
    expect(plain).toHaveLength(pageWarnings(address).length);
    expect(plain.join(" ")).not.toMatch(/\b(https?|host)\b/);
  }
});
