// A running presentation: at the sizes of projectors, without the words of the protocol.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { audit, drawn, eventually, projectedState } from "./browser.mjs";
import { button } from "./parts.mjs";

const title = (page, name) => page.getByRole("heading", { name, level: 1, exact: true });

const terms = JSON.parse(readFileSync(fileURLToPath(new URL("../protocolTerms.json", import.meta.url)), "utf8"));
const ownWords = readFileSync(fileURLToPath(new URL("../ownWords.js", import.meta.url)), "utf8");

/** Checks that Sonde's own text has no term of the protocol, and that controls are large enough. */
async function plain(page) {
  const found = await page.evaluate(`(() => { ${ownWords} })()`);
  const technical = new RegExp(`(^|[^\\p{L}\\d])(${terms.join("|")})($|[^\\p{L}\\d])`, "iu");
  assert.deepEqual(
    found.filter((words) => technical.test(words)),
    [],
  );
  assert.ok(found.length > 3, "the words of the presentation were not found");
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("[data-presentation] :is(button, input, select, textarea, summary)")]
      .map((each) => ({ each, box: (each.closest("label") ?? each).getBoundingClientRect() }))
      .filter(({ each, box }) => box.height > 0 && box.height < 44 && !each.closest("[data-quoted], details"))
      .map(({ each, box }) => `${each.getAttribute("aria-label") ?? each.textContent} ${Math.round(box.height)} px`),
  );
  assert.deepEqual(small, []);
}

/** Moves a presentation from its beginning to this step, by keyboard. */
async function give(page, step) {
  await page.keyboard.press("F5");
  for (let at = 1; at < step; at++) await page.keyboard.press("PageDown");
  await page.getByText(`Step ${step} of 6`).waitFor();
}

/** Checks that the bars are within the window and their controls do not overlap. */
async function barsFit(page) {
  await eventually(async () => {
    const wrong = await page.evaluate(() => {
      const found = [];
      for (const bar of document.querySelectorAll("[data-presentation] > :is(header, footer)")) {
        const boxes = [...bar.querySelectorAll("button, :scope > span")].map((each) => ({
          name: each.getAttribute("aria-label") ?? each.textContent,
          box: each.getBoundingClientRect(),
        }));
        for (const [at, { name, box }] of boxes.entries()) {
          if (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) {
            found.push(`${name} is outside of the window`);
          }
          for (const other of boxes.slice(at + 1)) {
            const over =
              Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1 &&
              Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 1;
            if (over) found.push(`${name} and ${other.name} overlap`);
          }
        }
      }
      return found;
    });
    assert.deepEqual(wrong, []);
  });
}

/** Sets the type to its largest size. */
async function largestType(page) {
  for (let times = 0; times < 8; times++) await page.keyboard.press("Control+=");
  await page.waitForFunction(() => parseFloat(document.documentElement.style.getPropertyValue("--scale")) >= 3);
  await drawn(page);
}

/** Checks that the content fits between the bars, whatever the type size. */
async function fitsRoom(page, shown, least = 0) {
  await eventually(async () => {
    const box = await shown.boundingBox();
    const room = await page.getByRole("main").boundingBox();
    assert.ok(box !== null && room !== null, "it is not on show");
    assert.ok(box.height <= room.height, `${box.height} px are higher than the room of ${room.height} px`);
    assert.ok(box.width <= room.width, `${box.width} px are wider than the room of ${room.width} px`);
    assert.ok(box.height >= least, `${box.height} px are less than ${least} px`);
  });
}

/** Checks that a table shows whole rows below its header, and that no scroll bar covers one. */
async function wholeRows(table) {
  await eventually(async () => {
    const { room, row } = await table.evaluate((each) => {
      const [head, first] = [...each.querySelectorAll("[role=row]")].map((one) => one.getBoundingClientRect().height);
      const underBar = each.querySelector("[data-under-bar]")?.getBoundingClientRect().height ?? 0;
      return { room: each.clientHeight - head - underBar, row: first };
    });
    const cut = room % row;
    assert.ok(room >= 2 * row && Math.min(cut, row - cut) <= 2, `${room} px for rows of ${row} px`);
  });
}

