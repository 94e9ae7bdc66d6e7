import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

// Relative addresses and a fixed port, since the desktop host serves the built files itself and
// opens the development server by address.
export default defineConfig(({ mode }) => ({
  // The compiler of React in Rust: with the one in Babel a build takes eight times as long.
  plugins: [react({ compiler: true })],
  base: "./",
  // For the worker that reads Markdown: what it is made of has a variant without a document.
  resolve: { conditions: ["worker", ...defaultClientConditions] },
  clearScreen: false,
  // The guide lies in `docs`.
  server: { port: 1420, strictPort: true, host: "127.0.0.1", fs: { allow: [".", "../docs"] } },
  define: {
    // The fake backend is in development and test builds only; the condition is constant so that
    // the bundler leaves it out of what is shipped.
    __FAKE_BACKEND__: JSON.stringify(mode !== "production"),
  },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    outDir: mode === "production" ? "dist" : "dist-test",
    target: "safari16",
    // Inlined assets would need `data:` in more rules of the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: mode === "production" ? 900 : 9000,
    rolldownOptions: {
      output: {
        codeSplitting:
          mode === "production"
            ? // What the first paint needs, in one script and one stylesheet.
              { groups: [{ name: "start", tags: ["$initial"] }] }
            : // The tests load the page some hundred times: one file each time instead of a hundred.
              false,
      },
    },
  },
}));
