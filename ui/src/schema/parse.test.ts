import { describe, expect, it } from "vitest";
import { compareNumbers, isMultipleOf, isWholeNumber } from "./decimal";
import { isNumberLexeme, MAX_DEPTH, parseJson } from "./parse";
import { compactJson, prettyJson, printNode } from "./print";
import { hasPrivateFields } from "./privacy";
import { sameValue } from "./same";
import { parsed as node } from "./testing/walk";

describe("reading and printing JSON", () => {
  it.each([
    "9007199254740993",
    "1.0",
    "1e400",
    "-0",
    "0.1000000000000000055511151231257827",
    '"\\u00e9\\/"',
    '"\\ud800"',
  ])("keeps %s as it was written", (text) => {
    expect(printNode(node(text))).toBe(text);
  });

  it("keeps key order, integer-like keys, repeated keys and __proto__", () => {
    const text = '{"b":1,"10":2,"2":3,"__proto__":4,"b":5}';
    expect(compactJson(printNode(node(text)))).toBe(text);
  });

  it.each([
    ["", "There is no JSON yet", 1, 1],
    ['{"a":1,}', "comma", 1, 8],
    ['{\n  "a": tru\n}', "tru", 2, 8],
    ["[1 2]", "“,” or “]”", 1, 4],
    ["01", "not a JSON number", 1, 1],
    ["1.", "not a JSON number", 1, 1],
    ['"a\nb"', "line break", 1, 3],
    ['"\\x"', "escape", 1, 2],
    ['"abc', "closing quote", 1, 1],
    ["{} x", "ends before", 1, 4],
    ["'a'", "a value", 1, 1],
  ])("says where %j stops being JSON", (text, message, line, column) => {
    const parsed = parseJson(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.problem.message).toContain(message);
    expect(parsed.problem).toMatchObject({ line, column, tooDeep: false });
  });

  it("stops at a depth instead of overflowing the stack", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseJson(deep)).toMatchObject({ ok: false, problem: { tooDeep: true } });
    expect(parseJson("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH)).ok).toBe(true);
  });

  it("takes white space out between tokens only", () => {
    expect(compactJson('{ "a b" : [ 1 ,\n "\\" x" ] }')).toBe('{"a b":[1,"\\" x"]}');
    // The last string of text that was cut.
    expect(compactJson('{ "a" : "b c')).toBe('{"a":"b c');
    expect(compactJson('[ "b \\')).toBe('["b \\');
  });

  it.each([
    ["5", true],
    ["-0.5e+3", true],
    ["05", false],
    ["5 ", false],
    ["+5", false],
    [".5", false],
    ["NaN", false],
    ["", false],
  ])("knows whether %j is a number", (text, is) => {
    expect(isNumberLexeme(text)).toBe(is);
  });
});

describe("exact numbers", () => {
  it.each([
    ["9007199254740993", "9007199254740992", 1],
    ["1e400", "1e401", -1],
    ["1.0", "1", 0],
    ["-1", "-2", 1],
    ["-0", "0", 0],
    ["0.1", "0.10", 0],
    ["100e-2", "1", 0],
    ["0.5", "0", 1],
    ["-0.5", "0", -1],
    ["1e99999999999999999999", "1e5", 1],
  ])("compares %s with %s", (a, b, sign) => {
    expect(Math.sign(compareNumbers(a, b))).toBe(sign);
    expect(Math.sign(compareNumbers(b, a))).toBe(sign === 0 ? 0 : -sign);
  });

  it.each([
    ["1.0", true],
    ["1e3", true],
    ["1.5e1", true],
    ["1.5", false],
    ["1e-3", false],
    ["0", true],
    ["-120", true],
  ])("knows whether %s is whole", (lexeme, whole) => {
    expect(isWholeNumber(lexeme)).toBe(whole);
  });

  it.each([
    ["0.3", "0.1", true],
    ["9007199254740993", "2", false],
    ["9007199254740994", "2", true],
    ["1e300", "7", false],
    ["7e300", "7", true],
    ["1.5", "1", false],
    ["0", "3", true],
  ])("knows whether %s is a multiple of %s", (value, step, is) => {
    expect(isMultipleOf(value, step)).toBe(is);
  });

  it("counts equal values as equal, whatever their spelling", () => {
    expect(sameValue(node('{"a":1.0,"b":[1e2]}'), node('{"b":[100],"a":1}'))).toBe(true);
    expect(sameValue(node("9007199254740993"), node("9007199254740992"))).toBe(false);
  });
});

describe("JSON", () => {
  it("keeps every digit when it is laid out, and leaves alone what is none", () => {
    expect(prettyJson('{"a":9007199254740993,"b":1.0}')).toBe('{\n  "a": 9007199254740993,\n  "b": 1.0\n}');
    expect(prettyJson("{nonsense")).toBe("{nonsense");
  });

  it("knows schemas whose values must stay in memory", () => {
    expect(hasPrivateFields('{"properties":{"a":{"items":[{"format":"password"}]}}}')).toBe(true);
    expect(hasPrivateFields('{"properties":{"a":{"writeOnly":true}}}')).toBe(true);
    expect(hasPrivateFields('{"properties":{"password":{"type":"string","writeOnly":false}}}')).toBe(false);
    expect(hasPrivateFields("{nonsense")).toBe(false);
    const deep = "[".repeat(MAX_DEPTH + 1) + '{"format":"password"}' + "]".repeat(MAX_DEPTH + 1);
    expect(hasPrivateFields(deep)).toBe(true);
  });
});
