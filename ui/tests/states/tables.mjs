// Results as tables: sorted, filtered, with columns of another width, copied.
import assert from "node:assert/strict";

import { drawn, eventually, stateOfAllRuns } from "./browser.mjs";
import { button, catchCopies } from "./parts.mjs";

const head = (page, nth) => page.locator("[data-card-head]").nth(nth);
const table = (page, name) => page.getByRole("table", { name, exact: true });
const cells = (page, name, nth) => table(page, name).getByRole("row").nth(nth).getByRole("cell").allInnerTexts();
const title = (page, name, column) => table(page, name).getByRole("columnheader", { name: column, exact: true });

async function copyAs(page, format) {
  await button(page, "Copy table").click();
  await page.getByRole("menuitem", { name: `Copy as ${format}`, exact: true }).click();
}

export const tables = [
  // Hidden columns are scrolled to, by pointer or key.
  stateOfAllRuns("table-wide", "tables", async (page) => {
    await head(page, 0).click();
    await table(page, "tides").getByText("Bergen").first().waitFor();
    await title(page, "tides", "port").getByRole("button").focus();
    for (let times = 0; times < 40; times++) await page.keyboard.press("Shift+ArrowRight");
    for (const side of ["right", "left"]) {
      const on = page.getByRole("button", { name: `Columns to the ${side}` });
      for (let times = 0; times < 12 && (await on.getAttribute("aria-disabled")) === "false"; times++) {
        await on.press("Enter");
        await drawn(page);
      }
      await eventually(async () => assert.equal(await on.getAttribute("aria-disabled"), "true"));
    }
    assert.equal(await table(page, "tides").evaluate((one) => one.scrollLeft), 0);
  }),
  // A result has its own menu, with the cell under the pointer and the selection.
  stateOfAllRuns("result-menu", "tables", async (page) => {
    await head(page, 0).click();
    await catchCopies(page);
    const cell = table(page, "tides").getByText("Bergen").first();
    await cell.click({ button: "right" });
    for (const name of ["Copy result", "Open full size"]) await page.getByRole("menuitem", { name }).waitFor();
    await page.getByRole("menuitem", { name: "Copy value", exact: true }).click();
    await page.getByText("Value copied").waitFor();
    await eventually(async () => assert.equal(await page.evaluate(() => globalThis.copied), "Bergen"));
    await cell.selectText();
    await cell.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Copy selection", exact: true }).waitFor();
  }),
  // Fifty thousand rows, held by a worker: the page renders a few.
  stateOfAllRuns("table-large", "tables", async (page) => {
    await head(page, 0).click();
    await table(page, "tides").getByText("Bergen").first().waitFor();
    await eventually(async () => assert.equal(await table(page, "tides").getAttribute("aria-rowcount"), "50001"));
    await eventually(async () => assert.ok((await table(page, "tides").getByRole("row").count()) < 80));
    await title(page, "tides", "metres").getByRole("button").click();
    await table(page, "tides").getByText("0.001").first().waitFor();
    await eventually(async () =>
      assert.equal(await title(page, "tides", "metres").getAttribute("aria-sort"), "ascending"),
    );
    await eventually(async () => assert.deepEqual(await cells(page, "tides", 1), ["1", "Bergen", "0", "high"]));
    await page.getByRole("searchbox", { name: "Filter rows" }).fill("oslo 1.5");
    await page
      .getByText(/of 50,000/)
      .first()
      .waitFor();
  }),
  // Arrow keys move from title to title, Shift with them changes the width, and so does the handle.
  stateOfAllRuns("table-columns", "tables", async (page) => {
    await head(page, 1).click();
    await button(page, "Maximize run").click();
    await table(page, "Rows").waitFor();
    const width = async (column) => (await title(page, "Rows", column).boundingBox()).width;
    await title(page, "Rows", "name").getByRole("button").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const before = await width("length");
    await page.keyboard.press("Shift+ArrowRight");
    await drawn(page);
    assert.ok(Math.abs((await width("length")) - before - 16) <= 1);
    const at = await title(page, "Rows", "call").boundingBox();
    await page.mouse.move(at.x + at.width, at.y + 10);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width + 40, at.y + 10, { steps: 4 });
    await page.mouse.up();
    await drawn(page);
    assert.ok(Math.abs((await width("call")) - at.width - 40) <= 1);
    await page.mouse.dblclick(at.x + at.width + 40, at.y + 10);
    await drawn(page);
    assert.ok(Math.abs((await width("call")) - at.width) <= 1);
  }),
  // Copies the visible rows.
  stateOfAllRuns("table-copied", "tables", async (page) => {
    await catchCopies(page);
    await head(page, 1).click();
    await title(page, "Rows", "length").getByRole("button").click();
    await table(page, "Rows").getByRole("row").nth(1).getByText("Gjøa").waitFor();
    await copyAs(page, "CSV");
    await page.getByText("3 rows copied as CSV; 1 cell begins with ' so that no spreadsheet runs it").waitFor();
    await page.getByRole("searchbox", { name: "Filter rows" }).fill("fram");
    await page.getByText("1 of 3").waitFor();
    await copyAs(page, "TSV");
    await page.getByText("1 row copied as TSV", { exact: true }).waitFor();
    const copied = "name\tcall\tlength\tnotes\r\nFram\tLCFQ\t39\t\r\n";
    await eventually(async () => assert.equal(await page.evaluate(() => globalThis.copied), copied));
  }),
];
