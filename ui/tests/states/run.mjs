// Opens every state of the window on the simulated host, in light and dark, at two sizes, and those that use
// the room of a large window in a third: axe must find nothing, nothing may fail in the console, no pane may have
// failed, and the behaviour named with a state must hold.
//
//   node tests/states/run.mjs [--both] [--no-build | --serve] [--junit FILE] [--containing TEXT | NAME | "NAME (LOOK)" ...]
//
// A page is loaded once for two looks: the steps are walked and axe is asked in the first, which is light for one half
// of the states and dark for the other; in the second it has to fit. With --both all of it is done in every look, and
// pictures of all go to artifacts/states; otherwise pictures are of failures. --serve takes the sources from a development server that
// runs (`npx vite --mode test`) instead of a build.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";

import { addOwnPages, developed, launch, serve } from "./browser.mjs";
import { drawn, frozen, inState, LIMIT } from "./clock.mjs";
import { states } from "./states.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = fileURLToPath(new URL("../..", import.meta.url));
const evidence = fileURLToPath(new URL("../../../artifacts/states", import.meta.url));
const ordinary = [
  { name: "light", width: 1280, height: 800, colorScheme: "light" },
  { name: "dark-small", width: 900, height: 600, colorScheme: "dark" },
];
const large = {
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
};

/**
 * Presentations are checked at the sizes of projectors. The layout depends only on the size, and the contrast only on
 * the colours, so two of the four looks cover both.
 */
const projectors = [
  { name: "light-1024x768", width: 1024, height: 768, colorScheme: "light" },
  { name: "dark-1920x1080", width: 1920, height: 1080, colorScheme: "dark" },
];

/** Number of pages that a process opens one after the other, as it releases little of their memory. */
const PAGES = 25;
const MOST_FAILURES = 5;
/** Number of pages that are open at a time. */
const JOBS = 3;

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    both: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    junit: { type: "string" },
    containing: { type: "string", default: "" },
  },
});

const looksOf = (state) =>
  state.projected ? projectors : [...ordinary, ...(large.only.includes(state.name) ? [large] : [])];
const title = (state, look) => `${state.name} (${look.name})`;

const known = new Set(states.flatMap((state) => [state.name, ...looksOf(state).map((look) => title(state, look))]));
const unknown = [...wanted, ...large.only].filter((name) => !known.has(name));
const twice = states.filter(({ name }, at) => states.findIndex((other) => other.name === name) !== at);
if (unknown.length > 0 || twice.length > 0) {
  console.error(`no such state, or more than one: ${[...unknown, ...twice.map(({ name }) => name)].join(", ")}`);
  process.exit(2);
}
/** Returns the loads of a page: the steps run in the first of its looks. */
const queue = states.flatMap((state) => {
  const [one, other, ...rest] = looksOf(state).filter(
    (look) =>
      title(state, look).includes(options.containing) &&
      (wanted.length === 0 || wanted.includes(state.name) || wanted.includes(title(state, look))),
  );
  if (!one) return [];
  const alone = [one, other, ...rest].filter(Boolean).map((look) => ({ state, looks: [look] }));
  // Steps that depend on the look run in each look.
  if (options.both || state.steps.length > 1 || !other || other === large) return alone;
  const hash = [...state.name].reduce((sum, letter) => sum + letter.codePointAt(0), 0);
  return [{ state, looks: hash % 2 === 0 ? [one, other] : [other, one] }, ...alone.slice(2)];
});

if (queue.length === 0) {
  console.log("states: 0 passed, 0 failed");
  process.exit(0);
}
if (!options["no-build"] && !options.serve) {
  execFileSync("npx", ["vite", "build", "--mode", "test", "--logLevel", "warn"], { cwd: root, stdio: "inherit" });
}
mkdirSync(evidence, { recursive: true });

const server = await (options.serve ? developed() : serve());
const browser = await launch();
const results = [];
let failures = 0;

/** Starts a process for pages. */
async function open() {
  const context = await browser.newContext();
  if (options.serve) await addOwnPages(context);
  // Keeps the process, with its compiled scripts, from one page to the next.
  const first = await context.newPage();
  await first.goto(`${server.address}/empty`);
  return context;
}

