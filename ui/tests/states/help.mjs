// The guide in the app: its pages, the search, links, pictures, and the way to it from a failure.
import assert from "node:assert/strict";

import { audit, drawn, state, stateOfAllRuns } from "./browser.mjs";
import { button, item, region } from "./parts.mjs";

const help = (page) => region(page, "Help");
const search = (page) => help(page).getByRole("searchbox", { name: "Search the help" });
const list = (page) => help(page).getByRole("navigation", { name: "Pages" });
const heading = (page, name) => help(page).getByRole("article").getByRole("heading", { name, exact: true });
const isIn = (element, scroller) =>
  element.evaluate((node, name) => {
    const [box, frame] = [node, document.querySelector(`[data-scroll="${name}"]`)].map((one) =>
      one.getBoundingClientRect(),
    );
    return box.top >= frame.top - 1 && box.bottom <= frame.bottom;
  }, scroller);

/** Waits until this heading has the focus, and is visible. */
async function isAt(page, name, file) {
  await heading(page, name).waitFor();
  await page.waitForFunction((text) => document.activeElement?.textContent === text, name);
  assert.ok(await isIn(heading(page, name), `Help ${file}`), `“${name}” is in sight`);
  const below = await heading(page, name).evaluate((node, scroller) => {
    const frame = document.querySelector(`[data-scroll="${scroller}"]`);
    const isAtEnd = frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 1;
    return isAtEnd ? 0 : node.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  }, `Help ${file}`);
  assert.ok(below < 60, `“${name}” is ${below} px below the top`);
}

export const helpStates = [
  // By keyboard to a page, by a link to another one, and back.
  state("help", "connected", async (page) => {
    await item(page, /Say hello/).waitFor();
    await page.keyboard.press("F1");
    await heading(page, "User guide").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Search the help");
    await list(page).getByRole("button", { name: "Read a result" }).click();
    await isAt(page, "Read a result", "read-result");
    await help(page).getByRole("article").getByRole("button", { name: "Find out why a call fails" }).click();
    await isAt(page, "Find out why a call fails", "failing-call");
    await help(page).getByRole("button", { name: "Back" }).click();
    await isAt(page, "Read a result", "read-result");
    assert.equal(await list(page).locator("[aria-current=page]").innerText(), "Read a result");
    await page.keyboard.press("Escape");
    await help(page).waitFor({ state: "detached" });
    await page.keyboard.press("F1");
    await heading(page, "User guide").waitFor();
  }),
  // A page shows its picture in the current theme.
  state("help-page", "connected", async (page, look) => {
    await button(page, "Help").click();
    await list(page).getByRole("button", { name: "Run a tool" }).click();
    await isAt(page, "Run a tool", "run-tool");
    const picture = help(page).getByRole("img").first();
    await picture.evaluate((image) => image.decode());
    assert.match(await picture.getAttribute("src"), new RegExp(`tools-${look.name.split("-")[0]}`));
    await drawn(page);
  }),
  state("help-search", "connected", async (page) => {
    await button(page, "Help").click();
    await search(page).fill("xyzzy plugh");
    await help(page).getByText("Nothing in the help matches “xyzzy plugh”.").waitFor();
    await audit();
    // Words without any hit are ignored, and named.
    await search(page).fill("idle timeout xyzzy");
    const results = help(page).getByRole("list", { name: "Results" });
    await results.locator("mark").first().waitFor();
    await help(page).getByText("Without: xyzzy").waitFor();
    for (const at of [0, 1]) {
      await page.keyboard.press("ArrowDown");
      await results.getByRole("button").nth(at).and(page.locator(":focus")).waitFor();
    }
    // A whole sentence copied from the window finds its entry.
    await search(page).fill("The process ended with exit code 1 before it responded.");
    await results
      .getByRole("button", { name: /^Troubleshooting: connecting › The process ended … before it responded/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await isAt(page, "The process ended … before it responded.", "troubleshooting-connecting");
  }),
  // From a failed connect to its entry.
  state("help-failure", "failed", async (page) => {
    await page.getByRole("region", { name: "Failure report" }).getByRole("button", { name: "Help" }).click();
    await isAt(page, "The command … was not found.", "troubleshooting-connecting");
    await search(page).focus();
  }),
  // From the red box of a run to its entry.
  stateOfAllRuns("help-run", "history", async (page) => {
    const runs = region(page, "Runs");
    await runs.getByText("Run aground").first().click();
    await page.getByText("The tool returned an error").waitFor();
    await runs.getByRole("button", { name: "Help" }).first().click();
    await isAt(page, "The tool returned an error", "troubleshooting-runs");
  }),
  // Links leave the window only through the panel that asks.
  state("help-link", "connected", async (page) => {
    await button(page, "Help").click();
    // A long page with a table.
    await list(page).getByRole("button", { name: "Keyboard shortcuts" }).click();
    await isAt(page, "Keyboard shortcuts", "keyboard");
    await audit();
    await list(page).getByRole("button", { name: "Continuous integration" }).click();
    await help(page).getByRole("button", { name: "jq" }).click();
    await page.getByText("This link comes from the guide.").waitFor();
    assert.equal(await help(page).locator("a[href]").count(), 0);
  }),
  // Moving the focus scrolls neither the window nor the panes themselves.
  state("help-never-scrolls-window", "failed", async (page) => {
    await button(page, "Help").first().click();
    await help(page).waitFor();
    const scrolled = () =>
      page.evaluate(() => {
        const outer = [document.scrollingElement, document.body, ...document.querySelectorAll("#root, main, main > *")];
        return [document.body, document.querySelector("main section")].flatMap((place) => {
          const below = document.createElement("div");
          below.style = "position: absolute; top: calc(100% + 40px); width: 20px; height: 20px";
          place.append(below);
          below.scrollIntoView();
          const tops = outer.map(({ scrollTop }) => scrollTop);
          below.remove();
          return tops;
        });
      });
    assert.ok((await scrolled()).every((top) => top === 0));
  }),
];
