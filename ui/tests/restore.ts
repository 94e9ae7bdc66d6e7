import { afterEach, vi } from "vitest";

// Files share a worker: no test leaves its clock, its spies or its globals to the next.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
