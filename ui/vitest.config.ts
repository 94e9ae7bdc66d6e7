import { defineConfig } from "vitest/config";

/** Limit of each wait, in milliseconds. A wait that succeeds never gets near it. */
const limit = Number(process.env["SONDE_TEST_LIMIT"] ?? 180) * 1000;
/** Above the limit of a wait, so that a wait which ends without success says what it waited for. */
const timeout = limit + 60_000;

const page = { environment: "jsdom", setupFiles: ["tests/restore.ts", "tests/document.ts"] };

// The ending of a test file says where it runs. Files share their modules and their document, as making these takes longer
// than the tests; what replaces a module, or needs one that nobody has used, is `alone`.
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
        test: { name: "node", include: ["src/**/*.test.ts"], isolate: false, setupFiles: "tests/restore.ts" },
      },
      {
        extends: true,
        test: { ...page, name: "jsdom", include: ["src/**/*.test.tsx"], exclude: ["**/*.alone.*"], isolate: false },
      },
      { extends: true, test: { ...page, name: "alone", include: ["src/**/*.alone.test.tsx"] } },
    ],
  },
});
