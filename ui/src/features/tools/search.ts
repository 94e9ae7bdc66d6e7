import type { ToolSummary } from "../../ipc/bindings";

interface Searchable {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

/** Lower-case texts of a list, made once: lists are replaced whole, never changed. */
const prepared = new WeakMap<readonly ToolSummary[], readonly Searchable[]>();

function prepare(tools: readonly ToolSummary[]): readonly Searchable[] {
  let texts = prepared.get(tools);
  if (!texts) {
    texts = tools.map((tool) => ({
      name: tool.name.toLowerCase(),
      title: (tool.title ?? "").toLowerCase(),
      summary: tool.summary.toLowerCase(),
    }));
    prepared.set(tools, texts);
  }
  return texts;
}

/**
 * Indexes of the tools that match, best first. Every word must be found in the name, the title or
 * the summary; equal matches keep the server's order. An empty search gives all of them.
 */
export function searchTools(tools: readonly ToolSummary[], search: string): readonly number[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return tools.map((_, index) => index);
  const found: { index: number; score: number }[] = [];
  prepare(tools).forEach((tool, index) => {
    let total = 0;
    for (const word of words) {
      const score = scoreOf(tool, word);
      if (score === 0) return;
      total += score;
    }
    found.push({ index, score: total });
  });
  // Array sort is stable, so the server's order decides between equals.
  return found.sort((a, b) => b.score - a.score).map(({ index }) => index);
}

/** How well one word fits; 0 when it does not. */
function scoreOf(tool: Searchable, word: string): number {
  const name = placeScore(tool.name, word);
  const title = placeScore(tool.title, word);
  const best = Math.max(name, title);
  if (best > 0) return best * 10;
  const summary = placeScore(tool.summary, word);
  if (summary > 0) return summary;
  return isAbbreviation(tool.name, word) ? 1 : 0;
}

/** Whole text 5, its beginning 4, the beginning of a word 3, anywhere 2. */
function placeScore(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (text.length === word.length) return 5;
  if (at === 0) return 4;
  for (let place = at; place >= 0; place = text.indexOf(word, place + 1)) {
    if (!/[a-z0-9]/.test(text[place - 1] ?? "")) return 3;
  }
  return 2;
}

/** The letters come in this order, each at the beginning of a word or after the one before. */
function isAbbreviation(name: string, letters: string): boolean {
  if (letters.length < 2) return false;
  const words = name.split(/[^a-z0-9]+/);
  const from = (word: number, at: number): boolean => {
    if (at === letters.length) return true;
    for (let next = word; next < words.length; next++) {
      const text = words[next] ?? "";
      for (let length = 1; text.startsWith(letters.slice(at, at + length)); length++) {
        if (from(next + 1, at + length)) return true;
        if (at + length >= letters.length) break;
      }
    }
    return false;
  };
  return from(0, 0);
}
