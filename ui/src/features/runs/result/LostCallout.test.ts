import { expect, it } from "vitest";

import { says } from "./LostCallout";

it("finds the reason of a run in the sentence about its connection", () => {
  const reason = "Harbour.example.com:443 refused the connection.";
  expect(says("The last request failed: harbour.example.com:443 refused the connection.", reason)).toBe(true);
  const unreachable =
    "The server cannot be reached: harbour.example.com:443 refused the connection. It has probably stopped.";
  expect(says(unreachable, reason)).toBe(true);
});

it("keeps a reason of its own", () => {
  expect(says("The server cannot be reached: a.example refused the connection.", "The request timed out.")).toBe(false);
  expect(says("The server cannot be reached.", "")).toBe(false);
});
