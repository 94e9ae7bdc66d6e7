/** Words for sizes, times and counts. Numbers are written the same way everywhere. */

/** A size in bytes, for example `1.2 KB`; 1 KB is 1,024 bytes. */
export function bytes(size: number): string {
  if (size < 1024) return size === 1 ? "1 byte" : `${size} bytes`;
  let value = size / 1024;
  for (const unit of ["KB", "MB", "GB"]) {
    if (value < 1024 || unit === "GB") return `${short(value)} ${unit}`;
    value /= 1024;
  }
  return `${size} bytes`;
}

/** A measured duration in microseconds, for example `870 µs`, `12.3 ms`, `1.24 s`, `2 min 05 s`. */
export function duration(micros: number): string {
  if (micros < 1000) return `${Math.round(micros)} µs`;
  if (micros < 999_500) return `${short(micros / 1000)} ms`;
  if (micros < 59_995_000) return `${(micros / 1_000_000).toFixed(2)} s`;
  const seconds = Math.round(micros / 1_000_000);
  return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
}

/** A running time in milliseconds, for example `0:05` or `1:02:05`. Never negative. */
export function elapsed(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** A time of day in milliseconds since the Unix epoch, for example `14:03:22.123`. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const millis = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}

/** A date in the local time zone, for example `2026-01-03`. */
export function localDate(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day of a time, both in milliseconds since the Unix epoch: `Today`, `Yesterday`, `20 Nov 2026`. */
export function day(at: number, now: number): string {
  const date = new Date(at);
  const before = new Date(now);
  if (date.toDateString() === before.toDateString()) return "Today";
  before.setDate(before.getDate() - 1);
  if (date.toDateString() === before.toDateString()) return "Yesterday";
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** A whole number with thousands set apart: `12,345`. */
export function number(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Counts things: `1 tool`, `12,345 tools`. */
export function count(value: number, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A rate in units per second with sensible digits: `0.25`, `3.4`, `120`. */
export function rate(perSecond: number): string {
  if (perSecond >= 100) return number(perSecond);
  return perSecond >= 1 ? perSecond.toFixed(1) : perSecond.toPrecision(2);
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? trim(value.toFixed(1)) : trim(value.toFixed(2));
}

function trim(text: string): string {
  return text.replace(/\.?0+$/, "");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
