// Serves the test build and opens it in Chromium.
import { AssertionError } from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

// Another folder may be named, so that two runs do not build into each other.
const folder = process.env.SONDE_TEST_BUILD ?? fileURLToPath(new URL("../../dist-test", import.meta.url));
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".map": "application/json",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

/** How long is waited for anything, in milliseconds. Only what fails takes that long; a busy machine takes its time. */
export const LIMIT = 60_000;

const nonce = "nonce-of-the-tests";

const app = fileURLToPath(new URL("app.html", import.meta.url));
const appPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; sandbox allow-scripts";

// The policy of the packaged app itself, so that what it forbids fails here too. As its host does, a
// nonce is added for the page's own elements; styles that are made at run time carry it on.
const settings = fileURLToPath(new URL("../../../src-tauri/tauri.conf.json", import.meta.url));
const policy = JSON.parse(readFileSync(settings, "utf8"))
  .app.security.csp.split(";")
  .map((directive) => directive.trim())
  // The page of an app comes from here.
  .map((directive) => (directive.startsWith("frame-src ") ? "frame-src 'self'" : directive))
  .map((directive) => (/^(script|style)-src /.test(directive) ? `${directive} 'nonce-${nonce}'` : directive))
  .join("; ");

export async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    if (path === "/app.html") {
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": appPolicy });
      createReadStream(app).pipe(response);
      return;
    }
    if (path === "/empty") {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Empty</title>");
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

/** Waits until what there is now has been laid out and drawn, and what follows from that too. */
export async function drawn(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise((next) => requestAnimationFrame(next));
  });
}

/** Waits until what is asserted of the page holds: what follows from a click may still be under way. */
export async function eventually(check) {
  const deadline = Date.now() + LIMIT;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AssertionError) || Date.now() > deadline) throw error;
    }
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** Waits until what is read is no longer what it was, three times over: something is going on. */
export async function changes(page, read, known) {
  let last = known ?? (await read());
  for (let times = 0; times < 3; times++) {
    const deadline = Date.now() + LIMIT;
    let now = await read();
    while (now === last) {
      if (Date.now() > deadline) throw new Error(`waited ${LIMIT} ms for a change of “${last}”`);
      await drawn(page);
      now = await read();
    }
    last = now;
  }
  await drawn(page);
}

/** Waits until the page's own clock has gone on so far, for what goes by that clock. */
export async function later(page, milliseconds) {
  const now = await page.evaluate(() => performance.now());
  await page.waitForFunction((then) => performance.now() > then, now + milliseconds);
}

export function launch() {
  const executablePath =
    process.env.CHROMIUM ??
    ["chromium-headless-shell", "chromium", "google-chrome"].map((name) => `/usr/bin/${name}`).find(existsSync);
  if (!executablePath) throw new Error("no Chromium found; name one with the variable CHROMIUM");
  // The pages of a context share a process, which has compiled their scripts once.
  const args = ["--process-per-site", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  return chromium.launch({ executablePath, args });
}

/** A state of the window: a scenario of the simulated host, and what is done and must hold in it. */
export function state(name, scenario, steps) {
  return { name, scenario, steps };
}

/** A state of a presentation, at the sizes of projectors. */
export function projectedState(name, scenario, steps) {
  return { name, scenario, steps, projected: true };
}
