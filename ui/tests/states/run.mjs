// Opens every state of the window on the simulated host, in light and dark, at two sizes, and those that use
// the room of a large window in a third:
// axe must find nothing, nothing may fail in the console, no pane may have failed, and the
// behaviour named with a state must hold. Pictures go to artifacts/states.
//
//   node tests/states/run.mjs [--no-build] [name ...]
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { LIMIT, launch, serve } from "./browser.mjs";
import { states } from "./states.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = fileURLToPath(new URL("../..", import.meta.url));
const pictures = fileURLToPath(new URL("../../../artifacts/states", import.meta.url));
const looks = [
  { name: "light", width: 1280, height: 800, colorScheme: "light" },
  { name: "dark-small", width: 900, height: 600, colorScheme: "dark" },
  {
    name: "large",
    width: 1600,
    height: 1000,
    colorScheme: "light",
    only: [
      "about",
      "compare-lines",
      "compare-structure",
      "connected",
      "connection-latency",
      "console",
      "groups",
      "history",
      "import",
      "panes",
      "panes-below",
      "rich-form",
      "settings",
      "sides",
      "wire-grouped",
    ],
  },
];

/**
 * A presentation is given at the sizes of projectors. What fits depends on the size alone, and what can be read on the
 * colours alone, so two of the four show both.
 */
const projectors = [
  { name: "light-1024x768", width: 1024, height: 768, colorScheme: "light" },
  { name: "dark-1920x1080", width: 1920, height: 1080, colorScheme: "dark" },
];

const given = process.argv.slice(2);
const wanted = given.filter((word) => !word.startsWith("--"));
const named = [...wanted, ...looks.flatMap(({ only }) => only ?? [])];
const unknown = named.filter((name) => !states.some((state) => state.name === name));
if (unknown.length > 0) {
  console.error(`no such state: ${unknown.join(", ")}`);
  process.exit(2);
}
if (!given.includes("--no-build")) {
  execFileSync("npx", ["vite", "build", "--mode", "test", "--logLevel", "warn"], { cwd: root, stdio: "inherit" });
}
mkdirSync(pictures, { recursive: true });

const server = await serve();
const browser = await launch();
const failures = [];
let passed = 0;

/** How many pages a process opens one after the other: it gives back little of their memory. */
const PAGES = 25;

/** A process for pages in this look. */
async function open(look) {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
  });
  // Keeps the process, and with it the compiled scripts, from one page to the next.
  const first = await context.newPage();
  await first.goto(`${server.address}/empty`);
  return context;
}

/** All states in one look. */
async function run(look) {
  const chosen = states.filter(
    (state) =>
      (wanted.length === 0 || wanted.includes(state.name)) &&
      (state.projected ?? false) === projectors.includes(look) &&
      look.only?.includes(state.name) !== false,
  );
  let context;
  for (const [index, state] of chosen.entries()) {
    if (index % PAGES === 0) {
      await context?.close();
      context = await open(look);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(`console: ${message.text()}`);
    });
    const title = `${state.name} (${look.name})`;
    try {
      await page.goto(`${server.address}/?fake=${state.scenario}`);
      await page.getByRole("main").waitFor();
      await state.steps?.(page, look);
      const failed = await page.getByText("has failed.", { exact: false }).filter({ hasText: "The pane" }).count();
      if (failed > 0) complaints.push("a pane has failed");
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (wide > 0) complaints.push(`the page is ${wide} px wider than the window`);
      // Evaluated by the debugger, so the policy of the page does not have to allow it.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run(
          // Invisible guards that keep the focus within an open menu.
          { exclude: [["[data-base-ui-focus-guard]"]] },
          // An open menu or a tooltip stands beside the landmarks for a moment; that is what they do.
          {
            resultTypes: ["violations"],
            // The page of an app is not ours, and hears nobody but its host.
            iframes: false,
            rules: {
              region: {
                enabled: !document.querySelector(
                  "[role=menu], [data-base-ui-portal]:not(:has([role]:not([role=presentation])))",
                ),
              },
              // Two servers side by side have the same panes, each within a region of the server's name.
              "landmark-unique": { enabled: !document.querySelector("[data-side]") },
              "landmark-no-duplicate-banner": { enabled: !document.querySelector("[data-side]") },
            },
          },
        ),
      );
      for (const { id, nodes } of violations) {
        for (const node of nodes.slice(0, 3)) {
          complaints.push(
            `axe ${id}: ${node.html.slice(0, 160)}\n      ${node.failureSummary.split("\n").slice(1, 3).join(" ")}`,
          );
        }
      }
    } catch (error) {
      complaints.push(
        String(error.stack ?? error)
          .split("\n")
          .slice(0, 8)
          .join("\n      "),
      );
    }
    await page.screenshot({ path: `${pictures}/${state.name}-${look.name}.png` }).catch(() => undefined);
    await page.close();
    await context.clearPermissions();
    const outcome = complaints.length === 0 ? "ok  " : "FAIL";
    console.log([`${outcome} ${title}`, ...complaints].join("\n    "));
    if (complaints.length > 0) failures.push(title);
    else passed += 1;
  }
  await context?.close();
}

// Beside each other: they have nothing to do with each other, and take twice as long one by one.
await Promise.all(looks.map(run));
await Promise.all(projectors.map(run));

await browser.close();
server.close();
if (failures.length > 0) console.log(`\nfailed: ${failures.join(", ")}`);
console.log(`states: ${passed} passed, ${failures.length} failed`);
if (failures.length > 0 || passed === 0) process.exitCode = 1;
