import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const sources = [
  ...readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
    .map((path) => here + path),
  ...[
    "components/media/MediaBlocks.tsx",
    "components/media/Picture.tsx",
    "components/table/ResultTable.tsx",
    "features/servers/ConfirmCommand.tsx",
  ].map((path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))),
];
const page = readFileSync(
  fileURLToPath(new URL("../../../../../docs/guide/give-presentation.md", import.meta.url)),
  "utf8",
);

/** Texts that the table need not list: they report no problem, or advise on a problem named beside them. */
const NO_TROUBLE: ReadonlySet<string> = new Set([
  "Which presentation?",
  "A large image (…).",
  "A large image (… × … px, …).",
  "An image of unknown size (…).",
  "An SVG image. Drawing it can take long.",
  "… (…).",
  "…, continues at step …",
  "In a field, the letters and arrows only type. Esc leaves the field, then closes this.",
  "Leave the presentation?",
  "Leave the presentation? Enter leaves, Esc stays. Press F5 in the main window to continue at this step.",
  "Start over?",
  "Start over? The first step is shown again, and all steps are as they were prepared.",
  "Please open this page. Come back here when you are done.",
  "Open…",
  "Run it?",
  "This changes or deletes something. Run it?",
  "There is nothing to fill in.",
  "Not shown: it may contain a password.",
  "No notes for this step.",
  "Stopping…",
  "It may be a password or an address. Fill it in, then start the presentation again.",
  "Sign in, then start the presentation again.",
  "If it happens again, leave the presentation: the window says why.",
  "Leave, and prepare this step anew.",
  "Go on with the next step, or prepare this one anew.",
  "Reading…",
  "No.",
  "Done. There is nothing to show.",
  "A file that can be saved and opened in another app.",
  "It was the last one.",
  "Go on with the next one.",
  "Go on with the next step.",
  "Try again.",
  "Try again, or go on with the next step.",
  "Change the values, or try again.",
  "Change the values to get less, and try again.",
  "Step … of …",
  // From the readiness page.
  "You can begin all the same: a step that is not ready says so in its turn.",
  "Step …",
  "Steps … to …",
  "Steps … and …",
  "Connecting: ……",
  "Sonde starts a program of this computer only after you have looked at it once.",
  "Nobody knows whether this step was done. Connect and run it again….",
  // Only shown in the window.
  "… copied as …",
  "This video cannot be played here. Save it to play it in another app.",
  "Run this command?",
  "Looking for the command…",
  // From the question before a program starts, which the guide explains as a whole.
  "It runs with your permissions. Check it once; Sonde asks again only if it changes.",
  "Running it will fail; the report will list the folders that were searched.",
]);

/** Strips the inserted values and everything around the sentence. */
const plain = (sentence: string): string =>
  sentence
    .replace(/\$\{[^{}]*\}/g, "…")
    .replace(/\s+/g, " ")
    .trim();

/** All sentences in quotes or between tags, without comments. */
const said = [
  ...new Set(
    sources.flatMap((path) => {
      const text = readFileSync(path, "utf8")
        .replace(/\/\*[^]*?\*\//g, "")
        .replace(/^\s*\/\/.*$/gm, "");
      const found = text.matchAll(
        /"([A-Za-z][^"\\\n]*[.…?])"|`((?:[A-Z]|\$\{)[^`\\]*[.…?}])`|[>}]\s*([A-Za-z][^<>{}()"`=]*[.…?])\s*[<{]/g,
      );
      return [...found].map(([, quoted, template, tagged]) => plain(quoted ?? template ?? tagged ?? ""));
    }),
  ),
].filter((sentence) => / |^[A-Z]\w+\.$/.test(sentence) || NO_TROUBLE.has(sentence));

/** First cells of the table rows. */
const rows = [...page.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = ""]) => cell);

/** True if a row quotes the sentence, or each of its parts around inserted values. */
const isIn = (sentence: string): boolean => {
  const parts = sentence
    .split("…")
    .map((part) => part.trim())
    .filter((part) => part.length > 1);
  return rows.some((row) => row.includes("“") && parts.every((part) => row.includes(part)));
};

it("has each sentence about trouble, with what it means and what to do", () => {
  expect(said.length).toBeGreaterThan(60);
  expect(said.filter((sentence) => !NO_TROUBLE.has(sentence) && !isIn(sentence))).toEqual([]);
  // Each exception is still a text of the product.
  expect([...NO_TROUBLE].filter((sentence) => !said.includes(sentence))).toEqual([]);
});

it("quotes nothing that is not said", () => {
  const quoted = rows.flatMap((row) => [...row.matchAll(/“((?:[^“”]|“…”)+[.…?])”/g)].map(([, text = ""]) => text));
  expect(quoted.length).toBeGreaterThan(30);
  const everything = sources.map((path) => plain(readFileSync(path, "utf8"))).join("\n");
  const known = (text: string): boolean =>
    text
      .split(/…|“…”/)
      .map((part) => part.trim())
      .every((part) => everything.includes(part));
  expect(quoted.filter((text) => !known(text))).toEqual([]);
});
