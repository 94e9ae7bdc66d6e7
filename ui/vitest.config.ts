import { defineConfig } from "vitest/config";

/** Limit of each wait, in milliseconds. A wait that succeeds never gets near it. */
const limit = Number(process.env["SONDE_TEST_LIMIT"] ?? 180) * 1000;
/** Above the limit of a wait, so that a wait which ends without success says what it waited for. */
const timeout = limit + 60_000;

// The ending of a test file says where it runs: `.test.ts` in node, `.test.tsx` in a document.
export default defineConfig({
  define: { __FAKE_BACKEND__: "true" },
  // The guide lies in `docs`.
  server: { fs: { allow: [".", "../docs"] } },
  test: {
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: limit } },
    provide: { limit },
    css: { modules: { classNameStrategy: "non-scoped" } },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["src/**/*.test.ts"],
          // The files share their modules, as importing these takes longer than the tests.
          isolate: false,
          setupFiles: "tests/node.ts",
        },
      },
      {
        extends: true,
        test: { name: "jsdom", include: ["src/**/*.test.tsx"], environment: "jsdom", setupFiles: "tests/document.ts" },
      },
    ],
  },
});
