import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { button, menuitem, tab } from "./parts.mjs";

const toIssues = (page) => tab(page, /^Issues/).click();
const list = (page) => page.getByRole("listbox", { name: "Issues by rule, worst first" });
const rule = (page, id) => list(page).getByRole("option").filter({ hasText: id }).first();
const detail = (page, id) => page.getByRole("complementary", { name: `Issue ${id}` });

export const issueStates = [
  // Issues of entries that were cleared from the wire log no longer count.
  state("issues-none", "connected", async (page) => {
    await tab(page, "Wire log").click();
    await button(page, "More actions for the wire log").click();
    await menuitem(page, "Clear the wire log").click();
    await toIssues(page);
    await page.getByText("No issues found so far").waitFor();
    await page.getByText(/^Judged so far: \d+ messages, \d+ tools/).waitFor();
  }),
  state("issues-nothing-judged", "fresh", async (page) => {
    await toIssues(page);
    await page.getByText("Nothing was judged yet").waitFor();
  }),
  // By keyboard: a rule is opened, a case is chosen, and leads to its frame; a mark there leads back to it.
  state("issues-list", "issues", async (page) => {
    await toIssues(page);
    await list(page).focus();
    await rule(page, "remarkable").click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await detail(page, "remarkable").getByText("Why it matters").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Wire log", selected: true }).waitFor();
    await page.getByRole("button", { name: "Show in Issues" }).first().click();
    await page.getByRole("tab", { name: /^Issues/, selected: true }).waitFor();
    await detail(page, "remarkable")
      .getByRole("region", { name: "Case" })
      .getByText(/^Entry \d+/)
      .waitFor();
  }),
  // If the details replace the list, keys move through the list until the details are requested.
  state("issues-narrow", "issues", async (page) => {
    await page.setViewportSize({ width: 640, height: 600 });
    await toIssues(page);
    await list(page).focus();
    const selected = list(page).locator("[aria-selected=true]");
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown"]) {
      await page.keyboard.press(key);
      await selected.waitFor();
    }
    const id = await list(page).getByRole("option").first().locator("code").first().innerText();
    await page.keyboard.press("Enter");
    await detail(page, id).getByRole("region", { name: "Case" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("aside[aria-label^='Issue ']"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await selected.waitFor();
    await rule(page, "remarkable").click();
    await detail(page, "remarkable").waitFor();
  }),
  // Grouped by item: an item with all its issues, and one case of it.
  state("issues-by-item", "issues", async (page) => {
    await toIssues(page);
    await page.getByText("By item", { exact: true }).click();
    const items = page.getByRole("listbox", { name: "Issues by item, worst first" });
    await items.getByRole("option").first().click();
    const side = page.getByRole("complementary", { name: /^Issues of / });
    await side.getByRole("button", { name: "Show issue" }).first().press("Enter");
    const shown = page.getByRole("region", { name: "Case" });
    await shown.waitFor();
    // The button disappeared, and the keys still work.
    await page.waitForFunction(() => document.activeElement?.closest("aside[aria-label^='Issue ']"));
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "listbox");
    await items.getByRole("option").nth(1).click();
    await page.keyboard.press("ArrowLeft");
    await side.waitFor();
  }),
  // The subject of a case is selected in its own pane.
  state("issues-tool", "issues", async (page) => {
    await toIssues(page);
    await rule(page, "schema-not-object").click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await button(page, "Go to tool").click();
    await page.getByRole("tab", { name: /^Tools/, selected: true }).waitFor();
    const value = page.getByRole("tree", { name: "Definition, tree" }).getByRole("treeitem", { selected: true });
    await value.getByText("inputSchema").waitFor();
    await audit();
    await page.getByRole("button", { name: "Show in Issues" }).first().click();
    await detail(page, "schema-not-object").getByRole("region", { name: "Case" }).waitFor();
  }),
  state("issues-frames", "issues", async (page) => {
    await toIssues(page);
    await rule(page, "remarkable").click();
    await button(page, "Show in wire log").click();
    await page.getByText(/^4 of \d+$/).waitFor();
    await page.getByRole("grid").getByText("remarkable").first().waitFor();
    await button(page, "Show entries of all rules").click();
    await eventually(async () => assert.ok(await page.getByRole("checkbox", { name: "Only with issues" }).isChecked()));
  }),
  state("issues-muted", "issues", async (page) => {
    await toIssues(page);
    await page.getByRole("searchbox", { name: /Search the issues/ }).fill("nowhere to be found");
    await page.getByText("No matching issues").waitFor();
    await audit();
    await button(page, "Show all issues").click();
    await rule(page, "remarkable").click();
    await button(page, "Mute…").click();
    await page.getByLabel("Reason").fill("The banner is known.");
    await audit();
    await button(page, "Mute for this server").click();
    await tab(page, /^Issues.*4/).waitFor();
    await page.getByRole("checkbox", { name: "Muted (4)" }).check();
    await rule(page, "remarkable").click();
    await detail(page, "remarkable").getByText("The banner is known.").waitFor();
  }),
  // Definitions of a server that differ from the accepted ones.
  state("issues-changed", "definition_changed", async (page) => {
    await toIssues(page);
    await rule(page, "definition-changed").click();
    const changes = detail(page, "definition-changed").getByRole("region", { name: "Changes" });
    await changes.getByText("Current description").waitFor();
  }),
];
