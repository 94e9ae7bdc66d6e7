// The panes of the window: their sizes, collapsed, maximized, the runs below the form.
import assert from "node:assert/strict";

import { audit, eventually, passes, showAllRuns, state } from "./browser.mjs";
import { button, hasCount, menuitem, openItem, region } from "./parts.mjs";

const separator = (page, name) => page.getByRole("separator", { name: `Resize ${name}`, exact: true });
const box = (locator) => locator.boundingBox();
const focusIs = (page, name) =>
  page.waitForFunction((label) => document.activeElement?.getAttribute("aria-label") === label, name);
/** Waits until an element has this size. */
const extent = (locator, side, holds) =>
  eventually(async () => {
    const now = (await box(locator))[side];
    assert.ok(holds(now), `${side} is ${now}`);
  });

export const panes = [
  // By keyboard, by mouse, and back to the initial size.
  state("panes-resize", "connected", async (page) => {
    await region(page, "Tool").getByRole("heading", { name: "Say hello" }).waitFor();
    const list = region(page, "Tool list");
    const before = (await box(list)).width;
    await separator(page, "tool list").focus();
    await page.keyboard.press("ArrowRight");
    await extent(list, "width", (it) => it > before + 20);
    await page.keyboard.press("Enter");
    await extent(list, "width", (it) => Math.abs(it - before) < 2);
    // Also before the settings have answered.
    await Promise.all([page.keyboard.press("ArrowRight"), page.keyboard.press("Enter")]);
    await extent(list, "width", (it) => Math.abs(it - before) < 2);
    const at = await box(separator(page, "runs"));
    const runs = region(page, "Runs");
    const width = (await box(runs)).width;
    await page.mouse.move(at.x, at.y + 200);
    await page.mouse.down();
    await page.mouse.move(at.x - 40, at.y + 200, { steps: 4 });
    await page.mouse.up();
    await extent(runs, "width", (it) => Math.abs(it - width - 40) < 8);
    await separator(page, "runs").dblclick();
    await extent(runs, "width", (it) => Math.abs(it - width) < 2);
  }),
  // A collapsed pane leaves a button that shows it again, which gets the focus.
  state("panes-below", "history", async (page) => {
    await button(page, "Collapse runs").click();
    await focusIs(page, "Show runs");
    await region(page, "Runs").waitFor({ state: "hidden" });
    await audit();
    await button(page, "Show runs").click();
    await focusIs(page, "Collapse runs");
    await button(page, "Collapse tool list").click();
    await focusIs(page, "Show tool list");
    await audit();
    // A search shows the list again.
    await page.keyboard.press("/");
    await focusIs(page, "Search tools");
    await button(page, "Show runs below the form").click();
    await button(page, "Show runs beside the form").waitFor();
    const form = await box(region(page, "Tool"));
    const runs = await box(region(page, "Runs"));
    assert.ok(runs.y >= form.y + form.height && Math.abs(runs.width - form.width) < 2);
  }),
  // From the menu of any run, and of any entry.
  state("panes-run-opened", "history", async (page, look) => {
    await showAllRuns(page);
    await page.getByRole("button", { name: /Read the logbook/ }).click({ button: "right" });
    await menuitem(page, "Open full size").click();
    await button(page, "Restore run").waitFor();
    await eventually(async () => assert.ok((await box(region(page, "Runs"))).width > look.width - 4));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+6");
    await page.getByRole("grid").locator("[data-row]").nth(2).click({ button: "right" });
    await menuitem(page, "Open full size").click();
    await extent(page.getByRole("complementary"), "width", (it) => it > look.width - 4);
  }),
  // Each also covers the list of servers, until Escape, and then the focus returns.
  state("panes-maximized", "history", async (page, { width }) => {
    await showAllRuns(page);
    const isAll = (it) => it > width - 4;
    const isBeside = (it) => it < width - 50;
    await openItem(page, "Plan a voyage");
    const maximized = async (name, pane) => {
      await button(page, `Maximize ${name}`).click();
      await extent(pane, "width", isAll);
      await audit();
      await page.keyboard.press("Escape");
      await focusIs(page, `Maximize ${name}`);
      await extent(pane, "width", isBeside);
    };
    await maximized("form", region(page, "Tool"));
    await page.keyboard.press("Alt+6");
    await page.getByRole("grid").focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await page.getByRole("heading", { name: "Request · initialize" }).waitFor();
    await maximized("log entry", page.getByRole("complementary"));
    await page.keyboard.press("Alt+7");
    await maximized("console", region(page, "Console"));
    await page.keyboard.press("Alt+5");
    await maximized("issues", region(page, "Issues"));
    await page.keyboard.press("Alt+1");
    await page.locator("[data-card-head]").first().click({ button: "right" });
    await menuitem(page, "Compare with…").click();
    const panel = region(page, "Choose a run to compare with");
    // Escape restores the panel first, and then closes it.
    await maximized("comparison", panel);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Read the logbook/ }).click();
    await maximized("run", region(page, "Runs"));
    await eventually(async () => assert.ok((await page.locator("[data-operation]").count()) > 3));
    await button(page, "Maximize run").click();
    await page.getByRole("group", { name: "Text, text" }).waitFor();
    await hasCount(page.locator("[data-operation]"), 1);
    await button(page, "Restore run").filter({ hasText: "Restore" }).waitFor();
    await region(page, "Runs").getByText("Esc", { exact: true }).waitFor();
  }),
  // One kind of tooltip, which never covers an open menu, and disappears with its element.
  state("tooltip", "history", async (page) => {
    const tip = page.getByRole("tooltip");
    await button(page, "Maximize form").hover();
    await passes(page, 700);
    assert.equal(await tip.innerText(), "Maximize form");
    await page.keyboard.press("Alt+6");
    await page.getByRole("grid").locator("[data-row]").nth(2).locator("[data-tip]").first().hover();
    await passes(page, 700);
    await tip.waitFor();
    // One kind of tooltip.
    assert.deepEqual(await page.locator("[title]:not(iframe)").evaluateAll((all) => all.map((it) => it.outerHTML)), []);
  }),
  state("panes-streams", "listening", async (page) => {
    await page.keyboard.press("Alt+8");
    const events = region(page, "Stream events");
    const before = (await box(events)).width;
    await separator(page, "stream events").focus();
    await page.keyboard.press("ArrowLeft");
    await extent(events, "width", (it) => it > before + 20);
    await button(page, "Collapse stream events").click();
    await focusIs(page, "Show stream events");
    await events.waitFor({ state: "hidden" });
    await button(page, "Show stream events").click();
    await events.waitFor();
  }),
];
