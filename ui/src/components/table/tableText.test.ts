import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parsed } from "../../schema/testing/walk";
import { tableOf } from "./table";
import { tableText, type TableFormat } from "./tableText";

function textOf(json: string, format: TableFormat = "csv") {
  const table = tableOf(parsed(json)) ?? expect.fail("no table");
  return tableText(table.columns, table.rows, format);
}

/** Parses a text like a spreadsheet (RFC 4180). */
function read(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length;) {
    let field = "";
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[++at] === '"'; at++) field += text[at];
    } else {
      for (; at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n"; at++)
        field += text[at];
    }
    rows.at(-1)?.push(field);
    if (text[at] === separator) at++;
    else {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

describe("tableText", () => {
  it("keeps digits, and writes nested values as JSON in one line", () => {
    const { text, guarded } = textOf('[{"id":9007199254740993,"price":1.10,"tags":["a", "b"],"gone":null},{"id":-5}]');
    expect(text).toBe('id,price,tags,gone\r\n9007199254740993,1.10,"[""a"",""b""]",\r\n-5,,,\r\n');
    expect(guarded).toBe(0);
  });

  it.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", '=HYPERLINK("x")'])(
    "lets no spreadsheet run %j",
    (evil) => {
      for (const [format, separator] of [
        ["csv", ","],
        ["tsv", "\t"],
      ] as const) {
        const { text, guarded } = textOf(JSON.stringify([{ a: evil, b: 1 }]), format);
        expect(read(text, separator)[1]).toEqual([`'${evil}`, "1"]);
        expect(guarded).toBe(1);
      }
    },
  );

  it("leaves text alone that is a number with its sign", () => {
    expect(textOf('[{"a":"-5"},{"a":"+4.5e3"}]')).toEqual({ text: "a\r\n-5\r\n+4.5e3\r\n", guarded: 0 });
  });

  it("guards the names of columns too", () => {
    expect(textOf('[{"=cmd":1}]').text).toBe("'=cmd\r\n1\r\n");
  });

  it("is read back as it was, whatever the cells hold", () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ",", "\t", "\r", "\n", "=", "a", " ", "'") }),
    );
    const row = fc.record({ a: cell, b: cell, c: cell });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), fc.constantFrom<TableFormat>("csv", "tsv"), (rows, format) => {
        const back = read(textOf(JSON.stringify(rows), format).text, format === "csv" ? "," : "\t");
        expect(back[0]).toEqual(["a", "b", "c"]);
        expect(back.length).toBe(rows.length + 1);
        for (const [place, { a, b, c }] of rows.entries()) {
          const cells = [a, b, c];
          for (const [column, got] of (back[place + 1] ?? []).entries()) {
            // Only an apostrophe may be added, and only if the text could be a formula.
            if (got !== cells[column]) expect(got).toBe(`'${cells[column]}`);
            else expect(/^\s*[=@]/.test(got)).toBe(false);
          }
        }
      }),
    );
  });
});
