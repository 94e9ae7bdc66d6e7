/**
 * Checks a text against the format of a form's field. Only the four formats of elicitation (`email`, `uri`, `date`,
 * `date-time`) are checked; text of any other format is valid. A problem means that the server will probably refuse the
 * text; users can send it anyway.
 */

const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text),
  date: isDate,
  "date-time": isDateTime,
};

/** Each format in plain words, with an example. */
const FORMAT_WORDS: Readonly<Record<string, string>> = {
  email: "This must be an email address, for example name@example.com.",
  uri: "This must be an address with its scheme, for example https://example.com/page.",
  date: "This must be a date, for example 2025-12-31.",
  "date-time": "This must be a date and a time with its offset, for example 2025-12-31T23:59:00Z.",
};

/** Returns the format problem of a text in one plain sentence; `null` if it has none, or cannot be checked. */
export function formatProblem(format: string | undefined, text: string): string | null {
  if (format === undefined || !Object.hasOwn(TESTS, format)) return null;
  return TESTS[format]?.(text) === true ? null : (FORMAT_WORDS[format] ?? null);
}

/** RFC 3339, full-date: a day that exists. */
function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  // Date reads the years 0 to 99 as 1900 to 1999, whose months are the same except in leap years.
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate();
}

/** RFC 3339, date-time; a leap second is allowed. */
function isDateTime(text: string): boolean {
  const [, date, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  return date !== undefined && isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}
