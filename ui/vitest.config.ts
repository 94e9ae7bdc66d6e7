import { defineConfig } from "vitest/config";

// Tests of pure code run in node; a test of a component asks for a document with
// `// @vitest-environment jsdom` in its first line.
export default defineConfig({
  define: { __FAKE_BACKEND__: "true" },
  // The guide lies in `docs`.
  server: { fs: { allow: [".", "../docs"] } },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "node",
    // Nothing is timed here: how long a test takes says how busy the machine is.
    testTimeout: 180_000,
    css: { modules: { classNameStrategy: "non-scoped" } },
  },
});
