import { afterEach, vi } from "vitest";

// The files share a worker: no test leaves its clock or its globals to the next.
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
