/** Regular expressions from a server, run only where they cannot hang the window. */

const MAX_LENGTH = 500;
const compiled = new Map<string, RegExp | null>();

/**
 * The pattern as a regular expression; null where it is invalid, long, or repeats a group that
 * itself repeats or branches (the shapes that take exponential time).
 */
export function safePattern(source: string): RegExp | null {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const pattern = compile(source);
  if (compiled.size > 500) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

function compile(source: string): RegExp | null {
  if (source.length > MAX_LENGTH || repeatsRepetition(source)) return null;
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Patterns written for other dialects often parse only without the `u` flag.
    }
  }
  return null;
}

function repeatsRepetition(source: string): boolean {
  const plain = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const open: boolean[] = [];
  let wide = 0;
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at];
    const next = plain[at + 1] ?? "";
    if (char === "(") open.push(false);
    else if (char === ")") {
      const risky = open.pop() ?? false;
      const repeated = next === "*" || next === "+" || next === "{";
      if (risky && repeated) return true;
      if ((risky || repeated) && open.length > 0) open[open.length - 1] = true;
    } else if (char === "*" || char === "+" || char === "{" || char === "|") {
      if (open.length > 0) open[open.length - 1] = true;
      if (char !== "|" && ++wide > 6) return true;
    }
  }
  return false;
}
