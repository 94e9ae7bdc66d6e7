import type { JsonNode } from "../../schema/node";
import { compactJson, printNode } from "../../schema/print";
import type { TableRow } from "./table";

export type TableFormat = "csv" | "tsv";

/** A table as text for other programs. */
export interface TableText {
  readonly text: string;
  /** Number of cells that got a leading apostrophe, since a spreadsheet would run them as formulas. */
  readonly guarded: number;
}

/** Matches text that a spreadsheet takes for a formula, also after white space that it drops. */
const FORMULA = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/;
/** Matches text that a spreadsheet reads as a number: its sign does not start a formula. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Formats a table as comma-separated values (RFC 4180), or with tabs, as spreadsheets put on the clipboard. Values are
 * complete: numbers with the server's digits, nested values as JSON in one line, `null` and missing values empty.
 *
 * Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, "CSV Injection"): a server must not
 * be able to run one where its result is opened.
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
  const cell = (value: JsonNode | undefined): string => (!value || value.kind === "null" ? "" : wholeCell(value));
  for (const { cells } of rows) lines.push(line(columns.map((column) => cell(cells.get(column)))));
  return { text: lines.join(""), guarded };
}

/** Returns all of a value: strings without quotes, all else as JSON in one line. */
export function wholeCell(node: JsonNode): string {
  return node.kind === "string" ? node.value : compactJson(printNode(node));
}
