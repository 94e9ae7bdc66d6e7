// Two runs compared: chosen, side by side, by structure and by lines, copied.
import assert from "node:assert/strict";

import { drawn, eventually, state } from "./browser.mjs";

const head = (page, nth) => page.locator("[data-card-head]").nth(nth);
const panel = (page) => page.getByRole("region", { name: "Compare runs", exact: true });
const fact = (page, name) => panel(page).getByRole("row", { name }).getByRole("cell").allInnerTexts();
const differences = (page) => panel(page).getByRole("listbox", { name: "Differences" });
const values = (page) =>
  Promise.all(
    ["left", "right"].map((side) =>
      panel(page)
        .getByRole("group", { name: `Value ${side}` })
        .innerText(),
    ),
  );

async function menu(page, run, item) {
  await head(page, run).click({ button: "right" });
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

export const compare = [
  state("compare-structure", "runs_to_compare", async (page) => {
    await menu(page, 0, "Compare with the previous run of this tool");
    await panel(page).getByText("3 changed, 2 added, 1 removed, 1 moved").waitFor();
    await panel(page).getByText("Both results repeat their structured content").waitFor();
    const options = differences(page).getByRole("option");
    await options.filter({ hasText: "arguments.days" }).waitFor();
    await eventually(async () => assert.equal(await options.count(), 7));
    await eventually(async () => assert.deepEqual(await values(page), ["3", "4"]));
    // By key from anywhere in the panel.
    await page.keyboard.press("F7");
    await page.waitForFunction(() =>
      document.querySelector("[aria-label='Value right']")?.textContent.includes('"id": 0'),
    );
    await eventually(async () =>
      assert.match(await differences(page).locator("[aria-selected=true]").innerText(), /tides\[1\]\s+was \[0\]/),
    );
    await page.keyboard.press("F7");
    await page.keyboard.press("Shift+F7");
    await drawn(page);
    await eventually(async () =>
      assert.match(await differences(page).locator("[aria-selected=true]").innerText(), /tides\[1\]\s+was \[0\]/),
    );
  }),
  state("compare-lines", "runs_to_compare", async (page) => {
    await menu(page, 2, "Compare with the previous run of this tool");
    await panel(page).locator("label").filter({ hasText: "Text" }).click();
    await panel(page).getByText("5 lines removed, 5 added").waitFor();
    const selected = panel(page).getByRole("listbox", { name: "Lines" }).locator("[aria-selected=true]");
    await eventually(async () => assert.match(await selected.innerText(), /1100: sight good/));
    for (let i = 0; i < 4; i++) await page.keyboard.press("F7");
    await selected.getByText("3800: sight poor").waitFor();
    await eventually(async () => assert.ok((await panel(page).getByRole("option").count()) < 80));
  }),
  // Chosen among the runs of all servers; the same tool comes first.
  state("compare-choose", "runs_to_compare", async (page) => {
    await menu(page, 4, "Compare with…");
    const list = page.getByRole("listbox", { name: "Runs to compare with" });
    await list.getByRole("option").first().getByText("Harbour office").waitFor();
    await page.getByRole("searchbox", { name: "Search runs" }).fill("tide");
    await page.getByText("2 runs", { exact: true }).waitFor();
  }),
  // Runs of two servers; Esc comes back to the run.
  state("compare-servers", "runs_to_compare", async (page) => {
    await menu(page, 4, "Compare with…");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await panel(page).getByText("1 changed").waitFor();
    await eventually(async () => assert.deepEqual(await fact(page, /^Server/), ["Demo server", "Harbour office ≠"]));
    await eventually(async () => assert.deepEqual(await values(page), ["Hello, Ada!", "Good day, Ada!"]));
    await page.getByRole("button", { name: "Swap" }).click();
    await page.waitForFunction(
      () => document.querySelector("[aria-label='Value left']")?.textContent === "Good day, Ada!",
    );
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await head(page, 4).waitFor();
    await menu(page, 4, "Compare with…");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await panel(page).getByText("1 changed").waitFor();
  }),
];
