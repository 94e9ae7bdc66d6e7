/** A part of a text; `hit` where it is what was searched for. */
export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** Cuts a text at every place that contains `needle`, ignoring case. */
export function splitMatches(text: string, needle: string): readonly Part[] {
  if (needle === "") return [{ text, hit: false }];
  const lower = text.toLowerCase();
  const wanted = needle.toLowerCase();
  // Some letters change their length in lower case; then positions would not fit.
  if (lower.length !== text.length) return [{ text, hit: false }];
  const parts: Part[] = [];
  let done = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, done)) {
    if (at > done) parts.push({ text: text.slice(done, at), hit: false });
    done = at + wanted.length;
    parts.push({ text: text.slice(at, done), hit: true });
  }
  if (done < text.length || parts.length === 0) parts.push({ text: text.slice(done), hit: false });
  return parts;
}
