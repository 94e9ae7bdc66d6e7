// Palette, keys, focus and context menus.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { hasCount, item, openItem, runs, tab } from "./parts.mjs";

const palette = (page) => page.getByRole("dialog", { name: "Find anything" });
const active = (page) => palette(page).getByRole("option", { selected: true });

async function open(page) {
  await item(page, /Say hello/).waitFor();
  await page.keyboard.press("Control+k");
}

/** Waits until this element, or one inside it, has the focus. */
async function hasFocus(page, selector) {
  await page.waitForFunction((within) => document.activeElement?.closest(within) !== null, selector);
}

/** Presses a key a number of times, and returns the panes that get the focus. */
async function round(page, key, presses) {
  const names = [];
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(key);
    names.push(
      await page.evaluate(() => document.activeElement.closest("[data-focus-name^='pane ']").dataset.focusName),
    );
  }
  return names.map((name) => name.replace("pane ", ""));
}

export const paletteStates = [
  state("palette", "history", async (page) => {
    await open(page);
    await active(page).filter({ hasText: "Say hello" }).waitFor();
    for (const group of ["Tools", "Runs", "Servers", "Actions"]) {
      await palette(page).getByRole("group", { name: group }).waitFor();
    }
    // A run has the icon of its state.
    const runs = palette(page).getByRole("group", { name: "Runs" }).getByRole("option");
    await runs
      .filter({ hasText: /Timed out/ })
      .locator(".lucide-hourglass")
      .waitFor();
    await audit();
    await page.keyboard.type("de");
    await palette(page).locator("mark", { hasText: "De" }).first().waitFor();
    const first = await active(page).getAttribute("id");
    for (const [key, isFirst] of [
      ["ArrowDown", false],
      ["ArrowUp", true],
    ]) {
      await page.keyboard.press(key);
      await eventually(async () => assert.equal((await active(page).getAttribute("id")) === first, isFirst));
    }
    await page.keyboard.press("Escape");
    await item(page, /Say hello/).click();
    await open(page);
    await page.keyboard.press("Escape");
    await hasFocus(page, "[role=listbox]");
    await page.keyboard.press("Control+k");
    await runs.first().click();
    await hasFocus(page, "[data-card-head][aria-expanded=true]");
  }),
  // Keys in quick succession, without waiting in between.
  state("palette-in-a-hurry", "connected", async (page) => {
    await item(page, /Say hello/).waitFor();
    await tab(page, "About").click();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("tide table");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Read the tide table" }).waitFor();
    await hasFocus(page, "[data-form]");
    await page.keyboard.press("Enter");
    await page.keyboard.type("7");
    await page.keyboard.press("Control+Enter");
    await runs(page).getByText('{"days":7}').first().waitFor();
  }),
  // Also if the form was open before and its tool is read again.
  state("palette-tool-again", "connected", async (page) => {
    await openItem(page, "Read the tide table");
    await page.locator("[data-form] input").first().waitFor();
    await openItem(page, "Say hello");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("tide table");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Read the tide table" }).waitFor();
    await hasFocus(page, "[data-form] input");
  }),
  state("palette-other-server", "connected", async (page) => {
    await open(page);
    await page.keyboard.type("no such thing");
    await page.getByText("Nothing matches “no such thing”.").waitFor();
    await audit();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("projector");
    await active(page).filter({ hasText: "Give a presentation" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("files");
    await active(page).filter({ hasText: "Files" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
    await hasFocus(page, "[role=tabpanel]");
  }),
  state("shortcuts", "connected", async (page) => {
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("Shift+?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await audit();
    await page.getByRole("searchbox", { name: "Search the shortcuts" }).fill("pane");
    await page.getByText("Go to the next pane").waitFor();
    await hasCount(page.getByText("Settings", { exact: true }).filter({ visible: true }), 0);
  }),
  state("panes", "history", async (page) => {
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("Control+Shift+L");
    await hasFocus(page, "[role=listbox]");
    assert.deepEqual(await round(page, "F6", 6), ["form", "runs", "servers", "header", "tabs", "list"]);
    await page.keyboard.press("Shift+F6");
    await hasFocus(page, "[role=tablist]");
    await page.keyboard.press("Control+Shift+F");
    await hasFocus(page, "[data-form]");
    await page.keyboard.press("Control+Shift+O");
    await hasFocus(page, "[data-card-head]");
    await page.keyboard.press("Control+Shift+S");
    await hasFocus(page, "[data-select][aria-current]");
  }),
  // In visual order, without hidden panes; each view is entered at its list.
  state("panes-wire", "history", async (page) => {
    const isSeen = (part) =>
      page.waitForFunction((wanted) => {
        const here = document.activeElement;
        return here.matches(wanted) && here.matches(":focus-visible") && getComputedStyle(here).outlineStyle !== "none";
      }, part);
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("Control+Shift+S");
    await hasFocus(page, "[data-select]");
    await page.keyboard.press("Alt+6");
    await isSeen("[role=grid]");
    assert.deepEqual(await round(page, "F6", 6), ["servers", "header", "tabs", "filters", "entries", "servers"]);
    await page.keyboard.press("Alt+6");
    await isSeen("[role=grid]");
    await page.keyboard.press("Home");
    await page.getByRole("heading", { name: "Process" }).waitFor();
    assert.deepEqual(await round(page, "F6", 2), ["details", "servers"]);
    assert.deepEqual(await round(page, "Shift+F6", 5), ["details", "entries", "filters", "tabs", "header"]);
    // Elements outside of all panes are reached too.
    for (const [key, next] of [
      ["Shift+F6", "details"],
      ["F6", "servers"],
    ]) {
      await page.getByRole("checkbox", { name: "Auto-scroll" }).focus();
      assert.deepEqual(await round(page, key, 1), [next]);
    }
    for (const [key, list, search] of [
      ["Alt+6", "[role=grid]", "Search the wire log"],
      ["Alt+7", "[role=listbox]", "Search the console"],
    ]) {
      await page.keyboard.press(key);
      await hasFocus(page, list);
      await page.keyboard.press("/");
      await hasFocus(page, `[aria-label^='${search}']`);
    }
    await page.keyboard.press("Alt+1");
    await hasFocus(page, "[role=listbox]");
    await page.keyboard.press("Control+Shift+O");
    await hasFocus(page, "[data-card-head]");
    await page.keyboard.press("/");
    await hasFocus(page, "[aria-label='Search the runs']");
  }),
  // If the focused element disappears with its view, its panel or its server, the focus moves to its place.
  state("focus-follows", "history", async (page) => {
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("Control+Shift+L");
    await page.keyboard.press("Alt+6");
    await hasFocus(page, "[role=grid]");
    await page.keyboard.press("Control+,");
    await hasFocus(page, "section");
    await page.keyboard.press("Escape");
    await hasFocus(page, "[role=grid]");
    await page.keyboard.press("Alt+1");
    await hasFocus(page, "[role=listbox]");
  }),
  // The web view zooms; the zoom set by keys is stored, and the text has its own size.
  state("zoom-and-text-size", "connected", async (page) => {
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("Control+Shift+Equal");
    await page.keyboard.press("Control+Equal");
    await page.keyboard.press("Control+,");
    const zoom = page.getByRole("region", { name: "Zoom" });
    const percent = zoom.getByRole("combobox", { name: "Zoom of the window" });
    const is = (value) => eventually(async () => assert.equal(await percent.inputValue(), value));
    await is("125");
    await percent.selectOption("110%");
    await is("110");
    await page.keyboard.press("Control+0");
    await is("100");
    const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
    const before = await size();
    await page.getByText("Large", { exact: true }).click();
    await page.locator("html[data-text=large]").waitFor();
    assert.ok((await size()) / before >= 1.25, "large text is larger");
    await page.keyboard.press("Escape");
    await item(page, /Say hello/).waitFor();
    // The rows grow with their text.
    await eventually(async () =>
      assert.deepEqual(
        await page.getByRole("option").evaluateAll((rows) =>
          rows
            .filter((row) => {
              const { top, bottom } = row.getBoundingClientRect();
              return [...row.querySelectorAll("span, div")].some((part) => {
                const box = part.getBoundingClientRect();
                return box.top < top - 0.5 || box.bottom > bottom + 0.5;
              });
            })
            .map((row) => row.innerText),
        ),
        [],
      ),
    );
  }),
  // A window of 900x600 at 200 %.
  state("zoomed-to-200", "history", async (page, look) => {
    await page.setViewportSize({ width: look.width / 2, height: look.height / 2 });
    await item(page, /Say hello/).waitFor();
    for (const [key, within] of [
      ["L", "[role=listbox]"],
      ["O", "[data-card-head]"],
      ["F", "[data-form]"],
    ]) {
      await page.keyboard.press(`Control+Shift+${key}`);
      await hasFocus(page, within);
      const { left, right } = await page.evaluate(() => {
        const { left, right } = document.activeElement.getBoundingClientRect();
        return { left, right };
      });
      assert.ok(left >= 0 && right <= look.width / 2, `${within} reaches from ${left} to ${right}`);
    }
  }),
  // By the right button and by its keys, for every subject with actions; the focus returns.
  state("context-menus", "history", async (page) => {
    const menu = page.getByRole("menu", { name: "Actions" });
    const item = (name) => menu.getByRole("menuitem", { name, exact: true });
    await page
      .getByRole("button", { name: /^Files|FI/ })
      .first()
      .click({ button: "right" });
    await item("Connect").waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.getByRole("option", { name: /Read the tide table/ }).click({ button: "right" });
    await item("Open the form").click();
    await page.getByRole("heading", { name: "Read the tide table" }).waitFor();
    await hasFocus(page, "[data-form]");
    await page.keyboard.press("Control+Shift+L");
    await page.keyboard.press("Shift+F10");
    await item("Copy tool definition").waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await hasFocus(page, "[role=listbox]");
    await page.keyboard.press("Control+Shift+O");
    await page.keyboard.press("ContextMenu");
    await item("Show in wire log").click();
    await hasFocus(page, '[data-focus-name="pane entries"]');
    await page.getByRole("row", { selected: true }).click({ button: "right" });
    await item("Go to run").waitFor();
  }),
];
