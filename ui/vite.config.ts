import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { imagetools } from "vite-imagetools";

/** Most bytes and files of script and style that the page may ask for before its first paint. */
const START = { bytes: 204_800, files: 4 };

/** Fails a build whose first paint needs more than {@link START}. */
function startBudget(): Plugin {
  return {
    name: "start-budget",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = new Map<string, number>();
        const visit = (name: string): void => {
          const output = bundle[name];
          if (output === undefined || files.has(name)) return;
          files.set(name, Buffer.byteLength(output.type === "chunk" ? output.code : output.source));
          if (output.type === "chunk") output.imports.forEach(visit);
        };
        const page = bundle["index.html"];
        const text = page?.type === "asset" ? String(page.source) : "";
        for (const [, name = ""] of text.matchAll(/"\.\/([^"]+\.(?:js|css))"/g)) visit(name);
        if (files.size === 0) this.error("index.html names no script");
        const host = text.indexOf("/host-");
        if (host < 0 || host > text.indexOf("/start-")) {
          this.error("index.html does not name the script of the host before the rest, so that it runs too late");
        }
        const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
        if (bytes <= START.bytes && files.size <= START.files) return;
        const list = [...files].map(([name, size]) => `${size} ${name}`).join("\n");
        this.error(
          `the first paint needs ${bytes} bytes in ${files.size} files, not ${START.bytes} in ${START.files}:\n${list}`,
        );
      },
    },
  };
}

/**
 * Fails a build with files that import each other in a circle. Which of them runs first depends on the file that is loaded
 * first, and constants of the others are undefined until then.
 */
function noCircles(): Plugin {
  return {
    name: "no-circles",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const done = new Set<string>();
        const visit = (name: string, above: readonly string[]): void => {
          const output = bundle[name];
          if (output?.type !== "chunk" || done.has(name)) return;
          const start = above.indexOf(name);
          if (start >= 0) this.error(`files import each other in a circle:\n${above.slice(start).join("\n")}`);
          output.imports.forEach((imported) => visit(imported, [...above, name]));
          done.add(name);
        };
        Object.keys(bundle).forEach((name) => visit(name, []));
      },
    },
  };
}

// Relative addresses and a fixed port, since the desktop host serves the built files itself and
// opens the development server by address.
export default defineConfig(({ mode }) => ({
  // The compiler that memoises components, in Rust: with the one in Babel a build takes eight times as long.
  plugins: [react({ compiler: true }), imagetools(), mode === "production" && [startBudget(), noCircles()]],
  base: "./",
  // For the worker that reads Markdown: what it is made of has a variant without a document.
  resolve: {
    // `react` is Preact under that name, without what the compiler needs.
    alias: { "react/compiler-runtime": "preact/compat/compiler-runtime" },
    conditions: ["worker", ...defaultClientConditions],
  },
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
            ? {
                groups: [
                  // Asks the host for what the page shows, while the other files are loading.
                  { name: "host", test: /src\/app\/host\.ts$/, priority: 1 },
                  // What the first paint needs, in one script and one stylesheet.
                  { name: "start", tags: ["$initial"] },
                  // Modules that several parts share, in one file: several files would import each other in a circle.
                  { name: "shared", minShareCount: 2 },
                ],
              }
            : // The tests load the page some hundred times: one file each time instead of a hundred.
              false,
      },
    },
  },
}));
