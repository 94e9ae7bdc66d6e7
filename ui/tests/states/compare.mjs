// Two runs compared: chosen, side by side, by structure and by lines, copied.
import assert from "node:assert/strict";

import { audit, eventually, state, stateOfAllRuns } from "./browser.mjs";
import { button, hasCount, region } from "./parts.mjs";

const head = (page, nth) => page.locator("[data-card-head]").nth(nth);
const panel = (page) => region(page, "Compare runs");
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
  stateOfAllRuns("compare-structure", "runs_to_compare", async (page) => {
    await menu(page, 0, "Compare with the previous run of this tool");
    await panel(page).getByText("3 changed, 2 added, 1 removed, 1 moved").waitFor();
    await panel(page).getByText("Both results repeat their structured content").waitFor();
    const options = differences(page).getByRole("option");
    await options.filter({ hasText: "arguments.days" }).waitFor();
    await hasCount(options, 7);
    await eventually(async () => assert.deepEqual(await values(page), ["3", "4"]));
    // The values of a run are aligned below each other.
    const left = (of) => of.evaluate((part) => Math.round(part.getBoundingClientRect().left));
    const first = options.first();
    const sides = [
      [
        panel(page)
          .getByRole("row", { name: /^Outcome/ })
          .getByRole("cell"),
        0,
      ],
      [first.locator("span:has(> span) ~ span"), 0],
      [panel(page).getByRole("group", { name: /^Value/ }), 0],
    ];
    for (const side of [0, 1]) {
      const at = await Promise.all(sides.map(([parts]) => left(parts.nth(side))));
      assert.ok(Math.max(...at) - Math.min(...at) <= 2, `at ${at.join(", ")}`);
    }
    // By key, with the focus anywhere in the panel.
    await page.keyboard.press("F7");
    await page.waitForFunction(() =>
      document.querySelector("[aria-label='Value right']")?.textContent.includes('"id": 0'),
    );
    await eventually(async () =>
      assert.match(await differences(page).locator("[aria-selected=true]").innerText(), /tides\[1\]\s+was \[0\]/),
    );
  }),
  stateOfAllRuns("compare-lines", "runs_to_compare", async (page) => {
    await menu(page, 2, "Compare with the previous run of this tool");
    await panel(page).locator("label").filter({ hasText: "Text" }).click();
    await panel(page).getByText("5 lines removed, 5 added").waitFor();
    const selected = panel(page).getByRole("listbox", { name: "Lines" }).locator("[aria-selected=true]");
    await eventually(async () => assert.match(await selected.innerText(), /1100: sight good/));
    for (let i = 0; i < 4; i++) await page.keyboard.press("F7");
    await selected.getByText("3800: sight poor").waitFor();
    await eventually(async () => assert.ok((await panel(page).getByRole("option").count()) < 80));
  }),
  // With names, pins and arguments; including runs of a server that was not shown since the start.
  state("compare-choose-stored", "stored_elsewhere", async (page) => {
    await head(page, 1).waitFor();
    await menu(page, 1, "Compare with…");
    const list = page.getByRole("listbox", { name: "Runs to compare with" });
    await list.getByRole("option").filter({ hasText: "Harbour office" }).waitFor();
    const named = list.getByRole("option").filter({ hasText: "Smoke test" });
    await named.getByRole("img", { name: "Pinned" }).waitFor();
    await named.getByText("Say hello").waitFor();
    await named.getByText('{"name":"Ada"}').waitFor();
    await page.getByRole("searchbox", { name: "Search runs" }).fill("smoke hello");
    await page.getByText("1 run", { exact: true }).waitFor();
    await named.dblclick();
    // Chosen second, but started first.
    await panel(page)
      .getByRole("columnheader", { name: /^Smoke test/ })
      .waitFor();
    const heads = panel(page).getByRole("columnheader");
    await eventually(async () => assert.match((await heads.allInnerTexts())[1], /^Smoke test.*Ada/s));
  }),
  // Runs of two servers, the earlier one on the left; Esc returns to the run.
  stateOfAllRuns("compare-servers", "runs_to_compare", async (page) => {
    await menu(page, 4, "Compare with…");
    const choices = page.getByRole("listbox", { name: "Runs to compare with" }).getByRole("option");
    await choices.first().getByText("Harbour office").waitFor();
    await audit();
    // The search has the focus, and Enter compares.
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Search runs");
    await page.keyboard.press("Enter");
    await panel(page).getByText("1 changed").waitFor();
    await eventually(async () => assert.deepEqual(await fact(page, /^Server/), ["Harbour office", "Demo server ≠"]));
    await eventually(async () => assert.deepEqual(await values(page), ["Good day, Ada!", "Hello, Ada!"]));
    await button(page, "Swap").click();
    await eventually(async () => assert.deepEqual(await values(page), ["Hello, Ada!", "Good day, Ada!"]));
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await head(page, 4).waitFor();
  }),
];
