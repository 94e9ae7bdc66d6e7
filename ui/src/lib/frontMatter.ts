/** Splits a text into its front matter (the text between two lines of `---`, YAML by convention) and the rest. */
export function frontMatter(text: string): { readonly head: string | null; readonly body: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  // A table or a list between two lines is not front matter.
  if (!found || !/^[\w-]+[ \t]*:/m.test(found[1] ?? "")) return { head: null, body: text };
  return { head: (found[1] ?? "").trimEnd(), body: text.slice(found[0].length) };
}