export const giving = [
  // The messages of a prompt, without the words of the protocol.
  projectedState("presentation-messages", "presentation_kinds", async (page) => {
    await page.keyboard.press("F5");
    await title(page, "Ask for a berth").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Assistant", level: 2 }).waitFor();
    await page.getByText("To whom shall I address it?").waitFor();
    await plain(page);
    await barsFit(page);
  }),
  projectedState("give-form", "presentation", async (page) => {
    await give(page, 1);
    await title(page, "Say hello").waitFor();
    await button(page, "Loudly").click();
    await page.getByRole("button", { name: "Loudly", pressed: true }).waitFor();
    await plain(page);
    await page.keyboard.press("n");
    await page.getByText("Ask the audience for a name and type it in.").waitFor();
    await plain(page);
    await audit();
    await page.keyboard.press("n");
    await button(page, "Run").click();
    await page.getByText("HELLO, ADA!").waitFor();
    await button(page, "Run again").waitFor();
    await plain(page);
  }),
  projectedState("give-stopped", "presentation", async (page) => {
    await give(page, 2);
    await button(page, "A long survey").click();
    await button(page, "Run").click();
    await page.getByText(/^Buoy \d+: /).waitFor();
    await page.getByText("Working on it…").waitFor();
    await plain(page);
    await audit();
    await button(page, "Stop").click();
    await page.getByText("Stopping… You can go on meanwhile.").waitFor();
    await page.getByText("Stopped.").waitFor();
    await button(page, "Try again").waitFor();
    await plain(page);
  }),
  projectedState("give-question", "presentation", async (page) => {
    await give(page, 3);
    await button(page, "Run").click();
    await page.getByText("Please answer to go on.").waitFor();
    await page.getByLabel("Name of the ship").waitFor();
    await plain(page);
    await audit();
    await button(page, "Answer").click();
    await page.getByText("Please fill this in.").waitFor();
    await page.getByLabel("Name of the ship").and(page.locator(":focus")).waitFor();
  }),
  projectedState("give-question-largest", "presentation", async (page) => {
    await give(page, 3);
    await largestType(page);
    await button(page, "Run").and(page.locator(":focus")).press("Enter");
    const field = page.getByLabel("Name of the ship");
    await field.and(page.locator(":focus")).waitFor();
    // The whole field is visible, and not covered.
    await eventually(async () => {
      const seen = await field.evaluate((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return [top + 3, bottom - 3].map((y) => document.elementFromPoint((left + right) / 2, y) === each);
      });
      assert.deepEqual(seen, [true, true]);
    });
  }),
  projectedState("give-page", "presentation_page", async (page) => {
    await give(page, 1);
    await page.getByText("the connection is not encrypted").waitFor();
    await page.getByText("Only the bold part does").waitFor();
    await plain(page);
  }),
  projectedState("give-table", "presentation", async (page, look) => {
    await give(page, 4);
    await button(page, "Run").click();
    const table = page.getByRole("table", { name: "Tides" });
    await table.getByRole("columnheader", { name: "Metres" }).getByRole("button").click();
    await table.getByText("0.6").first().waitFor();
    await plain(page);
    await wholeRows(table);
    // Only the table is scrolled: the page around it is no higher than its room.
    await eventually(async () => {
      const over = await page.getByRole("main").evaluate((main) => main.scrollHeight - main.clientHeight);
      assert.ok(over <= 1, `the page is ${over} px higher than its room`);
    });
    // Wide content says so, and is scrolled by arrow keys and by buttons; no arrow key changes the step.
    const right = page.getByRole("button", { name: "Columns to the right" });
    await right.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 280, height: 768 });
    await right.waitFor();
    assert.ok((await right.boundingBox()).y < (await table.boundingBox()).y, "it is above the rows");
    await wholeRows(table);
    const scrolled = () => table.evaluate((each) => each.scrollLeft);
    await table.focus();
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.ok((await scrolled()) > 0));
    await page.keyboard.press("ArrowLeft");
    await eventually(async () => assert.equal(await scrolled(), 0));
    await right.click();
    await eventually(async () => assert.ok((await scrolled()) > 0));
    await title(page, "Read the tide table").waitFor();
    await plain(page);
    await page.setViewportSize({ width: look.width, height: look.height });
    // Larger type keeps the order of the rows, each as high as its text needs.
    const metres = table.getByRole("columnheader", { name: "Metres" });
    const height = () =>
      table
        .getByRole("row")
        .nth(1)
        .evaluate((row) => row.getBoundingClientRect().height);
    const before = await height();
    await button(page, "Larger type").click();
    await button(page, "Larger type").click();
    await eventually(async () => assert.ok((await height()) > before));
    assert.equal(await metres.getAttribute("aria-sort"), "ascending");
    await table.getByText("0.6").first().waitFor();
  }),
  projectedState("give-media", "presentation", async (page) => {
    await give(page, 5);
    await button(page, "Run").click();
    await page.getByRole("img", { name: "The result" }).waitFor();
    await page.getByText("North Sea: the twelfth edition").waitFor();
    await plain(page);
    await audit();
    await page.keyboard.press("PageDown");
    await button(page, "Run").click();
    await page.getByRole("img", { name: /^Waves by hour: 24 values, the lowest/ }).waitFor();
    await plain(page);
    await page.getByText("Table", { exact: true }).click();
    await page.getByRole("table", { name: "Readings" }).waitFor();
    await audit();
    await page.getByText("Chart", { exact: true }).click();
    await page.getByText("Wind", { exact: true }).click();
    await page.getByRole("img", { name: /^Wind by hour/ }).waitFor();
  }),
  // A failure, a step that deletes something and asks first, and a connection that is lost.
  projectedState("give-lost", "presentation_troubles", async (page) => {
    await page.keyboard.press("F5");
    await button(page, "Begin anyway").click();
    await button(page, "Run").click();
    await page.getByText("That did not work.").waitFor();
    await page.getByText("The ship has run aground").waitFor();
    await plain(page);
    await audit();
    await page.keyboard.press("ArrowRight");
    await button(page, "Run").click();
    await page.getByText("This changes or deletes something. Run it?").waitFor();
    await barsFit(page);
    await plain(page);
    await audit();
    await button(page, "Run it").click();
    await page.getByText("The connection to “Demo server” was lost.").waitFor();
    await plain(page);
    await audit();
    await button(page, "Connect and run again").click();
    await button(page, "Do not run").and(page.locator(":focus")).press("Escape");
    await page.getByText("The connection was lost before the answer came.").waitFor();
    await plain(page);
  }),
  // However long the command is, its button is visible.
  projectedState("give-check", "presentation_troubles", async (page, look) => {
    await page.keyboard.press("F5");
    await title(page, "Before you begin").waitFor();
    await page.getByText("Start the program for “Files” on this computer?").waitFor();
    await page.getByText("/home/ada/a folder with spaces").waitFor();
    const details = page.getByRole("group").filter({ hasText: "Details" });
    await page.getByText("Details", { exact: true }).click();
    await details.getByText("Executable", { exact: true }).waitFor();
    await details.getByText("/usr/bin/npx", { exact: true }).waitFor();
    await details.getByText("Working directory", { exact: true }).waitFor();
    await details.getByText("Environment", { exact: true }).waitFor();
    await page.getByText("npx downloads a package").waitFor();
    await plain(page);
    await audit();
    const inSight = async () => {
      for (const name of ["Start this program", "Begin anyway"]) {
        const { x, y, width, height } = await button(page, name).boundingBox();
        const { width: across, height: down } = page.viewportSize();
        assert.ok(x >= 0 && y >= 0 && x + width <= across && y + height <= down, `${name} is out of sight`);
      }
    };
    await eventually(inSight);
    await page.setViewportSize({ width: 900, height: 600 });
    await eventually(inSight);
    await barsFit(page);
    await largestType(page);
    await eventually(inSight);
    await page.keyboard.press("Control+0");
    await page.setViewportSize({ width: look.width, height: look.height });
    await drawn(page);
    await button(page, "Start this program").click();
    await title(page, "Ready to begin").waitFor();
    await barsFit(page);
    await plain(page);
  }),
  // At a step no command is shown to the audience.
  projectedState("give-confirm", "presentation_troubles", async (page) => {
    await page.keyboard.press("F5");
    await button(page, "Begin anyway").click();
    await page.keyboard.press("End");
    await page.getByText("“Files” waits for your confirmation.").waitFor();
    await button(page, "Run").and(page.locator(":disabled")).waitFor();
    await plain(page);
  }),
  projectedState("give-overview", "presentation", async (page) => {
    await give(page, 1);
    await page.keyboard.press("o");
    await title(page, "All steps").waitFor();
    await page.keyboard.press("ArrowRight");
    await page
      .getByRole("button", { name: /Check the buoys/ })
      .and(page.locator(":focus"))
      .waitFor();
    await plain(page);
  }),
  projectedState("give-choose", "presentations", async (page) => {
    await page.keyboard.press("F5");
    await title(page, "Which presentation?").waitFor();
    await plain(page);
    await audit();
    await page.getByRole("button", { name: /For the harbour board/ }).click();
    await button(page, "Begin anyway").click();
    await title(page, "Good morning").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("is no longer on this computer").waitFor();
    await plain(page);
  }),
  projectedState("give-double-click", "presentation", async (page) => {
    await give(page, 1);
    await button(page, "Run").and(page.locator(":enabled")).dblclick();
    await page.getByText("Hello, Ada!").waitFor();
    await button(page, "Next").dblclick();
    await title(page, "Check the buoys").waitFor();
    await button(page, "A long survey").click();
    // The second click hits the element that replaced Run.
    await button(page, "Run").dblclick();
    await page.getByText(/^Buoy \d+: /).waitFor();
    await button(page, "Stop").and(page.locator(":focus")).waitFor();
    await page.getByText("Step 2 of 6").waitFor();
    await plain(page);
  }),
  projectedState("give-leaving", "presentation", async (page) => {
    await give(page, 2);
    await button(page, "Run").and(page.locator(":focus")).press("Enter");
    await page.getByText(/^Buoy \d+: /).waitFor();
    // A run in progress is stopped first.
    await page.keyboard.press("Escape");
    await page.getByText("Stopped.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog", { name: "Leave the presentation?" }).waitFor();
    await barsFit(page);
    await plain(page);
    await audit();
    await page.keyboard.press("Enter");
    await page.getByRole("listbox", { name: "Tools" }).waitFor();
    // The presentation resumes where it was left.
    await page.keyboard.press("F5");
    await page.getByText("Step 2 of 6").waitFor();
    await page.getByText("Stopped.").waitFor();
  }),
  projectedState("give-end", "presentation", async (page) => {
    await give(page, 6);
    await button(page, "Next").click();
    await title(page, "That was the last step").waitFor();
    await barsFit(page);
    await plain(page);
  }),
  projectedState("give-keys", "presentation", async (page) => {
    await give(page, 1);
    // From a field too, in which letters are only typed.
    await page.getByLabel("Your name").focus();
    await page.keyboard.press("o");
    await page.keyboard.press("F1");
    const keys = page.getByRole("region", { name: "Keys" });
    await keys.getByText("next step", { exact: true }).waitFor();
    await barsFit(page);
    await plain(page);
    await audit();
    await largestType(page);
    const wrong = await keys.evaluate((list) =>
      [...list.querySelectorAll("dt")]
        .filter((dt) => {
          const said = dt.nextElementSibling;
          return [...dt.querySelectorAll("kbd")].some(
            (key) =>
              key.getBoundingClientRect().right > said.getBoundingClientRect().left ||
              getComputedStyle(key).fontSize !== getComputedStyle(said).fontSize,
          );
        })
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(wrong, []);
    await plain(page);
  }),
  // No value is sent unseen.
  projectedState("give-also-sent", "presentation_imported", async (page) => {
    await page.keyboard.press("F5");
    const also = page.getByRole("region", { name: "Also sent" });
    await also.getByText("Blind copy").waitFor();
    await also.getByText("⟨U+202E⟩").waitFor();
    await eventually(async () => assert.doesNotMatch((await also.textContent()) ?? "", /yours\./));
    await also.getByRole("button", { name: /^Show all/ }).click();
    await also.getByText(/yours\.$/).waitFor();
    await plain(page);
    await button(page, "Run").and(page.locator(":enabled")).waitFor();
  }),
  projectedState("give-chart-sizes", "presentation", async (page, look) => {
    await give(page, 6);
    await button(page, "Run").and(page.locator(":focus")).press("Enter");
    const chart = page.getByRole("img", { name: /^Waves by hour: 24 values, the lowest/ });
    await fitsRoom(page, chart, 240);
    // The charted column is chosen in one row.
    await eventually(async () => {
      const groups = await page
        .getByRole("radiogroup")
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
      assert.equal(groups.length, 2);
      assert.equal(new Set(groups).size, 1);
    });
    await largestType(page);
    await fitsRoom(page, chart, 240);
    await page.setViewportSize({ width: 900, height: 600 });
    await barsFit(page);
    await fitsRoom(page, chart, 200);
    await page.setViewportSize({ width: look.width, height: look.height });
    await fitsRoom(page, chart, 240);
    await barsFit(page);
    await plain(page);
  }),
  projectedState("give-largest-type", "presentation", async (page, look) => {
    await give(page, 1);
    await page.evaluate(() => document.fonts.ready.then(() => true));
    const place = () => button(page, "Larger type").boundingBox();
    const before = await place();
    await largestType(page);
    // The pressed element stays under the pointer.
    assert.deepEqual(await place(), before);
    await barsFit(page);
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await button(page, "Run").and(page.locator(":focus")).press("Enter");
    await fitsRoom(page, page.getByRole("table", { name: "Tides" }));
    await wholeRows(page.getByRole("table", { name: "Tides" }));
    await barsFit(page);
    await page.keyboard.press("PageDown");
    await button(page, "Run").and(page.locator(":focus")).press("Enter");
    await fitsRoom(page, page.getByRole("img", { name: "The result" }));
    await page.setViewportSize({ width: 900, height: 600 });
    await barsFit(page);
    await fitsRoom(page, page.getByRole("img", { name: "The result" }));
    await page.setViewportSize({ width: look.width, height: look.height });
    await barsFit(page);
    await plain(page);
  }),
];
