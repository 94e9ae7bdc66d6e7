import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { parseMarkdown, type MarkdownNode } from "../../components/markdown/parse";
import { groups, INDEX, linkTarget, pages, slugOf } from "./pages";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const guide = join(root, "docs/guide");
const images = join(root, "docs/images");

/** Pages of the guide without a picture, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  [INDEX]: "a list of the others",
  "command-line": "about what is outside of the window",
  files: "about folders",
  install: "about what is outside of the window",
  keyboard: "a table of keys",
  "recipe-ci": "about what is outside of the window",
  suites: "a table of keys",
  "troubleshooting-authentication": "an entry for each failure",
  "troubleshooting-connecting": "an entry for each failure",
  "troubleshooting-runs": "an entry for each failure",
  "troubleshooting-sonde": "an entry for each failure",
};

/** Names of the pictures that `cargo xtask screenshots` takes, from its source. */
function pictureNames(): string[] {
  const source = readFileSync(join(root, "tests/src/bin/tour/pictures.rs"), "utf8");
  return [...source.matchAll(/\bboth\(window, "([^"]+)"\)/g)].map(([, name = ""]) => name);
}
const documents = [
  join(root, "README.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(root, "docs", path)),
];

interface Reference {
  readonly tag: "a" | "img";
  readonly to: string;
}

interface Document {
  readonly path: string;
  readonly references: readonly Reference[];
  readonly slugs: ReadonlySet<string>;
}

function textOf(node: MarkdownNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

/** Reads the references of a document, and the headings that others can refer to. */
function read(path: string): Document {
  const parsed = parseMarkdown(readFileSync(path, "utf8"));
  if (!parsed.ok) throw new Error(`${path} ${parsed.reason}`);
  const references: Reference[] = [];
  const slugs = new Set<string>();
  const walk = (node: MarkdownNode): void => {
    if (typeof node === "string") return;
    const { tag, attributes } = node;
    if (tag === "a") references.push({ tag, to: String(attributes["href"]) });
    if (tag === "img") references.push({ tag, to: String(attributes["src"]) });
    if (/^h\d$/.test(tag)) slugs.add(slugOf(textOf(node)));
    node.children.forEach(walk);
  };
  parsed.nodes.forEach(walk);
  return { path, references, slugs };
}

const known: ReadonlyMap<string, Document> = new Map(documents.map((path) => [path, read(path)]));

/** Problem of a reference; `null` if its target exists. Web addresses are not tried. */
function problemOf({ path }: Document, { to }: Reference): string | null {
  if (/^https?:\/\//.test(to)) return null;
  const [file = "", slug] = decodeURIComponent(to).split("#");
  const target = file === "" ? path : join(dirname(path), file);
  if (!existsSync(target)) return "is not there";
  const document = known.get(target);
  return slug !== undefined && document && !document.slugs.has(slug) ? "has no such heading" : null;
}

describe("the documents", () => {
  it("lead to what is there", () => {
    const broken = [...known.values()].flatMap((document) =>
      document.references.flatMap((reference) => {
        const problem = problemOf(document, reference);
        return problem === null ? [] : [`${relative(root, document.path)}: ${reference.to} ${problem}`];
      }),
    );
    expect(broken).toEqual([]);
    expect([...known.values()].flatMap(({ references }) => references).length).toBeGreaterThan(80);
  });

  it("have each picture of the guide for both themes", () => {
    const pictures = [...known.values()]
      .filter(({ path }) => path.startsWith(guide))
      .flatMap(({ path, references }) =>
        references.filter(({ tag }) => tag === "img").map(({ to }) => join(dirname(path), to)),
      );
    expect(pictures.length).toBeGreaterThan(8);
    expect(pictures.filter((picture) => !picture.endsWith("-light.png"))).toEqual([]);
    const dark = new Set(pictures.map((picture) => picture.replace(/-light\.png$/, "-dark.png")));
    expect([...dark].filter((picture) => !existsSync(picture)).map((picture) => relative(root, picture))).toEqual([]);
  });

  it("have a picture on each page that is about a part of the window", () => {
    const bare = [...known.values()]
      .filter(({ path, references }) => path.startsWith(guide) && !references.some(({ tag }) => tag === "img"))
      .map(({ path }) => basename(path, ".md"));
    expect(bare.toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it("show pictures of the window as it is: all that there are are taken by one command, and shown", () => {
    const names = pictureNames();
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
    const both = names.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]);
    expect(readdirSync(images).toSorted()).toEqual(both.toSorted());
    const shown = [...known.values()].flatMap(({ references }) =>
      references.filter(({ tag }) => tag === "img").map(({ to }) => basename(to).replace(/-light\.png$/, "")),
    );
    expect([...new Set(shown)].toSorted()).toEqual(names.toSorted());
  });

  it("are all in the list of the guide, once, under their titles", () => {
    const listed = groups.flatMap((group) => group.pages.map((page) => page.name));
    const names = readdirSync(guide).map((file) => file.replace(/\.md$/, ""));
    expect(listed.toSorted()).toEqual(names.filter((name) => name !== INDEX).toSorted());
  });

  it("lead in the app where they lead on the web, and stay within the guide", () => {
    const stuck = [...pages.values()].flatMap((page) => {
      const references = known.get(join(guide, `${page.name}.md`))?.references ?? [];
      return references
        .filter(({ tag, to }) => tag === "a" && linkTarget(to, page.name) === null)
        .map(({ to }) => `${page.name}: ${to}`);
    });
    expect(stuck).toEqual([]);
  });

  it("have pages that are drawn without asking", () => {
    const long = [...pages.values()].filter(({ text }) => text.length > 40_000).map(({ name }) => name);
    expect(long).toEqual([]);
  });

  it("close what they open as code, on the same line", () => {
    const open = documents.flatMap((path) => {
      const text = readFileSync(path, "utf8").replace(/^\s*```[^]*?^\s*```$/gm, "");
      const lines = text.split("\n").filter((line) => (line.replace(/``/g, "").match(/`/g) ?? []).length % 2 === 1);
      return lines.map((line) => `${relative(root, path)}: ${line}`);
    });
    expect(open).toEqual([]);
  });
});