const show = async (page, { width, height, colorScheme }) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
};

/** Returns the complaints of axe. */
async function violations(page) {
  const found = await frozen(page, async () => {
    // Evaluated by the debugger, so the page's policy does not have to allow it.
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
    return page.evaluate(
      (both) =>
        globalThis.axe.run(
          // Invisible guards that keep the focus within an open menu.
          { exclude: [["[data-base-ui-focus-guard]"]] },
          {
            resultTypes: ["violations"],
            // The page of an app is foreign, and only hears its host.
            iframes: false,
            // The bar that resizes two panes is between them.
            checks: {
              region: {
                options: { regionMatcher: "dialog, [role=dialog], [role=alertdialog], svg, [role=separator]" },
              },
            },
            rules: {
              // The rule takes a third of axe's time, and is not part of WCAG. An open menu or a tooltip is rightly
              // outside of the landmarks for a moment.
              region: {
                enabled:
                  both &&
                  !document.querySelector(
                    "[role=menu], [role=tooltip], [data-base-ui-portal]:not(:has([role]:not([role=presentation])))",
                  ),
              },
              // Two servers side by side have the same panes, each within a region of the server's name.
              "landmark-unique": { enabled: !document.querySelector("[data-side]") },
              "landmark-no-duplicate-banner": { enabled: !document.querySelector("[data-side]") },
            },
          },
        ),
      options.both,
    );
  });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        (node) =>
          `axe ${id}: ${node.html.slice(0, 160)}\n      ${node.failureSummary.split("\n").slice(1, 3).join(" ")}`,
      ),
  );
}

