/** The text between the first line and the next that are `---`, which is YAML by convention, and the rest. */
export function frontMatter(text: string): { readonly head: string | null; readonly body: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  // A table or a list between two lines is no front matter.
  if (!found || !/^[\w-]+[ \t]*:/m.test(found[1] ?? "")) return { head: null, body: text };
  return { head: (found[1] ?? "").trimEnd(), body: text.slice(found[0].length) };
}
