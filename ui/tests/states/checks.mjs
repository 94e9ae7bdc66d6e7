// Checks: listed, run, stopped, kept, compared with their baseline, and the lists of servers compared.
import assert from "node:assert/strict";

import { audit, eventually, state, stateOfAllRuns } from "./browser.mjs";
import { hasCount, item, menuitem, region, tab } from "./parts.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true }).first();
const toChecks = (page) => tab(page, /^Checks/).click();
const list = (page) => page.getByRole("listbox", { name: "Checks by file" });
const line = (page, name) => list(page).getByRole("option").filter({ hasText: name }).first();
const detail = (page, name) => page.getByRole("complementary", { name: `Check ${name}` });
const head = (page, words) => page.getByRole("status").filter({ hasText: words }).first().waitFor();
const selected = (page) => list(page).locator("[aria-selected=true]");

async function menu(page, item) {
  await page.locator("[data-card-head]").first().click({ button: "right" });
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

export const checkStates = [
  // Without checks, the pane says how to begin.
  state("checks-none", "connected", async (page) => {
    await toChecks(page);
    await page.getByText("No checks yet").waitFor();
    await page.getByText("in the menu of the run").waitFor();
    assert.equal(await button(page, "Run all").count(), 0);
    await button(page, "Go to the tools").click();
    await page.getByRole("tab", { name: /^Tools/, selected: true }).waitFor();
    await page.keyboard.press("Control+Shift+T");
    await button(page, "Choose folder…").click();
    await page.getByText("/home/ada/harbour/checks").waitFor();
    await line(page, "Greets by name").waitFor();
    await button(page, "Use Sonde’s own folder").click();
    await page.getByText("No checks yet").waitFor();
  }),
  // A list with every outcome: the words of each, the reasons, and where they are written.
  state("checks-list", "checks", async (page) => {
    await tab(page, /^Checks.*3/).click();
    await head(page, "8 checks on harbour 1.5.0: 3 pass, 3 fail, 1 skipped, 1 without a verdict (1.4.0: 8 pass)");
    for (const word of ["Pass", "Fail", "Broken", "Not established", "Skipped", "Off", "Not run"]) {
      await list(page).getByText(word, { exact: true }).first().waitFor();
    }
    await line(page, "Tides of three days").click();
    const side = detail(page, "Tides of three days");
    await side.getByText("harbour.sonde.yaml:17").first().waitFor();
    await audit();
    await side.getByRole("button", { name: "Ignore this path" }).first().click();
    await hasCount(side.getByRole("button", { name: "Ignore this path" }), 1);
    // A suite with a matrix: a row for each check, a column for each case.
    await line(page, "Slow reports").click();
    const matrix = page.getByRole("group", { name: "Results by case" });
    await matrix.getByRole("columnheader", { name: "2026-07-28" }).waitFor();
    const row = matrix.getByRole("row", { name: /The logbook can be read/ });
    assert.match((await row.innerText()).replace(/\s+/g, " "), /read Pass 2\.3 ms Broken$/);
    await line(page, "The survey is quick enough").click();
    await hasCount(matrix.getByRole("row"), 2);
    await page.getByRole("checkbox", { name: "Only failed" }).check();
    await hasCount(list(page).getByRole("option"), 6);
    await page.getByRole("searchbox", { name: /Search the checks/ }).fill("nowhere");
    await button(page, "Show all checks").click();
    await line(page, "Tides of three days").waitFor();
  }),
  // By keyboard alone: on and off, moved, run, stopped, removed and restored.
  state("checks-keys", "checks", async (page) => {
    await page.keyboard.press("Control+Shift+T");
    await list(page).waitFor();
    await list(page).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press("ArrowDown");
    await selected(page).getByText("Greets by name").waitFor();
    await page.keyboard.press("Space");
    await selected(page).getByText("Off", { exact: true }).waitFor();
    await page.keyboard.press("Space");
    await selected(page).getByText("Pass", { exact: true }).waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await eventually(async () =>
      assert.match(await list(page).getByRole("option").nth(1).innerText(), /Greets by name/),
    );
    await selected(page).getByText("Greets by name").waitFor();
    await page.keyboard.press("Shift+F10");
    await menuitem(page, "Remove").press("Enter");
    await hasCount(line(page, "Greets by name"), 0);
    await page.keyboard.press("Control+Z");
    await line(page, "Greets by name").waitFor();
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("progressbar", { name: "Progress of the checks" }).waitFor();
    await head(page, "8 checks on harbour 1.5.0: 3 pass, 3 fail");
  }),
  // Esc ends a run. Checks that did not run keep their previous result: none.
  state("checks-running", "checks_running", async (page) => {
    await toChecks(page);
    await head(page, "Running 2 of 9 on Demo server");
    await line(page, "Greets by name").getByText("Running").waitFor();
    await line(page, "Tides of three days").getByText("Waiting").waitFor();
    assert.equal(await button(page, "Run all").count(), 0);
    await audit();
    await line(page, "Greets by name").click();
    await list(page).focus();
    await page.keyboard.press("Escape");
    await button(page, "Run all").waitFor();
    await detail(page, "Greets by name").getByText("Not run yet.").waitFor();
    await line(page, "Greets by name").getByText("Not run", { exact: true }).waitFor();
    await line(page, "The tools are those that we shipped").getByText("Pass", { exact: true }).waitFor();
  }),
  // The pressed button disappears when the run begins: Esc still ends the run, and the list has the focus then.
  state("checks-stop-after-click", "checks", async (page) => {
    await toChecks(page);
    await button(page, "Run all").click();
    await button(page, "Stop").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "Run all").waitFor();
    await eventually(async () => assert.ok(await list(page).evaluate((box) => box === document.activeElement)));
    await line(page, "Greets by name").click();
    await button(page, "Run all").click();
    await button(page, "Stop").waitFor();
    await button(page, "Stop").focus();
    await page.keyboard.press("Escape");
    await button(page, "Run all").waitFor();
    // Esc did not close the details.
    await detail(page, "Greets by name").waitFor();
  }),
  // Checks run for the first time on a server whose command must be confirmed first.
  state("checks-new", "checks_new", async (page) => {
    await toChecks(page);
    await head(page, "10 checks, not run yet");
    await page.getByText("The command of this server was not confirmed yet").waitFor();
    await line(page, "Greets by name").getByText("Not run").waitFor();
    await button(page, "Run all").click();
    await button(page, "Run this command").waitFor();
  }),
  // A file that is not a suite is reported with its place; the others can be used.
  state("checks-broken", "checks_broken", async (page) => {
    await toChecks(page);
    await line(page, "Not a suite: 2 problems").click();
    const side = page.getByRole("complementary", { name: "File draft.sonde.yaml" });
    await side.getByText("Line 9, column 5").waitFor();
    await side.getByText("is no key of a step").waitFor();
    await page.getByText("12 more not read").waitFor();
  }),
  state("checks-unreadable", "checks_unreadable", async (page) => {
    await toChecks(page);
    await page.getByText("cannot be read: it does not exist any more.").waitFor();
    await button(page, "Use Sonde’s own folder").click();
    await page.getByText("No checks yet").waitFor();
  }),
  // On another server: the choice, and another version of the protocol.
  state("checks-run-on", "checks", async (page) => {
    await toChecks(page);
    await button(page, "Run on").click();
    await menuitem(page, "Protocol version 2025-06-18").waitFor();
    await menuitem(page, "Harbour office").click();
    await head(page, "on Harbour office");
    await audit();
    // A file of checks is shown as a presentation.
    await button(page, "Run all").waitFor();
    await list(page).getByRole("option").first().click();
    await button(page, "Present").click();
    await page
      .getByRole("button", { name: /Begin|Start/ })
      .first()
      .waitFor();
  }),
  // The comparison of two runs, with the paths to ignore.
  state("checks-compare", "checks", async (page) => {
    await toChecks(page);
    await line(page, "Tides of three days").dblclick();
    const panel = page.getByRole("region", { name: /^Compare with the baseline/ });
    await panel.getByText("2 changed").waitFor();
    const changes = panel.getByRole("listbox", { name: "Differences" });
    await changes.getByText("result.structuredContent.generatedAt").waitFor();
    await changes.getByRole("option").nth(1).click();
    await button(page, "Ignore in every item").waitFor();
    await changes.getByRole("option").first().click();
    await hasCount(button(page, "Ignore in every item"), 0);
    await button(page, "Ignore this path").click();
    await panel.getByText("1 changed").waitFor();
    await changes.getByText("tides[1].metres").waitFor();
    await button(page, "Ignore this path").click();
    await panel.getByText("Nothing differs from the baseline any more.").waitFor();
    await panel.getByText("The check passes.").waitFor();
    assert.ok(await button(page, "Accept as the new baseline").isDisabled());
  }),
  state("checks-accept", "checks", async (page) => {
    await toChecks(page);
    await line(page, "Tides of three days").click();
    await button(page, "Compare").click();
    await page.getByText("2 changed").waitFor();
    await button(page, "Accept as the new baseline").click();
    await line(page, "Tides of three days").getByText("Pass", { exact: true }).waitFor();
    await tab(page, /^Checks.*2/).waitFor();
  }),
  // The previewed text follows the choices.
  stateOfAllRuns("checks-keep", "checks", async (page) => {
    await menu(page, "Keep as a check…");
    const text = page.getByRole("region", { name: "Check as text" });
    await text.getByText('result: {"type":"same","ignore":[]}').waitFor();
    await page.getByLabel("Except these paths").fill("/structuredContent/at");
    await text.getByText('"ignore":["/structuredContent/at"]').waitFor();
    await page.locator("label").filter({ hasText: "contains a text" }).click();
    await page.getByLabel("Text", { exact: true }).fill("Hello");
    await text.getByText('{"type":"contains","text":"Hello"}').waitFor();
    await page.locator("label").filter({ hasText: "is the same" }).click();
    assert.equal(await page.getByLabel("Except these paths").inputValue(), "/structuredContent/at");
    await page.getByLabel("Duration").selectOption("3");
    await text.getByText("duration_factor: 3").waitFor();
  }),
  stateOfAllRuns("checks-kept", "checks", async (page) => {
    await menu(page, "Keep as a check…");
    await page.getByLabel("Name").fill("Greets Ada");
    await page.keyboard.press("Control+Enter");
    await eventually(async () =>
      assert.ok(await page.evaluate(() => document.activeElement?.closest("[data-focus-name^='run ']") !== null)),
    );
    await button(page, "Show").click();
    await selected(page).getByText("Greets Ada").waitFor();
    await selected(page).getByText("Not run").waitFor();
  }),
  // A check that cannot be written says why, and its draft stays.
  stateOfAllRuns("checks-keep-failed", "checks_read_only", async (page) => {
    await menu(page, "Keep as a check…");
    await page.getByLabel("Name").fill("Greets Ada");
    await page.getByLabel("Except these paths").fill("no pointer");
    await page.getByText("is not a JSON Pointer").waitFor();
    await page.getByLabel("Except these paths").fill("/a");
    await button(page, "Keep").click();
    await page.getByText("The file cannot be written: the folder is read-only.").waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Greets Ada");
    assert.equal(await page.getByLabel("Except these paths").inputValue(), "/a");
  }),
  // The lists of one server at two times, and of two servers.
  state("checks-lists", "checks", async (page) => {
    await page.keyboard.press("Control+K");
    await page.keyboard.type("Compare lists");
    await item(page, /^Compare lists/).click();
    const panel = region(page, "Compare lists");
    await panel.getByText("5 changes: 2 breaking, 2 additive, 1 in descriptions").waitFor();
    await panel.getByRole("region", { name: "Breaking" }).getByText("get_product").waitFor();
    await panel.getByText("Resources were not compared").waitFor();
    const before = panel.getByRole("region", { name: "Before" });
    await before.getByLabel("Lists").selectOption("now");
    await panel.getByText("No changes").waitFor();
    await before.getByLabel("Server").selectOption({ label: "Harbour office" });
    await panel.getByText("5 changes").waitFor();
  }),
];
