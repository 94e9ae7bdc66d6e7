// Opens the MCP Inspector in a browser, connects it to a server, runs a tool, and measures the last of these steps.
//
//   node drive.mjs JOB
//
// JOB is JSON. `inspector`: the command that starts the Inspector. `folder`: a folder for its files. `port`: the port of its
// page. `limit`: seconds for each step. `server`, if it is to connect: an entry of `mcpServers`. `tools`: the least number of
// tools in the server's list. `call`, if it is to run a tool: the `tool`, its numbers (`arguments`), and a text in its result
// (`shown`).
//
// Prints milliseconds, or a JSON string with the reason for having none, and keeps all running until stdin ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { launch } from "../../../ui/tests/states/browser.mjs";

const job = JSON.parse(process.argv[2]);
const screen = "[data-testid=tools-screen]";
/** Milliseconds for closing a browser whose page may hang. */
const CLOSING = 5000;

const browser = await launch("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });

/** Resolves with `otherwise` if a promise takes longer. */
function within(promise, milliseconds, otherwise) {
  let timer;
  const end = new Promise((resolve) => (timer = setTimeout(() => resolve(otherwise), milliseconds)));
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}

/** Bounds a step. A page that hangs or crashes is a result, not an error. */
async function measure(step) {
  try {
    return await within(step(), job.limit * 1000, `no answer in ${job.limit} s`);
  } catch (error) {
    if (/crashed/.test(error.message)) return "page crashed";
    throw error;
  }
}

/**
 * Asks the page in every frame, until it answers a time or a reason for never doing so. Resolves with the reason, or with
 * the milliseconds since `began`. No timeout of Playwright: that waits for a page that hangs.
 */
async function frame(began, shown, argument) {
  const answer = await page.waitForFunction(shown, argument, { polling: "raf", timeout: 0 });
  const at = await answer.jsonValue();
  return typeof at === "number" ? at - began : at;
}

/** Clicks as a script does, and resolves with the time before: a click that hangs the page is measured, not waited for. */
const click = (element) =>
  element.evaluate((button) => {
    setTimeout(() => button.click());
    return Date.now();
  });

/** Starts the Inspector, and resolves with the address of its page. */
function start() {
  const config = join(job.folder, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { measured: job.server ?? { command: "false" } } }));
  const [program, ...args] = [...job.inspector, "--web", "--config", config];
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      HOME: job.folder,
      CLIENT_PORT: String(job.port),
      MCP_APP_ORIGIN_PORT: "0",
      MCP_AUTO_OPEN_ENABLED: "false",
      MCP_STORAGE_DIR: job.folder,
      MCP_INSPECTOR_SECRET_STORE: "memory",
    },
  });
  process.on("exit", () => child.kill());
  let complaints = "";
  child.stderr.on("data", (text) => (complaints += text));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the Inspector ended (${code}): ${complaints}`);
  });
  const listening = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [address] = /http:\/\/\S+TOKEN=\S+/.exec(line) ?? [];
      if (address) resolve(address);
    });
  });
  return Promise.race([listening, ended]);
}

async function open() {
  const began = Date.now();
  await page.goto(await start(), { waitUntil: "commit" });
  return frame(began, () => !!document.querySelector("main [role=switch]") && Date.now());
}

/** Connects, and opens the list of tools. */
async function connect() {
  const began = await click(page.getByRole("switch", { name: "measured" }));
  return frame(
    began,
    ([selector, tools]) => {
      const list = document.querySelector(selector);
      if (list) return Number(list.dataset.toolCount) >= tools && Date.now();
      // The tab comes with the connection.
      [...document.querySelectorAll("header label")].find((tab) => tab.textContent === "Tools")?.click();
      return false;
    },
    [screen, job.tools],
  );
}

/** Chooses the tool and fills its form. */
async function prepareCall() {
  await page.locator(screen).getByText(job.call.tool, { exact: true }).first().click();
  const fields = page.locator(`${screen} input[inputmode]`);
  for (const [place, value] of job.call.arguments.entries()) await fields.nth(place).fill(String(value));
}

async function call() {
  const began = await click(page.getByRole("button", { name: "Execute Tool" }));
  return frame(
    began,
    ([selector, text]) => {
      const called = document.querySelector(selector);
      const status = called?.dataset.callStatus;
      // A lost connection closes the screen.
      if (!called || status === "error") return "call failed";
      return status === "ok" && called.textContent.includes(text) && Date.now();
    },
    [screen, job.call.shown],
  );
}

let outcome = await measure(open);
if (job.server && typeof outcome === "number") outcome = await measure(connect);
if (job.call && typeof outcome === "number") {
  await prepareCall();
  outcome = await measure(call);
}
console.log(JSON.stringify(outcome));
for await (const _ of process.stdin);
await within(browser.close(), CLOSING);
process.exit();
