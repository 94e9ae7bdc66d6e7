/** A command line, taken apart as a POSIX shell would, without running or expanding anything. */
export interface CommandLine {
  /** `NAME=value` words before the program. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** The program; empty when there is none. */
  readonly command: string;
  readonly args: readonly string[];
  /** What was understood in another way than a shell would, as plain sentences. */
  readonly remarks: readonly string[];
}

/** Takes a command line apart: quotes and backslashes count, nothing is expanded. */
export function splitCommandLine(line: string): CommandLine {
  const { words, open } = split(line.trim().replace(/^\$\s+/, ""));
  const remarks: string[] = [];
  if (open) remarks.push("A quote is not closed; the rest of the line was taken as one argument.");
  const env: { name: string; value: string }[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const match = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(words[at] ?? "");
    if (!match) break;
    env.push({ name: match[1] ?? "", value: match[2] ?? "" });
  }
  const args = words.slice(at + 1);
  if (args.some((word) => /^(\||\|\||&&|;|>|>>|<)$/.test(word))) {
    remarks.push("Pipes, redirections and chains need a shell; here they are plain arguments.");
  }
  if (words.some((word) => /\$\{?\w|^~/.test(word))) {
    remarks.push("Variables and ~ are not expanded; enter the actual values.");
  }
  return { env, command: words[at] ?? "", args, remarks };
}

function split(line: string): { words: string[]; open: boolean } {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (quote === "'") {
      if (letter === "'") quote = null;
      else word = (word ?? "") + letter;
    } else if (letter === "\\") {
      const next = line[at + 1];
      // Within double quotes a backslash escapes only these; before a letter it stays, which
      // also keeps the paths of Windows whole.
      const escapes = quote === '"' ? '"\\$`' : " \"'\\$`&|;<>()\t";
      if (next === "\n") at++;
      else if (next !== undefined && escapes.includes(next)) {
        word = (word ?? "") + next;
        at++;
      } else word = (word ?? "") + letter;
    } else if (letter === '"') {
      quote = quote === null ? '"' : null;
      word ??= "";
    } else if (letter === "'" && quote === null) {
      quote = "'";
      word ??= "";
    } else if (quote === null && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + letter;
    }
  }
  if (word !== null) words.push(word);
  return { words, open: quote !== null };
}
