import { defineConfig } from "vitest/config";

/** `npm run fuzz`: each file is a target, and runs until its time is over. */
export default defineConfig({
  test: { include: ["fuzz/*.fuzz.ts"], environment: "node", testTimeout: 0, fileParallelism: false },
});
