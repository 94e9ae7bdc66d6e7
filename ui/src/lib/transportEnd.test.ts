import { expect, it } from "vitest";

import { endWords } from "./transportEnd";

it("tells a process that Sonde stopped from one that ended by itself", () => {
  const end = { exit_code: 0, signal: null, stopped: false, terminated: false };
  expect(endWords(end)).toBe("Ended with exit code 0");
  expect(endWords({ ...end, stopped: true })).toBe("Stopped by Sonde (exit code 0)");
  const killed = { ...end, exit_code: null, signal: "SIGTERM" };
  expect(endWords(killed)).toBe("Ended by signal SIGTERM");
  expect(endWords({ ...killed, stopped: true })).toBe("Stopped by Sonde (signal SIGTERM)");
  // The process did not exit when its input was closed.
  expect(endWords({ ...end, stopped: true, terminated: true })).toBe("Terminated by Sonde (exit code 0)");
  expect(endWords({ ...killed, terminated: true })).toBe("Terminated by Sonde (signal SIGTERM)");
  // Transports without a process.
  expect(endWords({ ...end, exit_code: null, stopped: true })).toBeNull();
});
