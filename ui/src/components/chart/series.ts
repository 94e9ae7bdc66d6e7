import { cellText, tableOf, type TableData } from "../table/table";
import { stringOf, type JsonNode, type ObjectNode } from "../../schema/node";

/** Numbers at ordered positions, or by name. */
export interface Series {
  /** The positions have an order: by time, by number, or by index in the data. Otherwise they are names. */
  readonly ordered: boolean;
  /** Name of the column of positions; `null` if the positions are only indexes in the data. */
  readonly of: string | null;
  /** Labels of the positions. */
  readonly labels: readonly string[];
  /** Positions on the axis; evenly spaced in the order of the data if neither times nor numbers are known. */
  readonly places: readonly number[];
  /** Values at the positions, counted or measured. */
  readonly columns: readonly SeriesColumn[];
  /** Columns that are neither positions nor charted. */
  readonly others: readonly Pick<SeriesColumn, "name" | "texts">[];
  /** Members of the data that are no columns. */
  readonly beside: TableData["beside"];
}

export interface SeriesColumn {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The values as received: rounding would change long numbers. Empty where there is none. */
  readonly texts: readonly string[];
}

interface Found {
  readonly columns: readonly Column[];
  readonly beside: TableData["beside"];
}

interface Column {
  readonly name: string;
  readonly cells: readonly (JsonNode | undefined)[];
}

const LEAST_POINTS = 3;
const MOST_POINTS = 2_000;
/** Limit of names, as more cannot be read beside each other. */
const MOST_NAMES = 24;

/** Finds the series in a value: rows of objects, arrays of equal length beside each other, or one array of numbers. */
export function seriesOf(node: JsonNode): Series | null {
  const found = columnsOf(node);
  const columns = found?.columns ?? [];
  const count = columns[0]?.cells.length ?? 0;
  if (!found || count < LEAST_POINTS || count > MOST_POINTS) return null;
  const numbers = columns.filter((column) => !isId(column.name) && isNumeric(column));
  const time = columns.find((column) => timesOf(column) !== null);
  // If all columns are numbers, the first one orders the positions if it only grows or only falls.
  const [first] = columns;
  const leads = first !== undefined && first === numbers[0] && numbers.length > 1 && isSteady(valuesOf(first));
  const lead = time === undefined && leads ? first : undefined;
  const names = columns.find(isNames);
  const of = time ?? lead ?? (count <= MOST_NAMES ? names : undefined);
  // Other columns that cannot name the positions, as they are not unique or too many, would be lost in a chart.
  if (of === undefined && columns.some((column) => !numbers.includes(column))) return null;
  const measured = numbers.filter((column) => column !== of);
  if (measured.length === 0) return null;
  const order = Array.from({ length: count }, (_, index) => index);
  const times = of && timesOf(of);
  return {
    ordered: of === undefined || of !== names || of === time,
    of: of?.name ?? null,
    labels: of === undefined ? order.map((at) => `${at + 1}`) : of === time && times ? timeLabels(times) : textsIn(of),
    places: of === undefined ? order : (times ?? (of === lead ? valuesOf(of).map(Number) : order)),
    columns: measured.map((column) => ({ name: column.name, values: valuesOf(column), texts: textsIn(column) })),
    others: columns
      .filter((column) => column !== of && !measured.includes(column))
      .map((column) => ({ name: column.name, texts: textsIn(column) })),
    beside: found.beside,
  };
}

function columnsOf(node: JsonNode): Found | null {
  const table = tableOf(node);
  if (table) {
    const columns = table.columns.map((name) => ({ name, cells: table.rows.map(({ cells }) => cells.get(name)) }));
    return { columns, beside: table.beside };
  }
  if (node.kind === "array") return isNumbers(node) ? { columns: [columnOf("", node)], beside: [] } : null;
  if (node.kind !== "object") return null;
  return beside(node) ?? inside(node);
}

/** Returns arrays of equal length, at least one of them of numbers. */
function beside(node: ObjectNode): Found | null {
  const arrays = node.members.filter(({ value }) => value.kind === "array");
  const columns = arrays.map(({ key, value }) => columnOf(key, value));
  const length = columns[0]?.cells.length;
  if (!arrays.some(({ value }) => isNumbers(value))) return null;
  if (columns.some(({ cells }) => cells.length !== length)) return null;
  return { columns, beside: node.members.filter(({ value }) => value.kind !== "array") };
}

/** Returns the series in the only member that has one, as weather services write it. */
function inside(node: ObjectNode): Found | null {
  const all = node.members.flatMap((member) => {
    const found = member.value.kind === "object" ? beside(member.value) : null;
    return found ? [{ member, found }] : [];
  });
  const [only, ...others] = all;
  if (!only || others.length > 0) return null;
  const around = node.members.filter((member) => member !== only.member);
  return { columns: only.found.columns, beside: [...around, ...only.found.beside] };
}

