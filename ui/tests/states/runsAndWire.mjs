// States of the runs column, of results and of the wire log.
import assert from "node:assert/strict";

import { audit, changes, drawn, eventually, passes, showAllRuns, state, stateOfAllRuns } from "./browser.mjs";
import { button, hasCount, hasValue, menuitem, openItem, runs, tab } from "./parts.mjs";

const heads = (page) => runs(page).locator("[data-card-head]");
const head = (page, name, nth = 0) => heads(page).filter({ hasText: name }).nth(nth);
const card = (page, operation) => page.locator(`[data-operation="${operation}"]`);
const wireRows = (page) => page.getByRole("grid").locator("[data-row]");

async function toWire(page) {
  await page.keyboard.press("Alt+6");
  await page.getByRole("grid").waitFor();
  await wireRows(page).first().waitFor();
}

/** Returns the visible rows of a virtual list, by index. */
const visible = (page) =>
  page.getByRole("grid").evaluate((grid) => {
    const box = grid.getBoundingClientRect();
    return [...grid.querySelectorAll("[data-row]")]
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= box.top + 25 && bottom <= box.bottom + 1;
      })
      .map((row) => Number(row.dataset.row))
      .toSorted((a, b) => a - b);
  });

export const runsAndWire = [
  // Runs of an earlier start are below those of this one, with their days; a pinned one is on top.
  stateOfAllRuns("runs-stored", "stored", async (page) => {
    await card(page, 8).waitFor();
    const names = await heads(page).evaluateAll((all) => all.map((one) => one.innerText.split("\n")[0]));
    assert.deepEqual([names[0], names[1], names.length], ["Smoke test Say hello", "Say hello", 9]);
    const days = await runs(page).getByRole("heading", { level: 3 }).allInnerTexts();
    assert.deepEqual([days[0], days[1], days[2], days.length], ["Pinned", "Today", "Yesterday", 9]);
    await card(page, 1).locator("[data-card-head]").click();
    await page.getByText("Greets Ada.").waitFor();
    await card(page, 1).getByText("Messages", { exact: true }).click();
    await page.getByText("→ +0.0 ms").waitFor();
    await card(page, 2).locator("[data-card-head]").click();
    await page.getByText("Messages are stored only for runs with a pin, a name or a note.").waitFor();
    await card(page, 1).locator("[data-card-head]").click();
    await page.getByText("Greets Ada.").waitFor();
    await hasCount(page.getByText("Raw request and response"), 0);
    await audit();
    await page.getByRole("main").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Not connected.").waitFor();
    await eventually(async () =>
      assert.ok(await card(page, 1).getByRole("button", { name: "Run again" }).isDisabled()),
    );
  }),
  state("runs-stored-loading", "stored_loading", async (page) => {
    await page.getByText("Reading earlier runs…").waitFor();
    await head(page, "Say hello").waitFor();
  }),
  stateOfAllRuns("runs-search", "stored", async (page) => {
    await card(page, 8).waitFor();
    const search = page.getByRole("searchbox", { name: "Search the runs" });
    // Hits are marked, with their text if the card does not show it.
    await search.fill("kind high");
    const found = head(page, "Spring tides");
    await found
      .getByText(/^Result: /)
      .locator("mark", { hasText: "kind" })
      .first()
      .waitFor();
    await search.fill("spring 3");
    await runs(page).getByText("1 of 9").waitFor();
    for (const hasText of ["Spring", "3"]) await found.locator("mark", { hasText }).waitFor();
    await hasCount(heads(page), 1);
    await page.keyboard.press("Enter");
    await found.and(page.locator(":focus")).waitFor();
    await audit();
    await search.fill("nowhere");
    await page.getByText("No matching runs").waitFor();
    await audit();
    await button(page, "Show all runs").click();
    await card(page, 8).waitFor();
  }),
  // A run is renamed; a pin moves the run to the top.
  stateOfAllRuns("run-label", "stored", async (page) => {
    await head(page, "Spring tides").click({ button: "right" });
    await menuitem(page, "Name and note…").click();
    const form = page.getByRole("form", { name: "Name and note" });
    await form.getByRole("textbox", { name: "Name" }).fill("Neap tides");
    await audit();
    await page.keyboard.press("Enter");
    await head(page, "Neap tides").waitFor();
    await page.getByRole("button", { name: "Pin this run" }).click();
    await page.getByRole("button", { name: "Unpin this run" }).waitFor();
    assert.match(await heads(page).first().innerText(), /^Neap tides Read the tide table\n/);
  }),
  // Missing parts are reported, and such a run cannot be repeated by mistake.
  stateOfAllRuns("run-stored-in-part", "stored", async (page) => {
    await head(page, "Survey the buoys").click();
    await page.getByText("Secrets in the arguments were replaced").waitFor();
    await eventually(async () => assert.ok(await page.getByRole("button", { name: "Run again" }).isDisabled()));
    await head(page, "Read the logbook").click();
    await page.getByText("was not stored with the run").waitFor();
  }),
  stateOfAllRuns("result-media", "history", async (page) => {
    await head(page, "Read the tide table").click();
    const table = page.getByRole("table", { name: "tides" });
    await table.getByRole("button", { name: "metres" }).click();
    await table.getByRole("button", { name: "metres" }).click();
    await eventually(async () =>
      assert.equal(await table.getByRole("row").nth(1).getByRole("cell").first().innerText(), "3"),
    );
    await page.getByText("Same content as text").waitFor();
    await audit();
    await head(page, "Show the chart").click();
    await page.getByText("320 × 200 px").waitFor();
    await page.getByText("https://example.org/charts/north-sea?edition=12").scrollIntoViewIfNeeded();
    await page.getByText("9007199254740993.0").waitFor();
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }),
  state("result-markdown", "connected", async (page) => {
    await openItem(page, "Read the logbook");
    await page.keyboard.press("Control+Enter");
    await runs(page).getByRole("heading", { name: "Page 1" }).waitFor();
    await runs(page)
      .locator("label")
      .filter({ hasText: /^Text$/ })
      .click();
    await runs(page).getByText("## Page 1").waitFor();
  }),
  state("result-needs-handshake", "needs_handshake", async (page) => {
    await head(page, "Hail the pilot").click();
    await page.getByText("This needs the handshake.").waitFor();
    await page.getByRole("button", { name: "Always use the handshake for this server" }).waitFor();
    await page.getByText("no back-channel for server-initiated requests").first().waitFor();
    await audit();
    // The click connects with the handshake and runs again; the failed run stays.
    await page.getByRole("button", { name: "Reconnect with the handshake and run again" }).click();
    await page.locator("[data-server-request]").first().waitFor();
    await hasCount(head(page, "Hail the pilot"), 1);
    await hasCount(runs(page).locator("[data-operation]"), 2);
  }),
  stateOfAllRuns("result-refused", "history", async (page) => {
    await head(page, "Forbidden waters").click();
    await page.getByText("The server returned an error").waitFor();
    // Short data is expanded.
    await page.getByText("Code and data").waitFor();
    await page.getByText("-32602").first().waitFor();
    await page.getByText("Raw request and response").click();
    // The run took as long as its only request: one duration is shown.
    await page.getByText(/ after the request$/).waitFor();
    await page
      .getByRole("group", { name: "Response as recorded", exact: true })
      .getByText('"zone is closed"')
      .waitFor();
  }),
  stateOfAllRuns("result-large-text", "history", async (page) => {
    await head(page, "Read the logbook").click();
    const text = page.getByRole("group", { name: "Text, text" });
    await text.getByText("1: wind 0, sight good").first().waitFor();
    await text.focus();
    await page.keyboard.press("End");
    await text.getByText("4000: wind 9, sight good").waitFor();
    await eventually(async () => assert.ok((await text.locator("[data-row]").count()) < 120));
    await page.keyboard.press("Control+f");
    await page.keyboard.type("3999:");
    await page.getByText("1 of 1").waitFor();
    await text.locator("mark").first().waitFor();
  }),
  stateOfAllRuns("result-odd", "odd", async (page) => {
    await head(page, "Show the chart").click();
    await page.getByText("Sonde does not know this content type.").waitFor();
    const unknown = page.locator("p", { hasText: "An image of unknown size" });
    await unknown.getByRole("button", { name: "Show it" }).click();
    await page.getByText("This image cannot be shown").waitFor();
    await page.getByText("This audio format is not supported here.").waitFor();
    await head(page, "Read the tide table").click();
    await page.getByText("Does not match the tool's output schema").waitFor();
    await page.getByRole("table", { name: "rows" }).getByText("Bergen").waitFor();
    await head(page, "Say hello").click();
    await page.getByText("The response is not a valid result").waitFor();
    await head(page, "Run aground").click();
    await page.getByText("Max timeout reached").waitFor();
    await page.getByText("2 messages for this run arrived after it ended.").waitFor();
    await page.getByText("Raw request and response").click();
    await page.getByText("This entry is no longer stored").waitFor();
    await page.getByText("No response.").waitFor();
    await head(page, "Sink").click();
    await page.getByText("Connection lost before the response").waitFor();
  }),
  stateOfAllRuns("runs-rate", "busy", async (page) => {
    const running = heads(page).filter({ hasText: "Listen for ships" }).first();
    await running.click();
    await page.getByText("Rate of progress").first().click();
    const picture = page.getByRole("img", { name: /^Rate of progress over .*: min .* per second, mean .*, max / });
    await picture.waitFor();
  }),
  stateOfAllRuns("runs-messages", "busy", async (page) => {
    // On a busy machine more may have arrived before this check.
    await page
      .getByText(/Heard ([2-9]|\d\d+) ships/)
      .first()
      .waitFor();
    await card(page, 10)
      .getByRole("button", { name: /messages/ })
      .click();
    const list = card(page, 10).getByRole("group", { name: /messages? from the server/ });
    await list.getByText("Ship 3 passed").waitFor();
    await list.getByText("Ship 2 passed").click();
    await card(page, 10).locator("pre", { hasText: "Ship 2 passed" }).waitFor();
    // Three runs at once, so it is unknown which one a message belongs to.
    await list.getByRole("img", { name: "this or another run" }).first().waitFor();
    await card(page, 10)
      .getByText(/the protocol does not say which of them/)
      .waitFor();
  }),
  // A message has as much room in the open list as in the closed one.
  state("runs-messages-width", "connected", async (page) => {
    await openItem(page, "Listen for ships");
    await page.keyboard.press("Control+Enter");
    const closed = runs(page).getByRole("button", { name: /messages?/ });
    await closed.click();
    const list = runs(page).getByRole("group", { name: /messages? from the server/ });
    await list.getByText("Ship 2 passed").waitFor();
    await eventually(async () => {
      const [inList, inLine] = await Promise.all(
        [list, closed].map((part) =>
          part
            .getByText(/^Ship/)
            .last()
            .evaluate((text) => text.getBoundingClientRect().width),
        ),
      );
      assert.ok(inList >= inLine, `${inList} < ${inLine}`);
    });
  }),
  // The header of a running card has the focus: Esc asks to stop, and the final response is awaited.
  stateOfAllRuns("runs-cancel-by-key", "busy", async (page) => {
    const winch = card(page, 11).locator("[data-card-head]");
    await winch.focus();
    await page.keyboard.press("Escape");
    await card(page, 11).getByText("Cancellation sent").waitFor();
    await winch.getByText("Done").waitFor();
    await winch.click();
    await page.getByText("the server responded anyway").waitFor();
  }),
  // Runs in progress come first, so that the result of another run does not push them away.
  stateOfAllRuns("runs-in-progress-first", "busy", async (page) => {
    await openItem(page, "Read the logbook");
    await button(page, "Run").click();
    await card(page, 12).locator("[data-card-head]").getByText("Done").waitFor();
    await runs(page).getByRole("heading", { name: "Page 1" }).waitFor();
    const states = await runs(page).locator("[data-run-state]").allInnerTexts();
    const others = states.findIndex((word) => word.trim() !== "Running");
    assert.ok(others >= 2 && !states.slice(others).some((word) => word.trim() === "Running"), states.join());
  }),
  // A run that is scrolled out of sight can be stopped from there.
  stateOfAllRuns("runs-out-of-sight", "busy", async (page) => {
    await head(page, "Show the chart").click();
    await page.getByText("320 × 200 px").waitFor();
    await page.getByText("North Sea: the twelfth edition").scrollIntoViewIfNeeded();
    const rows = page.getByRole("group", { name: "Runs out of sight" });
    await page.mouse.move(5, 5);
    await rows.getByRole("button", { name: "Show run Survey the buoys" }).waitFor();
    await rows.getByRole("button", { name: "Cancel run Survey the buoys" }).click();
    await card(page, 9).locator("[data-card-head]").getByText("Cancelled").waitFor({ state: "attached" });
    await page.mouse.move(5, 5);
    await rows.getByRole("button", { name: "Show run Survey the buoys" }).waitFor({ state: "detached" });
    await rows.getByRole("button", { name: "Cancel run Listen for ships" }).waitFor();
  }),
  // The row of a run appears as its header disappears, and never covers part of it.
  stateOfAllRuns("runs-head-shown-once", "busy", async (page) => {
    const list = page.locator('[data-scroll="Runs"]');
    const rows = page.getByRole("group", { name: "Runs out of sight" });
    await page.mouse.move(5, 5);
    const scrollTo = async (top) => {
      await list.evaluate((element, wanted) => (element.scrollTop = wanted), top);
      await drawn(page);
    };
    await scrollTo(10);
    assert.equal(await rows.count(), 0);
    await scrollTo(30);
    await rows.waitFor();
    const [row, own] = await Promise.all([rows.boundingBox(), heads(page).first().boundingBox()]);
    assert.ok(own.y + own.height <= row.y + row.height, JSON.stringify({ row, own }));
    await scrollTo(10);
    await rows.waitFor({ state: "detached" });
  }),
  // A key in the form moves nothing under the pointer: a row leads to the started run.
  stateOfAllRuns("runs-awaited", "busy", async (page) => {
    await openItem(page, "Survey the buoys");
    const below = card(page, 10).getByRole("button", { name: /^Cancel/ });
    await below.hover();
    await drawn(page);
    const before = (await below.boundingBox()).y;
    await page.keyboard.press("Control+Enter");
    const rows = page.getByRole("group", { name: "Runs out of sight" });
    const show = rows.getByRole("button", { name: "Show run Survey the buoys" });
    await show.first().waitFor();
    const after = (await below.boundingBox()).y;
    assert.ok(Math.abs(after - before) < 2, `moved from ${before} to ${after}`);
    await show.first().click();
    await eventually(async () => {
      const outer = await page.locator('[data-scroll="Runs"]').boundingBox();
      assert.ok((await card(page, 12).boundingBox()).y >= outer.y);
    });
    // The other run of this tool may be below the visible part of a small window.
    await eventually(async () => assert.ok((await show.count()) <= 1));
  }),
  // The window holds only the beginning of a long run: the rest is read when it is shown, and nothing is lost.
  stateOfAllRuns("run-long-note", "history", async (page) => {
    await head(page, "Say hello").click({ button: "right" });
    await menuitem(page, "Name and note…").click();
    const form = page.getByRole("form", { name: "Name and note" });
    await form.getByRole("textbox", { name: "Note" }).fill(`${"Why it was made. ".repeat(400)}The last word.`);
    await form.getByRole("button", { name: "Save" }).click();
    await runs(page).getByText("The last word.").waitFor();
    await page.getByRole("button", { name: "Pin this run" }).click();
    await page.getByRole("button", { name: "Unpin this run" }).waitFor();
    await runs(page).getByText("The last word.").waitFor();
    await runs(page).getByText("Hello, Ada!").waitFor();
  }),
  stateOfAllRuns("runs-again", "history", async (page) => {
    await head(page, "Say hello").click();
    await runs(page).getByRole("button", { name: "Run again" }).click();
    await card(page, 9).getByText("Hello, Ada!").waitFor();
    await eventually(async () => assert.equal(await heads(page).first().getAttribute("aria-expanded"), "true"));
    await runs(page).getByRole("button", { name: "Clear all finished runs" }).click();
    await page.getByText("No runs yet").waitFor();
    // The button is disabled; the focus stays in the pane.
    await page.waitForFunction(() => document.activeElement?.textContent === "Runs");
  }),
  // The actions on a run are on one line; without room for words, the icons keep them as names.
  stateOfAllRuns("run-actions", "history", async (page) => {
    await head(page, "").click();
    const again = runs(page).getByRole("button", { name: "Run again" });
    await again.waitFor();
    await runs(page).getByRole("button", { name: "Edit arguments" }).waitFor();
    const boxes = await again
      .locator("..")
      .evaluate((line) =>
        [...line.querySelectorAll("button")].map((button) => button.getBoundingClientRect().toJSON()),
      );
    const right = await runs(page).evaluate((pane) => pane.getBoundingClientRect().right);
    assert.ok(boxes.length >= 5, JSON.stringify(boxes));
    const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
    assert.ok(Math.max(...middles) - Math.min(...middles) < 4, `one line: ${JSON.stringify(boxes)}`);
    assert.ok(boxes.every((box, at) => box.right <= right && (at === 0 || box.left >= boxes[at - 1].right)));
  }),
  // Deletes the visible runs, and restores them in their places.
  stateOfAllRuns("runs-deleted", "history", async (page) => {
    const all = await heads(page).allInnerTexts();
    await runs(page).locator("label").filter({ hasText: "This tool" }).click();
    const shown = await heads(page).count();
    assert.ok(shown > 0 && shown < all.length);
    await runs(page).getByRole("button", { name: "Clear finished runs of this tool" }).click();
    await page.getByText("No runs of this tool yet").waitFor();
    await runs(page).locator("label").filter({ hasText: "All" }).click();
    await hasCount(heads(page), all.length - shown);
    await button(page, "Undo").click();
    await eventually(async () => assert.deepEqual(await heads(page).allInnerTexts(), all));
    await heads(page).first().click();
    await runs(page).getByRole("button", { name: "More actions for this run" }).click();
    await menuitem(page, "Delete").click();
    await hasCount(heads(page), all.length - 1);
    // The focus moves to the run in its place.
    await page.locator("[data-card-head]:focus").waitFor();
    // Toasts are over the runs, and not over the button that runs a tool.
    const toasts = await page.getByRole("region", { name: "Done just now" }).boundingBox();
    const run = await button(page, "Run").boundingBox();
    const { width } = page.viewportSize();
    assert.ok(toasts.x > width / 2 && toasts.x + toasts.width <= width, `at ${toasts.x}`);
    assert.ok(run.x + run.width <= toasts.x || run.y >= toasts.y + toasts.height);
  }),
  // "Edit arguments" moves to the form; Ctrl+Z there restores the typed text.
  stateOfAllRuns("form-replaced", "history", async (page) => {
    const name = page.locator("[data-form]").getByRole("textbox").first();
    await name.fill("typed");
    await head(page, "Say hello").click();
    await runs(page).getByRole("button", { name: "Edit arguments" }).click();
    await page.locator("[data-form] :focus").waitFor();
    await hasValue(name, "Ada");
    await page.keyboard.press("Control+z");
    await hasValue(name, "typed");
    await button(page, "Reset form").click();
    await page.getByText("Form reset").waitFor();
  }),
  state("runs-of-this-tool", "busy", async (page) => {
    await runs(page).locator("label").filter({ hasText: "This tool" }).click();
    await page.getByText("3 other runs in progress.").waitFor();
    await hasCount(heads(page), 1);
  }),
  stateOfAllRuns("runs-keys", "history", async (page) => {
    await heads(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("The request was cancelled and the server sent no result.").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByText("Hello, Ada!").waitFor();
  }),
  // From a run to its frames and back.
  stateOfAllRuns("wire-of-a-run", "history", async (page) => {
    await head(page, "Forbidden waters").click();
    await runs(page).getByRole("button", { name: "More actions for this run" }).click();
    await menuitem(page, "Show in wire log").click();
    await page.getByText("Only run 2 of forbidden_waters").waitFor();
    await page.getByRole("heading", { name: "Request · tools/call" }).waitFor();
    await page.getByRole("button", { name: "Go to response" }).click();
    await page.getByRole("heading", { name: "Error · tools/call" }).waitFor();
    await hasCount(wireRows(page), 2);
    await page.getByRole("button", { name: "Show entries of all runs" }).click();
    await page.getByText("Only run 2").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelectorAll('[role="grid"] [data-row]').length > 10);
    await hasCount(page.locator('[role="row"][aria-selected="true"]'), 1);
    await page.locator('[role="row"][aria-selected="true"]').click({ button: "right" });
    await menuitem(page, "Show only this run").click();
    await page.getByText("Only run 2 of forbidden_waters").waitFor();
    await hasCount(wireRows(page), 2);
    await page.getByRole("button", { name: "Go to run" }).click();
    await page.getByText("The server returned an error").waitFor();
  }),
  state("wire-search", "history", async (page) => {
    await toWire(page);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("grounded nowhere");
    await page.getByText("No matching entries").waitFor();
    await audit();
    await button(page, "Show all entries").click();
    await wireRows(page).nth(5).waitFor();
    await button(page, "More actions for the wire log").click();
    await menuitem(page, "Save to a file").click();
    await page.getByText("Wire log saved as /home/ada/Downloads/Demo server - wire log 2026-07-30.mcplog").waitFor();
    await button(page, "Show in folder").click();
  }),
  // The selected entry stays visible when another filter shows it among others.
  state("wire-unfiltered", "history", async (page) => {
    await toWire(page);
    await button(page, "Errors").click();
    await hasCount(wireRows(page), 3);
    await wireRows(page).last().click();
    await page.getByRole("complementary").waitFor();
    await button(page, "Errors").click();
    await eventually(async () => {
      assert.ok((await wireRows(page).count()) > 5);
      const grid = await page.getByRole("grid").boundingBox();
      const row = await page.locator('[role="grid"] [aria-selected=true]').boundingBox();
      assert.ok(row !== null && row.y >= grid.y && row.y + row.height <= grid.y + grid.height + 1);
    });
  }),
  state("wire-filter", "history", async (page) => {
    await toWire(page);
    await button(page, "Errors").click();
    await hasCount(wireRows(page), 3);
    await page.getByText("Only with issues").click();
    await hasCount(wireRows(page), 1);
    await wireRows(page).first().click();
    const detail = page.getByText("Non-JSON output on stdout. Logs belong on stderr.");
    await detail.waitFor();
    await page.getByRole("checkbox", { name: "Time since start" }).uncheck();
    // Filters and selection survive a look at another tab.
    await tab(page, /^Tools/).click();
    await page.getByRole("searchbox", { name: "Search the runs" }).fill("waters");
    await toWire(page);
    await detail.waitFor();
    await page.getByRole("button", { name: "Errors", pressed: true }).waitFor();
    assert.equal(await page.getByRole("checkbox", { name: "Time since start" }).isChecked(), false);
    await tab(page, /^Tools/).click();
    await hasValue(page.getByRole("searchbox", { name: "Search the runs" }), "waters");
  }),
  // The end stays visible until the user scrolls up; then nothing moves and new rows are counted.
  state("wire-follow", "busy", async (page) => {
    await toWire(page);
    const grid = page.getByRole("grid");
    const below = () => grid.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const isAtEnd = () => eventually(async () => assert.ok((await below()) < 24));
    const follows = page.getByRole("checkbox", { name: "Auto-scroll" });
    await page.getByRole("checkbox", { name: "Group" }).uncheck();
    await passes(page, 5000);
    await eventually(async () => assert.ok((await visible(page)).at(-1) > 34));
    await isAtEnd();
    // Looking at another tab does not change that.
    await tab(page, /^About/).click();
    await drawn(page);
    await toWire(page);
    await isAtEnd();
    assert.ok(await follows.isChecked());
    const box = await grid.boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.wheel(0, -240);
    await eventually(async () => assert.ok((await below()) > 200));
    await drawn(page);
    const [before] = await visible(page);
    const news = page.getByRole("button", { name: /\d+ new/ });
    await news.waitFor();
    await changes(page, () => news.innerText());
    assert.equal((await visible(page))[0], before);
    await news.click();
    await news.waitFor({ state: "detached" });
    await eventually(async () => assert.ok(await follows.isChecked()));
  }),
  // Beside the details of an entry there is room for few columns: the remaining ones are whole, and the summary has its
  // full text.
  state("wire-details", "history", async (page, { width }) => {
    await toWire(page);
    await page.getByRole("checkbox", { name: "Auto-scroll" }).uncheck();
    await wireRows(page).filter({ hasText: "tools/call" }).first().click();
    await page.getByRole("heading", { name: "Request · tools/call" }).waitFor();
    const heading = page.getByRole("complementary");
    await heading.getByText(/answered after [\d.]+ /).waitFor();
    const answer = wireRows(page)
      .getByRole("button", { name: /^Answered after / })
      .first();
    await answer.click();
    await page.getByRole("heading", { name: /^(Response|Error)/ }).waitFor();
    if (width > 1000) {
      // At its narrowest.
      const separator = page.getByRole("separator", { name: "Resize log entry" });
      const box = await separator.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(0, box.y + 200, { steps: 4 });
      await page.mouse.up();
    }
    await eventually(async () =>
      assert.deepEqual(
        await page.getByRole("grid").evaluate((grid) => {
          const problems = [];
          for (const row of grid.querySelectorAll("[data-row]")) {
            const end = row.getBoundingClientRect().right;
            if (end > grid.getBoundingClientRect().right + 1) problems.push("row beyond the list");
            const cells = [...row.children].filter((cell) => cell.getClientRects().length > 0);
            for (const cell of cells) {
              const { width: room, right } = cell.getBoundingClientRect();
              if (right > end + 1) problems.push(`beyond the row: ${cell.textContent}`);
              const isCut = cell.scrollWidth > Math.ceil(room);
              if (isCut && !cell.dataset.tip) problems.push(`cut without its text: ${cell.textContent}`);
              if (isCut && /^([+−][\d.]+|.*\d [µm]?s)$/.test(cell.textContent))
                problems.push(`cut: ${cell.textContent}`);
            }
          }
          return problems;
        }),
        [],
      ),
    );
  }),
  // An exchange is one row that can be expanded, each entry in its own place; a request leads to its response and back,
  // and is copied as a program.
  state("wire-grouped", "listening", async (page) => {
    await toWire(page);
    const grid = page.getByRole("grid");
    await grid.focus();
    await page.keyboard.press("Home");
    const group = wireRows(page).filter({ hasText: "POST /mcp 200" });
    await group.first().waitFor();
    const before = await group.count();
    await group.last().locator('[role="gridcell"]').first().click();
    const selected = page.locator('[role="row"][aria-selected="true"]');
    await selected.getByRole("button", { name: /POST/, expanded: false }).waitFor();
    await page.keyboard.press("ArrowRight");
    await selected.getByRole("button", { name: /POST/, expanded: true }).waitFor();
    await wireRows(page).filter({ hasText: "200 text/event-stream" }).first().waitFor();
    await page.keyboard.press("ArrowLeft");
    await selected.getByRole("button", { name: /POST/, expanded: false }).waitFor();
    await page.getByRole("heading", { name: /^Request/ }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: /^Response/ }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: /^Request/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "Group" }).uncheck();
    await page.waitForFunction(() => document.querySelectorAll('[role="row"] [aria-expanded]').length === 0);
    await page.getByRole("checkbox", { name: "Group" }).check();
    await group.first().waitFor();
    assert.equal(await group.count(), before);
    await audit();
    await group.last().click({ button: "right" });
    for (const name of ["Go to response J", "Copy as curl", "Copy as TypeScript", "Copy as Python"]) {
      await menuitem(page, name).waitFor();
    }
  }),
  // A request without a response shows the reason.
  state("wire-no-response", "lost", async (page) => {
    await toWire(page);
    const search = page.getByRole("searchbox", { name: "Search the wire log" });
    const said = async (text, words) => {
      await search.fill(text);
      await page.getByText(/^1 of \d+$/).waitFor();
      const row = wireRows(page).filter({ hasText: text });
      await row.getByRole("img", { name: words }).waitFor();
      await row.click();
      await page.getByRole("complementary").getByText(words).waitFor();
    };
    await said("listen_for_ships", "No response: cancelled");
    await said('{"buoys":500}', "No response: timed out");
    await said('{"buoys":40}', "No response: the server exited");
    await search.fill("");
    await page.getByRole("button", { name: "Errors" }).click();
    for (const error of ["ended with exit code 3", '{"buoys":40}', '{"buoys":500}', "zone is closed"]) {
      await wireRows(page).filter({ hasText: error }).getByRole("img", { name: "Error:" }).waitFor();
    }
    await page.getByText(/^[56] of \d+$/).waitFor();
  }),
  // Times count from the start of the connection whatever the filter, a line divides the connections, and only entries
  // since the end was left are new.
  state("wire-connections", "lost", async (page) => {
    await toWire(page);
    const exit = wireRows(page).filter({ hasText: "ended with exit code 3" });
    const time = (row) => row.getByRole("gridcell").nth(1).innerText();
    const news = page.getByRole("button", { name: /\d+ new/ });
    const before = await time(exit);
    await exit.click();
    await page.getByRole("heading", { name: "Process" }).waitFor();
    await page.keyboard.press("Escape");
    const outside = await page
      .locator('[data-row] [role="gridcell"] > span[style*="left"]')
      .evaluateAll(
        (bars) =>
          bars.filter((bar) => bar.getBoundingClientRect().right > bar.parentElement.getBoundingClientRect().right)
            .length,
      );
    assert.equal(outside, 0);
    await page.getByRole("button", { name: "Errors" }).click();
    await page.getByText(/^5 of \d+$/).waitFor();
    await exit.waitFor();
    assert.equal(await time(exit), before);
    await drawn(page);
    assert.equal(await news.count(), 0);
    await page.getByRole("button", { name: "Errors" }).click();
    await page.getByRole("button", { name: "Reconnect" }).first().click();
    await news.click();
    const begun = wireRows(page).filter({ hasText: /New connection at \d/ });
    await begun.waitFor();
    await eventually(async () => assert.equal(await time(begun), "+0.000"));
  }),
  // Visible entries are not counted as new.
  state("wire-in-view", "connected", async (page) => {
    await toWire(page);
    const isAll = () =>
      page.getByRole("grid").evaluate((grid) => grid.scrollHeight - grid.scrollTop <= grid.clientHeight + 1);
    await wireRows(page).first().click();
    await page.keyboard.press("Escape");
    const before = await wireRows(page).count();
    await page.getByRole("button", { name: "Restart" }).first().click();
    await eventually(async () => assert.ok((await wireRows(page).count()) > before));
    await drawn(page);
    const news = await page.getByRole("button", { name: /\d+ new/ }).count();
    assert.equal(news, (await isAll()) ? 0 : 1);
  }),
  // One row for messages of one level shows the times of the first and the last of them, and leads to the last, whose
  // text it has.
  state("wire-levels", "told", async (page) => {
    await toWire(page);
    const told = wireRows(page).filter({ hasText: "was looked at" });
    await eventually(async () => {
      const texts = await told.locator('[role="gridcell"]:nth-child(8)').allTextContents();
      assert.deepEqual(
        texts.map((text) => text.replace(/ until \+\d+\.\d+/, " ")),
        [
          "3× info station Buoy 3 was looked at",
          "error station Buoy 4 was looked at",
          "2× info station Buoy 6 was looked at",
        ],
      );
    });
    await told.first().locator("[data-tip^='3 entries until +']").waitFor();
    const detail = (text) => page.getByRole("complementary").getByText(text).waitFor();
    await told.first().click();
    await detail("Buoy 3 was looked at");
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowRight");
    await detail("Buoy 1 was looked at");
    await page.keyboard.press("ArrowLeft");
    await detail("Buoy 3 was looked at");
  }),
  // A key selects all of a wrapped message instead of the window.
  state("wire-raw", "history", async (page) => {
    await toWire(page);
    await page.getByRole("searchbox", { name: "Search the wire log" }).fill("north-sea");
    await wireRows(page).filter({ hasText: "The chart of" }).click();
    const detail = page.getByRole("complementary");
    await detail.locator("label").filter({ hasText: "Raw" }).click();
    const raw = detail.getByRole("group", { name: "Body, text" });
    await raw.locator("[data-line]").nth(2).waitFor();
    await raw.focus();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.keyboard.press("Control+a");
    await eventually(async () => assert.equal(await page.evaluate(() => document.getSelection().toString()), ""));
    await page.keyboard.press("Control+c");
    await page.getByText("Copied in full").waitFor();
    const all = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    assert.equal(all.jsonrpc, "2.0");
  }),
  // Output of a server outside of the protocol, by source, level and text; a line leads to its entry.
  state("console", "history", async (page) => {
    await page.keyboard.press("Alt+7");
    const lines = page.getByRole("listbox", { name: "Console lines, oldest first" });
    const shown = lines.getByRole("option");
    await shown.first().waitFor();
    const all = await shown.count();
    await button(page, "Non-JSON output").click();
    await eventually(async () => assert.ok((await shown.count()) < all));
    await page.getByRole("combobox", { name: "Level", exact: true }).selectOption("4");
    await page.getByText("No matching lines").waitFor();
    await audit();
    await button(page, "Show all lines").click();
    await hasCount(shown, all);
    await lines.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Wire log", selected: true }).waitFor();
    await page.locator('[role="row"][aria-selected="true"]').waitFor();
    await page.keyboard.press("Alt+7");
    await shown.first().waitFor();
  }),
  state("document-tree", "history", async (page, look) => {
    await showAllRuns(page);
    await head(page, "Show the chart").click();
    await page.getByText("Raw request and response").click();
    const frame = page.getByRole("group", { name: "Response as recorded", exact: true });
    await frame.locator("label").filter({ hasText: "Tree" }).click();
    const tree = page.getByRole("tree", { name: "Response as recorded, tree" });
    await tree.getByRole("treeitem", { name: /result/ }).waitFor();
    await tree.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await tree.getByRole("treeitem", { name: /content/ }).waitFor();
    await page.keyboard.press("*");
    await tree
      .getByRole("treeitem", { name: /hologram|"text"/ })
      .first()
      .waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("station");
    await frame.getByText("1 of 2").waitFor();
    await page.keyboard.press("Enter");
    await frame.getByText("2 of 2").waitFor();
    if (look.width >= 1100) await frame.scrollIntoViewIfNeeded();
  }),
];
