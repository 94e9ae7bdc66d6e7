import type { JsonNode } from "../../schema/node";
import { compactJson, printNode } from "../../schema/print";
import type { TableRow } from "./table";

export type TableFormat = "csv" | "tsv";

/** A table as text for other programs. */
export interface TableText {
  readonly text: string;
  /** Cells that got an apostrophe in front, since a spreadsheet would take them for a formula. */
  readonly guarded: number;
}

/** Text that a spreadsheet takes for a formula, also after white space that it drops. */
const FORMULA = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/;
/** Text that a spreadsheet reads as a number: a sign in front of it is no formula. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Comma-separated values (RFC 4180), or the like with tabs, which is what spreadsheets put on the clipboard.
 * Values are whole: numbers with the digits that the server wrote, nested values as JSON in one line, `null`
 * and missing ones empty.
 *
 * Text that a spreadsheet would run as a formula begins with an apostrophe (OWASP, "CSV Injection"): a server
 * must not be able to run one where its result is opened.
 */
export function tableText(columns: readonly string[], rows: readonly TableRow[], format: TableFormat): TableText {
  const separator = format === "csv" ? "," : "\t";
  let guarded = 0;
  const field = (text: string): string => {
    const risky = FORMULA.test(text) && !NUMBER.test(text);
    if (risky) guarded += 1;
    const safe = risky ? `'${text}` : text;
    const quoted = safe.includes(separator) || /["\r\n]|^\s|\s$/.test(safe);
    return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const line = (fields: readonly string[]): string => `${fields.map(field).join(separator)}\r\n`;
  const lines = [line(columns)];
  for (const { cells } of rows) lines.push(line(columns.map((column) => wholeCell(cells.get(column)))));
  return { text: lines.join(""), guarded };
}

function wholeCell(node: JsonNode | undefined): string {
  if (!node || node.kind === "null") return "";
  return node.kind === "string" ? node.value : compactJson(printNode(node));
}