function columnOf(name: string, node: JsonNode): Column {
  return { name, cells: node.kind === "array" ? node.items.map(({ value }) => value) : [] };
}

function isNumbers(node: JsonNode): boolean {
  return node.kind === "array" && node.items.length > 0 && node.items.every(({ value }) => isNumber(value));
}

function isNumber(node: JsonNode | undefined): boolean {
  return node?.kind === "number" && Number.isFinite(Number(node.lexeme));
}

/** True if all cells are numbers, except for gaps. */
function isNumeric({ cells }: Column): boolean {
  const there = cells.filter((cell) => cell !== undefined && cell.kind !== "null");
  return there.length >= LEAST_POINTS && there.every(isNumber);
}

function valuesOf({ cells }: Column): readonly (number | null)[] {
  return cells.map((cell) => (cell?.kind === "number" ? Number(cell.lexeme) : null));
}

/** True for columns of ids, which are not measured values. */
function isId(name: string): boolean {
  return /(^|[_\s-])id$/i.test(name) || /[a-z]Id$/.test(name);
}

function isSteady(values: readonly (number | null)[]): boolean {
  const steps = values.slice(1).map((value, at) => (value ?? NaN) - (values[at] ?? NaN));
  return steps.every((step) => step > 0) || steps.every((step) => step < 0);
}

const TIME_PATTERN = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?$/;

/** Returns the times of a column in ms, if they only grow or only fall. */
function timesOf({ cells }: Column): readonly number[] | null {
  const times = cells.map((cell) =>
    cell?.kind === "string" && TIME_PATTERN.test(cell.value) ? Date.parse(cell.value) : NaN,
  );
  return times.every(Number.isFinite) && isSteady(times) ? times : null;
}

/** True if all cells are texts and no text occurs twice. */
function isNames({ cells }: Column): boolean {
  return new Set(cells.map(stringOf).filter((text) => text !== undefined)).size === cells.length;
}

function textsIn({ cells }: Column): readonly string[] {
  return cells.map((cell) => (cell?.kind === "null" ? "" : cellText(cell)));
}

/** Formats times as short as they remain distinct. */
function timeLabels(times: readonly number[]): readonly string[] {
  const span = Math.abs((times.at(-1) ?? 0) - (times[0] ?? 0));
  const day = 86_400_000;
  // Dates without a time mean the same day in every time zone.
  const dates = times.every((time) => time % day === 0);
  const format = new Intl.DateTimeFormat(undefined, {
    ...(dates ? { timeZone: "UTC" } : {}),
    ...(dates || span > 2 * day ? { day: "numeric", month: "short" } : {}),
    ...(span > 300 * day ? { year: "numeric" } : {}),
    ...(dates || span > 14 * day ? {} : { hour: "2-digit", minute: "2-digit" }),
  });
  return times.map((time) => format.format(time));
}

/** Limit of steps between the smallest and the largest number. */
const MOST_STEPS = 5;
/** Significant digits of a number in words, and the most that steps have, which a 64-bit float holds. */
export const DIGITS = 6;
const MOST_DIGITS = 12;

/** Returns round steps from below the smallest to above the largest number. */
export function ticks(least: number, greatest: number): readonly number[] {
  const span = greatest - least || Math.abs(greatest) || 1;
  const power = 10 ** Math.floor(Math.log10(span / MOST_STEPS));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => span / each <= MOST_STEPS) ?? 10 * power;
  const from = Math.floor(least / step);
  const to = Math.max(from + 1, Math.ceil(greatest / step));
  // Computed from the number of steps, so that rounding errors do not add up.
  return Array.from({ length: to - from + 1 }, (_, at) => Number(((from + at) * step).toPrecision(MOST_DIGITS)));
}

/** Returns the number of significant digits that tell the steps of an axis apart. */
export function digitsOf(steps: readonly number[]): number {
  const [first = 0, second = 1] = steps;
  const greatest = Math.max(...steps.map(Math.abs));
  const needed = Math.ceil(Math.log10(greatest / (second - first))) + 1;
  return Math.min(Math.max(needed, DIGITS), MOST_DIGITS);
}

/** Returns the range of the values' axis: from zero if all values are above it and differ enough in size. */
export function range(values: readonly (number | null)[]): readonly number[] {
  const numbers = values.filter((value) => value !== null);
  const least = Math.min(...numbers);
  const greatest = Math.max(...numbers);
  return ticks(least >= 0 && least < greatest * 0.6 ? 0 : least, greatest);
}
