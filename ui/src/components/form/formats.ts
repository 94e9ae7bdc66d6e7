import { localDate } from "../../lib/format";
import { own } from "../../lib/own";

/** Input help of a text format: an example, a keyboard type, a value to fill in. */
export interface FormatHelp {
  /** Shown while the field is empty. */
  readonly example: string;
  readonly inputMode?: "email" | "url" | "text";
  /** A button that fills the field. */
  readonly fill?: { readonly label: string; readonly make: () => string };
}

/** RFC 3339 without fractions of a second, in UTC. */
function instant(now: Date): string {
  return now.toISOString().replace(/\.\d+Z$/, "Z");
}

const FORMATS: Readonly<Record<string, FormatHelp>> = {
  date: { example: "2025-12-31", fill: { label: "Today", make: () => localDate(new Date()) } },
  "date-time": { example: "2025-12-31T23:59:00Z", fill: { label: "Now", make: () => instant(new Date()) } },
  time: { example: "23:59:00Z", fill: { label: "Now", make: () => instant(new Date()).slice(11) } },
  duration: { example: "PT1H30M" },
  email: { example: "name@example.com", inputMode: "email" },
  "idn-email": { example: "name@example.com", inputMode: "email" },
  uri: { example: "https://example.com/page", inputMode: "url" },
  url: { example: "https://example.com/page", inputMode: "url" },
  iri: { example: "https://example.com/page", inputMode: "url" },
  "uri-reference": { example: "/page", inputMode: "url" },
  hostname: { example: "example.com" },
  ipv4: { example: "192.0.2.1" },
  ipv6: { example: "2001:db8::1" },
  uuid: {
    example: "123e4567-e89b-12d3-a456-426614174000",
    fill: { label: "New", make: () => crypto.randomUUID() },
  },
  "json-pointer": { example: "/a/0" },
  regex: { example: "^[a-z]+$" },
};

export function formatHelp(format: string | undefined): FormatHelp | undefined {
  return format === undefined ? undefined : own(FORMATS, format);
}

const LONG_NAMES =
  /^(content|contents|body|text|message|prompt|code|script|query|sql|markdown|html|description|template|instructions|input)$/i;

/** Returns true for names whose fields usually hold several lines. */
export function soundsLong(name: string): boolean {
  return LONG_NAMES.test(name);
}
