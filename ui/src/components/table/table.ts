import { wordsOf } from "../../lib/matching";
import { compareNumbers } from "../../schema/decimal";
import { base64Words, looksLikeBase64 } from "../../lib/looks";
import { memberOf, stringOf, type JsonNode, type Member } from "../../schema/node";
import { printShort } from "../../schema/print";

/** Structured content that is shown as a table. */
export interface TableData {
  /** Member that holds the rows; `null` if the root does. */
  readonly member: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** The other members of the object that holds the rows. */
  readonly beside: readonly { readonly key: string; readonly value: JsonNode }[];
}

export interface TableRow {
  /** Position as received, from 0. */
  readonly index: number;
  readonly cells: ReadonlyMap<string, JsonNode>;
}

const MOST_COLUMNS = 40;
/** Minimum share of plain values among the existing cells. */
const PLAIN_SHARE = 0.5;
/** Minimum share of existing cells. */
const FILLED_SHARE = 0.5;

/** Returns the table in a value: an array of flat objects, or an object with exactly one such member. */
export function tableOf(node: JsonNode): TableData | null {
  if (node.kind === "array") {
    const found = readRows(node);
    return found && { ...found, member: null, beside: [] };
  }
  if (node.kind !== "object") return null;
  let table: TableData | null = null;
  for (const member of node.members) {
    const found = readRows(member.value);
    if (!found) continue;
    if (table) return null;
    table = { ...found, member: member.key, beside: others(node.members, member) };
  }
  return table;
}

function others(members: readonly Member[], without: Member): TableData["beside"] {
  return members.filter((member) => member !== without).map(({ key, value }) => ({ key, value }));
}

function readRows(node: JsonNode): Pick<TableData, "columns" | "rows"> | null {
  if (node.kind !== "array" || node.items.length === 0) return null;
  const columns = new Set<string>();
  const rows: TableRow[] = [];
  let cells = 0;
  let plain = 0;
  for (const [index, item] of node.items.entries()) {
    if (item.value.kind !== "object" || isMedia(item.value)) return null;
    const row = new Map<string, JsonNode>();
    for (const { key, value } of item.value.members) {
      row.set(key, value);
      columns.add(key);
      if (columns.size > MOST_COLUMNS) return null;
    }
    for (const value of row.values()) {
      cells += 1;
      if (isPlain(value)) plain += 1;
    }
    rows.push({ index, cells: row });
  }
  if (columns.size === 0 || plain < cells * PLAIN_SHARE) return null;
  if (cells < columns.size * rows.length * FILLED_SHARE) return null;
  return { columns: [...columns], rows };
}

/** True for a content block with media data, which is not a table row. */
function isMedia(node: JsonNode): boolean {
  return ["image", "audio", "resource"].includes(stringOf(memberOf(node, "type")) ?? "");
}

function isPlain(node: JsonNode): boolean {
  return node.kind !== "object" && node.kind !== "array";
}

/**
 * Returns the text of a cell: strings as they are except for Base64, numbers as written, everything else as JSON in one
 * line, cut at `limit`.
 */
export function cellText(node: JsonNode | undefined, limit = 500): string {
  if (!node) return "";
  if (node.kind === "string")
    return limit < Infinity && looksLikeBase64(node.value) ? base64Words(node.value) : node.value;
  if (node.kind === "number") return node.lexeme;
  return printShort(node, limit);
}

export interface Sorting {
  readonly column: string;
  readonly down: boolean;
}

/**
 * Sorts rows by a column: numbers by value, then other values as text; missing cells come last in both directions. Rows
 * with equal cells keep their order.
 */
export function sortRows(rows: readonly TableRow[], sorting: Sorting | null): readonly TableRow[] {
  if (!sorting) return rows;
  const sign = sorting.down ? -1 : 1;
  return rows
    .map((row) => ({ row, key: sortKey(row.cells.get(sorting.column)) }))
    .sort((a, b) => {
      if (!a.key || !b.key) return Number(!a.key) - Number(!b.key) || a.row.index - b.row.index;
      return sign * compare(a.key, b.key) || a.row.index - b.row.index;
    })
    .map(({ row }) => row);
}

type SortKey = { readonly near: number; readonly lexeme: string } | { readonly text: string };

function sortKey(node: JsonNode | undefined): SortKey | null {
  if (!node) return null;
  return node.kind === "number" ? { near: Number(node.lexeme), lexeme: node.lexeme } : { text: cellText(node) };
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a: SortKey, b: SortKey): number {
  if ("text" in a) return "text" in b ? collator.compare(a.text, b.text) : 1;
  if ("text" in b) return -1;
  // Rounding never changes the order of two numbers; only numbers that it makes equal are compared digit by digit.
  return a.near < b.near ? -1 : a.near > b.near ? 1 : compareNumbers(a.lexeme, b.lexeme);
}

/** Returns the rows in which every word occurs in a cell, ignoring case. */
export function filterRows(table: Pick<TableData, "columns" | "rows">, search: string): readonly TableRow[] {
  const words = wordsOf(search);
  if (words.length === 0) return table.rows;
  return table.rows.filter(({ cells }) => {
    const texts = [...cells.values()].map((value) => cellText(value, Infinity).toLowerCase());
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
}

/** Number of rows measured for column widths. */
const MEASURED_ROWS = 200;
/** Limit of characters of a cell that a column has room for. */
const MOST_CHARACTERS = 40;
/** Number of candidates, as the widest of several long texts is not always the longest. */
const CANDIDATES = 3;

/** Returns the width of each column in characters, from its title and the first rows. */
export function columnWidths(table: Pick<TableData, "columns" | "rows">): readonly number[] {
  return table.columns.map((column) => {
    let widest = column.length + 2;
    for (const row of table.rows.slice(0, MEASURED_ROWS))
      widest = Math.max(widest, cellText(row.cells.get(column)).length);
    return Math.min(Math.max(widest, 4), MOST_CHARACTERS);
  });
}

/** Returns the longest texts of each column among the first rows, cut to the limit. */
export function longestTexts(table: Pick<TableData, "columns" | "rows">): readonly (readonly string[])[] {
  const rows = table.rows.slice(0, MEASURED_ROWS);
  return table.columns.map((column) => {
    const texts = new Set(rows.map(({ cells }) => cellText(cells.get(column)).slice(0, MOST_CHARACTERS)));
    return [...texts].toSorted((a, b) => b.length - a.length).slice(0, CANDIDATES);
  });
}

/** True if all existing values of a column are numbers. */
export function isNumeric(table: Pick<TableData, "rows">, column: string): boolean {
  return table.rows.every((row) => {
    const value = row.cells.get(column);
    return value === undefined || value.kind === "number" || value.kind === "null";
  });
}
