/** Bundled guide: the pages of `docs/guide` in the order of its index, and their pictures. */
import { plainMarkdown } from "../../lib/plainMarkdown";

/** A heading of a page, and the text up to the next one. */
export interface Section {
  readonly page: string;
  readonly heading: string;
  /** Anchor of the heading in links. */
  readonly slug: string;
  /** Text without markup and line breaks. */
  readonly text: string;
  /** The same text by sentence, list item and table row. */
  readonly lines: readonly string[];
  /** Codes of the failures that the section explains, from its last line; `…` stands for any beginning. */
  readonly codes: readonly string[];
  /** Search words from its comment `<!-- Also: word, some words -->`. */
  readonly also: readonly string[];
}

export interface Page {
  /** File name without `.md`. */
  readonly name: string;
  readonly title: string;
  /** Markdown text without the comments. */
  readonly text: string;
  /** Sections of the page; the first has its title. */
  readonly sections: readonly Section[];
}

/** Pages under a heading of the index. */
export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** Page that lists the others. */
export const INDEX = "README";

const texts = import.meta.glob<string>("../../../../docs/guide/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});
// WebP takes a quarter of the bytes without loss. Tests do not convert pictures.
const pictures = import.meta.glob<string>("../../../../docs/images/*.png", {
  query: "?format=webp&lossless",
  import: "default",
  eager: true,
});

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.\w+$/, "");
}

export const pages: ReadonlyMap<string, Page> = new Map(
  Object.entries(texts).map(([path, text]) => [nameOf(path), readPage(nameOf(path), text)]),
);

const addresses: ReadonlyMap<string, string> = new Map(
  Object.entries(pictures).map(([path, address]) => [nameOf(path), address]),
);

/** Groups of the index. */
export const groups: readonly Group[] = readGroups(pages.get(INDEX)?.text ?? "");

/** All sections, in the order of the index. */
export const sections: readonly Section[] = groups.flatMap((group) => group.pages.flatMap((page) => page.sections));

/** Splits the text of a page into its sections. */
export function readPage(name: string, text: string): Page {
  const found: Section[] = [];
  let heading: string | null = null;
  let lines: string[] = [];
  const shown: string[] = [];
  let also: string[] = [];
  let fenced = false;
  const end = (): void => {
    if (heading === null) return;
    const body = lines.join("\n");
    const read = linesOf(body);
    const codes = /^Codes?: (.*)$/m.exec(body)?.[1] ?? "";
    found.push({
      page: name,
      heading: plainMarkdown(heading),
      slug: slugOf(heading),
      text: read.join(" "),
      lines: read,
      codes: [...codes.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
      also,
    });
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const words = fenced ? undefined : /^<!-- Also: (.*) -->$/.exec(line)?.[1];
    if (words !== undefined) {
      also.push(...words.split(",").map((each) => each.trim()));
      continue;
    }
    shown.push(line);
    const title = fenced ? null : /^#{1,6} (.*)$/.exec(line);
    if (title) {
      end();
      heading = title[1] ?? "";
      lines = [];
      also = [];
    } else lines.push(line);
  }
  end();
  return { name, title: found[0]?.heading ?? name, text: shown.join("\n"), sections: found };
}

/** Splits the text of a section into sentences, list items and table rows, without markup and pictures. */
function linesOf(body: string): readonly string[] {
  const blocks = body
    .replace(/^!\[.*$/gm, "")
    .replace(/^\|[-|: ]+\|$/gm, "")
    .split(/\n(?=\s*(?:[-*|>]|\d+\.)\s|\s*\n)/);
  return blocks.flatMap((block) => {
    const text = plainMarkdown(block)
      .replace(/^[#>\s-]+|^\d+\.\s|[|\s]+/gm, " ")
      .replace(/\s+/g, " ")
      .trim();
    return (text.match(/.+?(?:[.!?](?=\s)|$)/g) ?? []).map((line) => line.trim());
  });
}

function readGroups(index: string): readonly Group[] {
  const found: { title: string; pages: Page[] }[] = [];
  for (const line of index.split("\n")) {
    const title = /^## (.*)$/.exec(line)?.[1];
    if (title !== undefined) found.push({ title, pages: [] });
    const page = pages.get(/^- \[[^\]]*\]\(([\w-]+)\.md\)/.exec(line)?.[1] ?? "");
    if (page) found.at(-1)?.pages.push(page);
  }
  return found;
}

/** Target of a link in the guide: a page or, without `page`, an address outside of the window. */
export type LinkTarget =
  | { readonly page: string; readonly slug: string | null }
  | { readonly page: null; readonly url: string };

/** Parses a link of a page; `null` if its page does not exist. */
export function linkTarget(url: string, page: string): LinkTarget | null {
  if (/^https?:\/\//.test(url)) return { page: null, url };
  const [, name, slug] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(url) ?? [];
  const to = name ?? page;
  if (name === undefined && slug === undefined) return null;
  return pages.has(to) ? { page: to, slug: slug ?? null } : null;
}

/** Address of a bundled picture. Pages name the light version; the dark one lies beside it. */
export function pictureAddress(source: string, dark: boolean): string | undefined {
  const name = nameOf(source);
  return (dark ? addresses.get(name.replace(/-light$/, "-dark")) : undefined) ?? addresses.get(name);
}

/** Returns the anchor of a heading in links, made from its text as GitHub does. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
