import { common } from "./sequence";

/** A line of one or both texts. Numbers count from 1; `null` if the text lacks the line. */
export interface Line {
  readonly kind: "same" | "removed" | "added";
  readonly left: number | null;
  readonly right: number | null;
  readonly text: string;
}

/** Equal lines that are hidden. */
export interface Gap {
  readonly kind: "gap";
  readonly lines: number;
}

export type LineRow = Line | Gap;

export interface ComparedLines {
  /** The lines of both texts, in order. */
  readonly lines: readonly Line[];
  /** The texts differ so much that some equal lines may not be matched. */
  readonly cut: boolean;
}

/** Compares two texts line by line. */
export function compareLines(left: string, right: string): ComparedLines {
  const [before, after] = [left.split("\n"), right.split("\n")];
  const { pairs, cut } = common(before, after);
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  for (const [endA, endB] of [...pairs, [before.length, after.length] as const]) {
    for (; a < endA; a++) lines.push({ kind: "removed", left: a + 1, right: null, text: before[a] ?? "" });
    for (; b < endB; b++) lines.push({ kind: "added", left: null, right: b + 1, text: after[b] ?? "" });
    if (endA === before.length && endB === after.length) break;
    lines.push({ kind: "same", left: ++a, right: ++b, text: before[endA] ?? "" });
  }
  return { lines, cut };
}

/** Keeps the lines around differences and replaces the others by gaps. Empty if the texts are equal. */
export function withoutEqual(lines: readonly Line[], around = 3): LineRow[] {
  const rows: LineRow[] = [];
  let pending: Line[] = [];
  let differs = false;
  const flush = (last: boolean): void => {
    // The lines before the first difference and after the last one need context on one side only.
    const [head, tail] = [differs ? around : 0, last ? 0 : around];
    if (pending.length <= head + tail + 1) rows.push(...pending);
    else {
      rows.push(...pending.slice(0, head), { kind: "gap", lines: pending.length - head - tail });
      if (tail > 0) rows.push(...pending.slice(-tail));
    }
    pending = [];
  };
  for (const line of lines) {
    if (line.kind === "same") {
      pending.push(line);
      continue;
    }
    flush(false);
    differs = true;
    rows.push(line);
  }
  if (!differs) return [];
  flush(true);
  return rows;
}

/** Returns the first row of each group of differing rows. */
export function placesOf(rows: readonly LineRow[]): number[] {
  const differs = (row: LineRow | undefined): boolean => row?.kind === "removed" || row?.kind === "added";
  return rows.flatMap((row, place) => (differs(row) && !differs(rows[place - 1]) ? [place] : []));
}

/** Formats rows like `diff -u`. */
export function unifiedText(rows: readonly LineRow[], names: readonly [string, string]): string {
  let text = `--- ${names[0]}\n+++ ${names[1]}\n`;
  let hunk: Line[] = [];
  const flush = (): void => {
    const [first] = hunk;
    if (!first) return;
    const range = (side: "left" | "right"): string => {
      const numbers = hunk.flatMap((line) => line[side] ?? []);
      return `${numbers[0] ?? 0},${numbers.length}`;
    };
    text += `@@ -${range("left")} +${range("right")} @@\n`;
    for (const line of hunk) text += `${{ same: " ", removed: "-", added: "+" }[line.kind]}${line.text}\n`;
    hunk = [];
  };
  for (const row of rows) {
    if (row.kind === "gap") flush();
    else hunk.push(row);
  }
  flush();
  return text;
}
