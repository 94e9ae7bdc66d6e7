import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { pages } from "./pages";
import { entryAbout, isAbout } from "./search";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Returns the sources in a folder, without lines that are comments. */
function sources(folder: string, kind: RegExp): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => kind.test(path) && !/(^|[\\/])(tests?|fake)([\\/.]|$)|\.test\./.test(path))
    .map((path) => readFileSync(`${root}/${folder}/${path}`, "utf8").replace(/^\s*\/\/.*$/gm, ""));
}

const rust = (folder: string): string => sources(folder, /\.rs$/).join("\n");

/** Normalizes a sentence: `…` for each inserted value, except at its beginning and its end. */
function plain(sentence: string): string {
  return sentence
    .replace(/\\\r?\n\s*/g, "")
    .replace(/\\(.)/g, "$1")
    .replace(/\$?\{[^{}]*\}/g, "…")
    .replace(/\s+/g, " ")
    .replace(/^[…. ]+|[…. ]+$/g, "");
}

/** All string literals of the product. Each file is scanned separately, so that a missed quote affects only one. */
const literals: ReadonlySet<string> = new Set(
  [
    ...sources("crates", /\.rs$/).map((text) =>
      text.replace(/\br(#*)"[^]*?"\1|b?'\\?"'/g, "").matchAll(/"((?:[^"\\]|\\[^])*)"/g),
    ),
    ...sources("ui/src", /\.tsx?$/).map((text) => text.matchAll(/["`]((?:[^"`\\\n]|\\[^])*)["`]/g)),
  ].flatMap((found) => [...found].map(([, text = ""]) => plain(text))),
);

/** Returns all groups of all matches. */
function codesIn(text: string, ...patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((group) => group !== undefined)),
  );
}

const bindings = readFileSync(`${root}/ui/src/ipc/bindings.ts`, "utf8");

/** Returns the members of a union of names in the bindings. */
function union(name: string): string[] {
  const members = new RegExp(`^export type ${name} = (".*);$`, "m").exec(bindings)?.[1] ?? "";
  return codesIn(members, /"([^"]+)"/g);
}

/** Names of the files in the data folder. */
const FILES = codesIn(rust("crates/explorer/src"), /\bDataFile::new\(\s*"(\w+)"/g);

/** Codes that each page must explain, read from the product's sources. */
const codes: Readonly<Record<string, readonly string[]>> = {
  connecting: [
    ...codesIn(
      rust("crates/client/src/sessions"),
      /\bfailure\(\s*"(\w+)"/g,
      /\bfailure\(\s*if [^{}]*\{\s*"(\w+)"\s*\} else \{\s*"(\w+)"/g,
      /\bconst INTERNAL: &str = "(\w+)"/g,
    ),
    ...union("HealthCode"),
  ],
  runs: [
    ...union("LostCode"),
    "tool_error",
    "bad_shape",
    "timed_out",
    ...codesIn(
      readFileSync(`${root}/crates/client/src/operations/explain.rs`, "utf8"),
      /^\s*(-32\d{3}) => /gm,
      /^const \w+: i64 = (-32\d{3});/gm,
    ),
  ],
  authentication: codesIn(
    rust("crates/auth/src"),
    /\bProblem::new\(\s*"(\w+)"/g,
    /"([a-z]+(?:_[a-z]+)*)",\s*(?:format!\(\s*)?"[A-Z`][^"]*\."/g,
    /"([a-z]+(?:_[a-z]+)*)",\s*"(?:is too long|has a control character in it)"/g,
    /\bconst REFUSED: &str = "(\w+)"/g,
  ).flatMap((code) => (code === "is" ? [] : [code])),
  sonde: [
    ...union("ErrorCode"),
    ...codesIn(
      rust("crates/client/src") + rust("crates/explorer/src") + rust("crates/ipc/src"),
      /\bnotice\(\s*(?:level|NoticeLevel::\w+),\s*(?:[^,";]*,\s*)?"(\w+)"/g,
      /\btelling\(\s*"(\w+)"/g,
      /\bconst (?:UNSAVED|WATCHDOG_NOT_STARTED): &str = "(\w+)"/g,
      /^\s*"(servers_entries_\w+)"\.to_owned\(\),$/gm,
    ),
    // Codes derived from a file's name.
    ...FILES.flatMap((file) => [
      `${file}_not_saved`,
      ...["newer", "unreadable", "damaged"].map((how) => `${file}_file_${how}`),
    ]),
  ],
};

/** Codes that need no entry. */
const WITHOUT_ENTRY: ReadonlyMap<string, string> = new Map([
  ["connecting given_up", "only programs on the client crate get it: the window shows no failure"],
  ["sonde invalid_input", "its sentences say what was entered wrongly, and where"],
  ["sonde no_completion", "it stands below the field, with why, and typing goes on"],
]);

describe.each(Object.entries(codes))("the troubleshooting page about %s", (name, all) => {
  const page = pages.get(`troubleshooting-${name}`);
  const entries = page?.sections.filter(({ codes: of }) => of.length > 0) ?? [];

  it("has an entry for each code", () => {
    const known = new Set(all);
    const missing = [...known].filter(
      (code) => !entries.some((entry) => isAbout(entry, code)) && !WITHOUT_ENTRY.has(`${name} ${code}`),
    );
    expect(missing).toEqual([]);
    const idle = entries.flatMap((entry) =>
      entry.codes.filter((code) => ![...known].some((each) => isAbout({ ...entry, codes: [code] }, each))),
    );
    expect(idle).toEqual([]);
  });

  it("has sentences that the product says", () => {
    // Compared as written, with code marks.
    const headings = [...(page?.text ?? "").matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);
    expect(headings.length).toBeGreaterThanOrEqual(entries.length);
    expect(headings.filter((heading) => !literals.has(plain(heading)))).toEqual([]);
  });

  it("names each sentence once", () => {
    const slugs = page?.sections.map(({ slug }) => slug) ?? [];
    expect(slugs.filter((slug, at) => slugs.indexOf(slug) !== at)).toEqual([]);
  });

  it("leads from each code and sentence to its own entry", () => {
    const wrong = entries.filter((entry) => {
      const sentence = entry.heading.replaceAll("…", "x");
      return entry.codes.some((code) => entryAbout(entries, { code: code.replace("…", "x"), sentence }) !== entry);
    });
    expect(wrong.map(({ heading }) => heading)).toEqual([]);
  });
});

it("finds the codes and the sentences in the sources", () => {
  const found = Object.fromEntries(Object.entries(codes).map(([name, all]) => [name, new Set(all).size]));
  for (const [name, least] of Object.entries({ connecting: 45, runs: 24, authentication: 55, sonde: 40 })) {
    expect(found[name], name).toBeGreaterThanOrEqual(least);
  }
  expect(literals.has("The command `…` was not found")).toBe(true);
  expect(literals.has("The command `…` is a sentence that nobody says")).toBe(false);
});
