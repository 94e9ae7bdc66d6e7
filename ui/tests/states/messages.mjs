// Log messages: the requested level, and the messages of the server.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { button, hasCount, hasValue, item, region, tab } from "./parts.mjs";

const lines = (page) => page.getByRole("listbox", { name: "Console lines, oldest first" });
const choice = (page, name) => page.getByRole("combobox", { name, exact: true });

export const messages = [
  // Filtered by level and logger; each message leads to its run and shows its data.
  state("console-messages", "told", async (page) => {
    await page.keyboard.press("Alt+7");
    await lines(page).getByRole("option").filter({ hasText: "Buoy 4" }).waitFor();
    await eventually(async () => assert.ok((await choice(page, "Level").innerText()).includes("error and above (1)")));
    await choice(page, "Logger").selectOption("station");
    await choice(page, "Level").selectOption("4");
    const message = lines(page)
      .getByRole("option")
      .filter({ hasText: /run \d+/ });
    await hasCount(message, 1);
    await message.click();
    await page.getByText("Details", { exact: true }).click();
    const details = page.getByRole("complementary", { name: /Console line/ });
    await details.getByRole("tree", { name: "Data, tree" }).waitFor();
    await audit();
    await lines(page).focus();
    await page.keyboard.press("ArrowLeft");
    await details.waitFor({ state: "hidden" });
    await page.keyboard.press("ArrowRight");
    await details.getByRole("button", { name: "Go to run" }).waitFor();
    // The name of the run leads to it.
    await lines(page).locator("[data-tip^='Go to run ']").first().click();
    await page.locator("[data-card-head][aria-expanded=true]").getByText("Survey the buoys").waitFor();
  }),
  // An open request of the server leaves room for the lines.
  state("console-request-open", "serverRequests", async (page) => {
    await page.keyboard.press("Alt+7");
    const request = page.getByRole("region", { name: "Server requests" });
    await request.getByRole("button", { name: /outside of any run/, expanded: true }).waitFor();
    await eventually(async () => {
      const rows = await lines(page).evaluate((list) => list.clientHeight / 22);
      assert.ok(rows >= 8, `${rows} rows`);
    });
  }),
  // A request that a rule answered has a line, which leads to the request and to the run.
  state("console-rule", "request_rules", async (page) => {
    const outside = page.getByRole("region", { name: "Server requests" });
    await outside.getByText("this one is cancelled 300 s after it came, unless you answer first").waitFor();
    await outside.getByText("its saved answer is no longer there.").waitFor();
    const runs = region(page, "Runs");
    await runs.locator("[data-card-head]").first().click();
    await runs.getByText("1 server request answered by rule").click();
    await runs.getByText("Answered by rule: declined").waitFor();
    await audit();
    await tab(page, "Console").click();
    const line = item(page, /Answered by rule for forms: declined/);
    await line.click();
    await line.getByText(/^run \d+$/).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Go to run" }).waitFor();
    await page.getByRole("button", { name: "Go to request" }).waitFor();
  }),
  // The requested level is stored, and sent to the server.
  state("console-server-level", "connected", async (page) => {
    await page.keyboard.press("Alt+7");
    await choice(page, "Server log level").selectOption("warning");
    await hasValue(choice(page, "Server log level"), "warning");
    await page.keyboard.press("Alt+6");
    await page.getByRole("row").filter({ hasText: "logging/setLevel" }).first().waitFor();
  }),
  // A raw request is a run with its result as JSON, and can be put back into the form.
  state("raw-request", "connected", async (page) => {
    await tab(page, "Raw request").click();
    await choice(page, "Known methods").selectOption("tools/list");
    const method = page.getByRole("textbox", { name: "Method" });
    await hasValue(method, "tools/list");
    await button(page, "Send request").click();
    await page.getByRole("tree", { name: "Result, tree" }).waitFor();
    await method.fill("x/unknown");
    await button(page, "Send request").click();
    await page.getByText("The server returned an error").waitFor();
    await audit();
    await page.locator("[data-card-head]").nth(1).click();
    await button(page, "Edit").click();
    await hasValue(method, "tools/list");
    await page.getByText("Raw request replaced").waitFor();
    // Methods that Sonde sends itself have a warning; a notification has no response.
    await choice(page, "Known methods").selectOption("notifications/initialized");
    await page.getByText("A server may not expect a second one.").waitFor();
    await button(page, "Send notification").click();
    await page.getByText("Sent without response: nothing answers a notification.").waitFor();
    await audit();
    await choice(page, "Known methods").selectOption("ping");
    await page.getByRole("textbox", { name: "Params" }).click();
    await page.keyboard.type("[1,");
    await page.getByText("The params are not valid JSON, so they cannot be sent.").waitFor();
    assert.ok(await button(page, "Send request").isDisabled());
  }),
  // The `_meta` of a run: sent as typed, with warnings, shown on the run.
  state("run-meta", "connected", async (page) => {
    await item(page, /Say hello/).click();
    await page.getByText("Metadata (_meta)", { exact: true }).click();
    await page.getByRole("button", { name: "New traceparent" }).click();
    await page.getByText("Metadata (_meta): sent with each run from this form").waitFor();
    await button(page, "Run").first().click();
    await page.getByText("Hello, Ada!").first().waitFor();
    await page.getByText("Further params", { exact: true }).click();
    await page.getByRole("group", { name: "Further params as typed" }).getByText("traceparent").first().waitFor();
  }),
];
