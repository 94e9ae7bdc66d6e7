// Serves the test build and opens it in Chromium.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

import { drawn, eventually } from "./clock.mjs";

export { audit, drawn, eventually, passes } from "./clock.mjs";

const folder = fileURLToPath(new URL("../../dist-test", import.meta.url));
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".map": "application/json",
  ".woff2": "font/woff2",
  ".webp": "image/webp",
};

const nonce = "nonce-of-the-tests";

const app = fileURLToPath(new URL("app.html", import.meta.url));
const appPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; sandbox allow-scripts";

// The policy of the packaged app, so that what it forbids fails here too. Like its host, a nonce is added to the page's
// own elements; styles that are created at run time use it as well.
const settings = fileURLToPath(new URL("../../../src-tauri/tauri.conf.json", import.meta.url));
const policy = JSON.parse(readFileSync(settings, "utf8"))
  .app.security.csp.split(";")
  .map((directive) => directive.trim())
  // Pages of apps are served from here.
  .map((directive) => (directive.startsWith("frame-src ") ? "frame-src 'self'" : directive))
  .map((directive) => (/^(script|style)-src /.test(directive) ? `${directive} 'nonce-${nonce}'` : directive))
  .join("; ");

const texts = { "/app.html": () => readFileSync(app, "utf8"), "/empty": () => "<!doctype html><title>Empty</title>" };

/** Returns a page that is not part of the build; undefined for all others. */
function ownPage(path) {
  const policyOfPage = path === "/app.html" ? { "content-security-policy": appPolicy } : {};
  return texts[path] && { headers: { "content-type": "text/html", ...policyOfPage }, body: texts[path]() };
}

/** Serves the test build with the policy of the packaged app. */
export async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const own = ownPage(path);
    if (own) {
      response.writeHead(200, own.headers).end(own.body);
      return;
    }
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy,
      // A file with its hash in the name is requested once per process instead of once per page.
      ...(path.startsWith("/assets/") && { "cache-control": "max-age=3600, immutable" }),
    });
    if (extname(file) === ".html") {
      response.end(readFileSync(file, "utf8").replaceAll("<style>", `<style nonce="${nonce}">`));
    } else {
      createReadStream(file).pipe(response);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/**
 * Returns the development server in test mode, which must be running already: starting one takes longer than a build.
 */
export async function developed() {
  const address = "http://127.0.0.1:1420";
  await fetch(address).catch(() => {
    throw new Error("nothing is served; start `npx vite --mode test` in ui/ first");
  });
  return { address, close: () => undefined };
}

/** Serves the pages that are not part of the sources. */
export async function addOwnPages(context) {
  for (const path of Object.keys(texts)) await context.route(`**${path}`, (route) => route.fulfill(ownPage(path)));
}

/** Waits until a value has changed three times, which shows that work is in progress. */
export async function changes(page, read, known) {
  let last = known ?? (await read());
  for (let times = 0; times < 3; times++) {
    await eventually(async () => assert.notEqual(await read(), last));
    last = await read();
  }
  await drawn(page);
}

/** Starts Chromium. */
export function launch() {
  const executablePath =
    process.env.CHROMIUM ??
    ["chromium-headless-shell", "chromium", "google-chrome"].map((name) => `/usr/bin/${name}`).find(existsSync);
  if (!executablePath) throw new Error("no Chromium found; name one with the variable CHROMIUM");
  // The pages of a context share a process, which has compiled their scripts once.
  const args = ["--process-per-site", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  return chromium.launch({ executablePath, args });
}

/** Returns the path of the module that defines a state, from the root of the project. */
function definingModule() {
  const caller = new Error().stack.split("\n")[3];
  return `ui/tests/states/${basename(caller.replace(/:\d+:\d+\)?$/, ""))}`;
}

/**
 * Defines a state of the window: a scenario of the simulated host, with its steps and expectations. The clock of its
 * page stands still, except for what the steps wait for and for `passes`.
 */
export function state(name, scenario, steps) {
  return { name, scenario, steps, module: definingModule() };
}

/** Lists the runs of all items, not only those of the item beside them. */
export async function showAllRuns(page) {
  const runs = page.getByRole("region", { name: "Runs", exact: true });
  await runs.locator("label").filter({ hasText: /^All$/ }).click();
}

/** Defines a state in which the runs of all items are listed. */
export function stateOfAllRuns(name, scenario, steps) {
  const all = async (page, look) => {
    await showAllRuns(page);
    await steps(page, look);
  };
  return { name, scenario, steps: all, module: definingModule() };
}

/** Defines a state of a presentation, at the sizes of projectors. */
export function projectedState(name, scenario, steps) {
  return { name, scenario, steps, module: definingModule(), projected: true };
}
