// Compatibility with hosts: the table, its keys, the details of a cell, and its empty states.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";

const tab = (page) => page.getByRole("tab", { name: "Hosts", exact: true });
const grid = (page) => page.getByRole("grid", { name: "Tools by hosts" });
const side = (page) => page.getByRole("region", { name: "Host details" });

async function open(page) {
  await tab(page).click();
  await grid(page).getByRole("rowheader").first().waitFor();
}

/** Moves to the cell of a row and a column by keyboard. */
async function goTo(page, right, down) {
  await grid(page).focus();
  for (let times = 0; times < right; times++) await page.keyboard.press("ArrowRight");
  for (let times = 0; times < down; times++) await page.keyboard.press("ArrowDown");
}

export const hosts = [
  state("hosts", "connected", async (page, { width }) => {
    await open(page);
    // The cost of the tools is shown beside them, or below them if there is less room.
    await side(page).getByText("Largest tools").waitFor();
    const [table, details] = await Promise.all([grid(page).boundingBox(), side(page).boundingBox()]);
    if (width < 1100) assert.ok(details.y >= table.y + table.height);
    else assert.ok(details.x >= table.x + table.width);
    // All hosts can be scrolled to, while the names of the tools stay.
    const name = grid(page).getByRole("rowheader").first();
    const before = await name.boundingBox();
    await grid(page).evaluate((box) => box.scrollTo({ left: 10_000 }));
    assert.equal((await name.boundingBox()).x, before.x);
  }),
  // Moving to a cell by keyboard, its details, and the choice of hosts.
  state("hosts-cell", "connected", async (page) => {
    await open(page);
    await goTo(page, 5, 0);
    await side(page).getByText("About Codex").waitFor();
    await audit();
    const back = page.getByRole("button", { name: "Back to the table" });
    if ((await back.count()) > 0) await back.click();
    await goTo(page, 0, 2);
    await side(page).getByText("In Codex").waitFor();
    if ((await back.count()) > 0) await back.click();
    await page.getByRole("checkbox", { name: "Only problems" }).check();
    await grid(page).getByRole("gridcell", { name: "Degraded" }).first().click();
    await side(page).getByText("What to do:").first().waitFor();
    // A source opens only after its address was shown.
    await side(page)
      .getByRole("button", { name: /json_schema\.rs/ })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .getByText(/github\.com/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await audit();
    if ((await back.count()) > 0) await back.click();
    await page.getByText(/hosts shown$/).click();
    const columns = () => grid(page).getByRole("columnheader").count();
    const before = await columns();
    await page.getByRole("checkbox", { name: "OpenAI API" }).check();
    await eventually(async () => assert.equal(await columns(), before + 1));
    await page.getByRole("checkbox", { name: "Windsurf" }).uncheck();
    await eventually(async () => assert.equal(await columns(), before));
  }),
  state("hosts-many", "many", async (page) => {
    await open(page);
    await grid(page).focus();
    await page.keyboard.press("End");
    await grid(page).locator('[aria-rowindex="10001"]').waitFor();
    const name = await grid(page).getByRole("rowheader").last().innerText();
    await side(page).getByRole("heading", { name, exact: true }).waitFor();
    assert.ok((await grid(page).getByRole("row").count()) < 100);
  }),
];
