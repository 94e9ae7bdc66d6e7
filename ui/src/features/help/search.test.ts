import { expect, it } from "vitest";

import { groups, pages, readPage, sections } from "./pages";
import { leftOutOf, searchSections } from "./search";
import { stemOf } from "./wordStems";

/** Returns the first hits, as shown. */
function firstHits(text: string, most = 4): string[] {
  return searchSections(sections, text)
    .slice(0, most)
    .map(({ section }) => `${section.page} › ${section.heading}`);
}

// Searches of people who do not program, with the expected section.
it.each([
  ["bigger", "window › Text size, zoom and theme"],
  ["larger text", "window › Text size, zoom and theme"],
  ["larger text", "give-presentation › Before"],
  ["how do I make the letters bigger?", "window › Text size, zoom and theme"],
  ["projector", "give-presentation › Before"],
  ["projector", "window › Text size, zoom and theme"],
  ["stop", "run-tool › While it runs"],
  ["stopping a run", "run-tool › While it runs"],
  ["dark", "window › Text size, zoom and theme"],
  ["connect", "connect-local › Connect a local server"],
  ["connecting", "connect-remote › Connect a remote server"],
  ["full screen", "read-result › More room"],
  ["full screen", "window › Panes"],
  ["start again", "give-presentation › Keys"],
  ["send to a colleague", "prepare-presentation › On another computer"],
  ["send it to colleagues", "prepare-presentation › On another computer"],
  ["log in", "sign-in › Sign in to a server"],
  ["password", "connect-local › Secrets"],
  ["picture", "read-result › What is in it"],
  ["I deleted it by mistake", "window › Undo"],
  ["it does not work", "failing-call › Find out why a call fails"],
  ["uninstall", "install › Remove"],
  ["double-click", "install › Install, update and remove Sonde"],
  ["unidentified developer", "install › Install by double-click"],
  ["upgrade", "install › Update"],
  ["slides", "prepare-presentation › Prepare a presentation"],
])("finds “%s” in %s", (text, place) => {
  expect(firstHits(text)).toContain(place);
});

it("begins with how to connect, not with what can go wrong", () => {
  expect(firstHits("connect", 2)).toEqual([
    "connect-local › Connect a local server",
    "connect-remote › Connect a remote server",
  ]);
});

it.each([
  ["stop a slow step", "give-presentation"],
  ["how can I send my presentation to a coworker", "prepare-presentation"],
  ["finish the show", "give-presentation"],
])("finds the right page first for “%s”", (text, name) => {
  expect(firstHits(text, 1)[0]?.split(" › ")[0]).toBe(name);
});

it("finds the places with the most of the words where none has all", () => {
  const all = page("# Doors\n\nA lamp.\n\n## Walls\n\nA mirror and a lamp.\n\n## Roofs\n\nA chimney.");
  const order = (text: string) => searchSections(all, text).map(({ section }) => section.heading);
  expect(order("mirror lamp chimney")).toEqual(["Walls"]);
});

const page = (text: string) => readPage("page", text).sections;

it("takes a word in any of its forms", () => {
  for (const forms of [
    ["stop", "stops", "stopped", "stopping"],
    ["save", "saves", "saved", "saving"],
    ["copy", "copies"],
    ["press", "presses", "pressed"],
    ["call", "calls", "called", "calling"],
    ["try", "tries"],
    ["cancel", "cancelled", "cancelling"],
    ["note", "notes"],
  ]) {
    expect(new Set(forms.map(stemOf)).size, forms.join(", ")).toBe(1);
  }
  for (const [one, other] of [
    ["note", "not"],
    ["file", "fill"],
  ] as const)
    expect(stemOf(one)).not.toBe(stemOf(other));
  for (const word of ["sing", "red", "bus", "status", "this", "32601", "session_id"]) expect(stemOf(word)).toBe(word);
});

it("ranks a title before a heading before a text, and wants all words, wherever they are", () => {
  const all = page(
    "# About\n\nA lamp, and further on a mirror.\n\n## The lamps\n\nWith a mirror.\n\n## Other\n\nA mirror.",
  ).concat(readPage("lamp", "# The lamp\n\nHas mirrors.").sections);
  const order = (text: string) => searchSections(all, text).map(({ section }) => section.heading);
  expect(order("lamp")).toEqual(["The lamp", "The lamps", "About"]);
  expect(order("mirror lamp").toSorted()).toEqual(["About", "The lamp", "The lamps"]);
  expect(order("mirror lamp")[0]).toBe("The lamp");
  expect(order("mirror window")).toEqual(order("mirror"));
  expect(leftOutOf(all, "mirror window")).toEqual(["window"]);
  expect(order("window")).toEqual([]);
  expect(leftOutOf(all, "window")).toEqual([]);
});

it("reads the other words of a section, and shows them nowhere", () => {
  const text = "# Sound\n\n<!-- Also: noise, turn it up -->\n\nIt is loud.\n\n```\n<!-- Also: code -->\n```";
  const read = readPage("sound", text);
  expect(read.sections[0]?.also).toEqual(["noise", "turn it up"]);
  expect(read.text).not.toContain("noise");
  expect(read.text).toContain("<!-- Also: code -->");
  const [hit] = searchSections(read.sections, "turning up");
  expect(hit?.snippet).toMatch(/^It is loud\./);
  expect([...pages.values()].filter((each) => each.text.includes("<!--")).map(({ name }) => name)).toEqual([]);
});

it("has other words for each page of the guide", () => {
  const without = groups
    .flatMap((group) => group.pages)
    .filter(({ sections: of }) => of.every(({ also }) => also.length === 0));
  expect(without.map(({ name }) => name)).toEqual([]);
});

it("shows the sentence with the most of the words, and what to mark in it", () => {
  const [hit] = searchSections(page("# Doors\n\nA door opens. Stopped doors are closed by the keeper."), "stop door");
  expect(hit?.snippet).toBe("Stopped doors are closed by the keeper.");
  expect(hit?.marks).toEqual(["stopped", "doors"]);
  const text =
    "# Size\n\n<!-- Also: bigger, large -->\n\n![A lamp](lamp.png)\n\nA lamp.\n\n1. Wait.\n2. Make it **large**\n   or not.";
  expect(searchSections(page(text), "bigger")[0]?.snippet).toBe("Make it large or not.");
  const table = "# Keys\n\n| Key | Does |\n|---|---|\n| `A` | nothing |\n| `B` | stops |";
  expect(searchSections(page(table), "stop")[0]?.snippet).toBe("B stops");
});

it("finds codes and parts of them", () => {
  expect(firstHits("-32601", 1)).toHaveLength(1);
  expect(firstHits("command_not_confirmed", 1)).toEqual([
    "troubleshooting-sonde › This server runs a command on your computer. Review and confirm it once.",
  ]);
});