/** Returns complaints about requirements of every page in every look. */
const misfits = (page) =>
  page.evaluate(() => {
    const complaints = [];
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) complaints.push(`the page is ${wide} px wider than the window`);
    // Focus and scrollIntoView also scroll elements with hidden overflow, even by a pixel.
    for (const element of document.querySelectorAll("html, body, body *")) {
      const { scrollHeight, clientHeight, scrollTop } = element;
      if (scrollTop === 0 && (scrollHeight <= clientHeight || clientHeight < innerHeight / 3)) continue;
      if (element !== document.documentElement && getComputedStyle(element).overflowY !== "hidden") continue;
      const name = `<${element.localName} class="${element.className}">`;
      if (scrollTop > 0) complaints.push(`${name} is scrolled by ${scrollTop} px`);
      else complaints.push(`${name} can be scrolled by ${scrollHeight - clientHeight} px`);
    }
    // Text of a server or a user may have backticks, and any words.
    const quoted = "code, pre, textarea, script, style, [data-quoted], .cm-editor, [role=log]";
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (/The pane .*has failed\./.test(data)) complaints.push("a pane has failed");
      const raw = /`|\b(struct|enum) [A-Z]|\binvalid type: |\bat line \d+ column \d/.exec(data);
      if (raw && !parentElement.closest(quoted)) complaints.push(`“${raw[0]}” in “${data.slice(0, 160)}”`);
    }
    return complaints;
  });

/** Returns these complaints, and those of axe. */
const check = async (page) => [...(await misfits(page)), ...(await violations(page))];

const told = (error) =>
  stripVTControlCharacters(String(error.stack ?? error))
    .replace(/Timeout \d+ms exceeded/, `not within ${LIMIT / 1000} s`)
    .split("\n")
    .slice(0, 8)
    .join("\n      ");

/** Milliseconds for operations that may hang with the page. */
const GIVEN_UP = 10_000;

const within = (promise, milliseconds, otherwise) => {
  let timer;
  const end = new Promise((resolve) => (timer = setTimeout(() => resolve(otherwise), milliseconds)));
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
};

/** Writes a picture of a state; a page that hangs shows nothing. */
async function picture(page, name, isFailed) {
  const file = `${evidence}/${name.replace(" (", "-").replace(")", "")}`;
  await page.screenshot({ path: `${file}.png`, timeout: GIVEN_UP }).catch(() => undefined);
  if (!isFailed) return;
  const words = await within(
    page.evaluate("document.body.innerText").catch(() => ""),
    GIVEN_UP,
    "",
  );
  writeFileSync(`${file}.txt`, words);
}

function report(state, { name }, complaints, began) {
  const whole = `${state.name} (${name})`;
  console.log([`${complaints.length === 0 ? "ok  " : "FAIL"} ${whole}`, ...complaints].join("\n    "));
  if (complaints.length > 0) failures += 1;
  results.push({ module: state.module, title: whole, complaints, seconds: (performance.now() - began) / 1000 });
}

/**
 * Runs the steps of a state in a look, and goes on to its other look in the same page. Returns false if the page hangs.
 */
async function walk(context, { state, looks }) {
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`console: ${message.text()}`);
  });
  let isOver = false;
  let isHung = false;
  const complaintsIn = async (run) => {
    const ran = run().catch((error) => (isOver ? undefined : complaints.push(told(error))));
    // A wait ends with its own message before.
    const hangs = `did not end within ${LIMIT / 1000} s`;
    isHung = (await within(ran, LIMIT + 5000, hangs)) === hangs;
    if (isHung) complaints.push(hangs);
    return complaints.splice(0);
  };
  const audit = async () => {
    const found = await check(page);
    if (found.length > 0) throw new Error(found.join("\n"));
  };
  const [shown, other] = looks;
  await show(page, shown);
  await inState(page, audit, async () => {
    const began = performance.now();
    const failed = await complaintsIn(async () => {
      await page.goto(`${server.address}/?fake=${state.scenario}`);
      await page.getByRole("main").waitFor();
      // Keys work from the first paint on; no user is faster.
      await drawn(page);
      await state.steps?.(page, shown);
      complaints.push(...(await check(page)));
    });
    if (failed.length > 0 || options.both) await picture(page, title(state, shown), failed.length > 0);
    report(state, shown, failed, began);
    if (!other) return;
    const turned = performance.now();
    const doubted =
      failed.length === 0 &&
      (await complaintsIn(async () => {
        await show(page, other);
        await drawn(page);
        complaints.push(...(await misfits(page)));
      }));
    if (doubted && doubted.length === 0) return report(state, other, [], turned);
    // Unreachable, or scrolled for the first look, so that a bar may cover half of a button. A separate page tells.
    if (doubted) console.log([`     ${title(state, other)} is walked on its own`, ...doubted].join("\n    "));
    queue.unshift({ state, looks: [other] });
  });
  isOver = true;
  await within(page.close(), GIVEN_UP);
  await within(context.clearPermissions(), GIVEN_UP);
  return !isHung;
}

/** Takes loads until none are left. */
async function work() {
  let context = null;
  const close = async () => {
    if (context) await within(context.close(), GIVEN_UP);
    context = null;
  };
  for (let pages = 0; queue.length > 0 && failures < MOST_FAILURES; pages++) {
    const load = queue.shift();
    if (pages % PAGES === 0) await close();
    context ??= await open();
    // A page that hangs takes its process with it.
    if (!(await walk(context, load))) await close();
  }
  await close();
}

await Promise.all(Array.from({ length: JOBS }, work));
await within(browser.close(), GIVEN_UP);
await server.close();

if (options.junit) {
  const escaped = (text) =>
    text
      // XML does not allow control characters.
      .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
      .replace(/[<>&"]/g, (each) => `&#${each.codePointAt(0)};`);
  const cases = results.map(({ module, title: name, complaints, seconds }) => {
    const head = `<testcase classname="${escaped(module)}" name="${escaped(name)}" time="${seconds.toFixed(3)}"`;
    return complaints.length === 0
      ? `${head}/>`
      : `${head}><failure>${escaped(complaints.join("\n"))}</failure></testcase>`;
  });
  writeFileSync(
    options.junit,
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="states" tests="${results.length}" failures="${failures}">\n${cases.join("\n")}\n</testsuite></testsuites>\n`,
  );
}
const failed = results.filter(({ complaints }) => complaints.length > 0).map(({ title: name }) => name);
if (failed.length > 0) console.log(`\nfailed: ${failed.join(", ")}`);
if (queue.length > 0) console.log(`stopped after ${MOST_FAILURES} failures`);
console.log(`states: ${results.length - failures} passed, ${failures} failed`);
if (failures > 0) process.exitCode = 1;
